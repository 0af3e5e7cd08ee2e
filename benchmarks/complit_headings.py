"""Learns what run-in headings announce and which stems behind them tell which value, for `complit_phrases`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from complit_scales import Example, Value, fit, read_paraphrases, weights_of, written

from scholar_env.agents.complit_scale import stems_in

LEAST_SHARE = 0.05
"""Share of a heading's paragraphs that tell a trait which it announces, at least."""

LEAST_TIMES = 2
"""Texts in which a pair of stems has to stand, at least."""

STRENGTH = 100.0
"""Inverse of the weight of the penalty, chosen on passages whose wordings were held out."""


PASSAGE_WORTH = 5.0
"""What a passage counts beside one paraphrase."""


LEAST_POINTS = 2
"""What a stem counts for or against a value, at least: fewer points make the file longer, more of them blur it."""


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


def learn_scales(headed: Iterable[Headed], headings: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Learns how much stems speak for values, by the most frequent trait of the heading; weights and scales."""
    groups: dict[str, dict[Headed, None]] = defaultdict(dict)
    for one in headed:
        if one.value[0] in headings[one.heading]:
            groups[headings[one.heading][0]][one._replace(heading="")] = None
    traits = {trait: headings[heading] for heading in sorted(headings) if (trait := next(iter(headings[heading]), ""))}
    told = {trait: _examples(list(groups[trait]), traits[trait]) for trait in sorted(groups)}
    every = [one for examples in told.values() for one in examples]
    times = Counter(stem for one in every for stem in one.stems)
    weights = weights_of(every, [stem for stem in sorted(times) if " " not in stem or times[stem] >= LEAST_TIMES])
    scales = {trait: fit(examples, weights, STRENGTH, LEAST_POINTS) for trait, examples in told.items()}
    return {"weights": written(weights), "scales": scales}


def _examples(passages: Sequence[Headed], traits: Sequence[str]) -> list[Example]:
    """One passage of each wording of a value: how often a wording is used tells nothing of others."""
    wordings = wordings_of([one.passage for one in passages])
    told = {(wording, one.value): one.passage for wording, one in zip(wordings, passages, strict=True)}
    found = [
        *((value, text, PASSAGE_WORTH) for (_, value), text in told.items()),
        *((value, text, 1.0) for value, _, text in read_paraphrases("sh") if value[0] in traits),
    ]
    return [Example(list(dict.fromkeys(stems_in(text))), "/".join(value), worth) for value, text, worth in found]


def wordings_of(passages: Sequence[str]) -> list[str]:
    """What passages of the same wording share: of their runs of three stems the most frequent one."""
    runs = [runs_of(passage) for passage in passages]
    times = Counter(run for found in runs for run in found)
    return [max(found, key=lambda run: (times[run], run), default="") for found in runs]


def runs_of(passage: str) -> list[str]:
    """Runs of three stems of a passage, each once."""
    pairs = [pair.split(" ") for pair in stems_in(passage) if " " in pair]
    return sorted({f"{first} {second} {third}" for (first, second), (_, third) in pairwise(pairs)})
