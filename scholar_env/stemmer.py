"""The English Snowball stemmer (Porter2, as published with Snowball 2), for words that hold no apostrophe.

It is written out here because stemmer packages change their rules between versions, and a frozen index must not.
Source of the rules: https://snowballstem.org/algorithms/english/stemmer.html.
"""

from __future__ import annotations

import re
from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_FIRST_REGION = re.compile(r"^(?:gener|commun|arsen)|[aeiouy][^aeiouy]")
_REGION = re.compile(r"[aeiouy][^aeiouy]")
_SHORT_END = re.compile(r"(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$")

_IRREGULAR = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
    "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
}  # fmt: skip
_INVARIANT = frozenset(("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"))

_STEP_2 = (
    ("ization", "ize"), ("ational", "ate"), ("fulness", "ful"), ("ousness", "ous"), ("iveness", "ive"),
    ("tional", "tion"), ("biliti", "ble"), ("lessli", "less"), ("entli", "ent"), ("ation", "ate"), ("alism", "al"),
    ("aliti", "al"), ("ousli", "ous"), ("iviti", "ive"), ("fulli", "ful"), ("enci", "ence"), ("anci", "ance"),
    ("abli", "able"), ("izer", "ize"), ("ator", "ate"), ("alli", "al"), ("bli", "ble"), ("ogi", "og"), ("li", ""),
)  # fmt: skip
_STEP_3 = (
    ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("icate", "ic"), ("iciti", "ic"), ("ative", ""),
    ("ical", "ic"), ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic",
)  # fmt: skip


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Returns the stem of a lower-case word; words of one or two letters stay as they are."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _mark_consonant_y(word)
    r1 = _region(word, _FIRST_REGION, 0)
    r2 = _region(word, _REGION, r1)
    word = _plural(word)
    if word not in _INVARIANT:
        word = _past_and_gerund(word, r1)
        if word[-1] in "yY" and len(word) > 2 and word[-2] not in _VOWELS:
            word = word[:-1] + "i"
        word = _derived(word, r1)
        word = _adjectives(word, r1, r2)
        word = _suffixes(word, r2)
        word = _last_letter(word, r1, r2)
    return word.replace("Y", "y")


def _mark_consonant_y(word: str) -> str:
    """Writes a y that stands for a consonant (at the start or after a vowel) as Y."""
    letters = list(word)
    for i, letter in enumerate(letters):
        if letter == "y" and (i == 0 or letters[i - 1] in _VOWELS):
            letters[i] = "Y"
    return "".join(letters)


def _region(word: str, pattern: re.Pattern[str], start: int) -> int:
    """Returns where the region after the first non-vowel that follows a vowel begins."""
    found = pattern.search(word, start)
    return found.end() if found else len(word)


def _has_vowel(part: str) -> bool:
    return not _VOWELS.isdisjoint(part)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _past_and_gerund(word: str, r1: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            base = len(word) - len(ending)
            return word[:base] + "ee" if base >= r1 else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if not word.endswith(ending):
            continue
        base_word = word[: -len(ending)]
        if not _has_vowel(base_word):
            return word
        if base_word.endswith(("at", "bl", "iz")):
            return base_word + "e"
        if base_word.endswith(_DOUBLES):
            return base_word[:-1]
        if r1 >= len(base_word) and _SHORT_END.search(base_word):
            return base_word + "e"
        return base_word
    return word


def _derived(word: str, r1: int) -> str:
    for ending, new in _STEP_2:
        if word.endswith(ending):
            base = word[: -len(ending)]
            allowed = len(base) >= r1
            if ending == "ogi":
                allowed = allowed and base.endswith("l")
            elif ending == "li":
                allowed = allowed and base.endswith(tuple("cdeghkmnrt"))
            return base + new if allowed else word
    return word


def _adjectives(word: str, r1: int, r2: int) -> str:
    for ending, new in _STEP_3:
        if word.endswith(ending):
            base = word[: -len(ending)]
            return base + new if len(base) >= (r2 if ending == "ative" else r1) else word
    return word


def _suffixes(word: str, r2: int) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            base = word[: -len(ending)]
            allowed = len(base) >= r2 and (ending != "ion" or base.endswith(("s", "t")))
            return base if allowed else word
    return word


def _last_letter(word: str, r1: int, r2: int) -> str:
    base = word[:-1]
    if word.endswith("e"):
        return base if len(base) >= r2 or (len(base) >= r1 and not _SHORT_END.search(base)) else word
    return base if word.endswith("ll") and len(base) >= r2 else word
