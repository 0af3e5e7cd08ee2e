"""Whole CompLit task sets of a small world: what must hold of every query."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from scholar_env import storage
from scholar_env.construction.intents import INTENT_IDS
from scholar_env.construction.parts import IndexRanker
from scholar_env.construction.pipeline import Counts
from scholar_env.construction.records import Query
from scholar_env.construction.uniqueness import common, needed
from scholar_env.corpora.world import complit_tasks
from scholar_env.corpora.world import tasks as tasks_module
from scholar_env.corpora.world.build import build_world
from scholar_env.corpora.world.complit_columns import Claim
from scholar_env.corpora.world.complit_maker import Made, Maker
from scholar_env.corpora.world.complit_mix import CompLitMix
from scholar_env.corpora.world.complit_numbers import scaled
from scholar_env.corpora.world.complit_sets import Assembler, Attempts, Sets
from scholar_env.corpora.world.complit_truth import KnownTruth
from scholar_env.corpora.world.morphology import content_stems
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpora.world.world import World, WorldTasks
from scholar_env.corpus import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task
from tests.world.published_papers import RULES, STANDINGS, Published

SPEC = WorldSpec(seed=11, papers=500, subfields=("cs.IR", "econ.LB", "q-bio.NC"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCHOLAR_ENV_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setattr(storage, "fs_fsync", lambda fd: None)
        patch.setattr(tasks_module, "ALL", 20)
        return Corpus.open(build_world(tmp_path_factory.mktemp("worlds") / "complit", SPEC, name="complit"))


@pytest.fixture(scope="module")
def world(corpus: Corpus) -> World:
    return load_world(corpus)


@pytest.fixture(scope="module")
def maker(world: World) -> Maker:
    return Maker(world)


@pytest.fixture(scope="module")
def sets(world: World, corpus: Corpus, maker: Maker) -> Sets:
    ranker = IndexRanker(corpus, corpus.sparse_index(), complit_tasks.surveys_of(world))
    mix = scaled(maker.mix, len(maker.offers.eligible))
    return Assembler(maker, mix, complit_tasks.reference(ranker, mix.found_within)).sets()


@pytest.fixture(scope="module")
def made(world: World, corpus: Corpus) -> WorldTasks:
    return complit_tasks.build(world, corpus)


def of(made: WorldTasks, setting: str) -> list[Task]:
    return [task for task in made.tasks if task.details["setting"] == setting]


def paper_of(task: Task) -> str:
    return str((task.details["target"] or task.details["near_miss"])["id"])


def test_every_query_is_satisfied_by_its_paper_alone(sets: Sets, maker: Maker) -> None:
    everything = maker.columns.everything
    assert everything == (1 << SPEC.papers) - 1
    for query in (*sets.standard, *sets.implicit):
        found = [maker.columns.flags(entry.option.claim) for entry in query.said]
        assert np.flatnonzero(np.logical_and.reduce(found)).tolist() == [query.row], query.text
        papers = [entry.option.papers for entry in query.said]
        assert query.needed == sum(needed(papers, everything))
        assert query.smallest >= 2
        if len(papers) <= maker.mix.half_needed:
            assert 2 * query.needed >= len(papers)


def test_claims_hold_of_the_papers_whose_published_texts_say_so(corpus: Corpus, sets: Sets, maker: Maker) -> None:
    columns = maker.columns
    published = Published(corpus, maker.world, maker.readings.shared, columns.categories, columns.surnames)
    asked = {entry.option.claim for query in (*sets.standard, *sets.implicit, *sets.unmet) for entry in query.said}
    claims = {claim for claim in asked if claim.kind in RULES} | {
        Claim(name, (row,)) for name in STANDINGS for row in maker.offers.eligible[:300:20]
    }
    assert {claim.kind for claim in claims} == {*RULES, *STANDINGS}
    for claim in sorted(claims):
        said, known = published.holds(claim), columns.flags(claim).tolist()
        wrong = [row for row in range(SPEC.papers) if said[row] is not None and said[row] != known[row]]
        assert not wrong, (claim, wrong)
        assert sum(one is not None for one in said) > 0.3 * SPEC.papers, claim


def test_no_paper_satisfies_an_unmet_query_and_its_near_miss_violates_one_clause(sets: Sets, maker: Maker) -> None:
    for query in sets.unmet:
        papers = [entry.option.papers for entry in query.said]
        assert common(papers, maker.columns.everything) == 0
        violated = [place for place, claim in enumerate(papers) if not claim >> query.row & 1]
        assert violated == [query.injected]
        true = [claim for place, claim in enumerate(papers) if place != query.injected]
        assert common(true, maker.columns.everything) == 1 << query.row


def test_false_clauses_are_refuted_or_left_open_by_the_text(sets: Sets, maker: Maker) -> None:
    seen: Counter[str] = Counter()
    for query in sets.unmet:
        clause = query.clause
        assert clause is not None
        reading = maker.readings.of(query.row)
        if clause.kind == "table_value":
            code = maker.readings.shared.fact_codes[clause.option.claim.kind]
            assert bool(reading.levels(code)) == (clause.status == "refuted")
            assert not reading.in_lead(code)
        seen[f"{clause.kind} {clause.status}"] += 1
    assert set(seen) == {"table_value refuted", "table_value silent", "figure_fact refuted"}


def test_a_false_value_is_never_of_what_title_or_abstract_tell(maker: Maker) -> None:
    attributes = [attribute.id for attribute in maker.world.ontology.attributes]
    attempts, asked = Attempts(5, "test"), 0
    for row in maker.offers.eligible:
        told = {name for name in attributes if maker.support.in_lead(row, name)}
        for _ in range(6 * bool(told)):
            offer = maker.offers.of(row)
            clause = maker.injector.clause(offer, ("attribute", "explicit"), set(), "refuted", attempts(64))
            assert clause is not None
            assert clause.option.claim.kind not in told
            asked += 1
    assert asked >= 100


def test_evidence_stands_in_the_paper_at_its_level(sets: Sets, maker: Maker) -> None:
    for query in (*sets.standard, *sets.implicit):
        rendered = maker.readings.of(query.row).rendered
        texts = [rendered.title, rendered.abstract, *(section.text for section in rendered.sections)]
        for entry in query.said:
            passages = entry.evidence.passages
            assert all(any(passage.text in text for text in texts) for passage in passages)
            if entry.evidence.kind in ("text", "figure"):
                assert passages, entry
            if entry.option.level in ("paraphrased", "inferred"):
                stems = content_stems(entry.worded.bare).keys()
                assert all(stems.isdisjoint(content_stems(passage.text)) for passage in passages), entry
            if entry.option.family == "attribute" and entry.option.level == "inferred":
                assert len({passage.place for passage in passages}) >= 2


def test_explicit_constraints_share_a_word_with_their_evidence(made: WorldTasks) -> None:
    checked: Counter[str] = Counter()
    for task in (*of(made, "standard"), *of(made, "unmet")):
        for entry in task.details["constraints"]:
            evidence = entry["evidence"]
            if entry["source"] == "content" and not entry["injected"]:
                said = set().union(*(content_stems(passage["text"]) for passage in evidence["passages"]))
                shares = not said.isdisjoint(content_stems(entry["text"]))
                assert shares or entry["level"] != "explicit", entry
                checked[entry["level"]] += 1
    assert checked["explicit"] > 50


def test_implicit_queries_are_inferred_and_without_metadata(made: WorldTasks) -> None:
    for task in (*of(made, "implicit"), *of(made, "cumulative")):
        constraints = task.details["constraints"]
        assert {entry["level"] for entry in constraints} == {"inferred"}
        assert not any(entry["source"] == "metadata" for entry in constraints)
        assert 3 <= len(constraints) <= 10
    levels = {(entry["source"] == "metadata", entry["level"]) for task in of(made, "standard")
              for entry in task.details["constraints"]}  # fmt: skip
    assert levels == {(True, None), (False, "explicit"), (False, "paraphrased"), (False, "inferred")}
    assert all(4 <= len(task.details["constraints"]) <= 17 for task in of(made, "standard"))


def test_queries_say_every_constraint_once(made: WorldTasks) -> None:
    for task in made.tasks:
        texts = [entry["text"] for entry in task.details["constraints"]]
        assert len(set(texts)) == len(texts)
        turns = task.details["turns"]
        if not turns:
            assert all(task.question.count(text) == 1 for text in texts), task.question
        for entry in task.details["constraints"] if turns else ():
            said = {number: turn["utterance"].count(entry["text"]) for number, turn in enumerate(turns)}
            told = [number for number, turn in enumerate(turns) if entry["id"] in turn["constraint_ids"]]
            assert {number: count for number, count in said.items() if count} == dict.fromkeys(told, 1)
            assert len(told) == 1


def test_tasks_are_the_queries_that_were_checked_with_one_injected_constraint_where_none_fits(
    made: WorldTasks, sets: Sets
) -> None:
    for setting, queries in (("standard", sets.standard), ("implicit", sets.implicit), ("unmet", sets.unmet)):
        tasks = of(made, setting)
        assert sorted(task.question for task in tasks) == sorted(query.text for query in queries)
        for task in tasks:
            injected = [entry for entry in task.details["constraints"] if entry["injected"]]
            assert len(injected) == (setting == "unmet")
            assert task.labels["clause"] == (injected[0]["status_in_paper"] if injected else "")
            assert (task.details["target"] is None) is (task.details["near_miss"] is not None) is bool(injected)
    told = [[turn["utterance"] for turn in task.details["turns"]] for task in of(made, "cumulative")]
    assert sorted(told) == sorted([turn.utterance for turn in turns] for turns in sets.turns)


def test_conversations_reveal_constraints_as_they_should(made: WorldTasks, sets: Sets, maker: Maker) -> None:
    implicit = {(paper_of(task), tuple(entry["text"] for entry in task.details["constraints"]))
                for task in of(made, "implicit")}  # fmt: skip
    talks = of(made, "cumulative")
    assert len(talks) == len(implicit)
    for task in talks:
        details = task.details
        assert (paper_of(task), tuple(entry["text"] for entry in details["constraints"])) in implicit
        first, *later = details["turns"]
        assert task.question == first["utterance"]
        assert first["constraint_ids"] == []
        assert all(1 <= len(turn["constraint_ids"]) <= 3 for turn in later)
        revealed = [name for turn in later for name in turn["constraint_ids"]]
        assert sorted(revealed) == sorted(entry["id"] for entry in details["constraints"])
        goal = content_stems(first["utterance"]).keys()
        assert all(len(goal & content_stems(entry["text"]).keys()) < 2 for entry in details["constraints"])
        assert first["purpose"] == "orient"
        assert later[-1]["purpose"] == "commit"
        assert all(turn["purpose"] in ("narrow", "detail", "weigh") for turn in later[:-1])
    for query, turns in zip(sets.implicit, sets.turns, strict=True):
        counts = [entry.option.papers.bit_count() for entry in query.said]
        for number, turn in enumerate(turns, 1):
            for name in turn.constraint_ids:
                if counts[int(name[1:]) - 1] == min(counts):
                    assert 2 * number >= len(turns) + 1
    assert Counter(len(turns) for turns in sets.turns) == dict(
        zip((3, 4, 5), scaled(maker.mix, len(maker.offers.eligible)).turns, strict=True)
    )


def test_settings_share_the_papers_that_they_should(made: WorldTasks, maker: Maker) -> None:
    mix = scaled(maker.mix, len(maker.offers.eligible))
    papers = {name: {paper_of(task) for task in of(made, name)} for name in ("standard", "implicit", "unmet")}
    assert not papers["standard"] & papers["implicit"]
    assert len(papers["unmet"] & papers["standard"]) == mix.shared_standard
    assert len(papers["unmet"] & papers["implicit"]) == mix.shared_implicit
    assert len(papers["standard"]) == mix.standard_targets
    assert len(papers["implicit"]) == mix.implicit_targets
    assert len(papers["unmet"]) == mix.unmet_targets
    facts = maker.world.facts
    rows = {paper: row for row, paper in enumerate(facts.ids)}
    assert not any(facts.survey[rows[paper]] for own in papers.values() for paper in own)


def test_ids_tell_nothing_and_subsets_are_whole(made: WorldTasks) -> None:
    ids = [task.id for task in made.tasks]
    assert ids == [f"cl-{number + 1:05}" for number in range(len(ids))]
    settings = [task.details["setting"] for task in made.tasks]
    quarter = Counter(settings[: len(settings) // 2])
    assert all(quarter[name] < count for name, count in Counter(settings).items())
    mixed = {by.details["setting"] for by in made.tasks if by.id in set(made.subsets["mixed"])}
    assert mixed == {"standard", "implicit", "unmet"}
    assert all(task.gold == ((paper_of(task),) if task.details["target"] else ()) for task in made.tasks)
    assert {task.details["intent"] for task in made.tasks} <= set(INTENT_IDS)


def test_details_are_read_back(made: WorldTasks) -> None:
    for task in made.tasks[:60]:
        assert Query.from_details(task.question, task.details).details() == task.details


def test_the_same_world_gives_the_same_tasks(made: WorldTasks, world: World, corpus: Corpus) -> None:
    again = complit_tasks.build(world, corpus)
    assert again.tasks == made.tasks
    assert again.subsets == made.subsets


@pytest.mark.parametrize("kind", ["standard", "implicit", "cumulative", "unmet", "mixed"])
def test_training_tasks_are_of_the_kind_that_is_asked_for(world: World, corpus: Corpus, kind: str) -> None:
    tasks = [complit_tasks.train_task(world, corpus, number, kind) for number in range(3)]
    assert len({task.question for task in tasks}) == 3
    assert tasks[1] == complit_tasks.train_task(world, corpus, 1, kind)
    settings = {task.details["setting"] for task in tasks}
    assert settings <= {"standard", "implicit", "unmet"} if kind == "mixed" else settings == {kind}


def test_a_training_kind_must_be_known(world: World, corpus: Corpus) -> None:
    with pytest.raises(InvalidOptionError, match="CompLit tasks of the kind 'hard'"):
        complit_tasks.train_task(world, corpus, 0, "hard")


def test_candidates_of_retrievers_stand_in_for_all_papers(world: World, corpus: Corpus) -> None:
    ranker = IndexRanker(corpus, corpus.sparse_index())
    lenient = Maker(world, CompLitMix(uniqueness="top50"), lambda text: [ranker.rows(text, 50)])
    plan = (("P", "explicit"), ("attribute", "explicit"), ("attribute", "paraphrased"), ("attribute", "inferred"))
    found: list[Made] = []
    attempts = Attempts(3, "test")
    for row in lenient.offers.eligible[:150]:
        query = lenient.standard(row, plan, attempts)
        if query is not None:
            found.append(query)
    assert found
    for query in found:
        satisfying = common([entry.option.papers for entry in query.said], lenient.columns.everything)
        others = [row for row in ranker.rows(query.text, 50) if row != query.row]
        assert not any(satisfying >> row & 1 for row in others)
    with pytest.raises(InvalidOptionError, match="uniqueness='top50' without rankings"):
        Maker(world, replace(CompLitMix(), uniqueness="top50"))


def test_two_retrievers_give_fifty_candidates_each_where_candidates_decide(world: World, corpus: Corpus) -> None:
    assert len(complit_tasks.rankers_of(world, corpus, None)) == 1
    rankers = complit_tasks.rankers_of(world, corpus, CompLitMix(uniqueness="top50"))
    abstract, full = (ranker.rows("retrieval of documents with little data", 50) for ranker in rankers)
    assert len(abstract) == len(full) == 50
    assert 50 < len({*abstract, *full}) <= 100
    assert not any(world.facts.survey[row] for row in (*abstract, *full))


def test_the_pipeline_over_known_truth_counts_what_it_does(corpus: Corpus, maker: Maker) -> None:
    truth = KnownTruth(maker)
    pipeline = truth.pipeline((IndexRanker(corpus, corpus.sparse_index()),))
    counts = Counts()
    queries = [pipeline.construct(corpus.paper(row), counts) for row in maker.offers.eligible[:25]]
    made = [query for query in queries if query is not None]
    table = dict(counts.table())
    assert table["papers"] == 25
    assert table["queries kept"] == len(made) > 0
    assert table["queries written"] == table["queries kept"] + table["queries not unique"]
    assert table["constraints proposed"] == table["constraints verified"] + table["constraints rejected"]
    assert all(entry.text in query.text for query in made for entry in query.constraints)
