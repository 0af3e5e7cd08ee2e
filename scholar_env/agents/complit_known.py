"""What an agent of CompLit knows of words: cues that tell traits, and what was learned from training worlds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from scholar_env.agents.complit_asks import Asks, asks_of, learned_asks
from scholar_env.agents.complit_headings import Headings, headings_of, learned_headings
from scholar_env.agents.complit_phrases import Phrases, learned, phrases_of
from scholar_env.agents.study_traits import traits_of


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known; two of these are equal only if they are the same, so that what was read with one can be kept.

    Attributes:
        phrases: Learned cues, and the words that descriptions stand for.
        headings: What headings announce, and what is told behind them.
        asks: What clauses ask for in words without a cue.
        in_clauses: The traits that a clause asks for in so many words, each with its value.
        in_papers: The same of a sentence or paragraph of a paper that tells them.
    """

    phrases: Phrases
    headings: Headings
    asks: Asks
    in_clauses: Callable[[str], dict[str, str]] = traits_of
    in_papers: Callable[[str], dict[str, str]] = traits_of


def known_of(found: Mapping[str, Any]) -> Known:
    """What was learned, from its JSON object."""
    return Known(phrases_of(found), headings_of(found["headings"]), asks_of(found["asks"]))


@cache
def packaged() -> Known:
    """What comes with the package."""
    return Known(learned(), learned_headings(), learned_asks())
