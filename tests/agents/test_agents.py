"""What the agents do on the toy corpus, and what they may see."""

from __future__ import annotations

import ast
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from scholar_env import agents
from scholar_env.agents import AGENTS, agent_class, agents_of, make_agent
from scholar_env.agents.random_calls import RandomAgent
from scholar_env.agents.scripted import read_calls
from scholar_env.episode.calls import parse_calls
from scholar_env.episode.scholargym.tools import TOOLS
from scholar_env.errors import InvalidOptionError
from scholar_env.rollout.play import EpisodePlayer
from scholar_env.rollout.setting import Setting
from scholar_env.rollout.worker import Player

ENV_ID = "ScholarGym-All-v0"
FAMILY = "scholargym"
FOLDER = Path(inspect.getfile(agents)).parent


def played(agent: str, kwargs: dict[str, Any] | None = None, **options: Any) -> list[dict[str, Any]]:
    """Plays all toy tasks; returns the final metrics of each, with ``invalid`` and ``stop_reason``."""
    player = Player(Setting(ENV_ID, kwargs or {}, "toy", agent, options))
    episodes = [player.play(task) for task in Setting(ENV_ID, {}, "toy").make_env().tasks]
    return [
        {
            **episode.end.evaluation["metrics"],
            "stop_reason": episode.end.stop_reason,
            "errors": [step.error for step in episode.steps if step.error],
        }
        for episode in episodes
    ]


def mean(rows: list[dict[str, Any]], name: str) -> float:
    return sum(float(row[name]) for row in rows) / len(rows)


@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"assessor": "lexical"},
        {"assessor": "oracle", "max_iterations": 2},
        {"max_iterations": 1, "page_size": 5},
        {"memory": False, "browser_mode": "INCREMENTAL"},
    ],
)
@pytest.mark.parametrize("agent", sorted(set(agents_of(FAMILY)) - {"scripted"}))
def test_no_agent_makes_a_bad_call(agent: str, kwargs: dict[str, Any]) -> None:
    for row in played(agent, kwargs):
        assert row["errors"] == []
        assert row["stop_reason"] not in ("", "max_calls", "failed")


def test_direct_is_the_first_page_of_the_question() -> None:
    rows = played("direct")
    assert {row["stop_reason"] for row in rows} == {"answered"}
    assert all(row["n_calls"] == 3.0 and row["n_results_shown"] <= 10.0 for row in rows)
    assert all(row["recall"] == row["ret_recall"] for row in rows)
    env = Setting(ENV_ID, {}, "toy").make_env()
    for task_id, row in zip(env.tasks, rows, strict=True):
        task = env.corpus.tasks().get(task_id)
        hits = env.index.search(task.question, 10, before=task.before)
        found = {env.corpus.id_of(int(place)) for place in hits.rows} & set(task.gold)
        assert row["ret_recall"] == pytest.approx(len(found) / len(task.gold))


@pytest.mark.parametrize("agent", ["direct", "direct-paged"])
def test_what_direct_keeps_counts_in_the_iteration_that_showed_it(agent: str) -> None:
    player = Player(Setting(ENV_ID, {}, "toy", agent, {}))
    for task_id in Setting(ENV_ID, {}, "toy").make_env().tasks[:8]:
        rows = player.play(task_id).end.evaluation["rows"]
        assert [row["recall"] for row in rows] == [row["ret_recall"] for row in rows]
        assert all(row["gt_discard_iter"] == 0.0 for row in rows)


def test_direct_paged_shows_the_questions_own_list() -> None:
    env = Setting(ENV_ID, {}, "toy").make_env()
    agent = make_agent("direct-paged", FAMILY, env.tools, {"results": 75})
    for task_id in env.tasks[:5]:
        player = EpisodePlayer(env, task_id, 0)
        agent.reset(0)
        shown: list[str] = []
        while not player.ended:
            for call in parse_calls(agent.act(player.observation)):
                step = player.step(call, 0)
                shown += [paper for page in step.retrieval for paper in page["ids"]]
        task = env.corpus.tasks().get(task_id)
        hits = env.index.search(task.question, 75, before=task.before)
        assert shown == [env.corpus.id_of(int(row)) for row in hits.rows]
        assert sorted(env.episode.answer_ids()) == sorted(shown[:10])


def test_planners_are_compared_at_equal_results_shown() -> None:
    paged, feedback = played("direct-paged", results=60), played("feedback", results=60)
    assert mean(paged, "n_results_shown") == pytest.approx(60, abs=3)
    assert mean(feedback, "n_results_shown") == pytest.approx(60, abs=3)
    assert all(row["n_results_shown"] <= 60 for row in paged + feedback)


def test_the_order_of_the_agents_by_what_they_find() -> None:
    found = {name: mean(played(name), "ret_recall") for name in ("random", "direct", "direct-paged", "feedback")}
    assert found["direct"] < found["direct-paged"] <= found["feedback"]
    assert mean(played("random"), "recall") < mean(played("direct"), "recall")


def test_the_oracle_finds_and_answers_everything() -> None:
    rows = played("oracle")
    assert mean(rows, "ret_recall") >= 0.95
    assert mean(rows, "precision") == 1.0
    assert mean(rows, "f1") >= 0.95


def test_the_oracle_copes_with_one_page_an_iteration() -> None:
    assert mean(played("oracle", {"max_subqueries": 1}, subqueries=1), "ret_recall") >= 0.9


def test_feedback_spreads_more_results_over_more_subqueries() -> None:
    rows = played("feedback", results=250)
    assert max(row["n_results_shown"] for row in rows) > 150
    assert max(row["n_subqueries"] for row in rows) > 5


def test_feedback_uses_derive_expand_continue_and_memory() -> None:
    env = Setting(ENV_ID, {}, "toy").make_env()
    agent = make_agent("feedback", FAMILY, env.tools)
    player = EpisodePlayer(env, env.tasks[0], 0)
    agent.reset(0)
    links: set[str] = set()
    while not player.ended:
        for call in parse_calls(agent.act(player.observation)):
            step = player.step(call, 0)
            if step.call["name"] == "plan":
                links |= {entry["link"] for entry in step.call["arguments"]["subqueries"]}
                assert player.observation["memory"]["checklist"].startswith("about ")
                assert player.observation["memory"]["experience"]
    assert links == {"derive", "expand", "continue"}


def test_recency_prefers_papers_near_the_bound() -> None:
    env = Setting(ENV_ID, {}, "toy").make_env()

    def answer_dates(recency: float) -> list[str]:
        agent = make_agent("feedback", FAMILY, env.tools, {"recency": recency, "answer_size": 1})
        dates = []
        for task_id in env.tasks:
            player = EpisodePlayer(env, task_id, 0)
            agent.reset(0)
            while not player.ended:
                for call in parse_calls(agent.act(player.observation)):
                    player.step(call, 0)
            dates += [env.corpus.date(env.corpus.row_of(paper) or 0) for paper in env.episode.answer_ids()]
        return dates

    plain, recent = answer_dates(0.0), answer_dates(100.0)
    assert sum(new >= old for old, new in zip(plain, recent, strict=True)) > 0.8 * len(plain)
    assert plain != recent


def test_random_agents_use_every_tool_and_obey_their_seed() -> None:
    setting = Setting(ENV_ID, {"browser_mode": "INCREMENTAL"}, "toy", "random")
    env = setting.make_env()
    names: set[str] = set()
    stories = []
    for seed in (0, 0, 1):
        player = Player(Setting(ENV_ID, setting.kwargs, "toy", "random", seed=seed))
        episodes = [player.play(task) for task in env.tasks]
        stories.append([[step.call for step in episode.steps] for episode in episodes])
        names |= {step.call["name"] for episode in episodes for step in episode.steps}
    assert stories[0] == stories[1] != stories[2]
    assert names == set(env.tools)


def test_scripts_are_read_as_list_or_lines(tmp_path: Path) -> None:
    calls = [{"name": "derive", "arguments": {"text": "é"}}, {"name": "answer", "arguments": {}}]
    (tmp_path / "list.json").write_text(json.dumps(calls), encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text("\n".join(map(json.dumps, calls)) + "\n", encoding="utf-8")
    assert read_calls(tmp_path / "list.json") == read_calls(tmp_path / "lines.jsonl") == calls
    rows = played("scripted", path=str(tmp_path / "list.json"))
    assert {row["n_calls"] for row in rows} == {2.0}


@pytest.mark.parametrize(("text", "message"), [("", "holds no call"), ("{", "is not JSON"), ("[", "is not JSON")])
def test_a_bad_script_is_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidOptionError, match=message):
        read_calls(path)


def test_a_script_is_calls_or_a_path() -> None:
    with pytest.raises(InvalidOptionError, match="a script is one of the two"):
        make_agent("scripted", FAMILY, TOOLS)
    with pytest.raises(InvalidOptionError, match="cannot be read"):
        make_agent("scripted", FAMILY, TOOLS, {"path": "no such file"})


def test_every_agent_has_options_as_recorded_and_a_first_line() -> None:
    for name in agents_of(FAMILY):
        options = {"calls": [{"name": "answer", "arguments": {}}]} if name == "scripted" else {}
        made = make_agent(name, FAMILY, TOOLS, options)
        parameters = set(inspect.signature(agent_class(name, FAMILY)).parameters) - {"tools", "path"}
        assert set(made.options) == parameters
        json.dumps(made.options, allow_nan=False)
        assert len((agent_class(name, FAMILY).__doc__ or "").splitlines()[0]) > 20


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_only_oracles_may_import_what_knows_gold() -> None:
    """An agent is made of words and its own package; whatever holds tasks, corpora or episodes knows gold."""
    declarations = ("scholar_env.episode.tool.", "scholar_env.episode.schema.")
    allowed = ("scholar_env.agents", "scholar_env.stemmer", "scholar_env.errors", "scholar_env.chat", *declarations)
    own = {
        path.name: {name for name in imported(path) if name.startswith("scholar_env")} for path in FOLDER.glob("*.py")
    }
    foreign = {
        file: {name for name in names if not name.startswith(allowed)}
        for file, names in own.items()
        if any(not name.startswith(allowed) for name in names)
    }
    assert foreign["oracle.py"] == {"scholar_env.records.Task"}
    assert [file for file in foreign if not file.endswith("oracle.py")] == []
    assert [file for file, names in own.items() if any(name.endswith("OracleAgent") for name in names)] == []


def test_an_agent_that_does_not_play_a_family_says_who_does(monkeypatch: pytest.MonkeyPatch) -> None:
    message = r"agent 'direct' does not play 'chess'. Rule: it plays .*scholargym; chess is played by random, scripted"
    with pytest.raises(InvalidOptionError, match=message):
        make_agent("direct", "chess", TOOLS)
    assert type(make_agent("random", "chess", TOOLS)) is RandomAgent
    monkeypatch.setitem(AGENTS["direct"], "chess", AGENTS["random"]["*"])
    assert agents_of("chess") == ["random", "direct", "scripted"]
    assert type(make_agent("direct", "chess", TOOLS)) is RandomAgent


def test_random_calls_by_declaration_are_well_formed_and_follow_the_seed() -> None:
    env = Setting(ENV_ID, {"browser_mode": "INCREMENTAL"}, "toy").make_env()
    agent = RandomAgent(env.tools)
    stories = []
    for seed in (0, 0, 1):
        calls: list[dict[str, Any]] = []
        errors = []
        agent.reset(seed)
        for task_id in env.tasks[:6]:
            player = EpisodePlayer(env, task_id, 0)
            while not player.ended:
                call = agent.act(player.observation)
                assert call in env.action_space
                calls.append(call)
                errors.append(player.step(parse_calls(call)[0], 0).error)
        stories.append(calls)
        assert errors.count("") > len(errors) / 4  # ids and words that came up make many calls possible
    assert stories[0] == stories[1] != stories[2]
    names = {call["name"] for calls in stories for call in calls}
    assert set(env.tools) - names <= {"abstain"}  # which is drawn once in a thousand calls


def test_act_takes_the_observation_alone() -> None:
    for name in agents_of(FAMILY):
        assert list(inspect.signature(agent_class(name, FAMILY).act).parameters) == ["self", "observation"]
        assert list(inspect.signature(agent_class(name, FAMILY).reset).parameters) == ["self", "seed"]
        assert agent_class(name, FAMILY).needs_gold is (name == "oracle")
