"""What observations, metrics and renderings read of an episode."""

from __future__ import annotations

from collections.abc import KeysView

from scholar_env.episode.assess import Assessor, OracleAssessor
from scholar_env.episode.config import EpisodeConfig
from scholar_env.episode.state import EpisodeState, Memory
from scholar_env.episode.trace import Trace
from scholar_env.episode.tree import SubqueryTree


class EpisodeFacts:
    """The readable side of :class:`scholar_env.episode.engine.Episode`.

    Attributes:
        config: The options.
        state: Everything that changes.
        assessor: The fixed assessor, None where the agent selects.
    """

    config: EpisodeConfig
    state: EpisodeState
    assessor: Assessor | None

    @property
    def tree(self) -> SubqueryTree:
        """The subqueries."""
        return self.state.tree

    @property
    def trace(self) -> Trace:
        """The iterations with their pages, for metrics."""
        return self.state.trace

    @property
    def memory(self) -> Memory:
        """Checklist, experience, and in the ablation the plans."""
        return self.state.memory

    @property
    def iteration(self) -> int:
        """1-based number of the open iteration, of the last one after the end."""
        return self.state.trace.open.index

    @property
    def iterations_closed(self) -> int:
        """Number of closed iterations."""
        return self.state.n_closed

    @property
    def retrieved(self) -> KeysView[str]:
        """R: ids of all papers shown on pages, in the order first shown."""
        return self.state.rows.keys()

    @property
    def selected(self) -> dict[str, int]:
        """S: selected ids in order, with their rows; a new dict whenever S changes."""
        return self.state.selected

    @property
    def n_calls(self) -> int:
        """Calls charged, malformed ones included."""
        return self.state.n_calls

    @property
    def n_invalid(self) -> int:
        """Calls refused as a whole."""
        return self.state.n_invalid

    @property
    def n_unseen(self) -> int:
        """Ids in ``answer`` that were never retrieved."""
        return self.state.n_unseen

    @property
    def n_results_shown(self) -> int:
        """Entries on all pages, repeated papers counted each time."""
        return self.state.n_results_shown

    @property
    def terminated(self) -> bool:
        """Whether the task is over."""
        return self.state.terminated

    @property
    def truncated(self) -> bool:
        """Whether a limit outside the task ended it."""
        return self.state.truncated

    @property
    def stop_reason(self) -> str:
        """Why it ended, ``""`` while it runs."""
        return self.state.stop_reason

    @property
    def failure_kind(self) -> str:
        """``none``, ``policy`` or ``infrastructure``."""
        return self.state.failure_kind

    @property
    def assisted(self) -> bool:
        """Whether the assessor knows the gold."""
        return self.config.assessor == "oracle" or isinstance(self.assessor, OracleAssessor)

    def budget(self) -> dict[str, int]:
        """Returns what is left (-1 = unlimited; the open iteration counts), and whether only an answer is taken."""
        ended = bool(self.state.stop_reason)
        return {
            "iterations": 0 if ended else self.config.max_iterations - self.state.n_closed,
            "calls": max(0, self.config.max_calls - self.state.n_calls),
            "results": -1,
            "characters": -1,
            "answer_only": 0,
        }
