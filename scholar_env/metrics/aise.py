"""Measures of an AISE-Bench answer: links, format, and the harmonic mean of two judge scores. Pure functions.

The released variants, which normalize nothing, are in :mod:`scholar_env.metrics.aise_release`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scholar_env.graph.kg_ids import canonical_links
from scholar_env.metrics import ranking
from scholar_env.metrics.ranking import harmonic_mean

ANSWER, REFERENCE = "answer", "reference"

_MARKER = re.compile(r"\[\d+\]")
_VALID_URL = re.compile(r"https?://[\w-]+(\.[\w-]+)+(:\d+)?(/[^\s\"'<>]*)?")


class FormatProblem(NamedTuple):
    """Something wrong with the form of an answer: the field, what was found, and what to do about it."""

    field: str
    message: str
    mend: str


def links(answer: Any) -> list[str]:
    """The distinct canonical links of an answer, in the order of their first mention.

    Args:
        answer: Text, or JSON, of which every text counts.
    """
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False, default=str)
    return canonical_links(text)


def link_precision(answer: Any, gold: Any) -> float:
    """Share of the answer's canonical links that the gold has, in [0, 1]; 0.0 when either side has none."""
    return ranking.precision(links(answer), links(gold))


def link_recall(answer: Any, gold: Any) -> float:
    """Share of the gold's canonical links that the answer has, in [0, 1]; 0.0 when either side has none."""
    return ranking.recall(links(answer), links(gold))


def link_f1(answer: Any, gold: Any) -> float:
    """Harmonic mean of link precision and link recall, in [0, 1]."""
    return ranking.f1(links(answer), links(gold))


def format_check(summary: Any) -> int:
    """The paper's format check: 1 when :func:`format_problems` finds nothing, else 0."""
    return int(not format_problems(summary))


def format_problems(summary: Any) -> list[FormatProblem]:
    """Everything wrong with the form of an answer.

    An answer is the text of one JSON object, nothing around it, with exactly ``answer`` (a text) and ``reference`` (an
    object that is not empty). The keys of the reference are ``[1]`` … ``[n]``, its values valid links, and the markers
    in the answer are exactly its keys.
    """
    if not isinstance(summary, str):
        found = f"the answer is of type {type(summary).__name__}, it must be JSON text"
        return [FormatProblem("", found, "write one JSON object as text")]
    try:
        content = json.loads(summary, object_pairs_hook=_distinct)
    except _DoubledKeyError as error:
        return [FormatProblem("", f"the key {error.args[0]!r} stands twice in one object", "keep one of them")]
    except (ValueError, RecursionError) as error:
        mend = "write one JSON object and nothing around it"
        return [FormatProblem("", f"the answer is no JSON ({error})", mend)]
    if not isinstance(content, dict) or set(content) != {ANSWER, REFERENCE}:
        found = f"it has {sorted(content)}" if isinstance(content, dict) else f"it is of type {type(content).__name__}"
        return [FormatProblem("", f"{found}, it must be an object with answer and reference", "write these two fields")]
    return [*_text_problems(content[ANSWER]), *_reference_problems(content[REFERENCE], content[ANSWER])]


class _DoubledKeyError(ValueError):
    """A key occurs twice in an object; the argument is the key."""


def _distinct(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _DoubledKeyError(key)
        found[key] = value
    return found


def _text_problems(answer: Any) -> list[FormatProblem]:
    if not isinstance(answer, str):
        found = f"answer is of type {type(answer).__name__}, it must be a text"
        return [FormatProblem(ANSWER, found, "write the answer as one text")]
    return [] if answer.strip() else [FormatProblem(ANSWER, "answer is empty", "write an answer with markers [1]")]


def _reference_problems(reference: Any, answer: Any) -> list[FormatProblem]:
    if not isinstance(reference, dict) or not reference:
        found = "is empty" if reference == {} else f"is of type {type(reference).__name__}"
        rule = f"reference {found}, it must be an object with at least one link"
        return [FormatProblem(REFERENCE, rule, 'write {"[1]": "https://…"}')]
    problems = [
        FormatProblem(f"{REFERENCE}.{key}", f"{key!r} is no marker like [1]", "number the references [1], [2], …")
        for key in reference
        if not _MARKER.fullmatch(key)
    ]
    numbers = sorted(int(key[1:-1]) for key in reference if _MARKER.fullmatch(key))
    if not problems and numbers != list(range(1, len(reference) + 1)):
        found = f"the numbers are {numbers}, they must be 1 to {len(reference)}"
        problems.append(FormatProblem(REFERENCE, found, "number the references without gaps, from 1 on"))
    problems += [
        FormatProblem(f"{REFERENCE}.{key}", f"{value!r:.120} is no link", "write one http or https link")
        for key, value in reference.items()
        if not (isinstance(value, str) and _VALID_URL.fullmatch(value))
    ]
    if isinstance(answer, str):
        problems += _marker_problems(set(_MARKER.findall(answer)), set(reference))
    return problems


def _marker_problems(used: set[str], known: set[str]) -> list[FormatProblem]:
    lacking = [
        FormatProblem(ANSWER, f"the marker {key} has no reference", f"add {key} to reference, or leave it out")
        for key in sorted(used - known)
    ]
    unused = [
        FormatProblem(f"{REFERENCE}.{key}", f"{key} is not cited in the answer", f"cite {key}, or leave it out")
        for key in sorted(known - used)
    ]
    return lacking + unused


def f1_lm(correctness: float, completeness: float) -> float:
    """Harmonic mean of a correctness and a completeness, each in [0, 1]."""
    return harmonic_mean(correctness, completeness)


def f1_lm_of_means(scores: Iterable[tuple[float, float]]) -> float:
    """F1-LM as published: the harmonic mean of the mean correctness and the mean completeness; 0.0 without scores."""
    pairs = list(scores)
    if not pairs:
        return 0.0
    return harmonic_mean(sum(a for a, _ in pairs) / len(pairs), sum(b for _, b in pairs) / len(pairs))


def f1_lm_macro(scores: Iterable[tuple[float, float]]) -> float:
    """Mean of the questions' own F1-LM; 0.0 without scores."""
    values = [harmonic_mean(a, b) for a, b in scores]
    return sum(values) / len(values) if values else 0.0


def broken_down(
    rows: Iterable[tuple[Mapping[str, str], Mapping[str, float]]], label: str
) -> dict[str, dict[str, float]]:
    """Means of measures by a label of the questions: ``intent``, ``steps``, ``level``, ``discipline``.

    Args:
        rows: Labels and measures of each question; NaN counts as missing.
        label: Which label; questions without it stand under ``""``.

    Returns:
        By value of the label, sorted: the mean of each measure over the questions that have it, ``n`` their number, and
        ``f1_lm_of_means`` where correctness and completeness_coverage are measured.
    """
    groups: dict[str, list[Mapping[str, float]]] = {}
    for labels, measures in rows:
        groups.setdefault(labels.get(label, ""), []).append(measures)
    return {value: _means(groups[value]) for value in sorted(groups)}


def _means(group: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = sorted({name for measures in group for name in measures})
    found = {"n": float(len(group))}
    for name in names:
        values = [measures[name] for measures in group if name in measures and measures[name] == measures[name]]
        found[name] = sum(values) / len(values) if values else float("nan")
    pair = found.get("correctness"), found.get("completeness_coverage")
    if pair[0] is not None and pair[1] is not None:
        found["f1_lm_of_means"] = harmonic_mean(pair[0], pair[1])
    return found
