"""The Arrow file of papers: round trip, reading by cells, damage."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scholar_env import documents
from scholar_env.documents import ABSTRACT, AUTHORS, TITLE, DocumentStore, canonical_row
from scholar_env.errors import CorpusIntegrityError
from scholar_env.records import Paper, Section
from tests.document_files import store

texts = st.text(st.characters(codec="utf-8"), max_size=12)
lists = st.lists(texts, max_size=3).map(tuple)
some_papers = st.lists(
    st.builds(
        Paper,
        id=texts,
        title=texts,
        abstract=texts,
        date=texts,
        authors=lists,
        categories=lists,
        sections=st.lists(st.builds(Section, texts, texts), max_size=2).map(tuple),
        references=lists,
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(papers=some_papers)
def test_papers_come_back_as_they_went_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, papers: list[Paper]) -> None:
    monkeypatch.setattr(documents, "BATCH_ROWS", 5)  # so that a few papers fill several batches
    opened = store(tmp_path / "d", papers)
    opened.check()
    assert list(opened) == papers
    for row, paper in enumerate(papers):
        assert opened.text(TITLE, row) == paper.title
        assert opened.text(ABSTRACT, row) == paper.abstract
        assert opened.texts(AUTHORS, row) == paper.authors
    shutil.rmtree(tmp_path / "d")


def test_the_exchange_file_holds_the_same_rows(tmp_path: Path, papers: list[Paper]) -> None:
    store(tmp_path, papers)
    table = pq.read_table(tmp_path / documents.EXCHANGE)
    assert table.column("title").to_pylist() == [paper.title for paper in papers]
    assert table.column("references").to_pylist() == [list(paper.references) for paper in papers]
    assert pq.read_metadata(tmp_path / documents.EXCHANGE).row_group(0).column(0).compression == "ZSTD"


def test_the_run_time_file_is_mapped_and_not_compressed(tmp_path: Path) -> None:
    opened = store(tmp_path, [Paper("a", "T", "b" * 100_000)])
    before = pa.total_allocated_bytes()
    assert len(opened.text(ABSTRACT, 0)) == 100_000
    assert pa.total_allocated_bytes() == before
    assert (tmp_path / documents.DOCUMENTS).stat().st_size > 100_000


@pytest.mark.parametrize("row", [-1, 4, 10_000])
def test_a_row_outside_the_table_raises(tmp_path: Path, papers: list[Paper], row: int) -> None:
    opened = store(tmp_path, papers)
    with pytest.raises(IndexError, match=rf"row {row} is outside \[0, 4\)"):
        opened.text(TITLE, row)
    with pytest.raises(IndexError, match=rf"row {row} is outside \[0, 4\)"):
        opened.texts(AUTHORS, row)


def test_a_file_with_other_columns_or_row_counts_is_refused(tmp_path: Path, papers: list[Paper]) -> None:
    path = tmp_path / documents.DOCUMENTS
    store(tmp_path, papers)
    with pytest.raises(CorpusIntegrityError, match="batch 0 has 4 rows instead of 3"):
        DocumentStore(path, 3).text(TITLE, 0)
    with pytest.raises(CorpusIntegrityError, match="it has 4 rows instead of 3"):
        DocumentStore(path, 3).check()
    with pytest.raises(CorpusIntegrityError, match="it has 1 batches instead of 2"):
        DocumentStore(path, documents.BATCH_ROWS + 1)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, pa.schema([("id", pa.string())])) as writer:
        writer.write_table(pa.table({"id": ["a"]}))
    with pytest.raises(CorpusIntegrityError, match=r"its columns are \['id'\]"):
        DocumentStore(path, 1)
    path.write_bytes(b"nothing")
    with pytest.raises(CorpusIntegrityError, match=r"documents\.arrow is damaged"):
        DocumentStore(path, 1)


def test_bytes_that_are_not_utf8_are_a_declared_error(tmp_path: Path) -> None:
    papers = [Paper("a", "TITLE-MARK", "b", authors=("AUTHOR-MARK",))]
    store(tmp_path, papers)
    path = tmp_path / documents.DOCUMENTS
    path.write_bytes(path.read_bytes().replace(b"-MARK", b"\xff\xff\xff\xff\xff"))
    opened = DocumentStore(path, 1)
    with pytest.raises(CorpusIntegrityError, match="the text of row 0 is not UTF-8"):
        opened.text(TITLE, 0)
    with pytest.raises(CorpusIntegrityError, match="the texts of row 0 are damaged"):
        opened.texts(AUTHORS, 0)
    with pytest.raises(CorpusIntegrityError, match="UTF8"):
        opened.check()


def test_the_canonical_row_is_pinned() -> None:
    paper = Paper("1", 'A "q"', "é\n", "2020-01", ("X",), ("c",), (Section("S", "t"),), ("2",))
    line = '["1","A \\"q\\"","é\\n","2020-01",["X"],["c"],["2"],[["S","t"]]]\n'
    assert canonical_row(paper) == line.encode()
