"""The planner that knows the world's wordings: what it recognises, what it asks, and that it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from scholar_env.agents import is_assisted, make_agent, needs_gold
from scholar_env.agents import known_forms as known_forms_module
from scholar_env.agents.informed import EMPHASES, subquery
from scholar_env.agents.known_forms import Known, KnownForms, known_forms
from scholar_env.episode.calls import parse_calls
from scholar_env.rollout.play import EpisodePlayer
from scholar_env.rollout.setting import Setting
from scholar_env.rollout.worker import Player

ENV_ID = "ScholarGym-All-v0"

TRACKING = Known("cs.A", ("multi-object tracking", "MOT"), ("identity-preserving following",), ("knowing who is who",))
FLOWS = Known("cs.A", ("optical flow",), ("dense displacement fields",), ("shifting pixels to where they moved",))
FLOW_NOUN = Known("ph.B", ("optical flow", "optical flows"))
LATENCY = Known("cs.A", ("latency", "latencies"))
FORMS = KnownForms([TRACKING, FLOWS, FLOW_NOUN, LATENCY])


def test_concepts_are_recognised_at_every_level_and_by_the_longest_wording() -> None:
    for wording in ("Multi-object tracking", "MOT", "identity-preserving following", "knowing who is who"):
        reading = FORMS.read(f"Which papers deal with {wording} using optical flow, with latency in view?")
        assert reading.concepts == (TRACKING, FLOWS)
        assert reading.nouns == (LATENCY,)
        assert reading.rest == ("which", "papers", "deal", "with", "using", "with", "in", "view")


def test_the_subfield_that_explains_most_is_taken() -> None:
    assert FORMS.read("optical flows").nouns == (FLOW_NOUN,)
    reading = FORMS.read("optical flows and MOT")
    assert reading.concepts == (TRACKING,)
    assert reading.nouns == ()
    assert set(reading.rest) >= {"optical", "flows"}


def test_a_subquery_gives_the_other_wordings_and_keeps_what_else_is_said() -> None:
    reading = FORMS.read(
        "Could you recommend studies on knowing who is who, set against Tethriar, with latency in view?"
    )
    texts = [subquery(reading, emphasis).split() for emphasis in range(len(EMPHASES))]
    for text in texts:
        assert {"multi", "object", "tracking", "mot", "identity", "following", "tethriar", "latency"} <= set(text)
        assert "recommend" not in text
        assert "latencies" in text
    assert texts[0].count("tracking") > texts[0].count("following")
    assert texts[1].count("tracking") < texts[1].count("following")
    assert "knowing" not in texts[0]
    assert "knowing" in texts[2]


def test_it_is_assisted_but_is_given_no_gold() -> None:
    assert is_assisted("informed", "scholargym")
    assert not needs_gold("informed", "scholargym")
    assert [
        name for name in ("random", "direct", "direct-paged", "feedback", "scripted") if is_assisted(name, "scholargym")
    ] == []
    player = Player(Setting(ENV_ID, {}, "toy", "informed", {}))
    assert player.play(Setting(ENV_ID, {}, "toy").make_env().tasks[0]).header.assisted


def plans(agent_name: str, corpus: str, task_id: str) -> list[list[str]]:
    """The texts of the subqueries of each plan."""
    env = Setting(ENV_ID, {}, corpus).make_env()
    agent = make_agent(agent_name, env.card.family, env.tools)
    player = EpisodePlayer(env, task_id, 0)
    agent.reset(0)
    texts = []
    while not player.ended:
        for call in parse_calls(agent.act(player.observation)):
            step = player.step(call, 0)
            if step.call["name"] == "plan":
                texts.append([entry["text"] for entry in step.call["arguments"]["subqueries"] if "text" in entry])
    return texts


def test_without_known_wordings_it_plans_by_feedback(monkeypatch: pytest.MonkeyPatch) -> None:
    task_id = Setting(ENV_ID, {}, "toy").make_env().tasks[3]
    monkeypatch.setattr("scholar_env.agents.informed.known_forms", lambda: None)
    assert plans("informed", "toy", task_id) == plans("feedback", "toy", task_id)
    monkeypatch.setattr("scholar_env.agents.informed.known_forms", lambda: KnownForms([]))
    assert plans("informed", "toy", task_id) == plans("feedback", "toy", task_id)


def test_a_package_without_the_world_has_no_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_forms_module, "ONTOLOGY", "scholar_env.corpora.world.no_such_module")
    known_forms.cache_clear()
    try:
        assert known_forms() is None
    finally:
        known_forms.cache_clear()


def test_on_a_world_it_finds_more_than_feedback_and_the_plain_list(small_home: Path) -> None:
    assert small_home.exists()
    names = Setting(ENV_ID, {}, "world").make_env().tasks[:60]
    found = {}
    for agent in ("direct-paged", "feedback", "informed"):
        player = Player(Setting(ENV_ID, {}, "world", agent, {"results": 50}))
        rows = [player.play(name).end.evaluation["metrics"] for name in names]
        assert sum(row["n_results_shown"] for row in rows) / len(rows) == pytest.approx(50, abs=4)
        found[agent] = sum(row["ret_recall"] for row in rows) / len(rows)
    assert found["informed"] > 0.9
    assert found["informed"] > max(found["feedback"], found["direct-paged"])
    assert plans("informed", "world", names[0]) == plans("informed", "world", names[0])
