"""Keeps the measures of one AISE-Bench episode up to date."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scholar_env.episode.aise.calling import name_of
from scholar_env.episode.aise.engine import AiseEpisode, played_plan
from scholar_env.episode.aise.plan import Step, read_plan
from scholar_env.episode.aise.state import Ran
from scholar_env.graph.kg_ids import ID_PATTERN, canonical_links, entity_of
from scholar_env.metrics import aise, aise_overlap, aise_plans, aise_release, ranking
from scholar_env.metrics.aise_overlap import GoldAnswer
from scholar_env.metrics.names import AISE_METRICS
from scholar_env.metrics.terms import TermTracker
from scholar_env.records import Task

ROW_NAMES: tuple[str, ...] = ("step", "order", "completed", "dropped", "n_entities", "gold_seen")
"""Keys of every row, one a step: its number, its order, whether it ran without an error, whether it could not run, how
many entities its result names, and the share of the gold entities that results have named so far."""

_id = re.compile(rf'"({ID_PATTERN})"')


@dataclass(frozen=True)
class AiseGold:
    """The gold of a task, read once from its details.

    Attributes:
        plan: The gold plan.
        calls: Its calls with filled parameters.
        answer: Links and facts of the gold answer.
        summary: The gold answer as JSON text.
        has_plan, has_answer: Whether there are any: a bare question has neither, a released record may lack an answer.
    """

    plan: tuple[Step, ...]
    calls: tuple[aise_plans.Call, ...]
    answer: GoldAnswer
    summary: str
    has_plan: bool
    has_answer: bool

    @classmethod
    def of(cls, task: Task) -> AiseGold:
        """The gold of a task."""
        details = task.details
        plan, _ = read_plan(details.get("plan", []))
        inputs: Mapping[str, Mapping[str, Any]] = details.get("inputs", {})
        reference = dict(details.get("reference", {}))
        answer = GoldAnswer(tuple(canonical_links(json.dumps(reference))), tuple(details.get("facts", ())))
        summary = json.dumps({"answer": details.get("answer", ""), "reference": reference}, ensure_ascii=False)
        return cls(plan, tuple(aise_plans.calls_of(plan, inputs)), answer, summary, bool(plan), bool(reference))


class AiseTracker(TermTracker):
    """Metrics of one episode, updated after every call; work is done only where a step or the answer is new.

    Before the answer all measures of it are 0; those of the plan follow the steps so far. What compares with a
    gold answer or a gold plan is NaN for a task without it.

    Args:
        task: The task.
        terms: Names of further terms (:mod:`scholar_env.metrics.terms`), reported under these names.

    Raises:
        InvalidOptionError: A term is unknown.
    """

    METRICS = AISE_METRICS

    def __init__(self, task: Task, *, terms: Iterable[str] = ()) -> None:
        super().__init__(task.gold, terms)
        self._evidence = AiseGold.of(task)
        self._forget()

    def _forget(self) -> None:
        self._read: dict[str, Ran] = {}
        self._entities: dict[str, frozenset[str]] = {}
        self._plan_measures = self._of_plan({}, {})
        self._answer_measures = dict.fromkeys(_ANSWER_NAMES, 0.0 if self._evidence.has_answer else math.nan)
        self._answered = False

    @property
    def rows(self) -> tuple[dict[str, float], ...]:
        """One row per step with the keys :data:`ROW_NAMES`, fresh copies."""
        gold = set(self._gold)
        seen: set[str] = set()
        found = []
        for number, ran in enumerate(self._read.values(), start=1):
            seen |= self._entities[ran.name]
            row = {
                "step": float(number),
                "order": float(ran.order),
                "completed": float(ran.status == "completed"),
                "dropped": float(ran.status == "dropped"),
                "n_entities": float(len(self._entities[ran.name])),
                "gold_seen": ranking.ratio(len(seen & gold), len(gold)),
            }
            found.append(row)
        return tuple(found)

    def update(self, episode: AiseEpisode) -> dict[str, float]:
        """Reads what is new and returns all metrics: a fresh dictionary of floats with the keys :attr:`names`."""
        state = episode.state
        if not self._read.keys() <= state.ran.keys():
            self._forget()  # another or a restored episode
        changed = {name: ran for name, ran in state.ran.items() if self._read.get(name) is not ran}
        if changed:
            self._entities.update({name: entities_in(ran.result) for name, ran in changed.items()})
            self._read = dict(state.ran)
            self._plan_measures = self._of_plan(state.ran, episode.resources.aliases)
        summary = episode.summary
        if summary is not None and not self._answered:
            self._answer_measures = self._of_answer(episode, summary)
            self._answered = True
        metrics = {
            **self._answer_measures,
            **self._plan_measures,
            "n_api_calls": float(state.n_api),
            "n_results_shown": float(sum(len(found) for found in self._entities.values())),
            "n_calls": float(state.n_calls),
            "n_invalid": float(state.n_invalid),
            "forced": float(state.forced),
        }
        metrics = {name: metrics[name] for name in AISE_METRICS}
        return self._with_terms(episode, metrics)

    def _of_plan(self, ran: Mapping[str, Ran], aliases: Mapping[str, str]) -> dict[str, float]:
        gold, steps = self._evidence, played_plan(ran)
        counts = {
            "n_steps": float(len(ran)),
            "n_failed_steps": float(sum(step.status == "failed" for step in ran.values())),
            "n_dropped_steps": float(sum(step.status == "dropped" for step in ran.values())),
            "success": float(aise_plans.plan_success({name: _outcome(step) for name, step in ran.items()})),
        }
        completed = [step.name for step in ran.values() if step.status == "completed"]
        counts["partial_completion"] = aise_plans.completed_share(completed, len(ran))
        if not gold.has_plan:
            return {**dict.fromkeys(_COMPARED_NAMES, math.nan), **counts}
        inputs = [step.params if step.inputs is None else step.inputs for step in ran.values()]
        by_name = {step.name: given for step, given in zip(steps, inputs, strict=True)}
        calls = aise_plans.calls_of(steps, by_name)
        ged = aise_plans.plan_ged(steps, gold.plan)
        fuzzy = aise_plans.fuzzy_parameters(calls, gold.calls, name_of, aliases)
        return {
            **counts,
            "plan_levenshtein": float(aise_plans.plan_levenshtein(steps, gold.plan)),
            "plan_ged": float(ged.value),
            "plan_ged_exact": float(ged.exact),
            "parameter_accuracy": aise_plans.parameter_accuracy(calls, gold.calls, name_of),
            "partial_completion_gold": aise_plans.completed_share(completed, len(gold.plan)),
            "fuzzy_parameter_f1": fuzzy.f1(),
            "fuzzy_matched": float(fuzzy.matched),
            "fuzzy_predicted": float(fuzzy.predicted),
            "fuzzy_gold": float(fuzzy.gold),
        }

    def _of_answer(self, episode: AiseEpisode, summary: str) -> dict[str, float]:
        gold, links = self._evidence, canonical_links(summary)
        seen = frozenset().union(*self._entities.values())
        entities = [entity_of(link) for link in links]
        known = [entity is not None and episode.resources.row_of(*entity) is not None for entity in entities]
        good_format = float(aise.format_check(summary))
        measures = {
            "format": good_format,
            "format_release": float(aise_release.judge_clarity({"summary": summary})),
            "faithfulness": aise_overlap.faithfulness(links, seen),
            "n_links": float(len(links)),
            "n_unknown_links": float(known.count(False)),
            "n_unseen_links": float(sum(entity is None or entity[1] not in seen for entity in entities)),
        }
        if not gold.has_answer:
            return {**dict.fromkeys(_ANSWER_NAMES, math.nan), **measures}
        f1 = ranking.f1(links, gold.answer.links)
        text = episode.state.answer or ""
        correct = aise_overlap.correctness(text, links, gold.answer)
        covered = aise_overlap.coverage(text, links, gold.answer)
        return {
            **measures,
            "link_f1": f1 * good_format,
            "link_f1_ungated": f1,
            "link_precision": ranking.precision(links, gold.answer.links),
            "link_recall": ranking.recall(links, gold.answer.links),
            "link_precision_release": aise_release.judge_precision(summary, gold.summary),
            "link_recall_release": aise_release.judge_recall(summary, gold.summary),
            "correctness": correct,
            "completeness_coverage": covered,
            "completeness_task": aise_overlap.stated_share(text, gold.answer.facts),
            "f1_lm": aise.f1_lm(correct, covered),
        }


_ANSWER_NAMES = (
    "link_f1", "link_f1_ungated", "link_precision", "link_recall", "link_precision_release", "link_recall_release",
    "format", "format_release", "correctness", "completeness_coverage", "completeness_task", "faithfulness", "f1_lm",
    "n_links", "n_unknown_links", "n_unseen_links",
)  # fmt: skip
_COMPARED_NAMES = (
    "plan_levenshtein", "plan_ged", "plan_ged_exact", "parameter_accuracy", "partial_completion_gold",
    "fuzzy_parameter_f1", "fuzzy_matched", "fuzzy_predicted", "fuzzy_gold",
)  # fmt: skip


def _outcome(ran: Ran) -> Any:
    """The result of a step for the success measure; one that waits for parameters has failed so far."""
    return {"success": False} if ran.status in ("pending", "dropped") else ran.result


def entities_in(result: Any) -> frozenset[str]:
    """Ids of the entities that a result names."""
    return frozenset(_id.findall(json.dumps(result))) if result is not None else frozenset()
