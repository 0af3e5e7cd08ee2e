"""Citation paragraphs and the list of references."""

from __future__ import annotations

from ..facts import ROLE_PARTS, SENTIMENTS
from .casting import CONCEPT_ROLES, PART_OF
from .clauses import choose, fill
from .narrator import Narrator, Sentence
from .plans import finish
from .words import NAME, Surface

POINTERS = (
    "for comparable questions in {title}, see {cited}",
    "similar points were made in {title} by {cited}",
)
NEUTRAL = {"neutral"}


def citation_paragraphs(narrator: Narrator) -> list[list[Sentence]]:
    """One paragraph for each group of references that the graph puts together."""
    shared, row = narrator.shared, narrator.row
    first, end = shared.starts[row], shared.starts[row + 1]
    groups: dict[int, list[tuple[int, str]]] = {}
    for place in range(first, end):
        entry = (shared.targets[place], SENTIMENTS[shared.sentiments[place]])
        groups.setdefault(shared.paragraphs[place], []).append(entry)
    paragraphs = []
    abroad = False
    for number in sorted(groups):
        sentences: list[Sentence] = []
        cited = groups[number]
        place = 0
        while place < len(cited):
            narrator.next_sentence()
            three = cited[place : place + 3]
            if len(three) == 3 and {tone for _, tone in three} == NEUTRAL and narrator.chance(0):
                sentences.append(listing(narrator, [paper for paper, _ in three]))
                place += 3
                continue
            foreign = shared.subfield[cited[place][0]] != shared.subfield[row]
            if foreign and (abroad or narrator.group == "math"):
                sentences.append(pointer(narrator, cited[place][0]))
                place += 1
                continue
            abroad = abroad or foreign
            together = place + 1 < len(cited) and cited[place][1] == cited[place + 1][1] and narrator.chance(55)
            group = cited[place : place + 2] if together else cited[place : place + 1]
            sentence = citing_sentence(narrator, [paper for paper, _ in group], group[0][1])
            if sentence is not None:
                sentences.append(sentence)
            place += len(group)
        if sentences:
            paragraphs.append(sentences)
    return paragraphs


def pointer(narrator: Narrator, paper: int) -> Sentence:
    """A sentence that only points to a paper of another field."""
    shared = narrator.shared
    title = shared.words[shared.subfield[paper]].subfield.title
    text = POINTERS[narrator.pick(len(POINTERS))].format(title=title, cited=shared.cited(paper))
    return Sentence(finish(text), [])


def listing(narrator: Narrator, cited: list[int]) -> Sentence:
    """A sentence that names papers without saying what each of them did."""
    shared = narrator.shared
    names = [shared.cited(paper) for paper in cited]
    options = shared.exhibits.of(narrator.group, "citation-list")
    parts = options[narrator.pick(len(options))]
    text = narrator.phrase(parts, {}, cited=f"{', '.join(names[:-1])} and {names[-1]}")
    return Sentence(finish(text or f"see also {', '.join(names)}"), [])


def citing_sentence(narrator: Narrator, cited: list[int], tone: str) -> Sentence | None:
    """What a paper says of one or two papers that it cites, in the words of their subfield."""
    shared, clause = narrator.shared, narrator.clause
    paper = cited[0]
    words = shared.words[shared.subfield[paper]]
    prop = "mention" if len(cited) == 1 else "comention"
    cast = shared.cast[paper]
    clause.words, clause.triple = words, shared.concepts[paper]
    clause.nouns = {role: cast[PART_OF[part]] for role, part in ROLE_PARTS[prop].items() if cast[PART_OF[part]] >= 0}
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
    if words is narrator.words:
        return Sentence(finish(said.finite), [])
    return Sentence(finish(f"in {words.subfield.title}, {said.finite}"), [])


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
