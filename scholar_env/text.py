r"""Tokenizers. Each has an id that a frozen index stores, and never changes its output under that id.

| id | rule |
|---|---|
| ``scholargym-v1`` | runs of ``a``–``z`` in the lower-cased text that touch no other word character (``\b[a-z]+\b``): |
| | digits, mixed tokens (``resnet50``) and words with other letters vanish whole; no stop words, no stemming |
| ``lucene-standard-v1`` | NFKC, casefold, ``\w+``; no stop words, no stemming |
| ``snowball-en-v1`` | the tokens of ``lucene-standard-v1``, each stemmed by :func:`scholar_env.stemmer.stem` |
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scholar_env.errors import InvalidOptionError
from scholar_env.stemmer import stem

_ascii_words = re.compile(r"\b[a-z]+\b").findall
_words = re.compile(r"\w+").findall


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A function from a text to its tokens, in text order, duplicates kept.

    Attributes:
        id: Name under which an index stores which tokenizer made it.
        split: The function.
    """

    id: str
    split: Callable[[str], list[str]]

    def __call__(self, text: str) -> list[str]:
        """Returns the tokens of ``text``."""
        return self.split(text)


def scholargym_tokens(text: str) -> list[str]:
    """Splits as the released ScholarGym retriever does (``scholargym-v1``)."""
    return _ascii_words(text.lower())


def lucene_standard_tokens(text: str) -> list[str]:
    """Splits into case-folded words of any script (``lucene-standard-v1``)."""
    return _words(unicodedata.normalize("NFKC", text).casefold())


def snowball_en_tokens(text: str) -> list[str]:
    """Splits into stemmed English words (``snowball-en-v1``)."""
    return [stem(token) for token in lucene_standard_tokens(text)]


TOKENIZERS: Mapping[str, Tokenizer] = MappingProxyType(
    {
        tokenizer.id: tokenizer
        for tokenizer in (
            Tokenizer("scholargym-v1", scholargym_tokens),
            Tokenizer("lucene-standard-v1", lucene_standard_tokens),
            Tokenizer("snowball-en-v1", snowball_en_tokens),
        )
    }
)
"""All tokenizers by id."""


def tokenizer(tokenizer_id: str) -> Callable[[str], list[str]]:
    """Returns the function of a tokenizer id.

    Raises:
        InvalidOptionError: No tokenizer has that id.
    """
    if tokenizer_id not in TOKENIZERS:
        raise InvalidOptionError(
            f"tokenizer {tokenizer_id!r} is unknown",
            "a tokenizer is named by its id",
            f"use one of {', '.join(TOKENIZERS)}",
        )
    return TOKENIZERS[tokenizer_id].split


def scholargym_text(title: str, abstract: str) -> str:
    """Returns the text that the released ScholarGym retriever indexes for a paper."""
    return f"title: {title} abstract: {abstract}"
