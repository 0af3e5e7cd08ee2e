"""AISE-Bench as a family: API calls over a knowledge graph, one by one or as a plan, then an answer with links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scholar_env.corpus import Corpus
from scholar_env.episode.aise.config import AiseConfig
from scholar_env.episode.aise.engine import AiseEpisode
from scholar_env.episode.aise.filling import filler
from scholar_env.episode.aise.view import KEYS, SECTIONS
from scholar_env.episode.family import Family
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_store import knowledge_graph
from scholar_env.metrics.aise_tracker import ROW_NAMES, AiseTracker
from scholar_env.metrics.names import AISE_METRICS


def _tracker(episode: AiseEpisode, terms: tuple[str, ...]) -> AiseTracker:
    return AiseTracker(episode.task, terms=terms)


def _resources(corpus: Corpus, options: Mapping[str, Any]) -> KnowledgeGraph:
    return knowledge_graph(corpus)


def _check(config: AiseConfig) -> None:
    filler(config.filler)  # a name that leads nowhere is refused here, not at the first plan


FAMILY: Final = Family(
    name="aise",
    instructions=(
        "You answer questions about papers, authors, venues and institutions with nine APIs over an academic knowledge "
        "graph. Call them one by one or as a plan, then give one answer: a text in the language of the question with "
        "markers [1], [2], … in the order of first mention, and for each marker the link of its entity: "
        "https://www.aminer.cn/pub/ID for papers, /profile/ID for authors, /open/journal/detail/ID for venues, "
        "/institution/ID for institutions."
    ),
    config=AiseConfig,
    episode=AiseEpisode,
    tracker=_tracker,
    metrics=AISE_METRICS,
    rows=ROW_NAMES,
    keys=KEYS,
    sections=SECTIONS,
    opening=("question", "budget"),
    answers=("api_results", "feedback", "error", "budget"),
    resources=_resources,
    check=_check,
)
