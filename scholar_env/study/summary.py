"""What a study needs of one episode, and of one run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scholar_env.environment.registry import card
from scholar_env.errors import ScholarEnvError


class IncompleteRunError(ScholarEnvError):
    """A run lacks tasks or holds some twice, so its averages are not those of its task set."""


class IncomparableRunsError(ScholarEnvError):
    """Runs that differ in corpus or tasks were put side by side."""


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """One finished episode.

    Attributes:
        task_id: Task.
        source: Where the task's query comes from, as named by the release.
        labels: The task's features, for break-downs.
        n_gold: Number of gold papers.
        metrics: Final metrics by name, those of the family and further terms; NaN = undefined.
        rows: One row an iteration, a call or a turn, with the family's columns.
        return_: Undiscounted sum of the rewards.
        stop_reason: Why it ended.
        failure_kind: ``none``, ``policy`` or ``infrastructure``; the last kind is not a result and counts as missing.
        assisted: Whether the assessor or the agent knew the gold.
        corpus: ``info["corpus"]``: name, fingerprint, official, engine, derived_from, subset_origin, tasks.
        env_id: Registered id.
        agent: Name of the agent.
        config_hash: Hash of everything that decides the episode apart from the task: id, arguments, agent, version.
        player_hash: Hash of the agent, its options and the arguments that are rules; "" where it is not known.
    """

    task_id: str
    source: str
    labels: Mapping[str, str]
    n_gold: int
    metrics: Mapping[str, float]
    rows: Sequence[Mapping[str, float]]
    return_: float
    stop_reason: str
    failure_kind: str
    assisted: bool
    corpus: Mapping[str, str | bool]
    env_id: str
    agent: str
    config_hash: str
    player_hash: str = ""

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the corpus, or of the pool of corpora that its run was on."""
        return str(self.corpus.get("pool") or self.corpus.get("fingerprint", ""))

    @property
    def task_set(self) -> str:
        """Fingerprint of the task set, ``""`` for tasks that lie in the corpus."""
        return str(self.corpus.get("tasks", ""))

    @property
    def family(self) -> str:
        """Name of the environment's family."""
        return card(self.env_id).family


@dataclass(frozen=True, slots=True)
class Run:
    """The episodes of one run.

    Attributes:
        name: What the tables call it.
        episodes: Summaries in any order.
        expected: Task ids that the run was to do; empty = unknown, then only doubled ids are noticed.
    """

    name: str
    episodes: Sequence[EpisodeSummary]
    expected: Sequence[str] = field(default=())


def usable_episodes(run: Run, *, partial: bool = False) -> tuple[list[EpisodeSummary], list[str]]:
    """The episodes of a run that count, each task once, and remarks on what is wrong with the run.

    Args:
        run: The run.
        partial: Take what there is: of a doubled task the first episode counts, missing tasks are only remarked on.

    Returns:
        The episodes that count in the order of ``run.expected`` (else in the order given), and one remark a fault.

    Raises:
        IncompleteRunError: Tasks are missing, doubled, unexpected or ended by an infrastructure failure, and not
            ``partial``.
        IncomparableRunsError: The run mixes corpora or configurations.
    """
    _require_one_configuration(run)
    counted = [episode for episode in run.episodes if episode.failure_kind != "infrastructure"]
    by_task: dict[str, EpisodeSummary] = {}
    for episode in counted:
        by_task.setdefault(episode.task_id, episode)
    tasks = list(dict.fromkeys(run.expected)) or list(by_task)
    times = Counter(episode.task_id for episode in counted)
    faults = [
        ("missing", [task for task in tasks if task not in by_task]),
        ("doubled", [task for task, n in times.items() if n > 1]),
        ("not of this run", [task for task in by_task if run.expected and task not in set(run.expected)]),
        ("ended by an infrastructure failure", _failed_tasks(run, by_task)),
    ]
    remarks = [f"{run.name}: {len(ids)} tasks {fault}: {_listed(ids)}" for fault, ids in faults if ids]
    if remarks and not partial:
        raise IncompleteRunError(
            "; ".join(remarks), "a report covers every task of a run exactly once", "finish the run, or pass --partial"
        )
    if not by_task:
        raise IncompleteRunError(f"{run.name}: no episodes", "a report needs at least one", "run the environment first")
    return [by_task[task] for task in tasks if task in by_task], remarks


def _failed_tasks(run: Run, by_task: Mapping[str, EpisodeSummary]) -> list[str]:
    failed = (episode.task_id for episode in run.episodes if episode.failure_kind == "infrastructure")
    return [task for task in dict.fromkeys(failed) if task not in by_task]


def _require_one_configuration(run: Run) -> None:
    """Refuses a run whose episodes do not belong together."""
    for what, values in (
        ("corpus fingerprints", {episode.fingerprint for episode in run.episodes}),
        ("task sets", {episode.task_set for episode in run.episodes}),
        ("environments", {episode.env_id for episode in run.episodes}),
        ("agents", {episode.agent for episode in run.episodes}),
        ("configurations", {episode.config_hash for episode in run.episodes}),
    ):
        if len(values) > 1:
            raise IncomparableRunsError(
                f"{run.name} mixes {what}: {_listed(sorted(values))}",
                "one run is one agent in one configuration of one environment on one corpus",
                "report the parts as runs of their own",
            )


def _listed(ids: Iterable[str]) -> str:
    """The first five of some ids, and how many more."""
    names = list(ids)
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
