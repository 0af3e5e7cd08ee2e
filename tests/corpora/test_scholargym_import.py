"""The importer of the ScholarGym release, on small files in every spelling, whole and broken."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.corpora.scholargym import ImportReport, import_release
from scholar_env.corpora.scholargym_rows import paper_from_record, task_from_record
from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.corpus_rows import RowError
from scholar_env.errors import (
    CorpusFormatError,
    CorpusNotFoundError,
    ImportRowError,
    InvalidOptionError,
)
from scholar_env.manifest import MalformedRow
from scholar_env.records import Paper, Section

PAPERS: dict[str, Any] = {
    "2001.00001": {
        "arxiv_id": "2001.00001", "title": "Graph walks", "abstract": "Random walks on graphs.", "date": "2020-01-02",
        "authors": ["Ada B."], "category": ["cs.LG", "cs.SI"],
    },
    "2002.00002": {
        "title": "Naïve Netze", "abstract": None, "published": "2020-02-03T10:00:00Z",
        "authors": "Ada B., Cé D. and E F", "categories": "cs.IR cs.DL",
    },
    "2003.00003": {"arxiv_id": "2003.00003", "title": "", "abstract": "", "date": ""},
}  # fmt: skip


def query(qid: str, gold: list[str], **other: Any) -> dict[str, Any]:
    cited = [{"arxiv_id": paper_id, "title": "t", "year": 2020} for paper_id in gold]
    return {
        "qid": qid, "query": f"walks {qid}", "cited_paper": cited, "gt_label": [1] * len(gold), "date": "2020-02",
        "source": "LitSearch", "valid": True, **other,
    }  # fmt: skip


QUERIES = [
    query("q1", ["2001.00001"]),
    query("q2", ["2001.00001", "2002.00002", "2001.00001"]),
    query("q3", []),
    query("q4", ["2001.00001", "9999.99999"]),
]


@pytest.fixture
def release(tmp_path: Path) -> Callable[..., Path]:
    """Writes a release from papers (any JSON value, or text) and queries (records or lines)."""

    def write(papers: Any = PAPERS, queries: list[Any] | str = QUERIES) -> Path:
        folder = tmp_path / "release"
        folder.mkdir(exist_ok=True)
        text = papers if isinstance(papers, str) else json.dumps(papers, ensure_ascii=False)
        (folder / "scholargym_paper_db.json").write_text(text, encoding="utf-8")
        lines = queries if isinstance(queries, str) else "\n".join(map(json.dumps, queries)) + "\n"
        (folder / "scholargym_bench.jsonl").write_text(lines, encoding="utf-8")
        return folder

    return write


def test_paper_db_as_an_object_is_read_in_both_spellings(release: Callable[..., Path]) -> None:
    report = import_release(release())
    corpus = Corpus.open(report.path)
    assert [corpus.paper(row) for row in range(3)] == [
        Paper("2001.00001", "Graph walks", "Random walks on graphs.", "2020-01-02", ("Ada B.",), ("cs.LG", "cs.SI")),
        Paper("2002.00002", "Naïve Netze", "", "2020-02-03", ("Ada B.", "Cé D.", "E F"), ("cs.IR", "cs.DL")),
        Paper("2003.00003", "", "", ""),
    ]
    assert resolve_corpus(None) is corpus
    assert corpus.manifest.source == "https://github.com/shenhao-stu/ScholarGym"
    assert corpus.manifest.licence.startswith("Apache-2.0")
    assert corpus.manifest.derived_from == "ScholarGym release"


def test_paper_db_as_a_list_gives_the_same_corpus(release: Callable[..., Path]) -> None:
    first = Corpus.open(import_release(release(), name="one").path)
    listed = [{"arxiv_id": key, **record} for key, record in PAPERS.items()]
    for number, papers in enumerate((listed, "\n  " + json.dumps(listed))):
        other = Corpus.open(import_release(release(papers), name=f"two-{number}").path)
        assert other.fingerprint == first.fingerprint


def test_queries_keep_their_order_and_reasons(release: Callable[..., Path]) -> None:
    report = import_release(release())
    corpus = Corpus.open(report.path)
    tasks = corpus.tasks()
    assert tasks.ids == ("q1", "q2", "q3", "q4")
    assert tasks.get("q2").gold == ("2001.00001", "2002.00002")
    assert tasks.get("q2").question == "walks q2"
    assert tasks.get("q2").before == "2020-02"
    assert tasks.get("q2").source == "LitSearch"
    assert tasks.get("q2").labels["n_categories"] == "2"
    assert tasks.get("q1").labels["best_rank"] == ""  # among two documents no word scores above zero
    assert corpus.left_out() == {
        "q3": "the release names no gold paper",
        "q4": "1 of 2 gold papers are not in the corpus: 9999.99999",
    }
    assert corpus.subsets()["all"] == ("q1", "q2")
    counts = corpus.manifest.counts
    assert (counts["tasks_left_out"], counts["tasks_without_gold"], counts["repeated_gold_ids"]) == (2, 1, 1)
    assert report == ImportReport(
        path=report.path,
        n_papers=3,
        n_tasks=4,
        n_malformed={"scholargym_paper_db.json": 0, "scholargym_bench.jsonl": 0},
        malformed=(),
        n_left_out=2,
        subsets={name: len(ids) for name, ids in corpus.subsets().items()},
        notes=report.notes,
    )


def test_any_gold_paper_can_be_enough(release: Callable[..., Path]) -> None:
    corpus = Corpus.open(import_release(release(), require_gold="any").path)
    assert corpus.subsets()["all"] == ("q1", "q2", "q4")
    assert corpus.tasks().get("q4").gold == ("2001.00001", "9999.99999")
    assert corpus.tasks().get("q4").labels["n_gold_in_corpus"] == "1"
    with pytest.raises(InvalidOptionError, match="require_gold is 'some'"):
        import_release(release(), require_gold="some")


BAD_PAPERS: list[tuple[Any, str]] = [
    (7, "it is 7 instead of an object"),
    ([1], "it is a list instead of an object"),
    ({"title": 5}, "title is 5 instead of text"),
    ({"abstract": ["x"]}, "abstract is a list instead of text"),
    ({"date": "2020-13-01"}, "the date '2020-13-01' is not YYYY-MM-DD, YYYY-MM or empty"),
    ({"date": 2020}, "the date 2020 is not YYYY-MM-DD, YYYY-MM or empty"),
    ({"published": "soon"}, "the date 'soon' is not YYYY-MM-DD, YYYY-MM or empty"),
    ({"authors": [1]}, "authors is a list instead of a list of texts"),
    ({"categories": {}}, "categories is an object instead of a list of texts"),
    ({"sections": ["x"]}, "sections is a list instead of a list of objects"),
    ({"arxiv_id": "2001.00001"}, "the id '2001.00001' was there before"),
]


def test_malformed_papers_are_left_out_reported_and_counted(release: Callable[..., Path]) -> None:
    papers = {**PAPERS, **{f"k{number}": record for number, (record, _) in enumerate(BAD_PAPERS)}, "": {}}
    report = import_release(release(papers))
    assert report.n_papers == 3
    assert report.n_malformed == {"scholargym_paper_db.json": len(BAD_PAPERS) + 1, "scholargym_bench.jsonl": 0}
    expected = [
        MalformedRow("scholargym_paper_db.json", f"key 'k{number}' (record {number + 4})", reason)
        for number, (_, reason) in enumerate(BAD_PAPERS)
    ]
    expected.append(MalformedRow("scholargym_paper_db.json", f"record {len(BAD_PAPERS) + 4}", "it has no arxiv_id"))
    assert list(report.malformed) == expected
    manifest = Corpus.open(report.path).manifest
    assert list(manifest.malformed) == expected
    assert manifest.counts["malformed_scholargym_paper_db.json"] == len(expected)


def test_malformed_papers_of_a_list_are_named_by_number(release: Callable[..., Path]) -> None:
    report = import_release(release([{"arxiv_id": "1"}, None, {"title": "no id"}]))
    assert [(row.where, row.reason) for row in report.malformed] == [
        ("record 2", "it is None instead of an object"),
        ("record 3", "it has no arxiv_id"),
    ]


BAD_LINES: list[tuple[str, str]] = [
    ("{", "it is no JSON ("),
    ("\x00", "it is no JSON ("),
    ("[" * 100_000, "it is no JSON ("),
    ("[]", "it is a list instead of an object"),
    (json.dumps({**query("q9", []), "qid": ""}), "it has no qid"),
    (json.dumps({**query("q9", []), "query": " "}), "it has no query"),
    (json.dumps({**query("q9", []), "query": 3}), "query is 3 instead of text"),
    (json.dumps({**query("q9", []), "gt_label": None}), "cited_paper and gt_label are not both lists"),
    (json.dumps({**query("q9", ["1"]), "cited_paper": ["1"]}), "cited_paper holds '1' instead of an object"),
    (json.dumps({**query("q9", []), "date": "May"}), "the date 'May' is not YYYY-MM-DD, YYYY-MM or empty"),
    (json.dumps({**query("q9", []), "query": "\ud800"}), "'\\ud800' holds a lone surrogate"),
    (json.dumps(query("q1", [])), "the qid 'q1' was there before"),
]


def test_malformed_queries_are_named_by_line(release: Callable[..., Path]) -> None:
    lines = [json.dumps(QUERIES[0]), "", *(line for line, _ in BAD_LINES), json.dumps(QUERIES[1])]
    report = import_release(release(queries="\n".join(lines)))
    assert report.n_malformed == {"scholargym_paper_db.json": 0, "scholargym_bench.jsonl": len(BAD_LINES)}
    for number, (row, (_, reason)) in enumerate(zip(report.malformed, BAD_LINES, strict=True), start=3):
        assert row.file == "scholargym_bench.jsonl"
        assert row.where == f"line {number}"
        assert row.reason.startswith(reason)
    assert Corpus.open(report.path).tasks().ids == ("q1", "q2")


def test_a_strict_import_stops_at_the_first_malformed_row(release: Callable[..., Path], home: Path) -> None:
    folder = release({**PAPERS, "k": {"title": 5}, "l": 6})
    with pytest.raises(ImportRowError) as caught:
        import_release(folder, strict=True)
    assert str(caught.value) == (
        f"{folder / 'scholargym_paper_db.json'}, key 'k' (record 4): title is 5 instead of text. Rule: every row of "
        "the release can be used. Mend: mend the row, or import without strict to leave such rows out."
    )
    folder = release(queries=[QUERIES[0], {"qid": "x"}])
    with pytest.raises(ImportRowError, match=r"scholargym_bench\.jsonl, line 2: it has no query"):
        import_release(folder, strict=True)
    assert [path.name for path in (home / "corpora").iterdir()] == [".scholargym.lock"]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (json.dumps(PAPERS)[:-1], "[23]"),  # parsers differ in when they hand out the last record
        (json.dumps(PAPERS)[:150], "0"),
        ('{"a": {"title": "x"}, "b": nonsense}', "[01]"),
        ('[{"arxiv_id": "x"}, }', "[01]"),
        ("", "0"),
        ("7", "0"),
        ('"text"', "0"),
    ],
)
def test_a_broken_file_of_papers_ends_the_import(
    release: Callable[..., Path], home: Path, text: str, after: str
) -> None:
    with pytest.raises(
        CorpusFormatError, match=rf"scholargym_paper_db\.json is no JSON somewhere after record {after} \("
    ):
        import_release(release(text))
    assert [path.name for path in (home / "corpora").iterdir()] == [".scholargym.lock"]


def test_bytes_that_are_not_utf8_end_the_import(release: Callable[..., Path]) -> None:
    folder = release()
    (folder / "scholargym_paper_db.json").write_bytes(b'{"a": {"title": "\xff\xfe"}}')
    with pytest.raises(CorpusFormatError, match="is no JSON somewhere after record 0"):
        import_release(folder)


def test_the_reason_of_bytes_that_are_not_utf8_is_text(release: Callable[..., Path]) -> None:
    folder = release()
    path = folder / "scholargym_paper_db.json"
    path.write_bytes(path.read_bytes().replace(b"Graph", b"Gr\xffph", 1))
    with pytest.raises(CorpusFormatError, match=r"after record 0 \((?!b').*UTF8"):
        import_release(folder)


def test_byte_order_marks_and_white_space_come_before_the_content(release: Callable[..., Path]) -> None:
    expected = import_release(release([*PAPERS.values(), {"arxiv_id": "k"}])).path
    fingerprint = Corpus.open(expected).fingerprint
    text = json.dumps([*PAPERS.values(), {"arxiv_id": "k"}])
    for start in ("\ufeff", " " * 5_000, "\ufeff \n"):
        path = import_release(release(start + text, "\ufeff" + "\n".join(map(json.dumps, QUERIES)))).path
        assert Corpus.open(path).fingerprint == fingerprint


@pytest.mark.parametrize("form", ["list", "object"])
def test_nesting_cannot_exhaust_the_memory(form: str, release: Callable[..., Path]) -> None:
    levels = 100_000
    deep = '{"arxiv_id": "d", "title": "t", "x": ' + '[{"y":' * levels + "1" + "}]" * levels + ', "z": "end"}'
    rows = [deep, *(json.dumps({"arxiv_id": paper_id, **record}) for paper_id, record in PAPERS.items())]
    text = f"[{','.join(rows)}]"
    if form == "object":
        text = "{" + ",".join(f'"k{number}": {row}' for number, row in enumerate(rows)) + "}"
    report = import_release(release(text))
    assert [(row.where[-10:-1] if form == "object" else row.where, row.reason) for row in report.malformed] == [
        ("(record 1" if form == "object" else "record 1", "it is nested deeper than 64 levels")
    ]
    assert report.n_papers == 3


def test_an_import_without_any_usable_row_leaves_the_old_corpus(release: Callable[..., Path]) -> None:
    old = Corpus.open(import_release(release()).path).fingerprint
    with pytest.raises(CorpusFormatError, match=r"no papers that can be used \(0 malformed rows\)"):
        import_release(release({}))
    with pytest.raises(CorpusFormatError, match=r"no queries that can be used \(1 malformed rows; .*: it has no qid\)"):
        import_release(release(PAPERS, [{"query_id": "q1", "gt_arxiv_ids": ["2001.00001"]}]))
    assert resolve_corpus("scholargym").fingerprint == old


def test_missing_files_are_named(tmp_path: Path, release: Callable[..., Path]) -> None:
    with pytest.raises(CorpusNotFoundError, match=r"there is no scholargym_paper_db\.json in .*empty"):
        import_release(tmp_path / "empty")
    (release() / "scholargym_bench.jsonl").unlink()
    with pytest.raises(CorpusNotFoundError, match=r"there is no scholargym_bench\.jsonl in"):
        import_release(tmp_path / "release")


def test_progress_reaches_the_end_of_each_stage(release: Callable[..., Path]) -> None:
    folder = release()
    calls: list[tuple[str, int, int]] = []
    import_release(folder, progress=lambda stage, done, total: calls.append((stage, done, total)))
    size = (folder / "scholargym_paper_db.json").stat().st_size
    assert list(dict.fromkeys(stage for stage, _, _ in calls)) == ["papers", "index", "queries"]
    assert {stage: (done, total) for stage, done, total in calls} == {
        "papers": (size, size), "index": (1, 1), "queries": (4, 4)
    }  # fmt: skip


def test_an_import_that_is_interrupted_leaves_the_old_corpus(release: Callable[..., Path], home: Path) -> None:
    before = Corpus.open(import_release(release()).path).fingerprint

    def interrupt(stage: str, done: int, total: int) -> None:
        if stage == "queries":
            raise KeyboardInterrupt

    folder = release(queries=QUERIES[:1])
    with pytest.raises(KeyboardInterrupt):
        import_release(folder, progress=interrupt)
    assert resolve_corpus("scholargym").fingerprint == before
    assert sorted(path.name for path in (home / "corpora").iterdir()) == [".scholargym.lock", "scholargym"]
    import_release(folder)
    assert resolve_corpus("scholargym").tasks().ids == ("q1",)


def test_the_user_s_own_lists_are_taken(tmp_path: Path, release: Callable[..., Path]) -> None:
    (tmp_path / "fast").write_text("q2\nq4\n")
    (tmp_path / "hard").write_text(json.dumps(QUERIES[0]))
    report = import_release(release(), test_fast=tmp_path / "fast", test_hard=tmp_path / "hard")
    corpus = Corpus.open(report.path)
    assert corpus.subsets() == {"all": ("q1", "q2"), "test_fast": ("q2",), "test_hard": ("q1",), "train": ()}
    origin = corpus.info()["subset_origin"]
    assert isinstance(origin, str)
    assert origin.startswith("test_fast=user:")
    assert ", test_hard=user:" in origin
    assert "test_fast: 1 of 2 given tasks are left out, see their reasons" in corpus.manifest.notes


def test_gold_ids_are_stripped_as_paper_ids_are() -> None:
    task, repeated = task_from_record(query("q", [" 2001.00001\n", "2001.00001"]))
    assert (task.gold, repeated) == (("2001.00001",), 1)


def test_gold_is_read_by_walking_both_lists(release: Callable[..., Path]) -> None:
    record = query("q", ["a", "b", "", "c", "d"], gt_label=[1, 0, 1, True])
    task, repeated = task_from_record(record)
    assert task.gold == ("a", "c")
    assert repeated == 0
    assert task_from_record(query("q", ["a", "a", "b", "a"]))[1] == 2
    assert task_from_record(query("q", ["a"], valid=False))[0].labels == {"left_out": "the release marks it as invalid"}
    assert task_from_record(query("q", ["a"], date=None))[0].before == ""
    assert task_from_record(query("q", ["a"], date="2020-03-04"))[0].before == "2020-03"


FIELDS = ["arxiv_id", "title", "abstract", "date", "published", "authors", "category", "categories", "sections"]
FIELDS += ["references", "qid", "query", "cited_paper", "gt_label", "source", "valid"]
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), parts, max_size=6),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), ANY_JSON, max_size=8) | ANY_JSON)
def test_any_row_is_read_or_has_a_reason(record: Any) -> None:
    with contextlib.suppress(RowError):
        assert paper_from_record("key", record).id
    with contextlib.suppress(RowError):
        assert task_from_record(record)[0].question.strip()


def test_full_text_and_references_are_taken_where_there_are_some() -> None:
    record = {"sections": [{"title": "A", "text": "b"}, {}], "references": ["x", " "], "title": " T "}
    paper = paper_from_record("k", record)
    assert paper.sections == (Section("A", "b"), Section("", ""))
    assert paper.references == ("x",)
    assert paper.title == " T "
    with pytest.raises(RowError, match="holds a lone surrogate"):
        paper_from_record("k", {"sections": [{"text": "\udfff"}]})


@pytest.mark.parametrize(
    ("authors", "names"),
    [
        ("A B, C D", ("A B", "C D")),
        ("B, A; D, C", ("B, A", "D, C")),
        ("A B and C D", ("A B", "C D")),
        ("A B, C D, and E F", ("A B", "C D", "E F")),
        ("", ()),
        ([" A ", ""], ("A",)),
        (None, ()),
    ],
)
def test_authors_are_read_from_lists_and_texts(authors: Any, names: tuple[str, ...]) -> None:
    assert paper_from_record("k", {"authors": authors}).authors == names
