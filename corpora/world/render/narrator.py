"""Says what one paper has to say, sentence by sentence, and keeps a record of it."""

from __future__ import annotations

from dataclasses import dataclass

from .casting import VARIANTS
from .clause import Parts, UnfilledError, join
from .clauses import Said, plain
from .plans import Plan, assemble, finish
from .shared import EXPLICIT
from .voice import NOTHING, SYSTEM_ROLES, Voice

ANCHORED = ("cause", "contrast", "condition", "trend", "mechanism", "failure", "resource")
THEOREM_ANCHORED = ("trend", "failure", "resource")
"""What a paper in mathematics may have found in examples: theorems are not tied to data."""

ANCHORS = 80
"""Percent of such findings that are tied to the paper's data or name."""

FRONTED = 28
"""Percent of sentences that open with their condition, where they have one and a frame allows it."""

TIED_ROLES = frozenset(("cond", "other", "still"))
"""Roles that end a clause: nothing goes behind them."""

INTRODUCED = ("system", "dataset", "baseline")
ANCHOR_ROLES = SYSTEM_ROLES | {"dataset"}


OPENERS = frozenset(
    (
        "according", "across", "after", "allowing", "as", "assuming", "at", "averaged", "because", "before",
        "between", "both", "by", "calibrated", "estimated", "even", "for", "from", "given", "if", "in",
        "judged", "lacking", "measured", "not", "of", "on", "once", "out", "over", "seen", "since", "so",
        "through", "together", "to", "under", "unlike", "until", "when", "where", "whether", "while", "with",
        "without",
    )
)  # fmt: skip
"""First words of a clause that begins with an adjunct, before which no other one stands."""


def opens_with_adjunct(text: str) -> bool:
    """Whether a clause begins with an adjunct and a comma."""
    first, _, rest = text.partition(" ")
    return first.lower() in OPENERS and "," in rest


@dataclass(slots=True)
class Sentence:
    """A sentence and the (fact, level) pairs that it states."""

    text: str
    facts: list[tuple[int, int]]


class Narrator(Voice):
    """A paper's voice that speaks in sentences; see `Voice`."""

    def new_section(self) -> None:
        """Forget what was just named: a section speaks of it in full again."""
        self.concepts.new_section()

    def single(
        self, prop: str, move: str = "", variant: int = 0, *, missing: int = 0, drop: int = 45
    ) -> Sentence | None:
        """One proposition, one sentence; the arguments are those of `say`."""
        front = self.chance(FRONTED)
        found = self.say(prop, move, variant, front=front, missing=missing, drop=drop)
        if found is None:
            return None
        said, facts = found
        anchored = THEOREM_ANCHORED if self.group == "math" else ANCHORED
        if prop in anchored and self.chance(ANCHORS):
            text, more = self._anchor(said)
            return Sentence(finish(text), facts + more)
        plans = self.shared.plans.plans(self.group, "single")
        if not said.front and plans and prop in VARIANTS:
            plan = plans[self.pick(len(plans))]
            if not plan.moves or move in plan.moves:
                return Sentence(finish(assemble(plan, said, None, self._phrase(plan))), facts)
        return Sentence(finish(said.finite), facts)

    def _anchor(self, said: Said) -> tuple[str, list[tuple[int, int]]]:
        """Tie a finding to the paper's data or name, before or behind the clause; the clause and what that states."""
        tied = not said.roles.isdisjoint(TIED_ROLES) or "," in said.subject or "," in said.predicate
        leads = not said.front and (tied or self.chance(50))
        if tied and not leads:
            return said.finite, []
        if leads and opens_with_adjunct(said.finite):
            return said.finite, []
        options = self.shared.exhibits.of(self.group, "lead" if leads else "tail")
        if not options or self.concepts.with_data or not said.roles.isdisjoint(ANCHOR_ROLES):
            return said.finite, []
        clause = self.clause
        place = self.pick(len(options))
        if (leads, place) in self._anchors:
            return said.finite, []
        self._anchors.add((leads, place))
        clause.said.clear()
        try:
            text = join(options[place], clause)
        except KeyError:
            return said.finite, []
        facts = [(self.codes[name], EXPLICIT) for name in INTRODUCED if name in clause.said]
        if "dataset" in clause.said:
            self.concepts.data = self.dataset
        return f"{text}, {said.finite}" if leads else f"{said.finite} {text}", facts

    def pair(self, relation: str, first: tuple[str, str, int], second: tuple[str, str, int]) -> Sentence | None:
        """Two propositions in one sentence; None where no plan or frame fits.

        Args:
            relation: Relation of the plan.
            first: Proposition, move and variant of the first clause.
            second: The same for the second one.
        """
        plan = self._plan(relation)
        if plan is None:
            return None
        one = self.say(*first, drop=35)
        if one is None:
            return None
        said, facts = one
        given = [noun for role, noun in said.nouns.items() if role in said.roles]
        two = self.say(*second, given=given, drop=60)
        if two is None or said.predicate == two[0].predicate:
            return Sentence(finish(said.finite), facts)
        return Sentence(finish(assemble(plan, said, two[0], self._phrase(plan))), facts + two[1])

    def _phrase(self, plan: Plan) -> str:
        """The phrase that a plan holds."""
        if not plan.phrase:
            return ""
        phrases = self.shared.plans.phrases(self.group, plan.phrase)
        return phrases[self.pick(len(phrases))]

    def _plan(self, relation: str) -> Plan | None:
        plans = [plan for plan in self.shared.plans.plans(self.group, relation) if plan.forms == ("fin", "fin")]
        return plans[self.pick(len(plans))] if plans else None

    def phrase(
        self,
        parts: Parts,
        nouns: dict[str, int],
        down: int = 0,
        facts: dict[str, str] | None = None,
        cited: str = "",
        pair: tuple[int, int] | None = None,
    ) -> str | None:
        """Fill a phrase (a title, a sentence on a figure); None where a slot finds no word."""
        texts = self.base
        texts["baseline"], texts["cited"] = self.rival, cited
        if pair is not None:  # a survey speaks of other papers' methods
            system, baseline = map(self.shared.system_name, pair)
            texts = {**texts, "system": system, "baseline": baseline, "cited2": self.shared.cited(pair[1])}
        self._clear(texts, nouns, facts or {}, {})
        self.clause.down = down
        try:
            return plain(join(parts, self.clause))
        except (UnfilledError, KeyError):
            return None

    def value_clause(self, parts: Parts, numbers: dict[str, str], locals_: dict[str, int]) -> str | None:
        """Fill a clause of an attribute; numbers and free nouns are kept for the other half of an evidence set."""
        self.base["baseline"] = self.rival
        self._clear(self.base, locals_, self.facts, numbers)
        try:
            return plain(join(parts, self.clause))
        except UnfilledError:
            return None

    def _clear(
        self, texts: dict[str, str], nouns: dict[str, int], facts: dict[str, str], numbers: dict[str, str]
    ) -> None:
        """Prepare a clause that is no proposition: it names the paper's concepts as the paper prefers."""
        clause = self.clause
        clause.words, clause.triple = self.words, self.triple
        clause.nouns = nouns
        clause.texts = texts
        texts.update(self.concepts.plain_texts)
        clause.plural = self.plural
        clause.plural.update(self.concepts.plain_plurals)
        clause.facts = facts
        clause.numbers = numbers
        clause.silent = NOTHING
        clause.down = 0
