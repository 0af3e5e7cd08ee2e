"""One episode of SciNet: looking about in a citation graph within a budget, then one list of papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.calls import Malformed, ToolCall
from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.retrieval import Retriever
from scholar_env.episode.schema import ActionError
from scholar_env.episode.scinet.config import ScinetConfig
from scholar_env.episode.scinet.resources import ScinetResources
from scholar_env.episode.scinet.state import ScinetState
from scholar_env.episode.scinet.tools import FREE, TOOLS
from scholar_env.episode.tool import Tool
from scholar_env.index.base import Index
from scholar_env.metrics.scinet import cut
from scholar_env.metrics.scinet_need import ScinetNeed
from scholar_env.records import Task


class ScinetEpisode(EpisodeBase[ScinetState, ScinetConfig]):
    """One question from reset to its answer.

    Budget: every call but ``answer`` and ``abstain`` costs one of ``max_tool_calls``, refused calls too. When it is
    spent, only an answer is taken: another call is refused once, the second time the episode is truncated without an
    answer. One answer ends the episode.

    Args:
        corpus: The papers.
        index: What ``search`` asks.
        task: The question.
        config: The options.
        resources: The citation graph.

    Attributes:
        need: How the answer is scored; never shown.
    """

    TOOLS: ClassVar[Mapping[str, Tool]] = TOOLS
    LOGS_ALL: ClassVar[bool] = True  # the number of calls decides when the budget is spent

    def __init__(
        self, corpus: DocumentStore, index: Index, task: Task, config: ScinetConfig, resources: ScinetResources
    ) -> None:
        super().__init__(corpus, index, task, config, resources)
        self.need = ScinetNeed.of(task)
        self.retriever = Retriever(corpus, index, task, config.retry_delay)

    @classmethod
    def offered(cls, config: ScinetConfig) -> Mapping[str, Tool]:
        """Returns the tools, which are always the same."""
        return TOOLS

    def first_state(self) -> ScinetState:
        """Returns the state before the first call."""
        return ScinetState()

    @property
    def answer_only(self) -> bool:
        """Whether the budget is spent."""
        return self.state.n_charged >= self.config.max_tool_calls

    def budget(self) -> dict[str, int]:
        """Returns the calls left, and whether only an answer is taken."""
        left = max(0, self.config.max_tool_calls - self.state.n_charged)
        return {"iterations": -1, "calls": left, "results": -1, "characters": -1, "answer_only": int(self.answer_only)}

    def answer_ids(self) -> list[str]:
        """Returns the papers of the answer that count, in order."""
        return cut(self.state.given or (), self.need.limit)[0]

    def result_json(self) -> dict[str, Any]:
        """Returns what the calls came to."""
        state = self.state
        return {
            "answer": None if state.given is None else list(state.given),
            "forced": state.forced,
            "n_late": state.n_late,
            "listings": [[call, of, list(papers)] for call, of, papers in state.listings],
            "n_contexts": state.n_contexts,
            "stop_reason": state.stop_reason,
        }

    def begin(self, call: ToolCall, tool: Tool) -> ActionError | None:
        """Refuses everything but an answer once the budget is spent."""
        if not self.answer_only or tool.name in FREE:
            return None
        return ActionError("answer_only", f"{tool.name}: the budget is spent; call {' or '.join(FREE)} now")

    def after(self, tool: Tool | None, refusal: ActionError | None) -> None:
        """Ends the episode at the second call that is no answer after the budget was spent."""
        if refusal is not None and self.state.n_charged > self.config.max_tool_calls:
            self.state.n_late += 1
            if self.state.n_late == 2:
                self.finish("budget_spent")
        elif self.answer_only and not self.state.stop_reason:
            self.note("the budget is spent; answer or abstain now")

    def may_need_undo(self, call: ToolCall | Malformed) -> bool:
        """A call changes nothing before the search that may fail."""
        return False

    # What handlers use.

    def row(self, tool: str, paper: str) -> int:
        """Row of a paper that a call names.

        Raises:
            ActionError: There is no such paper.
        """
        row: int | None = self.resources.row_of(paper.strip())
        if row is None:
            raise ActionError("unknown_paper", f"{tool}: the corpus has no paper {paper[:40]!r}; take an id as shown")
        return row

    def list_papers(self, papers: Iterable[str], of: str = "") -> None:
        """Keeps what a search, or a list of a paper, has shown."""
        self.state.listings.append((self.state.n_calls + 1, of, tuple(papers)))

    def answered(self, papers: Iterable[str], reason: str) -> None:
        """Takes the answer, each paper by its id in the corpus where there is one, and ends the episode."""
        given = []
        for paper in papers:
            row = self.resources.row_of(paper.strip())
            given.append(paper if row is None else self.corpus.id_of(row))
        self.state.given, self.state.forced = given, self.answer_only
        self.finish(reason)
