"""The manifest of a corpus folder: what is in it, where it comes from, and the hash of every file.

A manifest comes from outside, so nothing in it is trusted: every value is checked for its type, and file names must be
plain names inside the folder. Its own hash is stored in it, so a changed byte of the manifest is found, too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError
from scholar_env.storage import json_bytes

FORMAT = 1
"""Version of the folder layout that this package reads and writes."""

MANIFEST = "manifest.json"
INDEX_FOLDER = "index"
TABLES_FOLDER = "tables"

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_HEX_256 = re.compile(r"[0-9a-f]{64}")
_MAX_BYTES = 1 << 26


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file: its sha256 in hex and its size in bytes; for ``.npy`` files also element type and shape."""

    sha256: str
    size: int
    dtype: str = ""
    shape: tuple[int, ...] = ()


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
            "files": _entries_json(self.files),
            "indexes": {folder: _entries_json(files) for folder, files in self.indexes.items()},
        }
        if self.tables:
            body["tables"] = _entries_json(self.tables)
        return json_bytes({**body, "manifest_sha256": hashlib.sha256(json_bytes(body)).hexdigest()})


def read_manifest(folder: str | Path) -> Manifest:
    """Reads and checks ``manifest.json`` of a corpus folder.

    Raises:
        CorpusNotFoundError: There is no such file.
        CorpusFormatError: It is no manifest that this version reads.
        CorpusIntegrityError: It was changed after it was written.
    """
    path = Path(folder) / MANIFEST
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CorpusNotFoundError(
            f"there is no {path}",
            "a corpus is a folder with a manifest.json",
            "name another folder, or import a corpus with scholar-env corpus import",
        ) from error
    except OSError as error:
        raise CorpusFormatError(
            f"{path} cannot be read ({error})", "a manifest is a readable file", "check the folder's permissions"
        ) from error
    return parse_manifest(raw, path)


def parse_manifest(raw: bytes, path: Path) -> Manifest:
    """Reads a manifest from its bytes; ``path`` is for messages. See :func:`read_manifest`."""
    if len(raw) > _MAX_BYTES:
        raise _format_error(path, f"it is larger than {_MAX_BYTES} bytes")
    try:
        body = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _format_error(path, f"it is not JSON in UTF-8 ({error})") from error
    if not isinstance(body, dict):
        raise _format_error(path, f"it holds a {type(body).__name__} instead of an object")
    version = body.pop("format", None)
    if type(version) is not int or version != FORMAT:
        raise _format_error(path, f"its format is {version!r}")
    claimed = body.pop("manifest_sha256", None)
    manifest = _from_json(body, path)
    whole = manifest.as_bytes()
    if whole != raw or json.loads(whole)["manifest_sha256"] != claimed:
        raise CorpusIntegrityError(
            f"{path} was changed after it was written",
            "its bytes are those that belong to its content and its manifest_sha256",
            "import or build the corpus again",
        )
    return manifest


def check_name(name: str) -> str:
    """Returns a corpus or file name when it is plain: letters, digits, ``.``, ``_``, ``-``, no leading sign.

    Raises:
        CorpusFormatError: It is not.
    """
    if not _PLAIN_NAME.fullmatch(name):
        raise CorpusFormatError(
            f"{name!r} is no plain name",
            "names have 1 to 128 letters, digits, '.', '_' or '-' and begin with a letter or digit",
            "choose such a name",
        )
    return name


def _entries_json(entries: Mapping[str, FileEntry]) -> dict[str, dict[str, Any]]:
    result: dict[str, dict[str, Any]] = {}
    for name, entry in entries.items():
        result[name] = {"sha256": entry.sha256, "size": entry.size}
        if entry.dtype:
            result[name] |= {"dtype": entry.dtype, "shape": list(entry.shape)}
    return result


def _format_error(path: Path, what: str) -> CorpusFormatError:
    return CorpusFormatError(
        f"{path} is no manifest that this version reads: {what}",
        f"a manifest is a JSON object of format {FORMAT} with the keys of scholar_env.manifest.Manifest",
        "import or build the corpus again with this version",
    )


def _from_json(body: dict[str, Any], path: Path) -> Manifest:
    reader = _Reader(body, path)
    malformed = []
    for item in reader.take("malformed", list):
        row = _Reader(item, path)
        malformed.append(MalformedRow(row.text("file"), row.text("where"), row.text("reason")))
        row.end()
    notes = reader.take("notes", list)
    if not all(isinstance(note, str) for note in notes):
        raise _format_error(path, "'notes' holds something else than text")
    fingerprint = reader.text("fingerprint")
    if not _HEX_256.fullmatch(fingerprint):
        raise _format_error(path, f"its fingerprint {fingerprint!r} is no sha256 in hex")
    counts = reader.mapping("counts", int)
    if not all(counts.get(key, -1) >= 0 for key in ("papers", "tasks")):
        raise _format_error(path, f"it counts {counts.get('papers')} papers and {counts.get('tasks')} tasks")
    indexes = reader.take("indexes", dict)
    manifest = Manifest(
        name=reader.plain(reader.text("name")),
        fingerprint=fingerprint,
        **{
            key: reader.text(key) for key in ("source", "licence", "derived_from", "date_min", "date_max", "built_with")
        },
        counts=counts,
        subset_origin=reader.mapping("subset_origin", str),
        notes=tuple(notes),
        malformed=tuple(malformed),
        files=reader.entries(reader.take("files", dict)),
        indexes={reader.plain(folder): reader.entries(files) for folder, files in indexes.items()},
        tables=reader.entries(reader.take("tables", dict)) if "tables" in reader.body else {},
    )
    reader.end()
    return manifest


class _Reader:
    """Takes typed values out of an untrusted JSON object, each once."""

    def __init__(self, body: Any, path: Path) -> None:
        self.path = path
        if not isinstance(body, dict):
            raise _format_error(path, f"it holds {body!r:.80} where an object belongs")
        self.body = dict(body)

    def take(self, key: str, kind: type[Any]) -> Any:
        if key not in self.body:
            raise _format_error(self.path, f"the key {key!r} is missing")
        value = self.body.pop(key)
        if type(value) is not kind:
            raise _format_error(self.path, f"{key!r} is {value!r:.80} instead of a {kind.__name__}")
        return value

    def text(self, key: str) -> str:
        return str(self.take(key, str))

    def mapping(self, key: str, kind: type[Any]) -> dict[str, Any]:
        value: dict[str, Any] = self.take(key, dict)
        for name, item in value.items():
            if type(item) is not kind:
                raise _format_error(self.path, f"{key}.{name} is {item!r:.80} instead of a {kind.__name__}")
        return value

    def plain(self, name: str) -> str:
        if not _PLAIN_NAME.fullmatch(name):
            raise _format_error(self.path, f"{name!r:.160} is no plain name inside the folder")
        return name

    def entries(self, value: Any) -> dict[str, FileEntry]:
        if not isinstance(value, dict):
            raise _format_error(self.path, f"it holds {value!r:.80} where an object of files belongs")
        return {self.plain(name): self._entry(item) for name, item in value.items()}

    def _entry(self, value: Any) -> FileEntry:
        item = _Reader(value, self.path)
        digest, size = item.text("sha256"), int(item.take("size", int))
        if not _HEX_256.fullmatch(digest) or size < 0:
            raise _format_error(self.path, f"a file has the hash {digest!r:.80} and the size {size}")
        if not item.body:
            return FileEntry(digest, size)
        dtype, shape = item.text("dtype"), item.take("shape", list)
        if not dtype or not all(type(length) is int and length >= 0 for length in shape):
            raise _format_error(self.path, f"a file has the type {dtype!r:.80} and the shape {shape!r:.80}")
        item.end()
        return FileEntry(digest, size, dtype, tuple(shape))

    def end(self) -> None:
        if self.body:
            raise _format_error(self.path, f"the key {sorted(self.body)[0]!r} is unknown")
