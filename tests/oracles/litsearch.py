"""Oracle set ``litsearch_metrics``: the released measures of LitSearch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scholar_env.metrics import litsearch

SET = "litsearch_metrics"

REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = {
    "calculate_recall": lambda inputs, _: litsearch.litsearch_recall(inputs["retrieved"], inputs["relevant"]),
    "calculate_ndcg": lambda inputs, _: litsearch.litsearch_ndcg(inputs["retrieved"], inputs["relevant"]),
    "calculate_ngram_overlap": lambda inputs, _: litsearch.litsearch_overlap(inputs["query"], inputs["text"]),
}
