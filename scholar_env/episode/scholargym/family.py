"""ScholarGym as a family: a tree of subqueries, iterations, selection by the agent or by a fixed assessor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scholar_env.episode.family import Family, StandIn
from scholar_env.episode.scholargym.assess import RecordedAssessor, make_assessor
from scholar_env.episode.scholargym.browse import make_browser
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.scholargym.view import KEYS, SECTIONS
from scholar_env.episode.trace import RecordedAssessment
from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.metrics.scholargym_tracker import ITERATION_NAMES, ScholarGymTracker


def _tracker(episode: Episode, terms: tuple[str, ...]) -> ScholarGymTracker:
    return ScholarGymTracker(episode.task.gold, cutoff=episode.config.cutoff, terms=terms)


def _default_reward(config: EpisodeConfig) -> str:
    return "agent" if config.agent_selects else "fixed"


def _check(config: EpisodeConfig) -> None:
    make_assessor(config.assessor, ())  # a name that leads nowhere is refused here, not at the first reset
    make_browser(config.browser)


def _without_own_assessor(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    assessor = kwargs.get("assessor")
    own = isinstance(assessor, str) and ":" in assessor
    return {**kwargs, "assessor": "lexical"} if own else dict(kwargs)


def _install(episode: Episode, assessments: Sequence[Mapping[str, Any]]) -> None:
    episode.assessor = RecordedAssessor([RecordedAssessment.from_json(dict(entry)) for entry in assessments])


FAMILY: Final = Family(
    name="scholargym",
    instructions=(
        "You search a frozen library of scientific papers for all papers that answer the question. Grow subqueries, "
        "judge what they bring, and finish with an answer."
    ),
    config=EpisodeConfig,
    episode=Episode,
    tracker=_tracker,
    metrics=SCHOLARGYM_METRICS,
    rows=ITERATION_NAMES,
    keys=KEYS,
    sections=SECTIONS,
    opening=("question", "before", "budget"),
    answers=("results", "document", "feedback", "error", "budget"),
    default_reward=_default_reward,
    check=_check,
    stand_in=StandIn(_without_own_assessor, _install),
)
