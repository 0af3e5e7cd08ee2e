"""The linter on CompLit's frames: each rule is broken once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scholar_env.corpora.world.lint_complit import lint_complit
from scholar_env.corpora.world.ontology import Ontology


def changed(ontology: Ontology, cls: str, text: str, **extras: str) -> Ontology:
    """The ontology with the first phrase of a class reworded, and one subfield to be quick."""
    place = next(at for at, phrase in enumerate(ontology.phrases) if phrase.cls == cls)
    phrase = replace(ontology.phrases[place], text=text, extras={**ontology.phrases[place].extras, **extras})
    phrases = (*ontology.phrases[:place], phrase, *ontology.phrases[place + 1 :])
    return replace(ontology, phrases=phrases, subfields=ontology.subfields[:1])


def test_the_shipped_frames_pass(shipped_ontology: Ontology) -> None:
    assert list(lint_complit(shipped_ontology)) == []


@pytest.mark.parametrize(
    ("cls", "text", "rule", "what"),
    [
        ("complit", "why not", "punctuation", "ends with no stop"),
        ("complit", "Why not?", "capital", "starts with a capital"),
        ("complit-more", "it {b}.", "slot", "once each"),
        ("complit-more", "it is.", "slot", "holds nothing"),
        ("claim-p", "about {P}", "agreement", "no verb in the third person"),
        ("claim-m", "is about it", "slot", "names M"),
        ("claim-o", "is about {O}.", "punctuation", "ends with a stop"),
        ("claim-cond", "is on {cond.pp}", "preposition", "on"),
    ],
)
def test_each_rule(shipped_ontology: Ontology, cls: str, text: str, rule: str, what: str) -> None:
    found = [finding for finding in lint_complit(changed(shipped_ontology, cls, text)) if finding.rule == rule]
    assert any(what in finding.what for finding in found), found


def test_purposes_are_known_and_have_enough_openings(shipped_ontology: Ontology) -> None:
    found = [str(finding) for finding in lint_complit(changed(shipped_ontology, "complit", "why?", **{"for": "fun"}))]
    assert any("for=fun" in line for line in found)
    assert any("5 for the purpose " in line and "at least 6" in line for line in found)
