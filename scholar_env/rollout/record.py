"""What a rollout is on disk: per episode one header, its steps and one end, each a frozen record and one JSON line.

``evaluation`` objects hold what only the evaluator may see (gold ranks, metrics, the task's source); exports to chat
never read them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.canonical import DIGEST_VERSION, canonical_json, checked_line, plain, sha256_text

FORMAT_VERSION = 1
"""Version of these lines; readers refuse others."""

INFRASTRUCTURE = "infrastructure"
"""The ``failure_kind`` of episodes that say nothing about the agent and are played again."""


def episode_seed(seed: int, task_id: str) -> int:
    """Returns the seed of one episode: a 31-bit hash of the run's seed and the task, and of nothing else."""
    digest = hashlib.sha256(f"{seed}\n{task_id}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big") >> 1


NO_RULES: Final = (
    *("subset", "tasks", "task_seed", "task_stride", "task_start", "train_worlds"),
    *("reward", "reward_timing", "invalid_cost", "step_cost", "metrics_in_info", "debug"),
)
"""Arguments that choose tasks, or what is paid and told: they change nothing in how an episode goes."""


def _hash_of(parts: list[Any]) -> str:
    return sha256_text(canonical_json(plain(parts)))[:12]


@dataclass(frozen=True, slots=True)
class EpisodeHeader:
    """What is needed to run an episode again.

    Attributes:
        env_id: Registered id of this package.
        kwargs: Keyword arguments of ``gymnasium.make``, JSON-able; the corpus is in ``corpus``.
        package: Version of scholar-env that recorded the episode.
        corpus: The environment's ``info["corpus"]``: name, fingerprint, engine, official, ….
        index: ``fingerprint`` and ``engine`` of the retrieval index.
        task_id: The task.
        seed: Seed given to ``reset`` and to the agent.
        agent: Name of the agent, and its options.
        agent_options: See ``agent``.
        assisted: Whether the agent or the assessor knew the gold.
        digest: Digest of the first observation.
        digest_version: Version of the digest rules.
        format: Version of the line format.
    """

    env_id: str
    kwargs: dict[str, Any]
    package: str
    corpus: dict[str, Any]
    index: dict[str, str]
    task_id: str
    seed: int
    agent: str
    agent_options: dict[str, Any]
    assisted: bool
    digest: str
    digest_version: int = DIGEST_VERSION
    format: int = FORMAT_VERSION

    def config_hash(self) -> str:
        """Returns 12 hex digits that are equal for episodes of one configuration (everything but task and seed)."""
        place: list[Any] = [self.corpus.get("fingerprint"), self.index]
        if self.corpus.get("tasks"):
            place.append(self.corpus["tasks"])
        if self.corpus.get("pool"):  # the tasks of one configuration lie on several corpora
            place = [self.corpus["pool"], self.index.get("engine")]
        return _hash_of([self.env_id, self.kwargs, *place, self.agent, self.agent_options])

    def player_hash(self) -> str:
        """Returns 12 hex digits that are equal wherever one agent plays under the same rules, whatever the tasks."""
        rules = {name: value for name, value in self.kwargs.items() if name not in NO_RULES}
        return _hash_of([rules, self.agent, self.agent_options])


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step.

    Attributes:
        index: Position in the episode, from 0.
        message: Number of the agent's message that held the call; several calls may come in one message.
        call: The call in canonical form: ``{"name", "arguments"}`` or ``{"name": "__malformed__", "repr"}``.
        digest: Digest of the observation after the call.
        reward: What ``step`` returned.
        terms: Its named parts.
        terminated: What ``step`` returned.
        truncated: What ``step`` returned.
        error: Code of the action's error, "" for none.
        retrieval: Per page shown: subquery, paper ids in order, length of the whole ranked list.
        assessments: What the assessor decided during the step, for replays.
        evaluation: Gold ranks per page, and all metrics after the step.
    """

    index: int
    message: int
    call: dict[str, Any]
    digest: str
    reward: float
    terms: dict[str, float]
    terminated: bool
    truncated: bool
    error: str
    retrieval: list[dict[str, Any]] = field(default_factory=list)
    assessments: list[dict[str, Any]] = field(default_factory=list)
    evaluation: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EpisodeEnd:
    """How an episode ended.

    Attributes:
        steps: Number of steps.
        total_reward: Sum of the rewards.
        stop_reason: Typed reason, as in ``info``.
        failure_kind: ``none``, ``policy`` or ``infrastructure``.
        mask_sample: Whether training must leave the episode out.
        selected: The answer: ids of the selected papers in order.
        evaluation: Source, labels and number of gold papers of the task, final metrics, and the family's rows: measures
            an iteration, a call or a turn.
    """

    steps: int
    total_reward: float
    stop_reason: str
    failure_kind: str
    mask_sample: bool
    selected: list[str]
    evaluation: dict[str, Any]


Line = EpisodeHeader | StepRecord | EpisodeEnd
"""A record that is one line."""

_KINDS: dict[str, type[EpisodeHeader] | type[StepRecord] | type[EpisodeEnd]] = {
    "episode": EpisodeHeader,
    "step": StepRecord,
    "end": EpisodeEnd,
}


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """A whole episode."""

    header: EpisodeHeader
    steps: tuple[StepRecord, ...]
    end: EpisodeEnd

    def lines(self) -> Iterator[str]:
        """Yields the episode's lines, without newlines."""
        yield to_line(self.header)
        for step in self.steps:
            yield to_line(step)
        yield to_line(self.end)


def to_json(record: Line) -> dict[str, Any]:
    """Returns a record as JSON's own types, with its kind under ``type``."""
    kind = next(name for name, cls in _KINDS.items() if isinstance(record, cls))
    values: dict[str, Any] = plain(asdict(record))
    return {"type": kind, **values}


def to_line(record: Line) -> str:
    """Returns a record as one checked line, without newline."""
    return checked_line(to_json(record))


def from_json(data: dict[str, Any], where: str) -> Line:
    """Makes a record from its JSON form.

    Args:
        data: The object, with ``type``.
        where: File and line, for the message.

    Raises:
        RolloutFormatError: Unknown kind, missing or unknown key, value of a wrong type, or another format version.
    """
    kind = data.get("type")
    cls = _KINDS.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise _format_error(f"{where}: a line of type {kind!r}", f"the types are {', '.join(_KINDS)}")
    values = {key: value for key, value in data.items() if key != "type"}
    if cls is EpisodeHeader and values.get("format") != FORMAT_VERSION:
        raise _format_error(f"{where}: format {values.get('format')!r}", f"this version reads format {FORMAT_VERSION}")
    expected = {item.name: str(item.type) for item in fields(cls)}
    if set(values) != set(expected):
        odd = sorted(set(values) ^ set(expected))
        raise _format_error(f"{where}: keys {odd} of a {kind!r} line", f"its keys are exactly {sorted(expected)}")
    for name, annotation in expected.items():
        if not _fits(values[name], annotation.partition("[")[0]):
            raise _format_error(f"{where}: {name} is {values[name]!r}", f"{name} is of type {annotation}")
    if cls is EpisodeEnd and "iterations" in values["evaluation"]:  # what rows were called at first
        values["evaluation"] = {
            "rows" if name == "iterations" else name: item for name, item in values["evaluation"].items()
        }
    if cls is EpisodeHeader and not 0 <= values["seed"] < 1 << 31:
        raise _format_error(f"{where}: seed {values['seed']!r}", "the seed of an episode has 31 bits")
    return cls(**values)


def _fits(value: Any, annotation: str) -> bool:
    if annotation == "float":
        return isinstance(value, float | int) and not isinstance(value, bool)
    types = {"str": str, "int": int, "bool": bool, "dict": dict, "list": list}
    return isinstance(value, types[annotation]) and not (annotation == "int" and isinstance(value, bool))


def _format_error(what: str, rule: str) -> RolloutFormatError:
    return RolloutFormatError(what, rule, "record the episode again, or restore the file from a copy")
