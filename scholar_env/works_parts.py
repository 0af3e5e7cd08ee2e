"""Works that were read, in parts on disk, so that an import which is cut off goes on where it was.

The files of a release are read in the order of their names, every :data:`ROWS` records make a part. The parts lie
beside the corpus that is being made, in a folder that is named by the digest of all they follow from: the files (name,
size, time), the format and the conditions. A part's file name holds the hash of its bytes; a damaged one counts as
missing.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import shutil
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from scholar_env.corpus_rows import RowError, shown
from scholar_env.errors import CorpusFormatError, CorpusNotFoundError
from scholar_env.manifest import MalformedRow
from scholar_env.records import Paper, Section
from scholar_env.storage import json_bytes, write_bytes_atomic
from scholar_env.works import Condition, Mention, Work, WorksFormat

ROWS = 20_000
"""Records in a part."""

SUFFIXES = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".gz")


@dataclass
class Part:
    """What a run of records of one file holds.

    Attributes:
        works: Works in order, with where each stands.
        malformed: Rows that cannot be used.
        n_kept_out: Records that a condition keeps out.
    """

    works: list[tuple[str, Work]] = field(default_factory=list)
    malformed: list[MalformedRow] = field(default_factory=list)
    n_kept_out: int = 0


@dataclass(frozen=True)
class WorksFiles:
    """The files of a release, and how they are read.

    Attributes:
        folder: What their names are relative to.
        paths: The files, in order.
        form: The format.
        conditions: All of which a record must satisfy.
    """

    folder: Path
    paths: tuple[Path, ...]
    form: WorksFormat
    conditions: tuple[Condition, ...] = ()

    @classmethod
    def find(cls, source: Path, form: WorksFormat, conditions: Sequence[str]) -> WorksFiles:
        """Finds the files of a release in a folder and the folders below it, or takes the one file.

        Raises:
            CorpusNotFoundError: There is none.
            InvalidOptionError: A condition has another form.
        """
        wanted = tuple(Condition.parse(text) for text in conditions)
        if source.is_file():
            return cls(source.parent, (source,), form, wanted)
        found = sorted(path for path in source.rglob("*") if path.is_file() and path.name.endswith(SUFFIXES))
        inside = [path for path in found if set(form.folders) & set(path.relative_to(source).parts[:-1])]
        paths = tuple(inside or found)
        if not paths:
            raise CorpusNotFoundError(
                f"there are no works in {source}",
                f"a release of {form.name} is a folder with files that end in {', '.join(SUFFIXES)}, or one such file",
                "download it and name its folder",
            )
        return cls(source, paths, form, wanted)

    def name(self, path: Path) -> str:
        """What a file is called in messages."""
        return path.relative_to(self.folder).as_posix()

    def key(self) -> str:
        """Digest of all that the works follow from."""
        files = [[self.name(path), path.stat().st_size, path.stat().st_mtime_ns] for path in self.paths]
        conditions = [asdict(condition) for condition in self.conditions]
        return hashlib.sha256(json_bytes([self.form.name, self.form.version, ROWS, files, conditions])).hexdigest()[:20]

    def parts(self, path: Path, skip: int) -> Iterator[tuple[int, Part]]:
        """Reads a file and yields (number, part) from the part ``skip`` on.

        Raises:
            CorpusFormatError: The file cannot be read to its end.
        """
        part, number = Part(), 0
        for count, (where, line) in enumerate(self._records(path)):
            if count and count % ROWS == 0:
                if number >= skip:
                    yield number, part
                part, number = Part(), number + 1
            if number >= skip:
                self._add(part, self.name(path), where, line)
        if number >= skip:
            yield number, part

    def _add(self, part: Part, file: str, where: str, record: Any) -> None:
        try:
            work = self.form.read(_parsed(record) if isinstance(record, bytes) else record, self.conditions)
        except RowError as error:
            part.malformed.append(MalformedRow(file, where, str(error)))
            return
        if work is None:
            part.n_kept_out += 1
        else:
            part.works.append((where, work))

    def _records(self, path: Path) -> Iterator[tuple[str, Any]]:
        """Yields (where, line or record) of a file."""
        count = 0
        try:
            with _opened(path) as file:
                if path.name.removesuffix(".gz").endswith(".json"):
                    for count, record in enumerate(_listed(json.load(file)), start=1):
                        yield f"record {count}", record
                else:
                    for count, line in enumerate(file, start=1):
                        if line.strip():
                            yield f"line {count}", line
        except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
            raise CorpusFormatError(
                f"{path} cannot be read after record {count} ({shown(str(error))})",
                "a file of a release can be read to its end",
                "download it again",
            ) from error


def _opened(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.name.endswith(".gz") else path.open("rb")


def _listed(body: Any) -> list[Any]:
    """The records of a JSON file: one, a list of them, or a page of an API's answer."""
    if isinstance(body, dict) and isinstance(body.get("results"), list):
        return list(body["results"])
    return body if isinstance(body, list) else [body]


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RowError(f"it is no JSON ({error})") from error


class PartStore:
    """The parts of an import that are on disk.

    Args:
        target: The corpus folder that is being made; the parts lie beside it.
        files: What is imported.
    """

    def __init__(self, target: Path, files: WorksFiles) -> None:
        self._target, self._files = target, files
        self._folder = target.with_name(f"{self._prefix}{files.key()}")

    @property
    def _prefix(self) -> str:
        return f".{self._target.name}.works-"

    def begin(self) -> None:
        """Removes the parts of other imports to this target."""
        for folder in self._target.parent.glob(f"{self._prefix}*"):
            if folder != self._folder:
                shutil.rmtree(folder, ignore_errors=True)
        self._folder.mkdir(parents=True, exist_ok=True)

    def drop(self) -> None:
        """Removes the parts."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def fill(self, place: int, path: Path) -> Iterator[int]:
        """Reads what is not there yet of a file, and yields the number of each part that is there.

        A file that was read to its end has a mark, so it is not opened again.
        """
        mark = self._folder / f"{place:05d}.read"
        there = self._whole(place)
        if mark.is_file() and int(mark.read_bytes() or b"-1") == there:
            yield from range(there)
            return
        yield from range(there)
        for number, part in self._files.parts(path, there):
            data = _encoded(part)
            digest = hashlib.sha256(data).hexdigest()
            write_bytes_atomic(self._folder / f"{place:05d}-{number:06d}-{digest}.part", data)
            yield number
            there = number + 1
        write_bytes_atomic(mark, str(there).encode())

    def _whole(self, place: int) -> int:
        """How many parts of a file are there from the first on without a gap."""
        number = 0
        while self._path(place, number) is not None:
            number += 1
        return number

    def _path(self, place: int, number: int) -> Path | None:
        for path in self._folder.glob(f"{place:05d}-{number:06d}-*.part"):
            with contextlib.suppress(OSError):
                if hashlib.sha256(path.read_bytes()).hexdigest() in path.name:
                    return path
        return None

    def read(self, place: int, number: int) -> Part:
        """Returns a part that :meth:`fill` told of."""
        path = self._path(place, number)
        if path is None:
            raise CorpusFormatError(
                f"part {number} of file {place} in {self._folder} is gone",
                "the parts of an import stay until it is whole",
                "run the import again",
            )
        return _decoded(path.read_bytes())


def _encoded(part: Part) -> bytes:
    works = [(where, _row(work)) for where, work in part.works]
    malformed = [(row.file, row.where, row.reason) for row in part.malformed]
    body = json.dumps([works, malformed, part.n_kept_out], ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(body.encode(), level=1)


def _row(work: Work) -> list[Any]:
    paper = work.paper
    sections = [(section.title, section.text) for section in paper.sections]
    own = [paper.id, paper.title, paper.abstract, paper.date, paper.authors, paper.categories, sections]
    mentions = [(mention.cited, mention.paragraph, mention.sentiment) for mention in work.mentions]
    return [*own, paper.references, work.journal, work.topic, mentions, work.n_self, work.n_unidentified, work.also]


def _decoded(data: bytes) -> Part:
    works, malformed, n_kept_out = json.loads(zlib.decompress(data))
    return Part(
        [(where, _work(row)) for where, row in works], [MalformedRow(*row) for row in malformed], int(n_kept_out)
    )


def _work(row: list[Any]) -> Work:
    (
        name,
        title,
        abstract,
        date,
        authors,
        categories,
        sections,
        references,
        journal,
        topic,
        mentions,
        n_self,
        n_none,
        also,
    ) = row
    paper = Paper(
        *(name, title, abstract, date, tuple(authors), tuple(categories)),
        sections=tuple(Section(*pair) for pair in sections),
        references=tuple(references),
    )
    return Work(paper, journal, topic, tuple(Mention(*mention) for mention in mentions), n_self, n_none, tuple(also))
