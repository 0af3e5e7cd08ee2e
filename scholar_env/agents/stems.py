"""Stems of the words of a text that carry meaning."""

from __future__ import annotations

from scholar_env.agents.words import FRAME_WORDS, STOP_WORDS, stem, words


def content_stems(text: str) -> tuple[str, ...]:
    """Stems of the words of a text that carry meaning, in order."""
    return tuple([stem(word) for word in words(text) if word not in STOP_WORDS and word not in FRAME_WORDS])
