"""Freezing a sparse index (CPU seconds, peak memory, size), opening it, and what a worker holds privately.

python benchmarks/build.py --papers 20000
python benchmarks/build.py --papers 570000
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
from pathlib import Path

import zipf_corpus
import zipf_index

FULL = 570_000
BUILD_CPU_S, BUILD_PEAK_MIB = 120.0, 3 * 1024.0
OPEN_S = 0.05
PRIVATE_MIB = {"numpy": 40.0, "numba": 90.0}
WORKERS = 3


def main() -> int:
    """Runs the benchmark; returns 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--cache", type=Path, default=zipf_corpus.default_cache())
    options = parser.parse_args()
    n, cache = options.papers, options.cache
    cache.mkdir(parents=True, exist_ok=True)
    failures = []

    def check(what: str, value: float, limit: float, unit: str) -> None:
        print(f"{what:42} {value:10.3f} {unit:4} (limit {limit:.3f})")
        if value > limit:
            failures.append(f"{what} {value:.3f} > {limit:.3f} {unit}")

    built = zipf_index.child("build", n, cache)
    print(
        f"{n} papers, {built['n_tokens']} tokens, {built['n_postings']} postings, {built['disk_mib']:.0f} MiB on disk"
    )
    check("build, CPU", built["cpu_s"], BUILD_CPU_S * max(n / FULL, 0.02), "s")
    check("build, peak memory of the process", built["peak_mib"], BUILD_PEAK_MIB, "MiB")
    for engine in ("numpy", "numba"):
        if importlib.util.find_spec(engine) is None:
            print(f"{engine} is not installed")
            continue
        zipf_index.child("search", n, cache, engine)  # fills the kernel's cache and the page cache
        workers = [zipf_index.child("search", n, cache, engine) for _ in range(WORKERS)]
        check(f"open, CPU, {engine}", statistics.median(w["open_s"] for w in workers), OPEN_S, "s")
        private = statistics.median(w["private_mib"] for w in workers)
        check(f"private memory of a worker, {engine}", private, PRIVATE_MIB[engine], "MiB")
    print(f"FAIL {'; '.join(failures)}" if failures else f"PASS build {built['cpu_s']:.1f} s CPU")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
