"""Text search over mapped columns: against a plain loop, at the borders of texts, and with bad patterns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scholar_env import documents
from scholar_env.documents import DocumentStore
from scholar_env.errors import InvalidOptionError
from scholar_env.index.grep import ABSTRACT_PLACE, TITLE_PLACE, GrepPage, compile_pattern, grep
from scholar_env.records import Paper, Section
from tests.document_files import store

PAPERS = [
    Paper("a", "Graph walks", "A walk on graphs. Recall is 0.81.", sections=(Section("1", "walks"), Section("2", ""))),
    Paper("b", "", "", "", sections=tuple(Section("", t) for t in ("", "straße ÜBER naïve walks\nend", "end walk"))),
    Paper("c", "Walk", "no match here", sections=()),
    Paper("d", "tail", "ends in gra", sections=(Section("1", "ph walk"), Section("2", "x" * 400 + "walk" + "y" * 400))),
]  # fmt: skip

texts = st.text("ab Aé\n", max_size=8)
some_papers = st.lists(
    st.builds(
        Paper, id=texts, title=texts, abstract=texts,
        sections=st.lists(st.builds(Section, texts, texts), max_size=3).map(tuple),
    ),
    min_size=1, max_size=9,
)  # fmt: skip
regexes = st.sampled_from([r"^a", r"b$", r"\ba\b", r"a.b", r"(?s)a.b", r"[^a]b", r"aa|bb", r"é+", r"\Ba"])


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DocumentStore:
    monkeypatch.setattr(documents, "BATCH_ROWS", 3)  # the last paper is in a batch of its own
    return store(tmp_path / "d", PAPERS)


def places(page: GrepPage) -> list[tuple[int, int, int]]:
    return [(hit.row, hit.place, hit.matches) for hit in page.hits]


def expected(papers: list[Paper], pattern: re.Pattern[str]) -> list[tuple[int, int, int]]:
    found = []
    for row, paper in enumerate(papers):
        cells = [(TITLE_PLACE, paper.title), (ABSTRACT_PLACE, paper.abstract)]
        cells += [(place, section.text) for place, section in enumerate(paper.sections)]
        counts = [(place, len(pattern.findall(text))) for place, text in cells]
        found += [(row, place, count) for place, count in counts if count]
    return found


def test_hits_come_in_the_order_of_rows_and_texts(opened: DocumentStore) -> None:
    page = grep(opened, compile_pattern("WALK"), k=20)
    assert places(page) == [
        *((0, TITLE_PLACE, 1), (0, ABSTRACT_PLACE, 1), (0, 0, 1)),
        *((1, 1, 1), (1, 2, 1), (2, TITLE_PLACE, 1), (3, 0, 1), (3, 1, 1)),
    ]
    assert (page.n_texts, page.n_papers) == (8, 4)
    assert page.hits[3].snippet == "straße ÜBER naïve walks end"


def test_a_match_across_two_texts_is_none(opened: DocumentStore) -> None:
    assert places(grep(opened, compile_pattern("graph"), k=9)) == [(0, TITLE_PLACE, 1), (0, ABSTRACT_PLACE, 1)]
    assert grep(opened, compile_pattern("endend"), k=9).n_texts == 0


def test_case_counts_only_when_asked_for(opened: DocumentStore) -> None:
    assert grep(opened, compile_pattern("Walk", case_sensitive=True), k=9).n_texts == 1
    assert grep(opened, compile_pattern("über"), k=9).n_texts == 1


def test_pages_and_totals_fit_together(opened: DocumentStore) -> None:
    whole = grep(opened, compile_pattern("walk"), k=20)
    parts = [grep(opened, compile_pattern("walk"), k=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert tuple(hit for part in parts for hit in part.hits) == whole.hits
    assert {part.n_texts for part in parts} == {8}


def test_papers_that_do_not_count_are_in_no_total(opened: DocumentStore) -> None:
    page = grep(opened, compile_pattern("walk"), k=20, admits=lambda row: row % 2 == 1)
    assert {hit.row for hit in page.hits} == {1, 3}
    assert (page.n_texts, page.n_papers) == (4, 2)


def test_one_paper_can_be_searched_alone(opened: DocumentStore) -> None:
    assert places(grep(opened, compile_pattern("walk"), k=20, row=1)) == [(1, 1, 1), (1, 2, 1)]
    assert places(grep(opened, compile_pattern("^ph", regex=True), k=20, row=3)) == [(3, 0, 1)]
    assert grep(opened, compile_pattern("walk"), k=20, row=3).n_papers == 1


def test_a_snippet_shows_what_stands_around_the_match(opened: DocumentStore) -> None:
    hit = grep(opened, compile_pattern("walk"), k=1, offset=7).hits[0]
    assert hit.snippet == "x" * 60 + "walk" + "y" * 60
    long = grep(opened, compile_pattern("x.*y", regex=True), k=1).hits[0]
    assert long.snippet == "x" * 160


def test_literal_text_is_no_regular_expression(opened: DocumentStore) -> None:
    assert grep(opened, compile_pattern("0.81."), k=9).n_texts == 1
    assert grep(opened, compile_pattern("0?81"), k=9).n_texts == 0
    assert grep(opened, compile_pattern(r"0\S81", regex=True), k=9).n_texts == 1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(papers=some_papers, literal=st.text("ab Aé\n", min_size=1, max_size=3), case=st.booleans())
def test_literal_search_agrees_with_a_loop_over_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, papers: list[Paper], literal: str, case: bool
) -> None:
    monkeypatch.setattr(documents, "BATCH_ROWS", 2)
    page = grep(store(tmp_path / "d", papers), compile_pattern(literal, case_sensitive=case), k=99)
    found = expected(papers, re.compile(re.escape(literal), 0 if case else re.IGNORECASE))
    assert places(page) == found
    assert (page.n_texts, page.n_papers) == (len(found), len({row for row, _, _ in found}))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(papers=some_papers, regex=regexes)
def test_regular_expressions_agree_with_a_loop_over_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, papers: list[Paper], regex: str
) -> None:
    monkeypatch.setattr(documents, "BATCH_ROWS", 2)
    page = grep(store(tmp_path / "d", papers), compile_pattern(regex, regex=True, case_sensitive=True), k=99)
    plain = re.compile(regex.replace("$", r"\Z"), re.ASCII)  # RE2's $ is the end of the text alone, its words are ASCII
    assert [hit[:2] for hit in places(page)] == [hit[:2] for hit in expected(papers, plain)]


@pytest.mark.parametrize(
    ("text", "regex", "message"),
    [
        ("", False, "a pattern of 0 characters. Rule: a pattern has 1 to 200"),
        ("x" * 201, False, "a pattern of 201 characters"),
        ("(a", True, r"the pattern '\(a' is no regular expression \(missing \)"),
        (r"(a)\1", True, "no back-references, no look-around"),
        ("a*", True, r"the pattern 'a\*' matches the empty text"),
        (
            r"(.{0,50}a){8}z",
            True,
            r"leaves too much open \(weight 1604\)\. Rule: a pattern weighs at most 48: 4 for a char",
        ),
        (
            r"[a-m][a-z ,.]{20}z",
            True,
            "Mend: put . or . in place of a count, name a word before a gap, shorten the gap",
        ),
        (
            r"\pL{80}",
            True,
            r"is too large\. Rule: a pattern compiles to at most 4000 .* Mend: write classes such as \\pL less often",
        ),
        ("\ud800", False, "is no regular expression"),
    ],
)
def test_bad_patterns_are_refused_with_a_reason(text: str, regex: bool, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        compile_pattern(text, regex=regex)
