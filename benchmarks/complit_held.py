"""Wordings of clauses and passages that are held out of what CompLit's checker learns, so that it meets them unread."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from complit_asks import Material
from complit_headings import runs_of, wordings_of

from scholar_env.agents.complit_phrases import cues_of
from scholar_env.agents.study_traits import traits_of

FOLDS = 3
"""Of as many wordings one is held out."""

NO_FOLD = -1


@dataclass(frozen=True)
class Held:
    """What is held out.

    Attributes:
        fold: The fold of the texts that are held out, from 0 to FOLDS - 1, or NO_FOLD.
        wordings: Wordings of passages (`complit_headings.wordings_of`) that are held out.
        passages: The passages that have them.
    """

    fold: int = NO_FOLD
    wordings: frozenset[str] = frozenset()
    passages: frozenset[str] = frozenset()

    def has(self, text: str) -> bool:
        """Whether a clause or a wording is held out."""
        return zlib.crc32(text.encode()) % FOLDS == self.fold

    def cues(self) -> frozenset[str]:
        """Runs of words that stand in passages that are held out."""
        return frozenset(cue for passage in self.passages for cue in cues_of(passage))


NOTHING = Held()


def passages_by_wording(passages: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Passages by their wording; what those share that tell the same trait is what makes a wording.

    Args:
        passages: Traits with passages that tell them.
    """
    by_trait: dict[str, dict[str, None]] = defaultdict(dict)
    for trait, passage in passages:
        by_trait[trait][passage] = None
    found: dict[str, set[str]] = defaultdict(set)
    for told in by_trait.values():
        for wording, passage in zip(wordings_of(list(told)), told, strict=True):
            found[wording].add(passage)
    found.pop("", None)
    return found


def hold_out(passages: Mapping[str, Iterable[str]], fold: int) -> Held:
    """Holds out a fold of passages, by their wording."""
    held = Held(fold)
    out = [wording for wording in passages if held.has(wording)]
    return Held(fold, frozenset(out), frozenset(passage for wording in out for passage in passages[wording]))


def without(material: Material, held: Held) -> Material:
    """What is left of clauses and passages to learn from."""
    return material._replace(
        clauses={value: {text for text in texts if not held.has(text)} for value, texts in material.clauses.items()},
        passages={value: texts - held.passages for value, texts in material.passages.items()},
        others={text for text in material.others if not held.has(text)},
        frames={text for text in material.frames if not held.has(text)},
    )


@dataclass(frozen=True)
class MaskedCues:
    """Cues written by hand (`study_cues`) as if they had been written without knowing what is held out.

    Attributes:
        clauses: Clauses that are held out.
        wordings: Wordings of passages that are held out.
    """

    clauses: tuple[str, ...]
    wordings: frozenset[str]

    def in_clauses(self, text: str) -> dict[str, str]:
        """The traits that a clause asks for, none where it is held out."""
        found = traits_of(text)
        return {} if found and any(clause in text for clause in self.clauses) else found

    def in_papers(self, text: str) -> dict[str, str]:
        """The traits that a sentence or paragraph of a paper tells, none where its wording is held out."""
        found = traits_of(text)
        return {} if found and not self.wordings.isdisjoint(runs_of(text)) else found


def masked_cues(material: Material, held: Held) -> MaskedCues:
    """The cues that are left."""
    clauses = sorted({text for texts in material.clauses.values() for text in texts if held.has(text)})
    return MaskedCues(tuple(clauses), held.wordings)
