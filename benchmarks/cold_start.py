"""What a fresh process pays before it can work, in CPU seconds, medians over fresh interpreters.

- ``import scholar_env``: the whole process, interpreter included;
- the first ``gymnasium.make`` after it, with the toy corpus already built;
- a cold worker up to its first search result, whole process: numpy, and numba with its kernel in the cache.

    python benchmarks/cold_start.py [--papers 20000]
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
from pathlib import Path

import zipf_corpus
import zipf_index

IMPORT_S, MAKE_S = 0.6, 0.5
FIRST_RESULT_S = {"numpy": 0.3, "numba": 1.0}
ENV_ID = "ScholarGym-TestFast-v0"

IMPORT = "import time, scholar_env; print(time.process_time())"
MAKE = f"""
import time, scholar_env, gymnasium
start = time.process_time()
environment = gymnasium.make({ENV_ID!r}, corpus="toy")
print(time.process_time() - start)
"""


def seconds(code: str, home: Path) -> float:
    """Runs code in a fresh interpreter with its own home folder and returns the number that it prints last."""
    environment = {**os.environ, "SCHOLAR_ENV_HOME": str(home)}
    done = subprocess.run([sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.PIPE, text=True)
    return float(done.stdout.split()[-1])


def main() -> int:
    """Runs the benchmark; returns 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cache", type=Path, default=zipf_corpus.default_cache())
    options = parser.parse_args()
    n, cache, repeats = options.papers, options.cache, options.repeats
    home = cache / "home"
    home.mkdir(parents=True, exist_ok=True)
    zipf_index.frozen(n, cache)
    failures = []

    def check(what: str, values: list[float], limit: float) -> None:
        value = statistics.median(values)
        print(f"{what:48} {value:7.3f} s CPU (limit {limit}, {min(values):.3f} to {max(values):.3f})")
        if value > limit:
            failures.append(f"{what} {value:.3f} > {limit} s")

    check("import scholar_env", [seconds(IMPORT, home) for _ in range(repeats)], IMPORT_S)
    seconds(MAKE, home)  # builds the toy corpus and its stamp
    check("first gymnasium.make, caches warm", [seconds(MAKE, home) for _ in range(repeats)], MAKE_S)
    for engine, limit in FIRST_RESULT_S.items():
        if importlib.util.find_spec(engine) is None:
            print(f"{engine} is not installed")
            continue
        zipf_index.child("search", n, cache, engine)
        workers = [zipf_index.child("search", n, cache, engine)["first_result_s"] for _ in range(repeats)]
        check(f"cold worker to its first result, {engine}", workers, limit)
    print(f"FAIL {'; '.join(failures)}" if failures else "PASS cold start")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
