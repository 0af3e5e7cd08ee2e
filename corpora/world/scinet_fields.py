"""The fields that SciNet's questions name: groups of arXiv, subfields of the world, and categories across subfields.

A paper shows what it belongs to by its categories. A category is a field of its own where it holds enough papers and is
neither named like a subfield nor, by and large, one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from .choice import Flags
from .world import World

GROUPS = {
    "cs": "computer science",
    "econ": "economics",
    "eess": "electrical engineering / systems science",
    "math": "mathematics",
    "physics": "physics",
    "q-bio": "quantitative biology",
    "q-fin": "quantitative finance",
    "stat": "statistics",
}

CATEGORIES = {
    "astro-ph.CO": ("physics", "cosmology and nongalactic astrophysics"),
    "cond-mat.str-el": ("physics", "strongly correlated electrons"),
    "cs.AI": ("cs", "artificial intelligence"),
    "cs.CL": ("cs", "computation and language"),
    "cs.IT": ("cs", "information theory"),
    "cs.LG": ("cs", "machine learning"),
    "cs.NA": ("cs", "numerical analysis"),
    "cs.SD": ("cs", "sound"),
    "econ.EM": ("econ", "econometrics"),
    "econ.GN": ("econ", "general economics"),
    "econ.TH": ("econ", "theoretical economics"),
    "eess.SP": ("eess", "signal processing"),
    "eess.SY": ("eess", "systems and control"),
    "math.NA": ("math", "numerical analysis"),
    "math.OC": ("math", "optimization and control"),
    "math.PR": ("math", "probability"),
    "physics.comp-ph": ("physics", "computational physics"),
    "q-bio.QM": ("q-bio", "quantitative methods in biology"),
    "q-fin.PR": ("q-fin", "pricing of securities"),
    "q-fin.ST": ("q-fin", "statistical finance"),
    "stat.AP": ("stat", "applications of statistics"),
    "stat.ME": ("stat", "methodology of statistics"),
    "stat.ML": ("stat", "machine learning"),
    "stat.TH": ("stat", "statistics theory"),
}
"""Categories that may be fields: group, and the name that questions use. Some have one name under two groups."""

FEWEST, SMALLEST = 30, 30
"""Papers of a field at least: so many of a thousand of the world, and so many in all."""
ORDINARY = 5_000
"""Papers of a world from which on the bounds do not grow."""
SAME = 95
"""Share of a category, in percent, that makes it one with a subfield."""


@dataclass(frozen=True, eq=False)
class Field:
    """A field.

    Attributes:
        name: As questions name it.
        domain: Group of arXiv that it belongs to.
        kind: ``group``, ``subfield`` or ``category``.
        code: What it stands for in the world: a group, a subfield's id or a category.
        rows: Which papers are in it.
    """

    name: str
    domain: str
    kind: str
    code: str
    rows: Flags


def fields_of(world: World) -> tuple[Field, ...]:
    """The fields of a world that hold enough papers: groups, then subfields, then categories, each by code."""
    facts = world.facts
    by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
    subfields = [by_id[name] for name in facts.subfields]
    of_group = np.array([subfield.group for subfield in subfields])[facts.subfield]
    groups = [
        Field(GROUPS[group], group, "group", group, of_group == group)
        for group in sorted({subfield.group for subfield in subfields})
    ]
    parts = [
        Field(subfield.title, subfield.group, "subfield", subfield.id, facts.subfield == place)
        for place, subfield in enumerate(subfields)
    ]
    across = [field for code in sorted(CATEGORIES) if (field := _category(world, code, parts)) is not None]
    fewest = at_least(world, FEWEST, SMALLEST)
    return tuple(field for field in (*groups, *parts, *across) if int(field.rows.sum()) >= fewest)


def at_least(world: World, share: int, floor: int) -> int:
    """A share, in thousandths, of the papers of a world of ordinary size or smaller, and a floor in any case."""
    return max(share * min(world.spec.papers, ORDINARY) // 1000, floor)


def _category(world: World, code: str, parts: list[Field]) -> Field | None:
    domain, name = CATEGORIES[code]
    rows = np.array([code in categories for categories in world.facts.categories])
    if any(part.name.casefold() == name for part in parts) or not rows.any():
        return None
    largest = Counter(world.facts.subfield[rows].tolist()).most_common(1)[0][1]
    return None if 100 * largest >= SAME * int(rows.sum()) else Field(name, domain, "category", code, rows)
