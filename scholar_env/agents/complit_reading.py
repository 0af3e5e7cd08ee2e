"""What a paper tells an agent that reads it: its words, its figures, and what kind of study it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from scholar_env.agents.complit_clauses import SENTENCE_END
from scholar_env.agents.complit_headings import paragraphs_of, silent_on, told_behind
from scholar_env.agents.complit_known import Known, packaged
from scholar_env.agents.complit_phrases import MOST, words_of_names
from scholar_env.agents.complit_phrases import told_by as hinted_by
from scholar_env.agents.study_cues import TRAITS
from scholar_env.agents.study_traits import told_by

_CITED: Final = re.compile(r"\(\d{4}\)|\bet al\b")


@dataclass(frozen=True, slots=True)
class Read:
    """A paper that was read.

    Attributes:
        paper: Its id.
        title: Its title.
        date: Its date.
        authors: Its authors.
        categories: Its categories.
        terms: Stems of its words.
        names: Its stems, and pairs of stems that follow each other, leaving out words without meaning.
        told: For each trait of which it tells something the logarithm of each value's likelihood, 0 for the likeliest;
            where the same headings tell another trait, its values stand there together as ELSE.
        silent: Traits of which it surely tells nothing.
        figures: Figures as data.
    """

    paper: str
    title: str
    date: str
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    terms: frozenset[str]
    names: frozenset[str]
    told: Mapping[str, Mapping[str, float]]
    silent: frozenset[str]
    figures: tuple[Mapping[str, Any], ...]


def read_paper(
    document: Mapping[str, Any],
    categories: Sequence[str],
    figures: Sequence[Mapping[str, Any]],
    known: Known | None = None,
) -> Read:
    """Takes in what ``read`` showed of a whole paper.

    Args:
        document: The paper's title, date, authors and text.
        categories: Its categories.
        figures: Its figures as data.
        known: What is known of words, None for what comes with the package.
    """
    names, told, silent = _taken_in(f"{document['title']}. {document['text']}", known or packaged())
    return Read(
        paper=document["paper"],
        title=document["title"],
        date=document["date"],
        authors=tuple(document["authors"]),
        categories=tuple(categories),
        terms=frozenset(name for name in names if " " not in name),
        names=names,
        told=told,
        silent=silent,
        figures=tuple(figures),
    )


@lru_cache(maxsize=500)
def _taken_in(text: str, known: Known) -> tuple[frozenset[str], Mapping[str, Mapping[str, float]], frozenset[str]]:
    """Names, told traits and silent ones of a text; kept, since the same paper is read for many needs."""
    headed = paragraphs_of(text)
    silent = silent_on(headed, known.headings)
    # A trait may also stand in the abstract; where headings leave it open, anywhere.
    elsewhere = _told(_sentences(text.split("\n", 1)[0] if silent else text), known)
    told = {**elsewhere, **told_behind(headed, known.headings, known.in_papers)}
    return frozenset(words_of_names(text)), told, silent - told.keys()


def _sentences(text: str) -> list[str]:
    """Sentences that speak of the paper itself."""
    found = SENTENCE_END.split(text.replace("\n", " "))
    return [sentence for sentence in found if not _CITED.search(sentence)]


def _told(sentences: Sequence[str], known: Known) -> dict[str, Mapping[str, float]]:
    """What is said in so many words counts alone; what hints at a trait counts where nothing is said."""
    said = {
        trait: {value: 0.0 if value in values else -MOST for value in TRAITS[trait]}
        for trait, values in told_by(sentences, known.in_papers).items()
    }
    return {**hinted_by(sentences, known.phrases), **said}
