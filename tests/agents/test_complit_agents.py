"""CompLit's agents that read, played on a small corpus: odd needs, small budgets, and what decides for a paper."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from scholar_env.agents import complit_phrases, make_agent
from scholar_env.agents.complit_asks import learned_asks
from scholar_env.agents.complit_checker import RerankAgent, same, searches_of
from scholar_env.agents.complit_clauses import Clause, clauses_of
from scholar_env.agents.complit_headings import learned_headings
from scholar_env.agents.complit_judge import Judgement, Says, judge, says, weights_of
from scholar_env.agents.complit_reading import Read, read_paper
from scholar_env.agents.complit_scale import Scale, weighted
from scholar_env.agents.complit_verdict import turned_worth, when_true, worth_of
from scholar_env.agents.study_traits import traits_of
from scholar_env.corpus import Corpus
from scholar_env.environment.observation import Viewer
from scholar_env.environment.registry import card
from scholar_env.episode.complit.engine import ComplitEpisode
from scholar_env.episode.family import Caps
from scholar_env.records import Task
from tests.episode.complit_small import corpus, cumulative, episode, standard

__all__ = ["corpus"]

AGENTS = ("checker", "never-abstain", "rerank")


def need(question: str, *turns: str) -> Task:
    told = [{"utterance": text, "purpose": "", "constraint_ids": []} for text in turns]
    details: dict[str, Any] = {"target": {"id": "p0", "title": "Graph walks"}, "near_miss": None, "turns": told}
    return Task("n", question, "", ("p0",), details=details)


def play(papers: Corpus, task: Task, agent: str, **options: Any) -> tuple[ComplitEpisode, list[str], list[Any]]:
    """Plays an episode; returns it, the codes of its errors, and the calls."""
    running = episode(papers, task, **options)
    entry = card("CompLit-Cumulative-v0" if running.config.conversation else "CompLit-Standard-v0")
    viewer = Viewer(entry.family, entry.observation, papers, Caps())
    player = make_agent(agent, "complit", running.tools)
    player.reset(0)
    outcomes: list[Any] = []
    errors: list[str] = []
    made: list[Any] = []
    while not running.stop_reason:
        given: Any = player.act(viewer.observe(running, outcomes))
        calls = given if isinstance(given, list) else [given]
        made += calls
        outcomes = [running.call(one) for one in calls if not running.stop_reason]
        errors += [outcome.error_code for outcome in outcomes if outcome.error_code]
    return running, errors, made


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_that_read_find_a_paper_by_its_words(corpus: Corpus, agent: str) -> None:
    running, errors, made = play(corpus, standard(), agent)
    assert (running.stop_reason, running.answer_ids(), errors) == ("answered", ["p0"], [])
    keys = [json.dumps(call) for call in made]
    assert len(set(keys)) == len(keys)
    assert "read" in {call["name"] for call in made}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("calls", [1, 2, 3])
def test_they_stop_when_the_budget_is_spent(corpus: Corpus, agent: str, calls: int) -> None:
    running, errors, made = play(corpus, standard(), agent, max_tool_calls=calls)
    assert (errors, len(made)) == ([], calls + 1)
    read = any(call["name"] == "read" for call in made)
    assert running.answer_ids() == (["p0"] if read or agent == "never-abstain" else [])


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    "question", ["", "?!", '"Graph walks" "Graph runs"', "a \0 b\0", '\0 "Graph walks"', "深度学习", "it was " * 1100]
)
def test_a_need_that_asks_for_nothing_ends_the_episode(corpus: Corpus, agent: str, question: str) -> None:
    running, errors, _ = play(corpus, need(question), agent)
    assert running.stop_reason in {"answered", "abstained"}
    assert errors == []
    talked, errors, _ = play(corpus, need(question, question), agent, conversation=True)
    assert (talked.stop_reason, errors) == (running.stop_reason, [])


@pytest.mark.parametrize("agent", AGENTS)
def test_in_a_conversation_they_answer_each_turn(corpus: Corpus, agent: str) -> None:
    running, errors, made = play(corpus, cumulative(), agent, conversation=True)
    verdicts = [call["name"] for call in made if call["name"] in {"answer", "abstain"}]
    assert (len(verdicts), errors, running.state.turn) == (3, [], 2)


def test_a_quoted_title_is_looked_up_and_compared(corpus: Corpus) -> None:
    question = 'Graphs matter to us. It is about graphs with a title, and of a later year than "Graph  walks".'
    running, _, made = play(corpus, need(question), "never-abstain")
    assert made[0]["arguments"] == {"text": "Graph  walks", "k": 1}
    assert made[1] == {"name": "read", "arguments": {"paper": "p0"}}
    assert running.answer_ids() in (["p1"], ["p2"], ["p4"])
    assert same("Graph walks!", "graph walk")
    assert not same("Graph walks", "Graph runs")


def test_what_was_learned_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads, sizes = json.loads, []

    def counted(text: str) -> Any:
        sizes.append(len(text))
        return loads(text)

    for kept in (complit_phrases.learned_json, complit_phrases.learned, learned_headings, learned_asks):
        kept.cache_clear()
    monkeypatch.setattr(json, "loads", counted)
    assert complit_phrases.learned().cues
    assert learned_headings().traits
    assert learned_asks().weights
    assert len(sizes) == 1


def paper_of(text: str) -> Read:
    document = {"paper": "p", "title": "A study", "date": "2020-01-01", "authors": ["A B"], "text": text}
    return read_paper(document, (), ())


def test_what_others_are_cited_for_is_not_told_of_the_paper() -> None:
    said = "We were supported by a government grant."
    assert says(paper_of(said), "funding", "public").share is not None
    assert says(paper_of(f"Rao et al. wrote: {said[0].lower()}{said[1:]}"), "funding", "public").share is None


def test_free_software_is_no_product() -> None:
    assert traits_of("a licence fee is charged") == {"maturity": "product"}
    assert traits_of("no licence fee is charged") == {}


def clause(text: str) -> Clause:
    [found] = clauses_of(text)
    return found


def words_said(one: Clause, paper: Read, *others: Read) -> float:
    return judge([one], paper, weights_of([one], [paper.terms, *(other.terms for other in others)]), {}).words


def test_words_that_stand_together_count_double_and_those_meant_count_too() -> None:
    wanted, far = clause("elephant tusks"), paper_of("An elephant has white tusks.")
    joined, other = paper_of("Elephant tusks are heavy."), paper_of("Trees.")
    assert words_said(wanted, joined, far) == pytest.approx(2 * words_said(wanted, far, joined))
    assert words_said(wanted, joined, far) > words_said(wanted, other, joined) == 0.0
    assert words_said(replace(wanted, meant={"trees": 0.5}), other, joined) > 0.0
    assert words_said(replace(wanted, sure=0.6), joined) == 0.0


def test_names_ranks_and_a_false_clause_count() -> None:
    named = clause("it beats SkelbaNet")
    assert judge([named], paper_of("SkelbaNet is old."), dict.fromkeys(named.terms, 1.0), {}).names == 1
    plain = worth_of(Judgement(), 0.0, trust=True)
    assert worth_of(Judgement(names=1), 0.0, trust=True) > plain < worth_of(Judgement(), 0.5, trust=True)
    open_one = Judgement(traits=[Says(1.0, None, 2, False)])
    assert turned_worth(Judgement(), 0.0) < -0.5 < turned_worth(open_one, when_true(open_one.traits[0])) < 0.5


def test_traits_are_searched_for_only_where_nothing_else_is_asked_for() -> None:
    trait = "works without any labels"
    both = clauses_of(f"finds communities in graphs, {trait}")
    assert all("labels" not in text and "communities" in text for text, *_ in searches_of(both, 5))
    assert searches_of(clauses_of(trait), 1) == [("labels", "full_text", 0, 1.0)]


def test_reranking_knows_no_traits(corpus: Corpus) -> None:
    running, _, _ = play(corpus, need("needs no labels and 12 GPUs"), "rerank")
    assert running.answer_ids() == ["p1"]
    assert RerankAgent(("search",)).options == {"reads": 8}


def test_labels_start_from_their_bases() -> None:
    scale = Scale(labels=["common", "rare"], base=[10, -10], stems={"odd": [1, 2]})
    label, log = scale.best(weighted(["new"], {"odd": 10}))
    assert label == "common"
    assert log == pytest.approx(-math.log(1.0 + math.exp(-2.0)))
    assert scale.best(weighted(["odd"], {"odd": 10}))[0] == "rare"
