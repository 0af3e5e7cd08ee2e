"""Requests for pages: the fields of an entry, what makes a request right, and how one runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scholar_env.episode.arguments import MAX_TEXT, K
from scholar_env.episode.checks import compile_validator
from scholar_env.episode.schema import ActionError, Argument
from scholar_env.episode.scholargym.tree import ROOT, Node
from scholar_env.episode.searching import capped_size

if TYPE_CHECKING:
    from scholar_env.episode.scholargym.engine import Episode

LINKS: Final = ("derive", "expand", "continue")
SOURCE: Final = Argument(
    "source", "integer", "id of the subquery it comes from; 0 is the question", required=False, default=0, minimum=0,
    aliases=("source_id",),
)  # fmt: skip
ENTRY_FIELDS: Final = (
    Argument("link", "string", "derive, expand or continue", choices=LINKS, aliases=("link_type",)),
    SOURCE,
    Argument(
        "text", "string", "words to search for; not for continue", required=False, default="", max_length=MAX_TEXT
    ),
    K,
)
ENTRY_EXAMPLE: Final = {"link": "derive", "source": 0, "text": "sparse retrieval", "k": 10}
check_entry: Final = compile_validator("entry", ENTRY_FIELDS)
ENTRY_HINT: Final = f"A right entry: {json.dumps(ENTRY_EXAMPLE)}."


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for one page that is known to be right: a new node, or the next page of an old one."""

    link: str
    source: int
    text: str
    k: int


class RequestChecker:
    """Checks page requests in order, each as if those before it had run, without running any."""

    def __init__(self, episode: Episode, *, fresh_iteration: bool) -> None:
        state, self._config = episode.state, episode.config
        self._tree = state.tree
        self._made: list[str] = []
        self._pages: dict[int, int] = {}
        self._count = 0 if fresh_iteration else len(state.trace.open.pages)

    def check(self, link: str, source: int, text: str) -> None:
        """Accepts a request, or raises :class:`ActionError`."""
        config = self._config
        if self._count >= config.max_subqueries:
            raise ActionError(
                "too_many_subqueries",
                f"an iteration has at most {config.max_subqueries} subqueries; "
                "next_iteration or a new plan opens the next one",
            )
        if link == "continue":
            self._continue(source)
        else:
            self._new(link, source, text)
        self._count += 1

    def _new(self, link: str, source: int, text: str) -> None:
        if not text:
            raise ActionError("missing_argument", f"{link} needs a text: the words to search for")
        if source != ROOT and source not in self._tree and source >= self._tree.next_id + len(self._made):
            raise ActionError(
                "unknown_source", f"there is no subquery {source} to {link} from; there are {self._known()}"
            )
        self._pages[self._tree.next_id + len(self._made)] = 1
        self._made.append(link)

    def _continue(self, source: int) -> None:
        if source == ROOT:
            raise ActionError(
                "unknown_source", "the question itself (0) is never searched; derive a subquery from it first"
            )
        node = self._tree.nodes.get(source)
        pages = self._pages.get(source, node.pages if node is not None else 0)
        if pages == 0:
            raise ActionError("unknown_source", f"there is no subquery {source} to continue; there are {self._known()}")
        if node is not None and node.link == "search":
            raise ActionError(
                "unknown_source", f"subquery {source} is a search; search again with a larger offset instead"
            )
        if pages >= self._config.max_pages:
            raise ActionError(
                "node_full", f"subquery {source} has shown all its {self._config.max_pages} pages; derive or expand"
            )
        self._pages[source] = pages + 1

    def _known(self) -> str:
        last = self._tree.next_id - 1 + len(self._made)
        return f"0 (the question) to {last}" if last else "only 0 (the question)"


def page_size(episode: Episode, k: int | None, *, where: str = "") -> int:
    """Returns the capped page size, with a notice when it was capped."""
    return capped_size(episode, k, episode.config.page_size, where=where)


def run_request(episode: Episode, request: PageRequest) -> None:
    """Fetches the page of a checked request.

    The next page of a node starts after the papers it has shown that the open iteration does not exclude: since those
    form the head of the ranked list, no paper comes twice and ranks stay those of the list.
    """
    state = episode.state
    if request.link == "continue":
        node = state.tree[request.source]
        offset = sum(paper not in state.kept for paper in node.papers)
    else:
        node = Node(
            state.tree.next_id, request.source, request.link, request.text, state.trace.open.index, episode.before
        )
        offset = 0
    if not episode.fetch(node, k=request.k, offset=offset).entries:
        episode.note(f"subquery {node.id}: no {'more ' if node.pages > 1 else ''}results")
