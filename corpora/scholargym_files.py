"""The two files of the ScholarGym release, read row by row."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from scholar_env.corpus_build import MAX_MALFORMED_KEPT
from scholar_env.errors import CorpusFormatError, CorpusNotFoundError, ImportRowError
from scholar_env.manifest import MalformedRow
from scholar_env.records import Task

from .scholargym_rows import RowError, task_from_record

PAPERS = "scholargym_paper_db.json"
QUERIES = "scholargym_bench.jsonl"

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
            if sign == b"[":
                rows = (("", row) for row in ijson.items(file, "item", buf_size=1 << 18, use_float=True))
            else:
                rows = ijson.kvitems(file, "", buf_size=1 << 18, use_float=True)
            try:
                for number, (key, record) in enumerate(rows, start=1):
                    yield f"key {key!r} (record {number})" if key else f"record {number}", key, record
            except (ijson.JSONError, UnicodeDecodeError) as error:
                raise _no_json(path, number, " ".join(str(error).split())) from error
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


def _first_sign(file: BinaryIO) -> bytes:
    """Returns the first byte that is no white space and goes back to the start."""
    start = file.read(4096).lstrip()[:1]
    file.seek(0)
    return start


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RowError(f"it is no JSON ({error})") from error
