"""The columns of a world's facts: what every paper is about, found, cites and was written by, before any text.

Concepts and nouns are numbers: places in `Subfield.concepts` and `Subfield.nouns` (sorted by id) of the paper's
subfield. -1 means none. Predicates of tasks are evaluated on these columns, the renderer only words them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CAST = (
    "effect", "second", "still", "cause", "source", "via", "cond", "other", "hazard", "supply", "merit", "symptom",
    "knob", "tool", "carrier",
)  # fmt: skip
"""The nouns that a paper is about, by part; the same noun plays one part in a paper only."""

CAST_TYPES = {
    "effect": "observable", "second": "observable", "still": "observable", "cause": "driver", "source": "driver",
    "via": "path", "cond": "setting", "other": "setting", "hazard": "hazard", "supply": "supply", "merit": "merit",
    "symptom": "merit", "knob": "knob", "tool": "tool", "carrier": "carrier",
}  # fmt: skip
"""The noun type of each part (shared/registry.txt)."""

ROLE_PARTS = {
    "cause": {"cause": "cause", "effect": "effect", "cond": "other"},
    "comparison": {"on": "merit", "cond": "cond"},
    "contrast": {"moving": "effect", "still": "still", "cond": "other"},
    "condition": {"what": "second", "cond": "cond", "other": "other"},
    "resource": {"supply": "supply", "goal": "merit"},
    "failure": {"when": "hazard", "symptom": "symptom", "cond": "other"},
    "trend": {"effect": "second", "knob": "knob", "cond": "cond"},
    "mechanism": {"source": "source", "via": "via", "effect": "effect", "cond": "other"},
    "relevance": {"what": "effect", "when": "hazard", "cond": "other"},
    "gap": {"what": "effect", "when": "hazard", "cond": "other"},
    "aim": {"what": "effect", "by": "cause", "cond": "other"},
    "proposal": {"supply": "supply", "with": "tool"},
    "setup": {"with": "tool", "what": "second", "cond": "cond"},
    "remedy": {"against": "hazard", "kept": "merit"},
    "modeling": {"what": "effect", "by": "source", "cond": "other"},
    "agreement": {"what": "second", "on": "merit", "cond": "cond"},
    "implication": {"what": "effect", "by": "cause", "cond": "other"},
    "mention": {"what": "effect", "by": "cause"},
    "comention": {},
}
"""Proposition -> role -> the part of the cast that fills it. `system`, `baseline` roles are filled by names."""

FIGURE_KINDS = ("", "trend", "ordering", "peak")
SENTIMENTS = ("neutral", "positive", "negative")


@dataclass(frozen=True)
class Graph:
    """Who cites whom: references of paper i are `targets[starts[i]:starts[i + 1]]`, in the order of the text.

    Attributes:
        starts: int64 [papers + 1].
        targets: int32; rows of cited papers, each once per citing paper, older than it.
        sentiment: int8 per reference: place in SENTIMENTS.
        paragraph: int16 per reference: number of the citation paragraph of the citing paper that it stands in; two
            references with the same number are mentioned together.
        role: int8 per paper: 0 plain, 1 milestone, 2 disruptive, 3 consolidating, 4 atypical (novel pairs).
    """

    starts: NDArray[np.int64]
    targets: NDArray[np.int32]
    sentiment: NDArray[np.int8]
    paragraph: NDArray[np.int16]
    role: NDArray[np.int8]


@dataclass(frozen=True)
class People:
    """Authors, organizations and venues.

    Attributes:
        author_names: Full name as printed, by author; namesakes share it.
        author_native: The name in the author's other language (Chinese, Greek, Cyrillic, …), "" for most.
        author_org: int32 [authors]: the organization.
        author_field: int16 [authors]: home subfield.
        org_names, org_native, org_acronyms, org_countries: by organization.
        venue_names, venue_native, venue_short: by venue.
        venue_field: int16 [venues]: home subfield, -1 for general ones.
        venue_tiers: int8 [venues, sources]: tier 1 (best) to 4 under each of TIER_SOURCES, 0 where not listed.
        paper_starts: int64 [papers + 1]; paper_authors: int32: authors of each paper in order.
        paper_venue: int16 [papers]; -1 for preprints only.
    """

    author_names: tuple[str, ...]
    author_native: tuple[str, ...]
    author_org: NDArray[np.int32]
    author_field: NDArray[np.int16]
    org_names: tuple[str, ...]
    org_native: tuple[str, ...]
    org_acronyms: tuple[str, ...]
    org_countries: tuple[str, ...]
    venue_names: tuple[str, ...]
    venue_native: tuple[str, ...]
    venue_short: tuple[str, ...]
    venue_field: NDArray[np.int16]
    venue_tiers: NDArray[np.int8]
    paper_starts: NDArray[np.int64]
    paper_authors: NDArray[np.int32]
    paper_venue: NDArray[np.int16]


@dataclass(frozen=True)
class Figures:
    """Up to two figures a paper: a measure against a parameter, or a measure of rival methods.

    Attributes:
        kind: int8 [papers, 2]: place in FIGURE_KINDS. trend: monotone over a knob (direction follows the sign of the
            pair); ordering: one bar a method, the paper's system best; peak: highest (lowest) inside the range.
        y: int16 [papers, 2]: noun of the measure. x: int16 [papers, 2]: noun of the knob, -1 for orderings.
        series: int32 [papers, 2, 6]: values in units of 10**-decimals of the y noun; -1 beyond the points.
        grid: int32 [papers, 2, 6]: values of x in units of its noun, or for orderings the rows of the papers whose
            systems are compared (first the paper itself, then its baseline), -1 beyond.
    """

    kind: NDArray[np.int8]
    y: NDArray[np.int16]
    x: NDArray[np.int16]
    series: NDArray[np.int32]
    grid: NDArray[np.int32]


@dataclass(frozen=True)
class Facts:
    """A world before any text. All arrays have one row a paper.

    Attributes:
        subfield: int16: place in the world's list of subfields (`subfields`).
        line: int32: line of work; its papers share problem, method, object and most of the cast.
        problem, method, object: int16: places in `Subfield.concepts`.
        cast: int16 [papers, len(CAST)]: places in `Subfield.nouns`.
        attributes: int8 [papers, attributes]: place in `Attribute.values`, -1 where the attribute is not for the group.
        gain, share: int32: tenths of a percent; percent. count: int32: units of data, in the class of the attribute
            `size`. level: int32: a value of the noun `second` in units of 10**-decimals (0 where it has no span).
            A trend ends at the level; an ordering's first two values differ by the gain, relative to the second.
        order: int16: place in `Ontology.orders`, one of the paper's group.
        survey: bool: the paper is a survey with a comparison table of the papers that it cites.
        name: int32: number of the paper's system name (unique over the world); dataset: int32: number of the name of
            its data, shared within lines; see names.py.
        baseline: int32: row of an earlier paper whose system is the rival, -1 where the rival has a name that no
            paper introduces (`rival`).
        rival: int32: number of that name, -1 where `baseline` is a row.
        day: int32: days since 1970-01-01, -1 for undated papers. month: int32: months since year 0 (year*12 + month-1)
            of the paper's id, also for undated ones.
        ids: paper ids, YYMM.NNNNN, random within the month.
        categories: arXiv categories, the main one first.
        copy_of: int32: row of the paper that this one repeats word for word, -1 for all but a few. A copy has all of
            the other's columns but id, date, categories and venue; it is nobody's baseline.
        digits: bool: the title is a number only.
        subfields: ids of the subfields that `subfield` counts.
    """

    subfield: NDArray[np.int16]
    line: NDArray[np.int32]
    problem: NDArray[np.int16]
    method: NDArray[np.int16]
    object: NDArray[np.int16]
    cast: NDArray[np.int16]
    attributes: NDArray[np.int8]
    gain: NDArray[np.int32]
    share: NDArray[np.int32]
    count: NDArray[np.int32]
    level: NDArray[np.int32]
    order: NDArray[np.int16]
    survey: NDArray[np.bool_]
    name: NDArray[np.int32]
    dataset: NDArray[np.int32]
    baseline: NDArray[np.int32]
    rival: NDArray[np.int32]
    day: NDArray[np.int32]
    month: NDArray[np.int32]
    ids: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]
    copy_of: NDArray[np.int32]
    digits: NDArray[np.bool_]
    subfields: tuple[str, ...]
    figures: Figures
    graph: Graph
    people: People
