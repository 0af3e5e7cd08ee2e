"""Artefacts that follow from a corpus alone: built at their first use into the home, checked whenever they are opened.

An artefact is a folder ``<home>/<shelf>/<corpus fingerprint>/<key>``; the key is a hash of everything beside the corpus
that decides what is in it, so a changed specification never meets an old folder. Its manifest lists every file with its
sha256. One process builds while others wait, and a killed build leaves nothing behind. A first opening on a machine
verifies every file, later ones compare the stamp that it left (:mod:`scholar_env.stamp`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scholar_env.build_folder import BuildFolder
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError, ScholarEnvError
from scholar_env.first_use import Tell, build_once
from scholar_env.folder_lock import LOCK_TIMEOUT_S
from scholar_env.home import home, recover
from scholar_env.sealed import (
    MANIFEST,
    FileEntry,
    entries_json,
    parse_sealed,
    read_sealed,
    require_untouched,
    sealed_bytes,
)
from scholar_env.stamp import store_stamp, take_stamp
from scholar_env.storage import json_bytes, sha256_file, write_bytes_atomic
from scholar_env.verified import verified

FORMAT: Final = 1
MEND: Final = "remove that folder; it is built again at its next use"


@dataclass(frozen=True, slots=True)
class Artefact:
    """What is wanted.

    Attributes:
        shelf: Plain name of the folder in the home, the same for all artefacts of a kind.
        corpus: Fingerprint of the corpus that it follows from.
        spec: Everything else that decides its content, JSON-able.
        title: What a person reads while it is built.
    """

    shelf: str
    corpus: str
    spec: Mapping[str, Any]
    title: str

    def key(self) -> str:
        """Hex digits that stand for :attr:`spec`."""
        return hashlib.sha256(json_bytes(dict(self.spec))).hexdigest()[:32]


def open_artefact(
    wanted: Artefact, write: Callable[[Path, Tell], object], check: Callable[[Path], None], *, verify: bool = False
) -> Path:
    """Returns the folder of an artefact, built when it is not there yet.

    Args:
        wanted: The artefact.
        write: ``write(folder, tell)`` writes its files, in no sub-folders, and tells how far it is.
        check: Looks at the invariants of a folder whose hashes are right, and raises where one does not hold.
        verify: Verify every file even where the stamp says that nothing has changed.

    Raises:
        CorpusIntegrityError: A file is not as it was written, or the folder is another artefact's.
        CorpusFormatError: Its manifest is of another version.
        CorpusBusyError: Another process takes too long to build it.
    """
    place = f"{wanted.corpus}/{wanted.key()}"
    folder = recover(wanted.shelf, place, LOCK_TIMEOUT_S)
    if folder is None:

        def build(target: Path, progress: Tell) -> None:
            _build(wanted, target, lambda made: write(made, progress))

        folder = build_once(home() / wanted.shelf / place, build, wanted.title, LOCK_TIMEOUT_S)
    _verify(wanted, folder.resolve(), check, force=verify)
    return folder


def _build(wanted: Artefact, target: Path, write: Callable[[Path], object]) -> None:
    with BuildFolder(target, replace=True) as folder:  # a folder without a manifest gives way
        write(folder)
        paths = sorted(folder.iterdir())
        files = {path.name: FileEntry(sha256_file(path), path.stat().st_size) for path in paths}
        write_bytes_atomic(folder / MANIFEST, _manifest(wanted, files))
        stamp = take_stamp(folder, [MANIFEST, *files])
    store_stamp(target.resolve(), stamp)


def _manifest(wanted: Artefact, files: Mapping[str, FileEntry]) -> bytes:
    head = {"format": FORMAT, "kind": wanted.shelf, "corpus": wanted.corpus, "spec": dict(wanted.spec)}
    return sealed_bytes({**head, "files": entries_json(files)})


def _verify(wanted: Artefact, folder: Path, check: Callable[[Path], None], *, force: bool) -> None:
    files = _read(wanted, folder)
    with verified(folder, files, _damaged, force=force) as is_new:
        if not is_new:
            return
        try:
            check(folder)
        except ScholarEnvError as error:
            raise _damaged(folder, error.what) from error


def _read(wanted: Artefact, folder: Path) -> dict[str, FileEntry]:
    """Reads the list of files; nothing in a manifest is trusted: it must be the one that belongs to the artefact."""
    path = folder / MANIFEST
    raw = read_sealed(path, CorpusNotFoundError(f"there is no artefact in {folder}", "one is wanted", MEND))
    files = _entries(raw, path)
    require_untouched(raw, _manifest(wanted, files), path)
    return files


def _entries(raw: bytes, path: Path) -> dict[str, FileEntry]:
    reader = parse_sealed(raw, path, FORMAT, _refuse)
    return reader.entries(reader.take("files", dict))


def _refuse(path: Path, what: str) -> ScholarEnvError:
    return CorpusFormatError(f"{path} is no manifest: {what}", f"this version reads format {FORMAT}", MEND)


def _damaged(where: Path, what: str) -> CorpusIntegrityError:
    return CorpusIntegrityError(f"{where} is damaged: {what}", "an artefact is as it was built from its corpus", MEND)
