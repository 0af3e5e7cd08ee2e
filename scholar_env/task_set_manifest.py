"""The manifest of a task set: whose tasks they are, for which corpus, and the hash of every file.

How it is read without trust: :mod:`scholar_env.sealed`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.errors import CorpusFormatError, TaskSetNotFoundError
from scholar_env.sealed import (
    MANIFEST,
    FileEntry,
    SealedReader,
    entries_json,
    parse_sealed,
    read_sealed,
    require_untouched,
    sealed_bytes,
)
from scholar_env.task_table import subsets_bytes

FORMAT = 1
"""Version of the folder layout that this package reads and writes."""

IMPORTED = 0
"""Builder version of a set that was imported from a file."""


@dataclass(frozen=True, slots=True)
class TaskSetManifest:
    """Description of a task set.

    Attributes:
        name: Name of the set.
        family: Family of the tasks.
        corpus_name: Name of the corpus whose papers the gold is of.
        corpus_fingerprint: Fingerprint of that corpus.
        fingerprint: Hex sha256 over family, corpus fingerprint and the canonical rows of tasks and subsets.
        builder: Version of the builder that made it, :data:`IMPORTED` for an imported one.
        source: Where the tasks come from.
        licence: Terms under which they may be used.
        counts: ``tasks``, and further counts of the maker.
        subset_origin: For each subset, who chose it.
        notes: Sentences on how the set departs from its rules.
        built_with: Version of the package that wrote it.
        files: Files in the folder by name.
    """

    name: str
    family: str
    corpus_name: str
    corpus_fingerprint: str
    fingerprint: str
    builder: int
    source: str
    licence: str
    counts: Mapping[str, int]
    subset_origin: Mapping[str, str]
    notes: tuple[str, ...]
    built_with: str
    files: Mapping[str, FileEntry]

    def as_bytes(self) -> bytes:
        """Returns the content of ``manifest.json``, the same bytes for equal manifests."""
        body: dict[str, Any] = {
            "format": FORMAT,
            "name": self.name,
            "family": self.family,
            "corpus_name": self.corpus_name,
            "corpus_fingerprint": self.corpus_fingerprint,
            "fingerprint": self.fingerprint,
            "builder": self.builder,
            "source": self.source,
            "licence": self.licence,
            "counts": dict(self.counts),
            "subset_origin": dict(self.subset_origin),
            "notes": list(self.notes),
            "built_with": self.built_with,
            "files": entries_json(self.files),
        }
        return sealed_bytes(body)


def read_task_set_manifest(folder: Path) -> TaskSetManifest:
    """Reads and checks ``manifest.json`` of a task set's folder.

    Raises:
        TaskSetNotFoundError: There is no such file.
        CorpusFormatError: It is no manifest that this version reads.
        CorpusIntegrityError: It was changed after it was written.
    """
    path = folder / MANIFEST
    missing = TaskSetNotFoundError(
        f"there is no {path}",
        "a task set is a folder with a manifest.json",
        "name another folder, or import a task file with scholar-env tasks import",
    )
    raw = read_sealed(path, missing)
    manifest = _from_json(parse_sealed(raw, path, FORMAT, _format_error))
    require_untouched(raw, manifest.as_bytes(), path)
    return manifest


def _from_json(reader: SealedReader) -> TaskSetManifest:
    manifest = TaskSetManifest(
        name=reader.plain(reader.text("name")),
        family=reader.plain(reader.text("family")),
        corpus_name=reader.plain(reader.text("corpus_name")),
        corpus_fingerprint=reader.hash("corpus_fingerprint"),
        fingerprint=reader.hash("fingerprint"),
        builder=reader.take("builder", int),
        source=reader.text("source"),
        licence=reader.text("licence"),
        counts=reader.mapping("counts", int),
        subset_origin=reader.mapping("subset_origin", str),
        notes=reader.texts("notes"),
        built_with=reader.text("built_with"),
        files=reader.entries(reader.take("files", dict)),
    )
    reader.end()
    if manifest.counts.get("tasks", -1) < 0:
        raise reader.bad(f"it counts {manifest.counts.get('tasks')} tasks")
    return manifest


def _format_error(path: Path, what: str) -> CorpusFormatError:
    return CorpusFormatError(
        f"{path} is no manifest of a task set that this version reads: {what}",
        f"it is a JSON object of format {FORMAT} with the keys of scholar_env.task_set_manifest.TaskSetManifest",
        "import or build the task set again with this version",
    )


class TaskSetFingerprint:
    """Builds the fingerprint of a task set: sha256 over family, corpus, then tasks, then subsets.

    Args:
        family: The family.
        corpus_fingerprint: The corpus.
    """

    def __init__(self, family: str, corpus_fingerprint: str) -> None:
        self._digest = hashlib.sha256(f"scholar-env tasks 1\n{family}\n{corpus_fingerprint}\n".encode())

    def add(self, line: bytes) -> None:
        """Adds the next task as its line (:func:`~scholar_env.task_table.task_line`)."""
        self._digest.update(line)

    def finish(self, subsets: Mapping[str, Iterable[str]]) -> str:
        """Adds the subsets and returns the hex digest."""
        self._digest.update(b"subsets\n")
        self._digest.update(subsets_bytes(subsets))
        return self._digest.hexdigest()
