"""What judges said of runs, as reports show it: files ``judged-*.json`` beside a rollout, one a judge."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scholar_env.errors import RolloutFormatError
from scholar_env.study.tables import Table, number

_PATTERN: Final = "judged-*.json"


@dataclass(frozen=True, slots=True)
class JudgedMeans:
    """The mean ratings of a run by one judge.

    Attributes:
        run: Name of the run.
        judge: Name of the judge.
        n: Episodes that were judged.
        means: By criterion, in the range of the criterion; F1-LM in both forms among them.
        stale: Whether the run has other tasks than those that were judged.
    """

    run: str
    judge: str
    n: int
    means: dict[str, float]
    stale: bool


def judged_file(judge: str) -> str:
    """Name of the file that keeps what a judge said of a run."""
    return f"judged-{re.sub('[^A-Za-z0-9._]+', '-', judge).strip('-')[:100] or 'judge'}.json"


def read_judged(folder: Path, run: str, task_ids: Collection[str]) -> list[JudgedMeans]:
    """What judges said of a run, in the order of the files' names.

    Args:
        folder: Run folder.
        run: What the report calls the run.
        task_ids: Tasks of the run.

    Raises:
        RolloutFormatError: A file is not as ``scholar-env judge`` writes it.
    """
    return [_read(path, run, task_ids) for path in sorted(folder.glob(_PATTERN))]


def _read(path: Path, run: str, task_ids: Collection[str]) -> JudgedMeans:
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        means = {str(name): float(value) for name, value in content["means"].items()}
        judged = {str(episode["task_id"]) for episode in content["episodes"]}
        n, judge, left_out = int(content["n"]), str(content["judge"]), int(content["n_left_out"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RolloutFormatError(
            f"{path} holds no ratings of a run ({error!r})", "scholar-env judge writes it", "remove it and judge again"
        ) from error
    stale = not judged <= set(task_ids) or n + left_out != len(set(task_ids))
    return JudgedMeans(run, judge, n, means, stale)


def judged_table(judged: Collection[JudgedMeans]) -> Table:
    """One line a run and judge, one column a criterion; "-" where a judge was not asked."""
    names = list(dict.fromkeys(name for entry in judged for name in entry.means))
    rows = [
        [entry.run, entry.judge, str(entry.n), *(number(entry.means.get(name, float("nan"))) for name in names)]
        for entry in judged
    ]
    return Table("Judges", ["run", "judge", "judged", *names], rows, n_text=2)


def judged_remarks(judged: Collection[JudgedMeans]) -> list[str]:
    """Remarks on ratings that are not of the run as it is."""
    return [f"{entry.judge} judged another state of {entry.run}: judge it again" for entry in judged if entry.stale]
