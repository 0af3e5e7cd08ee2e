"""Files line by line in bounded memory, and lines of JSON without trust."""

from __future__ import annotations

import hashlib
import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

from scholar_env.errors import InvalidOptionError
from scholar_env.task_files.faults import Faults, FieldFault, shown, within

LONGEST_LINE = 1 << 24
"""Bytes of a line; what is longer is a fault and is not kept in memory."""

DEEPEST = 32
"""Levels of objects and lists within a line."""

COMPRESSED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    **{b"BZh%d1AY&SY" % size: "bzip2" for size in range(1, 10)},
}
"""How compressed files begin, and the name of their form."""

_JSON_RULE = "a line is one JSON object in UTF-8"


class SourceFile:
    """A text file that is read once, line by line.

    Args:
        path: The file.
        faults: Takes what is wrong with its lines.

    Attributes:
        name: The file as it was named.
        done: Bytes read so far.
        size: Bytes of the file.
        remarks: Empty: a file of lines is right or has faults.
        is_compressed: Whether it turned out to be compressed, which is its one fault.
    """

    def __init__(self, path: Path, faults: Faults) -> None:
        self.is_compressed = False
        self.path = path
        self.name = str(path)
        self._faults = faults
        self._digest = hashlib.sha256()
        self.done = 0
        self.remarks: tuple[str, ...] = ()
        try:
            self.size = path.stat().st_size
        except OSError as error:
            raise unreadable(path, error) from error

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yields the lines that are not blank, with their numbers from 1, without what ends them.

        Raises:
            InvalidOptionError: The file cannot be read.
        """
        try:
            with self.path.open("rb") as file:
                self.is_compressed = self._refuses_compressed(file)
                for number, raw in enumerate(self._raw_lines(file), start=1):
                    text = None if self.is_compressed else self._text(number, raw)
                    if text is not None and text.strip():
                        yield number, text
        except OSError as error:
            raise unreadable(self.path, error) from error

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields the JSON objects of the lines; what is none is a fault."""
        for number, text in self.lines():
            try:
                yield number, record_of(parsed(text), escaped="\\u" in text)
            except LineError as error:
                self.refuse(number, FieldFault("", shown(text), f"{_JSON_RULE} ({error})", "mend or remove the line"))

    def refuse(self, line: int, fault: FieldFault) -> None:
        """Adds a fault of a line."""
        self._faults.add(self.name, line, fault)

    def sha256(self) -> str:
        """Returns the hex sha256 of all bytes, once they were read."""
        return self._digest.hexdigest()

    def _refuses_compressed(self, file: BufferedReader) -> bool:
        """Whether a file is compressed, which is added as a fault; nothing of it is taken, so that it may be a pipe."""
        longest = max(map(len, COMPRESSED))
        head = file.peek(longest)[:longest]
        form = next((form for start, form in COMPRESSED.items() if head.startswith(start)), "")
        if form:
            rule = f"a task file is text in UTF-8, and this one is compressed ({form})"
            self.refuse(1, FieldFault("", shown(repr(head)), rule, "unpack it"))
        return bool(form)

    def _raw_lines(self, file: BinaryIO) -> Iterator[bytes]:
        while line := file.readline(LONGEST_LINE + 1):
            self._count(line)
            yield line
            while line and not line.endswith(b"\n") and len(line) > LONGEST_LINE:  # passed over piece by piece
                line = file.readline(LONGEST_LINE + 1)
                self._count(line)

    def _count(self, data: bytes) -> None:
        self.done += len(data)
        self._digest.update(data)

    def _text(self, number: int, raw: bytes) -> str | None:
        if number == 1:
            raw = raw.removeprefix(BOM_UTF8)
        if len(raw) > LONGEST_LINE:
            rule = f"a line has at most {LONGEST_LINE} bytes"
            self.refuse(number, FieldFault("", shown(repr(raw[:60])), rule, "write one record a line"))
            return None
        try:
            return raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            rule = f"a line is text in UTF-8 ({error.reason} at byte {error.start})"
            self.refuse(number, FieldFault("", shown(repr(raw[:60])), rule, "save the file as UTF-8"))
            return None


class LineError(ValueError):
    """A line is no JSON object, or a file no JSON; the message is the reason."""


def parsed(text: str) -> Any:
    """JSON whose objects name each field once and whose numbers are finite.

    Raises:
        LineError: It is none.
    """
    try:
        return json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
    except RecursionError:
        raise LineError(f"it is nested deeper than {DEEPEST} levels") from None
    except LineError:
        raise
    except ValueError as error:
        raise LineError(str(error)) from error


def record_of(value: Any, *, escaped: bool) -> dict[str, Any]:
    """A value of JSON as a record.

    Args:
        value: The value.
        escaped: Whether its text had signs written as escapes, which half surrogate pairs come from.

    Raises:
        LineError: It is no object, nested too deep, or holds half a surrogate pair.
    """
    if not isinstance(value, dict):
        raise LineError(f"it is a {_kind(value)}")
    if _is_deep(value):
        raise LineError(f"it is nested deeper than {DEEPEST} levels")
    if escaped:
        for field, part in texts_of(value):
            if any("\ud800" <= sign <= "\udfff" for sign in part):
                raise LineError(f"{field} holds half a surrogate pair, which is no Unicode text")
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise LineError(f"the field {twice!r:.80} occurs twice")
    return found


def _no_constant(name: str) -> None:
    raise LineError(f"{name} is no number of JSON")


def _kind(value: Any) -> str:
    names = {list: "list", str: "text", bool: "truth value", int: "number", float: "number", type(None): "null"}
    return names[type(value)]


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return any(isinstance(item, dict | list) for item in level)


def texts_of(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yields all texts of a value with the paths of their fields; keys of objects are among them."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield f"a name in {field or 'the line'}", name
            yield from texts_of(item, within(field, name))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from texts_of(item, f"{field}[{place}]")


def unreadable(path: Path, error: OSError) -> InvalidOptionError:
    """The error for a file that the system does not give."""
    return InvalidOptionError(
        f"{path} cannot be read ({error.strerror or error})", "a task file is a readable file", "check the path"
    )
