"""The frozen index over the synthetic corpus, made once in the cache folder; also what the child processes run.

python zipf_index.py build N CACHE            freezes anew and prints CPU seconds and peak memory as JSON
python zipf_index.py search N CACHE ENGINE    opens, answers requests and prints costs as JSON
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()


def folder_of(n: int, cache: Path) -> Path:
    """Returns where the index over ``n`` papers lies."""
    import zipf_corpus

    return cache / f"sparse-v{zipf_corpus.VERSION}-{n}"


def frozen(n: int, cache: Path) -> Path:
    """Returns the folder of the index over ``n`` papers, which is frozen when missing."""
    folder = folder_of(n, cache)
    if not (folder / "index.json").exists():
        child("build", n, cache)
    return folder


def child(command: str, n: int, cache: Path, *more: str) -> dict[str, Any]:
    """Runs a command of this file in a fresh interpreter and returns what it printed."""
    argv = [sys.executable, str(HERE), command, str(n), str(cache), *more]
    done = subprocess.run(argv, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def build(n: int, cache: Path) -> dict[str, Any]:
    """Freezes the index; the texts are read from their file, which is generated before the clock starts."""
    import resource

    import zipf_corpus

    from scholar_env.index.freeze import freeze_sparse

    for _ in zipf_corpus.texts(n, cache):
        break
    dates = zipf_corpus.dates(n)
    folder = folder_of(n, cache)
    shutil.rmtree(folder, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    meta = freeze_sparse(folder, zipf_corpus.texts(n, cache), dates, scratch=cache)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = sum(path.stat().st_size for path in folder.iterdir())
    return {"cpu_s": seconds, "peak_mib": peak / 1024, "before_mib": before / 1024, "disk_mib": size / 2**20, **meta}


def search(n: int, cache: Path, engine: str) -> dict[str, Any]:
    """Opens the index as a cold worker does, answers one request, then a few more; numbers of this whole process."""
    from scholar_env.index.sparse import SparseIndex

    folder = folder_of(n, cache)
    if engine == "numba":
        import_module("scholar_env.index.sparse_numba")  # counts towards the first result, not towards opening
    start = time.process_time()
    index = SparseIndex.open(folder, engine=engine)
    opened = time.process_time()
    index.search("ab ac cd title", 10, before="2020-01", exclude=[1, 2], gold=[3])
    first = time.process_time()
    for number in range(30):
        index.search(f"ab ad {'abcdefghij'[number % 10]}b", 10, before="2020-01", exclude=[1, 2], gold=[number])
    return {"open_s": opened - start, "first_result_s": first, "private_mib": private_mib(), "engine": index.engine}


def private_mib() -> float:
    """Returns the memory that no other process can share (not the mapped files), NaN where the system does not tell."""
    path = Path("/proc/self/smaps_rollup")
    if not path.exists():
        return float("nan")
    lines = (line.split() for line in path.read_text().splitlines()[1:])
    return sum(int(line[1]) for line in lines if line[0] == "Private_Dirty:") / 1024


if __name__ == "__main__":
    commands = {"build": build, "search": search}
    print(json.dumps(commands[sys.argv[1]](int(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:])))
