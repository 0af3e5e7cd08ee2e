"""SciNet episodes on a small world: tools, budget, contexts, judge, measures of an answer, tricks, agents."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import pytest

from scholar_env import ScholarEnv, render_text
from scholar_env.agents import agents_of, make_agent
from scholar_env.environment.registry import card
from scholar_env.episode.scinet.engine import ScinetEpisode
from scholar_env.errors import InvalidOptionError
from scholar_env.graph.passages import citation_mark
from scholar_env.metrics.names import SCINET_COUNTS
from scholar_env.metrics.scinet_need import ScinetNeed
from scholar_env.rollout.reader import read_run
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run
from scholar_env.study.render import report_tables
from scholar_env.study.report import build_report

pytestmark = pytest.mark.usefixtures("small_home")

KINDS = ("Novelty", "Disruption", "CiteSentiment", "CoMention", "Path")
AGENTS = ("random", "lexical", "one-hop", "crawler", "citation-walk", "scientometric", "oracle")


def make(kind: str, **options: Any) -> ScholarEnv:
    return cast("ScholarEnv", gymnasium.make(f"SciNet-{kind}-v0", corpus="world", **options).unwrapped)


def need_of(env: ScholarEnv) -> ScinetNeed:
    return cast("ScinetEpisode", env.episode).need


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def answered(env: ScholarEnv, papers: Sequence[str], task_id: str = "") -> tuple[float, dict[str, float]]:
    """Return and metrics of an answer that is given at once."""
    if task_id:
        env.reset(options={"task_id": task_id})
    _, reward, terminated, _, info = env.step(call("answer", papers=list(papers)))
    assert terminated
    return reward, info["metrics"]


def test_lists_are_those_of_the_graph_in_their_order() -> None:
    env = make("CoMention", page_size=4)
    env.reset(seed=0)
    graph, corpus, seed = env.episode.resources.graph, env.corpus, need_of(env).seed
    row = corpus.row_of(seed)
    seen: list[str] = []
    while True:
        observation, *_ = env.step(call("citers", paper=seed, order="citations", offset=len(seen)))
        seen += [entry["paper"] for entry in observation["citations"]]
        if len(observation["citations"]) < 4:
            break
    counts = [int(graph.n_citers_of[corpus.row_of(paper)]) for paper in seen]
    assert counts == sorted(counts, reverse=True)
    assert sorted(seen) == sorted(map(corpus.id_of, graph.citers(row).tolist()))
    assert observation["feedback"].startswith(f"citers: {len(seen)} in all, ")
    observation, *_ = env.step(call("citers", paper=seed))
    dates = [entry["date"][:7] for entry in observation["citations"]]
    assert dates == sorted(dates, reverse=True)
    observation, *_ = env.step(call("references", paper=f"https://openalex.org/{seed}", k=99))
    assert observation["feedback"] == f"k capped to 4\nreferences: {graph.n_references_of[row]} in all, 4 shown from 0"
    assert {entry["paper"] for entry in observation["citations"]} <= {
        corpus.id_of(other) for other in graph.references(row).tolist()
    }
    observation, *_ = env.step(call("co_cited", paper=seed))
    together = [entry["together"] for entry in observation["citations"]]
    assert together == sorted(together, reverse=True)
    assert together[-1] >= 1
    assert {entry["paper"] for entry in observation["citations"]} <= set(env.episode.task.gold)
    assert "co_cited of " + seed in render_text(observation)
    *_, info = env.step(call("co_cited", paper="none"))
    assert info["action_error"] == "unknown_paper"


def test_reading_shows_what_citing_papers_say() -> None:
    env = make("CiteSentiment", n_contexts=3)
    for place in range(3):
        env.reset(seed=place)
        corpus, seed = env.corpus, need_of(env).seed
        row = corpus.row_of(seed)
        assert row is not None
        mark = citation_mark(corpus.authors(row), corpus.date(row)[:4]).removesuffix("()")  # it may have no date
        citers = set(map(corpus.id_of, env.episode.resources.graph.citers(row).tolist()))
        observation, *_ = env.step(call("read", paper=seed))
        assert observation["document"]["title"] == corpus.title(row)
        contexts = observation["contexts"]
        assert len(contexts) == 3
        assert f"references, {len(citers)} citers" in observation["feedback"]
        assert "read on with section 'citations' and offset 3" in observation["feedback"]
        observation, *_ = env.step(call("read", paper=seed, section="citations", offset=3))
        contexts += observation["contexts"]
        assert {context["citing"] for context in contexts} <= citers
        shown = [context["text"] for context in contexts if context["text"]]
        assert len(shown) >= len(contexts) - 1  # a text may leave a mention out
        assert all(mark in text for text in shown)
        observation, *_ = env.step(call("read", paper=seed, section="1"))
        assert observation["document"]["section"]
        assert observation["contexts"] == []
        assert env.episode.state.n_contexts == len(contexts)


def test_when_the_budget_is_spent_only_an_answer_is_taken() -> None:
    env = make("Novelty", max_tool_calls=2)
    env.reset(seed=0)
    env.step(call("search", text="learning"))
    observation, *_ = env.step("no call")
    assert (observation["budget"]["calls"], observation["budget"]["answer_only"]) == (0, 1)
    assert observation["feedback"] == "the budget is spent; answer or abstain now"
    fork = env.fork()
    observation, _, terminated, truncated, info = env.step(call("search", text="x"))
    assert (info["action_error"], terminated, truncated) == ("answer_only", False, False)
    assert observation["error"] == "search: the budget is spent; call answer or abstain now"
    _, reward, terminated, truncated, info = env.step("again")
    assert (reward, truncated, info["stop_reason"], info["failure_kind"]) == (0.0, True, "budget_spent", "policy")
    assert math.isnan(info["metrics"]["recall_release@50"])
    assert info["metrics"]["recall_paper@50"] == 0.0
    reward, metrics = answered(fork, fork.episode.task.gold)
    assert (reward > 0, metrics["forced"], fork.episode.stop_reason) == (True, 1.0, "answered")


def test_longer_answers_are_cut_and_counted_and_the_release_counts_repetitions() -> None:
    env = make("Path")
    env.reset(seed=0)
    gold, corpus = env.episode.task.gold, env.corpus
    others = [corpus.id_of(row) for row in range(40) if corpus.id_of(row) not in gold]
    reward, metrics = answered(env, [*others[:10], *gold])
    assert (reward, metrics["n_cut"], metrics["n_items"]) == (0.0, float(len(gold)), 10.0 + len(gold))
    assert metrics["path_precision_release"] == len(gold) / (10 + len(gold))
    env = make("Disruption")
    env.reset(seed=0)
    gold = env.episode.task.gold
    _, metrics = answered(env, [*[gold[0]] * 75, "nothing"])
    assert (metrics["recall_release@50"], metrics["recall_paper@50"], metrics["n_cut"]) == (1.5, 0.02, 26.0)
    assert (metrics["n_unknown"], metrics["n_distinct"]) == (1.0, 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_gold_reaches_the_maximum_of_every_measure_against_it(kind: str) -> None:
    env = make(kind)
    best = {
        "recall_of_gold@50": 1.0, "pair_f1": 1.0, "pair_precision": 1.0, "pair_recall": 1.0, "path_f1_inner": 1.0,
        "path_precision": 1.0, "path_recall": 1.0, "path_inner": 1.0, "path_jaccard": 1.0, "path_lcs": 1.0,
        "connectivity_chain": 1.0, "connectivity_induced": 1.0, "connectivity_order": 1.0, "connectivity_any": 1.0,
        "connectivity_expected": 1.0, "connectivity_release": 1.0, "path_precision_release": 1.0, "rationality": 10.0,
        "cite_acc_in": 1.0, "cite_sentiment": 1.0, "cite_sentiment_given_cite": 1.0, "cite_sentiment_given_pdf": 1.0,
        "cite_acc_release": 1.0, "cite_sentiment_release": 1.0, "comention_acc": 1.0, "comention_acc_strict": 1.0,
        "comention_acc_strict_min5": 1.0, "comention_paragraph": 1.0, "comention_paragraph_strict": 1.0,
        "comention_acc_release": 1.0, "comention_paragraph_release": 1.0, "gold_f1": 1.0, "litsearch_recall": 1.0,
        "litsearch_ndcg": 1.0,
    }  # fmt: skip
    for task_id in env.tasks:
        env.reset(options={"task_id": task_id})
        gold = env.episode.task.gold
        reward, metrics = answered(env, gold)
        assert reward == (len(gold) / 50 if kind in KINDS[:2] else 1.0)
        assert {name: value for name, value in metrics.items() if name in best} == {
            name: value for name, value in best.items() if name in metrics
        }
        if kind == "CiteSentiment":  # a short answer counts as five papers
            assert metrics["cite_acc_strict"] == metrics["cite_sentiment_strict"] == min(1.0, len(gold) / 5)
        if kind in KINDS[:2]:
            assert metrics["sos_mean_of_pct@5"] > 85
            assert metrics["llm_top5"] >= 9
            _, backwards = answered(env, gold[::-1], task_id)  # its first five are the field's last
            assert backwards["sos_mean_of_pct@5"] < metrics["sos_mean_of_pct@5"]


def means_of(env: ScholarEnv, agent: str, seeds: int = 4) -> dict[str, float]:
    """Mean return and metrics of an agent over all tasks and some seeds; what is undefined counts as 0."""
    player, found = make_agent(agent, "scinet", env.tools), []
    for task_id in env.tasks:
        for seed in range(seeds):
            observation, _ = env.reset(options={"task_id": task_id})
            player.reset(seed)
            ended = False
            while not ended:
                observation, reward, terminated, truncated, info = env.step(player.act(observation))
                ended = terminated or truncated
            found.append({**info["metrics"], "return": reward})
    return means(found)


def means(found: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: math.fsum(np.nan_to_num([row[name] for row in found])) / len(found) for name in found[0]}


def tricks(env: ScholarEnv) -> dict[str, list[str]]:
    """Answers that released or precise measures reward, for the task that is being played."""
    need, graph, corpus = need_of(env), env.episode.resources.graph, env.corpus
    if need.kind == "path":
        citing = next(row for row in range(corpus.n_papers) if len(graph.references(row)))
        pair = [corpus.id_of(int(graph.references(citing)[0])), corpus.id_of(citing)]
        return {"both ends": [need.start, need.end], "a citing pair": pair}
    if need.kind in ("sentiment", "comention"):
        cited = [corpus.id_of(int(row)) for row in graph.references(corpus.row_of(need.seed))[:1]]
        own = {"the seed": [need.seed] * 9, "what it cites": cited}
        return {**own, "one sure paper": [need.gold[0]], "repeated": [need.gold[0]] * 50}
    bare = [corpus.id_of(row) for row in range(corpus.n_papers) if not len(graph.references(row))]
    return {"without references": bare[:50], "repeated": [need.gold[0]] * 50}


@pytest.mark.parametrize("kind", KINDS)
def test_no_trick_earns_more_than_the_random_agent(kind: str) -> None:
    env = make(kind)
    earned: dict[str, list[dict[str, float]]] = {}
    for task_id in env.tasks:
        env.reset(options={"task_id": task_id})
        for name, papers in {**tricks(env), "nothing": []}.items():
            reward, metrics = answered(env, papers, task_id)
            earned.setdefault(name, []).append({**metrics, "return": reward})
            if name == "both ends":
                assert metrics["path_precision_release"] == 1.0
            if name == "a citing pair":
                assert metrics["connectivity_release"] == 1.0
            if name == "the seed" and kind == "CoMention":
                assert metrics["comention_acc_release"] == 1.0
            if name == "one sure paper" and kind == "CiteSentiment":
                assert metrics["cite_sentiment_release"] == 1.0
            if name == "repeated" and kind in KINDS[:2]:
                assert metrics["recall_release@50"] == 1.0
    floor = means_of(env, "random")
    assert floor["return"] > 0
    entry = card(f"SciNet-{kind}-v0")
    # of a chain the two ends are a part, and a whole one where the one cites the other; a right paper is its share of
    # the recall
    fair = {"connectivity_chain", "pair_recall"}
    paid = {"return", *entry.metrics} - {*entry.recorded_only, *SCINET_COUNTS, *fair, "mean_citations"}
    assert len(paid) > 5
    for name, found in earned.items():
        mean = means(found)
        assert {metric for metric in paid if mean[metric] > floor[metric]} == set(), name


@pytest.mark.parametrize("kind", KINDS)
def test_what_can_be_gamed_is_refused_as_a_reward(kind: str) -> None:
    entry = card(f"SciNet-{kind}-v0")
    gamed = [name for name in entry.metrics if name.endswith("_release") or "_raw_" in name]
    assert len(gamed) >= 2 - (kind in KINDS[:2])
    assert all(name in entry.recorded_only for name in gamed if "@" not in name)
    with pytest.raises(InvalidOptionError, match=f"reward weight 1.0 of {gamed[0]}. Rule: .* recorded and never paid"):
        make(kind, reward={gamed[0]: 1.0})
    assert make(kind, reward={gamed[0]: 0.0, "pasa_recall": 1.0}).reset(seed=0)


def test_a_judge_of_ones_own_rates_and_one_that_is_none_is_refused() -> None:
    env = make("CiteSentiment", judge="tests.families.scinet:KindJudge")
    env.reset(seed=0)
    citers = sorted(env.episode.resources.citers(need_of(env).seed))[:50]
    env = pickle.loads(pickle.dumps(env))
    _, metrics = answered(env, citers)
    assert metrics["cite_sentiment"] == metrics["cite_acc_in"] == 1.0
    truth = make("CiteSentiment")
    truth.reset(seed=0)
    _, metrics = answered(truth, citers)
    assert metrics["cite_sentiment"] == len({*truth.episode.task.gold} & {*citers}) / len(citers) < 1.0
    with pytest.raises(InvalidOptionError, match=r"judge='math:pi': it is a float. Rule: a judge has the method rate"):
        make("Path", judge="math:pi")
    with pytest.raises(InvalidOptionError, match=r"judge='tests.families.scinet:nobody'"):
        make("Path", judge="tests.families.scinet:nobody")


@pytest.mark.parametrize("kind", KINDS)
def test_every_agent_answers_within_the_budget_replays_equal_and_is_reported(kind: str, tmp_path: Path) -> None:
    assert set(AGENTS) <= set(agents_of("scinet"))
    runs = []
    for agent in AGENTS:
        done = run(f"SciNet-{kind}-v0", agent, out=tmp_path / agent, corpus="world", tasks=2)
        assert replay(done.folder).findings == ()
        runs.append(read_run(done.folder))
        for episode in runs[-1].episodes:
            assert episode.stop_reason in ("answered", "abstained")
            assert episode.metrics["n_invalid"] == 0.0
            assert episode.metrics["n_calls"] <= 31
    tables = {table.title: table for table in report_tables(build_report(runs, resamples=5))}
    released = tables["As the release computes it (can be gamed, never a reward)"]
    assert len(released.rows) == len(AGENTS)
    assert {"Novelty": "raw novelty", "Disruption": "raw disruption", "CiteSentiment": "Cite-Acc",
            "CoMention": "CoMention-Par", "Path": "Consistency"}[kind] in released.columns  # fmt: skip
    crawl = tables["Search and answer as PaSa and LitSearch measure them"]
    assert crawl.columns[:3] == ["run", "crawler recall", "precision"]
    assert [row[crawl.columns.index("LitSearch recall")] for row in crawl.rows][-1] == "1.000"


def test_training_tasks_have_no_end_and_follow_from_their_names() -> None:
    for kind in KINDS:
        env = gymnasium.make(f"SciNet-{kind}-Train-v0", corpus="world-train-0").unwrapped
        assert isinstance(env, ScholarEnv)
        env.reset(options={"task_id": "w0-41"})
        first = env.episode.task
        assert (first.id, first.details["kind"]) == ("w0-41", env.card.split.removeprefix("train_"))
        env.reset(options={"task_id": "w0-3"})
        assert env.episode.task.question != first.question
        assert first.gold
