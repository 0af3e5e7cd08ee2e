"""A family is its own modules and one registration line: a small one goes everywhere that ScholarGym goes."""

from __future__ import annotations

import dataclasses
import json
import pickle
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import gymnasium
import pytest
from typer.testing import CliRunner

from scholar_env import ScholarEnv, render_text
from scholar_env.agents import AGENTS, make_agent
from scholar_env.cli import app
from scholar_env.environment import registry
from scholar_env.episode.family import FAMILIES, family
from scholar_env.errors import InvalidOptionError, RolloutFormatError, StateError
from scholar_env.rollout.export import export
from scholar_env.rollout.reader import read_episodes, read_run
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run
from scholar_env.study import family_report
from scholar_env.study.family_report import FamilyReport
from scholar_env.study.render import report_markdown, report_tables
from scholar_env.study.report import build_report
from scholar_env.study.summary import IncomparableRunsError
from tests import families, test_all_ids
from tests.episode import pick
from tests.families import Suite, random_opening

ID = "Pick-Toy-v0"
REPORT = FamilyReport(results=(("Acc", "accuracy"), ("forced", "forced")), compared=("accuracy",))


def _opening(env: ScholarEnv) -> list[Any]:
    observation, _ = env.reset(seed=1)
    env.action_space.seed(11)
    env.step({"name": "find", "arguments": {"text": observation["question"]}})
    observation, *_ = env.step("no call")
    paper = env.corpus.id_of(3)
    return [
        {"name": "find", "arguments": {"text": "größer neural networks", "k": 2}},
        {"name": "find", "arguments": {"text": "learning"}},
        {"name": "answer", "arguments": {"paper": paper}},
    ]


SUITE = Suite(
    oracle=("accuracy", 1.0),
    mixed={"accuracy": 0.5, "shown": 0.25, "n_found": -0.1, "forced": 1.0, "n_calls": 0.0},
    others={"budget": 5, "max_calls": 50, "retry_delay": 0.0},
    variants=({}, {"budget": 1}),
    roomy={"budget": 20_000, "max_calls": 20_000},
    opening=_opening,
)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The family as a reader would add it: one line each for family, benchmark, oracle and suite."""
    shelf = import_module("scholar_env.envs")
    monkeypatch.setitem(FAMILIES, "pick", "tests.episode.pick:FAMILY")
    monkeypatch.setitem(sys.modules, "scholar_env.envs.pick", pick.benchmark())
    monkeypatch.setattr(shelf, "BENCHMARKS", (*shelf.BENCHMARKS, "pick"))
    monkeypatch.setitem(AGENTS["oracle"], "pick", "tests.episode.pick:PickOracle")
    monkeypatch.setitem(families.SUITES, "pick", "tests.episode.test_family:SUITE")
    registry.register_all()
    yield
    del registry.CARDS[ID], gymnasium.registry[ID]


def make(**options: Any) -> ScholarEnv:
    return cast("ScholarEnv", gymnasium.make(ID, corpus="toy", **options).unwrapped)


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


@pytest.mark.parametrize(
    "check",
    [
        test_all_ids.test_gymnasiums_checker_finds_nothing,
        test_all_ids.test_two_environments_with_one_seed_agree_for_fifty_steps,
        test_all_ids.test_drawn_actions_are_members_and_keep_the_environment_going,
        test_all_ids.test_a_pickle_in_mid_episode_goes_on_identically,
        test_all_ids.test_a_saved_state_goes_on_identically_and_holds_no_gold,
        test_all_ids.test_the_oracle_finds_nearly_everything,
        test_all_ids.test_a_message_of_several_calls_is_paid_and_played_like_the_calls_one_by_one,
        test_all_ids.test_an_observation_holds_nothing_that_only_the_evaluator_may_know,
        test_all_ids.test_info_has_the_same_keys_and_types_at_every_reset_and_step,
        test_all_ids.test_spoiling_what_was_returned_changes_nothing_later,
    ],
)
def test_it_passes_the_suite_of_all_ids(check: Any) -> None:
    check(ID)


def test_it_plays_task_sets(tmp_path: Path) -> None:
    test_all_ids.test_a_task_set_is_played_like_the_benchmarks_own_tasks(ID, tmp_path / "one")
    test_all_ids.test_the_spec_goes_through_json_with_every_argument_at_another_value(ID, tmp_path / "other")


@pytest.mark.parametrize("options", SUITE.variants)
def test_it_passes_the_checks_of_every_variant(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for timing in ("incremental", "terminal"):
        test_all_ids.test_the_return_is_the_final_metric(ID, options, timing)
    test_all_ids.test_tasks_that_differ_in_gold_alone_look_alike_to_the_byte(ID, options, monkeypatch)
    test_all_ids.test_a_recorded_run_replays_equal(ID, options, tmp_path)


@pytest.mark.parametrize("mode", ["threads", "sync"])
def test_its_vector_environments_visit_every_task(mode: str) -> None:
    test_all_ids.test_every_task_is_visited_once_an_epoch(ID, mode)
    test_all_ids.test_vector_environments_agree_with_single_ones(ID, mode)


def test_malformed_calls_change_nothing_but_counters_and_log() -> None:
    test_all_ids.test_ten_thousand_malformed_calls_change_nothing_but_the_call_counter(ID)


def test_a_random_opening_leads_into_an_episode() -> None:
    env = make(budget=30)
    actions = random_opening(env)
    assert env.episode.n_calls == 2
    ends = [env.step(action) for action in actions]
    assert ends[0][4]["action_error"] == ""
    assert ends[-1][2] or ends[-1][3]


def test_budget_free_calls_and_the_answer_only_phase() -> None:
    env = make()
    env.reset(seed=0)
    observation, *_ = env.step(call("find", text="neural networks", k=9))
    assert (observation["budget"]["calls"], observation["feedback"]) == (2, "k capped to 5")
    counts = env.episode.resources
    assert observation["years"] == [
        counts[year] for year in dict.fromkeys(r["date"][:4] for r in observation["results"])
    ]
    observation, *_ = env.step(call("answer", paper="nothing"))  # free, were it not refused
    assert (observation["budget"]["calls"], observation["budget"]["answer_only"]) == (1, 0)
    observation, *_ = env.step(call("find", text="graphs"))
    assert observation["budget"]["answer_only"] == 1
    observation, _, terminated, truncated, info = env.step(call("find", text="graphs"))
    assert (info["action_error"], terminated, truncated) == ("answer_only", False, False)
    assert observation["error"] == "the budget of 3 calls is spent: answer now"
    fork = env.fork()
    paper = env.corpus.tasks().get(info["task_id"]).gold[0]
    observation, reward, terminated, truncated, info = fork.step(call("answer", paper=paper))
    assert (reward, terminated, info["stop_reason"], info["metrics"]["forced"]) == (1.0, True, "answered", 1.0)
    assert (fork.episode.state.n_free, fork.episode.state.n_charged, observation["answered"]) == (1, 4, 1)
    _, reward, terminated, truncated, info = env.step("still no answer")
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert (info["stop_reason"], info["failure_kind"], info["mask_sample"]) == ("unanswered", "policy", False)


def test_state_is_checked_whole_payload_included() -> None:
    env = make()
    env.reset(seed=0)
    for action in (call("find", text="neural networks"), call("answer"), call("find", text="learning")):
        env.step(action)
    saved = json.loads(json.dumps(env.get_state()))
    assert saved["episode"]["calls"]["last"]["payload"]["years"]
    assert len(saved["episode"]["log"]) == 3
    twin = make()
    assert twin.set_state(saved)[0] == env._observe()
    assert twin.step(call("find", text="x"))[4]["action_error"] == "answer_only"
    for path, value in [
        (("calls", "last", "payload", "years"), {"1999": 7}),
        (("calls", "invalid"), 0),
        (("calls", "free"), 1),
        (("log", 1), call("find", text="x")),
        (("late",), 1),
    ]:
        changed = json.loads(json.dumps(saved))
        place = changed["episode"]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        with pytest.raises(StateError, match="the saved state does not fit"):
            make().set_state(changed)


def test_an_infrastructure_failure_is_undone_and_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(retry_delay=0.0)
    env.reset(seed=0)
    env.step(call("find", text="neural networks"))

    def fail(*_: Any, **__: Any) -> Any:
        raise TimeoutError("slow")

    with monkeypatch.context() as patch:
        patch.setattr(type(env.index), "search", fail)
        _, reward, terminated, truncated, info = env.step(call("find", text="graphs"))
    assert (reward, terminated, truncated, info["stop_reason"]) == (0.0, False, True, "infrastructure")
    assert (info["metrics"]["n_calls"], info["mask_sample"]) == (1.0, True)
    assert len(env.episode.state.years) > 0
    saved = json.loads(json.dumps(env.get_state()))
    twin = make(retry_delay=0.0)
    observation, again = twin.set_state(saved)
    assert observation["error"] == "a part that this call needs cannot be reached (TimeoutError)"
    assert again == info
    for name, value in (("n", 2), ("last", {**saved["episode"]["calls"]["last"], "payload": {"years": {}}})):
        changed = json.loads(json.dumps(saved))
        changed["episode"]["calls"][name] = value
        with pytest.raises(StateError, match="the saved state does not fit"):
            make(retry_delay=0.0).set_state(changed)


def test_a_run_is_recorded_replayed_reported_and_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    for agent in ("random", "oracle", "scripted"):
        options = {"calls": [call("find", text="neural networks"), 7]} if agent == "scripted" else {}
        done = run(ID, agent, out=tmp_path / agent, corpus="toy", agent_options=options)
        assert replay(done.folder).agrees
        runs.append(read_run(done.folder))
    (found, *_) = read_episodes(tmp_path / "oracle")
    assert found.end.selected == [found.steps[-1].call["arguments"]["paper"]]
    assert found.end.evaluation["rows"][0].keys() == {"page", "gold"}
    assert found.header.assisted
    report = build_report(runs, resamples=5)
    tables = {table.title: table for table in report_tables(report)}
    assert tables["Results"].columns == ["run", *pick.CARD.metrics, "return"]
    assert [row[1] for row in tables["Results"].rows] == ["0.000", "1.000", "0.000"]
    assert "Process" not in tables
    assert report.comparisons[0].intervals["return"].value == -1.0
    assert {row[1] for row in tables["How episodes ended"].rows} <= {"answered", "abstained", "unanswered"}
    monkeypatch.setitem(family_report.REPORTS, "pick", "tests.episode.test_family:REPORT")
    named = report_markdown(build_report(runs, resamples=5))
    assert "| run | Acc | forced |" in named
    assert "| first | second | metric | difference | 95% interval | tasks |" in named
    export(tmp_path / "oracle", tmp_path / "chat.jsonl", "chat")
    export(tmp_path / "oracle", tmp_path / "tools.jsonl", "tools")
    chat = json.loads((tmp_path / "chat.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert chat["messages"][0]["content"].startswith("Name the one paper that answers the question.")
    assert '"name":"find"' in chat["messages"][0]["content"]
    answer = json.loads((tmp_path / "tools.jsonl").read_text(encoding="utf-8").splitlines()[0])["messages"][3]
    assert "Papers of these years: " in answer["content"]
    assert "Question" not in answer["content"]


def test_rows_without_the_familys_columns_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(ID, "oracle", out=tmp_path / "run", corpus="toy", tasks=2)
    monkeypatch.setitem(FAMILIES, "pick", "tests.episode.test_family:WIDER")
    with pytest.raises(RolloutFormatError, match=r"an episode without its evaluation \(KeyError\('more'\)\)"):
        read_run(tmp_path / "run")


WIDER = dataclasses.replace(pick.FAMILY, rows=("page", "gold", "more"))


def test_families_do_not_share_a_report(tmp_path: Path) -> None:
    for number, env_id in enumerate((ID, "ScholarGym-TestHard-v0")):
        run(env_id, "oracle", out=tmp_path / str(number), corpus="toy", tasks=1)
    runs = [read_run(tmp_path / str(number)) for number in range(2)]
    with pytest.raises(IncomparableRunsError, match="runs of several families: 0 is of pick; 1 is of scholargym"):
        build_report(runs, mixed=True)


def test_the_command_line_plays_it_and_says_who_does(tmp_path: Path) -> None:
    def command(*arguments: str) -> Any:
        return CliRunner().invoke(app, list(arguments))

    refused = command("run", ID, "--corpus", "toy", "--out", str(tmp_path / "x"))
    assert refused.exit_code == 2
    assert "agent 'direct' does not play 'pick'" in refused.output
    done = command("run", ID, "--agent", "oracle", "--corpus", "toy", "--out", str(tmp_path / "y"), "-q")
    assert done.exit_code == 0
    assert "accuracy" in done.output
    listed = json.loads(command("list", "--json").stdout)
    assert [entry["family"] for entry in listed["environments"] if entry["id"] == ID] == ["pick"]
    assert {"scholargym", "pick"} <= set(listed["agents"]["oracle"]["plays"])
    assert listed["agents"]["random"]["plays"] == ["all"]


def test_wrappers_of_any_family_fit_and_those_of_the_tree_say_why_not() -> None:
    wrappers = import_module("scholar_env.wrappers")
    text = wrappers.TextAction(make())
    observation, _ = text.reset(seed=0)
    assert observation == render_text(text.unwrapped._observe())
    observation, *_ = text.step("<tool_call>" + json.dumps(call("find", text="neural networks")) + "</tool_call>")
    assert "Papers of these years: " in observation
    *_, terminated, truncated, info = text.step('<answer>{"paper": "?"}</answer>')
    assert (terminated, truncated, info["action_error"]) == (False, False, "unknown_paper")
    chat = wrappers.Messages(make(budget=1))
    messages, _ = chat.reset(seed=0)
    assert messages[0]["content"].startswith("Question: ")
    messages, *_ = chat.step(json.dumps(call("find", text="neural networks")))
    assert messages[-1]["content"].startswith("Budget: 0 calls left, answer or abstain now\n\nResults (5):")
    assert pickle.loads(pickle.dumps(chat)).step(json.dumps(call("find", text="x")))[4]["action_error"] == "answer_only"
    shaped = wrappers.PotentialShaping(make(reward_timing="terminal"), {"shown": 0.5})
    shaped.reset(seed=0)
    question = shaped.unwrapped.episode.question
    assert shaped.step(call("find", text=question))[1] == 0.5 * shaped.unwrapped._info()["metrics"]["shown"]
    for name in ("DiscreteTemplates", "NumericObs"):
        with pytest.raises(InvalidOptionError, match=f"{name} over Pick-Toy-v0, of the family pick.*subquery tree"):
            getattr(wrappers, name)(make())


def test_reward_terms_and_options_of_the_family() -> None:
    env = make(reward={"shown_ndcg": 1.0, "accuracy": 0.0})
    observation, _ = env.reset(seed=0)
    _, reward, *_, info = env.step(call("find", text=observation["question"]))
    assert reward == info["metrics"]["shown_ndcg"] > 0.0
    with pytest.raises(InvalidOptionError, match="metric 'f1'"):
        make(reward={"f1": 1.0})
    with pytest.raises(InvalidOptionError, match="budget is int from 1"):
        make(budget=0)
    with pytest.raises(InvalidOptionError, match=r"has no argument 'assessor'"):
        make(assessor="agent")


def test_it_is_known_by_name_and_by_its_observations() -> None:
    assert family("pick") is pick.FAMILY
    assert pickle.loads(pickle.dumps(pick.FAMILY)) is pick.FAMILY
    with pytest.raises(InvalidOptionError, match=r"there is no family 'chess'. Rule: the families are .*scholargym, "):
        family("chess")
    env = make()
    observation, _ = env.reset(seed=0)
    assert render_text(observation) == render_text(observation, family="pick")
    with pytest.raises(InvalidOptionError, match="an observation with the keys question, moves"):
        render_text({"question": "?", "moves": []})
    assert type(make_agent("random", "pick", env.tools)).__name__ == "RandomAgent"
    assert list(env.tools) == list(env.action_space.tools) == ["find", "answer", "abstain"]
