"""Citation contexts: who cites a paper how, and what is mentioned beside it.

A graph without contexts has none of these; the functions raise then.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scholar_env.errors import InvalidOptionError
from scholar_env.graph.citation_graph import CitationGraph, Mentions
from scholar_env.graph.gather import Flags, Ints, Rows, is_member, places


class Mention(NamedTuple):
    """Mentions of cited papers, one an entry.

    Attributes:
        citing: int64: the paper whose text it is.
        cited: int64: the paper that is mentioned.
        paragraph: int64: number of the citation paragraph of the citing paper.
        sentiment: int64: place in ``citation_graph.SENTIMENTS``.
    """

    citing: Ints
    cited: Ints
    paragraph: Ints
    sentiment: Ints


class CoMentions(NamedTuple):
    """Papers that are mentioned in one paragraph with a paper, in the order of their rows.

    Attributes:
        rows: int64: the papers.
        paragraphs: int64: in how many paragraphs.
        papers: int64: in how many citing papers.
    """

    rows: Ints
    paragraphs: Ints
    papers: Ints


def mentions_by(graph: CitationGraph, citing: Ints | Rows) -> Mention:
    """All mentions in the texts of some papers, paper by paper in the order of the cited rows.

    Args:
        graph: The graph.
        citing: Rows, each once.

    Raises:
        InvalidOptionError: The graph has no contexts.
    """
    mentions = _required(graph)
    owner, reference = places(graph.starts, citing)
    which, place = places(mentions.starts, reference)
    return Mention(
        np.asarray(citing, dtype=np.int64)[owner[which]],
        graph.targets[reference[which]].astype(np.int64),
        mentions.paragraph[place].astype(np.int64),
        mentions.sentiment[place].astype(np.int64),
    )


def mentions_of(graph: CitationGraph, cited: int) -> Mention:
    """All mentions of a paper, in the order of the citing rows and their paragraphs; errors as `mentions_by`."""
    mentions = _required(graph)
    citers = graph.citers(cited)
    place = np.array(
        [int(graph.starts[row] + np.searchsorted(graph.references(row), cited)) for row in citers.tolist()],
        dtype=np.int64,
    )
    which, at = places(mentions.starts, place)
    return Mention(
        citers.astype(np.int64)[which],
        np.full(len(at), cited, dtype=np.int64),
        mentions.paragraph[at].astype(np.int64),
        mentions.sentiment[at].astype(np.int64),
    )


def citers_with(graph: CitationGraph, cited: int, sentiment: int) -> Ints:
    """Rows that mention a paper one or more times with a sentiment, ascending; errors as `mentions_by`."""
    found = mentions_of(graph, cited)
    return np.unique(found.citing[found.sentiment == sentiment])


def co_mentioned(graph: CitationGraph, seed: int) -> CoMentions:
    """The papers that share a citation paragraph with a paper; errors as `mentions_by`."""
    own = mentions_of(graph, seed)
    texts = mentions_by(graph, graph.citers(seed))
    width = int(max(texts.paragraph.max(initial=0), own.paragraph.max(initial=0))) + 1
    with_seed = np.unique(own.citing * width + own.paragraph)
    beside: Flags = (texts.cited != seed) & is_member(with_seed, texts.citing * width + texts.paragraph)
    cited, citing, paragraph = texts.cited[beside], texts.citing[beside], texts.paragraph[beside]
    rows, group = np.unique(cited, return_inverse=True)
    place = np.unique(group * (graph.n_papers * width) + citing * width + paragraph)
    paper = np.unique(group * graph.n_papers + citing)
    return CoMentions(
        rows,
        np.bincount(place // (graph.n_papers * width), minlength=len(rows)).astype(np.int64),
        np.bincount(paper // graph.n_papers, minlength=len(rows)).astype(np.int64),
    )


def co_cited(graph: CitationGraph, seed: int) -> tuple[Ints, Ints]:
    """The papers that some paper cites together with a paper, in the order of their rows, and by how many papers."""
    _, place = places(graph.starts, graph.citers(seed))
    together = graph.targets[place]
    rows, papers = np.unique(together[together != seed], return_counts=True)
    return rows.astype(np.int64), papers.astype(np.int64)


def _required(graph: CitationGraph) -> Mentions:
    if graph.mentions is None:
        raise InvalidOptionError(
            "a citation graph without contexts",
            "sentiment and co-mention need to know where references are mentioned",
            "use a corpus with citation contexts, such as a world",
        )
    return graph.mentions
