"""Manifests as files: JSON objects that carry a hash of their own content, read without any trust.

A manifest comes from outside, so every value is checked for its type, and file names must be plain names inside the
folder. Its own hash is stored in it, so a changed byte of the manifest is found, too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, ScholarEnvError
from scholar_env.storage import json_bytes

MANIFEST = "manifest.json"
"""Name of the manifest in a folder."""

SEAL = "manifest_sha256"
"""Key of the hash over all other keys."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_HEX_256 = re.compile(r"[0-9a-f]{64}")
_MAX_BYTES = 1 << 26

Refuse = Callable[[Path, str], ScholarEnvError]
"""Makes the error for a file that is no manifest of the wanted kind, from its path and what is wrong."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file: its sha256 in hex and its size in bytes; for ``.npy`` files also element type and shape."""

    sha256: str
    size: int
    dtype: str = ""
    shape: tuple[int, ...] = ()


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


def entries_json(entries: Mapping[str, FileEntry]) -> dict[str, dict[str, Any]]:
    """Returns files as a manifest writes them."""
    result: dict[str, dict[str, Any]] = {}
    for name, entry in entries.items():
        result[name] = {"sha256": entry.sha256, "size": entry.size}
        if entry.dtype:
            result[name] |= {"dtype": entry.dtype, "shape": list(entry.shape)}
    return result


def sealed_bytes(body: Mapping[str, Any]) -> bytes:
    """Returns a manifest as a file: its keys and the hash over them; the same bytes for equal manifests."""
    return json_bytes({**body, SEAL: hashlib.sha256(json_bytes(dict(body))).hexdigest()})


def read_sealed(path: Path, missing: ScholarEnvError) -> bytes:
    """Reads a manifest's bytes, one more than :func:`parse_sealed` takes at most.

    Args:
        path: The file.
        missing: Raised where there is none.

    Raises:
        CorpusFormatError: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise missing from error
    except OSError as error:
        raise CorpusFormatError(
            f"{path} cannot be read ({error})", "a manifest is a readable file", "check the folder's permissions"
        ) from error


def parse_sealed(raw: bytes, path: Path, version: int, refuse: Refuse) -> SealedReader:
    """Opens a manifest to take its values; :func:`require_untouched` then compares it with what they make.

    Args:
        raw: Its bytes.
        path: For messages.
        version: The format that it must have.
        refuse: Makes the error for what is no such manifest.
    """
    if len(raw) > _MAX_BYTES:
        raise refuse(path, f"it is larger than {_MAX_BYTES} bytes")
    try:
        body = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise refuse(path, f"it is not JSON in UTF-8 ({error})") from error
    if not isinstance(body, dict):
        raise refuse(path, f"it holds a {type(body).__name__} instead of an object")
    found = body.pop("format", None)
    if type(found) is not int or found != version:
        raise refuse(path, f"its format is {found!r}")
    body.pop(SEAL, None)
    return SealedReader(body, path, refuse)


def require_untouched(raw: bytes, whole: bytes, path: Path) -> None:
    """Compares a manifest with the bytes that belong to what was read from it.

    Raises:
        CorpusIntegrityError: They differ.
    """
    if whole != raw:
        raise CorpusIntegrityError(
            f"{path} was changed after it was written",
            f"its bytes are those that belong to its content and its {SEAL}",
            "import or build it again",
        )


class SealedReader:
    """Takes typed values out of an untrusted JSON object, each once.

    Args:
        body: The object.
        path: The file, for messages.
        refuse: Makes the error for a value that does not fit.
    """

    def __init__(self, body: Any, path: Path, refuse: Refuse) -> None:
        self._path, self._refuse = path, refuse
        if not isinstance(body, dict):
            raise self.bad(f"it holds {body!r:.80} where an object belongs")
        self._body = dict(body)

    def __contains__(self, key: object) -> bool:
        return key in self._body

    def bad(self, what: str) -> ScholarEnvError:
        """Returns the error that says what is wrong."""
        return self._refuse(self._path, what)

    def inner(self, body: Any) -> SealedReader:
        """Returns a reader of an object within this one."""
        return SealedReader(body, self._path, self._refuse)

    def take(self, key: str, kind: type[Any]) -> Any:
        """Takes a value of exactly that type."""
        if key not in self._body:
            raise self.bad(f"the key {key!r} is missing")
        value = self._body.pop(key)
        if type(value) is not kind:
            raise self.bad(f"{key!r} is {value!r:.80} instead of a {kind.__name__}")
        return value

    def text(self, key: str) -> str:
        """Takes a text."""
        return str(self.take(key, str))

    def texts(self, key: str) -> tuple[str, ...]:
        """Takes a list of texts."""
        values = self.take(key, list)
        if not all(isinstance(value, str) for value in values):
            raise self.bad(f"{key!r} holds something else than text")
        return tuple(values)

    def hash(self, key: str) -> str:
        """Takes a sha256 in hex."""
        value = self.text(key)
        if not _HEX_256.fullmatch(value):
            raise self.bad(f"its {key} {value!r:.160} is no sha256 in hex")
        return value

    def mapping(self, key: str, kind: type[Any]) -> dict[str, Any]:
        """Takes an object whose values are all of that type."""
        value: dict[str, Any] = self.take(key, dict)
        for name, item in value.items():
            if type(item) is not kind:
                raise self.bad(f"{key}.{name} is {item!r:.80} instead of a {kind.__name__}")
        return value

    def plain(self, name: str) -> str:
        """Returns a name when it is a plain one."""
        if not _PLAIN_NAME.fullmatch(name):
            raise self.bad(f"{name!r:.160} is no plain name inside the folder")
        return name

    def entries(self, value: Any) -> dict[str, FileEntry]:
        """Reads files as :func:`entries_json` wrote them."""
        if not isinstance(value, dict):
            raise self.bad(f"it holds {value!r:.80} where an object of files belongs")
        return {self.plain(name): self._entry(item) for name, item in value.items()}

    def _entry(self, value: Any) -> FileEntry:
        item = self.inner(value)
        digest, size = item.text("sha256"), int(item.take("size", int))
        if not _HEX_256.fullmatch(digest) or size < 0:
            raise self.bad(f"a file has the hash {digest!r:.80} and the size {size}")
        if not item._body:
            return FileEntry(digest, size)
        dtype, shape = item.text("dtype"), item.take("shape", list)
        if not dtype or not all(type(length) is int and length >= 0 for length in shape):
            raise self.bad(f"a file has the type {dtype!r:.80} and the shape {shape!r:.80}")
        item.end()
        return FileEntry(digest, size, dtype, tuple(shape))

    def end(self) -> None:
        """Raises when a value was not taken."""
        if self._body:
            raise self.bad(f"the key {sorted(self._body)[0]!r} is unknown")
