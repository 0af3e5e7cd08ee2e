"""Says what one paper has to say, sentence by sentence, and keeps a record of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..facts import CAST, ROLE_PARTS
from .clauses import PLOTTED, Said, Shape, choose, fill, plain
from .plans import Plan, assemble, finish
from .realize import Clause, Parts, UnfilledError, join
from .shared import EXPLICIT, PLOTS, Shared
from .words import FUNCTION, NAME, PARAPHRASE, ConceptWords, Surface

STRIDE = 20
"""Draws that one sentence may take before it would run into those of the next."""

SENTENCES = 100
"""Sentences that a paper has draws for."""

DIRECTED = {
    "cause": ("cause", "effect"),
    "contrast": ("cond", "moving"),
    "condition": ("cond", "what"),
    "trend": ("knob", "effect"),
    "mechanism": ("source", "effect"),
    "modeling": ("by", "what"),
    "implication": ("by", "what"),
}
"""Which role moves which one in a directed proposition."""

VARIANTS: dict[str, tuple[dict[str, str], ...]] = {
    "cause": (ROLE_PARTS["cause"], {"cause": "source", "effect": "second", "cond": "cond"}),
    "comparison": (ROLE_PARTS["comparison"], {"on": "symptom", "cond": "other"}),
    "contrast": (ROLE_PARTS["contrast"], {"moving": "second", "still": "still", "cond": "cond"}),
    "condition": (ROLE_PARTS["condition"], {"what": "effect", "cond": "other", "other": "cond"}),
    "resource": (ROLE_PARTS["resource"], {"supply": "supply", "goal": "symptom"}),
    "failure": (ROLE_PARTS["failure"], {"when": "hazard", "symptom": "merit", "cond": "cond"}),
    "trend": (ROLE_PARTS["trend"], {"effect": "effect", "knob": "knob", "cond": "other"}),
    "mechanism": (ROLE_PARTS["mechanism"], {"source": "cause", "via": "via", "effect": "second", "cond": "cond"}),
}
"""What a proposition may be said of: first what the paper is about, then what it adds."""

FILLINGS = 3
"""Frames that are tried for a clause."""

ADJECTIVES = 36
"""Percent of clauses that describe one of their nouns by an adjective."""

AGAIN = 38
"""Percent of the mentions of a concept soon after another one that say "the model"."""

OBJECT = 2
OF_DATA, PLAIN_OBJECT = 12, 28
"""Percent of an abstract's later mentions of the object that say "the drops of Orvane", and with "the drops"."""

DESCRIBED = ("cause", "source", "by", "when")
"""Roles that an adjective may describe: what acts, not what is observed, spent, set or judged."""

INTRODUCING = ("proposal", "setup")
"""Propositions whose frames introduce the name of the method themselves."""

UNCONDITIONED = ("relevance", "gap", "aim", "proposal", "setup", "remedy")
"""Propositions that hardly ever name a condition: it belongs to what was found."""

QUOTED = 85
"""Percent of the findings of an abstract that quote the numbers of a figure, where there is one."""

NUMBERED = ("comparison", "agreement")
"""Propositions with numbers of their own."""

GLOSSED = 14
"""One paper in GLOSSED glosses its problem by a functional description, one its method, one its object."""

RIVAL_KINDS = ("the earlier", "the published", "the established", "", "", "", "")
"""How the rival is introduced."""

ANCHORED = ("cause", "contrast", "condition", "trend", "mechanism", "failure", "resource")
THEOREM_ANCHORED = ("trend", "failure", "resource")
"""What a paper in mathematics may have found in examples: theorems are not tied to data."""
ANCHORS = 80
"""Percent of such findings that are tied to the paper's data or name."""

SILENT: frozenset[str] = frozenset({"cond"})
NOTHING: frozenset[str] = frozenset()
CONCEPT_BITS = 7
SYSTEM_ROLES = frozenset(("system", "who", "left", "user"))
PART_OF = {name: place for place, name in enumerate(CAST)}
PLACES = {
    prop: tuple(
        tuple((role, PART_OF[part]) for role, part in parts.items())
        for parts in VARIANTS.get(prop, (ROLE_PARTS[prop],))
    )
    for prop in ROLE_PARTS
}
"""Proposition -> variant -> (role, place in the cast) pairs."""

CONCEPT_ROLES = ("P", "M", "O")


@dataclass(slots=True)
class Sentence:
    """A sentence and the (fact, level) pairs that it states."""

    text: str
    facts: list[tuple[int, int]]


class Narrator:
    """One paper's voice.

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
        self.used: set[str] = set()
        self.codes = shared.fact_codes
        self._sentence = 0
        self.clause = Clause(words, draws)
        self.pick = self.clause.pick
        self.triple = self.clause.triple = shared.concepts[row]
        self.surfaces = self._primary_surfaces()
        self.mentions = [0, 0, 0]
        self.levels = [0, 0, 0]
        self.glossed = draws[2] * GLOSSED >> 32
        self.said_at = [-9, -9, -9]
        self.short_given = [False, False, False]
        self.conditions: set[int] = set()
        self.directions: dict[int, int] = {}
        self.strict = True
        self.plural = {"units": True}
        self.named_system = self.named_rival = self.named_data = self.said_data = False
        self.system = shared.system_name(row)
        self.rival = shared.rival_name(row)
        kind = RIVAL_KINDS[draws[1] * len(RIVAL_KINDS) >> 32]
        self.rival_first = f"{kind} {self.rival}" if kind else self.rival
        self.dataset = shared.dataset_name(row)
        unit, units = words.units[draws[0] * len(words.units) >> 32]
        self.base = {
            "system": self.system,
            "baseline": self.rival,
            "right": self.rival,
            "dataset": self.dataset,
            "unit": unit,
            "units": units,
        }
        for place, role in enumerate(CONCEPT_ROLES):
            self.base[role] = self.surfaces[place].text
        self.facts = shared.numbers(row)

    def new_section(self) -> None:
        """Forget what was just named: a section speaks of it in full again."""
        self.said_at = [-9, -9, -9]

    def next_sentence(self) -> None:
        """Move to the draws of the next sentence."""
        self._sentence = (self._sentence + 1) % SENTENCES
        self.clause.at = self._sentence * STRIDE

    def chance(self, percent: int) -> bool:
        """Draw a yes with that probability."""
        return self.clause.pick(100) < percent

    # ------------------------------------------------------------------ concepts

    def _primary_surfaces(self) -> list[Surface]:
        """The wording that the paper prefers for each concept: mostly that of its line of work."""
        shared, row, words = self.shared, self.row, self.words
        chosen = []
        for place, concept in enumerate(shared.concepts[row]):
            self.clause.at = STRIDE - 8 + 2 * place
            key = shared.line_draw(row, place) if self.clause.pick(100) < 28 else self.clause.pick(1 << 16)
            level = NAME if key % 100 < 38 else PARAPHRASE
            options = words.concepts[concept].surfaces[level]
            chosen.append(options[key // 100 % len(options)])
        return chosen

    def concept_words(self, place: int) -> ConceptWords:
        """The wordings of the paper's problem (0), method (1) or object (2)."""
        return self.words.concepts[self.shared.concepts[self.row][place]]

    def concept(self, place: int, roles: frozenset[str] = NOTHING) -> Surface:
        """Word a concept: first as the paper prefers, later in another way or by a class noun.

        Args:
            place: The problem (0), the method (1) or the object (2).
            roles: Roles of the frame that it is for.
        """
        words = self.concept_words(place)
        surface = self.surfaces[place]
        count = self.mentions[place]
        if count == 0:
            if place == self.glossed:
                options = words.surfaces[FUNCTION]
                gloss = options[self.pick(len(options))]
                return Surface(f"{surface.text} ({gloss.text})", surface.plural, surface.level)
            if words.short and surface.level == NAME:
                return Surface(f"{surface.text} ({words.short})", surface.plural, NAME)
            return surface
        recent = self._sentence - self.said_at[place] <= 3
        draw = self.pick(100)
        if place == OBJECT and self.strict:
            if draw < OF_DATA and self.named_data and "dataset" not in roles:
                self.said_data = True
                return Surface(f"{words.later.text} of {self.dataset}", words.later.plural, 0)
            recent = recent and draw < PLAIN_OBJECT
        if recent and draw < AGAIN:
            return words.later
        if words.short and draw < 84 and self.short_given[place]:
            return Surface(words.short, surface.plural and words.short.endswith("s"), NAME)
        if draw < 98:
            return surface
        options = words.surfaces[NAME if draw < 99 else PARAPHRASE]
        return options[draw % len(options)]

    # ------------------------------------------------------------------ clauses

    def set_clause(self, prop: str, variant: int = 0, *, drop: int = 45) -> dict[str, str]:
        """Prepare the clause of a proposition; return the parts of the cast that fill its roles.

        Args:
            prop: The proposition.
            variant: Which of its variants.
            drop: Percent of clauses that leave an optional condition unsaid.
        """
        clause, cast = self.clause, self.cast
        variants = VARIANTS.get(prop)
        parts = variants[variant % len(variants)] if variants else ROLE_PARTS[prop]
        clause.words, clause.triple = self.words, self.triple
        clause.nouns = nouns = {}
        for role, place in PLACES[prop][variant % len(PLACES[prop])]:
            noun = cast[place]
            if noun >= 0:
                nouns[role] = noun
        clause.numbers = {}
        clause.texts = texts = self.base
        clause.plural = self.plural
        clause.facts = self.facts
        texts["who"] = texts["left"] = texts["user"] = self._system_mention(prop)
        texts["right"] = texts["baseline"] = self.rival if self.named_rival else self.rival_first
        if prop in NUMBERED:
            clause.facts = self.facts | self.shared.other_numbers(self.row, prop, variant)
        if variant and prop == "trend":  # the level is that of the first curve
            clause.facts = {name: text for name, text in clause.facts.items() if name != "level"}
        if not variant and prop in PLOTS.values():
            clause.facts = clause.facts | self.shared.curve_numbers(self.row, prop)
        cond = nouns.get("cond")
        drop = 92 if prop in UNCONDITIONED else drop if cond not in self.conditions else max(drop, 88)
        if cond is not None and self.pick(100) < drop:
            clause.silent = SILENT
        else:
            clause.silent = NOTHING
        clause.down = 0
        pair = DIRECTED.get(prop)
        if pair is not None and pair[0] in nouns and pair[1] in nouns:
            clause.down = self.words.sign(nouns[pair[0]], nouns[pair[1]])
        return parts

    def contradicts(self, prop: str) -> bool:
        """Tell whether the clause moves a measure another way than the paper has moved it."""
        pair = DIRECTED.get(prop)
        target = self.clause.nouns.get(pair[1]) if pair is not None else None
        if target is None or (prop == "trend" and not self.strict):
            return False
        return self.directions.setdefault(target, self.clause.down) != self.clause.down

    def _system_mention(self, prop: str) -> str:
        """The name of what the paper proposes: introduced where the clause does not do that, later varied."""
        if not self.named_system:
            return self.system if prop in INTRODUCING else f"our method {self.system}"
        draw = self.pick(100)
        if draw < (80 if self.strict else 70) or prop in INTRODUCING:
            return self.system
        later = self.concept_words(1).later.text.removeprefix("the ")
        if later.endswith("s") or draw >= 95:
            return "our method"
        return f"the proposed {later}"

    def say(
        self,
        prop: str,
        move: str = "",
        variant: int = 0,
        *,
        form: str = "",
        missing: int = 0,
        drop: int = 45,
        given: dict[str, int] | None = None,
        nominal: bool = False,
        tone: str = "",
    ) -> tuple[Said, list[tuple[int, int]]] | None:
        """Say a proposition in one clause.

        Args:
            prop: The proposition.
            move: The move that it stands in.
            variant: Which variant of it.
            form: "front" or "gerund", see `clauses.fill`.
            missing: Bits of NAMED that should be said, where a frame can.
            drop: Percent of clauses without their optional condition.
            given: Nouns that the sentence has named.
            nominal: Take a nominal frame.
            tone: Sentiment of a citation.

        Returns:
            The clause and what it states, None where no frame fits.
        """
        parts = self.set_clause(prop, variant, drop=drop)
        clause = self.clause
        self.said_data = False
        if self.contradicts(prop):
            return None
        if given and "cond" in clause.nouns and clause.nouns["cond"] in given.values():
            clause.silent = SILENT
        pool = self.shared.pools.of(self.group, prop, move)
        if nominal or tone or form == "gerund":
            pool = tuple(
                shape
                for shape in pool
                if shape.nominal == nominal
                and (not tone or shape.tone == tone)
                and (form != "gerund" or (shape.gerund and shape.subject_noun))
            )
        elif self.strict and not PLOTTED.isdisjoint(clause.facts) and self.pick(100) < QUOTED:
            pool = self.shared.pools.plotted(self.group, prop)
        else:
            pool = self.shared.pools.finite(self.group, prop, move)
        said = self._filled(pool, form, missing)
        if said is None:
            return None
        cond = said.nouns.get("cond")
        if cond is not None:
            self.conditions.add(cond)
        return said, self._stated(said, parts)

    def _filled(self, pool: Sequence[Shape], form: str, missing: int) -> Said | None:
        """Choose a frame and fill it; another one where a verb is lacking."""
        clause = self.clause
        for _ in range(FILLINGS):
            shape = choose(pool, clause, self.used, missing)
            if shape is None:
                return None
            self.used.add(shape.id)
            if shape.named & CONCEPT_BITS:
                for place, role in enumerate(CONCEPT_ROLES):
                    if shape.named >> place & 1:
                        surface = self.concept(place, shape.roles)
                        clause.texts[role], clause.plural[role] = surface.text, surface.plural
                        self.levels[place] = surface.level
                if shape.named & 2 and clause.texts["who"].startswith("the "):  # not beside the method's class noun
                    clause.texts["who"] = clause.texts["left"] = clause.texts["user"] = self.system
            self._describe(shape)
            said = fill(shape, clause, form)
            if said is not None:
                return said
        return None

    def _describe(self, shape: Shape) -> None:
        """Give one of the nouns of a clause an adjective, now and then."""
        clause = self.clause
        clause.described = ""
        if self.pick(100) >= ADJECTIVES:
            return
        roles = [role for role in shape.needs if role in DESCRIBED]
        if not roles:
            return
        role = roles[self.pick(len(roles))]
        options = self.words.adjectives[clause.nouns[role]]
        if options:
            clause.described, clause.adjective = role, options[self.pick(len(options))]

    def _stated(self, said: Said, parts: dict[str, str]) -> list[tuple[int, int]]:
        """The facts that a clause states."""
        stated = [(self.codes[parts[role]], EXPLICIT) for role in said.nouns if role in parts]
        roles = said.roles
        if said.shape.named & CONCEPT_BITS:
            for place, role in enumerate(CONCEPT_ROLES):
                if role in roles:
                    level = self.levels[place]
                    if level:
                        stated.append((place, level))
                        if place == self.glossed and self.mentions[place] == 0:
                            stated.append((place, FUNCTION))
                        self.said_at[place] = self._sentence
                        if level == NAME and self.mentions[place] == 0:
                            self.short_given[place] = True
                    self.mentions[place] += 1
        if not roles.isdisjoint(SYSTEM_ROLES) and self.system in (said.subject + said.predicate):
            self.named_system = True
            stated.append((self.codes["system"], EXPLICIT))
        if "dataset" in roles or (self.said_data and "O" in roles):
            self.named_data = True
            stated.append((self.codes["dataset"], EXPLICIT))
        if "right" in roles or "baseline" in roles:
            self.named_rival = True
            stated.append((self.codes["baseline"], EXPLICIT))
        return stated

    # ------------------------------------------------------------------ sentences

    def single(
        self, prop: str, move: str = "", variant: int = 0, *, missing: int = 0, drop: int = 45
    ) -> Sentence | None:
        """One proposition, one sentence."""
        form = "front" if self.chance(28) else ""
        found = self.say(prop, move, variant, form=form, missing=missing, drop=drop)
        if found is None:
            return None
        said, facts = found
        text = said.finite
        anchored = THEOREM_ANCHORED if self.group == "math" else ANCHORED
        if prop in anchored and self.chance(ANCHORS):
            text, more = self._anchor(said)
            return Sentence(finish(text), [*facts, *more])
        plans = self.shared.plans.plans(self.group, "single")
        if not said.front and plans and prop in VARIANTS:
            plan = plans[self.pick(len(plans))]
            if not plan.moves or move in plan.moves:
                text = assemble(plan, said, None, self._phrase(plan))
        return Sentence(finish(text), facts)

    def _anchor(self, said: Said) -> tuple[str, list[tuple[int, int]]]:
        """Tie a finding to the paper's data or name, before or behind the clause; the clause and what that states."""
        whole = said.subject + said.predicate
        tied = "," in whole or not said.roles.isdisjoint(("cond", "other", "still"))  # nothing goes behind these
        leads = not said.front and (tied or self.chance(50))
        if tied and not leads:
            return said.finite, []
        options = self.shared.exhibits.of(self.group, "lead" if leads else "tail")
        if not options or self.said_data or not said.roles.isdisjoint(("dataset", *SYSTEM_ROLES)):
            return said.finite, []
        clause = self.clause
        clause.said.clear()
        try:
            text = join(options[self.pick(len(options))], clause)
        except KeyError:
            return said.finite, []
        codes = [self.codes[name] for name in ("system", "dataset", "baseline") if name in clause.said]
        self.named_data = self.named_data or "dataset" in clause.said
        whole = f"{text}, {said.finite}" if leads else f"{said.finite} {text}"
        return whole, [(code, EXPLICIT) for code in codes]

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
        one = self.say(first[0], first[1], first[2], drop=35)
        if one is None:
            return None
        two = self.say(second[0], second[1], second[2], given=one[0].nouns, drop=60)
        if two is None or one[0].predicate == two[0].predicate:
            return Sentence(finish(one[0].finite), one[1])
        return Sentence(finish(assemble(plan, one[0], two[0], self._phrase(plan))), [*one[1], *two[1]])

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
        clause = self.clause
        clause.words, clause.triple = self.words, self.triple
        clause.nouns = nouns
        clause.texts = self.base
        clause.texts["baseline"] = self.rival
        clause.texts["cited"] = cited
        if pair is not None:  # a survey speaks of other papers' methods
            clause.texts = dict(self.base)
            clause.texts["cited2"] = self.shared.cited(pair[1])
            clause.texts["system"] = self.shared.system_name(pair[0])
            clause.texts["baseline"] = self.shared.system_name(pair[1])
        clause.plural = self.plural
        clause.facts = facts or {}
        clause.numbers = {}
        clause.silent = NOTHING
        clause.down = down
        for place, role in enumerate(CONCEPT_ROLES):
            surface = self.surfaces[place]
            clause.texts[role] = surface.text
            clause.plural[role] = surface.plural
        try:
            return plain(join(parts, clause))
        except (UnfilledError, KeyError):
            return None

    def value_clause(self, parts: Parts, numbers: dict[str, str], locals_: dict[str, int]) -> str | None:
        """Fill a clause of an attribute; numbers and free nouns are kept for the other half of an evidence set."""
        clause = self.clause
        clause.words, clause.triple = self.words, self.triple
        clause.nouns = locals_
        clause.texts = self.base
        clause.texts["baseline"] = self.rival
        clause.plural = self.plural
        clause.facts = self.facts
        clause.numbers = numbers
        clause.silent = NOTHING
        clause.down = 0
        for place, role in enumerate(CONCEPT_ROLES):
            surface = self.surfaces[place]
            clause.texts[role] = surface.text
            clause.plural[role] = surface.plural
        try:
            return plain(join(parts, clause))
        except UnfilledError:
            return None
