"""Whether the files of a run are the files that were written; what is not is named by file, line, task and step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scholar_env import storage
from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.episodes import ReadLine, read_lines
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.folder import MANIFEST, ROLLOUTS, TABLE, read_manifest
from scholar_env.rollout.record import EpisodeEnd, EpisodeHeader, StepRecord

_MOST = 20


def check_folder(folder: str | Path) -> tuple[dict[str, Any] | None, list[Finding]]:
    """Compares a closed run with its manifest.

    Returns:
        The manifest, None when it cannot be trusted, and what is wrong (at most 20 findings).
    """
    folder = Path(folder)
    try:
        manifest = read_manifest(folder)
    except RolloutFormatError as error:
        if not (folder / ROLLOUTS).is_file():
            raise
        return None, [Finding(MANIFEST, expected="the manifest as it was written", got=error.what)]
    findings: list[Finding] = []
    for name, entry in sorted(manifest["files"].items()):
        if name not in (ROLLOUTS, TABLE):  # names in a manifest are plain names of this format
            findings.append(Finding(MANIFEST, field="files", expected=f"{ROLLOUTS} and {TABLE}", got=repr(name)))
        elif not (folder / name).is_file():
            findings.append(Finding(name, expected="a file", got="nothing"))
        elif (found := storage.sha256_file(folder / name)) != entry["sha256"]:
            findings.extend(_damaged_lines(folder / name) if name == ROLLOUTS else [])
            findings.append(Finding(name, field="sha256", expected=entry["sha256"], got=found))
    return manifest, findings[:_MOST]


def _damaged_lines(path: Path) -> list[Finding]:
    """Names the lines whose own check fails, with the task that they most likely belong to."""
    findings: list[Finding] = []
    task_id, step = "", -1
    for line in read_lines(path):
        if isinstance(line.record, EpisodeHeader):
            task_id, step = line.record.task_id, -1
        elif isinstance(line.record, StepRecord):
            step = line.record.index
        elif line.record is None and task_id:
            step += 1
        if line.problem:
            findings.append(_finding(line, task_id, step))
        if isinstance(line.record, EpisodeEnd):
            task_id, step = "", -1
        if len(findings) >= _MOST:
            break
    return findings


def _finding(line: ReadLine, task_id: str, step: int) -> Finding:
    own_step = step if not isinstance(line.record, EpisodeHeader | EpisodeEnd) else -1
    return Finding(
        line.path.name, line.number, task_id, own_step, expected="the line as it was written", got=line.problem
    )
