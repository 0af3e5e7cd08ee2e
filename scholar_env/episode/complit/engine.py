"""One episode of CompLit: budget, answer-only phase, turns, answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.calls import Malformed, ToolCall
from scholar_env.episode.complit.config import MESSAGES, ComplitConfig
from scholar_env.episode.complit.need import Need, need_of
from scholar_env.episode.complit.resources import ComplitResources
from scholar_env.episode.complit.state import ComplitState
from scholar_env.episode.complit.tools import FREE, TOOLS
from scholar_env.episode.complit.user import answer_to, possible_ids
from scholar_env.episode.documents import DocumentStore, admissible
from scholar_env.episode.retrieval import Retriever
from scholar_env.episode.schema import ActionError
from scholar_env.episode.tool import Tool
from scholar_env.episode.trace import Page
from scholar_env.index.base import Index
from scholar_env.metrics.complit import Answer, held_id
from scholar_env.metrics.complit_views import CallMark
from scholar_env.records import Task


class ComplitEpisode(EpisodeBase[ComplitState, ComplitConfig]):
    """One need from reset to its verdict.

    Budget: ``search``, ``grep``, ``read`` and refused calls cost one of ``max_tool_calls``; ``answer``, ``abstain`` and
    ``next_turn`` cost nothing. When it is spent, the answer-only phase begins: other calls are blocked, which costs
    nothing, the first with an error, the second ends the episode without an answer. A verdict given in that phase is
    *forced*. Under ``budget_mode="messages"`` every call is a message and counts, also those of that phase, so that
    :attr:`spent` can exceed the budget by them.

    Turns: in a conversation ``answer`` sets the current answer and ``abstain`` clears it, without leaving the turn;
    ``next_turn`` keeps it for the turn and brings the next utterance. On the last turn, which is the only one where
    there is no conversation, both give the verdict and end the episode.

    Args:
        corpus: The papers.
        index: Searched where ``resources`` has no index of its own.
        task: The need.
        config: The options.
        resources: What :func:`~scholar_env.episode.complit.resources.open_resources` opened.

    Attributes:
        need: How the answer is scored and what the user says; never shown.
    """

    TOOLS: ClassVar[Mapping[str, Tool]] = TOOLS
    LOGS_ALL: ClassVar[bool] = True  # the number of calls decides when the budget is spent

    def __init__(
        self,
        corpus: DocumentStore,
        index: Index,
        task: Task,
        config: ComplitConfig,
        resources: ComplitResources,
    ) -> None:
        self.need: Need = need_of(task, corpus)
        super().__init__(corpus, index, task, config, resources)

    @classmethod
    def offered(cls, config: ComplitConfig) -> Mapping[str, Tool]:
        """Returns the tools that an episode with these options takes: ``next_turn`` in conversations only."""
        return {name: tool for name, tool in TOOLS.items() if config.conversation or name != "next_turn"}

    def first_state(self) -> ComplitState:
        """Returns the state at the first turn."""
        utterances = self.need.utterances
        return ComplitState(said=[utterances[0] if self.config.conversation else " ".join(utterances)])

    @property
    def question(self) -> str:
        """What the user has said so far, a paragraph a turn."""
        return "\n\n".join(self.state.said)

    @property
    def turn(self) -> int:
        """0-based turn of the conversation."""
        return self.state.turn

    @property
    def n_turns(self) -> int:
        """Turns of the conversation; an agent is not told."""
        return len(self.need.utterances) if self.config.conversation else 1

    @property
    def spent(self) -> int:
        """What is spent: tool calls, at most the budget, or messages."""
        return self.state.n_calls if self.config.budget_mode == MESSAGES else self.state.n_charged

    def budget(self) -> dict[str, int]:
        """Returns what is left: calls, and whether only an answer is taken."""
        left = 0 if self.state.stop_reason else max(0, self.config.max_tool_calls - self.spent)
        phase = int(self.state.answer_only and not self.state.stop_reason)
        return {"iterations": -1, "calls": left, "results": -1, "characters": -1, "answer_only": phase}

    def answer_ids(self) -> list[str]:
        """Returns the id, or the title where no id was given, of the paper that stands as the answer."""
        answer = self.state.answer
        named = "" if answer is None else answer.paper.strip() or answer.title.strip()
        return [named] if named else []

    def result_json(self) -> dict[str, Any]:
        """Returns what the calls came to."""
        state = self.state
        return {
            "stop_reason": state.stop_reason,
            "turn": state.turn,
            "said": list(state.said),
            "answer": _json(state.answer),
            "rationale": state.rationale,
            "turn_answers": [_json(answer) for answer in state.turn_answers],
            "final": state.final,
            "forced": state.forced,
            "answer_only": state.answer_only,
            "n_refused_late": state.n_refused_late,
            "listed": dict(state.listed),
            "opened": dict(state.opened),
            "counts": [state.n_listed, state.n_characters, state.n_searches, state.n_greps, state.n_reads],
        }

    # Rules.

    def begin(self, call: ToolCall, tool: Tool) -> ActionError | None:
        """Refuses everything but answers and turns once the budget is spent."""
        if not self.state.answer_only or tool.name in FREE:
            return None
        free = " or ".join(name for name in self.tools if name in FREE)
        return ActionError("answer_only", f"{tool.name}: the budget is spent; call {free} now")

    def after(self, tool: Tool | None, refusal: ActionError | None) -> None:
        """Begins the answer-only phase, and ends it when it brings no answer."""
        state = self.state
        if state.answer_only:
            state.n_refused_late += refusal is not None
            state.n_free += refusal is not None  # it was blocked
            if state.n_refused_late >= 2:
                state.answer = None
                self.finish("no_answer")
        elif self.spent >= self.config.max_tool_calls and not state.stop_reason:
            state.answer_only = True
            self.note("the budget is spent; answer or abstain now")
        state.marks.append(self._mark(tool, refusal))

    def _mark(self, tool: Tool | None, refusal: ActionError | None) -> CallMark:
        state = self.state
        went_on = refusal is None and tool is not None and tool.name == "next_turn"
        turn = state.turn - went_on  # the turn that the call closed
        answer = state.turn_answers[-1] if went_on else state.answer
        return CallMark(self.spent, turn, answer, state.final, state.forced, state.n_listed, state.n_characters)

    def may_need_undo(self, call: ToolCall | Malformed) -> bool:
        """A call changes nothing before the search that may fail."""
        return False

    # What handlers use.

    def admits(self, row: int) -> bool:
        """Whether a tool may show a paper: not left out, and within the task's date bound."""
        return row not in self.resources.left_out and admissible(self.corpus, row, self.before)

    def row_to_show(self, tool: str, paper: str) -> int:
        """Returns the row of a paper that a call names, by an id as an answer takes it (:func:`held_id`).

        Args:
            tool: The tool that was called, for the message.
            paper: The id.

        Raises:
            ActionError: The corpus holds no such paper, or no tool may show it.
        """
        row = self._row_shown_as(paper)
        if row is None:
            raise ActionError(
                "unknown_paper", f"{tool}: this task's corpus has no paper {paper[:40]!r}; take an id from the results"
            )
        return row

    def _row_shown_as(self, paper: str) -> int | None:
        """Row of the paper that an id names, None where no tool may show one of that id."""
        row = self.corpus.row_of(held_id(paper, self.corpus.row_of))
        return row if row is not None and self.admits(row) else None

    def fetch(self, text: str, *, k: int, offset: int, scope: str, before: str | None) -> Page:
        """Searches, and gives the page."""
        index: Index = self.resources.indexes.get(scope, self.index)
        own = index is self.index
        number = self.state.n_searches + 1
        page = Retriever(self.corpus, index, self.task, self.config.retry_delay).page(
            text, k=k, offset=offset, before=before, exclude=sorted(self.resources.left_out) if own else (),
            subquery=number, iteration=self.state.turn + 1,
        )  # fmt: skip
        self.state.n_searches = number
        self.page(page)
        return page

    def list_papers(self, papers: Iterable[str], characters: int) -> None:
        """Counts the entries of a list that was shown."""
        state, at = self.state, self.spent + 1
        for paper in papers:
            state.listed.setdefault(paper, at)
            state.n_listed += 1
        state.n_characters += characters

    def open_paper(self, paper: str, characters: int) -> None:
        """Counts a paper that was read."""
        self.state.opened.setdefault(paper, self.spent + 1)
        self.state.n_characters += characters
        self.state.n_reads += 1

    def answered(self, answer: Answer, rationale: str) -> None:
        """Takes an answer or an abstention: the verdict on the last turn, else the current answer."""
        state = self.state
        last = state.turn + 1 >= self.n_turns
        nothing = not answer.paper and not answer.title
        state.answer = None if nothing and not last else answer
        state.rationale = rationale
        if last:
            state.turn_answers.append(answer)
            state.final, state.forced = True, state.answer_only
            self.finish("abstained" if nothing else "answered")

    def go_on(self, message: str) -> None:
        """Brings the next utterance, after what the user says to a message.

        Raises:
            ActionError: This is the last turn.
        """
        state = self.state
        if state.turn + 1 >= self.n_turns:
            raise ActionError("last_turn", "next_turn: this is the last turn; call answer or abstain")
        known = self._shown_papers() | {word for word in possible_ids(message) if self._row_shown_as(word) is not None}
        reply = answer_to(message, self.need.utterances[: state.turn + 1], known)
        state.turn_answers.append(state.answer)
        state.turn += 1
        utterance = self.need.utterances[state.turn]
        state.said.append(f"{reply} {utterance}" if reply else utterance)
        self.note(f"The user says: {state.said[-1]}")

    def _shown_papers(self) -> set[str]:
        """Ids and titles of the papers that were listed or opened."""
        ids = self.state.listed.keys() | self.state.opened.keys()
        rows = (self.corpus.row_of(paper) for paper in ids)
        return ids | {self.corpus.title(row) for row in rows if row is not None}


def _json(answer: Answer | None) -> list[str] | None:
    return None if answer is None else [answer.paper, answer.title]
