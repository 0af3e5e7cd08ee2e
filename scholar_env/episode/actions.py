"""What each tool does. A handler refuses by raising :class:`ActionError` before it has changed anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.browse import summarize
from scholar_env.episode.documents import admissible
from scholar_env.episode.schema import ActionError, Argument, compile_validator
from scholar_env.episode.tree import ROOT, Node
from scholar_env.episode.upstream import run_plan

if TYPE_CHECKING:
    from scholar_env.episode.engine import Episode

MAX_TEXT: Final = 2000
LINKS: Final = ("derive", "expand", "continue")
K: Final = Argument(
    "k", "integer", "results wanted, at most one page", required=False, minimum=1, aliases=("target_k",)
)
SOURCE: Final = Argument(
    "source", "integer", "id of the subquery it comes from; 0 is the question", required=False, default=0, minimum=0,
    aliases=("source_id",),
)  # fmt: skip
TEXT: Final = Argument("text", "string", "words to search for", min_length=1, max_length=MAX_TEXT)
ENTRY_FIELDS: Final = (
    Argument("link", "string", "derive, expand or continue", choices=LINKS, aliases=("link_type",)),
    SOURCE,
    Argument(
        "text", "string", "words to search for; not for continue", required=False, default="", max_length=MAX_TEXT
    ),
    K,
)
ENTRY_EXAMPLE: Final = {"link": "derive", "source": 0, "text": "sparse retrieval", "k": 10}
check_entry: Final = compile_validator("entry", ENTRY_FIELDS, ENTRY_EXAMPLE)


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

    def request(self, link: str, source: int, text: str, k: int) -> PageRequest:
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
        return PageRequest(link, source, text, k)

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
    size = episode.config.page_size
    if k is None or k <= size:
        return size if k is None else k
    episode.note(f"{where}k capped to {size}")
    return size


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


def single(link: str, episode: Episode, arguments: Mapping[str, Any]) -> None:
    """derive, expand and continue: one page in the open iteration."""
    checker = RequestChecker(episode, fresh_iteration=False)
    request = checker.request(link, arguments["source"], arguments.get("text", ""), 0)
    k = page_size(episode, arguments["k"])
    run_request(episode, PageRequest(link, request.source, request.text, k))


def derive(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """A narrower subquery."""
    single("derive", episode, arguments)


def expand(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """A sideways subquery."""
    single("expand", episode, arguments)


def continue_search(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """The next page of a subquery."""
    single("continue", episode, arguments)


def plan(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """A whole iteration.

    ``complete=true`` ends the episode, its subqueries are not run. An explicit ``[]`` is the empty plan. Otherwise
    an open iteration that holds a retrieval closes first, the valid entries run in order as single calls would, each
    bad entry is reported by its index, and a fixed assessor closes the iteration. Checklist and experience are kept
    when not empty.
    """
    entries: Sequence[Any] | None = arguments["subqueries"]
    if episode.config.upstream:
        run_plan(episode, arguments)
        return
    if entries is None and not arguments["complete"]:
        raise ActionError("missing_argument", "plan: give subqueries, or complete=true to end the search")
    if arguments["complete"]:
        episode.finish("complete")
        return
    if not entries:
        episode.finish_empty_plan()
        return
    checker = RequestChecker(episode, fresh_iteration=True)
    requests, problems = _sort_out(episode, checker, entries)
    if not requests:
        raise ActionError("no_valid_entry", "plan: no entry is right. " + " ".join(problems))
    if episode.state.trace.open.pages:
        episode.close_iteration()
        if episode.state.stop_reason:
            episode.note("the last iteration is over: the plan was not run")
            return
    if problems:
        episode.report("plan_entries", "plan: these entries were passed over. " + " ".join(problems))
    episode.remember_plan(arguments)
    for request in requests:
        run_request(episode, request)
    if not episode.config.agent_selects:
        episode.close_iteration()


def _sort_out(episode: Episode, checker: RequestChecker, entries: Sequence[Any]) -> tuple[list[PageRequest], list[str]]:
    """Splits a plan into right requests and one message for each wrong entry."""
    requests: list[PageRequest] = []
    problems: list[str] = []
    for index, entry in enumerate(entries):
        if type(entry) is not dict:
            problems.append(f"[{index}] must be an object with link, source, text and k.")
            continue
        clean = check_entry(entry)
        if isinstance(clean, ActionError):
            problems.append(f"[{index}] {clean.message}")
            continue
        try:
            request = checker.request(clean["link"], clean["source"], clean["text"], 0)
        except ActionError as problem:
            problems.append(f"[{index}] {problem.message}.")
            continue
        k = page_size(episode, clean["k"], where=f"[{index}] ")
        requests.append(PageRequest(request.link, request.source, request.text, k))
    return requests, problems


def select(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Keeps papers of a subquery's pages in the open iteration.

    A second call for the same subquery replaces the first, except under INCREMENTAL, where it merges. Ids that are not
    on a page of that subquery in the open iteration are named in a notice and passed over.
    """
    number, overview = arguments["subquery"], arguments["overview"]
    state = episode.state
    iteration = state.trace.open
    pages = iteration.pages_of(number)
    if not pages:
        reason = "fetched nothing in the open iteration" if number in state.tree else "does not exist"
        open_ones = ", ".join(str(n) for n in dict.fromkeys(page.subquery for page in iteration.pages)) or "none"
        raise ActionError("no_page", f"select: subquery {number} {reason}; subqueries with a page: {open_ones}")
    shown = {entry.paper: None for page in pages for entry in page.entries}
    wanted = dict.fromkeys(arguments["papers"])
    passed_over = [paper for paper in wanted if paper not in shown]
    if passed_over:
        names = ", ".join(paper[:40] for paper in passed_over[:10])
        episode.note(f"select: {len(passed_over)} ids are not on a page of subquery {number}: {names}")
    kept = set(wanted) & set(shown)
    if episode.config.browser_mode == "INCREMENTAL":
        kept.update(iteration.selected.get(number, ()))
    iteration.selected[number] = tuple(paper for paper in shown if paper in kept)
    if overview:
        iteration.overviews[number] = overview
    episode.refresh_selected()


def browse(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Reads a paper of the open iteration for a goal and returns a summary of three sentences at most."""
    paper, goal = arguments["paper"], arguments["goal"]
    iteration = episode.state.trace.open
    page = next((page for page in iteration.pages if paper in page.papers), None)
    if page is None:
        raise ActionError(
            "unknown_paper", f"browse: {paper[:40]!r} is on no page of the open iteration; browse a paper shown in it"
        )
    row = episode.state.rows[paper]
    documents, node = episode.corpus, episode.state.tree[page.subquery]
    summary = summarize(episode.browser, documents, row, goal=goal or node.text, subquery=node.text)
    iteration.browsed[paper] = None
    iteration.summaries[paper] = summary
    episode.show({"paper": paper, "title": documents.title(row), "goal": goal, "summary": summary})


def next_iteration(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Closes the open iteration; without a retrieval in it this is the empty plan."""
    if episode.state.trace.open.pages:
        episode.close_iteration()
    else:
        episode.finish_empty_plan()


def search(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """A page at a chosen offset, as a node of its own below the question.

    The offset is at most that of the last page a node may have. ``before`` can only tighten the task's bound; a later
    one gives a notice and the task's bound holds.
    """
    config, state = episode.config, episode.state
    last = (config.max_pages - 1) * config.page_size
    if arguments["offset"] > last:
        raise ActionError(
            "out_of_range", f"search: offset must be at most {last}, the start of page {config.max_pages}"
        )
    RequestChecker(episode, fresh_iteration=False).request("search", ROOT, arguments["text"], 0)
    before = episode.before
    if arguments["before"]:
        if before is not None and arguments["before"][:7] > before[:7]:
            episode.note(f"before {arguments['before']} is later than the task's bound {before}, which holds")
        else:
            before = arguments["before"]
    k = page_size(episode, arguments["k"])
    node = Node(state.tree.next_id, ROOT, "search", arguments["text"], state.trace.open.index, before)
    if not episode.fetch(node, k=k, offset=arguments["offset"]).entries:
        episode.note(f"subquery {node.id}: no results")


def read(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Returns a paper: its abstract and the titles of its sections, or the text of one section.

    Only papers that a search of this task could return can be read (in the corpus, not newer than the bound, dated when
    there is one). Under ``browser_mode="NONE"`` (Abstract-only) there is no full text. A long text comes in parts, from
    ``offset`` on.
    """
    paper, wanted, offset = arguments["paper"], arguments["section"], arguments["offset"]
    documents, limit = episode.corpus, episode.config.max_document_chars
    row = documents.row_of(paper)
    if row is None or not admissible(documents, row, episode.before):
        raise ActionError(
            "unknown_paper", f"read: this task's corpus has no paper {paper[:40]!r}; take an id from the results"
        )
    sections = () if episode.config.browser_mode == "NONE" else documents.sections(row)
    titles = [section.title for section in sections]
    title, text = "", documents.abstract(row)
    if wanted:
        number = _section_number(wanted, titles)
        if number is None:
            there = "; ".join(f"{place}: {name}" for place, name in enumerate(titles[:40], 1)) or "none (abstract only)"
            raise ActionError("unknown_section", f"read: no section {wanted[:40]!r}; sections: {there}")
        title, text = titles[number], sections[number].text
    if offset + limit < len(text):
        episode.note(f"read: {len(text) - offset - limit} characters more; read on with offset {offset + limit}")
    episode.show(
        {
            "paper": paper,
            "title": documents.title(row),
            "date": documents.date(row),
            "authors": list(documents.authors(row)),
            "sections": titles,
            "section": title,
            "offset": offset,
            "text": text[offset : offset + limit],
        }
    )


def _section_number(wanted: str, titles: Sequence[str]) -> int | None:
    """A section by its title (case does not matter, the first of equals) or by its 1-based number."""
    lowered = wanted.lower()
    for place, title in enumerate(titles):
        if title.strip().lower() == lowered:
            return place
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(titles):
        return int(wanted[:9]) - 1
    return None


def answer(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Finishes: with S, or with the given ids that were retrieved; the others are dropped and counted."""
    state, papers = episode.state, arguments["papers"]
    episode.finish("answered")
    if papers is None:
        return
    distinct = dict.fromkeys(papers)
    state.selected = {paper: state.rows[paper] for paper in distinct if paper in state.rows}
    state.n_unseen += len(distinct) - len(state.selected)
    if len(distinct) > len(state.selected):
        episode.note(f"answer: {len(distinct) - len(state.selected)} ids were never retrieved and do not count")


def abstain(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Finishes with the empty answer."""
    episode.finish("abstained")
    episode.state.selected = {}
