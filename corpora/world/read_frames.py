"""Reader of frames, phrases, sentence plans, query frames and discourse orders."""

from __future__ import annotations

from . import complit_classes
from .blocks import Block, fail
from .query_classes import FACETS, TOPICS
from .registry import Registry, listed
from .templates import parse
from .terms import Frame, Order, Phrase

TONES = ("positive", "neutral", "negative")
SAYING = "say-"
"""Classes of sentences of the full text: this, and the proposition that they say."""

PHRASE_CLASSES = {
    "phrases": (
        *("hedge", "contrast", "addition", "cause", "concession", "sequence", "lead", "tail"),
        *("title", "survey", "survey-title"),
        *("figure-trend", "figure-peak", "figure-ordering", "table"),
        *TOPICS,
        *FACETS,
        *complit_classes.PHRASES,
    ),
    "plans": ("single", "contrast", "addition", "cause", "concession", "sequence", "elaboration"),
    "queries": ("scholargym", complit_classes.OPENING),
}


def group_of(block: Block, place: int, registry: Registry) -> str:
    """The group named in the head of a block.

    Raises:
        CorpusFormatError: It is neither `any` nor a group of the registry.
    """
    group = block.args[place] if len(block.args) == place + 1 else ""
    if group != "any" and group not in registry.groups:
        raise fail(
            block.where,
            f"'{block.kind} {' '.join(block.args)}'",
            f"the head ends with any or one of {', '.join(registry.groups)}",
            "name the group",
        )
    return group


def read_frames(block: Block, registry: Registry) -> list[Frame]:
    """Read a `frames PROP GROUP` block: `slug: subject // predicate | role=type,type moves=move`.

    Raises:
        CorpusFormatError: The proposition, a role, a type or a move is unknown, or the clause has no `//`.
    """
    group = group_of(block, 1, registry)
    prop = registry.props.get(block.args[0])
    if prop is None:
        raise fail(
            block.where,
            f"proposition '{block.args[0]}'",
            f"one of {', '.join(registry.props)}",
            "take one of the registry",
        )
    roles = {role.name: role.type for role in prop.roles}
    frames = []
    for line in block.lines:
        nominal = "nom" in line.extras
        narrows = {
            name: listed(value) for name, value in line.extras.items() if name not in ("nom", "moves", "since", "tone")
        }
        for name, types in narrows.items():
            if name not in roles or any(not registry.is_a(kind, (roles[name],)) for kind in types):
                raise fail(
                    line.where,
                    f"'{name}={','.join(types)}'",
                    f"roles and types of '{prop.id}' are {roles}; a frame only narrows them",
                    "correct it",
                )
        moves = listed(line.extras.get("moves", ""))
        if any(move not in registry.moves for move in moves):
            raise fail(
                line.where,
                f"moves={','.join(moves)}",
                f"moves are {', '.join(registry.moves)}",
                "take those of the registry",
            )
        tone = line.extras.get("tone", "")
        if prop.toned != (tone in TONES):
            raise fail(
                line.where,
                f"tone={tone} of a frame of '{prop.id}'",
                f"frames of mention and comention, and no others, have tone={'|'.join(TONES)}",
                "add or drop it",
            )
        subject, mark, predicate = line.text.partition(" // ")
        if nominal == bool(mark):
            raise fail(
                line.where,
                f"'{line.text}'",
                "a clause reads 'subject // predicate'; a nominal frame has no '//' and is marked '| nom'",
                "add or drop it",
            )
        frames.append(
            Frame(
                f"{group}/{prop.id}/{line.key}",
                prop.id,
                group,
                nominal,
                () if nominal else parse(subject, line.where),
                parse(line.text if nominal else predicate, line.where),
                line.text,
                narrows,
                moves,
                tone,
                line.where,
            )
        )
    return frames


def read_phrases(block: Block, registry: Registry) -> list[Phrase]:
    """Read a `phrases CLASS GROUP`, `plans RELATION GROUP` or `queries BENCHMARK GROUP` block.

    Raises:
        CorpusFormatError: The class is not one of the kind's.
    """
    group = group_of(block, 1, registry)
    saying = block.kind == "phrases" and block.args[0].removeprefix(SAYING) in registry.props
    if block.args[0] not in PHRASE_CLASSES[block.kind] and not saying:
        raise fail(
            block.where,
            f"'{block.kind} {block.args[0]}'",
            f"one of {', '.join(PHRASE_CLASSES[block.kind])}",
            "correct the head",
        )
    space = f"{group}/{block.kind}/{block.args[0]}"
    return [
        Phrase(
            f"{space}/{line.key}",
            block.kind,
            block.args[0],
            group,
            line.text,
            {**block.extras, **line.extras},
            line.where,
        )
        for line in block.lines
    ]


def read_order(block: Block, registry: Registry) -> Order:
    """Read an `order slug GROUP` block: `weight:`, `abstract:`, and `section: Title = move, move` for each section.

    Raises:
        CorpusFormatError: A move or proposition is not of the registry.
    """
    group = group_of(block, 1, registry)
    weight, abstract = 1, tuple[str, ...]()
    sections: list[tuple[str, tuple[str, ...]]] = []
    for line in block.lines:
        title, _, moves = line.text.rpartition("=")
        steps = listed(moves)
        if line.key == "weight" and line.text.isdigit():
            weight = int(line.text)
            continue
        if line.key not in ("abstract", "section") or (line.key == "section") != bool(title.strip()):
            raise fail(
                line.where,
                f"'{line.key}: {line.text}'",
                "'weight: n', 'abstract: move, move', 'section: Title = move, move'",
                "correct it",
            )
        for step in steps:
            move, _, prop = step.partition(":")
            if move not in registry.moves or (prop and prop not in registry.props):
                raise fail(
                    line.where, f"step '{step}'", "a step is a move, or move:proposition, of the registry", "correct it"
                )
        if line.key == "abstract":
            abstract = steps
        else:
            sections.append((title.strip(), steps))
    return Order(f"{group}/order/{block.args[0]}", group, weight, abstract, tuple(sections), block.where)
