"""Words and relevance by hand-computed cases."""

from __future__ import annotations

import math

import pytest

from scholar_env.agents.feedback import as_text
from scholar_env.agents.relevance import SeenPaper, expansion_words, forms_in, nearness, relevance
from scholar_env.agents.words import content_words, other_number, stem, words


def paper(number: int, title: str, abstract: str = "") -> SeenPaper:
    return SeenPaper.of(f"p{number}", title, abstract, "2020-01-05")


def test_content_words_drop_the_frame_of_a_question() -> None:
    assert content_words("Could you recommend studies that apply GNNs to traffic-flow prediction?") == [
        "gnns", "traffic", "flow", "prediction",
    ]  # fmt: skip


def test_a_question_of_frame_words_alone_keeps_them() -> None:
    assert content_words("What is this about?") == ["what", "is", "this", "about"]


def test_words_split_at_everything_that_is_no_letter_or_digit() -> None:
    assert words("Pre-trained BERT_base, naïve 3D") == ["pre", "trained", "bert", "base", "naïve", "3d"]


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("transformer", "transformers"),
        ("transformers", "transformer"),
        ("query", "queries"),
        ("queries", "query"),
        ("boxes", "box"),
        ("losses", "loss"),
        ("loss", "losss"),
        ("key", "keys"),
        ("3d", ""),
        ("of", ""),
    ],
)
def test_other_number(word: str, other: str) -> None:
    assert other_number(word) == other


def test_relevance_is_the_weighted_share_of_the_question() -> None:
    papers = [paper(1, "graph", "graph networks"), paper(2, "graph"), paper(3, "trees")]
    stems = {stem("graphs"), stem("network")}
    rare, common = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
    first = common * (2 / 3.2 + 0.5) + rare * (1 / 2.2)
    second = common * (1 / 2.2 + 0.5)
    assert relevance(papers, stems) == pytest.approx([first / (rare + common), second / (rare + common), 0.0])
    assert relevance([], stems) == []
    assert relevance(papers, set()) == [0.0, 0.0, 0.0]


def test_forms_share_a_stem_with_the_question() -> None:
    papers = [paper(1, "Quantized models"), paper(2, "quantization and quantized weights")]
    assert forms_in(papers, {stem("quantizing")}) == ["quantized", "quantization"]


def test_expansion_wants_telling_words_of_two_papers_that_others_lack() -> None:
    feedback = [
        (paper(1, "graph pooling", "hierarchical pooling of results"), 1.0),
        (paper(2, "pooling", "hierarchical results"), 0.5),
    ]
    seen = [item for item, _ in feedback] + [paper(number, "hierarchical trees") for number in range(3, 9)]
    assert expansion_words(feedback, seen, {stem("graph")}) == ["pooling", "hierarchical"]
    assert expansion_words(feedback, seen, {stem("pool")}) == ["hierarchical"]


def test_nearness_falls_with_the_months() -> None:
    assert nearness("2020-03-15", "2020-03") == 1.0
    assert nearness("2019-09", "2020-03") == pytest.approx(math.exp(-1))
    assert nearness("", "2020-03") == 0.0
    assert nearness("2020-03", "") == 0.0


def test_weights_are_repetitions_in_rounds() -> None:
    assert as_text({"graph": 3, "pooling": 1}) == "graph pooling graph graph"
    assert as_text({}) == ""


def test_a_long_subquery_is_cut_between_words() -> None:
    text = as_text({f"word{number}": 4 for number in range(500)})
    assert len(text) <= 1_900
    assert text.split()[-1] in {f"word{number}" for number in range(500)}
