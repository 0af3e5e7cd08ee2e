"""Renders a world's shards, here or in worker processes, and reads them back in the order of rows."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, parent_process
from pathlib import Path

from scholar_env.errors import InfrastructureError, InvalidOptionError

from .facts import Facts
from .facts_build import build_facts
from .memory import give_back
from .render.renderer import Renderer
from .shards import Shard, ShardStore, n_shards, render_shard, rows_of
from .shipped import shipped_ontology
from .spec import WorldSpec

MOST_WORKERS = 256

_own: dict[str, tuple[Renderer, ShardStore]] = {}
"""In a worker process: what it renders with."""


def render_shards(
    store: ShardStore, spec: WorldSpec, facts: Facts, workers: int = 1, tell: Callable[[int], None] | None = None
) -> None:
    """Render the shards of a world that are not on disk yet.

    Args:
        store: Where shards are kept.
        spec: The world.
        facts: Its facts.
        workers: Processes that render; 1 renders here. More of them want the calling program to be importable
            (``if __name__ == "__main__":``), as every start of processes does.
        tell: Told the number of papers that are rendered.

    Raises:
        InvalidOptionError: A bad number of workers.
        InfrastructureError: A worker process died; what it had rendered is kept.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise InvalidOptionError(f"workers={workers}", f"it is from 1 to {MOST_WORKERS}", "choose one of these")
    missing = store.missing(spec.papers)
    papers = spec.papers - sum(len(rows_of(number, spec.papers)) for number in missing)
    rendering = _in_processes(store, spec, workers) if workers > 1 and len(missing) > 1 else _here(store, spec, facts)
    for number in rendering(missing):
        papers += len(rows_of(number, spec.papers))
        if tell is not None:
            tell(papers)


def read_shards(store: ShardStore, spec: WorldSpec, facts: Facts) -> Iterator[Shard]:
    """Yield the shards of a world in order; one that is gone or damaged meanwhile is rendered again."""
    renderer: Renderer | None = None
    for number in range(n_shards(spec.papers)):
        shard = store.read(number)
        if shard is None:
            renderer = renderer or Renderer(shipped_ontology(), spec, facts)
            shard = render_shard(renderer, number)
        yield shard


Rendering = Callable[[list[int]], Iterator[int]]
"""Renders shards by number and yields the number of each that is done."""


def _here(store: ShardStore, spec: WorldSpec, facts: Facts) -> Rendering:
    def render(numbers: list[int]) -> Iterator[int]:
        renderer: Renderer | None = None
        for number in numbers:
            renderer = renderer or Renderer(shipped_ontology(), spec, facts)
            store.write(number, render_shard(renderer, number))
            yield number

    return render


def _in_processes(store: ShardStore, spec: WorldSpec, workers: int) -> Rendering:
    def render(numbers: list[int]) -> Iterator[int]:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(min(workers, len(numbers)), context, _start_worker, (str(store.target), spec))
        try:
            for future in as_completed([pool.submit(_render, number) for number in numbers]):
                yield _finish(future)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    return render


def _finish(rendering: Future[int]) -> int:
    try:
        return rendering.result()
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
    facts = build_facts(ontology, spec)
    give_back()
    _own["renderer"] = Renderer(ontology, spec, facts), ShardStore(Path(target), spec)


def _render(number: int) -> int:
    renderer, store = _own["renderer"]
    store.write(number, render_shard(renderer, number))
    return number


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
