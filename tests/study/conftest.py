from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.metrics.scholargym_tracker import ITERATION_NAMES
from scholar_env.study.summary import EpisodeSummary

FINGERPRINT = "ab" * 32


@pytest.fixture
def episode() -> Callable[..., EpisodeSummary]:
    """Makes summaries: ``episode(task, metrics={…}, rows=[{…}], …)``; what is not given is 0 or plain."""

    def make(task_id: str, **given: Any) -> EpisodeSummary:
        metrics = dict.fromkeys(SCHOLARGYM_METRICS, 0.0) | given.pop("metrics", {})
        rows = [
            dict.fromkeys(ITERATION_NAMES, 0.0) | {"iteration": at + 1.0} | row
            for at, row in enumerate(given.pop("rows", []))
        ]
        corpus = {"name": "toy", "fingerprint": FINGERPRINT, "official": False} | given.pop("corpus", {})
        plain: dict[str, Any] = {
            "source": "s",
            "labels": {},
            "n_gold": 2,
            "return_": metrics["f1"] if not math.isnan(metrics["f1"]) else 0.0,
            "stop_reason": "answered",
            "failure_kind": "none",
            "assisted": False,
            "env_id": "ScholarGym-All-v0",
            "agent": "direct",
            "config_hash": "c0ffee",
        }
        return EpisodeSummary(task_id=task_id, metrics=metrics, rows=rows, corpus=corpus, **(plain | given))

    return make
