"""One more scoring variant for an existing corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from scholar_env.corpus import Corpus
from scholar_env.corpus_variant import add_corpus_variant
from scholar_env.errors import InvalidOptionError
from scholar_env.index.scoring import Variant


@pytest.mark.parametrize("links", [True, False])
def test_a_variant_joins_a_corpus_that_stays_whole(small: Corpus, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    if not links:

        def refuse(new: Path, old: Path) -> None:
            raise OSError("no links here")

        monkeypatch.setattr(Path, "hardlink_to", refuse)
    with pytest.raises(InvalidOptionError, match="scoring variant 'flat' is not in the index"):
        small.sparse_index(engine="numpy", variant="flat")
    before = small.sparse_index(engine="numpy").search("random walks", 3)
    found = add_corpus_variant(small.path, Variant("flat", "okapi", 1.2, 0.0, 0.25))
    assert found.fingerprint == small.fingerprint
    assert found.verify() == []
    assert "impact_flat.npy" in found.manifest.indexes["sparse-scholargym-v1"]
    flat = found.sparse_index(engine="numpy", variant="flat")
    assert flat.fingerprint != found.sparse_index(engine="numpy").fingerprint
    assert flat.search("random walks", 3).scores.tolist() != before.scores.tolist()
    assert found.sparse_index(engine="numpy").search("random walks", 3).scores.tolist() == before.scores.tolist()
    assert Corpus.open(small.path) is found
    assert sorted(path.name for path in small.path.parent.iterdir()) == [".small.lock", "home", "small"]
    again = add_corpus_variant(small.path, Variant("flat", "okapi", 1.2, 0.0, 0.25))
    assert again is found


def test_a_variant_that_cannot_be_added_changes_nothing(small: Corpus) -> None:
    with pytest.raises(InvalidOptionError, match="has no index for the tokenizer 'snowball-en-v1'"):
        add_corpus_variant(small.path, Variant("flat", "okapi", 1.2, 0.0), tokenizer="snowball-en-v1")
    with pytest.raises(InvalidOptionError, match="a variant never changes under its name"):
        add_corpus_variant(small.path, Variant("okapi", "okapi", 9.0, 0.5))
    assert small.verify() == []
    assert Corpus.open(small.path) is small
