"""Many processes ask for the toy corpus on an empty home at once: one whole corpus, whoever is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.queues import Queue
from pathlib import Path

import pytest

from scholar_env import storage
from scholar_env.corpus import Corpus, resolve_corpus

FINGERPRINT = "7f5407d2d871be21a0187ad36a280f3930a3ecf261f491902857c6e444345695"
STOPPED_BUILDER = """
import time
from scholar_env import storage
from scholar_env.corpus import resolve_corpus
def stop(src, dst):
    print("written", flush=True)
    time.sleep(600)
storage.fs_rename = stop
resolve_corpus("toy")
"""

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed by signal"),
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning"),
]


def ask(results: Queue[str]) -> None:
    corpus = resolve_corpus("toy")
    results.put(f"{corpus.fingerprint} {corpus.sparse_index(engine='numpy').search('query expansion', 1).total}")


def test_thirty_two_processes_make_one_whole_corpus_after_the_builder_is_killed(home: Path) -> None:
    builder = subprocess.Popen([sys.executable, "-c", STOPPED_BUILDER], stdout=subprocess.PIPE, text=True)
    assert builder.stdout is not None
    assert builder.stdout.readline() == "written\n"
    assert not (home / "corpora" / "toy").exists()
    fork, spawn = multiprocessing.get_context("fork"), multiprocessing.get_context("spawn")
    results = spawn.Queue()
    workers = [
        *(fork.Process(target=ask, args=(results,)) for _ in range(24)),
        *(spawn.Process(target=ask, args=(results,)) for _ in range(8)),
    ]
    for worker in workers:
        worker.start()
    assert results.empty()
    builder.kill()
    builder.stdout.close()
    assert builder.wait() == -signal.SIGKILL
    answers = [results.get(timeout=300) for _ in workers]
    for worker in workers:
        worker.join(timeout=300)
    assert [worker.exitcode for worker in workers] == [0] * 32
    assert len(set(answers)) == 1
    assert answers[0].startswith(FINGERPRINT)
    assert sorted(path.name for path in (home / "corpora").iterdir()) == [".toy.lock", "toy"]
    assert Corpus.open(home / "corpora" / "toy", verify=True).fingerprint == FINGERPRINT


def test_builders_that_ignore_the_lock_still_make_one_whole_corpus(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage.FolderLock, "__enter__", lambda self: self)
    context = multiprocessing.get_context("fork")  # hands the patched lock to the children
    results = context.Queue()
    workers = [context.Process(target=ask, args=(results,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    answers = {results.get(timeout=300) for _ in workers}
    for worker in workers:
        worker.join(timeout=300)
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert len(answers) == 1
    assert sorted(path.name for path in (home / "corpora").iterdir()) == ["toy"]
    assert Corpus.open(home / "corpora" / "toy", verify=True).fingerprint == FINGERPRINT
