"""One index under threads, forked and spawned processes: the same answers as one after another."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scholar_env.index.base import SearchRequest
from scholar_env.index.sparse import SparseIndex

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="needs numba")
Draw = Callable[[random.Random, int], Any]


def answers(index: SparseIndex, requests: list[SearchRequest]) -> list[object]:
    """Answers as plain values; also runs in the child processes."""
    return [
        (hits.rows.tolist(), hits.scores.tolist(), hits.total, hits.gold_ranks, hits.gold_ranks_unexcluded)
        for hits in index.search_batch(requests)
    ]


@pytest.fixture
def workload(
    freeze: Callable[..., Path], engine: str, random_corpus: Draw, random_request: Draw
) -> tuple[SparseIndex, list[SearchRequest]]:
    rng = random.Random(2)
    texts, dates = random_corpus(rng, 400)
    return SparseIndex.open(freeze(texts, dates), engine=engine), [random_request(rng, 400) for _ in range(200)]


def test_threads(workload: tuple[SparseIndex, list[SearchRequest]]) -> None:
    index, requests = workload
    alone = answers(index, requests)
    with ThreadPoolExecutor(8) as pool:
        rounds = [pool.submit(answers, index, requests[shift:] + requests[:shift]) for shift in range(0, 160, 10)]
    for shift, future in zip(range(0, 160, 10), rounds, strict=True):
        assert future.result() == alone[shift:] + alone[:shift]


def test_threads_on_indexes_of_different_sizes(freeze: Callable[..., Path], engine: str) -> None:
    small = SparseIndex.open(freeze(["a graph", "a walk", "no"]), engine=engine)
    large = SparseIndex.open(freeze(["a graph", "a walk", *["deep"] * 3000]), engine=engine)
    for _ in range(3):
        assert small.search("walk", 5).rows.tolist() == [1]
        assert large.search("walk", 5).rows.tolist() == [1]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method: str, workload: tuple[SparseIndex, list[SearchRequest]]) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    index, requests = workload
    alone = answers(index, requests)  # the parent has searched, so its scratch memory is there when it forks
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert [f.result() for f in [pool.submit(answers, index, requests) for _ in range(2)]] == [alone, alone]


@needs_numba
def test_compiled_kernels_are_kept_in_the_home_and_never_beside_the_module(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment["SCHOLAR_ENV_HOME"] = str(tmp_path / "home")
    code = (
        "import numba, scholar_env.index.sparse_numba as kernel\n"
        "folder = kernel.accumulate.stats.cache_path\n"
        "print(folder, repr(numba.config.CACHE_DIR), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    folder, left = done.stdout.splitlines()
    assert Path(folder).is_relative_to(tmp_path / "home" / "kernels")
    assert left == "''"
