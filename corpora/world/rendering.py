"""Renders a world's shards, here or in worker processes, and hands them on in the order of rows."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, parent_process
from pathlib import Path

from scholar_env.errors import InfrastructureError, InvalidOptionError

from .facts import Facts
from .facts_build import build_facts
from .render.renderer import Renderer
from .shards import Shard, ShardStore, n_shards, render_shard
from .shipped import shipped_ontology
from .spec import WorldSpec

MOST_WORKERS = 256

_own: dict[str, tuple[Renderer, ShardStore]] = {}
"""In a worker process: what it renders with."""


def rendered_shards(store: ShardStore, spec: WorldSpec, facts: Facts, workers: int = 1) -> Iterator[Shard]:
    """Yield the shards of a world in order, each read back from disk or rendered and kept there.

    Args:
        store: Where shards are kept.
        spec: The world.
        facts: Its facts.
        workers: Processes that render; 1 renders here. More of them want the calling program to be importable
            (``if __name__ == "__main__":``), as every start of processes does.

    Raises:
        InvalidOptionError: A bad number of workers.
        InfrastructureError: A worker process died; what it had rendered is kept.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise InvalidOptionError(f"workers={workers}", f"it is from 1 to {MOST_WORKERS}", "choose one of these")
    missing = store.missing(spec.papers)
    if workers == 1 or len(missing) < 2:
        yield from _here(store, spec, facts)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(missing)), context, _start_worker, (str(store.target), spec))
    try:
        pending = {number: pool.submit(_render, number) for number in missing}
        yield from _here(store, spec, facts, lambda number: _finish(pending.pop(number, None)))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _here(
    store: ShardStore, spec: WorldSpec, facts: Facts, wait: Callable[[int], None] = lambda number: None
) -> Iterator[Shard]:
    renderer: Renderer | None = None
    for number in range(n_shards(spec.papers)):
        wait(number)
        shard = store.read(number)
        if shard is None:
            renderer = renderer or Renderer(shipped_ontology(), spec, facts)
            shard = render_shard(renderer, number)
            store.write(number, shard)
        yield shard


def _finish(rendering: Future[None] | None) -> None:
    try:
        if rendering is not None:
            rendering.result()
    except BrokenProcessPool as error:
        raise InfrastructureError(
            "a process that renders papers died",
            "each worker has the memory that it needs",
            "generate the world again with fewer workers; papers rendered so far are kept",
        ) from error


def _start_worker(target: str, spec: WorldSpec) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    threading.Thread(target=_die_with_parent, daemon=True).start()
    ontology = shipped_ontology()
    renderer = Renderer(ontology, spec, build_facts(ontology, spec))
    _own["renderer"] = renderer, ShardStore(Path(target), spec)


def _render(number: int) -> None:
    renderer, store = _own["renderer"]
    store.write(number, render_shard(renderer, number))


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
