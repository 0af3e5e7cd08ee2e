"""The CompLit tasks of a world: fixed sets of all settings, and endless ones for training.

A query follows from the world's seed, its place and the mix. The fixed sets have the published numbers of queries and
of papers behind them, in a small world fewer, in proportion. Ids tell nothing of the setting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from scholar_env.construction.parts import IndexRanker
from scholar_env.construction.records import Constraint, Query, Turn
from scholar_env.construction.uniqueness import TOP
from scholar_env.corpus_folder import Corpus
from scholar_env.errors import CorpusFormatError, InvalidOptionError
from scholar_env.index.text_index import FULL_TEXT, IndexSpec, text_index
from scholar_env.metrics.complit_groups import labels_of
from scholar_env.records import NamedPaper, Task

from .choice import apportion
from .complit_classes import CUMULATIVE, IMPLICIT, STANDARD, UNMET
from .complit_evidence import supported_level
from .complit_maker import Made, Maker
from .complit_mix import TOP50, CompLitMix
from .complit_numbers import Way, scaled, ways_of
from .complit_sets import Assembler, Attempts, Found, Sets
from .complit_turns import LENGTHS, allowed
from .draws import Draw
from .world import World, WorldTasks

VERSION = 3
"""Another one makes the sets of all worlds anew."""

MIXED = "mixed"
KINDS = ("", STANDARD, IMPLICIT, CUMULATIVE, UNMET, MIXED)
"""What `train_task` makes; "" and `MIXED` draw one of the three settings of a single turn."""

SOURCE = "world-complit"


def build(world: World, corpus: Corpus, mix: CompLitMix | None = None) -> WorldTasks:
    """Make the fixed sets of a world.

    Args:
        world: The world.
        corpus: Its corpus, whose index is the simple reference that finds the near-misses of Unmet queries.
        mix: The knobs.

    Raises:
        InvalidOptionError: The world is too small for the mix.
        CorpusFormatError: The corpus holds other texts than this version writes.
    """
    rankers = rankers_of(world, corpus, mix)
    ranker = rankers[0]
    maker = Maker(world, mix, lambda text: [one.rows(text, TOP) for one in rankers])
    numbers = scaled(maker.mix, len(maker.offers.eligible))
    sets = Assembler(maker, numbers, reference(ranker, numbers.found_within)).sets()
    check_texts(maker, corpus, [made.row for made in sets.implicit])
    queries = queries_of(sets, maker)
    attempts = Attempts(world.spec.seed, "ids")
    order = attempts.shuffle(list(range(len(queries))))
    ids = {place: f"cl-{number + 1:05}" for number, place in enumerate(order)}
    tasks = [task_of(queries[place], ids[place]) for place in order]
    subsets = {
        setting: tuple(task.id for task in tasks if task.details["setting"] == setting)
        for setting in (STANDARD, IMPLICIT, CUMULATIVE, UNMET)
    }
    subsets[MIXED] = mixed(subsets, numbers, attempts)
    return WorldTasks(tuple(tasks), subsets, notes_of(queries, numbers))


def rankers_of(world: World, corpus: Corpus, mix: CompLitMix | None) -> list[IndexRanker]:
    """What finds candidates: titles and abstracts and, where candidates decide on uniqueness, full texts, too.

    Args:
        world: The world, which knows its surveys.
        corpus: Its corpus.
        mix: The knobs.
    """
    surveys = surveys_of(world)
    rankers = [IndexRanker(corpus, corpus.sparse_index(), surveys)]
    if mix is not None and mix.uniqueness == TOP50:
        rankers.append(IndexRanker(corpus, text_index(corpus, IndexSpec(FULL_TEXT, left_out=surveys))))
    return rankers


def mixed(subsets: dict[str, tuple[str, ...]], mix: CompLitMix, attempts: Attempts) -> tuple[str, ...]:
    """Ids of the settings of a single turn, in proportion to their sizes, in the order of the ids."""
    settings = (STANDARD, IMPLICIT, UNMET)
    counts = apportion(mix.mixed, [len(subsets[setting]) for setting in settings]).tolist()
    chosen = [
        task_id
        for setting, count in zip(settings, counts, strict=True)
        for task_id in attempts.shuffle(subsets[setting])[:count]
    ]
    return tuple(sorted(chosen))


def reference(ranker: IndexRanker, within: int) -> Found:
    """Tells whether an index ranks a paper for a text among the first few."""

    def found(text: str, row: int) -> bool:
        return row in ranker.rows(text, within)

    return found


def surveys_of(world: World) -> tuple[int, ...]:
    """Rows of the surveys, which no index of CompLit holds."""
    return tuple(np.flatnonzero(world.facts.survey).tolist())


def check_texts(maker: Maker, corpus: Corpus, rows: Sequence[int]) -> None:
    """See that the corpus holds what is written of papers here, so that evidence is where the tasks say.

    Raises:
        CorpusFormatError: It does not.
    """
    for row in rows[:8]:
        if maker.readings.of(row).rendered.abstract != corpus.abstract(row):
            raise CorpusFormatError(
                f"paper {corpus.id_of(row)} of the corpus {corpus.name} has another abstract than this version writes",
                "the tasks of a world are made by the version that made its texts",
                f"remove the corpus (scholar-env corpus remove {corpus.name}) and generate it again",
            )


# ---------------------------------------------------------------------- from queries to tasks


def queries_of(sets: Sets, maker: Maker) -> list[Query]:
    """The queries of all sets as records."""
    talks = zip(sets.implicit, sets.turns, strict=True)
    return [
        *(query_of(made, STANDARD, maker) for made in sets.standard),
        *(query_of(made, IMPLICIT, maker) for made in sets.implicit),
        *(query_of(made, CUMULATIVE, maker, turns) for made, turns in talks),
        *(query_of(made, UNMET, maker) for made in sets.unmet),
    ]


def query_of(made: Made, setting: str, maker: Maker, turns: tuple[Turn, ...] = ()) -> Query:
    """A query as a record."""
    facts, shared = maker.world.facts, maker.readings.shared
    paper = NamedPaper(facts.ids[made.row], shared.title_of(made.row))
    constraints = []
    for place, said in enumerate(made.said):
        clause = made.clause if place == made.injected else None
        level = clause.level if clause else supported_level(said.option, said.worded, said.evidence)
        constraints.append(
            Constraint(
                *(f"c{place + 1}", said.worded.text, said.option.source, level or None, said.evidence),
                *((True, clause.kind, clause.status) if clause else ()),
            )
        )
    return Query(
        setting,
        turns[0].utterance if turns else made.text,
        made.intent,
        paper if made.clause is None else None,
        None if made.clause is None else paper,
        tuple(constraints),
        shared.words[shared.subfield[made.row]].group,
        int(facts.month[made.row]) // 12,
        turns,
        made.smallest,
        made.needed,
    )


def task_of(query: Query, task_id: str) -> Task:
    """A query as a task."""
    details = query.details()
    gold = (query.target.id,) if query.target is not None else ()
    return Task(task_id, query.text, "", gold, SOURCE, labels_of(details), details)


def notes_of(queries: Sequence[Query], mix: CompLitMix) -> tuple[str, ...]:
    """What ``tasks info`` tells of the sets."""
    counts = Counter(query.setting for query in queries)
    smallest = Counter(query.smallest for query in queries if query.setting != CUMULATIVE)
    sizes = ", ".join(f"{size}: {count}" for size, count in sorted(smallest.items()))
    notes = [
        "queries by size of their smallest unique set of constraints: " + sizes,
        f"up to {mix.half_needed} constraints, half of them or more are needed; longer lists hold redundant ones",
    ]
    published = CompLitMix()
    if counts[STANDARD] < published.standard:
        notes.append(
            f"the world is small: {counts[STANDARD]} Standard queries instead of {published.standard}, the other "
            "settings in proportion"
        )
    return tuple(notes)


# ---------------------------------------------------------------------- training

ROUNDS, PAPERS, MODELS, GOAL_DRAWS = 12, 400, 4, 8
"""Rounds, each with another goal; papers tried in one; Standard queries that an Unmet one may be like; draws of
what is fixed."""


@lru_cache(maxsize=8)
def train_maker(world: World) -> Maker:
    """The maker of a world's training tasks; the same object for the same world."""
    return Maker(world)


def train_task(world: World, corpus: Corpus, number: int, kind: str = "") -> Task:
    """Task `number` of a world's endless training set.

    Args:
        world: The world.
        corpus: Its corpus.
        number: From 0 on.
        kind: One of `KINDS`.

    Raises:
        InvalidOptionError: Another kind, or no query was found.
    """
    if kind not in KINDS:
        raise InvalidOptionError(
            f"CompLit tasks of the kind {kind!r}", f"a world makes {', '.join(KINDS[1:])}", "name one of these"
        )
    for again in range(ROUNDS):
        purpose = f"train/{kind}/{number}" + (f"/{again}" if again else "")
        made = _train_query(world, corpus, kind, Attempts(world.spec.seed, purpose))
        if made is not None:
            return task_of(made, f"w{world.spec.seed}-{number}")
    raise InvalidOptionError(
        f"no training query {number} of the kind {kind!r} in a world of {world.spec.papers} papers",
        f"one of {PAPERS} papers yields one, in {ROUNDS} rounds",
        "take a larger world",
    )


def _train_query(world: World, corpus: Corpus, kind: str, attempts: Attempts) -> Query | None:
    """A training query, None where no paper that was tried yields one with what was drawn for it."""
    maker = train_maker(world)
    draw = attempts(GOAL_DRAWS + PAPERS)
    settings = (STANDARD, IMPLICIT, UNMET)
    drawn = settings[draw.weighted((maker.mix.standard, maker.mix.implicit, maker.mix.unmet))]
    setting = drawn if kind in ("", MIXED) else kind
    ranker = IndexRanker(corpus, corpus.sparse_index(), surveys_of(world))
    assembler = Assembler(maker, maker.mix, reference(ranker, maker.mix.found_within))
    eligible = maker.offers.eligible
    size, length, way = goal_of(maker.mix, draw)
    many = 4 + draw.weighted(maker.mix.standard_sizes)
    models: list[Made] = []
    for _ in range(PAPERS):
        row = eligible[draw.below(len(eligible))]
        turns: tuple[Turn, ...] = ()
        if setting == STANDARD or (setting == UNMET and len(models) < MODELS):
            made = assembler.standard(row, many, attempts)
            if setting == UNMET:
                models += [made] if made is not None else []
                made = None
        elif setting == UNMET:
            made = assembler.unmet(row, models, [way], attempts)
        else:
            made, turns = assembler.talk(row, size, length, attempts) or (None, ())
        if made is not None:
            return query_of(made, setting, maker, turns if setting == CUMULATIVE else ())
    return None


def goal_of(mix: CompLitMix, draw: Draw) -> tuple[int, int, Way]:
    """Draw what is fixed before papers are tried: number of constraints, of turns, and how a clause is false."""
    size = 3 + draw.weighted(mix.implicit_sizes)
    length = LENGTHS[
        draw.weighted([count * allowed(size, turns) for turns, count in zip(LENGTHS, mix.turns, strict=True)])
    ]
    ways = ways_of(mix)
    return size, length, ways[draw.below(len(ways))]
