"""CompLit as a family: one need, told at once or turn by turn, and one paper or none as the answer."""

from __future__ import annotations

from typing import Final

from scholar_env.episode.complit.config import ComplitConfig
from scholar_env.episode.complit.engine import ComplitEpisode
from scholar_env.episode.complit.resources import open_resources
from scholar_env.episode.complit.view import KEYS, SECTIONS
from scholar_env.episode.family import Family
from scholar_env.metrics.complit_tracker import ROW_NAMES, ComplitTracker
from scholar_env.metrics.names import COMPLIT_METRICS


def _tracker(episode: ComplitEpisode, terms: tuple[str, ...]) -> ComplitTracker:
    return ComplitTracker(episode.task.gold, terms)


FAMILY: Final = Family(
    name="complit",
    instructions=(
        "You search a frozen library of scientific papers for the one paper that meets every constraint of the need. "
        "Search, read and check candidates; answer with that paper, or abstain when none meets all constraints."
    ),
    config=ComplitConfig,
    episode=ComplitEpisode,
    tracker=_tracker,
    metrics=COMPLIT_METRICS,
    rows=ROW_NAMES,
    keys=KEYS,
    sections=SECTIONS,
    opening=("question", "before", "budget"),
    answers=(
        "question",
        "results",
        "hits",
        "document",
        "categories",
        "figures",
        "answer",
        "feedback",
        "error",
        "budget",
    ),
    resources=open_resources,
)
