"""Injects a false constraint into a query, so that no paper satisfies it and its paper in mind is a near-miss.

The clause gives the value that another paper has for an attribute that the text of the paper states otherwise (refuted)
or leaves open (silent), or it turns a fact of a figure round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scholar_env.construction.records import Evidence

from .complit_columns import Claim, Columns
from .complit_evidence import Support
from .complit_mix import Slot
from .complit_offers import Offer
from .complit_options import LEVEL_OF_BIT, Option
from .draws import Draw
from .facts import Facts

TABLE_VALUE, FIGURE_FACT = "table_value", "figure_fact"
REFUTED, SILENT = "refuted", "silent"
INJECTABLE = {TABLE_VALUE: ("attribute",), FIGURE_FACT: ("drawn", "order")}
"""Families of the slots that a false clause of each kind may take."""

DONORS = 12
"""Papers that are asked for another value."""


@dataclass(frozen=True)
class Clause:
    """A false constraint.

    Attributes:
        option: What is claimed wrongly.
        evidence: What the paper says instead; without passages where it says nothing.
        level: Level at which it does, "" where it says nothing.
        kind: TABLE_VALUE or FIGURE_FACT.
        status: REFUTED or SILENT.
    """

    option: Option
    evidence: Evidence
    level: str
    kind: str
    status: str


def places_for(plan: Sequence[Slot], kind: str) -> list[int]:
    """Places of a plan that a clause of a kind may take."""
    return [place for place, (family, _) in enumerate(plan) if family in INJECTABLE[kind]]


class Injector:
    """Finds false clauses.

    Args:
        facts: The facts.
        columns: The claims.
        support: What papers say.
        places: Place of each attribute by its id.
    """

    def __init__(self, facts: Facts, columns: Columns, support: Support, places: dict[str, int]) -> None:
        self._facts, self._columns, self._support, self._places = facts, columns, support, places

    def clause(self, offer: Offer, slot: Slot, topics: set[str], status: str, draw: Draw) -> Clause | None:
        """A false clause on a paper for a slot of a plan; None where there is none.

        Args:
            offer: What the paper offers.
            slot: The slot that it takes.
            topics: What the query is about otherwise.
            status: REFUTED or SILENT.
            draw: Integers.
        """
        if slot[0] != "attribute":
            return self._figure(offer, slot, topics, draw) if status == REFUTED else None
        if status == SILENT:
            names = [name for name in offer.unsaid if name not in topics]
        else:
            stated = [
                option.claim.kind for level in LEVEL_OF_BIT.values() for option in offer.slots.get((slot[0], level), ())
            ]
            names = [name for name in stated if name not in topics and not self._support.in_lead(offer.row, name)]
        if not names:
            return None
        name = names[draw.below(len(names))]
        value = self._other_value(offer.row, name, draw)
        if value < 0:
            return None
        passages = self._support.denial(offer.row, name)
        level = self._support.level(offer.row, name)
        claim = Claim(name, (value,))
        option = Option(claim, "attribute", "content", level, name, papers=self._columns.bits(claim))
        return Clause(option, Evidence("text", passages), level, TABLE_VALUE, status)

    def _figure(self, offer: Offer, slot: Slot, topics: set[str], draw: Draw) -> Clause | None:
        open_ = [option for option in offer.slots.get(slot, ()) if option.topic not in topics]
        if not open_:
            return None
        option = open_[draw.below(len(open_))]
        kind, values = option.claim
        turned = (values[1], values[0]) if kind == "order" else (*values[:-1], 1 - values[-1])
        shown = self._support.shown(offer.row, option.figure)
        if not shown:
            return None
        evidence = Evidence("figure", shown, option.figure)
        claim = Claim(kind, turned)
        false = replace(option, claim=claim, papers=self._columns.bits(claim))
        return Clause(false, evidence, option.level, FIGURE_FACT, REFUTED)

    def _other_value(self, row: int, name: str, draw: Draw) -> int:
        """The value that a paper of the same subfield has for an attribute, other than this paper's; -1 for none."""
        facts = self._facts
        values = facts.attributes[:, self._places[name]]
        peers = np.flatnonzero(facts.subfield == facts.subfield[row])
        for _ in range(DONORS):
            value = int(values[peers[draw.below(len(peers))]])
            if value >= 0 and value != int(values[row]):
                return value
        return -1
