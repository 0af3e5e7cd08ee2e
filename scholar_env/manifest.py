"""The manifest of a corpus folder: what is in it, where it comes from, and the hash of every file.

How it is read without trust: :mod:`scholar_env.sealed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scholar_env.errors import CorpusFormatError, CorpusNotFoundError
from scholar_env.sealed import (
    MANIFEST,
    FileEntry,
    SealedReader,
    check_name,
    entries_json,
    parse_sealed,
    read_sealed,
    require_untouched,
    sealed_bytes,
)

__all__ = [
    "FORMAT",
    "INDEX_FOLDER",
    "MANIFEST",
    "TABLES_FOLDER",
    "FileEntry",
    "MalformedRow",
    "Manifest",
    "check_name",
    "parse_manifest",
    "read_manifest",
]

FORMAT = 1
"""Version of the folder layout that this package reads and writes."""

INDEX_FOLDER = "index"
TABLES_FOLDER = "tables"


@dataclass(frozen=True, slots=True)
class MalformedRow:
    """A row of an input file that was left out.

    Attributes:
        file: Name of the input file.
        where: ``line 12``, ``record 12`` (from 1) or ``key 'x' (record 12)``.
        reason: What is wrong with it.
    """

    file: str
    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of a frozen corpus.

    Attributes:
        name: Name of the corpus.
        fingerprint: Hex sha256 over the canonical rows (papers, tasks, subsets, tables); independent of file bytes.
        source: Where the content comes from.
        licence: Terms under which the content may be used.
        derived_from: Name of the release or generator that it was made from.
        date_min: Oldest date of a paper, ``""`` when none has one.
        date_max: Newest date.
        counts: ``papers``, ``tasks``, and further counts of the importer (``malformed_rows``, …).
        subset_origin: For each subset, who chose it: ``rule``, ``reconstructed`` or ``user:<sha256 prefix>``.
        notes: Sentences on how the corpus departs from its rules, for ``corpus info``.
        malformed: The first malformed rows.
        built_with: Version of the package that wrote it.
        files: Files in the folder by name.
        indexes: Files of each index by its folder's name under ``index/``.
        tables: Files of further tables under ``tables/`` (:mod:`scholar_env.corpus_tables`); most corpora have none.
    """

    name: str
    fingerprint: str
    source: str
    licence: str
    derived_from: str
    date_min: str
    date_max: str
    counts: Mapping[str, int]
    subset_origin: Mapping[str, str]
    notes: tuple[str, ...]
    malformed: tuple[MalformedRow, ...]
    built_with: str
    files: Mapping[str, FileEntry]
    indexes: Mapping[str, Mapping[str, FileEntry]] = field(default_factory=dict)
    tables: Mapping[str, FileEntry] = field(default_factory=dict)

    def paths(self) -> dict[str, FileEntry]:
        """Returns every file but the manifest, by its path relative to the folder (``/`` between parts)."""
        entries = dict(self.files)
        for folder, files in self.indexes.items():
            entries.update({f"{INDEX_FOLDER}/{folder}/{name}": entry for name, entry in files.items()})
        entries.update({f"{TABLES_FOLDER}/{name}": entry for name, entry in self.tables.items()})
        return entries

    def as_bytes(self) -> bytes:
        """Returns the content of ``manifest.json``, the same bytes for equal manifests."""
        body: dict[str, Any] = {
            "format": FORMAT,
            "name": self.name,
            "fingerprint": self.fingerprint,
            "source": self.source,
            "licence": self.licence,
            "derived_from": self.derived_from,
            "date_min": self.date_min,
            "date_max": self.date_max,
            "counts": dict(self.counts),
            "subset_origin": dict(self.subset_origin),
            "notes": list(self.notes),
            "malformed": [{"file": row.file, "where": row.where, "reason": row.reason} for row in self.malformed],
            "built_with": self.built_with,
            "files": entries_json(self.files),
            "indexes": {folder: entries_json(files) for folder, files in self.indexes.items()},
        }
        if self.tables:
            body["tables"] = entries_json(self.tables)
        return sealed_bytes(body)


def read_manifest(folder: str | Path) -> Manifest:
    """Reads and checks ``manifest.json`` of a corpus folder.

    Raises:
        CorpusNotFoundError: There is no such file.
        CorpusFormatError: It is no manifest that this version reads.
        CorpusIntegrityError: It was changed after it was written.
    """
    path = Path(folder) / MANIFEST
    missing = CorpusNotFoundError(
        f"there is no {path}",
        "a corpus is a folder with a manifest.json",
        "name another folder, or import a corpus with scholar-env corpus import",
    )
    return parse_manifest(read_sealed(path, missing), path)


def parse_manifest(raw: bytes, path: Path) -> Manifest:
    """Reads a manifest from its bytes; ``path`` is for messages. See :func:`read_manifest`."""
    manifest = _from_json(parse_sealed(raw, path, FORMAT, _format_error))
    require_untouched(raw, manifest.as_bytes(), path)
    return manifest


def _format_error(path: Path, what: str) -> CorpusFormatError:
    return CorpusFormatError(
        f"{path} is no manifest that this version reads: {what}",
        f"a manifest is a JSON object of format {FORMAT} with the keys of scholar_env.manifest.Manifest",
        "import or build the corpus again with this version",
    )


def _from_json(reader: SealedReader) -> Manifest:
    malformed = []
    for item in reader.take("malformed", list):
        row = reader.inner(item)
        malformed.append(MalformedRow(row.text("file"), row.text("where"), row.text("reason")))
        row.end()
    notes = reader.texts("notes")
    fingerprint = reader.hash("fingerprint")
    counts = reader.mapping("counts", int)
    if not all(counts.get(key, -1) >= 0 for key in ("papers", "tasks")):
        raise reader.bad(f"it counts {counts.get('papers')} papers and {counts.get('tasks')} tasks")
    indexes = reader.take("indexes", dict)
    manifest = Manifest(
        name=reader.plain(reader.text("name")),
        fingerprint=fingerprint,
        **{
            key: reader.text(key) for key in ("source", "licence", "derived_from", "date_min", "date_max", "built_with")
        },
        counts=counts,
        subset_origin=reader.mapping("subset_origin", str),
        notes=notes,
        malformed=tuple(malformed),
        files=reader.entries(reader.take("files", dict)),
        indexes={reader.plain(folder): reader.entries(files) for folder, files in indexes.items()},
        tables=reader.entries(reader.take("tables", dict)) if "tables" in reader else {},
    )
    reader.end()
    return manifest
