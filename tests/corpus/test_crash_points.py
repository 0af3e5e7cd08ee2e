"""An import is killed at every single write, fsync and rename: nothing half made is ever taken for whole."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scholar_env import storage
from scholar_env.corpus import Corpus, list_corpora, resolve_corpus
from scholar_env.corpus_import import importer
from scholar_env.errors import CorpusNotFoundError

OPERATIONS = ("fs_write", "fs_fsync", "fs_rename")

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="processes are forked"),
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning"),
]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release of three papers and two queries."""
    folder = tmp_path / "release"
    folder.mkdir()
    papers = {key: {"title": f"Walks on graph {key}", "abstract": "x", "date": "2020-01-01"} for key in ("a", "b", "c")}
    queries = [
        {"qid": key, "query": "graph walks", "cited_paper": [{"arxiv_id": key}], "gt_label": [1], "date": "2020-01"}
        for key in ("a", "b")
    ]
    (folder / "scholargym_paper_db.json").write_text(json.dumps(papers))
    (folder / "scholargym_bench.jsonl").write_text("\n".join(map(json.dumps, queries)))
    return folder


def import_with_crash(release: Path, at: int) -> None:
    """Imports, and dies like a killed process at operation ``at`` (from 0), when it has been done by half."""
    count = 0

    def replace(name: str) -> None:
        real = getattr(storage, name)

        def operation(*given: Any) -> None:
            nonlocal count
            if count == at:
                if name == "fs_write":
                    file, data = given
                    file.write(data[: len(data) // 2])
                    file.flush()
                os._exit(9)
            count += 1
            real(*given)

        setattr(storage, name, operation)

    for name in OPERATIONS:
        replace(name)
    importer("scholargym")(release)
    os._exit(0)


def crashes(release: Path) -> Iterator[int]:
    """Runs the import again and again, each time one operation further, until one gets to its end."""
    importer("scholargym")(release, folder=release.parent / "elsewhere")  # children inherit the loaded modules
    context = multiprocessing.get_context("fork")
    for at in range(10_000):
        process = context.Process(target=import_with_crash, args=(release, at))
        process.start()
        process.join(timeout=60)
        if process.exitcode == 0:
            return
        assert process.exitcode == 9
        yield at
    raise AssertionError("the import never ends")


def test_a_killed_import_leaves_no_corpus_and_the_next_one_succeeds(release: Path, home: Path) -> None:
    with_manifest = n_crashes = 0
    for at in crashes(release):
        n_crashes += 1
        if list_corpora():  # from the last rename on
            with_manifest += 1
            assert Corpus.open(home / "corpora" / "scholargym", verify=True).n_papers == 3, at
        else:
            assert with_manifest == 0, at
            with pytest.raises(CorpusNotFoundError):
                resolve_corpus("scholargym")
    assert n_crashes > 100
    assert with_manifest >= 1
    assert resolve_corpus("scholargym").subsets()["all"] == ("a", "b")
    assert sorted(path.name for path in (home / "corpora").iterdir()) == [".scholargym.lock", "scholargym"]


def test_a_killed_import_over_a_corpus_leaves_the_old_or_the_new_one(release: Path, home: Path) -> None:
    importer("scholargym")(release)
    old = resolve_corpus("scholargym").fingerprint
    queries = release / "scholargym_bench.jsonl"
    queries.write_text(queries.read_text().replace("graph walks", "walks"))
    found = [resolve_corpus("scholargym").fingerprint for _ in crashes(release)]
    new = resolve_corpus("scholargym").fingerprint
    assert set(found) == {old, new}
    assert found == sorted(found, key=[old, new].index)
    assert resolve_corpus("scholargym").verify() == []
    assert sorted(path.name for path in (home / "corpora").iterdir()) == [".scholargym.lock", "scholargym"]
