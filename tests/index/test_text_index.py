"""Derived text indexes: what they hold, that they are built once, and what happens when they are damaged."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import shutil
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import pytest

from scholar_env.corpus import Corpus, CorpusWriter
from scholar_env.errors import CorpusIntegrityError, InvalidOptionError, ScholarEnvError
from scholar_env.index import text_index as module
from scholar_env.index.scoring import Variant
from scholar_env.index.text_index import FULL_TEXT, TITLE_ABSTRACT, IndexSpec, text_index
from scholar_env.records import Paper, Section
from scholar_env.sealed import MANIFEST
from scholar_env.stamp import drop_stamp

PAPERS = [
    Paper("p0", "Graph walks", "random walks", "2019-05-01", sections=(Section("Method", "We use resnet50 graphs."),)),
    Paper("p1", "Graph survey", "all about walks", "2020-01"),
    Paper("p2", "", "", sections=(Section("Body", "only a body, with walks"),)),
    Paper("p3", "", ""),
]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(tmp_path / "home"))
    with CorpusWriter(tmp_path / "c", name="small", source="tests", licence="none") as writer:
        for paper in PAPERS:
            writer.add_paper(paper)
        return Corpus.open(writer.finish({}, {}))


def folders(home: Path) -> list[Path]:
    return sorted((home / "indexes").glob("*/[0-9a-f]*"))


def test_fields_left_out_papers_and_tokenizer_decide_what_is_found(corpus: Corpus) -> None:
    abstracts = text_index(corpus, IndexSpec(TITLE_ABSTRACT))
    assert sorted(abstracts.search("walks", 9).rows.tolist()) == [0, 1]
    assert abstracts.search("resnet50", 9).total == 0
    full = text_index(corpus, IndexSpec(FULL_TEXT))
    assert sorted(full.search("WALKS", 9).rows.tolist()) == [0, 1, 2]
    assert full.search("resnet50", 9).rows.tolist() == [0]
    without = text_index(corpus, IndexSpec(FULL_TEXT, left_out=(1,)))
    assert sorted(without.search("walks", 9).rows.tolist()) == [0, 2]
    assert (without.meta.n_documents, without.meta.n_indexed) == (4, 2)
    assert without.search("walks", 9, before="2019-05").rows.tolist() == [0]


def test_scores_follow_k1_and_b(corpus: Corpus) -> None:
    plain = text_index(corpus, IndexSpec(TITLE_ABSTRACT))
    flat = text_index(corpus, IndexSpec(TITLE_ABSTRACT, variant=Variant("flat", "lucene", 0.0, 0.0)))
    assert plain.meta.variant("lucene").as_json() == {"form": "lucene", "k1": 1.2, "b": 0.75, "epsilon": 0.0}
    assert flat.search("random", 1).scores[0] == flat.idf("random")
    assert plain.search("random", 1).scores[0] < flat.search("random", 1).scores[0]


def test_an_index_is_built_once_and_found_again(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    build = module._build

    def counted(*arguments: Any) -> None:
        built.append(1)
        build(*arguments)

    monkeypatch.setattr(module, "_build", counted)
    spec = IndexSpec(FULL_TEXT)
    assert text_index(corpus, spec) is text_index(corpus, spec)
    module._opened.cache_clear()
    again = text_index(corpus, spec)
    assert built == [1]
    assert pickle.loads(pickle.dumps(again)).fingerprint == again.fingerprint
    text_index(corpus, IndexSpec(FULL_TEXT, left_out=(0,)))
    assert built == [1, 1]


def test_a_flipped_byte_is_found_at_the_next_full_look(corpus: Corpus, tmp_path: Path) -> None:
    text_index(corpus, IndexSpec(FULL_TEXT))
    (folder,) = folders(tmp_path / "home")
    data = bytearray((folder / "docs.npy").read_bytes())
    data[-1] ^= 1
    (folder / "docs.npy").write_bytes(data)
    with pytest.raises(CorpusIntegrityError, match=r"docs\.npy is damaged: its sha256 is not the one in the manifest"):
        text_index(corpus, IndexSpec(FULL_TEXT))
    shutil.rmtree(folder)
    assert text_index(corpus, IndexSpec(FULL_TEXT)).search("resnet50", 1).total == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body: body.update(corpus="0" * 64), "was changed after it was written"),
        (lambda body: body["files"].pop("docs.npy"), "was changed after it was written"),
        (lambda body: body.update(format=9), "is no manifest: its format is 9"),
        (lambda body: body.clear(), "is no manifest"),
    ],
)
def test_a_manifest_is_not_trusted(corpus: Corpus, tmp_path: Path, change: object, message: str) -> None:
    assert callable(change)
    text_index(corpus, IndexSpec(FULL_TEXT))
    path = folders(tmp_path / "home")[0] / MANIFEST
    body = json.loads(path.read_text())
    change(body)
    path.write_text(json.dumps(body))
    with pytest.raises(ScholarEnvError, match=message):
        text_index(corpus, IndexSpec(FULL_TEXT))


def test_a_missing_file_is_named(corpus: Corpus, tmp_path: Path) -> None:
    text_index(corpus, IndexSpec(FULL_TEXT))
    (folder,) = folders(tmp_path / "home")
    (folder / "indptr.npy").unlink()
    with pytest.raises(CorpusIntegrityError, match=r"indptr\.npy is damaged: it cannot be read"):
        text_index(corpus, IndexSpec(FULL_TEXT))


def test_a_foreign_folder_is_verified_though_nothing_tells_of_it(corpus: Corpus, tmp_path: Path) -> None:
    text_index(corpus, IndexSpec(FULL_TEXT))
    (folder,) = folders(tmp_path / "home")
    drop_stamp(folder.resolve())
    meta = json.loads((folder / "index.json").read_text())
    (folder / "index.json").write_text(json.dumps({**meta, "n_terms": 0}))
    with pytest.raises(CorpusIntegrityError, match=r"index\.json is damaged"):
        text_index(corpus, IndexSpec(FULL_TEXT))


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match=r"fields=\('body',\)\. Rule: some of title, abstract, sections"):
        IndexSpec(("body",))


def _ask(path: str, results: Queue[str]) -> None:
    index = text_index(Corpus.open(path), IndexSpec(FULL_TEXT), engine="numpy")
    results.put(f"{index.fingerprint} {index.search('walks', 1).total}")


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_many_processes_build_one(corpus: Corpus, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    workers = [context.Process(target=_ask, args=(str(corpus.path), results)) for _ in range(8)]
    for worker in workers:
        worker.start()
    answers = {results.get(timeout=300) for _ in workers}
    for worker in workers:
        worker.join(timeout=300)
    assert len(answers) == 1
    assert len(folders(tmp_path / "home")) == 1
