"""What SciNet's questions have for answers in a world: exact computation on its citation graph."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from scholar_env.corpus_folder import Corpus
from scholar_env.graph.citation_graph import NEGATIVE, NEUTRAL, POSITIVE, CitationGraph
from scholar_env.graph.contexts import CoMentions, citers_with, co_mentioned
from scholar_env.graph.disruption import disruption_cd, disruption_seed, impact
from scholar_env.graph.novelty import novelty
from scholar_env.graph.of_corpus import open_graph, units_of
from scholar_env.graph.paths import influential_path
from scholar_env.graph.top import top_rows

from .choice import Flags, Ints
from .scinet_fields import Field, at_least
from .tables import load_world
from .world import World

Floats = NDArray[np.float64]

LIMIT = 50
"""Papers of a gold list at most."""
SHARE = 10
"""A gold list holds one in so many of the papers that are scored."""
SCORED, FEWEST = 20, 20
"""Scored papers that a field needs: so many of a thousand of the world, and so many in all."""
CITERS = 5
"""Citers of a paper whose disruption counts, and of a seed."""
POSITIVES, TOGETHER = 3, 5
"""Positive citers and co-mentioned papers of a seed at least."""
CLASSICAL, EMERGING, LATE = 50, 10, 10
"""Classical papers are so many most cited ones of a field, emerging ones so many of the last tenth of its years."""
NODES = 3
"""Papers of a gold path at least."""

MODE = "max_len:5"
"""How gold paths are chosen; paths by other modes are kept beside."""
OTHER_MODES = ("shortest", "all", "beam:8")


@dataclass(frozen=True)
class Ranking:
    """The best papers of a field by an indicator.

    Attributes:
        rows: Best first.
        scores: Theirs.
        scored: Papers of the field that have a score.
        variants: Rows by the indicator's other definitions.
    """

    rows: Ints
    scores: Floats
    scored: int
    variants: dict[str, Ints]


@dataclass(frozen=True)
class Path:
    """A gold path.

    Attributes:
        rows: From the classical paper to the emerging one.
        variants: Rows by the other modes.
    """

    rows: list[int]
    variants: dict[str, list[int]]


class Gold:
    """Answers on the graph of a world; what is computed once is kept.

    Args:
        world: The world.
        corpus: Its corpus.
    """

    def __init__(self, world: World, corpus: Corpus) -> None:
        self.world = world
        self.graph: CitationGraph = open_graph(corpus)
        self._journals, self._topics = units_of(corpus, "journal"), units_of(corpus, "topic")
        titles = Counter(corpus.title(row).casefold() for row in range(corpus.n_papers))
        self.titles = tuple(corpus.title(row) for row in range(corpus.n_papers))
        self.named: Flags = np.array([titles[title.casefold()] == 1 and bool(title.strip()) for title in self.titles])

    @cached_property
    def novelty(self) -> dict[str, Floats]:
        """Scores by unit, the first one the gold's; small is novel."""
        units = {"unit=reference": None, "unit=journal": self._journals, "unit=topic": self._topics}
        return {name: novelty(self.graph, column) for name, column in units.items()}

    @cached_property
    def disruption(self) -> dict[str, Floats]:
        """Scores by definition, the first one the gold's; NaN for papers without references or with few citers."""
        counts = impact(self.graph, beside=True)
        few = (self.graph.n_citers_of < CITERS) | (self.graph.n_references_of == 0)
        seed, cd = disruption_seed(counts, self.graph.n_references_of), disruption_cd(counts)
        return {
            name: np.where(few, np.nan, scores) for name, scores in (("disruption_seed", seed), ("disruption_cd", cd))
        }

    def ranking(self, field: Field, kind: str) -> Ranking | None:
        """The gold list of a field; None where too few of its papers are scored.

        Args:
            field: The field.
            kind: ``novelty`` or ``disruption``.
        """
        tables = self.novelty if kind == "novelty" else self.disruption
        scores = next(iter(tables.values()))
        scored = int((field.rows & ~np.isnan(scores)).sum())
        if scored < at_least(self.world, SCORED, FEWEST):
            return None
        size = min(LIMIT, scored // SHARE)
        best = {
            name: top_rows(table, self.graph.id_rank, size, largest=kind == "disruption", among=field.rows)
            for name, table in tables.items()
        }
        gold, *others = best
        return Ranking(best[gold], scores[best[gold]], scored, {name: best[name] for name in others})

    @cached_property
    def seeds(self) -> Ints:
        """Rows that pair questions may be about: a title of their own, citers, positive ones, co-mentioned papers."""
        rows = np.flatnonzero(self.named & (self.graph.n_citers_of >= CITERS))
        return np.array([row for row in rows.tolist() if self._is_seed(row)], dtype=np.int64)

    def _is_seed(self, row: int) -> bool:
        return len(citers_with(self.graph, row, POSITIVE)) >= POSITIVES and len(self.together(row).rows) >= TOGETHER

    def citers(self, row: int) -> dict[str, Ints]:
        """Citers of a paper by what they say of it; one may say more than one thing."""
        tones = (("positive", POSITIVE), ("neutral", NEUTRAL), ("negative", NEGATIVE))
        return {name: citers_with(self.graph, row, tone) for name, tone in tones}

    def together(self, row: int) -> CoMentions:
        """Papers that share a citation paragraph with a paper."""
        return co_mentioned(self.graph, row)

    def ends(self, field: Field) -> tuple[Ints, Ints]:
        """Classical and emerging papers of a field, the most cited first."""
        month = self.world.facts.month
        own = np.flatnonzero(field.rows & self.named)
        first, last = int(month[own].min()), int(month[own].max())
        late = last - (last - first) // LATE
        cited = -self.graph.n_citers_of[own]
        own = own[np.lexsort((self.graph.id_rank[own], cited))]
        return own[:CLASSICAL], own[month[own] > late][:EMERGING]

    def path(self, classical: int, emerging: int) -> Path | None:
        """The gold path between two papers, None where there is none or it is too short."""
        rows = influential_path(self.graph, classical, emerging, MODE)
        if classical == emerging or rows is None or len(rows) < NODES:
            return None
        others = {mode: influential_path(self.graph, classical, emerging, mode) or [] for mode in OTHER_MODES}
        return Path(rows, others)


@lru_cache(maxsize=64)
def gold_of(corpus: Corpus) -> Gold:
    """The answers of an open world; the same object for the same corpus."""
    return Gold(load_world(corpus), corpus)
