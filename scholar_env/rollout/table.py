"""The Parquet form of rollouts: one row a step, for analysis with any tool that reads Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scholar_env import storage
from scholar_env.rollout.canonical import canonical_json
from scholar_env.rollout.record import EpisodeRecord

if TYPE_CHECKING:
    from io import IOBase

    import pyarrow as pa

_ROWS_PER_GROUP = 20_000


def table_schema() -> pa.Schema:
    """Returns the columns; nested values that differ between benchmarks are JSON text."""
    import pyarrow as pa

    page = pa.struct([("subquery", pa.int64()), ("ids", pa.list_(pa.string())), ("total", pa.int64())])
    columns: list[pa.Field[Any]] = [
        pa.field("task_id", pa.string()),
        pa.field("env_id", pa.string()),
        pa.field("config_hash", pa.string()),
        pa.field("corpus", pa.string()),
        pa.field("corpus_fingerprint", pa.string()),
        pa.field("task_set", pa.string()),
        pa.field("agent", pa.string()),
        pa.field("assisted", pa.bool_()),
        pa.field("seed", pa.int64()),
        pa.field("step", pa.int64()),
        pa.field("message", pa.int64()),
        pa.field("call", pa.string()),
        pa.field("arguments", pa.string()),
        pa.field("digest", pa.string()),
        pa.field("reward", pa.float64()),
        pa.field("terms", pa.map_(pa.string(), pa.float64())),
        pa.field("terminated", pa.bool_()),
        pa.field("truncated", pa.bool_()),
        pa.field("error", pa.string()),
        pa.field("retrieval", pa.list_(page)),
        pa.field("metrics", pa.map_(pa.string(), pa.float64())),
        pa.field("stop_reason", pa.string()),
        pa.field("failure_kind", pa.string()),
    ]
    return pa.schema(columns)


def table_rows(episode: EpisodeRecord) -> Iterator[dict[str, Any]]:
    """Yields an episode's rows, one a step; ``stop_reason`` and ``failure_kind`` stand in the last one."""
    header, end = episode.header, episode.end
    shared = {
        "task_id": header.task_id,
        "env_id": header.env_id,
        "config_hash": header.config_hash(),
        "corpus": str(header.corpus.get("name", "")),
        "corpus_fingerprint": str(header.corpus.get("fingerprint", "")),
        "task_set": str(header.corpus.get("tasks", "")),
        "agent": header.agent,
        "assisted": header.assisted,
        "seed": header.seed,
    }
    for step in episode.steps:
        last = step.index == end.steps - 1
        rest = {key: value for key, value in step.call.items() if key != "name"}
        yield {
            **shared,
            "step": step.index,
            "message": step.message,
            "call": str(step.call.get("name", "")),
            "arguments": canonical_json(rest.get("arguments", rest)),
            "digest": step.digest,
            "reward": float(step.reward),
            "terms": _numbers(step.terms),
            "terminated": step.terminated,
            "truncated": step.truncated,
            "error": step.error,
            "retrieval": [{"subquery": p["subquery"], "ids": p["ids"], "total": p["total"]} for p in step.retrieval],
            "metrics": _numbers(step.evaluation.get("metrics", {})),
            "stop_reason": end.stop_reason if last else "",
            "failure_kind": end.failure_kind if last else "",
        }


def _numbers(values: dict[str, Any]) -> list[tuple[str, float]]:
    return [(key, float(value)) for key, value in sorted(values.items())]


def write_table(path: str | Path, episodes: Iterable[EpisodeRecord]) -> dict[str, Any]:
    """Writes the table under a temporary name, fsyncs and renames it.

    Returns:
        ``sha256`` and ``size`` of the file, and the number of ``episodes``.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = table_schema()
    rows: list[dict[str, Any]] = []
    n_episodes = 0
    with storage.replacing(path) as out:
        with pq.ParquetWriter(pa.PythonFile(cast("IOBase", out), mode="w"), schema, compression="zstd") as writer:
            for episode in episodes:
                n_episodes += 1
                rows.extend(table_rows(episode))
                if len(rows) >= _ROWS_PER_GROUP:
                    writer.write_table(pa.Table.from_pylist(rows, schema))
                    rows.clear()
            writer.write_table(pa.Table.from_pylist(rows, schema))
        out.flush()
    return {"sha256": out.sha256(), "size": out.size, "episodes": n_episodes}
