"""Abstracts as OpenAlex gives them: an object from each word to the places where it stands."""

from __future__ import annotations

from typing import Any


def abstract_of(index: Any) -> str:
    """Rebuilds an abstract, as the scripts released with SciNetBench do.

    Words are put at their places, a later word of the object over an earlier one, and joined by single spaces; places
    without a word are passed over. A word whose list is null or empty counts for nothing.

    Args:
        index: Word to list of places; null, or anything else, gives "".

    Returns:
        The abstract; "" when there are no places, or when one is no integer or a list of places is no list.
    """
    if not isinstance(index, dict):
        return ""
    at: dict[int, str] = {}
    for word, places in index.items():
        if not places and (places is None or isinstance(places, list)):
            continue
        if not isinstance(places, list) or not all(isinstance(place, int) for place in places):
            return ""
        at.update(dict.fromkeys(places, word))
    return " ".join(at[place] for place in sorted(at) if place >= 0)
