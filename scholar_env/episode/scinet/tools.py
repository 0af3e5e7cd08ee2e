"""The tools of SciNet, each declared once, and what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scholar_env.episode.arguments import BEFORE, OFFSET, PAPER, READ_ARGUMENTS, REASON, TEXT, K
from scholar_env.episode.reading import read_paper
from scholar_env.episode.schema import Argument
from scholar_env.episode.searching import capped_size, date_bound
from scholar_env.episode.tool import Tool, by_name
from scholar_env.graph.contexts import co_cited, co_mentioned
from scholar_env.graph.passages import passages_of
from scholar_env.index.dates import UNDATED

if TYPE_CHECKING:
    from scholar_env.episode.scinet.engine import ScinetEpisode

FREE: Final = ("answer", "abstain")
"""Tools that cost nothing of the budget and are taken when it is spent."""

CONTEXTS: Final = "citations"
"""The section of ``read`` that goes on with citation contexts."""

MOST_PAPERS: Final = 1000
"""Papers that an answer may hold; what is beyond the limit of the task is cut."""


def search(episode: ScinetEpisode, arguments: Mapping[str, Any]) -> None:
    """Shows a page of the papers that rank best for words."""
    size = capped_size(episode, arguments["k"], episode.config.page_size)
    before = date_bound(episode, arguments["before"])
    page = episode.retriever.page(
        arguments["text"], k=size, offset=arguments["offset"], before=before, number=len(episode.pages) + 1
    )
    episode.page(page)
    episode.list_papers(page.papers)


def read(episode: ScinetEpisode, arguments: Mapping[str, Any]) -> None:
    """Shows title, abstract and section titles, or a section, with citation contexts of citing papers."""
    wanted, offset = arguments["section"].strip(), arguments["offset"]
    paper = episode.corpus.id_of(episode.row("read", arguments["paper"]))
    if wanted.lower() != CONTEXTS:
        read_paper(episode, {**arguments, "paper": paper})
        if not wanted and not offset:
            _show_contexts(episode, paper, 0)
        return
    read_paper(episode, {"paper": paper, "section": "", "offset": 0})
    _show_contexts(episode, paper, offset)


def _show_contexts(episode: ScinetEpisode, paper: str, offset: int) -> None:
    """Gives what citing papers say of a paper, and the two counts."""
    corpus, graph, n = episode.corpus, episode.resources.graph, episode.config.n_contexts
    row = episode.row("read", paper)
    found, total = passages_of(episode.resources.corpus, graph, row, offset, n)
    shown = [
        {
            "citing": corpus.id_of(passage.citing),
            "title": corpus.title(passage.citing),
            "date": corpus.date(passage.citing),
            "cited": paper,
            "text": passage.text,
        }
        for passage in found
    ]
    episode.give({"contexts": shown})
    episode.state.n_contexts += len(shown)
    episode.note(f"read: {graph.n_references_of[row]} references, {graph.n_citers_of[row]} citers")
    following = offset + len(shown)
    if following < total:
        more = f"{total - following} citation contexts more"
        episode.note(f"read: {more}; read on with section {CONTEXTS!r} and offset {following}")


def references(episode: ScinetEpisode, arguments: Mapping[str, Any]) -> None:
    """Lists what a paper cites, the most cited first."""
    graph, row = episode.resources.graph, episode.row("references", arguments["paper"])
    _give_list(episode, "references", row, _by_citations(episode, graph.references(row).tolist()), {}, arguments)


def citers(episode: ScinetEpisode, arguments: Mapping[str, Any]) -> None:
    """Lists the papers that cite a paper, the newest or the most cited first."""
    graph, row = episode.resources.graph, episode.row("citers", arguments["paper"])
    rows = graph.citers(row).tolist()
    if arguments["order"] == "citations":
        rows = _by_citations(episode, rows)
    else:
        month = np.where(graph.month == UNDATED, -1, graph.month)
        rows = sorted(rows, key=lambda other: (-int(month[other]), int(graph.id_rank[other])))
    _give_list(episode, "citers", row, rows, {}, arguments)


def co_cited_with(episode: ScinetEpisode, arguments: Mapping[str, Any]) -> None:
    """Lists the papers that citing papers mention together with a paper, those of most citing papers first.

    Together is in one citation paragraph; where the corpus knows no paragraphs, in one list of references.
    """
    graph, row = episode.resources.graph, episode.row("co_cited", arguments["paper"])
    if graph.mentions is None:
        rows, papers = co_cited(graph, row)
    else:
        rows, _, papers = co_mentioned(graph, row)
    together = dict(zip(rows.tolist(), papers.tolist(), strict=True))
    ordered = sorted(together, key=lambda other: (-together[other], int(graph.id_rank[other])))
    _give_list(episode, "co_cited", row, ordered, together, arguments)


def _by_citations(episode: ScinetEpisode, rows: list[int]) -> list[int]:
    graph = episode.resources.graph
    return sorted(rows, key=lambda row: (-int(graph.n_citers_of[row]), int(graph.id_rank[row])))


def _give_list(
    episode: ScinetEpisode,
    relation: str,
    row: int,
    rows: Sequence[int],
    together: Mapping[int, int],
    arguments: Mapping[str, Any],
) -> None:
    """Gives a page of a list of papers."""
    corpus, graph, offset = episode.corpus, episode.resources.graph, arguments["offset"]
    size = capped_size(episode, arguments["k"], episode.config.page_size)
    shown = rows[offset : offset + size]
    entries = [
        {
            "paper": corpus.id_of(other),
            "title": corpus.title(other),
            "date": corpus.date(other),
            "n_citers": int(graph.n_citers_of[other]),
            "n_references": int(graph.n_references_of[other]),
            "together": together.get(other, 0),
            "relation": relation,
            "of": corpus.id_of(row),
        }
        for other in shown
    ]
    episode.give({"citations": entries})
    episode.list_papers(map(corpus.id_of, shown), corpus.id_of(row))
    episode.note(f"{relation}: {len(rows)} in all, {len(shown)} shown from {offset}")


def answer(episode: ScinetEpisode, arguments: Mapping[str, Any]) -> None:
    """Finishes with a list of papers."""
    episode.answered(arguments["papers"], "answered")


def abstain(episode: ScinetEpisode, arguments: Mapping[str, Any]) -> None:
    """Finishes with an empty list."""
    episode.answered((), "abstained")


PAGE: Final = (PAPER, K, OFFSET)
ORDER: Final = Argument(
    "order", "string", "newest first, or most cited first", required=False, default="date",
    choices=("date", "citations"),
)  # fmt: skip
PAPERS: Final = Argument(
    "papers", "strings", "ids of the papers, best first; a path runs from the older to the newer paper",
    max_length=MOST_PAPERS, aliases=("ids",),
)  # fmt: skip
TOOLS: Final[Mapping[str, Tool]] = by_name(
    (
        Tool(
            "search",
            "Search titles and abstracts for words.",
            (TEXT, K, OFFSET, BEFORE),
            search,
            {"text": "sparse retrieval", "k": 10},
        ),
        Tool(
            "read",
            "Show a paper's abstract and what citing papers say of it, one section, or section 'citations' for more of "
            "what they say.",
            READ_ARGUMENTS,
            read,
            {"paper": "2101.00001"},
        ),
        Tool(
            "references",
            "List the papers that a paper cites, most cited first.",
            PAGE,
            references,
            {"paper": "2101.00001", "k": 20},
        ),
        Tool(
            "citers",
            "List the papers that cite a paper, by date or by citations.",
            (*PAGE, ORDER),
            citers,
            {"paper": "2101.00001", "order": "citations"},
        ),
        Tool(
            "co_cited",
            "List the papers that are mentioned together with a paper, most often first.",
            PAGE,
            co_cited_with,
            {"paper": "2101.00001"},
        ),
        Tool(
            "answer",
            "Finish with the papers that answer the question.",
            (PAPERS,),
            answer,
            {"papers": ["2101.00001", "2101.00002"]},
            charged=False,
        ),
        Tool("abstain", "Finish without an answer.", (REASON,), abstain, {"reason": "nothing fits"}, charged=False),
    )
)
