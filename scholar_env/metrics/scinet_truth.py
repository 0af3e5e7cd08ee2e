"""The judge that knows the graph: what SciNet asks judges about, answered without a model."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scholar_env.graph.citation_graph import SENTIMENTS, CitationGraph
from scholar_env.graph.contexts import mentions_of
from scholar_env.metrics.judges import JudgeRequest, Rating, TruthJudge

MEASURE_OF = {"novelty": "novelty_reference", "disruption": "disruption_seed"}
"""Score that a criterion is about."""


class Relations(Protocol):
    """A corpus and its citation graph, as measures ask about them; papers outside the corpus cite nothing."""

    @property
    def graph(self) -> CitationGraph:
        """The citation graph."""
        ...

    def row_of(self, paper: str) -> int | None:
        """Row of a paper, None outside the corpus."""
        ...

    def citers(self, paper: str) -> Collection[str]:
        """Papers that cite a paper."""
        ...

    def percentiles(self, measure: str, percentile: str) -> NDArray[np.float64]:
        """Percentiles of all papers, NaN for an unscored one."""
        ...


def truth_judge(relations: Relations) -> TruthJudge:
    """The judge of a corpus.

    - ``novelty``, ``disruption`` of a paper (the subject is its id): its percentile among all scored papers, as the
      nearest whole number of tenths of 100, no less than ``low``; no score for an unscored paper.
    - ``sentiment`` of a citation context (:func:`context_subject`): its label in the graph.
    - ``rationality`` of a path: the share of neighbours of which one cites the other, all in one direction, in whole
      tenths; 0 for fewer than two papers.
    """

    def score(request: JudgeRequest) -> Rating:
        row = relations.row_of(request.subject)
        if row is None:
            return Rating()
        percentile = float(relations.percentiles(MEASURE_OF[request.criterion], "pct_release")[row])
        return Rating() if math.isnan(percentile) else _tenths(request, percentile / 100)

    def sentiment(request: JudgeRequest) -> Rating:
        citing, cited, paragraph = request.subject.split("\t")
        source, target = relations.row_of(citing), relations.row_of(cited)
        if source is None or target is None:
            return Rating()
        found = mentions_of(relations.graph, target)
        labels = found.sentiment[(found.citing == source) & (found.paragraph == int(paragraph))]
        return Rating(label=SENTIMENTS[int(labels[0])] if len(labels) else "")

    def rationality(request: JudgeRequest) -> Rating:
        path = [item.id for item in request.items]
        steps = [
            (newer in relations.citers(older), older in relations.citers(newer)) for older, newer in pairwise(path)
        ]
        best = max((sum(forward for forward, _ in steps), sum(back for _, back in steps)), default=0)
        return _tenths(request, best / len(steps) if steps else 0.0)

    return TruthJudge({"novelty": score, "disruption": score, "sentiment": sentiment, "rationality": rationality})


def context_subject(citing: str, cited: str, paragraph: int) -> str:
    """Names a citation context among all of them."""
    return f"{citing}\t{cited}\t{paragraph}"


def _tenths(request: JudgeRequest, share: float) -> Rating:
    return Rating(score=float(max(request.low, math.floor(10 * share + 0.5))))
