"""Oracle set ``pasa_metrics``: the released measures of PaSa, one question a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scholar_env.metrics import pasa

SET = "pasa_metrics"


def _report(root: Mapping[str, Any], ensemble: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    found = pasa.pasa_measures(root, ensemble)
    return {
        "crawler_recalls": [found.crawler_recall],
        "precisions": [found.precision],
        "recalls": [found.recall],
        **{f"recalls_{cutoff}": [value] for cutoff, value in zip(pasa.CUTOFFS, found.recall_at, strict=True)},
        "actions": [found.actions],
        "scores": [found.score],
        "stdout": list(pasa.pasa_lines([found])),
    }


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = {
    "keep_letters": lambda inputs, _: pasa.keep_letters(inputs["s"]),
    "cal_micro": lambda inputs, _: pasa.cal_micro(inputs["pred"], inputs["label"]),
    "metrics_py": lambda inputs, _: _report(inputs["root"]),
    "metrics_py_ensemble": lambda inputs, _: _report(inputs["root"], [inputs["ensemble_root"]]),
}
