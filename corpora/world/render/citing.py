"""Citation paragraphs and the list of references."""

from __future__ import annotations

from ..facts import SENTIMENTS
from .casting import CASTINGS, CONCEPT_ROLES
from .clauses import choose, fill
from .narrator import Narrator, Sentence
from .plans import finish
from .words import NAME, Surface

POINTERS = (
    "comparable questions arise in {title}, see {cited}",
    "outside our field, related ideas appear in {title} ({cited})",
    "parallels exist with {title}, for instance in the work of {cited}",
    "methods of a similar kind are used in {title} by {cited}",
    "we do not review {title}, where {cited} met related difficulties",
    "readers from {title} may recognize questions that {cited} discussed there",
)
"""Sentences that only point to papers of another field."""


def citation_paragraphs(narrator: Narrator) -> list[list[Sentence]]:
    """One paragraph for each group of references that the graph puts together."""
    shared, row = narrator.shared, narrator.row
    first, end = shared.starts[row], shared.starts[row + 1]
    groups: dict[int, list[tuple[int, str]]] = {}
    for place in range(first, end):
        entry = (shared.targets[place], SENTIMENTS[shared.sentiments[place]])
        groups.setdefault(shared.paragraphs[place], []).append(entry)
    paragraphs: list[list[Sentence]] = []
    waiting: list[Sentence] = []
    pointed = narrator.pick(len(POINTERS))
    for number in sorted(groups):
        sentences: list[Sentence] = []
        foreign: list[int] = []
        cited = groups[number]
        place = 0
        while place < len(cited):
            narrator.next_sentence()
            if shared.subfield[cited[place][0]] != shared.subfield[row]:
                foreign.append(cited[place][0])
                place += 1
                continue
            together = (
                place + 1 < len(cited)
                and cited[place][1] == cited[place + 1][1]
                and shared.subfield[cited[place + 1][0]] == shared.subfield[row]
                and narrator.chance(55)
            )
            group = cited[place : place + 2] if together else cited[place : place + 1]
            sentence = citing_sentence(narrator, [paper for paper, _ in group], group[0][1])
            if sentence is not None:
                sentences.append(sentence)
            place += len(group)
        pointing = pointers(narrator, foreign, pointed)
        pointed += len(pointing)
        waiting += pointing
        if sentences:
            paragraphs.append([*sentences, *waiting])
        elif paragraphs:
            paragraphs[-1].extend(waiting)
        else:  # related work does not begin with other fields
            continue
        waiting = []
    return [*paragraphs, waiting] if waiting else paragraphs


def pointers(narrator: Narrator, papers: list[int], first: int) -> list[Sentence]:
    """Sentences that only point to papers of other fields, one a field; `first` is the place of the first wording."""
    shared = narrator.shared
    by_field: dict[int, list[str]] = {}
    for paper in papers:
        by_field.setdefault(shared.subfield[paper], []).append(shared.cited(paper))
    sentences = []
    for number, (field, names) in enumerate(by_field.items()):
        cited = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        title = shared.words[field].subfield.title
        text = POINTERS[(first + number) % len(POINTERS)].format(title=title, cited=cited)
        sentences.append(Sentence(finish(text), []))
    return sentences


def citing_sentence(narrator: Narrator, cited: list[int], tone: str) -> Sentence | None:
    """What a paper says of one or two papers of its subfield that it cites."""
    shared, clause = narrator.shared, narrator.clause
    paper = cited[0]
    words = shared.words[shared.subfield[paper]]
    prop = "mention" if len(cited) == 1 else "comention"
    clause.words, clause.triple = words, shared.concepts[paper]
    clause.nouns = CASTINGS[prop][0].nouns(shared.cast[paper])
    clause.texts = {
        "system": shared.system_name(paper),
        "baseline": shared.rival_name(paper),
        "dataset": shared.dataset_name(paper),
        "cited": shared.cited(paper),
        "cited2": shared.cited(cited[-1]),
        "unit": words.units[0][0],
        "units": words.units[0][1],
    }
    clause.plural = {"units": True}
    for place, role in enumerate(CONCEPT_ROLES):
        surface = shared_surface(narrator, cited, place)
        clause.texts[role], clause.plural[role] = surface.text, surface.plural
    clause.numbers, clause.facts = {}, {}
    clause.silent = frozenset()
    clause.down = 0
    pool = shared.pools.toned(words.group, prop, tone)
    shape = choose(pool, clause, narrator.used) or choose(pool, clause, set())
    if shape is None:
        return None
    said = fill(shape, clause)
    if said is None:
        return None
    narrator.used.add(shape)
    return Sentence(finish(said.finite), [])


def shared_surface(narrator: Narrator, cited: list[int], place: int) -> Surface:
    """A concept of the cited paper; of two papers what both have, or its broader term."""
    shared = narrator.shared
    paper = cited[0]
    concept = shared.concepts[paper][place]
    words = shared.words[shared.subfield[paper]].concepts[concept]
    for other in cited[1:]:
        if shared.subfield[other] != shared.subfield[paper] or shared.concepts[other][place] != concept:
            return words.broader
    options = words.surfaces[NAME]
    return options[narrator.pick(len(options))]


def reference_list(narrator: Narrator) -> list[list[Sentence]]:
    """The references as printed, one a line."""
    shared = narrator.shared
    return [
        [Sentence(f"[{number + 1}] {shared.reference(cited)}", [])]
        for number, cited in enumerate(shared.references(narrator.row))
    ]
