"""English word forms that the renderer and the linter share: verb forms, a/an, stems, content words."""

from __future__ import annotations

import re
from functools import lru_cache

VOWELS = "aeiou"
WORD = re.compile(r"[A-Za-zÀ-ɏ0-9]+(?:['’][a-z]+)?")
# Words that start with a vowel letter but a consonant sound, and the reverse.
CONSONANT_SOUND = re.compile(
    r"(?:uni(?!n[dfits])|un[ai]ty|use|usa|usu|uta|uti|ubi|ura|uro|eu|ew|one\b|once|ou[ij]|u-)", re.IGNORECASE
)
VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
SPELLED_VOWEL = "AEFHILMNORSX"

STOP_WORDS = frozenset(
    re.findall(
        r"\S+",
        """
    a about above across after again against all almost alone along already also although always am among an and
    another any anyone anything are around as at away back be because been before behind being below beneath
    between beyond both but by can cannot could did do does done down during each either else enough even ever
    every everyone everything few for from further get gets given had has have having he her here hers him his how
    however i if in instead into is it its itself just least less many may me merely might more most much must my
    near need needs neither never no nobody none nor not nothing now of off often on once only onto or other others
    our out outside over own per rather same several shall she should since so some such than that the their them
    themselves then there these they this those though through throughout thus till to together too toward towards
    under until unless up upon us very via was we well were what whatever when where whereas whether which while
    who whole whom whose why will with within without would yet you your paper papers study studies work works
    author authors article
    """,
    )
)

_SUFFIXES = (
    *(
        "isations",
        "izations",
        "isation",
        "ization",
        "fulness",
        "iveness",
        "ations",
        "ication",
        "ingly",
        "ation",
        "ities",
        "ional",
        "ments",
    ),
    *(
        "ators",
        "ator",
        "ances",
        "ences",
        "ance",
        "ence",
        "ment",
        "ness",
        "ible",
        "able",
        "ally",
        "ical",
        "ings",
        "ious",
        "edly",
        "izing",
    ),
    *(
        "ising",
        "ized",
        "ised",
        "izer",
        "ions",
        "ion",
        "ive",
        "ity",
        "ize",
        "ise",
        "ing",
        "ies",
        "ied",
        "ate",
        "ers",
        "ors",
        "ant",
        "ent",
    ),
    *("ous", "ful", "ed", "er", "or", "ly", "al", "ic", "es", "y", "e", "s"),
)

_SUFFIXES_BY_END = {
    end: tuple(suffix for suffix in _SUFFIXES if suffix[-1] == end)
    for end in sorted({suffix[-1] for suffix in _SUFFIXES})
}
"""The suffixes by their last letter, in the same order."""


def words(text: str) -> list[str]:
    """Split a text into lower-case words; hyphens separate, so `two-photon` is two words."""
    return [found.lower() for found in WORD.findall(text)]


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """Cut suffixes until none fits, keeping three letters or more. Coarse on purpose: it must not miss a root."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    changed = True
    while changed:
        changed = False
        for suffix in _SUFFIXES_BY_END.get(word[-1:], ()):
            if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not (suffix == "s" and word.endswith("ss")):
                word, changed = word[: -len(suffix)], True
                break
    if word.endswith("bil"):  # stability and stable
        word = word[:-2] + "l"
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word


def content_stems(text: str) -> dict[str, str]:
    """Map each stem of a content word in a text to the first word that has it."""
    stems: dict[str, str] = {}
    for word in words(text):
        if word not in STOP_WORDS and len(word) > 1:
            stems.setdefault(stem(word), word)
    return stems


def wants_an(word: str) -> bool:
    """Tell whether the indefinite article before a word, or a phrase, is `an`, judged by its sound."""
    letters = re.sub(r"[^A-Za-z]", "", re.split(r"[- ]", word, maxsplit=1)[0])
    if not letters:
        return word[:1] == "8" or word[:2] in ("11", "18")
    if len(letters) >= 2 and letters.isupper():
        return letters[0] in SPELLED_VOWEL
    if VOWEL_SOUND.match(word):
        return True
    return letters[0].lower() in VOWELS and not CONSONANT_SOUND.match(word)


def inflect(base: str) -> tuple[str, str, str, str]:
    """Return third person singular, past, past participle and -ing form of a regular verb; particles stay behind it.

    `account for` gives `accounts for, accounted for, accounted for, accounting for`. Consonants are doubled (`map`,
    `mapped`) in verbs of one syllable that end in consonant, vowel, consonant other than w, x, y; other cases are
    written out in the data.
    """
    head, _, rest = base.partition(" ")
    rest = f" {rest}" if rest else ""
    if re.search(r"(?:s|x|z|ch|sh|o)$", head):
        third = head + "es"
    elif re.search(r"[^aeiou]y$", head):
        third = head[:-1] + "ies"
    else:
        third = head + "s"
    if head.endswith("ee"):
        past, gerund = head + "d", head + "ing"
    elif head.endswith("e"):
        past, gerund = head + "d", head[:-1] + "ing"
    elif re.search(r"[^aeiou]y$", head):
        past, gerund = head[:-1] + "ied", head + "ing"
    elif re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", head):
        past, gerund = head + head[-1] + "ed", head + head[-1] + "ing"
    else:
        past, gerund = head + "ed", head + "ing"
    return third + rest, past + rest, past + rest, gerund + rest
