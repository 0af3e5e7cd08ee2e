"""What the tools do that search, select and end.

A handler refuses by raising :class:`ActionError` before it has changed anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.schema import ActionError
from scholar_env.episode.scholargym.requests import (
    ENTRY_HINT,
    PageRequest,
    RequestChecker,
    check_entry,
    page_size,
    run_request,
)
from scholar_env.episode.scholargym.tree import ROOT, Node
from scholar_env.episode.searching import date_bound

if TYPE_CHECKING:
    from scholar_env.episode.scholargym.engine import Episode

MAX_PROBLEMS: Final = 10


def single(link: str, episode: Episode, arguments: Mapping[str, Any]) -> None:
    """derive, expand and continue: one page in the open iteration."""
    source, text = arguments["source"], arguments.get("text", "")
    RequestChecker(episode, fresh_iteration=False).check(link, source, text)
    run_request(episode, PageRequest(link, source, text, page_size(episode, arguments["k"])))


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
        raise ActionError("no_valid_entry", f"plan: no entry is right. {_listed(problems)}")
    if episode.state.trace.open.pages:
        episode.close_iteration()
        if episode.state.stop_reason:
            episode.note("the last iteration is over: the plan was not run")
            return
    if problems:
        episode.report("plan_entries", f"plan: these entries were passed over. {_listed(problems)}")
    episode.remember_plan(arguments, arguments["checklist"], arguments["experience"])
    for request in requests:
        run_request(episode, request)
    if not episode.config.agent_selects:
        episode.close_iteration()


def _listed(problems: Sequence[str]) -> str:
    further = f" … and {len(problems) - MAX_PROBLEMS} more." if len(problems) > MAX_PROBLEMS else ""
    return f"{' '.join(problems[:MAX_PROBLEMS])}{further} {ENTRY_HINT}"


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
            problems.append(f"[{index}] {clean.message.removeprefix('entry: ')}")
            continue
        try:
            checker.check(clean["link"], clean["source"], clean["text"])
        except ActionError as problem:
            problems.append(f"[{index}] {problem.message}.")
            continue
        k = page_size(episode, clean["k"], where=f"[{index}] ")
        requests.append(PageRequest(clean["link"], clean["source"], clean["text"], k))
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
        episode.note(f"select: not on a page of subquery {number}, so passed over: {names}")
    kept = set(wanted) & set(shown)
    earlier = iteration.selected.get(number, ())
    if episode.config.browser_mode == "INCREMENTAL":
        kept.update(earlier)
    elif not kept.issuperset(earlier):
        lost = sum(paper not in kept for paper in earlier)
        episode.note(f"select: replaces the earlier selection of subquery {number}; no longer kept: {lost}")
    iteration.selected[number] = tuple(paper for paper in shown if paper in kept)
    if overview:
        iteration.overviews[number] = overview
    episode.refresh_selected()


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
    RequestChecker(episode, fresh_iteration=False).check("search", ROOT, arguments["text"])
    before = date_bound(episode, arguments["before"])
    k = page_size(episode, arguments["k"])
    node = Node(state.tree.next_id, ROOT, "search", arguments["text"], state.trace.open.index, before)
    if not episode.fetch(node, k=k, offset=arguments["offset"]).entries:
        episode.note(f"subquery {node.id}: no results")


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
        episode.note(f"answer: never retrieved, so not counted: {len(distinct) - len(state.selected)}")


def abstain(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Finishes with the empty answer."""
    episode.finish("abstained")
    episode.state.selected = {}
