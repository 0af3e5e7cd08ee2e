"""One recorded episode against the same one run again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholar_env.agents import AGENTS, is_assisted
from scholar_env.episode.calls import parse_call
from scholar_env.rollout.canonical import canonical_json
from scholar_env.rollout.episodes import FoundEpisode
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.play import EpisodePlayer
from scholar_env.rollout.record import INFRASTRUCTURE, Line, to_json
from scholar_env.rollout.stage import start_again

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv

_STEP_FIELDS = (
    "call",
    "error",
    "reward",
    "terms",
    "terminated",
    "truncated",
    "retrieval",
    "assessments",
    "digest",
    "evaluation",
)
_LONGEST = 300


class Comparison:
    """One episode, recorded and run again.

    Attributes:
        n_agreed: Steps that agreed so far.
    """

    def __init__(self, found: FoundEpisode, env: ScholarEnv) -> None:
        self._found = found
        self._env = env
        self.n_agreed = 0

    def run(self) -> Finding | None:
        """Runs the episode again; returns the first difference."""
        steps, end = self._found.steps, self._found.end
        player = start_again(self._env, self._found)
        difference = self._compare_start(player)
        if difference is not None:
            return difference
        if end.failure_kind == INFRASTRUCTURE:
            steps = steps[:-1]
        for step in steps:
            if player.ended:
                return self._finding(step.index, "steps", f"{len(steps)} steps", f"an end after {step.index}")
            again = player.step(parse_call(step.call), step.message)
            difference = self._compare(step.index, step, again, _STEP_FIELDS)
            if difference is not None:
                return difference
            self.n_agreed += 1
        if end.failure_kind == INFRASTRUCTURE:
            return None
        if not player.ended:
            return self._finding(len(steps) - 1, "steps", f"an end after {len(steps)} steps", "an episode that goes on")
        return self._compare(-1, end, player.end(), tuple(key for key in to_json(end) if key != "type"))

    def _compare_start(self, player: EpisodePlayer) -> Finding | None:
        header = self._found.header
        passing = ("engine", "pool")  # a task of a pool is played again on its own corpus alone
        corpus = {key: value for key, value in player.info["corpus"].items() if key not in passing}
        recorded = {"tasks": "", **header.corpus}  # older records do not say that the tasks lie in the corpus
        recorded = {key: value for key, value in recorded.items() if key not in passing}
        pairs = (
            ("index", header.index.get("fingerprint"), self._env.index.fingerprint),
            ("corpus", recorded, corpus),
            ("assisted", header.assisted, self._is_assisted(player)),
            ("digest", header.digest, player.digest),
        )
        for name, expected, got in pairs:
            if expected != got:
                return self._finding(-1, name, expected, got)
        return None

    def _is_assisted(self, player: EpisodePlayer) -> bool:
        """Whether the run was assisted; of an agent that is not this package's own, only the record can say."""
        header = self._found.header
        knows = is_assisted(header.agent, self._env.card.family) if header.agent in AGENTS else header.assisted
        return knows or bool(player.info["assisted"])

    def _compare(self, step: int, recorded: Line, again: Line, fields: tuple[str, ...]) -> Finding | None:
        expected, got = to_json(recorded), to_json(again)
        for name in fields:
            if expected[name] != got[name]:
                return self._finding(step, name, *_where_they_differ(expected[name], got[name]))
        return None

    def _finding(self, step: int, field: str, expected: Any, got: Any) -> Finding:
        found = self._found
        line = found.line + 1 + step if step >= 0 else found.line
        return Finding(found.path.name, line, found.header.task_id, step, field, as_text(expected), as_text(got))


def _where_they_differ(expected: Any, got: Any) -> tuple[Any, Any]:
    """Of two objects, at any depth, only the entries that differ."""
    if not isinstance(expected, dict) or not isinstance(got, dict):
        return expected, got
    keys = [key for key in sorted(expected.keys() | got.keys()) if expected.get(key) != got.get(key)]
    pairs = {key: _where_they_differ(expected.get(key), got.get(key)) for key in keys}
    return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}


def as_text(value: Any) -> str:
    """Returns a value as it stands in a finding: JSON, shortened."""
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
