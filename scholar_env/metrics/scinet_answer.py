"""All measures of one SciNet answer, by kind of task: the paper's, the safe ones that rewards use, and the released.

Formulas are in :mod:`scholar_env.metrics.scinet`, :mod:`~scholar_env.metrics.scinet_path`,
:mod:`~scholar_env.metrics.scinet_judged` and the modules ``scinet_release*``. Names that end in ``_release`` are for
reports only. An answer that a measure leaves out of its mean is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scholar_env.graph.citation_graph import SENTIMENTS
from scholar_env.metrics import scinet, scinet_path
from scholar_env.metrics.judges import Judge, JudgeItem, JudgeRequest
from scholar_env.metrics.names import SCINET_ANSWER
from scholar_env.metrics.ranking import f1, precision, ratio
from scholar_env.metrics.scinet_judged import Work, llm_top5, rationality
from scholar_env.metrics.scinet_need import ScinetNeed
from scholar_env.metrics.scinet_release import TOP, mean_or_none, recall_release, sos_pct_of_mean
from scholar_env.metrics.scinet_release_pair import cite_acc_release, comention_acc_release
from scholar_env.metrics.scinet_release_path import ADDRESS, drawn_orders, path_report_release
from scholar_env.metrics.scinet_truth import Relations, context_subject
from scholar_env.task_files.scinet_queries import COMENTION, DISRUPTION, NOVELTY, PATH, SENTIMENT

RELEASED = (
    "recall_release@50", "sos_pct_of_mean", "novelty_raw_top5", "disruption_raw_top5", "cite_acc_release",
    "cite_sentiment_release", "comention_acc_release", "comention_paragraph_release", "path_precision_release",
    "connectivity_release",
)  # fmt: skip
"""What the released scripts report; most can be gamed, so they are recorded and no reward."""

QUERY = "query"
"""Stands for the one query that the released reports are asked about."""

POSITIVE = SENTIMENTS[1]
Measures = dict[str, float | None]


class Evidence(Relations, Protocol):
    """What measures of an answer ask about a corpus."""

    @property
    def judge(self) -> Judge:
        """Who rates."""
        ...

    def references(self, paper: str) -> Collection[str]:
        """Papers that a paper cites."""
        ...

    def mentioned_with(self, paper: str) -> Collection[str]:
        """Papers that share a citation paragraph with a paper."""
        ...

    def scores(self, measure: str) -> NDArray[np.float64]:
        """Scores of all papers, NaN for an unscored one."""
        ...

    def has_unit(self, unit: str) -> bool:
        """Whether the corpus knows this unit of its papers."""
        ...

    def work(self, paper: str) -> Work | None:
        """A paper as a judge sees it."""
        ...

    def has_text(self, paper: str) -> bool:
        """Whether there is a full text."""
        ...

    def contexts(self, citing: str, cited: str) -> Sequence[tuple[int, str]]:
        """Citation paragraphs, number and text, in which a paper mentions another."""
        ...


def measures(need: ScinetNeed, given: Sequence[str], evidence: Evidence) -> dict[str, float]:
    """All measures of an answer: the names :data:`~scholar_env.metrics.names.SCINET_ANSWER` of the task's kind.

    Args:
        need: The task.
        given: The answer as it was given; what is beyond the limit counts for the released measures alone.
        evidence: The corpus.

    Raises:
        InfrastructureError: The judge cannot be reached.
    """
    answer, _ = scinet.cut(given, need.limit)
    found = {NOVELTY: _ego, DISRUPTION: _ego, SENTIMENT: _sentiment, COMENTION: _comention, PATH: _path}[need.kind](
        need, answer, given, evidence
    )
    rows = [row for paper in scinet.distinct(answer) if (row := evidence.row_of(paper)) is not None]
    cited = [float(evidence.graph.n_citers_of[row]) for row in rows]
    found |= {"gold_f1": f1(answer, need.gold), "mean_citations": mean_or_none(cited)}
    return {name: _number(found[name]) for name in SCINET_ANSWER[need.kind]}


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


# Novel and disruptive papers.


def _ego(need: ScinetNeed, answer: Sequence[str], given: Sequence[str], evidence: Evidence) -> Measures:
    own = f"novelty_{need.unit}" if need.kind == NOVELTY else "disruption_seed"
    released = "novelty_reference" if need.kind == NOVELTY else "disruption_seed"
    gold = [{"id": paper} for paper in need.gold]
    raw = scinet.raw_mean(given, _values(released, given, evidence))
    scored = evidence.scores(released)
    population = scored[~np.isnan(scored)].tolist()
    of_mean = None if raw is None else sos_pct_of_mean([raw], population, novelty=need.kind == NOVELTY)[1]
    found: Measures = {
        "recall_paper@50": scinet.recall_paper(answer, need.gold),
        "recall_of_gold@50": scinet.recall_paper(answer, need.gold, of_gold=True),
        "recall_release@50": recall_release({QUERY: _items(given)}, {"": QUERY}, {"": gold}, scinet.EGO_LIMIT)["macro"],
        "sos_pct_of_mean": of_mean,
        f"{need.kind}_raw_top5": raw,
    }
    for percentile, name in (("pct_release", "sos_mean_of_pct"), ("pct_midrank", "sos_mean_of_midrank")):
        values = _picked(evidence.percentiles(own, percentile), answer, evidence)
        for k in (TOP, scinet.EGO_LIMIT):
            found[f"{name}@{k}"] = scinet.raw_mean(answer, values, k)
    works = {paper: work for paper in given[:TOP] if (work := evidence.work(paper)) is not None}
    found["llm_top5"] = llm_top5({QUERY: _items(given)}, works, evidence.judge, need.kind)["overall"]
    if need.kind == DISRUPTION:
        found["disruption_cd_top5"] = scinet.raw_mean(given, _values("disruption_cd", given, evidence))
    else:
        journals = _values("novelty_journal", given, evidence) if evidence.has_unit("journal") else {}
        found["novelty_journal_top5"] = scinet.raw_mean(given, journals)
    return found


def _values(measure: str, papers: Sequence[str], evidence: Evidence) -> dict[str, float]:
    return _picked(evidence.scores(measure), papers, evidence)


def _picked(values: NDArray[np.float64], papers: Sequence[str], evidence: Evidence) -> dict[str, float]:
    """Values of those papers that have one."""
    rows = {paper: row for paper in papers if (row := evidence.row_of(paper)) is not None}
    return {paper: float(values[row]) for paper, row in rows.items() if not math.isnan(values[row])}


# Pairs.


def _pair(need: ScinetNeed, answer: Sequence[str]) -> Measures:
    items, right = scinet.distinct(answer), set(need.gold) - {need.seed}
    hits = len(right.intersection(items))
    return {
        "pair_f1": scinet.pair_f1(answer, need.seed, need.gold, at_least=scinet.MIN_PAIR_ITEMS),
        "pair_precision": precision(items, right),
        "pair_recall": ratio(hits, min(scinet.PAIR_LIMIT, len(right))),
    }


def _sentiment(need: ScinetNeed, answer: Sequence[str], given: Sequence[str], evidence: Evidence) -> Measures:
    seed = need.seed
    cites = {paper for paper in given if seed in evidence.references(paper)}
    texts = {paper for paper in given if evidence.has_text(paper)}
    positive = {paper for paper in cites if _is_positive(paper, seed, evidence)}
    table = CitingTable(given, seed, evidence)
    released = cite_acc_release({QUERY: table.items(given)}, {table.key(seed): QUERY}, table.references)
    return {
        **_pair(need, answer),
        "cite_acc_in": scinet.cite_acc(answer, seed, evidence.references) or 0.0,
        "cite_acc_out": scinet.cite_acc(answer, seed, evidence.citers) or 0.0,
        "cite_acc_strict": scinet.strict(answer, seed, cites.__contains__),
        "cite_sentiment": scinet.cite_sentiment(answer, positive) or 0.0,
        "cite_sentiment_given_cite": scinet.cite_sentiment_given(answer, positive, cites),
        "cite_sentiment_given_pdf": scinet.cite_sentiment_given(answer, positive, texts),
        "cite_sentiment_strict": scinet.strict(answer, seed, positive.__contains__),
        "cite_acc_release": released["macro"],
        "cite_sentiment_release": scinet.cite_sentiment(given, positive & texts),
    }


def _is_positive(citing: str, cited: str, evidence: Evidence) -> bool:
    """Whether the judge finds one or more of the contexts positive."""
    return any(
        evidence.judge.rate(request).label == POSITIVE for request in sentiment_requests(citing, cited, evidence)
    )


def sentiment_requests(citing: str, cited: str, evidence: Evidence) -> list[JudgeRequest]:
    """What a judge is asked about the contexts in which a paper cites another."""
    work = evidence.work(citing)
    title = work.title if work else ""
    return [
        JudgeRequest(
            "sentiment",
            context_subject(citing, cited, paragraph),
            (JudgeItem(citing, title, text),),
            labels=SENTIMENTS,
        )
        for paragraph, text in evidence.contexts(citing, cited)
    ]


def _comention(need: ScinetNeed, answer: Sequence[str], given: Sequence[str], evidence: Evidence) -> Measures:
    seed = need.seed
    own, together = set(evidence.citers(seed)), set(evidence.mentioned_with(seed))
    table = CitingTable(given, seed, evidence)
    released = comention_acc_release({QUERY: table.items(given)}, {table.key(seed): QUERY}, table.citers)

    def is_right(paper: str) -> bool:
        return not own.isdisjoint(evidence.citers(paper))

    return {
        **_pair(need, answer),
        "comention_acc": scinet.comention_acc(answer, seed, evidence.citers) or 0.0,
        "comention_acc_strict": scinet.strict(answer, seed, is_right, at_least=0),
        "comention_acc_strict_min5": scinet.strict(answer, seed, is_right),
        "comention_paragraph": scinet.comention_paragraph(answer, together) or 0.0,
        "comention_paragraph_strict": scinet.strict(answer, seed, together.__contains__),
        "comention_acc_release": released["macro"] if given else None,
        "comention_paragraph_release": scinet.comention_paragraph(given, together),
    }


# Paths.


def _path(need: ScinetNeed, answer: Sequence[str], given: Sequence[str], evidence: Evidence) -> Measures:
    gold, ends = need.gold, (need.start, need.end)
    table = CitingTable([*given, *gold], need.start, evidence)
    report = path_report_release(
        {QUERY: table.items(given)},
        {QUERY: QUERY},
        {QUERY: {"most_influential_path": [table.key(paper) for paper in gold]}},
        table.references,
        drawn_orders(0, "\t".join(ends)),
    )
    works = {paper: work for paper in answer if (work := evidence.work(paper)) is not None}
    return {
        "path_f1_inner": scinet_path.path_f1_inner(answer, gold),
        "path_precision": scinet_path.path_precision(answer, gold) or 0.0,
        "path_recall": scinet_path.path_recall(answer, gold),
        "path_inner": scinet_path.path_inner(answer, gold),
        "path_jaccard": scinet_path.path_jaccard(answer, gold),
        "path_lcs": scinet_path.path_lcs(answer, gold),
        "connectivity_chain": scinet_path.connectivity_chain(answer, ends, evidence.citers),
        "connectivity_induced": scinet_path.connectivity_induced(answer, ends, evidence.citers),
        "connectivity_order": scinet_path.connectivity_order(answer, evidence.citers),
        "connectivity_any": scinet_path.connectivity_any(answer, evidence.citers),
        "connectivity_expected": scinet_path.connectivity_expected(answer, evidence.citers),
        "rationality": rationality({QUERY: _items(answer)}, works, evidence.judge)["overall"],
        "path_precision_release": report["macro_precision"] if given else None,
        "connectivity_release": report["connectivity_rate"],
    }


def _items(papers: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": paper} for paper in papers]


class CitingTable:
    """What the released scripts read, for the papers of one answer under short ids that hold no stroke.

    Args:
        papers: The papers.
        seed: A further one.
        evidence: The corpus.
    """

    def __init__(self, papers: Sequence[str], seed: str, evidence: Evidence) -> None:
        self._keys: dict[str, str] = {}
        own = scinet.distinct([*papers, seed])
        self.references = {self.key(paper): self._keyed(evidence.references(paper)) for paper in own}
        self.citers = {self.key(paper): self._keyed(evidence.citers(paper)) for paper in own}

    def key(self, paper: str) -> str:
        """The short id of a paper."""
        return self._keys.setdefault(paper, f"W{len(self._keys)}")

    def items(self, papers: Sequence[str]) -> list[dict[str, Any]]:
        """An answer as the scripts read it."""
        return [{"id": ADDRESS + self.key(paper), "title": paper} for paper in papers]

    def _keyed(self, papers: Collection[str]) -> list[str]:
        return [self.key(paper) for paper in sorted(papers)]
