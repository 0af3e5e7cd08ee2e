"""Columns of texts in one memory-mapped Arrow file, read cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import IOBase
from pathlib import Path
from typing import cast

from scholar_env.documents import Cells, column_cells
from scholar_env.errors import CorpusIntegrityError
from scholar_env.storage import DurableFile


def write_text_table(
    path: Path, texts: Mapping[str, Sequence[str]], lists: Mapping[str, Sequence[Sequence[str]]]
) -> None:
    """Writes a table of text columns and of columns of lists of texts, all of one length."""
    import pyarrow as pa

    kinds = {name: pa.string() for name in texts} | {name: pa.list_(pa.field("item", pa.string())) for name in lists}
    columns = {**texts, **lists}
    arrays = [pa.array(list(columns[name]), type=kind) for name, kind in kinds.items()]
    schema = pa.schema([pa.field(name, kind) for name, kind in kinds.items()])
    with DurableFile(path) as file, pa.ipc.new_file(pa.PythonFile(cast(IOBase, file), mode="w"), schema) as writer:
        writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))


class TextTable:
    """An open table. Safe to share between threads and across fork.

    Args:
        path: The file.

    Attributes:
        n_rows: Number of rows.

    Raises:
        CorpusIntegrityError: The file is missing or is no such table.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._path = path
        try:
            options = pa.ipc.IpcReadOptions(use_threads=False)
            reader = pa.ipc.open_file(pa.memory_map(str(path)), options=options)
            batch = reader.get_batch(0)
            batch.validate()
        except (OSError, pa.ArrowException) as error:
            raise self._broken(str(error)) from error
        self.n_rows: int = batch.num_rows
        self._cells: dict[str, Cells] = {
            field.name: column_cells(column) for field, column in zip(batch.schema, batch.columns, strict=True)
        }

    def text(self, column: str, row: int) -> str:
        """Returns a cell of a text column.

        Raises:
            IndexError: ``row`` is not in ``[0, n_rows)``.
            CorpusIntegrityError: There is no such column, or its bytes are damaged.
        """
        offsets, data = self._column(column, row, 2)
        try:
            return str(data[offsets[row] : offsets[row + 1]], "utf-8")
        except UnicodeDecodeError as error:
            raise self._broken(f"the text of row {row} is not UTF-8") from error

    def texts(self, column: str, row: int) -> list[str]:
        """Returns a cell of a list column; errors as :meth:`text`."""
        lists, offsets, data = self._column(column, row, 3)
        try:
            return [str(data[offsets[at] : offsets[at + 1]], "utf-8") for at in range(lists[row], lists[row + 1])]
        except (UnicodeDecodeError, IndexError) as error:
            raise self._broken(f"the texts of row {row} are damaged") from error

    def _column(self, name: str, row: int, parts: int) -> Cells:
        if not 0 <= row < self.n_rows:
            raise IndexError(f"row {row} is outside [0, {self.n_rows})")
        cells = self._cells.get(name, ())
        if len(cells) != parts:
            raise self._broken(f"it has no column {name!r} of that kind")
        return cells

    def _broken(self, what: str) -> CorpusIntegrityError:
        return CorpusIntegrityError(
            f"{self._path} is damaged: {what}", "the file is as it was frozen", "build the knowledge graph again"
        )
