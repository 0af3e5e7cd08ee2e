"""The run folder: its manifest and the files of running workers.

While a run goes on, each worker appends whole episodes to a file of its own, ``rollouts-<n>.jsonl``, one fsync an
episode. A session that continues a run takes fresh files and never touches those of a killed one: what was torn there
is left behind and done again. At the end the episodes are merged in task order (:mod:`scholar_env.rollout.merge`).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import TracebackType
from typing import Any

from scholar_env import storage
from scholar_env.errors import InvalidOptionError, RolloutFormatError
from scholar_env.rollout.canonical import canonical_json, plain, sha256_text
from scholar_env.rollout.record import FORMAT_VERSION, EpisodeHeader, EpisodeRecord, episode_seed

MANIFEST = "run.json"
ROLLOUTS = "rollouts.jsonl"
TABLE = "rollouts.parquet"
_WORKER_FILE = re.compile(r"rollouts-(\d+)\.jsonl")
_FIELDS: dict[str, type] = {
    **{"env_id": str, "kwargs": dict, "corpus": dict, "agent": str, "agent_options": dict, "seed": int, "tasks": list},
    **{"package": str, "status": str, "files": dict},
}
_IDENTITY = ("env_id", "kwargs", "corpus", "agent", "agent_options", "seed", "tasks")


class EpisodeWriter:
    """Appends whole episodes to one new worker file; an episode is on the disk when :meth:`append` returns.

    Args:
        path: The file; it must not exist yet.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._file = self.path.open("xb")
        storage.fsync_folder(self.path.parent)

    def append(self, episode: EpisodeRecord) -> None:
        """Writes one episode in one piece and forces it onto the disk."""
        data = "".join(line + "\n" for line in episode.lines()).encode("utf-8", "surrogatepass")
        storage.fs_write(self._file, data)
        self._file.flush()
        storage.fs_fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file; closing twice is allowed."""
        self._file.close()

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def worker_files(folder: str | Path) -> list[Path]:
    """Returns the worker files in a run folder by number."""
    found = [(int(match[1]), path) for path in Path(folder).iterdir() if (match := _WORKER_FILE.fullmatch(path.name))]
    return [path for _, path in sorted(found)]


def next_worker_number(folder: str | Path) -> int:
    """Returns the smallest number above those of all worker files."""
    files = worker_files(folder)
    return int(files[-1].stem.partition("-")[2]) + 1 if files else 0


def worker_file(folder: str | Path, number: int) -> Path:
    """Returns the path of a worker's file."""
    return Path(folder) / f"rollouts-{number}.jsonl"


def new_manifest(identity: dict[str, Any], package: str) -> dict[str, Any]:
    """Returns the manifest of a run that begins.

    Args:
        identity: ``env_id``, ``kwargs``, ``corpus``, ``agent``, ``agent_options``, ``seed`` and ``tasks``: what a
            session that continues the run must have in common with it.
        package: Version of scholar-env.
    """
    return {**plain(identity), "package": package, "format": FORMAT_VERSION, "status": "running", "files": {}}


def write_manifest(folder: str | Path, manifest: dict[str, Any]) -> None:
    """Writes ``run.json`` with a check over its own content."""
    body = {key: value for key, value in manifest.items() if key != "check"}
    storage.write_json_atomic(Path(folder) / MANIFEST, {**body, "check": sha256_text(canonical_json(body))})


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """Reads ``run.json``, without its check.

    Raises:
        RolloutFormatError: It is missing, is not JSON, does not match its own check, or has another format version.
    """
    path = Path(folder) / MANIFEST
    rule, mend = "a run folder holds the run.json that the run wrote", "name a folder made by 'scholar-env run --out'"
    try:
        data = path.read_bytes()
        manifest = json.loads(data)
        whole = storage.json_bytes(manifest)  # fails for NaN and infinities, which JSON lacks
    except FileNotFoundError:
        raise RolloutFormatError(f"{path} is missing", rule, mend) from None
    except (ValueError, RecursionError) as error:
        raise RolloutFormatError(f"{path} is not JSON ({error})", rule, "restore it from a copy") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT_VERSION:
        found = manifest.get("format") if isinstance(manifest, dict) else type(manifest).__name__
        raise RolloutFormatError(f"{path} has format {found!r}", f"this version reads format {FORMAT_VERSION}", mend)
    check = manifest.pop("check", None)
    if check != sha256_text(canonical_json(manifest)) or data != whole:
        raise RolloutFormatError(f"{path} does not match its own check", rule, "restore it from a copy")
    wrong = _wrong_field(manifest)
    if wrong:
        raise RolloutFormatError(f"{path}: {wrong}", rule, mend)
    return manifest


def _wrong_field(manifest: dict[str, Any]) -> str:
    """Names a field that is missing or of another type; a manifest may come from elsewhere with a right check."""
    for name, kind in _FIELDS.items():
        if type(manifest.get(name)) is not kind:
            return f"{name} is {_short(manifest.get(name))} instead of a {kind.__name__}"
    if not all(isinstance(task_id, str) for task_id in manifest["tasks"]):
        return "tasks holds something else than task ids"
    if manifest["status"] not in ("running", "complete"):
        return f"status is {_short(manifest['status'])}"
    for name, entry in manifest["files"].items():
        if not isinstance(entry, dict) or not isinstance(entry.get("sha256"), str):
            return f"files holds no sha256 for {name!r}"
    return ""


def stranger(manifest: dict[str, Any], header: EpisodeHeader) -> str:
    """Returns the first way in which an episode is not one of a run, "" when it may be one."""
    corpus = {key: header.corpus.get(key) for key in manifest["corpus"]}
    pairs = {
        "env_id": (manifest["env_id"], header.env_id),
        "kwargs": (manifest["kwargs"], header.kwargs),
        "corpus": (manifest["corpus"], corpus),
        "agent": (manifest["agent"], header.agent),
        "agent_options": (manifest["agent_options"], header.agent_options),
        "seed": (episode_seed(manifest["seed"], header.task_id), header.seed),
    }
    for key, (of_run, of_episode) in pairs.items():
        if of_run != of_episode:
            return f"{key}: the run has {_short(of_run)}, the episode {_short(of_episode)}"
    return ""


def check_same_run(folder: str | Path, manifest: dict[str, Any], identity: dict[str, Any]) -> None:
    """Compares a stored run with the one that shall continue it.

    Raises:
        InvalidOptionError: They differ; the first difference is named.
    """
    wanted = plain(identity)
    for key in _IDENTITY:
        if manifest.get(key) != wanted.get(key):
            raise InvalidOptionError(
                f"the run in {folder} has {key} {_short(manifest.get(key))}, this one {_short(wanted.get(key))}",
                "a run is continued with the environment, corpus, agent, seed and tasks that it began with",
                "repeat the first command with --resume added, or choose another folder",
            )


def _short(value: Any) -> str:
    text = canonical_json(value)
    return text if len(text) <= 120 else text[:117] + "..."
