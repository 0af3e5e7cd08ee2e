"""Coined names of systems, data sets and persons: a keyed bijection from numbers to pronounceable words.

A word alternates consonants and vowels, so its parts can be read back from its letters and no two numbers give the same
word. The first three parts decide, by a check digit, whether a word is a system's, a data set's or a person's, and
whether training or test worlds coin it; worlds of the same kind permute the words by their seed.
"""

from __future__ import annotations

import re

from .streams import key_of

ONSETS = (
    "", "b", "br", "c", "cr", "d", "dr", "f", "fl", "fr", "g", "gl", "gr", "h", "j", "k", "kr", "l", "m", "n",
    "p", "pr", "qu", "r", "s", "sh", "sk", "st", "t", "th", "tr", "v", "w", "y", "z", "vl", "sv",
)  # fmt: skip
VOWELS = ("a", "e", "i", "o", "u", "ia")
MIDDLES = (
    "skl", "skr", "sv", "zk", "zl", "zv", "zd", "zr", "zh", "zm", "zn", "zb", "lr", "mr", "mz", "mv", "lz", "thm",
    "thl", "thr", "lbr", "ldr", "ltr", "lh", "lj", "md", "vl", "vn", "vr", "vd", "kl", "kr", "kv", "dv", "hn",
    "hr", "rh", "rj", "rz", "rsk", "nv", "nthr", "nr", "ln", "lf", "fr", "nz", "nj", "lk", "lb", "ndr", "rdr",
    "rkl", "rtr", "rvl", "smr", "sn", "tv", "lgr", "ldv",
)  # fmt: skip
CODAS = ("", "l", "n", "r", "s", "k", "m", "x", "th", "ld", "lt", "rn", "sk", "v", "z", "nd")
KINDS = ("system", "dataset", "person")
CHECKS = 2 * len(KINDS)
SURNAMES = (
    "nsen", "rmann", "vsky", "kov", "lini", "rdi", "shvili", "nders", "lström", "nescu", "varo", "rtz", "gaard",
    "kainen", "ntes", "yev", "sson", "dze", "maki", "wicz", "poulos", "hara", "mura", "deh",
)  # fmt: skip
"""Endings of coined surnames; each starts with a consonant, after a vowel."""

SUFFIXES = {
    "cs": ("Net", "Former", "Rank", "Flow", "Align", "Mix"), "eess": ("Net", "Filt", "Wave", "Beam", "Tune"),
    "stat": ("Fit", "Est", "Boot", "Smooth", "Test"), "q-bio": ("Fit", "Map", "Trace", "Seq", "Sim"),
    "physics": ("Sim", "Fit", "Map", "Grid", "Solve"), "math": ("Opt", "Bound", "Step", "Flow", "Cut"),
    "econ": ("Est", "Panel", "Match", "Choice"), "q-fin": ("Risk", "Fit", "Hedge", "Quant"),
}  # fmt: skip
"""Second halves of system names by group."""
DATA_SUFFIXES = {
    "cs": ("Bench", "Set", "Base", "Suite"), "eess": ("Set", "Rec", "Bench"), "stat": ("Data", "Study", "Panel"),
    "q-bio": ("Atlas", "Set", "Base"), "physics": ("Survey", "Base", "Runs"), "math": ("Lib", "Suite", "Tables"),
    "econ": ("Panel", "Census", "Files"), "q-fin": ("Panel", "Tape", "Base"),
}  # fmt: skip
"""Second halves of data set names by group."""

REAL_WORDS = frozenset(
    re.findall(
        r"\S+",
        """
    advil afro afros akron alba alban albi album aldrin andre andres andros anthrax anvil arhus balbo balkan
    balker banjo banjos banjul benzol bertram bertrand biafra biafran biathlon bilbo bilker biskra bonze bonzer
    bosnia bosnian brethren bronze bronzes bulbar bulbil bulbul caldron calker camden canvas colfax colza colzas
    convex curzon dahna darkle delhi denver dirham donjon dumdum durham efren elba elbe elbrus elfin elnath
    emden endrin enrol enron enthral ezra fenrir fresnel fresno frunze fuhrer fulfil furze galba ganja ganjas
    garza genre genres genro gizmo gizmos golfer gonzo granjon guthrun guvnor guzman hamza havre hendrix henri
    henze ihram indra indre injun invar izmir jethro jinja kanji kanzu kanzus kazbek kendra kevlar kirkland
    kovno kovrov kukri kuzbas latvia latvian livre mandrel mandril mazda melba mesne mikva mikvos mikvoth milken
    milker milne mirza mirzam mithra mithras molnar mondrian mukluk munro muzhik nehru ninja ninjas ofris okla
    okra okras orzo othman panza panzer parkland pavlov pelham penza pilfer pilgrim polka polkas poznan pravda
    quinze revlon rilke sandra sanjak sartre seljuk shilha shofroth silken skilful skulker sondra sonja sovran
    stalker stanza stanzas statvolt sulfa sulfur talker tamra tarzan tehran telfer tendril tianjin triathlon
    tundra tundras ulna ulnar ulnas ultra ultras unjam uzbek vilna walker walrus warhol welkin wilber wilbur
    wilburn wilful wilkes winze wolfe wozniak
    """,
    )
)
"""Words of English that the parts could spell; they get an ending that no other name has."""


def permuted(index: int, size: int, key: tuple[int, int]) -> int:
    """Permute 0 … size - 1: a Feistel network over the next even power of two, walked until it is inside again."""
    half = max(1, (max(size - 1, 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for turn in range(4):
            mixed = (right * 0x9E3779B97F4A7C15 + key[turn & 1] + turn * 0xD1B54A32D192ED03) & 0xFFFFFFFFFFFFFFFF
            mixed ^= mixed >> 29
            mixed = (mixed * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
            left, right = right, left ^ (mixed >> 32 & mask)
        index = left << half | right
        if index < size:
            return index


class Names:
    """The coined names of a world.

    Args:
        seed: The world's seed.
        train: Whether it is a training world; these share no word with test worlds.
    """

    def __init__(self, seed: int, *, train: bool) -> None:
        self._keys = {kind: key_of(seed, f"names/{kind}") for kind in KINDS}
        self._train = train

    def system(self, number: int, group: str) -> str:
        """Name of a system, as a paper of a group coins it; see `Facts.name` and `Facts.rival`."""
        word = self.word("system", number)
        style = (number * 0x9E3779B1 >> 7) % 20
        if style < 4 and len(word) <= 6:
            return word.upper()
        suffixes = SUFFIXES.get(group, ("Fit",))
        return word + suffixes[number * 0x85EBCA6B % 0xFFFFFFFB % len(suffixes)] if style > 12 else word

    def dataset(self, number: int, group: str) -> str:
        """Name of a set of data; see `Facts.dataset`."""
        word = self.word("dataset", number)
        style = (number * 0x9E3779B1 >> 7) % 20
        suffixes = DATA_SUFFIXES.get(group, ("Set",))
        if style > 12:
            return word + suffixes[number * 0x85EBCA6B % 0xFFFFFFFB % len(suffixes)]
        return f"{word}-{number * 0x85EBCA6B % 0xFFFFFFFB % 89 + 11}" if style == 0 else word

    def person(self, number: int) -> str:
        """A surname for what is named after a person ("the Torhensen criterion")."""
        return self.word("person", number)

    def word(self, kind: str, number: int) -> str:
        """The bare word of a number: two syllables or, for each fourth number, three.

        Args:
            kind: One of `KINDS`.
            number: From 0 on; the words never run out.
        """
        key = self._keys[kind]
        check = KINDS.index(kind) * 2 + self._train
        lot, rest = divmod(number, 4)
        short = 1
        for part in (ONSETS, VOWELS, VOWELS, CODAS):
            short *= len(part)
        short *= len(MIDDLES) // CHECKS
        if kind == "person":
            size = short // len(CODAS) * len(SURNAMES)
            return _person(permuted(number % size, size, key), check) + "-von" * (number >= size)
        place = lot * 3 + rest
        if rest < 3 and place < short:
            return _guarded(_spelled(permuted(place, short, key), check, syllables=2))
        # Numbers beyond the short words take long ones of a range of their own.
        long = short * len(MIDDLES) * len(VOWELS)
        index = number % long
        return _guarded(_spelled(permuted(index, long, key), check, syllables=3))


def _start(index: int, check: int) -> tuple[str, int]:
    """Onset, vowel and middle with the right check digit, and what is left of the index."""
    index, onset = divmod(index, len(ONSETS))
    index, vowel = divmod(index, len(VOWELS))
    index, middle = divmod(index, len(MIDDLES) // CHECKS)
    place = middle * CHECKS + (check - onset - vowel) % CHECKS
    return ONSETS[onset] + VOWELS[vowel] + MIDDLES[place], index


def _spelled(index: int, check: int, syllables: int) -> str:
    text, index = _start(index, check)
    for syllable in range(1, syllables):
        index, vowel = divmod(index, len(VOWELS))
        text += VOWELS[vowel]
        if syllable + 1 < syllables:
            index, middle = divmod(index, len(MIDDLES))
            text += MIDDLES[middle]
    return (text + CODAS[index % len(CODAS)]).capitalize()


def _person(index: int, check: int) -> str:
    text, index = _start(index, check)
    index, vowel = divmod(index, len(VOWELS))
    return (text + VOWELS[vowel] + SURNAMES[index % len(SURNAMES)]).capitalize()


def _guarded(word: str) -> str:
    return word + "ae" if word.lower() in REAL_WORDS else word
