"""An import is killed at every single write, fsync and rename: nothing half made is ever taken for whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scholar_env.corpus import Corpus, list_corpora, resolve_corpus
from scholar_env.corpus_import import importer
from scholar_env.errors import CorpusNotFoundError
from tests import process_harness

pytestmark = process_harness.NEEDS_POSIX


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


def crashes(release: Path) -> Iterator[int]:
    """Imports again and again, each time killed one operation further, until one import gets to its end."""
    importer("scholargym")(release, folder=release.parent / "elsewhere")  # children inherit the loaded modules
    return process_harness.crashes(lambda: importer("scholargym")(release))


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
