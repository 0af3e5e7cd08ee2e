"""One episode of literature search: the rules that connect tools, tree, iterations, budgets and memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from scholar_env.episode.calls import Malformed, ToolCall
from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.reading import READ_DOCUMENT
from scholar_env.episode.retrieval import Retriever
from scholar_env.episode.saved import unfit
from scholar_env.episode.scholargym.assess import Assessor, RecordedAssessor, make_assessor
from scholar_env.episode.scholargym.browse import BROWSE_DOCUMENT, Browser, make_browser
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.facts import EpisodeFacts
from scholar_env.episode.scholargym.selection import PageJudge
from scholar_env.episode.scholargym.state import EpisodeState, UpstreamCrash
from scholar_env.episode.scholargym.tools import TOOLS, tools_of
from scholar_env.episode.scholargym.trace import IterationTrace
from scholar_env.episode.scholargym.tree import Node
from scholar_env.episode.tool import Tool
from scholar_env.episode.trace import Page, RecordedAssessment
from scholar_env.errors import InvalidOptionError
from scholar_env.index.base import Index
from scholar_env.records import Task


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
        resources: None; this family needs none.
        assessor: Stands in for the assessor that ``config.assessor`` names (a recorded one in a replay); not for
            ``agent``.
        browser: Stands in for the browser that ``config.browser`` names.

    Attributes:
        state: Everything that changes.
        last: Outcome of the latest call, or None.
    """

    TOOLS: ClassVar[Mapping[str, Tool]] = TOOLS
    DOCUMENTS: ClassVar[tuple[Mapping[str, type], ...]] = (READ_DOCUMENT, BROWSE_DOCUMENT)

    def __init__(
        self,
        corpus: DocumentStore,
        index: Index,
        task: Task,
        config: EpisodeConfig,
        resources: Any = None,
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
        super().__init__(corpus, index, task, config, resources)
        self.assessor = make_assessor(config.assessor, task.gold) if assessor is None else assessor
        self.browser = make_browser(config.browser) if browser is None else browser
        self._retriever = Retriever(corpus, index, task, config.retry_delay)

    @classmethod
    def offered(cls, config: EpisodeConfig) -> Mapping[str, Tool]:
        """Returns the tools that an episode with these options takes."""
        return tools_of(config)

    def first_state(self) -> EpisodeState:
        """Returns the state before the first call."""
        return EpisodeState()

    def may_need_undo(self, call: ToolCall | Malformed) -> bool:
        """Whether the call may do several things that can fail: searches, or a close after something else."""
        return self.state.n_calls + 1 >= self.config.max_calls or (type(call) is ToolCall and call.name == "plan")

    # What handlers use.

    def fetch(self, node: Node, *, k: int, offset: int) -> Page:
        """Fetches the node's next page in the open iteration, and puts the node into the tree if it is new."""
        state = self.state
        iteration = state.trace.open
        page = self._retriever.page(
            node.text, k=k, offset=offset, before=node.before, exclude=state.exclude,
            subquery=node.id, number=node.pages + 1, iteration=iteration.index,
        )  # fmt: skip
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
        self.page(page)
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
        super().finish(reason)

    def finish_empty_plan(self) -> None:
        """Ends the episode as the paper's empty plan does."""
        fail = self.config.upstream or self.config.on_empty_plan == "fail"
        self.finish("failed" if fail else "converged")

    def crash(self, crash: UpstreamCrash) -> None:
        """Ends the episode as the released workflow would have died."""
        self.state.crash = crash
        self.state.stop("upstream_crash")
        self.report("upstream_crash", f"the released workflow dies here: {crash.kind}: {crash.message}")

    # Copies and saved states.

    def parts(self) -> dict[str, Any]:
        """Returns the assessor, where it is a fixed one, and the browser."""
        return {"assessor": self.assessor, "browser": self.browser}

    def recorded(self) -> dict[str, list[Any]]:
        """Returns what a fixed assessor decided."""
        return {"assessments": [assessment.to_json() for assessment in self.state.assessments]}

    def again(self, record: Mapping[str, Any]) -> Self:
        """Returns a fresh episode with the recorded selections in place of a fixed assessor."""
        try:
            recorded = RecordedAssessor(RecordedAssessment.from_json(entry) for entry in record["assessments"])
        except (KeyError, TypeError, ValueError) as problem:
            raise unfit(f"an assessment cannot be read ({type(problem).__name__}: {problem})") from problem
        return self.fresh() if self.config.agent_selects else self.fresh(assessor=recorded)
