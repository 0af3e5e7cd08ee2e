"""Further tables of a corpus, beside its papers: arrays, lists of texts and settings, all covered by the fingerprint.

They lie in the folder ``tables`` of the corpus as plain ``.npy`` and ``.json`` files. A list of texts is two arrays:
the bytes of all texts in UTF-8, and where each ends.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scholar_env.arrays import load_array, save_array
from scholar_env.errors import CorpusIntegrityError, InvalidOptionError
from scholar_env.manifest import TABLES_FOLDER, FileEntry, check_name
from scholar_env.storage import DurableFile, json_bytes, sha256_file


def table_digest(path: Path) -> str:
    """Hex sha256 of what a table holds: element type, shape and elements of an array, the bytes of another file.

    Raises:
        CorpusIntegrityError: It is no whole array.
    """
    if path.suffix != ".npy":
        return sha256_file(path)
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise _broken(path, str(error)) from error
    digest = hashlib.sha256(f"{array.dtype.str}{array.shape}".encode())
    digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


class TableWriter:
    """Writes the tables of a corpus that is being built.

    Args:
        folder: The corpus's build folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / TABLES_FOLDER

    def array(self, name: str, array: npt.NDArray[Any]) -> None:
        """Writes an array of numbers or truth values."""
        self._folder.mkdir(exist_ok=True)
        save_array(self._folder / f"{check_name(name)}.npy", array)

    def texts(self, name: str, texts: Iterable[str]) -> None:
        """Writes a list of texts."""
        encoded = [text.encode("utf-8") for text in texts]
        ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
        self.array(f"{name}_bytes", np.frombuffer(b"".join(encoded), dtype=np.uint8))
        self.array(f"{name}_ends", ends)

    def settings(self, name: str, values: Mapping[str, Any]) -> None:
        """Writes settings, which are JSON; the command ``corpus info`` prints them."""
        self._folder.mkdir(exist_ok=True)
        with DurableFile(self._folder / f"{check_name(name)}.json") as file:
            file.write(json_bytes(dict(values)))


class Tables:
    """The tables of an open corpus; arrays are mapped, nothing is read before it is asked for.

    Args:
        folder: The corpus folder.
        entries: The manifest's list of tables.
    """

    def __init__(self, folder: Path, entries: Mapping[str, FileEntry]) -> None:
        self._folder = folder / TABLES_FOLDER
        self._entries = entries

    def __contains__(self, name: object) -> bool:
        return f"{name}.npy" in self._entries or f"{name}.json" in self._entries

    def array(self, name: str) -> npt.NDArray[Any]:
        """Maps an array read-only.

        Raises:
            InvalidOptionError: The corpus has no such table.
            CorpusIntegrityError: It is damaged.
        """
        entry = self._entry(f"{name}.npy")
        return load_array(self._folder / f"{name}.npy", entry.dtype, ndim=len(entry.shape))

    def texts(self, name: str) -> tuple[str, ...]:
        """Reads a list of texts; errors as :meth:`array`."""
        ends = self.array(f"{name}_ends").tolist()
        data = self.array(f"{name}_bytes").tobytes()
        try:
            return tuple([data[start:end].decode("utf-8") for start, end in zip([0, *ends], ends, strict=False)])
        except UnicodeDecodeError as error:
            raise _broken(self._folder / f"{name}_bytes.npy", str(error)) from error

    def settings(self, name: str) -> dict[str, Any]:
        """Reads settings; errors as :meth:`array`."""
        self._entry(f"{name}.json")
        path = self._folder / f"{name}.json"
        try:
            values = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise _broken(path, str(error)) from error
        if not isinstance(values, dict):
            raise _broken(path, f"it holds a {type(values).__name__}")
        return values

    def all_settings(self) -> dict[str, dict[str, Any]]:
        """Reads all settings, by name."""
        names = [name.removesuffix(".json") for name in sorted(self._entries) if name.endswith(".json")]
        return {name: self.settings(name) for name in names}

    def _entry(self, file: str) -> FileEntry:
        if file not in self._entries:
            raise InvalidOptionError(
                f"the corpus in {self._folder.parent} has no table {file!r}",
                f"it has {', '.join(sorted(self._entries)) or 'none'}",
                "name one of these, or a corpus that has it",
            )
        return self._entries[file]


def _broken(path: Path, what: str) -> CorpusIntegrityError:
    return CorpusIntegrityError(
        f"{path} is damaged: {what}", "the file is as it was frozen", "import or build the corpus again"
    )
