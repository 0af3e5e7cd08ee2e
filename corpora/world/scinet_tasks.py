"""The SciNet tasks of a world: novel and disruptive papers of a field, papers around a seed, and citation paths.

Numbers of tasks are in the proportion of the release (2,640 : 4,200 : 2,185), as many as its fields carry: each field
gives a question on novelty and one on disruption where enough of its papers are scored. Their gold is the best tenth of
these, 50 at most. Pair questions are asked of the same seeds. The gold of co-mention is every paper that shares a
citation paragraph with the seed, the gold of sentiment every paper that mentions it positively; gold paths are the most
influential ones of at most five references. `Task.details` also holds gold by other definitions (`variants`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from scholar_env.corpus_folder import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task
from scholar_env.task_files.scinet_queries import COMENTION, DISRUPTION, KINDS, NOVELTY, PATH, SENTIMENT, Query

from .choice import apportion, shuffled
from .scinet_fields import Field, fields_of
from .scinet_gold import MODE, gold_of
from .streams import Blocks
from .world import World, WorldTasks

VERSION = 1

ASKED = 5
"""Papers that ego questions ask for, as all of the release do."""

EGO, PAIR, PATHS = 2640, 4200, 2185
"""Released queries of each family."""

DRAWS, TRIES = 64, 4
"""Pairs of ends that are tried for a path before it is given up, and how often the next ones are tried in its place."""

SOURCES = {NOVELTY: "ego", DISRUPTION: "ego", SENTIMENT: "pair", COMENTION: "pair", PATH: "path"}
"""Released family of each kind."""


class Maker:
    """Makes the tasks of a world.

    Args:
        corpus: The world's corpus.
        purpose: Key of the draws; another one gives other seeds and ends.
    """

    def __init__(self, corpus: Corpus, purpose: str = "scinet") -> None:
        self.gold = gold_of(corpus)
        self.world = world = self.gold.world
        self.fields = fields_of(world)
        self._ids = world.facts.ids
        self._rank = self.gold.graph.id_rank.tolist().__getitem__
        self._purpose = purpose
        self._blocks = Blocks(world.spec.seed, f"{purpose}-path")
        order = shuffled(world.spec.seed, f"{purpose}-seeds", len(self.gold.seeds))
        self.seeds = self.gold.seeds[order].tolist()
        by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
        self._subfields = [by_id[name] for name in world.facts.subfields]
        self.lines = [field for field in self.fields if field.kind == "subfield"]

    @cached_property
    def asked(self) -> dict[str, list[Field]]:
        """The fields that have enough scored papers for questions on novelty and on disruption."""
        kinds = (NOVELTY, DISRUPTION)
        return {kind: [field for field in self.fields if self.gold.ranking(field, kind) is not None] for kind in kinds}

    def numbered(self, kind: str, number: int) -> Task | None:
        """Question `number` of a kind: what is asked about comes round in another order when all has been asked about.

        None where there is nothing to ask about, or no path is found.
        """
        subjects: Sequence[Field | int] = self.asked.get(kind, self.lines if kind == PATH else self.seeds)
        if not subjects:
            return None
        turn, place = divmod(number, len(subjects))
        order = shuffled(self.world.spec.seed, f"{self._purpose}-{kind}/{turn}", len(subjects))
        subject = subjects[int(order[place])]
        if isinstance(subject, Field):
            return self.path(subject, number, set()) if kind == PATH else self.ego(subject, kind)
        return self.sentiment(subject) if kind == SENTIMENT else self.comention(subject)

    def ego(self, field: Field, kind: str) -> Task:
        """The question for the best papers of a field, one of `asked`, by an indicator."""
        found = self.gold.ranking(field, kind)
        assert found is not None
        more = {
            "unit": "reference" if kind == NOVELTY else "",
            "scores": found.scores.tolist(),
            "scored": found.scored,
            "variants": {name: self._named(rows.tolist()) for name, rows in found.variants.items()},
        }
        return self._task(Query(kind, (), field.name, ASKED), found.rows.tolist(), _labels(field), more)

    def sentiment(self, seed: int) -> Task:
        """The question for papers that positively cite a seed."""
        tones = {name: sorted(rows.tolist(), key=self._rank) for name, rows in self.gold.citers(seed).items()}
        variants = {name: self._named(rows) for name, rows in tones.items() if name != "positive"}
        return self._pair(SENTIMENT, seed, tones["positive"], {"variants": variants})

    def comention(self, seed: int) -> Task:
        """The question for papers that are mentioned with a seed."""
        found = self.gold.together(seed)
        order = np.argsort(self.gold.graph.id_rank[found.rows])
        counts = {"paragraphs": found.paragraphs[order].tolist(), "papers": found.papers[order].tolist()}
        return self._pair(COMENTION, seed, found.rows[order].tolist(), counts)

    def path(self, field: Field, number: int, taken: set[tuple[int, int]]) -> Task | None:
        """A question for the path between a classical and an emerging paper of a field; None where none is found.

        Args:
            field: The field.
            number: Decides the draws.
            taken: Ends that are taken already; those of the new question are added.
        """
        classical, emerging = self.gold.ends(field)
        if not len(classical) or not len(emerging):
            return None
        raw = self._blocks.raw(number, 2 * DRAWS)
        for first, second in zip(raw[::2], raw[1::2], strict=True):
            ends = int(classical[first * len(classical) >> 32]), int(emerging[second * len(emerging) >> 32])
            found = None if ends in taken else self.gold.path(*ends)
            if found is None:
                continue
            taken.add(ends)
            start, end = self._named(ends)
            variants = {mode: self._named(rows) for mode, rows in found.variants.items()}
            more = {"start": start, "end": end, "path_mode": MODE, "variants": variants}
            titles = (self.gold.titles[ends[0]], self.gold.titles[ends[1]])
            return self._task(Query(PATH, titles, self._lineage(ends[1])), found.rows, _labels(field), more)
        return None

    def _lineage(self, row: int) -> str:
        """What a path is named for: the problem of the emerging paper and how it goes about it."""
        facts = self.world.facts
        concepts = self._subfields[int(facts.subfield[row])].concepts
        problem, method = (concepts[int(part[row])].forms[0].text for part in (facts.problem, facts.method))
        return f"{problem} by {method}"

    def _pair(self, kind: str, seed: int, gold: list[int], more: dict[str, Any]) -> Task:
        field = self._subfields[int(self.world.facts.subfield[seed])]
        labels = {"domain": field.group, "field": field.title, "field_kind": "subfield", "gold": "contexts"}
        return self._task(Query(kind, (self.gold.titles[seed],)), gold, labels, {"seed": self._ids[seed], **more})

    def _task(self, query: Query, gold: list[int], labels: dict[str, str], more: dict[str, Any]) -> Task:
        """A task without an id; its details hold every key of the family, "" where it does not apply, and what more."""
        ids = self._named(gold)
        details = {
            "kind": query.kind,
            "domain": labels["domain"],
            "field": query.field,
            "titles": list(query.titles),
            "asked_k": query.asked_k,
            **dict.fromkeys(("seed", "start", "end", "unit", "path_mode"), ""),
            "population": "corpus",
            **more,
        }
        labels = {"kind": query.kind, "gold": "", **labels, "n_gold": str(len(ids))}
        return Task("", query.text, "", tuple(ids), SOURCES[query.kind], labels, details)

    def _named(self, rows: list[int] | tuple[int, ...]) -> list[str]:
        return [self._ids[row] for row in rows]


def _labels(field: Field) -> dict[str, str]:
    return {"domain": field.domain, "field": field.name, "field_kind": field.kind}


def build(world: World, corpus: Corpus, progress: Callable[[str, int, int], None]) -> WorldTasks:
    """The fixed task set of a world.

    Args:
        world: The world of the corpus.
        corpus: Its corpus.
        progress: Told of each kind of question.
    """
    maker = Maker(corpus)
    ego = [[maker.ego(field, kind) for field in maker.asked[kind]] for kind in (NOVELTY, DISRUPTION)]
    progress("fields", 1, 3)
    n_ego = sum(len(tasks) for tasks in ego)
    seeds = maker.seeds[: n_ego * PAIR // (2 * EGO)]
    pairs = [[maker.sentiment(seed) for seed in seeds], [maker.comention(seed) for seed in seeds]]
    progress("seeds", 2, 3)
    paths = list(draw_paths(maker, n_ego * PATHS // EGO))
    progress("paths", 3, 3)
    tasks: list[Task] = []
    subsets: dict[str, tuple[str, ...]] = {}
    for kind, made in zip(KINDS, (*ego, *pairs, paths), strict=True):
        named = [replace(task, id=f"{kind}-{number:04}") for number, task in enumerate(made, start=1)]
        tasks += named
        subsets[kind] = tuple(task.id for task in named)
    return WorldTasks(tuple(tasks), {"all": tuple(task.id for task in tasks), **subsets}, notes(subsets, n_ego))


def notes(subsets: dict[str, tuple[str, ...]], n_ego: int) -> tuple[str, ...]:
    """How large the set is, in words."""
    sizes = ", ".join(f"{len(ids)} {kind}" for kind, ids in subsets.items())
    return (
        f"{sizes}; the release has {EGO} ego, {PAIR} pair and {PATHS} path queries, this world carries {n_ego} ego",
    )


def draw_paths(maker: Maker, wanted: int) -> Iterator[Task]:
    """Path questions, as many from each subfield as can be, no question twice."""
    taken: set[tuple[int, int]] = set()
    asked: set[str] = set()
    number = 0
    for field, share in zip(maker.lines, apportion(wanted, [1] * len(maker.lines)).tolist(), strict=True):
        left = share
        for _ in range(TRIES * share):
            task = maker.path(field, number, taken) if left else None
            number += 1
            if task is not None and task.question not in asked:
                asked.add(task.question)
                left -= 1
                yield task


def train_task(world: World, corpus: Corpus, number: int, kind: str) -> Task:
    """Task `number` of a training world's endless set of a kind.

    Fields and seeds come round in another order when all have been asked about.

    Args:
        world: The world of the corpus.
        corpus: Its corpus.
        number: From 0 on.
        kind: One of the five kinds.

    Raises:
        InvalidOptionError: An unknown kind, or the world is too small for it.
    """
    if kind not in KINDS:
        raise InvalidOptionError(
            f"SciNet tasks of the kind {kind!r}", f"a kind is one of {', '.join(KINDS)}", "name one of these"
        )
    maker = train_maker(corpus)
    task = maker.numbered(kind, number)
    if task is None:
        raise InvalidOptionError(
            f"a world of {world.spec.papers} papers has no SciNet task {number} of the kind {kind}",
            "its fields, seeds and paths are large enough",
            "take a larger world",
        )
    return task


@lru_cache(maxsize=64)
def train_maker(corpus: Corpus) -> Maker:
    """The maker of a world's training tasks; the same object for the same open corpus."""
    return Maker(corpus, "scinet-train")
