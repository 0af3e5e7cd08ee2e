"""Oracle set ``judge_consistency``: agreement of judge scores with pairwise human preferences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scholar_env.metrics.judge_agreement import Preference, agreement

SET = "judge_consistency"


def replay(inputs: Mapping[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    pairs = [
        Preference(pair["a"], pair["b"], None if pair["better"] == "tie" else pair["better"], pair["q"])
        for pair in inputs["pairwise"]
    ]
    found = agreement(pairs, inputs["scores"])
    return {
        "bt": found.strengths,
        "avg_scores": found.mean_scores,
        "p_bt": found.p_bt,
        "pw_auc": found.pw_auc,
        "pw_acc": found.pw_accuracy,
        "tau_like": found.tau_like,
    }


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Any]] = {"judge_consistency": replay}
