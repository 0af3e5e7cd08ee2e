"""The info dictionary: the same keys at every reset and step, fresh objects, values that never change their type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scholar_env.environment.trial import Trial

INFO_KEYS = (
    "task_id",
    "corpus",
    "metrics",
    "reward_terms",
    "stop_reason",
    "action_error",
    "failure_kind",
    "mask_sample",
    "assisted",
)
"""Keys of info; ``debug=True`` adds ``gold``."""


def build_info(trial: Trial, corpus: Mapping[str, str | bool], *, tell_metrics: bool, debug: bool) -> dict[str, Any]:
    """Builds the info of a trial as it stands.

    Args:
        trial: The trial.
        corpus: What names the corpus and the index.
        tell_metrics: Whether metrics are told before the end (else NaN until then).
        debug: Whether the gold papers are told.
    """
    episode = trial.episode
    metrics = trial.metrics if tell_metrics or trial.ended else dict.fromkeys(trial.metrics, math.nan)
    failure = episode.failure_kind
    info: dict[str, Any] = {
        "task_id": episode.task.id,
        "corpus": dict(corpus),
        "metrics": dict(metrics),
        "reward_terms": dict(trial.terms),
        "stop_reason": episode.stop_reason,
        "action_error": next((outcome.error_code for outcome in trial.outcomes if outcome.error_code), ""),
        "failure_kind": failure,
        "mask_sample": failure == "infrastructure",
        "assisted": episode.assisted,
    }
    if debug:
        info["gold"] = list(episode.task.gold)
    return info
