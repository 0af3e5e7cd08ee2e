"""One episode of literature search: the rules that connect tools, tree, iterations, budgets and memory."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scholar_env.episode.assess import Assessor, make_assessor
from scholar_env.episode.browse import Browser, make_browser
from scholar_env.episode.calls import MALFORMED, Malformed, ToolCall, clip, parse_call
from scholar_env.episode.config import EpisodeConfig
from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.facts import EpisodeFacts
from scholar_env.episode.retrieval import INFRASTRUCTURE, Retriever
from scholar_env.episode.saved import load_state, save_state
from scholar_env.episode.schema import ActionError
from scholar_env.episode.selection import PageJudge
from scholar_env.episode.state import EpisodeState, UpstreamCrash
from scholar_env.episode.tools import TOOLS, Tool, offered
from scholar_env.episode.trace import IterationTrace, Outcome, Page, RecordedAssessment
from scholar_env.episode.tree import Node
from scholar_env.episode.upstream import run_plan
from scholar_env.errors import InvalidOptionError
from scholar_env.index.base import Index
from scholar_env.records import Task

LOG: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class Draft:
    """What the running call has given so far."""

    pages: list[Page] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    assessments: list[RecordedAssessment] = field(default_factory=list)
    document: dict[str, Any] | None = None
    error_code: str = ""
    error: str = ""


class Episode(EpisodeFacts):
    """One task from reset to its end.

    Iterations: one is open from the start or from the last close. It closes by ``next_iteration``, by a ``plan`` when
        it already holds a retrieval (a page request, even one that found nothing), by a ``plan`` under a fixed
        assessor, and by every end of the episode but an infrastructure failure and a crash of the released workflow.
        Closing runs a fixed assessor over every page not yet assessed; with an agent assessor what is not selected
        counts as discarded. An open iteration without a retrieval is never counted. Searches leave out the papers
        selected in closed iterations, as they were when the open iteration began.

    The gold goes to the index for ranks, to the oracle assessor, and nowhere else.

    Args:
        corpus: The papers.
        index: The retrieval index over the same rows.
        task: What is asked.
        config: The options.
        assessor: Stands in for the assessor that ``config.assessor`` names (a recorded one in a replay); not for
            ``agent``.
        browser: Stands in for the browser that ``config.browser`` names.

    Attributes:
        state: Everything that changes.
        last: Outcome of the latest call, or None.
    """

    def __init__(
        self,
        corpus: DocumentStore,
        index: Index,
        task: Task,
        config: EpisodeConfig,
        *,
        assessor: Assessor | None = None,
        browser: Browser | None = None,
    ) -> None:
        if assessor is not None and config.agent_selects:
            raise InvalidOptionError(
                "an assessor object with assessor='agent'",
                "an agent assessor selects by calls",
                "name it in the options",
            )
        self.corpus, self.index, self.task, self.config = corpus, index, task, config
        self.assessor = make_assessor(config.assessor, task.gold) if assessor is None else assessor
        self.browser = make_browser(config.browser) if browser is None else browser
        self.before: str | None = task.before or None
        self.state = EpisodeState()
        self.last: Outcome | None = None
        self._retriever = Retriever(corpus, index, task, config.retry_delay)
        self._tools: dict[str, Tool] = {name: TOOLS[name] for name in offered(config)}
        self._draft = Draft()

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that this episode takes."""
        return tuple(self._tools)

    # Calls.

    def call(self, action: object) -> Outcome:
        """Runs one call, whatever it is; only faults of the code itself raise.

        A refused call costs one call and changes nothing else. A call that meets an infrastructure failure is undone
        whole and not charged; the episode is then over, its open iteration left as it is.
        """
        if self.state.stop_reason:
            return self._over()
        call = parse_call(action)
        self._draft = Draft()
        saved = self.state.copy() if self._may_need_undo(call) else self.state
        try:
            name, refusal = self._dispatch(call)
            self._charge(refusal is not None)
        except INFRASTRUCTURE as problem:
            return self.fail(clip(call.name, 40) if isinstance(call, ToolCall) else MALFORMED, saved, problem)
        self.last = self._outcome(name, refusal)
        return self.last

    def fail(self, name: str, before: EpisodeState, problem: Exception) -> Outcome:
        """Ends the episode for a failure that is nobody's fault, in the state before the call that met it.

        The log is told the whole problem, the agent its kind alone: the text may quote a request, gold ranks wanted
        and all.

        Args:
            name: Tool of the call.
            before: The state before the call; it is taken over, not copied.
            problem: What was raised after all retries.
        """
        LOG.warning("task %s: %s met an infrastructure failure", self.task.id, name, exc_info=problem)
        self.state = before
        self.state.stop("infrastructure")
        message = f"a part that this call needs cannot be reached ({clip(type(problem).__name__)})"
        self.last = Outcome(name, "infrastructure", message, failure_kind="infrastructure", ended=True)
        return self.last

    def _over(self) -> Outcome:
        kind = self.state.failure_kind
        return Outcome("", "ended", "the episode is over", ended=True, failure_kind=kind, invalid=True)

    def _may_need_undo(self, call: ToolCall | Malformed) -> bool:
        """Whether the call may do several things that can fail: searches, or a close after something else."""
        return self.state.n_calls + 1 >= self.config.max_calls or (type(call) is ToolCall and call.name == "plan")

    def _dispatch(self, call: ToolCall | Malformed) -> tuple[str, ActionError | None]:
        if isinstance(call, Malformed):
            example = '{"name": "derive", "arguments": {"source": 0, "text": "sparse retrieval", "k": 10}}'
            return MALFORMED, ActionError("malformed", f"not one tool call in JSON: {call.repr}. Example: {example}.")
        tool = self._tools.get(call.name)
        if tool is None:
            return clip(call.name, 40), self._not_offered(call.name)
        released = self.config.upstream and tool.name == "plan"  # the released planner takes its reply unchecked
        arguments = call.arguments if released else tool.validate(call.arguments)
        if isinstance(arguments, ActionError):
            return tool.name, arguments
        try:
            (run_plan if released else tool.handler)(self, arguments)
        except ActionError as refusal:
            return tool.name, refusal
        if tool.mutates:
            self.state.log.append(call.to_json())
        return tool.name, None

    def _not_offered(self, name: str) -> ActionError:
        tools = ", ".join(self._tools)
        if name in TOOLS:
            return ActionError("not_available", f"{name} is not part of this environment's options; tools: {tools}")
        return ActionError("unknown_tool", f"there is no tool {clip(name, 40)!r}; tools: {tools}")

    def _charge(self, refused: bool) -> None:
        state = self.state
        state.n_calls += 1
        state.n_invalid += refused
        if state.n_calls >= self.config.max_calls and not state.stop_reason:
            self.finish("max_calls")

    def _outcome(self, name: str, refusal: ActionError | None) -> Outcome:
        draft, state = self._draft, self.state
        code, message = (draft.error_code, draft.error) if refusal is None else (refusal.code, refusal.message)
        return Outcome(
            name, code, message, tuple(draft.notices), tuple(draft.pages), draft.document, tuple(draft.assessments),
            state.failure_kind, bool(state.stop_reason), refusal is not None,
        )  # fmt: skip

    # What handlers use.

    def note(self, text: str) -> None:
        """Adds a remark to the running call's outcome."""
        self._draft.notices.append(text)

    def report(self, code: str, message: str) -> None:
        """Reports what was wrong with a part of a call that runs all the same."""
        self._draft.error_code, self._draft.error = code, message

    def show(self, document: dict[str, Any]) -> None:
        """Gives a document to the agent."""
        self._draft.document = document

    def fetch(self, node: Node, *, k: int, offset: int) -> Page:
        """Fetches the node's next page in the open iteration, and puts the node into the tree if it is new."""
        state = self.state
        iteration = state.trace.open
        page = self._retriever.page(node, k=k, offset=offset, exclude=state.exclude, iteration=iteration.index)
        if node.id not in state.tree:
            state.tree.add(node)
        node.iteration = iteration.index
        node.requested += k
        node.pages += 1
        rows = state.rows
        for entry in page.entries:
            node.papers.append(entry.paper)
            rows.setdefault(entry.paper, entry.row)
        state.n_results_shown += len(page.entries)
        iteration.pages.append(page)
        self._draft.pages.append(page)
        return page

    def remember_plan(self, plan: Mapping[str, Any], checklist: str, experience: str) -> None:
        """Keeps a plan's checklist and experience, or in the ablation its checklist and its whole JSON."""
        memory = self.state.memory
        if checklist:
            memory.checklist = checklist
        self.state.trace.open.checklist = memory.checklist
        if not self.config.memory:
            memory.history.append(json.dumps(dict(plan), ensure_ascii=False))
        elif experience:
            memory.experience = experience

    def refresh_selected(self) -> None:
        """Recomputes S and the nodes' counts after a selection in the open iteration."""
        state = self.state
        selected = dict(state.kept)
        for number, papers in state.trace.open.selected.items():
            for paper in papers:
                selected[paper] = state.rows[paper]
            earlier = sum(len(it.selected.get(number, ())) for it in state.trace.iterations[:-1])
            state.tree[number].selected = earlier + len(papers)
        state.selected = selected

    def close_iteration(self) -> None:
        """Closes the open iteration, which holds a retrieval; the next one opens, or after T the episode ends."""
        state = self.state
        self._close()
        if state.stop_reason:
            return
        if state.n_closed >= self.config.max_iterations:
            state.stop("max_iterations")
        else:
            state.trace.iterations.append(IterationTrace(state.n_closed + 1, checklist=state.memory.checklist))

    def _close(self) -> None:
        state = self.state
        iteration = state.trace.open
        if self.assessor is not None:
            self._assess(iteration, self.assessor)
        iteration.closed = True
        state.n_closed += 1
        state.kept = dict(state.selected)
        state.exclude = tuple(state.kept.values())
        if self.config.upstream and not self.task.gold:
            self.crash(UpstreamCrash("ZeroDivisionError", "division by zero"))

    def _assess(self, iteration: IterationTrace, assessor: Assessor) -> None:
        """Runs the fixed assessor over all pages first, so that a failure leaves nothing half done."""
        judge = PageJudge(
            assessor, self.browser, self.corpus, self.config.browser_mode, self.task.question, iteration.checklist,
            self.config.retry_delay,
        )  # fmt: skip
        verdicts = [(page, judge.judge(page, self.state.tree[page.subquery].text)) for page in iteration.pages]
        for page, verdict in verdicts:
            earlier = iteration.selected.get(page.subquery, ())
            iteration.selected[page.subquery] = earlier + verdict.selected
            if verdict.overview:
                iteration.overviews[page.subquery] = verdict.overview
            iteration.browsed.update(dict.fromkeys(verdict.browsed))
            self._draft.assessments.extend(verdict.passes)
            self.state.assessments.extend(verdict.passes)
        self.refresh_selected()

    def finish(self, reason: str) -> None:
        """Ends the episode; an open iteration that holds a retrieval closes first."""
        iteration = self.state.trace.open
        if iteration.pages and not iteration.closed:
            self._close()
        if not self.state.stop_reason:
            self.state.stop(reason)

    def finish_empty_plan(self) -> None:
        """Ends the episode as the paper's empty plan does."""
        fail = self.config.upstream or self.config.on_empty_plan == "fail"
        self.finish("failed" if fail else "converged")

    def crash(self, crash: UpstreamCrash) -> None:
        """Ends the episode as the released workflow would have died."""
        self.state.crash = crash
        self.state.stop("upstream_crash")
        self.report("upstream_crash", f"the released workflow dies here: {crash.kind}: {crash.message}")

    # Copies.

    def fork(self) -> Episode:
        """Returns an independent episode in the same state; corpus, index and assessor are shared."""
        twin = Episode.__new__(Episode)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        twin._draft = Draft()
        return twin

    def fresh(self, assessor: Assessor | None = None) -> Episode:
        """Returns the same episode at its start, with another assessor if one is given."""
        chosen = assessor or self.assessor
        return Episode(self.corpus, self.index, self.task, self.config, assessor=chosen, browser=self.browser)

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        return self.fork()

    def get_state(self) -> dict[str, Any]:
        """Returns the state as plain JSON, without gold. See :mod:`scholar_env.episode.saved`."""
        return save_state(self)

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes to a saved state of the same task, corpus, index and options.

        Raises:
            StateError: The state is not one of these, or does not come out when its calls run again.
        """
        load_state(self, state)
