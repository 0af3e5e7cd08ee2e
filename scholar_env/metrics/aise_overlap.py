"""The judge without a model: scores of an answer from the entities and facts that it shares with the gold.

Stands in for language models where none is to be asked; the same answer gets the same scores everywhere. Rules that the
benchmark's prompts give its judges hold here, too: an answer that shares no entity with the gold is at most half
correct, one without any paper where the gold cites papers at most 0.8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scholar_env.graph.kg_ids import ID_PATTERN, PAPER, canonical_links, entity_of
from scholar_env.graph.kg_names import folded
from scholar_env.metrics import ranking
from scholar_env.metrics.judges import JudgeRequest, Rating, TruthJudge

CORRECTNESS, COVERAGE, TASK, FAITHFULNESS = "correctness", "completeness_coverage", "completeness_task", "faithfulness"
CRITERIA = (CORRECTNESS, COVERAGE, TASK, FAITHFULNESS)
"""What is judged; the release calls the second ``integrality`` and the third ``completeness``."""

DISJOINT_CAP, NO_PAPER_CAP = 0.5, 0.8

_id = re.compile(ID_PATTERN)
_marker = re.compile(r"\[\d+\]")
_pieces = re.compile(r"[a-z]+|\d+|[^\W\d_a-z]")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """What an answer is compared with.

    Attributes:
        links: Canonical links of the gold entities.
        facts: What the answer must say: names, numbers, ranks.
    """

    links: tuple[str, ...]
    facts: tuple[str, ...]

    @classmethod
    def of_reference(cls, text: str) -> GoldAnswer:
        """The gold in the reference of a judge request (:func:`scholar_env.metrics.aise_judging.requests`)."""
        content = json.loads(text) if text else {}
        links = canonical_links(json.dumps(content.get("reference", {})))
        return cls(tuple(links), tuple(content.get("facts", ())))


def stated_share(text: str, facts: Sequence[str]) -> float:
    """Share of the facts that a text states, in [0, 1]; 1.0 when there are none.

    A fact is stated where its words, numbers and signs stand one after another, case, accents, punctuation and markers
    left out; 3 is not stated by 2003.
    """
    if not facts:
        return 1.0
    said = _spelled(_marker.sub(" ", text))
    return sum(_spelled(fact) in said for fact in facts) / len(facts)


def _spelled(text: str) -> str:
    return f" {' '.join(_pieces.findall(folded(text)))} "


def correctness(text: str, links: Collection[str], gold: GoldAnswer) -> float:
    """Mean of link precision and of the share of facts stated, under the two caps; in [0, 1]."""
    score = (ranking.precision(links, gold.links) + stated_share(text, gold.facts)) / 2
    if not set(links) & set(gold.links):
        score = min(score, DISJOINT_CAP)
    if _cites_papers(gold.links) and not _cites_papers(links):
        score = min(score, NO_PAPER_CAP)
    return score


def _cites_papers(links: Collection[str]) -> bool:
    return any(entity[0] == PAPER for link in links if (entity := entity_of(link)))


def coverage(text: str, links: Collection[str], gold: GoldAnswer) -> float:
    """Mean of link recall and of the share of facts stated, in [0, 1]."""
    return (ranking.recall(links, gold.links) + stated_share(text, gold.facts)) / 2


def faithfulness(links: Collection[str], seen: Collection[str]) -> float:
    """Share of the answer's links that lead to entities that the API results named, in [0, 1]; 0.0 without links.

    Args:
        links: Canonical links of the answer.
        seen: Ids of the entities in the results.
    """
    found = [entity is not None and entity[1] in seen for entity in map(entity_of, dict.fromkeys(links))]
    return ranking.ratio(sum(found), len(found))


def overlap_judge() -> TruthJudge:
    """This module as a judge for requests of :func:`scholar_env.metrics.aise_judging.requests`."""
    return TruthJudge(dict.fromkeys(CRITERIA, _rated), name="overlap")


def _rated(request: JudgeRequest) -> Rating:
    items = {item.id: item.text for item in request.items}
    summary, gold = items.get("answer", ""), GoldAnswer.of_reference(request.reference)
    links, text = canonical_links(summary), answer_text(summary)
    seen = set(_id.findall(items.get("evidence", "")))
    scores = {
        CORRECTNESS: lambda: correctness(text, links, gold),
        COVERAGE: lambda: coverage(text, links, gold),
        TASK: lambda: stated_share(text, gold.facts),
        FAITHFULNESS: lambda: faithfulness(links, seen),
    }
    return Rating(score=scores[request.criterion]() if summary else 0.0)


def answer_text(summary: str) -> str:
    """The answer in JSON text; the whole text where that is none."""
    try:
        content = json.loads(summary)
    except (ValueError, RecursionError):
        return summary
    answer = content.get("answer") if isinstance(content, dict) else None
    return answer if isinstance(answer, str) else summary
