"""Phrases that belong together: what a sentence tells of a study, and by which words a description is meant.

Both are learned from needs of training worlds and the passages that meet them (``benchmarks/complit_phrases.py``), and
nothing else: *cues* are runs of words of sentences that tell a value of a trait, with how often they told which value;
*names* are the words that stand in papers for what a need only describes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

from scholar_env.agents.words import FRAME_WORDS, STOP_WORDS, stem, words

LEARNED: Final = "complit_phrases.json"
"""What comes with the package."""

CUE_SIZES: Final = (3, 4, 5)
"""Words of a cue; shorter runs tell too little in texts with wordings that were never learned."""

SMOOTHING: Final = 0.1
"""Added to how often a cue told a value."""

MOST: Final = 6.0
"""The most that one sentence counts against a value, a logarithm."""

_TOKEN: Final = re.compile(r"[^\W_]+")

Cue = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Phrases:
    """What was learned.

    Attributes:
        cues: Cue to trait to value to how many sentences told it.
        totals: Trait to value to how many sentences were seen.
        names: Two stems that follow each other in a description to the words meant, with the share of its passages
            that have them.
    """

    cues: Mapping[str, Mapping[str, Cue]]
    totals: Mapping[str, Cue]
    names: Mapping[str, Mapping[str, float]]


def phrases_of(found: Mapping[str, Any]) -> Phrases:
    """What was learned, from its JSON object."""
    return Phrases(found["cues"], found["totals"], found["names"])


@cache
def learned_json() -> Mapping[str, Any]:
    """The JSON object that comes with the package: phrases, headings and what clauses ask for, parsed once."""
    found: dict[str, Any] = json.loads(resources.files(__package__).joinpath(LEARNED).read_text(encoding="utf-8"))
    return found


@cache
def learned() -> Phrases:
    """The phrases that come with the package."""
    return phrases_of(learned_json())


def tokens(sentence: str) -> list[str]:
    """Words of a sentence in small letters; numbers are ``#``, names within it ``~``."""
    found = _TOKEN.findall(sentence)
    return [
        "#" if word.isdecimal() else "~" if place and not word.islower() else word.casefold()
        for place, word in enumerate(found)
    ]


def cues_of(sentence: str) -> list[str]:
    """Runs of words of a sentence that may be cues."""
    said = tokens(sentence)
    return [" ".join(said[at : at + size]) for size in CUE_SIZES for at in range(len(said) - size + 1)]


def told_by(sentences: Iterable[str], phrases: Phrases | None = None) -> dict[str, dict[str, float]]:
    """What sentences of a paper tell of each trait.

    Returns:
        Trait to value to the logarithm of its likelihood relative to the likeliest value (0 for that one); traits of
        which nothing is told are left out.
    """
    known = phrases or learned()
    found: dict[str, dict[str, Cue]] = {}
    for sentence in sentences:
        best: dict[str, tuple[int, str]] = {}
        for cue in cues_of(sentence):
            for trait, told in known.cues.get(cue, {}).items():
                best[trait] = max(best.get(trait, (0, "")), (sum(told.values()), cue))
        for trait, (_, cue) in best.items():
            found.setdefault(trait, {})[cue] = known.cues[cue][trait]
    return {trait: _likelihoods(list(cues.values()), known.totals[trait]) for trait, cues in found.items()}


def _likelihoods(cues: Sequence[Cue], totals: Cue) -> dict[str, float]:
    sums = dict.fromkeys(totals, 0.0)
    for cue in cues:
        logs = {value: math.log((cue.get(value, 0) + SMOOTHING) / (total + 1.0)) for value, total in totals.items()}
        top = max(logs.values())
        for value, log in logs.items():
            sums[value] += max(log - top, -MOST)
    top = max(sums.values())
    return {value: log - top for value, log in sums.items()}


def keys_of(terms: Sequence[str]) -> list[str]:
    """Keys of a description, by its stems in order: pairs that follow each other, and the stem of a single one."""
    return [f"{first} {second}" for first, second in pairwise(terms)] or list(terms)


def names_for(terms: Sequence[str], phrases: Phrases | None = None) -> dict[str, float]:
    """The words meant by a description, each with the largest share that one of its keys gives it.

    Args:
        terms: Stems of the description, in order.
        phrases: What was learned, None for what comes with the package.
    """
    known = phrases or learned()
    found: dict[str, float] = {}
    for key in keys_of(terms):
        for name, share in known.names.get(key, {}).items():
            found[name] = max(found.get(name, 0.0), share)
    return found


def words_of_names(text: str) -> dict[str, str]:
    """What may be a name in a passage: words that carry meaning and pairs that follow each other, by their stems."""
    kept = [word for word in words(text) if word not in STOP_WORDS and word not in FRAME_WORDS]
    stems = [stem(word) for word in kept]
    pairs = {f"{stems[at]} {stems[at + 1]}": f"{kept[at]} {kept[at + 1]}" for at in range(len(kept) - 1)}
    return {**dict(zip(stems, kept, strict=True)), **pairs}


def stems_of(name: str) -> str:
    """The stems of a name, as keys of :func:`words_of_names` have them."""
    return " ".join(stem(word) for word in name.split())
