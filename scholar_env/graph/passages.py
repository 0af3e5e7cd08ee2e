"""The paragraphs of a corpus in which papers mention others.

A paragraph is what empty lines separate in a section. Imported full texts number the paragraphs of their mentions over
all sections (table ``mentions_paragraph``). Generated worlds number citation paragraphs alone; there the paragraph is
found by the words with which texts name what they cite (:func:`citation_mark`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholar_env.corpus_folder import Corpus
from scholar_env.graph.citation_graph import CitationGraph
from scholar_env.graph.contexts import mentions_of

NUMBERED = "mentions_paragraph"
"""Table of a corpus whose mentions carry the number of their paragraph in the text."""


class Passage(NamedTuple):
    """A mention of a paper with its paragraph.

    Attributes:
        citing: Row of the paper whose text it is.
        paragraph: Number of the citation paragraph, as the graph has it.
        sentiment: Place in ``citation_graph.SENTIMENTS``.
        text: The paragraph, "" where the text does not show it.
    """

    citing: int
    paragraph: int
    sentiment: int
    text: str


def citation_mark(authors: Sequence[str], year: int | str) -> str:
    """How a text of a generated world names a paper that it cites: Lindqvist and Mora (2014).

    Args:
        authors: Names, family name last; one or more.
        year: Year of the paper.
    """
    names = [name.rsplit(" ", 1)[-1] for name in authors]
    return f"{f'{names[0]} et al.' if len(names) > 2 else ' and '.join(names)} ({year})"


def passages_of(corpus: Corpus, graph: CitationGraph, row: int, first: int, n: int) -> tuple[list[Passage], int]:
    """Some of the mentions of a paper, those of the newest citing papers first.

    Args:
        corpus: The corpus.
        graph: Its citation graph.
        row: The paper that is mentioned.
        first: Mentions to skip.
        n: Mentions wanted.

    Returns:
        The mentions, and how many there are in all; none where the graph knows no contexts.
    """
    if graph.mentions is None:
        return [], 0
    found = mentions_of(graph, row)
    newest = sorted(
        range(len(found.citing)),
        key=lambda place: (-int(graph.month[found.citing[place]]), int(graph.id_rank[found.citing[place]]), place),
    )
    passages = []
    for place in newest[first : first + n]:
        citing, paragraph = int(found.citing[place]), int(found.paragraph[place])
        text = paragraph_text(corpus, citing, paragraph, row)
        passages.append(Passage(citing, paragraph, int(found.sentiment[place]), text))
    return passages, len(newest)


def paragraph_text(corpus: Corpus, citing: int, paragraph: int, cited: int) -> str:
    """The text of the paragraph in which a paper mentions another, "" where there is none."""
    paragraphs = [part for section in corpus.sections(citing) for part in section.text.split("\n\n")]
    if NUMBERED in corpus.tables:
        return paragraphs[paragraph] if paragraph < len(paragraphs) else ""
    authors = corpus.authors(cited)
    if not authors:
        return ""
    mark = citation_mark(authors, corpus.date(cited)[:4] or _listed_year(paragraphs, corpus.title(cited)))
    return next((part for part in paragraphs if mark in part), "")


def _listed_year(paragraphs: Sequence[str], title: str) -> str:
    """The year at the end of a work's entry in a list of references: what the text calls a work without a date by."""
    entry = next((part for part in paragraphs if part.startswith("[") and title in part), "")
    return entry.rstrip(".")[-4:]
