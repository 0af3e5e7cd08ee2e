"""SciNet as a family: a question about relations between papers, and one list of papers as the answer."""

from __future__ import annotations

from typing import Final

from scholar_env.episode.family import Family
from scholar_env.episode.scinet.config import TRUTH, ScinetConfig
from scholar_env.episode.scinet.engine import ScinetEpisode
from scholar_env.episode.scinet.resources import named_judge, open_resources
from scholar_env.episode.scinet.view import KEYS, SECTIONS
from scholar_env.metrics.names import SCINET_METRICS
from scholar_env.metrics.scinet_tracker import ROW_NAMES, ScinetTracker


def _tracker(episode: ScinetEpisode, terms: tuple[str, ...]) -> ScinetTracker:
    return ScinetTracker(episode.task, terms=terms)


def _check(config: ScinetConfig) -> None:
    if config.judge != TRUTH:
        named_judge(config.judge)  # a name that leads nowhere is refused here, not at the first answer


FAMILY: Final = Family(
    name="scinet",
    instructions=(
        "You answer questions about relations between scientific papers with a citation graph: which papers of a field "
        "are most novel or disruptive, which cite a paper positively, which are mentioned together with it, which path "
        "of citations leads from one paper to another. Search, read, follow references and citers; then give one list "
        "of paper ids, best first. At most 50 papers count, 10 of a path."
    ),
    config=ScinetConfig,
    episode=ScinetEpisode,
    tracker=_tracker,
    metrics=SCINET_METRICS,
    rows=ROW_NAMES,
    keys=KEYS,
    sections=SECTIONS,
    opening=("question", "budget"),
    answers=("results", "document", "citations", "contexts", "feedback", "error", "budget"),
    resources=open_resources,
    check=_check,
)
