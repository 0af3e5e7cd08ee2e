"""Finding corpora: by name, by fingerprint, by path; generated ones are built at first use.

Corpora lie in ``<home>/corpora/<name>/`` (:mod:`scholar_env.home`).
"""

from __future__ import annotations

import os
import re
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from scholar_env.corpus_build import CorpusWriter
from scholar_env.corpus_check import Problem
from scholar_env.corpus_folder import OFFICIAL_FINGERPRINTS, Corpus
from scholar_env.errors import CorpusIntegrityError, CorpusNotFoundError, ScholarEnvError
from scholar_env.first_use import build_once
from scholar_env.folder_lock import LOCK_TIMEOUT_S
from scholar_env.home import corpora_folders, find_corpus, new_corpus_folder, recover
from scholar_env.manifest import MANIFEST, check_name, read_manifest
from scholar_env.named import named
from scholar_env.removal import Removal, derived_folders, remove_from_shelf
from scholar_env.task_set import imported_task_sets
from scholar_env.task_table import TaskTable

__all__ = [
    "OFFICIAL_FINGERPRINTS",
    "Corpus",
    "CorpusSummary",
    "CorpusWriter",
    "Problem",
    "TaskTable",
    "list_corpora",
    "remove_corpus",
    "resolve_corpus",
]

CORPUS_VARIABLE = "SCHOLAR_ENV_CORPUS"
"""Environment variable that names the corpus for ``corpus=None`` on this machine."""

DEFAULT_CORPORA = ("scholargym",)
"""Corpora that ``corpus=None`` prefers where nothing else is said."""

FALLBACK_CORPUS = "world"

_SPEC = re.compile(r"(?P<place>.+?)(?:@(?P<fingerprint>[0-9a-f]{8,64}))?", re.DOTALL)
_warn_lock = threading.Lock()
_warned: set[str] = set()


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """One line of ``corpus list``; ``error`` is empty for a corpus whose manifest can be read."""

    name: str
    path: Path
    fingerprint: str
    n_papers: int
    n_tasks: int
    licence: str
    error: str = ""


def resolve_corpus(spec: str | None = None, *, preferred: Sequence[str] = DEFAULT_CORPORA) -> Corpus:
    """Opens the corpus that a specification names.

    Args:
        spec: A name (``scholargym``, ``world``, ``toy``), a path to a corpus folder, or either followed by ``@`` and a
            fingerprint (at least its first 8 digits), which the corpus must then have. None means
            ``SCHOLAR_ENV_CORPUS`` when it is set, else the first of ``preferred`` that is installed, else ``world``
            with one warning.
        preferred: Names of corpora for None, best first.

    Raises:
        CorpusNotFoundError: There is no such corpus, or it has another fingerprint.
        CorpusBusyError: Another process takes too long to build it.
        CorpusFormatError, CorpusIntegrityError: It cannot be read, is damaged, or is not what its name stands for.
    """
    if spec is None:
        spec = os.environ.get(CORPUS_VARIABLE) or _default(preferred)
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise _not_found(spec)
    folder = _place(match["place"], spec)
    corpus = Corpus.open(folder)
    _require_pinned(match["place"], corpus)
    wanted = match["fingerprint"] or ""
    if not corpus.fingerprint.startswith(wanted):
        raise CorpusNotFoundError(
            f"the corpus {corpus.name} in {folder} has the fingerprint {corpus.fingerprint}",
            f"{spec} asks for another one",
            "import that corpus again, or name the one that is there",
        )
    return corpus


def is_pinned() -> bool:
    """Whether ``SCHOLAR_ENV_CORPUS`` names the corpus of this machine."""
    return bool(os.environ.get(CORPUS_VARIABLE))


def list_corpora() -> list[CorpusSummary]:
    """Returns the corpora in the home, by name; none is opened or built."""
    found: dict[str, CorpusSummary] = {}
    for folder in corpora_folders():
        for path in sorted(folder.iterdir()):
            if path.name.startswith(".") or path.name in found or not (path / MANIFEST).is_file():
                continue
            found[path.name] = _summary(path)
    return [found[name] for name in sorted(found)]


def remove_corpus(name: str) -> Removal:
    """Deletes a corpus from the home, with the graphs, indexes and generated task sets that were made of it alone.

    These are kept while another corpus in the home has the same fingerprint; a corpus outside the home makes them again
    at their next use. Imported task sets are kept. Of a corpus whose manifest cannot be read nothing else is known, so
    only its own folder goes. Processes that have the corpus open keep reading it.

    Raises:
        CorpusNotFoundError: The home holds no corpus of that name.
        CorpusBusyError: Another process is building it, or something that is derived from it.
    """
    folder = find_corpus(check_name(name))
    if folder is None:
        raise _not_found(name)
    fingerprint = _summary(folder).fingerprint
    places = derived_folders(folder.parent.parent, fingerprint) if fingerprint else ()
    derived = tuple(path for path in places if path.is_dir())
    same = tuple(entry.name for entry in list_corpora() if entry.fingerprint == fingerprint and entry.name != name)
    own = imported_task_sets(fingerprint) if fingerprint else ()
    if same:
        return Removal(folder, remove_from_shelf(folder), kept_for=same if derived else (), kept_task_sets=own)
    freed = [remove_from_shelf(path) for path in places]  # first, so that it can be repeated when one is busy
    return Removal(folder, sum(freed) + remove_from_shelf(folder), derived, kept_task_sets=own)


def _default(preferred: Sequence[str]) -> str:
    installed = next((name for name in preferred if _find(name) is not None), None)
    if installed is not None:
        return installed
    with _warn_lock:
        first = FALLBACK_CORPUS not in _warned
        _warned.add(FALLBACK_CORPUS)
    if first:
        warnings.warn(_stands_in(preferred), stacklevel=3)
    return FALLBACK_CORPUS


def _stands_in(preferred: Sequence[str]) -> str:
    if not preferred:
        return f"no corpus is named, so the synthetic {FALLBACK_CORPUS!r} of made-up papers is used"
    return (
        f"the corpus {preferred[0]!r} is not installed, so the synthetic {FALLBACK_CORPUS!r} of made-up papers "
        f"takes its place; import the release with scholar-env corpus import {preferred[0]} --from FOLDER"
    )


def _place(place: str, spec: str) -> Path:
    """Returns the folder of a name or path, building the corpus when it is one that is generated."""
    path = Path(place).expanduser()
    if len(path.parts) > 1 or place.startswith((".", "~")):
        return path
    folder = _find(check_name(place))
    if folder is not None:
        return folder
    generators: dict[str, str] = import_module("scholar_env.corpora").GENERATORS
    if place not in generators:
        if (path / MANIFEST).is_file():  # a folder beside; a name in the home goes first
            return path
        raise _not_found(spec)
    return generate(new_corpus_folder(place), named(generators[place]))


def _find(name: str) -> Path | None:
    return recover("corpora", name, LOCK_TIMEOUT_S)


def generate(folder: Path, build: Callable[..., object]) -> Path:
    """Builds a corpus that is not there, while other processes that want it wait; shows progress to a person.

    Args:
        folder: Where it is to be.
        build: ``build(folder)``; one with a parameter ``progress`` is told how to show it.

    Raises:
        CorpusBusyError: Another process takes longer than :data:`~scholar_env.folder_lock.LOCK_TIMEOUT_S` to build it.
    """
    return build_once(folder, build, f"building the corpus {folder.name} once", LOCK_TIMEOUT_S)


def _require_pinned(name: str, corpus: Corpus) -> None:
    pinned: str = import_module("scholar_env.corpora").FINGERPRINTS.get(name, "")
    if pinned and corpus.fingerprint != pinned:
        raise CorpusIntegrityError(
            f"the corpus {name} in {corpus.path} has the fingerprint {corpus.fingerprint}",
            f"the corpus of that name has the fingerprint {pinned} in this version of the package",
            f"remove it (scholar-env corpus remove {name}); it is generated again at its next use",
        )


def _summary(path: Path) -> CorpusSummary:
    try:
        manifest = read_manifest(path)
    except ScholarEnvError as error:
        return CorpusSummary(path.name, path, "", 0, 0, "", str(error))
    counts = manifest.counts
    return CorpusSummary(
        *(path.name, path, manifest.fingerprint),
        *(counts["papers"], counts["tasks"], manifest.licence),
    )


def _not_found(spec: str) -> CorpusNotFoundError:
    names = ", ".join(sorted({"toy", "world", *(summary.name for summary in list_corpora())}))
    return CorpusNotFoundError(
        f"there is no corpus {spec!r}",
        f"a corpus is named by a path or by a name in the home, which has {names}",
        "name one of these, or import the corpus with scholar-env corpus import",
    )
