"""A world as all parts of a construction pipeline: its facts propose, verify and judge, so what comes out is known.

pipeline = known_truth(world).pipeline((IndexRanker(corpus, corpus.sparse_index()),))
query = pipeline.construct(corpus.paper(0), Counts())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scholar_env.construction.intents import INTENT_IDS
from scholar_env.construction.parts import Choice, Proposal, Ranker
from scholar_env.construction.pipeline import Pipeline
from scholar_env.construction.records import Evidence
from scholar_env.construction.verification import Verdict
from scholar_env.records import Paper

from .complit_evidence import supported_level
from .complit_maker import WORDS, Maker, ordered, shuffled
from .complit_options import Option
from .complit_wording import Worded
from .draws import Draw
from .streams import Blocks
from .world import World

LEAST = 4
"""Constraints of the shortest query."""

UNSUPPORTED = Evidence("text")
"""Evidence of a wording that nothing supports at its level."""


@dataclass
class Known:
    """What is known of a proposal: the option behind it, and its words."""

    row: int
    option: Option
    worded: Worded


@dataclass
class KnownTruth:
    """Proposer, verifier, chooser, writer and judge over the facts of a world.

    Attributes:
        maker: What its papers offer, and how it is worded.
    """

    maker: Maker
    _known: dict[str, Known] = field(default_factory=dict)
    _draws: dict[int, Draw] = field(default_factory=dict)
    _blocks_used: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rows = {paper: row for row, paper in enumerate(self.maker.world.facts.ids)}
        self._blocks = Blocks(self.maker.world.spec.seed, "complit/pipeline")

    def pipeline(self, rankers: tuple[Ranker, ...]) -> Pipeline:
        """A pipeline of these parts."""
        return Pipeline(self, self, self, self, self, rankers)

    def propose(self, paper: Paper) -> list[Proposal]:
        """A wording of each of a paper's options, whether it suits its level or not."""
        row = self._rows[paper.id]
        offer = self.maker.offers.of(row)
        options = [option for options in offer.slots.values() for option in options]
        found = (self._proposal(row, option, f"{row}/{number}") for number, option in enumerate(options))
        return [proposal for proposal in found if proposal is not None]

    def revise(self, paper: Paper, proposal: Proposal, verdict: Verdict) -> Proposal | None:
        """Another wording of the same option."""
        del paper, verdict
        known = self._known[proposal.key]
        return self._proposal(known.row, known.option, proposal.key)

    def verify(self, paper: Paper, proposal: Proposal) -> Verdict:
        """1 where the facts have it and the text supports it at its level, else 0."""
        known = self._known[proposal.key]
        if not self.maker.columns.holds(self._rows[paper.id], known.option.claim):
            return Verdict(0.0, "it is not so")
        supported = self.maker.support.of(known.row, known.option, known.worded) == proposal.evidence
        return Verdict(1.0) if supported else Verdict(0.0, "its words suit no sentence of that level")

    def choose(self, paper: Paper, proposals: Sequence[Proposal]) -> Choice | None:
        """Some constraints of different topics, and a purpose."""
        draw = self._draw(self._rows[paper.id])
        size = LEAST + draw.weighted(self.maker.mix.standard_sizes)
        by_topic: dict[str, Option] = {}
        of_option = {id(self._known[proposal.key].option): proposal for proposal in proposals}
        for option in shuffled([self._known[proposal.key].option for proposal in proposals], draw):
            by_topic.setdefault(option.topic, option)
        if len(by_topic) < LEAST:
            return None
        chosen = ordered(list(by_topic.values())[:size], draw)
        return Choice(INTENT_IDS[draw.below(len(INTENT_IDS))], tuple(of_option[id(option)] for option in chosen))

    def write(self, paper: Paper, choice: Choice) -> str:
        """The words of a query."""
        draw, wording = self._draw(self._rows[paper.id]), self.maker.wording
        claims = wording.sentences([proposal.text for proposal in choice.proposals], draw, begin=True)
        return " ".join([wording.opening(choice.intent, draw), *claims, wording.closing(draw)])

    def satisfies(self, paper: str, choice: Choice) -> bool:
        """Whether the facts of a paper have all of it."""
        row = self._rows[paper]
        return all(self._known[entry.key].option.papers >> row & 1 for entry in choice.proposals)

    def _proposal(self, row: int, option: Option, key: str) -> Proposal | None:
        worded = self.maker.wording.claim(row, option, self._draw(row))
        if worded is None:
            return None
        self._known[key] = Known(row, option, worded)
        evidence = self.maker.support.of(row, option, worded)
        level = supported_level(option, worded, evidence) if evidence is not None else option.level
        return Proposal(worded.text, option.source, level or None, evidence or UNSUPPORTED, key)

    def _draw(self, row: int) -> Draw:
        """Integers of a paper, enough for one more step."""
        draw = self._draws.get(row)
        if draw is None or draw.left < WORDS:
            number = self._blocks_used.get(row, 0)
            self._blocks_used[row] = number + 1
            draw = self._draws[row] = Draw(self._blocks.raw(row + number * len(self._rows), 4 * WORDS))
        return draw


def known_truth(world: World) -> KnownTruth:
    """The parts of a world."""
    return KnownTruth(Maker(world))
