"""The text view of observations."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env import ScholarEnv, render_text
from scholar_env.episode.family import family

ID = "ScholarGym-TestFast-v0"


def observation_of_everything() -> dict[str, Any]:
    env = ScholarEnv(ID, corpus="toy", browser_mode="REFRESH")
    observation, _ = env.reset(seed=0)
    plan = {
        "subqueries": [
            {"link": "derive", "source": 0, "text": "credit risk assessment"},
            {"link": "expand", "source": 0, "text": "knowledge distillation", "k": 50},
        ],
        "checklist": "must be about credit",
        "experience": "banks come first",
    }
    observation, *_ = env.step({"name": "plan", "arguments": plan})
    paper = observation["results"][0]["paper"]
    select = {"name": "select", "arguments": {"subquery": 1, "papers": [paper], "overview": "one fits"}}
    observation, *_ = env.step(
        [
            {"name": "continue", "arguments": {"source": 2, "k": 99}},
            select,
            {"name": "read", "arguments": {"paper": paper}},
            7,
        ]
    )
    return observation


FULL = observation_of_everything()


def test_every_section_stands_in_its_place() -> None:
    page = render_text(FULL)
    starts = [
        f"Question: {FULL['question']}",
        f"Papers count that appeared up to {FULL['before']}.",
        "Budget: 5 iterations left, 195 calls left",
        "Subqueries (2):",
        "[1] derive of [0], iteration 1: credit risk assessment",
        "    one fits",
        f"Results ({len(FULL['results'])}):",
        f"Document {FULL['document']['paper']}: {FULL['document']['title']}",
        "Sections: ",
        f"Selected (1):\n- {FULL['selected'][0]}",
        "Checklist: must be about credit",
        "Experience: banks come first",
        "Feedback: call 1: k capped to 10",
        "Error: call 4: not one tool call in JSON",
    ]
    places = [page.index(start) for start in starts]
    assert places == sorted(places)
    for result in FULL["results"]:
        assert f"- {result['paper']} | {result['title']} | {result['date'] or 'undated'} | score" in page
        assert f"  {result['abstract']}" in page


def test_sections_can_be_chosen() -> None:
    assert render_text(FULL, sections=("question",)) == f"Question: {FULL['question']}"
    parts = [render_text(FULL, sections=(name,)) for name in family("scholargym").sections]
    assert all(parts)
    assert "\n\n".join(parts) == render_text(FULL)


def test_abstracts_go_before_results_and_results_before_the_question() -> None:
    full = render_text(FULL)
    shorter = render_text(FULL, max_chars=len(full) - 1)
    assert "more characters]" in shorter or "abstract" not in shorter
    assert all(f"- {result['paper']} |" in shorter for result in FULL["results"])
    titles = render_text(FULL, max_chars=2_500)
    assert FULL["results"][0]["title"] in titles
    assert not any(result["abstract"] and result["abstract"] in titles for result in FULL["results"])
    short = render_text(FULL, max_chars=900)
    assert f"Results ({len(FULL['results'])}, " in short
    assert "not shown" in short
    assert FULL["question"] in short


@given(st.integers(0, 6_000))
def test_the_limit_holds_in_characters_and_in_tokens(limit: int) -> None:
    assert len(render_text(FULL, max_chars=limit)) <= limit
    assert (
        len(render_text(FULL, max_chars=limit // 10, count_tokens=lambda text: len(text.split())).split())
        <= limit // 10
    )


def test_tokens_are_counted_where_a_counter_is_given() -> None:
    words = len(render_text(FULL).split())
    assert render_text(FULL, max_chars=words, count_tokens=lambda text: len(text.split())) == render_text(FULL)
    assert render_text(FULL, max_chars=words) != render_text(FULL)


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        ({"iterations": -1, "calls": -1, "results": -1, "characters": -1, "answer_only": 0}, "Budget: unlimited"),
        (
            {"iterations": 2, "calls": 0, "results": 5, "characters": 9, "answer_only": 1},
            "Budget: 2 iterations left, 0 calls left, 5 results left, 9 characters left, answer or abstain now",
        ),
    ],
)
def test_the_budget_names_what_is_limited(budget: dict[str, int], text: str) -> None:
    assert render_text({**FULL, "budget": budget}, sections=("budget",)) == text


def test_the_raw_history_takes_the_place_of_experience() -> None:
    memory = {"checklist": "", "experience": "", "history": ["{1}", "{2}"]}
    assert render_text({**FULL, "memory": memory}, sections=("experience",)) == "Experience: {1}\n{2}"
