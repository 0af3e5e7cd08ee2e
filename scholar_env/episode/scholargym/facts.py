"""What observations, metrics and renderings read of an episode."""

from __future__ import annotations

from collections.abc import KeysView
from typing import Any

from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.scholargym.assess import Assessor, OracleAssessor
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.state import EpisodeState, Memory
from scholar_env.episode.scholargym.trace import Trace
from scholar_env.episode.scholargym.tree import SubqueryTree


class EpisodeFacts(EpisodeBase[EpisodeState, EpisodeConfig]):
    """The readable side of :class:`scholar_env.episode.scholargym.engine.Episode`.

    Attributes:
        assessor: The fixed assessor, None where the agent selects.
    """

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
    def n_unseen(self) -> int:
        """Ids in ``answer`` that were never retrieved."""
        return self.state.n_unseen

    @property
    def n_results_shown(self) -> int:
        """Entries on all pages, repeated papers counted each time."""
        return self.state.n_results_shown

    @property
    def assisted(self) -> bool:
        """Whether the assessor knows the gold."""
        return self.config.assessor == "oracle" or isinstance(self.assessor, OracleAssessor)

    def answer_ids(self) -> list[str]:
        """Returns the ids of S in order."""
        return list(self.state.selected)

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

    def result_json(self) -> dict[str, Any]:
        """Returns what the calls came to, as far as an agent could know it."""
        state = self.state
        return {
            "iteration": self.iteration,
            "closed": state.n_closed,
            "tree": state.tree.to_json(),
            "retrieved": list(state.rows),
            "selected": list(state.selected),
            "memory": state.memory.to_json(),
            "unseen": state.n_unseen,
            "shown": state.n_results_shown,
            "stop_reason": state.stop_reason,
            "crash": None if state.crash is None else [state.crash.kind, state.crash.message],
        }
