from __future__ import annotations

import pytest

from scholar_env.corpora.world.lint_reading import text_faults
from scholar_env.corpora.world.ontology import Ontology
from scholar_env.corpora.world.samples import main, samples
from scholar_env.errors import InvalidOptionError


def test_samples_are_repeatable_and_read_right(shipped_ontology: Ontology) -> None:
    ontology = shipped_ontology
    first = list(samples(ontology, "q-bio.NC", 200, seed=3))
    assert first == list(samples(ontology, "q-bio.NC", 200, seed=3))
    assert len(set(first)) > 190
    texts = [sample.partition("\n    ")[2] for sample in first]
    assert [text for text in texts if text.startswith("cannot be filled")] == []
    assert [text for text in texts if list(text_faults(text))] == []


def test_an_unknown_subfield_is_named(shipped_ontology: Ontology) -> None:
    with pytest.raises(InvalidOptionError, match=r"subfield 'q-bio\.XX'\. Rule: one of .*\bq-bio\.NC\b"):
        list(samples(shipped_ontology, "q-bio.XX", 1))


def test_command_prints_or_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["q-bio.NC", "2"]) == 0
    assert capsys.readouterr().out.count("\n    ") == 2
    assert main(["q-bio.NC", "many"]) == 2
    assert "SUBFIELD [COUNT [SEED]]" in capsys.readouterr().out
