"""Many processes ask for the toy corpus on an empty home at once: one whole corpus, whoever is killed."""

from __future__ import annotations

from multiprocessing.queues import Queue
from pathlib import Path

import pytest

from scholar_env.corpus import Corpus, resolve_corpus
from tests import process_harness

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

pytestmark = process_harness.NEEDS_POSIX


def ask(results: Queue[str]) -> None:
    corpus = resolve_corpus("toy")
    results.put(f"{corpus.fingerprint} {corpus.sparse_index(engine='numpy').search('query expansion', 1).total}")


def test_thirty_two_processes_make_one_whole_corpus_after_the_builder_is_killed(home: Path) -> None:
    builder = process_harness.start_builder(STOPPED_BUILDER, home, "written")
    assert not (home / "corpora" / "toy").exists()
    answers = process_harness.answers_when_the_builder_is_killed(builder, ask)
    assert len(answers) == 32
    assert len(set(answers)) == 1
    assert answers[0].startswith(FINGERPRINT)
    assert sorted(path.name for path in (home / "corpora").iterdir()) == [".toy.lock", "toy"]
    assert Corpus.open(home / "corpora" / "toy", verify=True).fingerprint == FINGERPRINT


def test_builders_that_ignore_the_lock_still_make_one_whole_corpus(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(process_harness.answers_without_a_lock(ask, 4, monkeypatch)) == 1
    assert sorted(path.name for path in (home / "corpora").iterdir()) == ["toy"]
    assert Corpus.open(home / "corpora" / "toy", verify=True).fingerprint == FINGERPRINT
