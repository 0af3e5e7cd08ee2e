"""The renderer: sentences that read right, a record that is true, and texts that depend on the paper alone."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

import pytest

from scholar_env.corpora.world.facts import CAST, Facts
from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.lint_reading import text_faults
from scholar_env.corpora.world.morphology import content_stems
from scholar_env.corpora.world.render.draft import ACKNOWLEDGMENTS, DECLARATIONS, PER_CLOSING
from scholar_env.corpora.world.render.moves import steps_of
from scholar_env.corpora.world.render.rendered import ABSTRACT, BODY, TITLE, Rendered
from scholar_env.corpora.world.render.renderer import Renderer
from scholar_env.corpora.world.render.shared import EXPLICIT, INFERRED, PARAPHRASED
from scholar_env.corpora.world.render.words import FUNCTION, NAME, PARAPHRASE
from scholar_env.corpora.world.shipped import shipped_ontology as ontology
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.templates import literal_words

PAPERS = 320


@cache
def facts_of(seed: int, train: bool) -> Facts:
    return build_facts(ontology(), WorldSpec(seed=seed, papers=PAPERS, train=train))


@cache
def world(seed: int = 11, train: bool = False) -> tuple[Renderer, list[Rendered]]:
    renderer = Renderer(ontology(), WorldSpec(seed=seed, papers=PAPERS, train=train), facts_of(seed, train))
    return renderer, [renderer.paper(row) for row in range(PAPERS)]


def sentences_of(text: str) -> list[str]:
    """Sentences, the ends of "et al." and initials left alone."""
    return [part for part in re.split(r"(?<=[a-z0-9)]\.)\s+(?=[A-Z0-9])", text) if part and not part.endswith("al.")]


def test_two_thousand_random_sentences_read_right() -> None:
    _, papers = world()
    pool = [
        sentence
        for paper in papers
        for place in [paper.abstract, *(s.text for s in paper.sections if s.title != "References")]
        for sentence in sentences_of(place)
        if not sentence.startswith("Figure")
    ]
    faults = [
        (rule, what, sentence)
        for sentence in random.Random(5).sample(pool, 2000)
        for rule, what in text_faults(sentence)
        if rule != "too-long"
    ]
    assert faults == []


def test_sentences_have_capitals_stops_and_no_open_slot() -> None:
    _, papers = world()
    for paper in papers:
        for sentence in sentences_of(paper.abstract):
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
            assert sentence.endswith("."), sentence
        everything = " ".join([paper.title, paper.abstract, *(section.text for section in paper.sections)])
        assert not re.search(r"[{}<>|\[\]]", re.sub(r"\[\d+\]", "", everything))
        assert not re.search(r"(?<![.]) None\b", everything)


def test_subjects_and_verbs_agree() -> None:
    renderer, papers = world()
    singular, plural = {"is", "was", "has", "does"}, {"are", "were", "have", "do"}
    facts = facts_of(11, False)
    checked = 0
    for row, paper in enumerate(papers):
        words = renderer.shared.words[renderer.shared.subfield[row]]
        numbers = {words.phrases[""][noun]: words.plurals[""][noun] for noun in facts.cast[row].tolist() if noun >= 0}
        for section in paper.sections:
            for sentence in sentences_of(section.text):
                lowered = sentence[0].lower() + sentence[1:]
                for phrase, is_plural in numbers.items():
                    if lowered.startswith(phrase + " "):
                        verb = lowered[len(phrase) + 1 :].split(" ")[0]
                        assert verb not in (singular if is_plural else plural), sentence
                        checked += verb in singular | plural
    assert checked > 30


def test_every_statement_lies_where_the_record_says() -> None:
    renderer, papers = world()
    shared = renderer.shared
    names = {code: name for name, code in shared.fact_codes.items()}
    levels: Counter[tuple[str, int]] = Counter()
    for row, paper in enumerate(papers):
        words = shared.words[shared.subfield[row]]
        for statement in paper.statements:
            text = paper.text_of(statement.place)
            sentence = text[statement.start : statement.end]
            assert sentence
            assert sentence == sentence.strip()
            if statement.place != TITLE:
                assert sentence.endswith(".")
                assert statement.start == 0 or text[statement.start - 1] in " \n"
            fact = names[statement.fact]
            levels[fact, statement.level] += 1
            lowered = sentence.lower()
            if statement.fact < 3:
                concept = words.concepts[shared.concepts[row][statement.fact]]
                forms = [surface.text for surface in concept.surfaces[statement.level]]
                if statement.level == NAME and concept.short:
                    forms.append(concept.short)
                assert any(form.lower() in lowered for form in forms), (fact, statement.level, sentence)
            elif fact == "system":
                assert shared.system_name(row) in sentence
            elif fact == "dataset":
                assert shared.dataset_name(row) in sentence
            elif fact == "baseline":
                assert shared.rival_name(row) in sentence
            elif fact in CAST:
                noun = words.subfield.nouns[shared.cast[row][CAST.index(fact)]]
                wordings = [text.lower() for text in (noun.singular, noun.plural, noun.short) if text]
                entry = ontology().registry.types[noun.type]
                wordings += [f"this {entry.singular}", f"these {entry.plural}"]
                assert any(text in lowered for text in wordings), (fact, noun.id, sentence)
    for fact in ("P", "M", "O"):
        assert all(levels[fact, level] > 0 for level in (NAME, PARAPHRASE, FUNCTION))
    for attribute in ontology().attributes:
        assert all(levels[attribute.id, level] > 0 for level in (EXPLICIT, PARAPHRASED, INFERRED)), attribute.id


def test_abstracts_name_problem_method_and_object() -> None:
    _, papers = world()
    facts = facts_of(11, False)
    named = [
        {statement.fact for statement in paper.statements if statement.place == ABSTRACT}
        for row, paper in enumerate(papers)
        if not facts.survey[row]
    ]
    assert sum({0, 1, 2} <= said for said in named) >= 0.98 * len(named)


def test_halves_of_evidence_stand_in_different_sections() -> None:
    renderer, papers = world()
    first = renderer.shared.first_attribute
    seen = 0
    for paper in papers:
        places: dict[int, list[int]] = {}
        for statement in paper.statements:
            if statement.fact >= first and statement.level == INFERRED:
                places.setdefault(statement.fact, []).append(statement.place)
        for where in places.values():
            assert len(where) >= 2
            assert len(set(where)) >= 2
            assert min(where) >= BODY
            seen += 1
    assert seen > PAPERS


def test_paraphrases_and_evidence_share_no_stem_with_what_a_query_asks() -> None:
    renderer, papers = world()
    shared = renderer.shared
    first = shared.first_attribute
    checked = 0
    for row, paper in enumerate(papers):
        noun_stems = {
            stem
            for noun in shared.words[shared.subfield[row]].subfield.nouns
            for stem in content_stems(f"{noun.singular} {noun.plural}")
        }
        for pair in shared.words[shared.subfield[row]].units:
            noun_stems |= set(content_stems(" ".join(pair)))
        for place in shared.concepts[row]:
            concept = shared.words[shared.subfield[row]].subfield.concepts[place]
            noun_stems |= set(content_stems(" ".join([*(form.text for form in concept.forms), *concept.refer])))
        for statement in paper.statements:
            if statement.fact < first or statement.level == EXPLICIT:
                continue
            attribute = statement.fact - first
            value = ontology().attributes[attribute].values[shared.attributes[row][attribute]]
            wanted = {stem for ask in value.asks for stem in content_stems(literal_words(ask.text))}
            said = content_stems(paper.text_of(statement.place)[statement.start : statement.end])
            assert not (set(said) & wanted) - noun_stems, (value.id, said)
            checked += 1
    assert checked > 300


def test_every_step_of_every_order_has_sentences_for_a_paragraph() -> None:
    passages = world()[0].shared.passages
    groups = sorted({subfield.group for subfield in ontology().subfields})
    for order in ontology().orders:
        for _, steps in order.sections:
            for move, prop in steps_of(steps):
                group = order.group
                letters = passages.of(group, prop)
                assert len(letters) >= 3, (order.id, move, prop)
                assert all(line.id.startswith(("any/", f"{group}/")) for lines in letters for line in lines)
    for group in groups:
        shared_lines = {
            line.id for lines in passages.of(group, "cause") for line in lines if line.id.startswith("any/")
        }
        assert bool(shared_lines) == (group != "math")


def test_a_paragraph_names_a_concept_in_full_only_once() -> None:
    renderer, papers = world()
    shared = renderer.shared
    seen = 0
    for row, paper in enumerate(papers):
        concept = shared.words[shared.subfield[row]].concepts[shared.concepts[row][1]]
        for section in paper.sections:
            if not section.title.startswith(("Discussion", "Limitations", "Conclusion", "Caveats")):
                continue
            for paragraph in section.text.split("\n\n"):
                again = f" by means of {concept.later.text}"
                seen += again in paragraph or f"combine {concept.later.text}" in paragraph
                for surface in concept.surfaces[NAME]:
                    first = f"by means of {surface.text}."
                    assert not (first in paragraph and f"combine {surface.text} with" in paragraph), paragraph
    assert seen > 10


def test_abstracts_quote_the_numbers_of_the_figures() -> None:
    renderer, papers = world()
    shared = renderer.shared
    quoted = 0
    for row, paper in enumerate(papers):
        body = "\n".join(section.text for section in paper.sections)
        numbers = shared.curve_numbers(row, "comparison")
        if numbers and not shared.survey[row]:
            assert f"{shared.system_name(row)} {numbers['own']}, {shared.rival_name(row)} {numbers['other']}" in body
        numbers = shared.curve_numbers(row, "trend")
        if numbers and not shared.survey[row]:
            assert f"({numbers['from']}: {numbers['first']}, " in body
            assert f"{numbers['to']}: {numbers['last']})" in body
            quoted += numbers["from"] in paper.abstract and numbers["first"] in paper.abstract
    assert quoted > PAPERS / 5


def test_closing_sections_hold_few_attributes() -> None:
    renderer, papers = world()
    first = renderer.shared.first_attribute
    for paper in papers:
        for number, section in enumerate(paper.sections):
            if section.title in (ACKNOWLEDGMENTS, DECLARATIONS):
                stated = {(entry.start, entry.end) for entry in paper.statements if entry.place == BODY + number}
                facts = {entry.fact for entry in paper.statements if entry.place == BODY + number}
                assert 1 <= len(stated) <= PER_CLOSING, section
                assert any(fact >= first for fact in facts)


def test_attributes_stand_behind_run_in_headings() -> None:
    renderer, papers = world()
    shared = renderer.shared
    seen = set()
    for paper in papers:
        for entry in paper.statements:
            attribute = entry.fact - shared.first_attribute
            if attribute >= 0 and entry.place >= BODY:
                before = paper.sections[entry.place - BODY].text[: entry.start].rpartition("\n\n")[2]
                assert before.removesuffix(". ") in shared.attribute_labels[attribute]
                seen.add(before)
    assert len(seen) == sum(len(labels) for labels in shared.attribute_labels)


def test_papers_of_other_fields_are_only_pointed_to() -> None:
    renderer, papers = world()
    shared = renderer.shared
    pointed = 0
    for row, paper in enumerate(papers):
        body = "\n".join(section.text for section in paper.sections if section.title != "References")
        for cited in shared.references(row):
            if shared.subfield[cited] == shared.subfield[row] or shared.survey[row]:
                continue
            name = shared.cited(cited)
            title = shared.words[shared.subfield[cited]].subfield.title
            sentences = [sentence for sentence in sentences_of(body) if name in sentence]
            assert any(title in sentence for sentence in sentences), (name, sentences)
            pointed += 1
    assert pointed > 50


def test_training_worlds_never_show_what_is_held_out() -> None:
    _, papers = world(seed=4, train=True)
    text = "\n".join(
        " ".join([paper.title, paper.abstract, *(section.text for section in paper.sections)]) for paper in papers
    ).lower()
    held = [
        form.text.lower()
        for subfield in ontology().subfields
        for concept in subfield.concepts
        for form in concept.forms
        if form.heldout
    ]
    held += [
        form.text.lower()
        for attribute in ontology().attributes
        for value in attribute.values
        for form in (*value.explicit, *value.paraphrased)
        if form.heldout and "{" not in form.text and "[" not in form.text
    ]
    assert len(held) > 500
    assert [form for form in held if form in text] == []
    _, tested = world()
    text = "\n".join(
        " ".join([paper.title, paper.abstract, *(section.text for section in paper.sections)]) for paper in tested
    ).lower()
    assert sum(form in text for form in held) > 50


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_a_paper_depends_on_nothing_but_itself(order: str) -> None:
    _, papers = world()
    spec = WorldSpec(seed=11, papers=PAPERS)
    renderer = Renderer(ontology(), spec, facts_of(11, False))
    rows = range(60) if order == "forward" else reversed(range(60))
    for row in rows:
        assert renderer.paper(row) == papers[row]
        assert renderer.title(row) == papers[row].title


def test_copies_repeat_their_original() -> None:
    facts = facts_of(11, False)
    _, papers = world()
    copies = [row for row in range(PAPERS) if facts.copy_of[row] >= 0]
    assert copies
    for row in copies:
        assert papers[row] == papers[facts.copy_of[row]]
