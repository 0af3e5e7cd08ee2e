"""Classes of the phrases that questions are made of; the phrases are data (ontology/frames/queries.txt)."""

from __future__ import annotations

TOPICS = ("topic-p", "topic-m", "topic-o", "topic-pm", "topic-po", "topic-mo", "topic-pmo")
"""Topics by the concepts that are present."""

NOUN_FACETS = {
    "effect": ("effect", "second", "still"),
    "cause": ("cause", "source"),
    "cond": ("cond", "other"),
    "hazard": ("hazard",),
    "via": ("via",),
    "knob": ("knob",),
    "merit": ("merit", "symptom"),
    "supply": ("supply",),
    "tool": ("tool",),
}
"""Facets that a noun fills, each with the parts of a cast (facts.CAST) that may stand behind it."""

NAME_FACETS = ("dataset", "baseline", "system")
"""Facets that a coined name fills."""

ASK = "ask"
"""The facet of an attribute: a verb phrase behind "a paper that"."""

FACETS = tuple(f"facet-{name}" for name in (*NOUN_FACETS, *NAME_FACETS, ASK))

SOURCES = {"citation": "world-citation", "attribute": "world-attribute", "specific": "world-specific"}
"""Value of a frame's extra `for=` -> source of the tasks that it is for."""
