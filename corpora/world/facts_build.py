"""From a spec to the facts of a world: every column of every paper, before any text."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.errors import InvalidOptionError

from .amounts import draw_numbers
from .attributes_draw import draw_attributes
from .casts import draw_casts
from .cells import Topics, draw_topics
from .choice import Flags, Ints, chance, pick
from .citations import KINDS, Apart, draw_graph, grouped
from .dates import ages, draw_days, draw_months, paper_ids
from .facts import Facts, Figures
from .figures import draw_figures
from .lineage import draw_copies, draw_earlier, draw_ties
from .ontology import Ontology
from .people import draw_people
from .spec import WorldSpec
from .streams import below, column
from .terms import Subfield

SURVEYS, DIGITS = 30, 3
"""Shares of surveys and of papers whose title is a number, in thousandths."""
LOOK_BACK = 60
"""Earlier papers of its subfield that a survey has at least, as far as there are so many."""
CROSS_LISTED = (450, 250, 150, 80)
"""Probability, in thousandths, of each further category of the subfield."""


def build_facts(ontology: Ontology, spec: WorldSpec) -> Facts:
    """Draw the facts of a world.

    Args:
        ontology: The terms that it is made of.
        spec: What identifies the world.

    Raises:
        InvalidOptionError: The spec names a subfield that the ontology lacks.
    """
    subfields = chosen(ontology, spec)
    topics = draw_topics(spec, subfields)
    month = draw_months(spec, topics.line)
    copy_of = draw_copies(spec, month)
    original = np.where(copy_of >= 0, copy_of, np.arange(spec.papers))
    topics = topics.of(original)
    age = ages(month)
    cast = draw_casts(spec, subfields, ontology.registry, topics)
    attributes = draw_attributes(spec, ontology, subfields, topics, cast)
    numbers = draw_numbers(spec, ontology, subfields, topics, cast, attributes)
    ties = draw_ties(spec, topics, age, original)
    survey = draw_surveys(spec, topics, age) & (copy_of < 0) & ~ties.silent
    compared = rivals(spec, topics, age, original, ties.baseline)
    plotted = draw_figures(spec, subfields, topics, cast, compared, numbers.gain, numbers.level)
    facts = Facts(
        subfield=topics.subfield,
        line=topics.line,
        problem=topics.problem,
        method=topics.method,
        object=topics.object,
        cast=cast,
        attributes=attributes,
        gain=plotted.gain,
        share=numbers.share,
        count=numbers.count,
        level=plotted.level,
        order=draw_orders(spec, ontology, subfields, topics),
        survey=survey,
        name=np.arange(spec.papers, dtype=np.int32),
        dataset=ties.dataset,
        baseline=ties.baseline,
        rival=ties.rival,
        day=draw_days(spec, month),
        month=month,
        ids=paper_ids(spec, month),
        categories=draw_categories(spec, subfields, topics),
        copy_of=copy_of,
        digits=chance(spec.seed, "digits", spec.papers, DIGITS),
        subfields=tuple(subfield.id for subfield in subfields),
        figures=plotted.figures,
        graph=draw_graph(spec, topics, month, age, compared, Apart(survey, ties.silent, copy_of)),
        people=draw_people(spec, subfields, topics, copy_of),
    )
    return repeated(facts)


def repeated(facts: Facts) -> Facts:
    """Give copies everything of the papers that they repeat but id, date, categories and venue."""
    copies = np.flatnonzero(facts.copy_of >= 0)
    source = facts.copy_of[copies]
    own = {"day", "month", "copy_of"}
    columns: dict[str, Any] = {}
    for entry in fields(Facts):
        value = getattr(facts, entry.name)
        if isinstance(value, np.ndarray) and entry.name not in own:
            columns[entry.name] = value.copy()
            columns[entry.name][copies] = value[source]
    figures = {entry.name: getattr(facts.figures, entry.name).copy() for entry in fields(Figures)}
    for value in figures.values():
        value[copies] = value[source]
    return replace(facts, figures=Figures(**figures), **columns)


def chosen(ontology: Ontology, spec: WorldSpec) -> tuple[Subfield, ...]:
    """The subfields of a world, sorted by id.

    Raises:
        InvalidOptionError: One is not in the ontology, or there is none.
    """
    known = {subfield.id: subfield for subfield in ontology.subfields}
    for name in spec.subfields:
        if name not in known:
            raise InvalidOptionError(
                f"subfield {name!r} of a world",
                "a world draws from subfields of the ontology",
                f"choose from {', '.join(sorted(known))}",
            )
    names = sorted(set(spec.subfields) or known)
    if not names:
        raise InvalidOptionError("an ontology without subfields", "a world has one or more", "add a subfield file")
    return tuple(known[name] for name in names)


def rivals(
    spec: WorldSpec, topics: Topics, age: Ints, original: Ints, baseline: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Earlier papers whose systems a paper compares with: its baseline, then others of its line, cell and problem.

    Returns:
        int32 [papers, 5]; -1 beyond the last, none twice.
    """
    groups = grouped(topics)
    columns = [baseline.astype(np.int64)]
    for at, kind in enumerate(("line", "line", "cell", "problem")):
        draws = column(spec.seed, f"compared-{at}", spec.papers)
        earlier = draw_earlier(draws, groups[:, list(KINDS).index(kind)], age)
        earlier = np.where(earlier < 0, -1, original[earlier])
        fresh = np.all([earlier != column_ for column_ in columns], axis=0) & (baseline >= 0)
        columns.append(np.where(fresh, earlier, -1))
    table = np.stack(columns, axis=1)
    # Those that are there move to the front.
    order = np.argsort(table < 0, axis=1, kind="stable")
    return np.take_along_axis(table, order, axis=1).astype(np.int32)


def draw_surveys(spec: WorldSpec, topics: Topics, age: Ints) -> Flags:
    """Choose surveys among the papers that have enough of their subfield to look back on."""
    order = np.lexsort((age, topics.subfield))
    field = topics.subfield[order]
    rank = np.empty(spec.papers, dtype=np.int64)
    rank[order] = np.arange(spec.papers) - np.searchsorted(field, field, side="left")
    papers = np.bincount(topics.subfield)[topics.subfield]
    ready = rank >= np.minimum(LOOK_BACK, papers // 2)
    return ready & (below(column(spec.seed, "survey", spec.papers), 1000 * ready.sum()) < SURVEYS * spec.papers)


def draw_orders(
    spec: WorldSpec, ontology: Ontology, subfields: tuple[Subfield, ...], topics: Topics
) -> NDArray[np.int16]:
    """Draw the discourse order of each paper, by the weights of its group; -1 where the group has none."""
    orders = np.full(spec.papers, -1, dtype=np.int16)
    draws = column(spec.seed, "order", spec.papers)
    for at, subfield in enumerate(subfields):
        places = [place for place, order in enumerate(ontology.orders) if order.group in (subfield.group, "any")]
        own = [place for place in places if ontology.orders[place].group == subfield.group] or places
        if own:
            rows = topics.subfield == at
            weights = [ontology.orders[place].weight for place in own]
            orders[rows] = np.array(own)[pick(draws[rows], weights)]
    return orders


def draw_categories(spec: WorldSpec, subfields: tuple[Subfield, ...], topics: Topics) -> tuple[tuple[str, ...], ...]:
    """The main category of each paper and those that it is cross-listed in."""
    flags = [chance(spec.seed, f"cross-{at}", spec.papers, share) for at, share in enumerate(CROSS_LISTED)]
    masks = sum((flag.astype(np.int64) << at for at, flag in enumerate(flags)), np.zeros(spec.papers, dtype=np.int64))
    sets = [
        [
            (field.categories[0], *(name for at, name in enumerate(field.categories[1:5]) if mask >> at & 1))
            for mask in range(1 << len(CROSS_LISTED))
        ]
        for field in subfields
    ]
    return tuple(sets[field][mask] for field, mask in zip(topics.subfield.tolist(), masks.tolist(), strict=True))


def digest(facts: Facts) -> str:
    """SHA-256 over all columns, in hex: equal for equal worlds on every machine."""
    total = hashlib.sha256()
    _add(total, facts)
    return total.hexdigest()


def _add(total: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        total.update(f"{value.dtype.str}{value.shape}".encode())
        total.update(np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value):
        for entry in fields(value):
            total.update(entry.name.encode())
            _add(total, getattr(value, entry.name))
    else:
        total.update(repr(value).encode())
