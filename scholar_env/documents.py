"""The papers of a corpus in one memory-mapped Arrow file, read cell by cell through the columns' offsets.

Rows lie in record batches of :data:`BATCH_ROWS` (the last may be shorter), uncompressed. Reading a cell touches only
its own bytes; nothing is decoded or copied for the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import IOBase
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from scholar_env.errors import CorpusIntegrityError
from scholar_env.records import Paper, Section
from scholar_env.storage import DurableFile

if TYPE_CHECKING:
    import pyarrow as pa

DOCUMENTS = "documents.arrow"
EXCHANGE = "papers.parquet"
BATCH_ROWS = 2048

TEXT_COLUMNS = ("id", "title", "abstract", "date")
LIST_COLUMNS = ("authors", "categories", "references", "section_titles", "section_texts")
ID, TITLE, ABSTRACT, DATE = range(4)
AUTHORS, CATEGORIES, REFERENCES, SECTION_TITLES, SECTION_TEXTS = range(4, 9)

Cells = tuple[memoryview, ...]


def canonical_row(paper: Paper) -> bytes:
    """Returns the bytes of a paper that enter the corpus fingerprint: one line of JSON in UTF-8."""
    sections = [[section.title, section.text] for section in paper.sections]
    row = (
        *(paper.id, paper.title, paper.abstract, paper.date),
        *(paper.authors, paper.categories, paper.references, sections),
    )
    return (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8")


class DocumentWriter:
    """Streams papers into the Arrow file for run time and the Parquet file for exchange.

    Use it as a context manager: leaving the block without an error makes both files whole.

    Args:
        folder: An existing folder.
    """

    def __init__(self, folder: str | Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        text, texts = pa.string(), pa.list_(pa.field("item", pa.string()))
        fields = [pa.field(name, text) for name in TEXT_COLUMNS] + [pa.field(name, texts) for name in LIST_COLUMNS]
        self._schema = pa.schema(fields)
        self._files = [DurableFile(Path(folder) / name) for name in (DOCUMENTS, EXCHANGE)]
        sinks = [pa.PythonFile(cast(IOBase, file), mode="w") for file in self._files]  # write, flush and tell suffice
        self._arrow = pa.ipc.new_file(sinks[0], self._schema)
        self._parquet = pq.ParquetWriter(sinks[1], self._schema, compression="zstd", use_dictionary=False)
        self._columns: list[list[Any]] = [[] for _ in self._schema]
        self.n_rows = 0

    def add(self, paper: Paper) -> None:
        """Adds the next row."""
        cells = (
            *(paper.id, paper.title, paper.abstract, paper.date, paper.authors, paper.categories, paper.references),
            [section.title for section in paper.sections],
            [section.text for section in paper.sections],
        )
        for column, cell in zip(self._columns, cells, strict=True):
            column.append(cell)
        self.n_rows += 1
        if self.n_rows % BATCH_ROWS == 0:
            self._flush()

    def close(self) -> None:
        """Writes what is left and makes both files whole; closing twice is allowed."""
        if self._files[0].closed:
            return
        self._flush()
        self._arrow.close()
        self._parquet.close()
        for file in self._files:
            file.close()

    def __enter__(self) -> DocumentWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            for file in self._files:
                file.__exit__(kind, error, trace)

    def _flush(self) -> None:
        import pyarrow as pa

        if not self._columns[0]:
            return
        arrays = [pa.array(column, type=field.type) for column, field in zip(self._columns, self._schema, strict=True)]
        batch = pa.RecordBatch.from_arrays(arrays, schema=self._schema)
        self._columns = [[] for _ in self._schema]  # the texts need not wait in memory twice
        self._arrow.write_batch(batch)
        self._parquet.write_batch(batch)
        del arrays, batch
        pa.default_memory_pool().release_unused()  # Arrow would keep the largest batch's memory for the next one


class DocumentStore:
    """The open Arrow file. Safe to share between threads and across fork.

    Args:
        path: The file.
        n_rows: Number of rows that it must hold.

    Raises:
        CorpusIntegrityError: The file is missing or is no such table.
    """

    def __init__(self, path: str | Path, n_rows: int) -> None:
        import pyarrow as pa

        self._path = Path(path)
        self.n_rows = n_rows
        try:
            # threads of Arrow's pool do not survive a fork, and a batch of mapped columns needs none
            options = pa.ipc.IpcReadOptions(use_threads=False)
            self._reader = pa.ipc.open_file(pa.memory_map(str(self._path)), options=options)
        except (OSError, pa.ArrowException) as error:
            raise self._broken(str(error)) from error
        names = tuple(self._reader.schema.names)
        kinds = [str(field.type) for field in self._reader.schema]
        if names != TEXT_COLUMNS + LIST_COLUMNS or kinds != ["string"] * 4 + ["list<item: string>"] * 5:
            raise self._broken(f"its columns are {self._reader.schema.names}")
        n_batches = -(-n_rows // BATCH_ROWS)
        if self._reader.num_record_batches != n_batches:
            raise self._broken(f"it has {self._reader.num_record_batches} batches instead of {n_batches}")
        self._batches: list[tuple[Cells, ...] | None] = [None] * n_batches

    def text(self, column: int, row: int) -> str:
        """Returns a cell of a text column.

        Raises:
            IndexError: ``row`` is not in ``[0, n_rows)``.
            CorpusIntegrityError: The bytes are damaged.
        """
        if not 0 <= row < self.n_rows:
            raise IndexError(f"row {row} is outside [0, {self.n_rows})")
        number, i = divmod(row, BATCH_ROWS)
        offsets, data = (self._batches[number] or self._load(number))[column]
        try:
            return str(data[offsets[i] : offsets[i + 1]], "utf-8")
        except UnicodeDecodeError as error:
            raise self._broken(f"the text of row {row} is not UTF-8") from error

    def texts(self, column: int, row: int) -> tuple[str, ...]:
        """Returns a cell of a list column; errors as :meth:`text`."""
        if not 0 <= row < self.n_rows:
            raise IndexError(f"row {row} is outside [0, {self.n_rows})")
        number, i = divmod(row, BATCH_ROWS)
        lists, offsets, data = (self._batches[number] or self._load(number))[column]
        try:
            return tuple([str(data[offsets[j] : offsets[j + 1]], "utf-8") for j in range(lists[i], lists[i + 1])])
        except (UnicodeDecodeError, IndexError) as error:
            raise self._broken(f"the texts of row {row} are damaged") from error

    def cells(self, column: int, number: int) -> tuple[memoryview, ...]:
        """Returns a column of batch ``number`` as it lies in the map, for scanning many rows at once.

        Returns:
            For a text column the offsets and the bytes: the text of row ``i`` of the batch is
            ``bytes[offsets[i]:offsets[i + 1]]``. For a list column list offsets come first: the texts of row ``i`` are
            those numbered ``lists[i]`` to ``lists[i + 1] - 1``.

        Raises:
            IndexError: There is no such batch.
            CorpusIntegrityError: The bytes are damaged.
        """
        if not 0 <= number < len(self._batches):
            raise IndexError(f"batch {number} is outside [0, {len(self._batches)})")
        return (self._batches[number] or self._load(number))[column]

    def paper(self, row: int) -> Paper:
        """Returns a whole row; errors as :meth:`text`."""
        pairs = zip(self.texts(SECTION_TITLES, row), self.texts(SECTION_TEXTS, row), strict=False)
        return Paper(
            id=self.text(ID, row),
            title=self.text(TITLE, row),
            abstract=self.text(ABSTRACT, row),
            date=self.text(DATE, row),
            authors=self.texts(AUTHORS, row),
            categories=self.texts(CATEGORIES, row),
            sections=tuple(Section(title, text) for title, text in pairs),
            references=self.texts(REFERENCES, row),
        )

    def __iter__(self) -> Iterator[Paper]:
        """Iterates over the rows in order."""
        return (self.paper(row) for row in range(self.n_rows))

    def check(self) -> None:
        """Has Arrow validate every batch in full: offsets, lengths, UTF-8; and looks for missing cells.

        Raises:
            CorpusIntegrityError: Something does not hold.
        """
        import pyarrow as pa

        rows = 0
        try:
            for number in range(len(self._batches)):
                batch = self._reader.get_batch(number)
                batch.validate(full=True)
                rows += batch.num_rows
                if any(column.null_count for column in batch.columns):
                    raise self._broken(f"batch {number} has empty cells")
        except (OSError, pa.ArrowException) as error:
            raise self._broken(str(error)) from error
        if rows != self.n_rows:
            raise self._broken(f"it has {rows} rows instead of {self.n_rows}")

    def _load(self, number: int) -> tuple[Cells, ...]:
        import pyarrow as pa

        rows = min(BATCH_ROWS, self.n_rows - number * BATCH_ROWS)
        try:
            batch = self._reader.get_batch(number)
            batch.validate()
        except (OSError, pa.ArrowException) as error:
            raise self._broken(str(error)) from error
        if batch.num_rows != rows:
            raise self._broken(f"batch {number} has {batch.num_rows} rows instead of {rows}")
        cells = tuple(column_cells(column) for column in batch.columns)
        self._batches[number] = cells
        return cells

    def _broken(self, what: str) -> CorpusIntegrityError:
        return CorpusIntegrityError(
            f"{self._path} is damaged: {what}", "the file is as it was frozen", "import or build the corpus again"
        )


def column_cells(column: pa.Array[Any]) -> Cells:
    """Views into an Arrow column: (offsets, bytes) of texts, (list offsets, offsets, bytes) of lists of texts."""
    buffers = column.buffers()
    data = memoryview(buffers[-1] or b"").cast("B")
    return (*(memoryview(buffer or b"\0\0\0\0").cast("i") for buffer in buffers[1:-1:2]), data)
