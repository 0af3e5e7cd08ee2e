"""What the tools of CompLit show."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from scholar_env.corpus import Corpus
from scholar_env.records import Paper, Task
from tests.episode.complit_small import BARS, corpus, corpus_of, cumulative, do, episode, standard

__all__ = ["corpus"]


def test_search_takes_a_scope_and_leaves_surveys_out(corpus: Corpus) -> None:
    running = episode(corpus, standard())
    page = do(running, "search", text="walks on graphs").pages[0]
    assert page.papers == ("p0", "p1", "p3", "p4")
    full = do(running, "search", text="labels GPUs", scope="full_text", k=1).pages[0]
    assert (full.papers, full.total, full.subquery) == (("p1",), 2, 2)
    assert do(running, "search", text="labels GPUs", scope="full_text", k=1, offset=1).pages[0].papers == ("p3",)
    outcome = do(running, "search", text="walks", scope="everything")
    assert (outcome.error_code, outcome.invalid) == ("out_of_range", True)
    assert "must be one of title_abstract, full_text" in outcome.error


def test_search_takes_a_tighter_date_bound_and_says_when_nothing_is_found(corpus: Corpus) -> None:
    running = episode(corpus, standard())
    assert do(running, "search", text="graphs", before="2019-12").pages[0].papers == ("p0",)
    assert do(running, "search", text="zebra").notices == ("search: nothing found",)
    assert do(running, "search", text="graphs", offset=9).notices == ("search: only 2 papers are found",)
    assert do(running, "search", text="graphs", k=50).notices == ("k capped to 10",)


def test_grep_finds_text_anywhere_but_in_surveys(corpus: Corpus) -> None:
    running = episode(corpus, standard())
    outcome = do(running, "grep", text="no labels")
    assert [(hit["paper"], hit["section"]) for hit in outcome.payload["hits"]] == [
        ("p1", "Results"), ("p3", "abstract"),
    ]  # fmt: skip
    assert outcome.notices == ("grep: 2 texts of 2 papers match, 2 shown",)
    assert do(running, "grep", text="survey").payload["hits"] == []
    assert do(running, "grep", text=r"\b\d+ GPUs", regex=True).payload["hits"][0]["snippet"].startswith("The runner")
    assert len(do(running, "grep", text="walk", k=1, offset=1).payload["hits"]) == 1
    assert [hit["paper"] for hit in do(running, "grep", text="WALKS", case_sensitive=True).payload["hits"]] == []
    assert {hit["paper"] for hit in do(running, "grep", text="walk", paper="p3").payload["hits"]} == {"p3"}


def test_grep_takes_its_text_with_white_space_at_the_ends(corpus: Corpus) -> None:
    running = episode(corpus, standard())
    for text, papers in (("s on", {"p0", "p1", "p3"}), (" on ", {"p0", "p1", "p3"}), ("on", {"p0", "p1", "p3", "p4"})):
        found = do(running, "grep", text=text)
        assert {hit["paper"] for hit in found.payload["hits"]} == papers
    assert [hit["paper"] for hit in do(running, "grep", text=r"walker\ ", regex=True).payload["hits"]] == ["p0"]
    assert [hit["paper"] for hit in do(running, "grep", text="   ").payload["hits"]] == []
    outcome = do(running, "grep", text="")
    assert outcome.error.startswith("grep: text must not be empty, got ''.")
    assert do(running, "read", paper=" p0 ").document["paper"] == "p0"  # other arguments are stripped


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({"text": "(a", "regex": True}, "bad_pattern", "is no regular expression"),
        ({"text": "a", "paper": "p2"}, "unknown_paper", "this task's corpus has no paper 'p2'"),
        ({"text": "a", "paper": "zz"}, "unknown_paper", "has no paper 'zz'; take an id from the results"),
        ({"text": "x" * 201}, "out_of_range", "must have at most 200 characters"),
    ],
)
def test_a_bad_grep_is_refused(corpus: Corpus, arguments: dict[str, Any], code: str, message: str) -> None:
    outcome = do(episode(corpus, standard()), "grep", **arguments)
    assert (outcome.error_code, outcome.invalid) == (code, True)
    assert message in outcome.error


def test_read_shows_the_whole_text_with_figures_as_data(corpus: Corpus) -> None:
    outcome = do(episode(corpus, standard()), "read", paper="p0")
    document = outcome.document
    assert document["text"].startswith(
        "Random walks on graphs find communities.\n\nIntroduction\nWalks are old.\n\nResul"
    )
    assert document["text"].endswith(BARS)
    assert document["sections"] == ["Introduction", "Results"]
    assert outcome.payload["categories"] == ["cs.SI"]
    series, bars = outcome.payload["figures"]
    assert (series["number"], series["y"], series["x"], series["image"]) == (1, "recall", "depth", "")
    assert series["points"] == [{"x": "1 m", "y": "0.20"}, {"x": "2 m", "y": "0.35"}, {"x": "4 m", "y": "0.61"}]
    assert bars["points"] == [{"x": "Walker", "y": "81.5 percent"}, {"x": "Runner", "y": "79.0 percent"}]


def test_a_paper_is_read_and_searched_by_every_form_of_its_id(tmp_path: Path) -> None:
    task = Task("a", "Which paper is it?", "2021-12", ("2101.00001",))
    papers = corpus_of(tmp_path, Paper("2101.00001", "Graph walks", "Random walks.", "2021-01"))
    for given in ("2101.00001", "arXiv:2101.00001v3", "ARXIV: 2101.00001", "2101.00001v1"):
        running = episode(papers, task)
        assert do(running, "read", paper=given).document["paper"] == "2101.00001"
        assert running.state.opened == {"2101.00001": 1}
        hits = do(running, "grep", text="walks", paper=given).payload["hits"]
        assert [hit["paper"] for hit in hits] == ["2101.00001"] * 2
        assert do(running, "answer", paper=given).ended
        assert running.state.listed == {"2101.00001": 2}
    for tool, arguments in (("read", {}), ("grep", {"text": "walks"})):
        refused = do(episode(papers, task), tool, paper="arXiv:2101.00009v3", **arguments)
        assert refused.error == (
            f"{tool}: this task's corpus has no paper 'arXiv:2101.00009v3'; take an id from the results"
        )


def test_read_shows_one_section_or_a_part(corpus: Corpus) -> None:
    running = episode(corpus, standard(), max_document_chars=100)
    assert do(running, "read", paper="p0", section="introduction").document["text"] == "Walks are old."
    assert do(running, "read", paper="p0", section="abstract").document["section"] == "Abstract"
    assert do(running, "read", paper="p0", section="1").payload["figures"] == []
    assert len(do(running, "read", paper="p0", section="2").payload["figures"]) == 2
    first = do(running, "read", paper="p0")
    assert first.notices == ("read: 137 characters more; read on with offset 100",)
    assert len(do(running, "read", paper="p0", offset=200).document["text"]) == 37
    outcome = do(running, "read", paper="p0", section="Method")
    assert (outcome.error_code, outcome.error) == (
        "unknown_section", "read: no section 'Method'; sections: 1: Introduction; 2: Results",
    )  # fmt: skip
    assert do(running, "read", paper="p2").error_code == "unknown_paper"


def test_an_offset_behind_the_text_is_refused_and_nothing_is_read(corpus: Corpus) -> None:
    running = episode(corpus, standard(), max_document_chars=100)
    for arguments, length in (({}, 237), ({"section": "Introduction"}, 14), ({"section": "abstract"}, 40)):
        for offset in (length, 10**6):
            outcome = do(running, "read", paper="p0", offset=offset, **arguments)
            assert (outcome.error_code, outcome.document, outcome.payload) == ("out_of_range", None, {})
            assert outcome.error == (
                f"read: the text has {length} characters, none from offset {offset} on; begin with offset 0"
            )
    assert (running.state.opened, running.state.n_reads, running.state.n_characters) == ({}, 0, 0)
    assert running.budget()["calls"] == 24
    last = do(running, "read", paper="p0", offset=236)
    assert (last.document["text"], len(last.payload["figures"])) == (BARS[-1], 2)  # those of the whole paper
    assert (running.state.n_reads, running.state.n_characters) == (1, 1)
    assert do(running, "read", paper="p4", section="abstract").document["offset"] == 0


def test_figures_come_as_pictures_when_asked_for(corpus: Corpus) -> None:
    figures = do(episode(corpus, standard(), figure_images=True), "read", paper="p0").payload["figures"]
    pictures = [b64decode(figure["image"]) for figure in figures]
    assert all(picture.startswith(b"\x89PNG\r\n\x1a\n") for picture in pictures)
    assert pictures[0] != pictures[1]


def test_next_turn_is_offered_in_conversations_only(corpus: Corpus) -> None:
    single = episode(corpus, standard())
    assert tuple(single.tools) == ("search", "grep", "read", "answer", "abstain")
    assert do(single, "next_turn").error_code == "not_available"
    assert "next_turn" in episode(corpus, cumulative(), conversation=True).tools
    assert episode(corpus, cumulative()).question.startswith(
        "I am looking for work on graphs. It can be of any kind. It "
    )
