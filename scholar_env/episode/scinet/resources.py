"""What SciNet opens for a corpus besides its papers: the citation graph, and scores of all papers made once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scholar_env.corpus import Corpus
from scholar_env.episode.scinet.config import TRUTH
from scholar_env.errors import InvalidOptionError
from scholar_env.graph.citation_graph import CitationGraph
from scholar_env.graph.contexts import co_mentioned, mentions_by
from scholar_env.graph.disruption import disruption_cd, disruption_seed, impact
from scholar_env.graph.novelty import novelty
from scholar_env.graph.of_corpus import has_unit, open_graph, units_of
from scholar_env.graph.passages import paragraph_text
from scholar_env.metrics.judges import Judge
from scholar_env.metrics.scinet import percentiles
from scholar_env.metrics.scinet_judged import Work
from scholar_env.metrics.scinet_truth import truth_judge
from scholar_env.named import named

Floats = NDArray[np.float64]


class ScinetResources:
    """The citation graph of a corpus with all that measures ask of it, shared by all episodes and threads.

    Args:
        corpus: The corpus.
        judge: Who rates: ``truth``, or a judge named ``"package.module:name"``.
    """

    def __init__(self, corpus: Corpus, judge: str = TRUTH) -> None:
        self.corpus = corpus
        self.graph: CitationGraph = open_graph(corpus)
        self._judge_name = judge
        self._made: dict[str, Floats] = {}
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return ScinetResources, (self.corpus, self._judge_name)

    @cached_property
    def judge(self) -> Judge:
        """Who rates novelty, disruption, sentiment and rationality.

        Raises:
            InvalidOptionError: The named judge cannot be imported, or is none.
        """
        return truth_judge(self) if self._judge_name == TRUTH else named_judge(self._judge_name)

    # What cites what, by id; papers outside the corpus cite nothing.

    def row_of(self, paper: str) -> int | None:
        """Row of a paper, given its id or an address that ends in it."""
        row = self.corpus.row_of(paper)
        return row if row is not None or "/" not in paper else self.corpus.row_of(paper.rsplit("/", 1)[1])

    def ids(self, rows: NDArray[np.integer[Any]]) -> list[str]:
        """Ids of rows."""
        return [self.corpus.id_of(row) for row in rows.tolist()]

    def references(self, paper: str) -> set[str]:
        """Papers of the corpus that a paper cites."""
        row = self.row_of(paper)
        return set() if row is None else set(self.ids(self.graph.references(row)))

    def citers(self, paper: str) -> set[str]:
        """Papers that cite a paper."""
        row = self.row_of(paper)
        return set() if row is None else set(self.ids(self.graph.citers(row)))

    def mentioned_with(self, paper: str) -> set[str]:
        """Papers that share a citation paragraph with a paper; none where the graph knows no contexts."""
        row = self.row_of(paper)
        if row is None or self.graph.mentions is None:
            return set()
        return set(self.ids(co_mentioned(self.graph, row).rows))

    def contexts(self, citing: str, cited: str) -> list[tuple[int, str]]:
        """The paragraphs in which a paper mentions another: number and text, "" where it is not shown."""
        source, target = self.row_of(citing), self.row_of(cited)
        if source is None or target is None or self.graph.mentions is None:
            return []
        found = mentions_by(self.graph, np.array([source]))
        numbers = found.paragraph[found.cited == target].tolist()
        return [(number, paragraph_text(self.corpus, source, number, target)) for number in numbers]

    def has_text(self, paper: str) -> bool:
        """Whether the corpus holds the full text of a paper."""
        row = self.row_of(paper)
        return row is not None and bool(self.corpus.sections(row))

    def work(self, paper: str) -> Work | None:
        """A paper as a judge sees it, None outside the corpus."""
        row = self.row_of(paper)
        return None if row is None else Work(self.corpus.title(row), self.corpus.abstract(row), paper)

    # Scores of all papers.

    def has_unit(self, unit: str) -> bool:
        """Whether the corpus knows the journals or topics of its papers."""
        return has_unit(self.corpus, unit)

    def scores(self, measure: str) -> Floats:
        """Scores of all papers, made at their first use: float64 [papers], NaN for an unscored one.

        Args:
            measure: ``disruption_seed``, ``disruption_cd``, or ``novelty_`` with ``reference``, ``journal`` or
                ``topic``.

        Raises:
            InvalidOptionError: The corpus does not know that unit of its papers.
        """
        with self._lock:
            if measure not in self._made:
                self._made[measure] = self._make(measure)
            return self._made[measure]

    def percentiles(self, measure: str, percentile: str) -> Floats:
        """Percentiles of all papers among all scored papers, 0 to 100, the better the higher; NaN for an unscored one.

        Args:
            measure: As for :meth:`scores`.
            percentile: ``pct_release`` or ``pct_midrank``.
        """
        scores = self.scores(measure)
        name = f"{measure} {percentile}"
        with self._lock:
            if name not in self._made:
                sign = -1.0 if measure.startswith("novelty") else 1.0
                self._made[name] = percentiles(sign * scores, percentile)
            return self._made[name]

    def _make(self, measure: str) -> Floats:
        if measure == "disruption_seed":
            return disruption_seed(impact(self.graph), self.graph.n_references_of)
        if measure == "disruption_cd":
            return disruption_cd(impact(self.graph, beside=True))
        return novelty(self.graph, units_of(self.corpus, measure.removeprefix("novelty_")))


def open_resources(corpus: Corpus, options: Mapping[str, Any]) -> ScinetResources:
    """Opens what an environment needs on a corpus; the graph is made at its first use.

    Raises:
        CorpusBusyError: Another process takes too long to make the graph.
        CorpusFormatError, CorpusIntegrityError: The corpus's tables or the kept graph are damaged.
    """
    return ScinetResources(corpus, options["judge"])


def named_judge(name: str) -> Judge:
    """The judge that ``"package.module:name"`` names: a judge, or a class or function that makes one of nothing.

    Raises:
        InvalidOptionError: It cannot be imported, or has no method ``rate``.
    """
    try:
        found = named(name)
        judge = found() if isinstance(found, type) or (callable(found) and not _rates(found)) else found
    except (ImportError, AttributeError, TypeError) as error:
        raise _no_judge(name, str(error)) from error
    if not _rates(judge):
        raise _no_judge(name, f"it is a {type(judge).__name__}")
    return cast(Judge, judge)


def _rates(found: Any) -> bool:
    return callable(getattr(found, "rate", None))


def _no_judge(name: str, why: str) -> InvalidOptionError:
    return InvalidOptionError(
        f"judge={name!r}: {why}",
        "a judge has the method rate(request), and is named package.module:name",
        "correct the name, or leave it out for the one that knows the graph",
    )
