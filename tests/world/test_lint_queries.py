from __future__ import annotations

from pathlib import Path

import pytest

from scholar_env.corpora.world.lint_queries import lint_queries
from scholar_env.corpora.world.ontology import DATA, load, shipped_files

QUERIES = DATA / "frames" / "queries.txt"
KEPT = [path for path in shipped_files() if path.parent.name not in ("subfields", "frames")]


def findings(tmp_path: Path, old: str, new: str) -> list[tuple[str, str]]:
    """Findings on the shipped queries with one text replaced, over one subfield."""
    text = QUERIES.read_text(encoding="utf-8")
    assert old in text
    changed = tmp_path / "queries.txt"
    changed.write_text(text.replace(old, new), encoding="utf-8")
    ontology = load([*KEPT, DATA / "subfields" / "cs.IR.txt", changed])
    return [(finding.rule, finding.what) for finding in lint_queries(ontology)]


def test_the_shipped_queries_have_no_findings(tmp_path: Path) -> None:
    assert findings(tmp_path, "queries scholargym any", "queries scholargym any") == []


@pytest.mark.parametrize(
    ("old", "new", "rule", "message"),
    [
        ("with {topic} {facets}?", "with {topic}?", "slot", "says '{topic} {facets}' once"),
        ("deal with {topic} {facets}?", "deal with {topic} {facets}", "punctuation", "ends with no stop"),
        ("a01: which papers", "a01: Which papers", "capital", "starts with a capital"),
        ("a01: which papers", "a01: which papers by {P}", "slot", "a01"),
        ("| for=specific", "| for=special", "slot", "for=special"),
        (" e2: , considering {effect}", " e2: , considering {cause}", "slot", "names effect once"),
        (" e2: , considering {effect}", " e2: , considering a {effect}", "article", "'a' or 'an' stands before a slot"),
        (" h2: , in the face of {hazard}", " h2: , in the face of {hazard}.", "punctuation", "ends with a stop"),
        (" that rely on {M}\n", " that rely on {M} {O}\n", "slot", "names M, P once"),
        (" t3: ways of {P} | gerund=P", " t3: ways of {P} | gerund=M", "slot", "names no concept of its own"),
        (" v3: , involving {via}\n", "", "too-few", "7 phrases of facet-via"),
        (" | for=attribute", " | for=citation", "too-few", "0 frames for attribute"),
        ("literature", "papers", "skew", "'papers' stands in"),
        (" t4: {M} in the context of {O}", " t4: {M} in the the context of {O}", "article", "'the the'"),
        (" t4: {M} in the context of {O}", " t4: {M} of with {O}", "preposition", "'of with'"),
        (" q3: , as long as the study {ask}", " q3: , as long as a study study {ask}", "doubled-word", "'study study'"),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, old: str, new: str, rule: str, message: str) -> None:
    if rule == "skew":
        text = QUERIES.read_text(encoding="utf-8")
        old, new = "what research", "which papers"
        changed = text.replace("publications", "papers").replace("articles", "papers").replace("literature", "papers")
        folder = tmp_path / "skewed"
        folder.mkdir()
        path = folder / "queries.txt"
        path.write_text(changed.replace("studies", "papers").replace("references", "papers"), encoding="utf-8")
        found = [(entry.rule, entry.what) for entry in lint_queries(load([*KEPT, path]))]
    else:
        found = findings(tmp_path, old, new)
    assert any(own == rule and message in what for own, what in found), found
