"""PaSa's released measures of a search tree, behaviour for behaviour (bytedance/pasa at commit 2aaa6a9b).

A tree is made of papers: ``{"title", "select_score", "child": {action: [papers]}}``. The root stands for the question;
its actions are searches, those of other papers expand a section. Papers are compared by the letters of their titles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scholar_env.metrics.ranking import ratio

SELECTED = 0.5
"""A paper is selected when its score is above this."""

ACTION_COST = 0.1
CUTOFFS = (100, 50, 20)


@dataclass(frozen=True, slots=True)
class PasaMeasures:
    """Measures of one question.

    Attributes:
        crawler_recall: Share of the answer among all papers of the tree.
        precision, recall: Of the selected papers.
        recall_at: Recall of the first papers by score, for each of :data:`CUTOFFS`.
        actions: Number of actions.
        score: Mean over the root and all papers, repetitions counted, of what their actions bring: -0.1 an action and
            1 a selected paper.
    """

    crawler_recall: float
    precision: float
    recall: float
    recall_at: tuple[float, ...]
    actions: int
    score: float


def keep_letters(text: str) -> str:
    """The letters of a text, lower-cased."""
    return "".join(sign for sign in text if sign.isalpha()).lower()


def cal_micro(found: Collection[str], answer: Collection[str]) -> tuple[int, int, int]:
    """True positives, false positives, false negatives; all 0 without an answer."""
    if not answer:
        return 0, 0, 0
    hits = len(set(found) & set(answer))
    return hits, len(set(found)) - hits, len(set(answer)) - hits


def pasa_measures(root: Mapping[str, Any], ensemble: Sequence[Mapping[str, Any]] = ()) -> PasaMeasures:
    """Measures a tree.

    Args:
        root: The tree; ``root["extra"]["answer"]`` are the titles of the answer.
        ensemble: Further trees for the same question, whose papers count as found behind those of the first one.

    Returns:
        The measures. Actions and score are of the first tree alone. By score a paper stands where it is found first, in
        the order of breadth.
    """
    answer = {keep_letters(title) for title in root["extra"]["answer"]}
    everything = [_paper(node) for tree in (root, *ensemble) for node in _below(tree)]
    first: dict[str, float] = {}
    for title, score in everything:
        first.setdefault(title, score)
    ranked = sorted(first, key=lambda title: -first[title])
    selected = {title for title, score in everything if score > SELECTED}
    actions = len(root["child"]) + sum(len(node["child"]) for node in _below(root))
    gains = [_gain(root), *(_gain(node) for node in _below(root))]
    hits, false, missed = cal_micro(selected, answer)
    return PasaMeasures(
        _recall(first, answer),
        ratio(hits, hits + false),
        ratio(hits, hits + missed),
        tuple(_recall(ranked[:cutoff], answer) for cutoff in CUTOFFS),
        actions,
        sum(gains) / len(gains),
    )


def pasa_lines(measures: Sequence[PasaMeasures]) -> tuple[str, str]:
    """The two lines that the release prints: means over questions, to four decimals, with ampersands between."""

    def mean(values: Sequence[float]) -> str:
        return str(round(sum(values) / len(values), 4))

    crawler, precision, recall, score = (
        mean([getattr(entry, name) for entry in measures])
        for name in ("crawler_recall", "precision", "recall", "score")
    )
    at = [mean([entry.recall_at[place] for entry in measures]) for place in range(len(CUTOFFS))]
    actions = mean([float(entry.actions) for entry in measures])
    return (
        " & ".join([crawler, precision, recall, *at]),
        f"{crawler} & {actions} & {score} & {precision}  & {recall}",
    )


def _recall(found: Collection[str], answer: Collection[str]) -> float:
    hits, _, missed = cal_micro(found, answer)
    return ratio(hits, hits + missed)


def _gain(node: Mapping[str, Any]) -> float:
    """What the actions of a node bring, added up in the order of the release so that rounding is its own."""
    gain = 0.0
    for papers in node["child"].values():
        gain -= ACTION_COST
        gain += sum(paper["select_score"] > SELECTED for paper in papers)
    return gain


def _paper(node: Mapping[str, Any]) -> tuple[str, float]:
    return keep_letters(node["title"]), float(node["select_score"])


def _below(root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The papers of a tree in the order of breadth, the root left out."""
    level = [root]
    while level:
        level = [paper for node in level for papers in node["child"].values() for paper in papers]
        yield from level
