"""Measures of an AISE-Bench plan and of its execution. Pure functions over plans and over what ran."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scholar_env.episode.aise.attempts import is_failure
from scholar_env.episode.aise.filling import is_empty
from scholar_env.episode.aise.plan import Step, base_name, in_order
from scholar_env.graph.kg_names import folded
from scholar_env.metrics.edit_distance import GraphDistance, LabelledGraph, graph_edit_distance, levenshtein
from scholar_env.metrics.ranking import harmonic_mean, ratio
from scholar_env.stemmer import stem

NameOf = Callable[[str, str], str]
"""The canonical name of a parameter: ``name_of(api, parameter)``."""

Aliases = Mapping[str, str]
"""Folded wording -> folded canonical wording (:func:`scholar_env.graph.kg_names.folded`)."""


def as_written(api: str, parameter: str) -> str:
    """The parameter's own name: the reading without a table of aliases."""
    return parameter


class Call(NamedTuple):
    """A call that counts for the parameter measures: API without number, parameters as sent."""

    api: str
    params: Mapping[str, Any]


def plan_levenshtein(plan: Sequence[Step], gold: Sequence[Step]) -> int:
    """Levenshtein distance of the step names of two plans, each by ``order``; lower is better.

    The released distance on plans that were read by :func:`~scholar_env.episode.aise.plan.read_plan`: a number behind a
    name makes it another one, ``rely`` does not count.
    """
    return levenshtein([step.name for step in in_order(plan)], [step.name for step in in_order(gold)])


def plan_ged(plan: Sequence[Step], gold: Sequence[Step]) -> GraphDistance:
    """Graph edit distance of two plans, as the paper describes it; lower is better.

    Nodes are steps labelled by their APIs without numbers, edges run from a step to what relies on it; all edits cost
    1. Exact for at most 8 steps a side. What is relied on and not there makes no edge.
    """
    return graph_edit_distance(_graph(plan), _graph(gold))


def _graph(plan: Sequence[Step]) -> LabelledGraph:
    distinct = list({step.name: step for step in plan}.values())
    places = {step.name: place for place, step in enumerate(distinct)}
    edges: set[tuple[int, int]] = set()
    for step in distinct:
        for other in step.rely:
            sources = [other] if other in places else [name for name in places if base_name(name) == other]
            edges.update((places[source], places[step.name]) for source in sources)
    return LabelledGraph(tuple(step.api for step in distinct), frozenset(edges))


def calls_of(plan: Sequence[Step], inputs: Mapping[str, Mapping[str, Any]]) -> list[Call]:
    """The calls of a plan by ``order``: parameters as sent where the step ran, else as planned."""
    return [Call(step.api, inputs.get(step.name, step.params)) for step in in_order(plan)]


def parameter_accuracy(calls: Sequence[Call], gold: Sequence[Call], name_of: NameOf = as_written) -> float:
    """How well the parameters of a question's calls agree with the gold ones, in [0, 1].

    Calls are aligned by API and by their rank among the calls of that API; a call without a partner scores 0. A call's
    score is the mean over the parameters that are not empty on either side: 1 for equal scalars, |∩| / |∪| for lists;
    without any such parameter it is 1. The question's score is the mean over all aligned and missing calls, 1 for two
    empty plans.
    """
    ours, theirs = _numbered(calls), _numbered(gold)
    keys = list(dict.fromkeys([*theirs, *ours]))
    scores = [
        _call_score(_named(key[0], ours[key], name_of), _named(key[0], theirs[key], name_of))
        if key in ours and key in theirs
        else 0.0
        for key in keys
    ]
    return sum(scores) / len(scores) if scores else 1.0


def _numbered(calls: Sequence[Call]) -> dict[tuple[str, int], Mapping[str, Any]]:
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    for call in calls:
        found[call.api, seen[call.api]] = call.params
        seen[call.api] += 1
    return found


def _named(api: str, params: Mapping[str, Any], name_of: NameOf) -> dict[str, Any]:
    return {name_of(api, name): value for name, value in params.items() if not is_empty(value)}


def _call_score(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> float:
    names = sorted({*ours, *theirs})
    scores = [_value_score(ours.get(name), theirs.get(name)) for name in names]
    return sum(scores) / len(scores) if scores else 1.0


def _value_score(ours: Any, theirs: Any) -> float:
    if isinstance(ours, list) or isinstance(theirs, list):
        mine, other = _elements(ours), _elements(theirs)
        return ratio(len(mine & other), len(mine | other))
    return float(_key(ours) == _key(theirs))


def _elements(value: Any) -> set[str]:
    return {_key(item) for item in value} if isinstance(value, list) else {_key(value)}


def _key(value: Any) -> str:
    """A text that tells values apart as JSON does, but for 1 and 1.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{type(value).__name__}:{value!r}"


def plan_success(results: Mapping[str, Any]) -> int:
    """1 when something ran and no result is an error, else 0; a step that was dropped is an error result here."""
    return int(bool(results) and not any(is_failure(result) for result in results.values()))


def completed_share(completed: Iterable[str], steps: int) -> float:
    """Partial completion in [0, 1]: steps that ran without an error / steps; 0.0 without steps.

    Args:
        completed: Names of the steps that ran without an error.
        steps: Length of the predicted plan, or of the gold plan for the other variant.
    """
    return min(1.0, ratio(len(set(completed)), steps))


class Counts(NamedTuple):
    """Counts of a micro average: matched, predicted and gold."""

    matched: int
    predicted: int
    gold: int

    def f1(self) -> float:
        """F1 of the counts, in [0, 1]."""
        return harmonic_mean(ratio(self.matched, self.predicted), ratio(self.matched, self.gold))


def summed(counts: Iterable[Counts]) -> Counts:
    """The counts of many questions together."""
    table = list(counts)
    return Counts(*(sum(column) for column in zip(*table, strict=True))) if table else Counts(0, 0, 0)


def fuzzy_parameters(
    calls: Sequence[Call], gold: Sequence[Call], name_of: NameOf = as_written, aliases: Aliases | None = None
) -> Counts:
    """Counts of the fuzzy parameter F1 of a question: (API, rank, parameter, value) that agree after normalizing.

    Each element of a list counts by itself, so their order does not matter; see :func:`normalized` for the values.
    The data set's value is ``summed(…).f1()``.
    """
    ours, theirs = (_items(side, name_of, aliases or {}) for side in (calls, gold))
    return Counts((ours & theirs).total(), ours.total(), theirs.total())


def _items(calls: Sequence[Call], name_of: NameOf, aliases: Aliases) -> Counter[tuple[str, int, str, str]]:
    found: Counter[tuple[str, int, str, str]] = Counter()
    for (api, rank), params in _numbered(calls).items():
        for name, value in _named(api, params, name_of).items():
            values = value if isinstance(value, list) else [value]
            distinct = {normalized(item, aliases) for item in values if not is_empty(item)}
            found.update((api, rank, name, text) for text in sorted(distinct))
    return found


def normalized(value: Any, aliases: Aliases) -> str:
    """A value without case, accents, punctuation, English endings, and the order that a comma turns round.

    Wordings of the alias table give way to what they stand for, so that "THU" and "清华大学" come to the same.
    """
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    text = str(value)
    if text.count(",") == 1:  # Tang, Jie
        text = " ".join(reversed(text.split(",")))
    plain = folded(text)
    return " ".join(stem(word) for word in aliases.get(plain, plain).split())
