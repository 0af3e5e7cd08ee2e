"""Words: which of them carry meaning, and which forms belong together. By hand, for English research questions."""

from __future__ import annotations

import re
from functools import lru_cache

from scholar_env.stemmer import stem as _stem

_WORD = re.compile(r"[^\W_]+")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS = _set(
    """
    a about above across after again against all also am among an and any are aren as at be because been before being
    below between both but by can cannot could did do does doing done down during each either else etc ever every few
    first for from further had has have having he her here hers him his how however i if in into is isn it its itself
    just least less like made make makes many may me might more most much must my neither no nor not now of off on once
    one only onto or other others our ours out over own per rather s same several shall she should show shows since so
    some something specific specifically still such than that the their theirs them then there these they this those
    through thus to together too toward towards two under until up upon us use used uses using very via was we well were
    what when where whether which while who whom whose why will with within without would yet you your
    """
)
"""Function words."""

FRAME_WORDS = _set(
    """
    achieve achieved achieves address addressed addresses addressing aim aimed aims any applied applies apply area areas
    argue argued argues article articles attempt attempted attempts author authors available based concentrates
    concentrating concept concerned concerning conduct conducted conducts consider considered considering considers
    demonstrate demonstrated demonstrates describe described describes develop developed developing develops discuss
    discussed discusses discussing discussion does employ employed employs examine examined examines example examples
    exist existed existing exists explore explored explores exploring field find focus focused focuses focusing gave
    give given gives highlight highlighted highlights instance instances interested introduce introduced introduces
    introducing investigate investigated investigates involve involved involves involving know known literature looking
    mention mentioned mentions paper papers please point points present presented presenting presents propos propose
    proposed proposes proposing provide provided provides publication publications recommend refer reference references
    referred refers regarding related relating report reported reports research researched researcher researchers
    researches show shows studies study suggest suggested suggests survey talk talked tell there topic topics tried
    tries try utilize utilized utilizes utilizing want work works
    """
)
"""Words of the frames in which questions are put ("could you recommend studies that …")."""

GENERAL_WORDS = _set(
    """
    accuracy achieves across algorithm algorithms analysis approach approaches available baseline baselines benchmark
    benchmarks best better challenge challenges challenging code com compared comparison data dataset datasets
    different due effective effectiveness efficient evaluate evaluation existing experiments experimental extensive
    finally framework full further furthermore general github good high higher http https important improve improved
    improvement improves information introduce key large lead leads learning level low lower main method methodology
    methods model models moreover multiple new novel number often open order outperform outperforms paper performance
    present previous problem problems process propose proposed provide publicly real recent recently release released
    remains respectively result results set sets show significant significantly simple single source state strategy
    strong system systems task tasks technique techniques terms therefore three training trained url various way ways
    world
    """
)
"""Words that any abstract may hold: of no use as feedback, though they may matter in a question."""


def words(text: str) -> list[str]:
    """Returns the words of a text, case folded, in order."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Returns the Snowball stem."""
    return _stem(word)


def content_words(question: str) -> list[str]:
    """Returns the words of a question that say what is looked for; all of them when none would be left."""
    kept = [word for word in words(question) if word not in STOP_WORDS and word not in FRAME_WORDS]
    return kept or words(question)


def other_number(word: str) -> str:
    """Returns the plural of a singular and the singular of a plural, by the regular rules; "" for very short words.

    Indexes without stemming do not know that ``transformer`` and ``transformers`` are one thing.
    """
    if len(word) < 3 or not word.isalpha():
        return ""
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
