"""The manifest of a knowledge graph's folder: what it was made from, and the hash of every file.

How it is read without trust: :mod:`scholar_env.sealed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError
from scholar_env.sealed import (
    MANIFEST,
    FileEntry,
    entries_json,
    parse_sealed,
    read_sealed,
    require_untouched,
    sealed_bytes,
)
from scholar_env.storage import sha256_file

VERSION = 1
"""Of the layout, and of what the code makes of the same tables."""

SCHOLAR = "scholar"
"""Folder of the second search's index."""

KINDS = ("papers", "authors", "venues", "orgs")


@dataclass(frozen=True, slots=True)
class GraphManifest:
    """Description of a knowledge graph.

    Attributes:
        source: What the tables were made from.
        fingerprint: Hex sha256 over the tables' content.
        counts: Rows of each of :data:`KINDS`.
        files: Files in the folder by name.
        scholar: Files of the index of the second search, in the folder :data:`SCHOLAR`.
    """

    source: str
    fingerprint: str
    counts: Mapping[str, int]
    files: Mapping[str, FileEntry]
    scholar: Mapping[str, FileEntry]

    def paths(self) -> dict[str, FileEntry]:
        """Returns every file but the manifest, by its path relative to the folder."""
        return {**self.files, **{f"{SCHOLAR}/{name}": entry for name, entry in self.scholar.items()}}

    def as_bytes(self) -> bytes:
        """Returns the content of ``manifest.json``, the same bytes for equal manifests."""
        body: dict[str, Any] = {
            "format": VERSION,
            "source": self.source,
            "fingerprint": self.fingerprint,
            "counts": dict(self.counts),
            "files": entries_json(self.files),
            SCHOLAR: entries_json(self.scholar),
        }
        return sealed_bytes(body)


def entries_of(folder: Path) -> dict[str, FileEntry]:
    """Size and hash of the files that lie in a folder itself."""
    found = sorted(path for path in folder.iterdir() if path.is_file() and path.name != MANIFEST)
    return {path.name: FileEntry(sha256_file(path), path.stat().st_size) for path in found}


def read_graph_manifest(folder: Path) -> GraphManifest:
    """Reads and checks ``manifest.json`` of a knowledge graph's folder.

    Raises:
        CorpusNotFoundError: There is no such file.
        CorpusFormatError: It is no manifest that this version reads.
        CorpusIntegrityError: It was changed after it was written.
    """
    path = folder / MANIFEST
    missing = CorpusNotFoundError(
        f"there is no {path}", "a knowledge graph is a folder with a manifest.json", "name another folder, or build it"
    )
    raw = read_sealed(path, missing)
    reader = parse_sealed(raw, path, VERSION, _format_error)
    manifest = GraphManifest(
        source=reader.text("source"),
        fingerprint=reader.hash("fingerprint"),
        counts=reader.mapping("counts", int),
        files=reader.entries(reader.take("files", dict)),
        scholar=reader.entries(reader.take(SCHOLAR, dict)),
    )
    reader.end()
    if sorted(manifest.counts) != sorted(KINDS) or min(manifest.counts.values()) < 0:
        raise reader.bad(f"it counts {dict(manifest.counts)}")
    require_untouched(raw, manifest.as_bytes(), path)
    return manifest


def damaged(path: Path, what: str) -> CorpusIntegrityError:
    """The error for a file, or a folder, that is not as it was frozen."""
    return CorpusIntegrityError(
        f"the knowledge graph {path} is damaged: {what}",
        "every file is as it was frozen",
        "remove the folder; it is built again",
    )


def _format_error(path: Path, what: str) -> CorpusFormatError:
    return CorpusFormatError(
        f"{path} is no manifest of a knowledge graph that this version reads: {what}",
        f"it is a JSON object of format {VERSION} with the keys of scholar_env.graph.kg_manifest.GraphManifest",
        "remove the folder; it is built again",
    )
