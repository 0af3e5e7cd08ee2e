"""Where the package keeps what it builds: corpora, task sets, their stamps and locks."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import secrets
import stat
import tempfile
import threading
import warnings
from pathlib import Path

from platformdirs import user_cache_path

from scholar_env.build_folder import clear_leftovers
from scholar_env.folder_lock import FolderLock

HOME_VARIABLE = "SCHOLAR_ENV_HOME"
"""Environment variable that names the home folder."""

DERIVED_SHELVES = ("graphs", "indexes", "tasks")
"""Folders of the home that hold what is derived from corpora, as ``<shelf>/<corpus fingerprint>/<name>``."""

_guard = threading.Lock()
_chosen: dict[Path, Path] = {}


def wanted_home() -> Path:
    """Returns the home folder as configured, whether or not it can be used; nothing is written."""
    configured = os.environ.get(HOME_VARIABLE, "")
    return Path(configured).expanduser().absolute() if configured else user_cache_path("scholar-env")


def home() -> Path:
    """Returns a home folder that can be written, made when missing.

    It is the folder that ``SCHOLAR_ENV_HOME`` names, else the user's cache folder for ``scholar-env``. Where that
    cannot be written, a temporary folder takes its place, with one warning. Corpora in a home that can only be read
    are found all the same (:func:`find_corpus`).
    """
    wanted = wanted_home()
    with _guard:
        if wanted in _chosen and _chosen[wanted].is_dir():
            return _chosen[wanted]
        if _is_writable(wanted):
            _chosen[wanted] = wanted
            return wanted
        substitute = _temporary_home()
        _chosen[wanted] = substitute
    if multiprocessing.parent_process() is None:  # workers repeat what their parent has said already
        warnings.warn(
            f"the folder {wanted} cannot be written, so {substitute} takes its place; set {HOME_VARIABLE} to a folder "
            "that can be written",
            stacklevel=2,
        )
    return substitute


def stamp_folders() -> tuple[Path, ...]:
    """Returns where stamps of verified corpora may be, the configured home first; nothing is written."""
    wanted = wanted_home()
    return tuple(folder / "stamps" for folder in dict.fromkeys((wanted, _chosen.get(wanted, wanted))))


def shelf_folders(shelf: str) -> tuple[Path, ...]:
    """Returns the existing folders of that name in the home, the configured home first; nothing is written.

    Args:
        shelf: Its name: ``corpora``, ``tasks``, ….
    """
    wanted = wanted_home()
    folders = [wanted / shelf]
    if _chosen.get(wanted, wanted) != wanted:
        folders.append(_chosen[wanted] / shelf)
    return tuple(folder for folder in folders if folder.is_dir())


def find_on_shelf(shelf: str, name: str) -> Path | None:
    """Returns the folder of what a shelf has under a name, or None; nothing is written."""
    for folder in shelf_folders(shelf):
        if (folder / name / "manifest.json").is_file():
            return folder / name
    return None


def recover(shelf: str, name: str, timeout: float) -> Path | None:
    """Returns what :func:`find_on_shelf` finds; what a builder moved aside before it was killed comes back first.

    Args:
        shelf: Name of the shelf.
        name: Name on it.
        timeout: Seconds to wait for another process that builds it.

    Raises:
        CorpusBusyError: Another process takes longer.
    """
    found = find_on_shelf(shelf, name)
    if found is None:
        for folder in shelf_folders(shelf):
            place = folder / name
            if any(place.parent.glob(f".{place.name}.old-*")):
                with contextlib.suppress(OSError), FolderLock(place, timeout):
                    clear_leftovers(place)
        found = find_on_shelf(shelf, name)
    return found


def corpora_folders() -> tuple[Path, ...]:
    """Returns the existing folders that hold corpora, the configured home first; nothing is written."""
    return shelf_folders("corpora")


def find_corpus(name: str) -> Path | None:
    """Returns the folder of an existing corpus of that name, or None; nothing is written."""
    return find_on_shelf("corpora", name)


def new_corpus_folder(name: str) -> Path:
    """Returns where a corpus of that name is to be built."""
    return home() / "corpora" / name


def _is_writable(folder: Path) -> bool:
    probe = folder / f".probe-{secrets.token_hex(8)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch(exist_ok=False)
    except OSError:
        return False
    with contextlib.suppress(OSError):
        probe.unlink()
    return True


def _temporary_home() -> Path:
    """Returns a folder under the system's temporary folder, the same for all processes of this user."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    shared = Path(tempfile.gettempdir()) / f"scholar-env-{user}"
    with contextlib.suppress(OSError):
        shared.mkdir(mode=0o700, exist_ok=True)
        found = shared.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o022:
            return shared
    return Path(tempfile.mkdtemp(prefix="scholar-env-"))
