"""Steps of an environment on the toy corpus, and what vector environments make of threads.

- steps a second of CPU time on one core, with a retrieval in every step and without, per engine;
- ``make_vec(num_envs=64)``: one index in memory, and its speed against the synchronous form when each search takes
  20 ms more (a remote index, a judge), in wall time because waiting costs no CPU time;
- with ``--papers N`` (570000): threads against the synchronous form on two cores where scoring dominates, in wall time,
  over the speed-up of a pure loop in two processes at the same time; median of five.

    python benchmarks/env_steps.py
    python benchmarks/env_steps.py --papers 570000
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import zipf_corpus
import zipf_index

import scholar_env
from scholar_env.corpus import Corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.index.base import Hits, Index

ENV_ID = "ScholarGym-TestFast-v0"
WITH_RETRIEVAL, WITHOUT = 2_000, 5_000
LATENCY_S, LATENCY_RATIO, N_ENVS = 0.020, 10.0, 64
SCORING_RATIO = 1.6
ZIPF = "SCHOLAR_ENV_BENCHMARK_INDEX"


class Wrapped:
    """An index that answers as another one does, at another price."""

    def __init__(self, index: Index) -> None:
        self.index, self.engine, self.fingerprint = index, "benchmark", index.fingerprint
        self.n_documents = index.n_documents

    def search(self, query: str, k: int, **options: Any) -> Hits:
        """Waits, then searches."""
        time.sleep(LATENCY_S)
        return self.index.search(query, k, **options)


class Foreign(Wrapped):
    """Scores a large synthetic index and shows the first papers of the corpus in place of what it found."""

    def search(self, query: str, k: int, *, gold: Any = (), exclude: Any = (), **options: Any) -> Hits:
        """Searches the large index."""
        hits = self.index.search(query, k, gold=gold, exclude=exclude, **options)
        return Hits(np.arange(len(hits.rows), dtype=np.int32), hits.scores, hits.total, *[(None,) * len(gold)] * 2)


def slow(corpus: Corpus) -> Wrapped:
    """The corpus's own index, 20 ms later."""
    return Wrapped(corpus.sparse_index())


def foreign(corpus: Corpus) -> Foreign:
    """The index that the environment variable names."""
    from scholar_env.index.sparse import SparseIndex

    del corpus
    return Foreign(_opened.setdefault(os.environ[ZIPF], SparseIndex.open(os.environ[ZIPF])))


_opened: dict[str, Index] = {}


def environment(engine: str) -> ScholarEnv:
    """An environment without wrappers, with room for many steps."""
    env = gymnasium.make(ENV_ID, corpus="toy", index_engine=engine, max_subqueries=1_000, max_calls=100_000).unwrapped
    assert isinstance(env, ScholarEnv)
    return env


def steps_with_retrieval(env: ScholarEnv, n: int) -> int:
    """Derives a new subquery in every step, 30 an episode, as agents do."""
    words: list[str] = []
    for step in range(n):
        if step % 30 == 0:
            observation, _ = env.reset(seed=step // 30)
            words = observation["question"].split()
        text = " ".join(words[step % 5 :])
        env.step({"name": "derive", "arguments": {"source": 0, "text": text, "k": 10}})
    return n


def steps_without(env: ScholarEnv, n: int) -> int:
    """Selects, reads and errs in turn, with thirty results on the table."""
    papers: list[str] = []
    for step in range(n):
        if step % 100 == 0:
            observation, _ = env.reset(seed=step // 100)
            query = {"source": 0, "text": observation["question"], "k": 10}
            observation, *_ = env.step({"name": "derive", "arguments": query})
            papers = [result["paper"] for result in observation["results"]] or ["none"]
        calls: list[dict[str, Any]] = [
            {"name": "select", "arguments": {"subquery": 1, "papers": papers[: step % 7], "overview": "seen"}},
            {"name": "read", "arguments": {"paper": papers[step % len(papers)]}},
            {"name": "continue", "arguments": {"source": 99}},
        ]
        env.step(calls[step % 3])
    return n


def rate(run: Callable[[ScholarEnv, int], int], env: ScholarEnv, n: int, repeats: int) -> float:
    """Median of steps a second of CPU time; the first repetition warms up."""
    rates = []
    for _ in range(repeats + 1):
        start = time.process_time()
        rates.append(run(env, n) / (time.process_time() - start))
    return statistics.median(rates[1:])


def vector_seconds(mode: str, n_envs: int, steps: int, *, query: Callable[[int, int], str], **options: Any) -> float:
    """Wall seconds of some steps of a vector environment, each with a retrieval in every member."""
    vector = scholar_env.make_vec(ENV_ID, n_envs, mode, corpus="toy", max_subqueries=1_000, **options)
    vector.reset(seed=0)
    actions = [
        [{"name": "derive", "arguments": {"source": 0, "text": query(i, step)}} for i in range(n_envs)]
        for step in range(steps + 1)
    ]
    vector.step(actions[0])
    start = time.perf_counter()
    for action in actions[1:]:
        vector.step(action)
    seconds = time.perf_counter() - start
    vector.close()
    return seconds


def spin(n: int) -> int:
    """A pure loop."""
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def control() -> float:
    """How much faster two processes do two pure loops than one does them one after the other."""
    n = 4_000_000
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(spin, [1_000, 1_000])
        start = time.perf_counter()
        pool.apply(spin, (n,))
        pool.apply(spin, (n,))
        alone = time.perf_counter() - start
        start = time.perf_counter()
        pool.map(spin, [n, n], chunksize=1)
        return alone / (time.perf_counter() - start)


def scoring_ratio(papers: int, cache: Path) -> float:
    """Speed-up of two threads over one where scoring dominates, times 2 over that of two processes in a pure loop."""
    os.environ[ZIPF] = str(zipf_index.frozen(papers, cache))
    queries = [request.query for request in zipf_corpus.requests(papers, 64)]
    ratios = []
    for _ in range(5):
        seconds = {
            mode: vector_seconds(
                mode, 8, 6, query=lambda i, step: queries[(8 * step + i) % 64], retriever="env_steps:foreign"
            )
            for mode in ("sync", "threads")
        }
        ratios.append(2 * seconds["sync"] / seconds["threads"] / control())
    return statistics.median(ratios)


def main() -> int:
    """Runs the benchmark; returns 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--papers", type=int, default=0, help="size of the index for the scoring ratio, 0 = leave it out"
    )
    parser.add_argument("--steps", type=int, default=1_500)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cache", type=Path, default=zipf_corpus.default_cache())
    options = parser.parse_args()
    failures = []

    def check(what: str, value: float, least: float, unit: str) -> None:
        print(f"{what:58} {value:10,.1f} {unit} (at least {least:,.1f})")
        if not value >= least:
            failures.append(f"{what} {value:,.1f} < {least:,.1f} {unit}")

    for engine in ("numpy", "numba"):
        if engine != "numpy" and importlib.util.find_spec(engine) is None:
            print(f"{engine} is not installed")
            continue
        env = environment(engine)
        with_retrieval = rate(steps_with_retrieval, env, options.steps, options.repeats)
        check(f"steps with retrieval, {engine}", with_retrieval, WITH_RETRIEVAL, "steps/s CPU")
        check(
            f"steps without, {engine}", rate(steps_without, env, options.steps, options.repeats), WITHOUT, "steps/s CPU"
        )

    vector: Any = scholar_env.make_vec(ENV_ID, N_ENVS, corpus="toy")
    check(
        f"index objects of {N_ENVS} environments",
        1 / len({id(env.unwrapped.index) for env in vector.envs}),
        1,
        "a index",
    )
    vector.close()
    text = "neural networks for credit risk"
    seconds = {
        mode: vector_seconds(mode, N_ENVS, 3, query=lambda i, step: text, retriever="env_steps:slow")
        for mode in ("sync", "threads")
    }
    check(
        f"threads against sync, {LATENCY_S * 1000:.0f} ms a search",
        seconds["sync"] / seconds["threads"],
        LATENCY_RATIO,
        "x",
    )
    if options.papers:
        check(
            f"threads against sync, {options.papers} papers",
            scoring_ratio(options.papers, options.cache),
            SCORING_RATIO,
            "x",
        )
    print(f"FAIL {'; '.join(failures)}" if failures else "PASS environment steps")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
