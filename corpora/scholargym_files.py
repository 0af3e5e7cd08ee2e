"""The two files of the ScholarGym release, read row by row."""

from __future__ import annotations

import hashlib
import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from scholar_env.corpus_build import MAX_MALFORMED_KEPT
from scholar_env.corpus_rows import RowError
from scholar_env.errors import CorpusFormatError, CorpusNotFoundError, ImportRowError
from scholar_env.manifest import MalformedRow
from scholar_env.records import Task

from .scholargym_rows import task_from_record

PAPERS = "scholargym_paper_db.json"
QUERIES = "scholargym_bench.jsonl"

MAX_DEPTH = 64
"""Levels of objects and lists within a record; papers need three."""

_TOO_DEEP = object()

Progress = Callable[[str, int, int], None]
"""Called with a stage (``papers``, ``index``, ``queries``), what is done and the total (bytes, steps, queries)."""


@dataclass
class ReleaseFiles:
    """The two files of the release, read row by row, with what was found on the way."""

    folder: Path
    strict: bool
    progress: Progress
    malformed: list[MalformedRow] = field(default_factory=list)
    n_malformed: dict[str, int] = field(default_factory=lambda: {PAPERS: 0, QUERIES: 0})
    n_repeated: int = 0
    sha256: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (PAPERS, QUERIES):
            if not (self.folder / name).is_file():
                raise CorpusNotFoundError(
                    f"there is no {name} in {self.folder}",
                    f"the folder of the release holds {PAPERS} and {QUERIES}",
                    "download both files into one folder and name it",
                )

    def hashes(self) -> list[str]:
        """Says which files were read."""
        return [f"{name} has the sha256 {digest}" for name, digest in self.sha256.items()]

    def reject(self, file: str, where: str, reason: str) -> None:
        """Counts a malformed row, or raises it when the import is strict."""
        if self.strict:
            raise ImportRowError(
                f"{self.folder / file}, {where}: {reason}",
                "every row of the release can be used",
                "mend the row, or import without strict to leave such rows out",
            )
        self.n_malformed[file] += 1
        if len(self.malformed) < MAX_MALFORMED_KEPT:
            self.malformed.append(MalformedRow(file, where, reason))

    def papers(self) -> Iterator[tuple[str, str, Any]]:
        """Yields (where, key, record) for each paper, key ``""`` in a list."""
        import ijson

        path = self.folder / PAPERS
        number = 0
        with path.open("rb") as raw:
            file = _Meter(raw, lambda done: self.progress("papers", done, path.stat().st_size))
            sign = _first_sign(raw)
            if sign not in (b"{", b"["):
                raise _no_json(path, number, f"it begins with {sign!r}")
            if raw.peek(len(BOM_UTF8)).startswith(BOM_UTF8):
                file.read(len(BOM_UTF8))
            rows = _records(ijson.basic_parse(file, buf_size=1 << 18, use_float=True))
            try:
                for number, (key, record) in enumerate(rows, start=1):
                    where = f"key {key!r} (record {number})" if key else f"record {number}"
                    if record is _TOO_DEEP:
                        self.reject(PAPERS, where, f"it is nested deeper than {MAX_DEPTH} levels")
                    else:
                        yield where, key, record
            except (ijson.JSONError, UnicodeDecodeError) as error:
                raise _no_json(path, number, _reason(error)) from error
            self.sha256[PAPERS] = file.digest.hexdigest()

    def queries(self) -> list[Task]:
        """Returns the queries of the release in order."""
        tasks: dict[str, Task] = {}
        raw = (self.folder / QUERIES).read_bytes()
        self.sha256[QUERIES] = hashlib.sha256(raw).hexdigest()
        for number, line in enumerate(raw.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                task, repeated = task_from_record(_parsed(line))
            except RowError as error:
                self.reject(QUERIES, f"line {number}", str(error))
                continue
            if task.id in tasks:
                self.reject(QUERIES, f"line {number}", f"the qid {task.id!r} was there before")
                continue
            tasks[task.id] = task
            self.n_repeated += repeated
        return list(tasks.values())


def _records(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yields (key, record) of the outermost object, key ``""`` in a list, from the events of a JSON parser.

    What is nested deeper than :data:`MAX_DEPTH` is not built, so that no record can exhaust the memory by its nesting;
    ``_TOO_DEEP`` stands for such a record.
    """
    stack: list[Any] = []  # open objects and lists, the outermost first
    keys: list[str] = []  # the last key of each
    beyond, is_deep = 0, False
    for event, value in events:
        if event == "map_key":
            keys[-1] = value
        elif event in ("end_map", "end_array"):
            if beyond:
                beyond -= 1
                continue
            record = stack.pop()
            keys.pop()
            if len(stack) == 1:
                yield keys[0], _TOO_DEEP if is_deep else record
        else:
            opens = event in ("start_map", "start_array")
            if opens and len(stack) > MAX_DEPTH:
                beyond, is_deep = beyond + 1, True
            if beyond:
                continue
            item = ({} if event == "start_map" else []) if opens else value
            if len(stack) == 1:
                is_deep = False
                if not opens:
                    yield keys[0], item
            elif stack and isinstance(stack[-1], dict):
                stack[-1][keys[-1]] = item
            elif stack:
                stack[-1].append(item)
            if opens:
                stack.append(item)
                keys.append("")


class _Meter:
    """A binary file that hashes what is read and tells how many bytes that were."""

    def __init__(self, file: BinaryIO, tell: Callable[[int], None]) -> None:
        self._file = file
        self._tell = tell
        self._done = 0
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        self._done += len(data)
        self._tell(self._done)
        return data


def _no_json(path: Path, number: int, what: str) -> CorpusFormatError:
    return CorpusFormatError(
        f"{path} is no JSON somewhere after record {number} ({what})",
        "the file is one JSON object, or list, of papers",
        "download the file again",
    )


def _reason(error: Exception) -> str:
    """What a parser says, in one line; some of its messages are bytes."""
    said = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(error)
    return " ".join(text.split())


def _first_sign(file: BinaryIO) -> bytes:
    """Returns the first byte that is neither white space nor byte order mark, and goes back to the start."""
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)
    sign = b""
    while not sign and (piece := file.read(4096)):
        sign = piece.lstrip()[:1]
    file.seek(0)
    return sign


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RowError(f"it is no JSON ({error})") from error
