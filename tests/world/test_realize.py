"""Compiled templates: the same words as the slow reference, slot by slot, and care for what they share."""

from __future__ import annotations

import gc

import pytest

from scholar_env.corpora.world import expand
from scholar_env.corpora.world.blocks import Where
from scholar_env.corpora.world.expand_context import StarvedError, new_context
from scholar_env.corpora.world.memory import collection_paused
from scholar_env.corpora.world.ontology import Ontology
from scholar_env.corpora.world.render.clause import TEXT_ROLES, Clause, join
from scholar_env.corpora.world.render.realize import Compiler
from scholar_env.corpora.world.render.words import Words
from scholar_env.corpora.world.templates import Literal, Mention, Template, parse, walk
from scholar_env.corpora.world.terms import Noun

FIRST, LAST = 0, 2**32 - 1


class Always:
    """Stands for `expand_context.Draws`: always takes the first option, or always the last."""

    def __init__(self, draw: int) -> None:
        self._draw = draw

    def below(self, bound: int) -> int:
        return self._draw * bound >> 32


def template_of(text: str) -> Template:
    return parse(text, Where("test", 1))


def is_alike(template: Template) -> bool:
    """Whether both ways have the same words for a template: the renderer has its own for free nouns and adjectives."""
    return not any(
        isinstance(node, Mention) and (node.type or node.adjective or node.form in ("again", "short"))
        for node in walk(template)
    )


@pytest.mark.parametrize("draw", [FIRST, LAST])
@pytest.mark.parametrize("name", ["cs.CL", "math.CO", "q-bio.NC"])
def test_frames_read_as_the_slow_reference_reads_them(shipped_ontology: Ontology, name: str, draw: int) -> None:
    ontology = shipped_ontology
    subfield = next(subfield for subfield in ontology.subfields if subfield.id == name)
    words, compiler = Words(ontology, subfield, train=False), Compiler(ontology)
    places = {noun.id: place for place, noun in enumerate(subfield.nouns)}
    concepts = {concept.id: place for place, concept in enumerate(subfield.concepts)}
    compared = 0
    for frame in ontology.frames:
        template = (*frame.subject, Literal(" "), *frame.predicate)
        if frame.nominal or frame.group not in ("any", subfield.group) or not is_alike(template):
            continue
        context = new_context(ontology, subfield, Always(draw))
        try:
            expected = expand.expand_frame(frame, context)
        except StarvedError:
            continue
        nouns = {role: places[thing.id] for role, thing in context.things.items() if isinstance(thing, Noun)}
        texts = {role: thing for role, thing in context.things.items() if isinstance(thing, str)}
        texts |= dict(zip(("unit", "units"), subfield.units[0], strict=True))
        texts |= {role: concept.name.text for role, concept in context.concepts.items()}
        plural = {role: concept.name.number == "pl" for role, concept in context.concepts.items()} | {"units": True}
        triple = tuple(concepts[context.concepts[role].id] for role in "PMO")
        clause = Clause(words, [draw] * 100, nouns=nouns, texts=texts, plural=plural, facts=expand.FACTS)
        clause.triple, clause.down = (triple[0], triple[1], triple[2]), context.direction
        said = " ".join(join(compiler.compile(template), clause).split()).replace(" ,", ",").replace(" ;", ";")
        assert said == expected, frame.id
        compared += 1
    assert compared > 300


def test_slots_keep_their_order_however_many_there_are(shipped_ontology: Ontology) -> None:
    words = Words(shipped_ontology, shipped_ontology.subfields[0], train=False)
    compiler = Compiler(shipped_ontology)
    for count in range(7):
        text = "100 % of" + "".join(f" {{n{place}:{place}-{place + 1}}}" for place in range(count)) + " %s"
        expected = "100 % of" + "".join(f" {place}" for place in range(count)) + " %s"
        assert join(compiler.compile(template_of(text)), Clause(words, [FIRST] * 10)) == expected


def test_a_mention_is_noted_where_it_may_be_left_out(shipped_ontology: Ontology) -> None:
    words = Words(shipped_ontology, shipped_ontology.subfields[0], train=False)
    compiler = Compiler(shipped_ontology)
    template = template_of("{effect} <on {dataset}>[ and {cause}|]")
    texts = {"dataset": "Orvane"}
    bare = Clause(words, [LAST] * 10, nouns={"effect": 0, "cause": 1})
    assert join(compiler.compile(template, record=False), bare).strip() == words.phrases[""][0]
    assert bare.said == set()
    full = Clause(words, [FIRST] * 10, nouns={"effect": 0, "cause": 1}, texts=texts)
    whole = f"{words.phrases[''][0]} on Orvane and {words.phrases[''][1]}"
    assert join(compiler.compile(template, record=False), full) == whole
    assert full.said == {"dataset", "cause"}
    assert {"dataset", "cause"} & TEXT_ROLES == {"dataset"}
    every = Clause(words, [FIRST] * 10, nouns={"effect": 0, "cause": 1}, texts=texts)
    assert join(compiler.compile(template), every) == whole
    assert every.said == {"effect", "dataset", "cause"}


def test_equal_templates_are_one_object(shipped_ontology: Ontology) -> None:
    compiler = Compiler(shipped_ontology)
    first, again = (compiler.compile(template_of("{effect} {be effect} small <{cond.pp}>")) for _ in range(2))
    assert first is again
    other = compiler.compile(template_of("{effect.pl} {be effect} small <{cond.pp}>"))
    assert other[1][1] is not first[1][1]  # agreement follows the form of the first mention
    assert other[1][2] is first[1][2]


def test_the_collector_is_as_it_was_after_a_pause() -> None:
    assert gc.isenabled()
    inside = []
    with pytest.raises(ZeroDivisionError), collection_paused():
        inside.append(1 // int(gc.isenabled()))
    assert inside == []
    assert gc.isenabled()
    gc.disable()
    try:
        with collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
