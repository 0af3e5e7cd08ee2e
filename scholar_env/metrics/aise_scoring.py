"""Scores prediction files in the released format by the released measures and this package's own."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from scholar_env.aise_files import Prediction
from scholar_env.episode.aise.attempts import is_failure
from scholar_env.episode.aise.calling import name_of
from scholar_env.metrics import aise, aise_overlap, aise_plans, aise_release, ranking
from scholar_env.metrics.aise_tracker import AiseGold, entities_in
from scholar_env.records import Task


def scored(prediction: Prediction, task: Task, aliases: Mapping[str, str] | None = None) -> dict[str, float]:
    """The measures of a prediction.

    An answer that is missing, or comes with an error, scores 0 by the judge's measures, as in the newer release.

    Args:
        prediction: The prediction.
        task: Its question with the gold; what compares with a gold plan or answer is missing where it has none.
        aliases: Further name -> name, for the fuzzy parameter F1.
    """
    gold = AiseGold.of(task)
    summary = prediction.summary if isinstance(prediction.summary, str) else ""
    completed = [name for name, result in prediction.results.items() if not is_failure(result)]
    measures = {
        "format": float(aise.format_check(prediction.summary)),
        "format_release": float(_format_release(prediction)),
        "success": float(aise_plans.plan_success(prediction.results)),
        "partial_completion": aise_plans.completed_share(completed, len(prediction.plan)),
    }
    if gold.has_plan:
        measures |= _of_plan(prediction, gold, aliases or {})
    return {**measures, **(_of_answer(prediction, gold, summary) if gold.has_answer else {})}


def _of_plan(prediction: Prediction, gold: AiseGold, aliases: Mapping[str, str]) -> dict[str, float]:
    """The measures against the gold plan."""
    calls = aise_plans.calls_of(prediction.plan, prediction.inputs)
    fuzzy = aise_plans.fuzzy_parameters(calls, gold.calls, name_of, aliases)
    return {
        "plan_levenshtein": float(aise_plans.plan_levenshtein(prediction.plan, gold.plan)),
        "plan_ged": float(aise_plans.plan_ged(prediction.plan, gold.plan).value),
        "parameter_accuracy": aise_plans.parameter_accuracy(calls, gold.calls, name_of),
        "fuzzy_parameter_f1": fuzzy.f1(),
        **{f"fuzzy_{name}": float(count) for name, count in fuzzy._asdict().items()},
    }


def _of_answer(prediction: Prediction, gold: AiseGold, summary: str) -> dict[str, float]:
    """The measures against the gold answer."""
    links = aise.links(summary)
    link_f1 = ranking.f1(links, gold.answer.links)
    measures = {
        "link_f1": link_f1 * aise.format_check(prediction.summary),
        "link_f1_ungated": link_f1,
        "link_precision": ranking.precision(links, gold.answer.links),
        "link_recall": ranking.recall(links, gold.answer.links),
        "link_precision_release": aise_release.judge_precision(summary, gold.summary),
        "link_recall_release": aise_release.judge_recall(summary, gold.summary),
    }
    return measures | _judged(prediction, gold, summary, links)


def _judged(prediction: Prediction, gold: AiseGold, summary: str, links: Sequence[str]) -> dict[str, float]:
    """The measures of the overlap judge."""
    if not summary or prediction.error:
        return {**dict.fromkeys(aise_overlap.CRITERIA, 0.0), "f1_lm": 0.0}
    text = aise_overlap.answer_text(summary)
    seen = frozenset().union(*(entities_in(result) for result in prediction.results.values()))
    scores = {
        aise_overlap.CORRECTNESS: aise_overlap.correctness(text, links, gold.answer),
        aise_overlap.COVERAGE: aise_overlap.coverage(text, links, gold.answer),
        aise_overlap.TASK: aise_overlap.stated_share(text, gold.answer.facts),
        aise_overlap.FAITHFULNESS: aise_overlap.faithfulness(links, seen),
    }
    return {**scores, "f1_lm": aise.f1_lm(scores[aise_overlap.CORRECTNESS], scores[aise_overlap.COVERAGE])}


def _format_release(prediction: Prediction) -> int:
    """The released format check; an answer on which it crashes fails."""
    try:
        content = json.loads(prediction.summary) if isinstance(prediction.summary, str) else None
    except (ValueError, RecursionError):
        content = None
    if isinstance(content, dict) and not isinstance(content.get("answer", ""), str):
        return 0
    return aise_release.judge_clarity({"summary": prediction.summary})


def scored_file(
    predictions: Sequence[Prediction], tasks: Mapping[str, Task], aliases: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The means over the predictions whose question is known, as the release averages, and what was passed over.

    Args:
        predictions: The predictions; of several for one question the last counts.
        tasks: The questions with their gold, by id.
        aliases: See :func:`scored`.

    Returns:
        ``n``, ``means`` (``f1_lm_of_means`` and ``fuzzy_parameter_f1_micro`` among them), ``unknown`` ids, ``missing``
        ids of questions without a prediction, and ``questions``: the measures of each.
    """
    rows = {
        prediction.id: scored(prediction, tasks[prediction.id], aliases)
        for prediction in predictions
        if prediction.id in tasks
    }
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    means = {}
    for name in names:
        values = [row[name] for row in rows.values() if name in row and not math.isnan(row[name])]
        means[name] = sum(values) / len(values) if values else math.nan
    if aise_overlap.CORRECTNESS in means:
        pairs = [
            (row[aise_overlap.CORRECTNESS], row[aise_overlap.COVERAGE])
            for row in rows.values()
            if aise_overlap.COVERAGE in row
        ]
        means["f1_lm_of_means"] = aise.f1_lm_of_means(pairs)
    fuzzy = [row for row in rows.values() if "fuzzy_gold" in row]
    if fuzzy:
        counts = [
            aise_plans.Counts(*(int(row[f"fuzzy_{name}"]) for name in aise_plans.Counts._fields)) for row in fuzzy
        ]
        means["fuzzy_parameter_f1_micro"] = aise_plans.summed(counts).f1()
    return {
        "n": len(rows),
        "means": means,
        "unknown": [prediction.id for prediction in predictions if prediction.id not in tasks],
        "missing": [identifier for identifier in tasks if identifier not in rows],
        "questions": rows,
    }
