"""Replay: runs recorded episodes again and names the first step that differs, or says that all agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scholar_env.rollout.compare import Comparison, as_text
from scholar_env.rollout.episodes import FoundEpisode, found_episodes
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.folder import ROLLOUTS, stranger
from scholar_env.rollout.integrity import check_folder
from scholar_env.rollout.reader import rollout_files
from scholar_env.rollout.stage import Stage

Progress = Callable[[int], None]
"""Told the number of episodes that were replayed."""


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found.

    Attributes:
        n_episodes: Episodes that were run again.
        n_steps: Steps that agreed.
        findings: What differs: damaged files first, then the first step that differs; empty = all agree.
        remarks: What was left out, and why.
    """

    n_episodes: int
    n_steps: int
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not self.findings


def replay(
    path: str | Path,
    *,
    corpus: str | None = None,
    task_set: str | None = None,
    allow_code: bool = False,
    progress: Progress | None = None,
) -> ReplayReport:
    """Checks the files of a run and of its corpus, then executes every episode again and compares step by step.

    Compared are the call, its error, the reward and its terms, the flags, the retrieved ids, the assessments, the
    digest of the observation and the evaluation. What an assessor of the user's own decided is taken from the record.
    The last step of an episode that an infrastructure failure ended is left out.

    Args:
        path: A run folder, closed or not, or one rollout file.
        corpus: Corpus specification, when the recorded name does not lead to the recorded fingerprint here.
        task_set: The same for the task set.
        allow_code: Whether import strings in the record may be followed.
        progress: Called after each episode.

    Raises:
        RolloutFormatError: There is no rollout at this path, or it has another version.
        UntrustedReferenceError: The record asks for code or for what is not of this package.
        CorpusNotFoundError: The corpus is not here.
        TaskSetNotFoundError: The task set is not here.
    """
    path = Path(path)
    manifest, findings = check_folder(path) if path.is_dir() else ({"status": "file"}, [])
    replayer = _Replayer(Stage(corpus, task_set, allow_code=allow_code))
    closed = manifest is None or manifest["status"] != "running"
    seen: list[str] = []
    for file in rollout_files(path):
        for found in found_episodes(file):
            if isinstance(found, Finding):
                if closed and found not in findings:
                    findings.append(found)
                elif not closed:
                    replayer.remarks.append(f"{found.file}, line {found.line}: not a whole episode, left out")
                continue
            seen.append(found.header.task_id)
            difference = replayer.difference(found)
            if difference:
                findings.extend(difference)
                return replayer.report(findings)
            foreign = stranger(manifest, found.header) if manifest and path.is_dir() else ""
            if foreign:
                place = (found.path.name, found.line, found.header.task_id)
                findings.append(Finding(*place, expected="an episode of the run in run.json", got=foreign))
                return replayer.report(findings)
            if progress:
                progress(replayer.n_episodes)
    if manifest and manifest["status"] == "complete" and seen != manifest["tasks"]:
        findings.append(Finding(ROLLOUTS, field="tasks", expected=as_text(manifest["tasks"]), got=as_text(seen)))
    return replayer.report(findings)


class _Replayer:
    """What was counted while episodes are run again."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.remarks: list[str] = []
        self.n_episodes = 0
        self.n_steps = 0

    def report(self, findings: list[Finding]) -> ReplayReport:
        return ReplayReport(self.n_episodes, self.n_steps, tuple(findings), tuple(self.remarks))

    def difference(self, found: FoundEpisode) -> list[Finding]:
        """Runs an episode again; returns what differs first, or nothing."""
        env = self._stage.env_for(found)
        if isinstance(env, list):
            return env
        comparison = Comparison(found, env)
        difference = comparison.run()
        self.n_episodes += 1
        self.n_steps += comparison.n_agreed
        if difference is not None:
            return [difference]
        if found.problem:  # what was changed is nothing that running again shows
            place = (found.path.name, found.line, found.header.task_id)
            return [Finding(*place, expected="lines as they were written", got=found.problem)]
        return []
