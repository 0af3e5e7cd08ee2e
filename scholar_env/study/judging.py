"""Judges a recorded run: plays each episode again, asks a judge about what came of it, and averages the ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.aise import broken_down, f1_lm_macro, f1_lm_of_means
from scholar_env.metrics.judges import Judge, JudgeRequest, Rating
from scholar_env.records import Task
from scholar_env.rollout.again import played_again
from scholar_env.rollout.stage import Stage

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv

JUDGED: Final[dict[str, str]] = {
    "aise": "scholar_env.metrics.aise_judging",
    "complit": "scholar_env.metrics.complit_judging",
    "scinet": "scholar_env.metrics.scinet_judging",
}
"""Family to the module with its ``requests(episode)``, what a judge is asked about an episode that is over (nothing =
every criterion counts 0, None = the episode is left out), and its ``own_judge(episode)``, which needs no model."""

OWN: Final = "own"
"""Name of the judge of the family in a judged run."""

WANTED: Final = "positive"
"""Label that counts 1; others count 0."""


@dataclass(frozen=True, slots=True)
class JudgedEpisode:
    """The ratings of one episode.

    Attributes:
        task_id: The task.
        labels: Its labels, for break-downs.
        scores: By criterion, in the range of the request: the mean over its requests with a rating, 0 where none has
            one, as released.
        unread: Criteria of requests for which the judge gave no rating.
    """

    task_id: str
    labels: Mapping[str, str]
    scores: Mapping[str, float]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The ratings of a run.

    Attributes:
        judge: Name of the judge.
        episodes: In the order of the record.
        n_left_out: Episodes that there is nothing to judge about.
    """

    judge: str
    episodes: tuple[JudgedEpisode, ...]
    n_left_out: int = 0

    @property
    def criteria(self) -> tuple[str, ...]:
        """All criteria that were asked for, in the order of their first appearance."""
        return tuple(dict.fromkeys(name for episode in self.episodes for name in episode.scores))

    def means(self) -> dict[str, float]:
        """Mean score by criterion over all episodes, and F1-LM in both forms where its two scores are there."""
        names = self.criteria
        rows = [{name: episode.scores.get(name, 0.0) for name in names} for episode in self.episodes]
        found = {name: sum(row[name] for row in rows) / len(rows) for name in names}
        if {"correctness", "completeness_coverage"} <= set(names):
            pairs = [(row["correctness"], row["completeness_coverage"]) for row in rows]
            found |= {"f1_lm_of_means": f1_lm_of_means(pairs), "f1_lm_macro": f1_lm_macro(pairs)}
        return found

    def by(self, label: str) -> dict[str, dict[str, float]]:
        """The means by a label of the tasks."""
        names = self.criteria
        rows = [(episode.labels, {name: episode.scores.get(name, 0.0) for name in names}) for episode in self.episodes]
        return broken_down(rows, label)

    def as_json(self) -> dict[str, Any]:
        """Returns everything as plain JSON."""
        episodes = [
            {"task_id": item.task_id, "scores": dict(item.scores), "unread": list(item.unread)}
            for item in self.episodes
        ]
        counts = {"n": len(episodes), "n_left_out": self.n_left_out}
        return {"judge": self.judge, **counts, "means": self.means(), "episodes": episodes}


def judge_run(
    path: str | Path,
    judge: Judge | None,
    *,
    corpus: str | None = None,
    task_set: str | None = None,
    allow_code: bool = False,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> JudgedRun:
    """Judges the episodes of a run.

    Args:
        path: A run folder or a rollout file.
        judge: The judge; None for that of the family, which needs no model.
        corpus: Corpus specification, when the recorded name does not lead to the recorded fingerprint here.
        task_set: The same for the task set.
        allow_code: Whether import strings in the record may be followed.
        workers: Requests at a time.
        progress: Told the number of episodes judged.

    Raises:
        RolloutFormatError: There is no rollout, or it is damaged.
        InvalidOptionError: Episodes of its family are not judged.
        InfrastructureError: The judge failed for good.
    """
    stage = Stage(corpus, task_set, allow_code=allow_code)
    episodes: list[JudgedEpisode] = []
    left_out = 0
    with ThreadPoolExecutor(max_workers=workers) as pool:
        for env in played_again(path, stage):
            episode, module = env.episode, _judging(env)
            requests: Sequence[JudgeRequest] | None = module.requests(episode)
            if requests is None:
                left_out += 1
                continue
            asked = judge if judge is not None else module.own_judge(episode)
            ratings = list(pool.map(asked.rate, requests))
            episodes.append(_judged(episode.task, requests, ratings))
            if progress:
                progress(len(episodes))
    return JudgedRun(OWN if judge is None else judge.name, tuple(episodes), left_out)


def _judging(env: ScholarEnv) -> Any:
    """The module that knows what is asked about episodes of an environment's family."""
    family = env.family.name
    if family not in JUDGED:
        raise InvalidOptionError(
            f"episodes of {family}", f"judged are those of {', '.join(JUDGED)}", "judge a run of one of these"
        )
    return import_module(JUDGED[family])


def _judged(task: Task, requests: Sequence[JudgeRequest], ratings: Sequence[Rating]) -> JudgedEpisode:
    values: dict[str, list[float]] = {}
    unread = []
    for request, rating in zip(requests, ratings, strict=True):
        scores = values.setdefault(request.criterion, [])
        if rating.score is not None:
            scores.append(rating.score)
        elif rating.label:
            scores.append(float(rating.label == WANTED))
        else:
            unread.append(request.criterion)
    means = {name: sum(scores) / len(scores) if scores else 0.0 for name, scores in values.items()}
    return JudgedEpisode(task.id, dict(task.labels), means, tuple(dict.fromkeys(unread)))
