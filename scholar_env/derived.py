"""Artefacts that follow from a corpus alone: built at their first use into the home, checked whenever they are opened.

An artefact is a folder ``<home>/<kind>/<corpus fingerprint>/<key>``; the key is a hash of everything beside the corpus
that decides what is in it, so a changed specification never meets an old folder. ``artefact.json`` in it lists every
file with its sha256. One process builds while others wait, and a killed build leaves nothing behind. A first opening on
a machine verifies every file, later ones compare the stamp that it left (:mod:`scholar_env.stamp`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scholar_env import __version__
from scholar_env.errors import CorpusIntegrityError, ScholarEnvError
from scholar_env.first_use import Tell, first_use
from scholar_env.home import home, home_folders
from scholar_env.stamp import is_stamped, store_stamp, take_stamp
from scholar_env.storage import (
    LOCK_TIMEOUT_S,
    BuildFolder,
    FolderLock,
    clear_leftovers,
    json_bytes,
    sha256_file,
    write_bytes_atomic,
)

FORMAT: Final = 1
MANIFEST: Final = "artefact.json"


@dataclass(frozen=True, slots=True)
class Artefact:
    """What is wanted.

    Attributes:
        kind: Plain name of the folder in the home, the same for all artefacts of a kind.
        corpus: Fingerprint of the corpus that it follows from.
        spec: Everything else that decides its content, JSON-able.
        title: What a person reads while it is built.
    """

    kind: str
    corpus: str
    spec: Mapping[str, Any]
    title: str

    def key(self) -> str:
        """Hex digits that stand for :attr:`spec`."""
        return hashlib.sha256(json_bytes(dict(self.spec))).hexdigest()[:32]

    def head(self) -> dict[str, Any]:
        """What its manifest must say before the list of files."""
        return {"format": FORMAT, "kind": self.kind, "corpus": self.corpus, "spec": dict(self.spec)}


def open_artefact(
    wanted: Artefact, build: Callable[[Path, Tell], object], check: Callable[[Path], None], *, verify: bool = False
) -> Path:
    """Returns the folder of an artefact, built when it is not there yet.

    Args:
        wanted: The artefact.
        build: ``build(folder, tell)`` writes its files, in no sub-folders, and tells how far it is.
        check: Looks at the invariants of a folder whose hashes are right, and raises where one does not hold.
        verify: Verify every file even where the stamp says that nothing has changed.

    Raises:
        CorpusIntegrityError: A file is not as it was written, or the folder is another artefact's.
        CorpusBusyError: Another process takes too long to build it.
    """
    place = Path(wanted.corpus[:32]) / wanted.key()
    folder = next((each / place for each in home_folders(wanted.kind) if (each / place / MANIFEST).is_file()), None)
    if folder is None:
        folder = _build(wanted, home() / wanted.kind / place, build)
    _verify(wanted, folder, check, force=verify)
    return folder


def _build(wanted: Artefact, target: Path, build: Callable[[Path, Tell], object]) -> Path:
    with FolderLock(target, LOCK_TIMEOUT_S):
        if (target / MANIFEST).is_file():
            return target
        clear_leftovers(target)
        making = BuildFolder(target, replace=True)  # a folder without a manifest gives way
        with making as folder:
            with first_use(wanted.title) as tell:
                build(folder, tell)
            files = {path.name: [path.stat().st_size, sha256_file(path)] for path in sorted(folder.iterdir())}
            body = {**wanted.head(), "files": files, "built_with": __version__}
            signed = {**body, "manifest_sha256": hashlib.sha256(json_bytes(body)).hexdigest()}
            write_bytes_atomic(folder / MANIFEST, json_bytes(signed))
            stamp = take_stamp(folder, [MANIFEST, *files])
        store_stamp(target.resolve(), stamp)
    return target


def _verify(wanted: Artefact, folder: Path, check: Callable[[Path], None], *, force: bool) -> None:
    files = _read(wanted, folder)
    try:
        stamp = take_stamp(folder, [MANIFEST, *files])
        if not force and is_stamped(folder.resolve(), stamp):
            return
        for name, (size, digest) in files.items():
            if (folder / name).stat().st_size != size or sha256_file(folder / name) != digest:
                raise _damaged(folder / name, f"{name} is not the file that {MANIFEST} lists")
    except OSError as error:
        raise _damaged(folder, f"{Path(str(error.filename)).name} cannot be read ({error.strerror})") from error
    try:
        check(folder)
    except ScholarEnvError as error:
        raise _damaged(folder, error.what) from error
    store_stamp(folder.resolve(), stamp)


def _read(wanted: Artefact, folder: Path) -> dict[str, tuple[int, str]]:
    """Reads the list of files; nothing in a manifest is trusted."""
    try:
        signed = json.loads((folder / MANIFEST).read_bytes())
        digest = signed.pop("manifest_sha256")
        files = {Path(name).name: (int(size), str(sha256)) for name, (size, sha256) in signed["files"].items()}
        right = digest == hashlib.sha256(json_bytes(signed)).hexdigest() and files.keys() == signed["files"].keys()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _damaged(folder, f"{MANIFEST} cannot be read ({error!r})") from error
    if not right or any(signed.get(key) != value for key, value in wanted.head().items()):
        raise _damaged(folder, f"{MANIFEST} was changed, or is another artefact's")
    return files


def _damaged(where: Path, what: str) -> CorpusIntegrityError:
    return CorpusIntegrityError(
        f"{where} is damaged: {what}",
        "an artefact is as it was built from its corpus",
        "remove that folder; it is built again at its next use",
    )
