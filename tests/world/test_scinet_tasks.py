from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scholar_env.corpora.world import scinet_gold, scinet_tasks
from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.planted import ATYPICAL, CONSOLIDATING, DISRUPTIVE
from scholar_env.corpora.world.scinet_fields import fields_of
from scholar_env.corpora.world.shipped import shipped_ontology
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpora.world.training import training_tasks
from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.graph.citation_graph import CitationGraph, Edges, make_graph
from scholar_env.graph.disruption import disruption_seed, impact
from scholar_env.graph.novelty import novelty
from scholar_env.graph.of_corpus import open_graph
from scholar_env.records import Task
from scholar_env.task_files.scinet_queries import KINDS, parse_query
from scholar_env.task_set import TaskSet, task_set_of


@pytest.fixture
def corpus(small_home: Path) -> Corpus:
    return resolve_corpus("world")


@pytest.fixture
def tasks(corpus: Corpus) -> TaskSet:
    return task_set_of(corpus, "scinet")


def of_kind(tasks: TaskSet, kind: str) -> list[Task]:
    return [tasks.tasks.get(name) for name in tasks.subsets[kind]]


@pytest.mark.parametrize("seed", [1, 2026])
def test_planted_papers_rank_as_planted(seed: int) -> None:
    facts = build_facts(shipped_ontology(), WorldSpec(seed=seed, papers=3000))
    table = facts.graph
    source = np.repeat(np.arange(3000), np.diff(table.starts))
    graph = make_graph(3000, Edges(source, table.targets))
    disruption = disruption_seed(impact(graph), graph.n_references_of)
    assert (table.role == DISRUPTIVE).sum() > 20
    assert (table.role == CONSOLIDATING).sum() > 20
    assert (disruption[table.role == DISRUPTIVE] == 1.0).all()
    assert (disruption[table.role == CONSOLIDATING] == -1.0).all()
    assert np.nanmean(disruption == 1.0) < 0.05  # few but the planted ones reach the end
    scores = novelty(graph)
    scored = ~np.isnan(scores)
    rank = np.argsort(np.argsort(scores[scored])) / scored.sum()
    planted = rank[table.role[scored] == ATYPICAL]
    assert len(planted) > 20
    assert planted.mean() < 0.3
    assert (planted < 0.5).mean() > 0.9


def test_sizes_follow_the_release_and_every_question_is_worded_as_there(tasks: TaskSet) -> None:
    ego = len(tasks.subsets["novelty"]) + len(tasks.subsets["disruption"])
    assert len(tasks.subsets["sentiment"]) == len(tasks.subsets["comention"]) == ego * 4200 // (2 * 2640)
    assert 0 < len(tasks.subsets["path"]) <= ego * 2185 // 2640
    assert tasks.subsets["all"] == tuple(name for kind in KINDS for name in tasks.subsets[kind])
    assert f"this world carries {ego} ego" in tasks.notes[0]
    questions = [task.question for task in tasks.tasks]
    assert len(set(questions)) == len(questions)
    for kind in KINDS:
        for task in of_kind(tasks, kind):
            assert parse_query(task.question).kind == task.details["kind"] == task.labels["kind"] == kind
            assert len(set(task.gold)) == len(task.gold) == int(task.labels["n_gold"]) > 0
            assert set(task.details) >= {"seed", "start", "end", "unit", "path_mode", "population", "titles", "asked_k"}


def test_ego_gold_is_the_top_of_the_field_by_definition(corpus: Corpus, tasks: TaskSet) -> None:
    world, graph = load_world(corpus), open_graph(corpus)
    cited = [set(graph.references(row).tolist()) for row in range(graph.n_papers)]
    citers = [[row for row in range(graph.n_papers) if paper in cited[row]] for paper in range(graph.n_papers)]
    fields = {(field.name, field.domain): field for field in fields_of(world)}
    for task in of_kind(tasks, "disruption"):
        scores = {}
        for row in np.flatnonzero(fields[task.details["field"], task.details["domain"]].rows).tolist():
            if cited[row] and len(citers[row]) >= 5:
                both = sum(bool(cited[paper] & cited[row]) for paper in citers[row])
                scores[world.facts.ids[row]] = (len(citers[row]) - 2 * both) / len(citers[row])
        best = sorted(scores, key=lambda paper: (-scores[paper], paper))
        assert task.details["scored"] == len(scores)
        assert list(task.gold) == best[: len(scores) // 10]
        assert task.details["scores"] == [scores[paper] for paper in task.gold]
    for task in of_kind(tasks, "novelty"):
        scores_of = novelty(graph)
        rows = [
            row
            for row in np.flatnonzero(fields[task.details["field"], task.details["domain"]].rows)
            if not np.isnan(scores_of[row])
        ]
        ids = {world.facts.ids[row]: scores_of[row] for row in rows}
        best = sorted(ids, key=lambda paper: (ids[paper], paper))
        assert list(task.gold) == best[: min(50, len(rows) // 10)]
        assert set(task.details["variants"]) == {"unit=journal", "unit=topic"}


def test_pair_gold_is_what_the_texts_say(corpus: Corpus, tasks: TaskSet) -> None:
    world = load_world(corpus)
    table, ids = world.facts.graph, world.facts.ids
    places = [
        (ids[row], ids[int(table.targets[at])], int(table.paragraph[at]), int(table.sentiment[at]))
        for row in range(len(ids))
        for at in range(int(table.starts[row]), int(table.starts[row + 1]))
    ]
    for positive, together in zip(of_kind(tasks, "sentiment"), of_kind(tasks, "comention"), strict=True):
        seed = positive.details["seed"]
        assert together.details["seed"] == seed
        assert seed not in together.gold
        assert list(positive.gold) == sorted(a for a, b, _, tone in places if b == seed and tone == 1)
        own = {(a, paragraph) for a, b, paragraph, _ in places if b == seed}
        counts: dict[str, int] = {}
        for a, b, paragraph, _ in places:
            if b != seed and (a, paragraph) in own:
                counts[b] = counts.get(b, 0) + 1
        assert dict(zip(together.gold, together.details["paragraphs"], strict=True)) == counts
        assert list(together.gold) == sorted(counts)
        assert parse_query(positive.question).titles == (corpus.title(corpus.row_of(seed) or 0),)


def walks(graph: CitationGraph, old: int, new: int, most: int) -> list[list[int]]:
    """All paths from an emerging paper back to a classical one."""
    front, found = [[new]], []
    for _ in range(most):
        front = [[*path, row] for path in front for row in graph.references(path[-1]).tolist()]
        found += [path for path in front if path[-1] == old]
        front = [path for path in front if path[-1] != old]
    return found


def test_gold_paths_are_the_most_influential_ones(corpus: Corpus, tasks: TaskSet) -> None:
    graph, world = open_graph(corpus), load_world(corpus)
    by_id = {paper: row for row, paper in enumerate(world.facts.ids)}
    month = world.facts.month
    for task in of_kind(tasks, "path"):
        rows = [by_id[paper] for paper in task.gold]
        ends = [task.details["start"], task.details["end"]]
        assert [task.gold[0], task.gold[-1]] == ends
        assert 3 <= len(rows) <= 6
        assert all(older in graph.references(newer) for older, newer in pairwise(rows))
        late = int(month.max()) - (int(month.max()) - int(month.min())) // 10
        assert month[rows[-1]] > late - 6  # the last tenth of the years of its field
        for other in task.details["variants"].values():
            assert not other or [other[0], other[-1]] == ends
    some = of_kind(tasks, "path")[:2]
    for task in some:
        paths = walks(graph, by_id[task.gold[0]], by_id[task.gold[-1]], 5)
        best = max(
            paths,
            key=lambda path: (int(graph.n_citers_of[path].sum()), -len(path), [-graph.id_rank[row] for row in path]),
        )
        assert [by_id[paper] for paper in task.gold] == best[::-1]


def test_tasks_do_not_change_from_one_making_to_the_next(corpus: Corpus, tasks: TaskSet) -> None:
    scinet_gold.gold_of.cache_clear()
    again = scinet_tasks.build(load_world(corpus), corpus, lambda stage, done, total: None)
    assert again.tasks == tuple(tasks.tasks)


@pytest.mark.parametrize("kind", KINDS)
def test_training_tasks_come_round_in_another_order(small_home: Path, kind: str) -> None:
    corpus = resolve_corpus("world-train-0")
    source = training_tasks(corpus, 0, "scinet", kind)
    assert source is not None
    tasks = [source.task(f"w0-{number}") for number in range(24)]
    assert [source.task(f"w0-{number}") for number in range(24)] == tasks
    assert all(task.details["kind"] == kind for task in tasks)
    questions = [task.question for task in tasks]
    if kind in ("novelty", "disruption"):
        assert sorted(questions[:4]) == sorted(questions[4:8])  # four fields
        assert len({tuple(questions[at : at + 4]) for at in range(0, 24, 4)}) > 1
    else:
        assert len(set(questions)) > 4


def test_unknown_kinds_are_refused(corpus: Corpus) -> None:
    with pytest.raises(InvalidOptionError, match=r"SciNet tasks of the kind 'ego'.*one of novelty, disruption"):
        scinet_tasks.train_task(load_world(corpus), corpus, 0, "ego")
