"""One paper's voice: it says propositions in clauses, and knows what the clauses before have said."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..facts import CAST
from .casting import CASTINGS, CONCEPT_ROLES, Casting
from .clause import SENTENCES, STRIDE, Clause
from .clauses import Said, choose, fill
from .concepts import Concepts, preferred
from .pools import PLOTTED
from .shapes import Shape
from .shared import EXPLICIT, PLOTS, Shared

FILLINGS = 3
"""Frames that are tried for a clause."""

ADJECTIVES = 36
"""Percent of clauses that describe one of their nouns by an adjective."""

INTRODUCING = ("proposal", "setup")
"""Propositions whose frames introduce the name of the method themselves."""

UNCONDITIONED = ("relevance", "gap", "aim", "proposal", "setup", "remedy")
"""Propositions that hardly ever name a condition: it belongs to what was found."""

QUOTED = 85
"""Percent of the findings of an abstract that quote the numbers of a figure, where there is one."""

NUMBERED = ("comparison", "agreement")
"""Propositions with numbers of their own."""

RELATIONS = ("cause", "trend", "mechanism")
"""Propositions that tie two nouns together; a second one needs two of which the field knows the sign."""

ONCE = {
    "cause": ("moves", "cause", "effect"),
    "mechanism": ("moves", "source", "effect"),
    "modeling": ("moves", "by", "what"),
    "contrast": ("depends", "cond", "moving"),
    "condition": ("depends", "cond", "what"),
    "trend": ("sweeps", "knob", "effect"),
    "comparison": ("compares", "on", "on"),
    "resource": ("spares", "supply", "supply"),
    "failure": ("fails", "when", "when"),
}
"""Proposition -> a kind of finding and the roles that tell it from others of the kind."""

RIVAL_KINDS = ("the earlier", "the published", "the established", "", "", "", "")
"""How the rival is introduced."""

SILENT = frozenset(("cond",))
UNTOUCHED = frozenset(("kept", "goal"))
UNCHANGED = 60
"""Percent of an abstract's remedies and savings that do not add what stays the same."""
NOTHING = frozenset[str]()
CONCEPT_BITS = 7
METHOD_BIT = 2
SYSTEM_ROLES = frozenset(("system", "who", "left", "user"))
RIVAL_ROLES = frozenset(("right", "baseline"))


class Voice:
    """See the module.

    Args:
        shared: What the world's papers share.
        row: The paper.
        draws: Its draws, SENTENCES * STRIDE of them.
    """

    def __init__(self, shared: Shared, row: int, draws: Sequence[int]) -> None:
        self.shared = shared
        self.row = row
        self.words = words = shared.words[shared.subfield[row]]
        self.group = words.group
        self.cast = shared.cast[row]
        self.named_cast = [pair for pair in zip(CAST, self.cast, strict=True) if pair[1] >= 0]
        self.used: set[Shape] = set()
        self.told: set[str] = set()
        self.codes = shared.fact_codes
        self.sentence = 0
        self.clause = Clause(words, draws)
        self.pick = self.clause.pick
        self.triple = self.clause.triple = shared.concepts[row]
        self.surfaces = preferred(shared, row, words, self.clause)
        self.concepts = Concepts(words, self.triple, self.surfaces, draws[2])
        self.plural = {"units": True}
        self.system = shared.system_name(row)
        self.rival = shared.rival_name(row)
        self.dataset = shared.dataset_name(row)
        kind = RIVAL_KINDS[draws[1] * len(RIVAL_KINDS) >> 32]
        self._rival_first = f"{kind} {self.rival}" if kind else self.rival
        self._class_noun = self.concepts.words[1].later.text.removeprefix("the ")
        self._named_system = self._named_rival = False
        self._conditions: set[int] = set()
        self._directions: dict[int, int] = {}
        self._findings: set[tuple[str, int, int]] = set()
        self._anchors: set[tuple[bool, int]] = set()
        self._curves: dict[str, dict[str, str]] = {}
        unit, units = words.units[draws[0] * len(words.units) >> 32]
        self.base = {
            "system": self.system,
            "baseline": self.rival,
            "right": self.rival,
            "dataset": self.dataset,
            "unit": unit,
            "units": units,
            **self.concepts.plain_texts,
        }
        self.facts = shared.numbers(row)

    def next_sentence(self) -> None:
        """Move to the draws of the next sentence."""
        self.sentence = (self.sentence + 1) % SENTENCES
        self.clause.at = self.sentence * STRIDE

    def chance(self, percent: int) -> bool:
        """Draw a yes with that probability."""
        clause = self.clause  # drawn here, not by `pick`: sentences ask this twice
        value = clause.draws[clause.at] * 100 >> 32
        clause.at += 1
        return value < percent

    def say(
        self,
        prop: str,
        move: str = "",
        variant: int = 0,
        *,
        front: bool = False,
        missing: int = 0,
        drop: int = 45,
        given: Collection[int] = (),
    ) -> tuple[Said, list[tuple[int, int]]] | None:
        """Say a proposition in one clause.

        Args:
            prop: The proposition.
            move: The move that it stands in.
            variant: Which variant of it.
            front: Put its condition first where a frame allows it.
            missing: Bits of NAMED that should be said, where a frame can.
            drop: Percent of clauses without their optional condition.
            given: Nouns that the sentence has named.

        Returns:
            The clause and the (fact, level) pairs that it states, None where no frame fits.
        """
        variants = CASTINGS[prop]
        casting = variants[variant % len(variants)]
        self.begin(casting, variant, drop)
        if not self.agrees(casting) or (variant and not self.is_plausible(casting)):
            return None
        finding = self._finding(casting) if self.concepts.strict else None
        if finding is not None and finding in self._findings:
            return None
        clause = self.clause
        cond = clause.nouns.get("cond")
        if cond is not None and cond in given:
            clause.silent = SILENT
        if self.concepts.strict and not PLOTTED.isdisjoint(clause.facts) and self.chance(QUOTED):
            pool = self.shared.pools.plotted(self.group, prop)
        else:
            pool = self.shared.pools.finite(self.group, prop, move)
        said = self._filled(pool, front, missing)
        if said is None:
            return None
        if finding is not None:
            self._findings.add(finding)
        if cond is not None and "cond" in said.roles:
            self._conditions.add(cond)
        return said, self._stated(said, casting)

    def begin(self, casting: Casting, variant: int, drop: int) -> None:
        """Prepare the clause of a proposition: its nouns, the names and numbers that it may say.

        Args:
            casting: What fills its roles.
            variant: Number of that variant.
            drop: Percent of clauses without their optional condition.
        """
        clause, prop = self.clause, casting.prop
        self.concepts.with_data = False
        clause.words, clause.triple = self.words, self.triple
        clause.nouns = nouns = casting.nouns(self.cast)
        clause.numbers = {}
        clause.texts = texts = self.base
        clause.plural = self.plural
        texts["who"] = texts["left"] = texts["user"] = self._system_mention(prop)
        texts["right"] = texts["baseline"] = self.rival if self._named_rival else self._rival_first
        clause.facts = self.facts
        if prop in NUMBERED:
            clause.facts = self.facts | self.shared.other_numbers(self.row, prop, variant)
        if variant and prop == "trend":  # the level is that of the first curve
            clause.facts = {name: text for name, text in clause.facts.items() if name != "level"}
        elif not variant and prop in PLOTS.values():
            clause.facts = clause.facts | self.curve_numbers(prop)
        clause.silent = NOTHING
        merit = nouns.get("kept", nouns.get("goal", -1))
        if self.concepts.strict and merit >= 0 and (self.pick(100) < UNCHANGED or self.is_compared(merit)):
            clause.silent = UNTOUCHED
        cond = nouns.get("cond")
        if cond is not None:
            drop = 92 if prop in UNCONDITIONED else drop if cond not in self._conditions else max(drop, 88)
            if self.pick(100) < drop:
                clause.silent |= SILENT

    def is_compared(self, merit: int) -> bool:
        """Whether the abstract has said that the method is better in a figure of merit, which then is not the same."""
        return ("compares", merit, merit) in self._findings

    def curve_numbers(self, prop: str) -> dict[str, str]:
        """Numbers of the figure that shows a proposition, see `Shared.curve_numbers`."""
        found = self._curves.get(prop)
        if found is None:
            found = self._curves[prop] = self.shared.curve_numbers(self.row, prop)
        return found

    def agrees(self, casting: Casting) -> bool:
        """Set the clause's direction; tell whether it moves a measure as the paper has moved it before."""
        clause = self.clause
        clause.down = 0
        if casting.directed is None:
            return True
        mover, moved = casting.directed
        nouns = clause.nouns
        if moved not in nouns:
            return True
        target = nouns[moved]
        if mover in nouns:
            clause.down = self.words.sign(nouns[mover], target)
        if casting.prop == "trend" and not self.concepts.strict:
            return True
        return self._directions.setdefault(target, clause.down) == clause.down

    def is_plausible(self, casting: Casting) -> bool:
        """Tell whether a further finding ties nouns together of which the field knows that one moves the other."""
        if casting.prop not in RELATIONS or casting.directed is None:
            return True
        mover, moved = (self.clause.nouns.get(role, -1) for role in casting.directed)
        return mover < 0 or moved < 0 or self.words.is_known(mover, moved)

    def _finding(self, casting: Casting) -> tuple[str, int, int] | None:
        """What an abstract says once only: how one noun moves another, on which measure methods are compared."""
        roles = ONCE.get(casting.prop)
        if roles is None:
            return None
        kind, first, second = roles
        nouns = self.clause.nouns
        return kind, nouns.get(first, -1), nouns.get(second, -1)

    def _system_mention(self, prop: str) -> str:
        """The name of what the paper proposes: introduced where the clause does not do that, later varied."""
        if not self._named_system:
            return self.system if prop in INTRODUCING else f"our method {self.system}"
        draw = self.pick(100)
        if draw < (80 if self.concepts.strict else 70) or prop in INTRODUCING:
            return self.system
        if draw >= 95 or self._class_noun.endswith("s"):
            return "our method"
        return f"the proposed {self._class_noun}"

    def _filled(self, pool: Sequence[Shape], front: bool, missing: int) -> Said | None:
        """Choose a frame and fill it; another one where a verb is lacking."""
        clause = self.clause
        for _ in range(FILLINGS):
            shape = choose(pool, clause, self.used, missing)
            if shape is None:
                return None
            self.used.add(shape)
            if shape.named & CONCEPT_BITS:
                self._word_concepts(shape)
            self._describe(shape)
            said = fill(shape, clause, front=front)
            if said is not None:
                return said
        return None

    def _word_concepts(self, shape: Shape) -> None:
        """Word the concepts that a frame names."""
        texts, plural = self.clause.texts, self.clause.plural
        for place, role in enumerate(CONCEPT_ROLES):
            if shape.named >> place & 1:
                surface = self.concepts.word(place, self.sentence, self.clause, shape.always)
                texts[role], plural[role] = surface.text, surface.plural
        if shape.named & METHOD_BIT and texts["who"].startswith("the "):  # not beside the method's class noun
            texts["who"] = texts["left"] = texts["user"] = self.system

    def _describe(self, shape: Shape) -> None:
        """Give one of the nouns of a clause an adjective, now and then."""
        clause = self.clause
        clause.described = ""
        if self.pick(100) >= ADJECTIVES or not shape.describable:
            return
        role = shape.describable[self.pick(len(shape.describable))]
        options = self.words.adjectives[clause.nouns[role]]
        if options:
            clause.described, clause.adjective = role, options[self.pick(len(options))]

    def _stated(self, said: Said, casting: Casting) -> list[tuple[int, int]]:
        """The facts that a clause states."""
        roles, nouns = said.roles, said.nouns
        stated = []
        for role, pair in casting.stated.items():
            if role in roles and role in nouns:
                stated.append(pair)
        if said.shape.named & CONCEPT_BITS:
            stated += self.concepts.state(roles, self.sentence)
        if not roles.isdisjoint(SYSTEM_ROLES) and (self.system in said.subject or self.system in said.predicate):
            self._named_system = True
            stated.append((self.codes["system"], EXPLICIT))
        if "dataset" in roles or (self.concepts.with_data and "O" in roles):
            self.concepts.data = self.dataset
            stated.append((self.codes["dataset"], EXPLICIT))
        if not roles.isdisjoint(RIVAL_ROLES):
            self._named_rival = True
            stated.append((self.codes["baseline"], EXPLICIT))
        return stated
