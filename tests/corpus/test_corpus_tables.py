"""Further tables of a corpus: they come back as they were, the fingerprint covers them, damage is found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env.corpus import Corpus, CorpusWriter
from scholar_env.corpus_check import Fingerprint
from scholar_env.corpus_tables import table_digest
from scholar_env.corpus_variant import add_corpus_variant
from scholar_env.errors import CorpusIntegrityError, InvalidOptionError
from scholar_env.index.scoring import Variant
from scholar_env.manifest import parse_manifest
from scholar_env.records import Paper

NUMBERS = np.array([[3, -1], [7, 0]], dtype=np.int16)
TEXTS = ("", "Łódź 🔭", "two words", "")


def write(target: Path, numbers: Any = NUMBERS, texts: Any = TEXTS, settings: Mapping[str, Any] | None = None) -> Path:
    with CorpusWriter(target, name="odd", source="tests", licence="none") as writer:
        writer.add_paper(Paper("a", "Graph walks", "We walk on graphs.", ""))
        writer.freeze_index()
        writer.tables.array("numbers", numbers)
        writer.tables.texts("names", texts)
        writer.tables.settings("world", settings or {"seed": 7, "parts": ["a", "b"]})
        return writer.finish({"all": []}, {})


def test_tables_come_back_as_they_were_and_cannot_be_written(tmp_path: Path) -> None:
    corpus = Corpus.open(write(tmp_path / "odd"), verify=True)
    numbers = corpus.tables.array("numbers")
    assert numbers.dtype == np.int16
    assert numbers.tolist() == NUMBERS.tolist()
    with pytest.raises(ValueError, match="read-only"):
        numbers[0, 0] = 1
    assert corpus.tables.texts("names") == TEXTS
    assert corpus.tables.settings("world") == {"seed": 7, "parts": ["a", "b"]}
    assert corpus.tables.all_settings() == {"world": {"seed": 7, "parts": ["a", "b"]}}
    assert "numbers" in corpus.tables
    assert "letters" not in corpus.tables
    assert sorted(corpus.manifest.tables) == ["names_bytes.npy", "names_ends.npy", "numbers.npy", "world.json"]


def test_an_empty_list_of_texts_comes_back(tmp_path: Path) -> None:
    assert Corpus.open(write(tmp_path / "odd", texts=())).tables.texts("names") == ()


def test_the_fingerprint_tells_every_table_apart(tmp_path: Path) -> None:
    other = NUMBERS.copy()
    other[1, 1] = 1
    variants: list[dict[str, Any]] = [
        {},
        {"numbers": other},
        {"numbers": NUMBERS.astype(np.int32)},
        {"numbers": NUMBERS.reshape(-1)},
        {"texts": ("Łódź 🔭", "", "two words", "")},
        {"settings": {"seed": 8}},
    ]
    corpora = [Corpus.open(write(tmp_path / str(at), **given)) for at, given in enumerate(variants)]
    assert len({corpus.fingerprint for corpus in corpora}) == len(variants)
    assert Corpus.open(write(tmp_path / "again")).fingerprint == corpora[0].fingerprint


def test_a_corpus_without_tables_has_the_fingerprint_and_the_manifest_that_it_always_had(small: Corpus) -> None:
    assert small.fingerprint == "f5d9a372b1ffc7d60432020365e2dae570fd0ee37cb098dd60de34cd6bbab356"
    assert b'"tables"' not in small.manifest.as_bytes()
    assert parse_manifest(small.manifest.as_bytes(), small.path).tables == {}
    with pytest.raises(InvalidOptionError, match=r"has no table 'numbers\.npy'\. Rule: it has none"):
        small.tables.array("numbers")


def test_the_digest_of_an_array_is_of_what_it_holds_and_not_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.asfortranarray(NUMBERS))
    first = table_digest(path)
    np.save(path, NUMBERS)
    assert table_digest(path) == first
    np.save(path, NUMBERS.T)
    assert table_digest(path) != first


def test_a_changed_byte_in_any_table_is_found_by_name(tmp_path: Path) -> None:
    corpus = Corpus.open(write(tmp_path / "odd"))
    for name in corpus.manifest.tables:
        path = corpus.path / "tables" / name
        data = path.read_bytes()
        for place in (0, len(data) // 2, len(data) - 1):
            path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            assert [problem.file for problem in corpus.verify()] == [f"tables/{name}"]
            with pytest.raises(CorpusIntegrityError, match=f"tables/{name}: its sha256 is not the one"):
                Corpus.open(corpus.path)
        path.write_bytes(data)
    assert corpus.verify() == []


def test_a_table_that_the_fingerprint_does_not_know_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(Fingerprint):
        def add_table(self, name: str, digest: str) -> None:
            super().add_table(name, "0" * 64 if name == "numbers.npy" else digest)

    monkeypatch.setattr("scholar_env.corpus_build.Fingerprint", Forgetful)
    folder = write(tmp_path / "odd")
    with pytest.raises(CorpusIntegrityError, match=r"manifest\.json: the rows have the fingerprint"):
        Corpus.open(folder, verify=True)


def test_another_scoring_variant_keeps_the_tables(tmp_path: Path) -> None:
    corpus = Corpus.open(write(tmp_path / "odd"))
    again = add_corpus_variant(corpus.path, Variant("flat", "okapi", 1.2, 0.0))
    assert again.fingerprint == corpus.fingerprint
    assert again.tables.texts("names") == TEXTS
    assert again.verify() == []
