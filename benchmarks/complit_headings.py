"""Learns what run-in headings announce and which stems behind them tell which value, for `complit_phrases`."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from scholar_env.agents.complit_headings import UNIT, stems_in

LEAST_SHARE = 0.05
"""Share of a heading's paragraphs that tell a trait which it announces, at least."""

LEAST_PASSAGES = 4
"""Passages in which a stem has to stand."""

SMOOTHING, CLIP, TEMPER = 0.3, 3.0, 0.3
"""Added to counts; the most that one stem counts; what its logarithm is scaled by, since stems hang together. They
were chosen on passages whose wordings were held out."""

Value = tuple[str, str]


class Headed(NamedTuple):
    """A passage behind a heading and the trait with the value that it tells."""

    heading: str
    passage: str
    value: Value


def learn_headings(headed: Iterable[Headed], seen: Iterable[str]) -> dict[str, list[str]]:
    """Learns which traits a heading announces; those that are seen and tell nothing announce none."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in headed:
        counts[one.heading][one.value[0]] += 1
    found: dict[str, list[str]] = {heading: [] for heading in sorted(set(seen))}
    for heading, traits in sorted(counts.items()):
        least = LEAST_SHARE * traits.total()
        found[heading] = [trait for trait, times in traits.most_common() if times >= least]
    return found


def learn_marks(headed: Iterable[Headed], headings: dict[str, list[str]]) -> dict[str, dict[str, Any]]:
    """Learns how much stems speak for values, by the most frequent trait of the heading."""
    groups: dict[str, dict[Headed, None]] = defaultdict(dict)
    for one in headed:
        if one.value[0] in headings[one.heading]:
            groups[headings[one.heading][0]][one._replace(heading="")] = None
    return {trait: _marks(list(groups[trait])) for trait in sorted(groups)}


def _marks(passages: Sequence[Headed]) -> dict[str, Any]:
    """Marks from how many wordings of a value have a stem: how often each wording is used tells nothing of others."""
    stems = [list(dict.fromkeys(stems_in(one.passage))) for one in passages]
    held = Counter(stem for found in stems for stem in found)
    wordings = wordings_of([one.passage for one in passages])
    told = {(wording, one.value): found for wording, one, found in zip(wordings, passages, stems, strict=True)}
    totals = Counter(value for _, value in told)
    uses = {
        (stem, one.value, wording)
        for wording, one, found in zip(wordings, passages, stems, strict=True)
        for stem in found
        if held[stem] >= LEAST_PASSAGES
    }
    counts: dict[str, Counter[Value]] = defaultdict(Counter)
    for stem, value, _ in uses:
        counts[stem][value] += 1
    values = sorted(totals)
    points = {stem: _points(counts[stem], totals, values) for stem in sorted(counts)}
    return {"values": values, "stems": {stem: found for stem, found in points.items() if any(found)}}


def wordings_of(passages: Sequence[str]) -> list[str]:
    """What passages of the same wording share: of their runs of three stems the most frequent one."""
    runs = [_runs(passage) for passage in passages]
    times = Counter(run for found in runs for run in found)
    return [max(found, key=lambda run: (times[run], run), default="") for found in runs]


def _runs(passage: str) -> list[str]:
    pairs = [pair.split(" ") for pair in stems_in(passage) if " " in pair]
    return sorted({f"{first} {second} {third}" for (first, second), (_, third) in pairwise(pairs)})


def _points(counts: Counter[Value], totals: Counter[Value], values: Sequence[Value]) -> list[int]:
    every = math.log((counts.total() + SMOOTHING) / (totals.total() + SMOOTHING))
    logs = [math.log((counts[one] + SMOOTHING) / (totals[one] + SMOOTHING * len(values))) - every for one in values]
    return [round(TEMPER * max(-CLIP, min(CLIP, log)) / UNIT) for log in logs]
