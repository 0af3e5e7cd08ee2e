from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from scholar_env.corpora.world import lint as command
from scholar_env.corpora.world import lint_text as text_rules
from scholar_env.corpora.world.findings import Finding
from scholar_env.corpora.world.lint import lint, main
from scholar_env.corpora.world.lint_counts import lint_counts
from scholar_env.corpora.world.lint_forms import lint_forms
from scholar_env.corpora.world.lint_frames import lint_frames
from scholar_env.corpora.world.lint_reading import text_faults
from scholar_env.corpora.world.lint_text import lint_text
from scholar_env.corpora.world.lint_values import holds, lint_values
from scholar_env.corpora.world.ontology import Ontology, load, name_of

Rules = Callable[[Ontology], Iterator[Finding]]
# The rules are tried on files of the tests' own, so that no edit of what ships can break or hollow out a case.
FIXTURE = Path(__file__).parent / "fixture_ontology"
SUBFIELD, SCOPE = "q-bio.NC.txt", "evaluation-scope.txt"
ANY, BIOLOGY = "any.txt", "q-bio.txt"
TRIED = sorted(FIXTURE.glob("*.txt"))


def planted(folder: Path, file: str, old: str, new: str) -> tuple[Ontology, str, int]:
    """Load the files that are tried with one change; return it, the changed file's name, and the line of the change."""
    source = FIXTURE / file
    text = source.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {file}"
    path = folder / "planted.txt"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    ontology = load([path, *(other for other in TRIED if other != source)])
    return ontology, str(path), text[: text.index(old)].count("\n") + 1


def test_what_ships_is_clean(shipped_ontology: Ontology) -> None:
    assert lint(shipped_ontology) == []


def test_the_fixture_is_clean_before_a_fault_is_planted() -> None:
    assert lint(load(TRIED)) == []


class Fault(NamedTuple):
    """A change of a file of the fixture, and the finding that it must bring."""

    rules: Rules
    file: str
    old: str
    new: str
    rule: str
    message: str


FAULTS = [
    # wording of concepts
    Fault(
        lint_forms,
        SUBFIELD,
        "para: unit isolation from",
        "para: isolation of spikes from",
        "shared-stem",
        "share the stem 'spik'",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "func: deciding which cell produced",
        "func: deciding which neuron produced",
        "shared-stem",
        "in para of q-bio.NC/P/spike-sorting",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "para: readout of limb kinematics",
        "para: extracellular traces isolation unit",
        "duplicate-form",
        "same content words as a form of",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "func: deciding which cell produced each",
        "func: deciding which of two cells emitted each",
        "numeral",
        "'two' in",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "func: deciding which cell produced each",
        "func: deciding by some means which cell it was that produced each",
        "too-long",
        "at most 9",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "para: unit isolation from",
        "para: an isolation from",
        "article",
        "starts with an article",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "name: spike sorting",
        "name: spike sorting.",
        "punctuation",
        "ends with a stop",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "name: spike sorting",
        "name: spike sorting in {O}",
        "slot",
        "holds a slot",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "para*: attribution of",
        "para: attribution of",
        "heldout",
        "no form of q-bio.NC/P/spike-sorting is held out",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "para: unit isolation",
        "para*: unit isolation",
        "heldout",
        "every 'para:' of q-bio.NC/P/spike-sorting",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "name: spike sorting",
        "name*: spike sorting",
        "heldout",
        "the name of q-bio.NC/P/spike-sorting is held out",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        " para*: attribution of waveforms to neurons\n",
        "",
        "too-few",
        "has 1 'para:', at least 2",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "does: segment, assign, detect",
        "does: segment",
        "too-few",
        "verbs in 'does:'",
    ),
    Fault(
        lint_forms,
        SUBFIELD,
        "verbs: automate, perform, validate",
        "verbs: automate",
        "too-few",
        "verbs in 'verbs:'",
    ),
    # attributes
    Fault(
        lint_values,
        SCOPE,
        "para: everything was gathered under",
        "para: all sites were under",
        "shared-stem",
        "share the stem 'sit'",
    ),
    Fault(
        lint_values,
        SCOPE,
        "evid*: the apparatus in room",
        "evid*: the laboratory in room",
        "shared-stem",
        "(ask/expl of scope/single)",
    ),
    Fault(
        lint_values,
        SCOPE,
        "evid*: the apparatus in room",
        "evid*: the corridor in room",
        "shared-stem",
        "(para of scope/single)",
    ),
    Fault(
        lint_values,
        SCOPE,
        "room {n:101-399} served",
        "room {n:101-399} served for twelve days",
        "numeral",
        "'twelve' in",
    ),
    Fault(
        lint_values,
        SCOPE,
        "in room {n:101-399} served",
        "in room 17 served",
        "numeral",
        "'17' in",
    ),
    Fault(
        lint_values,
        SCOPE,
        "in room {n:101-399} served",
        "in room {n1} served",
        "numeral",
        "{n1} is used before",
    ),
    Fault(
        lint_values,
        SCOPE,
        "fits: single, repeated >> single, multi, transfer, simulated",
        "fits: single >> single, multi",
        "half-fits",
        "a half fits single;",
    ),
    Fault(
        lint_values,
        SCOPE,
        "fits: single, repeated >> single, multi, transfer, simulated",
        "fits: single, multi >> single, multi",
        "half-fits",
        "the halves fit multi, single",
    ),
    Fault(
        lint_values,
        SCOPE,
        "fits: single, repeated >> single, multi, transfer, simulated",
        "fits: single, multi",
        "half-fits",
        "2 halves and 1 lists",
    ),
    Fault(
        lint_values,
        SCOPE,
        "fits: single, repeated >> single, multi, transfer, simulated",
        "fits: single, lone >> single, multi",
        "unknown-id",
        "names lone",
    ),
    Fault(
        lint_values,
        SCOPE,
        "  fits: single, repeated >> single, multi, transfer, simulated",
        "  fits: single, repeated >> single, multi\n  where: n*2 >= 500",
        "where",
        "'where: n*2 >= 500' is false for {'n': 101}",
    ),
    Fault(
        lint_values,
        SCOPE,
        "  fits: single, repeated >> single, multi, transfer, simulated",
        "  fits: single, repeated >> single, multi\n  where: n**2 >= 5",
        "where",
        "cannot be computed",
    ),
    Fault(
        lint_values,
        SCOPE,
        "evid*: the apparatus",
        "evid: the apparatus",
        "heldout",
        "2 of 6 evidence sets of scope/single for cs",
    ),
    Fault(
        lint_values,
        SCOPE,
        " ask: is evaluated at a single site\n",
        "",
        "too-few",
        "scope/single has 2 'ask:' for cs, at least 3",
    ),
    Fault(
        lint_values,
        SCOPE,
        " weight: 4\n",
        " weight: 40\n",
        "skew",
        "scope/single has weight 40 of 52 in cs",
    ),
    Fault(
        lint_values,
        SCOPE,
        "expl: all {units} come from",
        "expl: All {units} come from",
        "capital",
        "starts with a capital",
    ),
    Fault(
        lint_values,
        SCOPE,
        "come from a single site",
        "come from a single site.",
        "punctuation",
        "ends with a stop",
    ),
    Fault(
        lint_values,
        SCOPE,
        "come from a single site",
        "come from a single site" + " and so on" * 10,
        "too-long",
        "at most 32",
    ),
    Fault(
        lint_values,
        SCOPE,
        " title: single site\n",
        " title: single site\n excludes: nowhere/nothing\n",
        "unknown-id",
        "excludes 'nowhere/nothing'",
    ),
    # a subfield as a whole
    Fault(
        lint_counts,
        SUBFIELD,
        " well-balanced: | only=calibration-trials",
        " well-balanced: | only=no-trials",
        "unknown-id",
        "'q-bio.NC/n/no-trials' is not in q-bio.NC",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        "theta-power: theta power",
        "theta-power: gamma power",
        "duplicate-form",
        "'gamma power' of q-bio.NC/n/theta-power",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        "light anesthesia / mass | prep=under",
        "light anesthesia / mass | prep=",
        "prep",
        "is a condition without prep=",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        "unit=Hz range=2.0-60.0",
        "range=2.0-60.0",
        "unit",
        "has a range without a unit",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        "units: session / sessions; recording / recordings; trial / trials",
        "units: trial / trials",
        "too-few",
        "has 1 units, at least 2",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        "fit C O\n",
        "fit P O\n",
        "table",
        "lacks 'fit C O'",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        " light-anesthesia:          2 0 1 1 0 1 0 0 0\n",
        "",
        "table",
        "has no row for q-bio.NC/n/light-anesthesia",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        " light-anesthesia:          2 0",
        " dark-anesthesia:          2 0",
        "unknown-id",
        "names q-bio.NC/n/dark-anesthesia",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        " spike-sorting:                 2 2 2 2 0 1 1 0 2\n",
        " spike-sorting: 2 0 0 0 0 0 0 0 0\n",
        "table",
        "has 1 partners in q-bio.NC/fit/PO",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        "recording time / mass\n",
        "recording time / mass | for=O/nobody\n",
        "unknown-id",
        "'q-bio.NC/O/nobody'",
    ),
    Fault(
        lint_counts,
        SUBFIELD,
        "nouns resource\n",
        "nouns resource | for=O/moving-rats\n",
        "starved",
        "0 nouns of type supply go with",
    ),
    # frames
    Fault(
        lint_frames,
        ANY,
        "c01: {cause} // {v:move cause effect} <{cond.pp}>",
        "c01: {cause} // {v:move cause effekt} <{cond.pp}>",
        "slot",
        "'effekt' in any/cause/c01",
    ),
    Fault(
        lint_frames,
        ANY,
        "c01: {cause} // {v:move cause effect} <{cond.pp}>",
        "c01: {cause} // {agree cause: acts/act}",
        "slot",
        "does not mention 'effect'",
    ),
    Fault(
        lint_frames,
        ANY,
        "c01: {cause} // {v:move cause effect} <{cond.pp}>",
        "c01: {cause} // {v:move cause effect} {cond.pp}",
        "slot",
        "optional 'cond' in any/cause/c01",
    ),
    Fault(
        lint_frames,
        ANY,
        "c01: {cause} // {v:move cause",
        "c01: {cause} // {v:shove cause",
        "slot",
        "verb class 'shove'",
    ),
    Fault(
        lint_frames,
        ANY,
        "c01: {cause} // {v:move cause effect}",
        "c01: {cause} // {v:move cause effect} in {x:ghost.pl}",
        "slot",
        "type 'ghost'",
    ),
    Fault(
        lint_frames,
        ANY,
        "c01: {cause} // {v:move cause effect}",
        "c01: {cause} // {v:move cause effect} by {fact:gain}",
        "slot",
        "quotes 'gain'",
    ),
    Fault(
        lint_frames,
        ANY,
        "c01: {cause} // {v:move cause",
        "c01: {cause} // {v:raise cause",
        "direction",
        "fixes the direction with 'raise'",
    ),
    Fault(
        lint_frames,
        ANY,
        "m01: {left} // {v:better left on}",
        "m01: {left} // {v:move left on}",
        "direction",
        "'comparison' has none",
    ),
    Fault(
        lint_frames,
        ANY,
        "c02: {effect} // {v:go effect}",
        "c02: {effect} // rises",
        "agreement",
        "'rises' starts the predicate",
    ),
    Fault(
        lint_frames,
        ANY,
        "c02: {effect} // {v:go effect} with {cause}",
        "c02: {effect} // {cause}",
        "agreement",
        "starts with no verb",
    ),
    Fault(
        lint_frames,
        ANY,
        "c10: {cause} // {agree cause: leads/lead} to",
        "c10: {cause} // {agree cause: leads/lead} to a {effect} and to",
        "article",
        "'a' or 'an' stands before a slot",
    ),
    Fault(
        lint_frames,
        ANY,
        "more than any other factor",
        "more than twelve factors",
        "numeral",
        "'twelve' in any/cause/c07",
    ),
    Fault(
        lint_frames,
        ANY,
        "c02: {effect} // {v:go effect} with {cause} <",
        "c02: {cause} // {v:move cause effect} <",
        "duplicate-form",
        "any/cause/c02 has the text of any/cause/c01",
    ),
    Fault(
        lint_frames,
        ANY,
        "<{cond.pp}>\n c02",
        "<under {cond.pp}>\n c02",
        "preposition",
        "any/cause/c01 filled from q-bio.NC",
    ),
    Fault(
        lint_frames,
        ANY,
        "c02: {effect} // {v:go effect} with {cause}",
        "c02: {effect} // {v:go effect} with the the {cause}",
        "doubled-word",
        "'the the'",
    ),
    Fault(
        lint_frames,
        ANY,
        "{dir: an increase/a decrease} in {effect} <{cond.pp}>\n c11",
        "[a increase|an decrease] in {effect} <{cond.pp}>\n c11",
        "article",
        "filled from q-bio.NC",
    ),
    Fault(
        lint_frames,
        BIOLOGY,
        "in {x:structure} but not",
        "in {x:asset} but not",
        "starved",
        "cannot be filled from q-bio.NC",
    ),
    Fault(
        lint_frames,
        BIOLOGY,
        " c01: {cause} in {O} // {v:move cause effect} <{cond.pp}>\n",
        "",
        "too-few",
        "9 frames of 'cause' for q-bio",
    ),
    Fault(
        lint_frames,
        SCOPE,
        "expl: all {units} come from a single site",
        "expl: we note that [all|] {x:observable} was taken at a single site",
        "agreement",
        "'was' behind {x}; write {be x}",
    ),
    Fault(
        lint_frames,
        SCOPE,
        "para: everything was gathered",
        "para: {O} are rare, so all was gathered",
        "agreement",
        "'are' behind {O}",
    ),
    Fault(
        lint_frames,
        SCOPE,
        "evid: the same operator handled",
        "evid: unless [seen|touched] by hand, the {x:observable.bare} is",
        "agreement",
        "'is' behind {x}",
    ),
    Fault(
        lint_frames,
        SCOPE,
        "expl: all {units} come",
        "expl: all the {x:instrument} come",
        "article",
        "'the a'",
    ),
    Fault(
        lint_frames,
        SCOPE,
        "expl: all {units} come",
        "expl: all {x:asset.pl} come",
        "starved",
        "cannot be filled from q-bio.NC",
    ),
    # all files together
    Fault(
        lint_text,
        SUBFIELD,
        "concept P/movement-decoding",
        "concept P/spike-sorting",
        "duplicate-id",
        "'q-bio.NC/P/spike-sorting' is defined at",
    ),
    Fault(
        lint_text,
        SUBFIELD,
        "eponyms\n",
        "retired\n id: q-bio.NC/n/firing-rate\n\neponyms\n",
        "retired-id",
        "'q-bio.NC/n/firing-rate' was retired at",
    ),
    Fault(
        lint_text,
        BIOLOGY,
        "c01: {cause} in {O} //",
        "c01: everything was gathered under the same roof //",
        "repeated-run",
        "'everything was gathered under the same",
    ),
    Fault(
        lint_text,
        SUBFIELD,
        "func: describing many channels",
        "func: summarising many channels",
        "spelling",
        "'summarising' looks British",
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.rule}-{fault.new[:20].strip()}")
def test_a_planted_fault_is_found(tmp_path: Path, fault: Fault) -> None:
    ontology, name, line = planted(tmp_path, fault.file, fault.old, fault.new)
    found = [item for item in fault.rules(ontology) if item.rule == fault.rule and fault.message in item.what]
    assert found
    if fault.rule in (
        "shared-stem",
        "numeral",
        "punctuation",
        "capital",
        "slot",
        "direction",
        "article",
        "where",
        "spelling",
    ):
        assert any(finding.where.file == name and abs(finding.where.line - line) <= 1 for finding in found), found


@pytest.mark.parametrize(
    ("rules", "file", "old", "new"),
    [
        (lint_values, SCOPE, " para: everything was", " para@q-bio,cs: everything was"),
        (lint_values, SCOPE, " title: single site\n", " title: single site\n excludes: nowhere/nothing?\n"),
        (lint_values, SCOPE, "transfer, simulated\n", "transfer, simulated\n  where: 100 < n <= 399\n"),
        (lint_frames, SCOPE, "expl: all {units} come from", "expl: the census [on|about] {O} was taken at"),
        (lint_frames, SCOPE, "expl: all {units} come from", "expl: the data behind the {x:observable.bare} are of"),
        (lint_forms, SUBFIELD, "name: two-photon calcium imaging", "name: 2P calcium imaging"),
        (lint_counts, SUBFIELD, "recording time / mass\n", "recording time / mass | not=O/moving-rats\n"),
        (
            lint_frames,
            ANY,
            "c02: {effect} // {v:go effect}",
            "c02: {effect} // consistently rose, it seems, and {v:go effect}",
        ),
        (lint_text, SUBFIELD, "func: describing many channels", "func: supervising many channels"),
    ],
)
def test_what_is_allowed_is_not_found(tmp_path: Path, rules: Rules, file: str, old: str, new: str) -> None:
    ontology, _, _ = planted(tmp_path, file, old, new)
    assert list(rules(ontology)) == []


@pytest.mark.parametrize(
    ("head", "what"),
    [
        ("concept P/", "concepts of kind P, at least 8"),
        ("concept M/", "concepts of kind M, at least 10"),
        ("concept O/", "concepts of kind O, at least 8"),
        ("nouns ", "typed nouns, at least 120"),
        ("nouns parameter", "nouns of type knob, at least 6"),
        ("nouns condition", "nouns of type setting, at least 12"),
        ("verbs ", "verbs, at least 30"),
        ("verbs ", "verb classes with verbs of its own, at least 10"),
        ("adjectives ", "adjectives, at least 40"),
        ("eponyms", "eponyms, at least 8"),
    ],
)
def test_a_subfield_that_is_too_small_is_found(tmp_path: Path, head: str, what: str) -> None:
    kept: list[str] = []
    skip = False
    for line in (FIXTURE / SUBFIELD).read_text(encoding="utf-8").split("\n"):
        if line and line[0] not in " #":
            skip = line.startswith(head)
        if not skip:
            kept.append(line)
    path = tmp_path / "small.txt"
    path.write_text("\n".join(kept), encoding="utf-8")
    found = [finding for finding in lint_counts(load([path])) if finding.rule == "too-few"]
    assert any(f"q-bio.NC has 0 {what}" in finding.what for finding in found), found


def test_a_wrong_share_of_held_out_forms_is_found(tmp_path: Path) -> None:
    text = (FIXTURE / SUBFIELD).read_text(encoding="utf-8")
    path = tmp_path / "shares.txt"
    for level, old, new, share in (
        ("functional descriptions", " func*: ", " func: ", "0%"),
        ("paraphrases", " para: ", " para*: ", "100%"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        found = [finding.what for finding in lint_forms(load([path])) if finding.rule == "heldout"]
        assert f"{share} of the {level} of q-bio.NC are held out, a third (20% to 45%) is wanted" in found


def test_too_few_possible_triples_are_found(tmp_path: Path) -> None:
    text = (FIXTURE / SUBFIELD).read_text(encoding="utf-8")
    start = text.index("fit M O")
    table, rest = text[start:].split("fit C O")
    path = tmp_path / "sparse.txt"
    path.write_text(text[:start] + table.replace(" 2", " 0").replace(" 1", " 0") + "fit C O" + rest, encoding="utf-8")
    found = [finding.what for finding in lint_counts(load([path])) if finding.rule == "table"]
    assert "0 problem, method, object triples are possible, at least 80 are needed" in found


def test_too_few_values_and_forms_are_found(tmp_path: Path) -> None:
    text = (FIXTURE / SCOPE).read_text(encoding="utf-8")
    path = tmp_path / "short.txt"
    path.write_text(text[: text.index("value simulated")], encoding="utf-8")
    found = [finding.what for finding in lint_values(load([path])) if finding.rule == "too-few"]
    assert found == ["attribute 'scope' has 4 values, at least 5 are needed"]
    evidence = [line for line in text.split("\n") if line.startswith((" evid", "  fits"))][:2]
    path.write_text(text.replace("\n".join(evidence) + "\n", "", 1), encoding="utf-8")
    found = [finding.what for finding in lint_values(load([path])) if finding.rule == "too-few"]
    assert found == [
        f"scope/single has 5 evidence sets for {group}, at least 6 are needed"
        for group in ("cs", "stat", "eess", "q-bio")
    ]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a unit and an hour of an EEG", None),
        ("rates rise from within the cortex", None),
        ("a hour later", "article"),
        ("an unit", "article"),
        ("the this signal", "article"),
        ("rates rise rise", "doubled-word"),
        ("seen during under light", "preposition"),
        ("rates rise , then fall", "punctuation"),
        ("the {cause} rises", "punctuation"),
        ("word " * 23 + "and " + "more " + "thing " * 22, "too-long"),
    ],
)
def test_faults_of_a_filled_text(text: str, rule: str | None) -> None:
    rules = [found for found, _ in text_faults(text)]
    assert rules == [] if rule is None else rule in rules


def test_conditions_are_integer_comparisons() -> None:
    assert holds("n1*n2 // 60 >= 500", {"n1": 300, "n2": 100})
    assert not holds("n1 + 1 < n2 - 1 <= 4", {"n1": 2, "n2": 6})
    for condition in ("n1 + 2", "n1.real > 1", "f(n1) > 1", "n1 > 1.5", "other > 1"):
        with pytest.raises(ValueError, match=r".+"):
            holds(condition, {"n1": 2})


class FakeSpellChecker:
    """A word list that lacks two words."""

    def unknown(self, words: Iterator[str]) -> set[str]:
        return {word for word in words if word in ("kinematics", "opsin")}


def test_the_word_list_is_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("spellchecker")
    monkeypatch.setattr(module, "SpellChecker", FakeSpellChecker, raising=False)
    monkeypatch.setitem(sys.modules, "spellchecker", module)
    monkeypatch.setattr(text_rules, "spell_checker_present", lambda: True)
    (found,) = lint_text(load(TRIED))
    assert (found.rule, found.where.file) == ("spelling", name_of(FIXTURE / SUBFIELD))
    assert found.what.startswith("'kinematics' is not in the word list")  # opsin stands in a words block


def test_command_prints_findings_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "shipped_files", lambda: TRIED)
    assert main([]) == 0
    assert "0 findings" in capsys.readouterr().out
    text = (FIXTURE / SCOPE).read_text(encoding="utf-8").replace("attribute scope", "attribute range")
    path = tmp_path / "mine.txt"
    path.write_text(text.replace("come from a single site", "come from a single site."), encoding="utf-8")
    assert main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    line = text[: text.index("come from a single site")].count("\n") + 1
    assert (
        f"{path}:{line}: punctuation: 'all {{units}} come from a single site.' ends with a stop; the renderer sets it"
        in lines
    )
    attributes = load([*TRIED, path]).attributes
    counts = f"{len(attributes)} attributes with {sum(len(entry.values) for entry in attributes)} values"
    assert len(attributes) == 2
    assert any(line.startswith("read: ") and counts in line for line in lines)
    path.write_text("attribute x\n titel: y\n", encoding="utf-8")
    assert main([str(path)]) == 1
    assert f"{path}:2: key 'titel'" in capsys.readouterr().out
