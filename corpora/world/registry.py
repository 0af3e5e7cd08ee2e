"""The closed lists of the ontology (shared/registry.txt): groups, noun types, verb classes, propositions, slots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .blocks import Block, Line, fail


@dataclass(frozen=True)
class NounType:
    """A type of nouns: its class noun and the defaults of its nouns."""

    id: str
    singular: str
    plural: str
    parents: tuple[str, ...]
    abstract: bool
    det: str
    prep: str
    good: str


@dataclass(frozen=True)
class VerbClass:
    """A class of verbs, or a pair of classes between which `by` (dir or good) decides."""

    id: str
    subject: tuple[str, ...]
    object: tuple[str, ...]
    pair: tuple[str, str] | None
    by: str


@dataclass(frozen=True)
class Role:
    """An argument of a proposition."""

    name: str
    type: str
    optional: bool


@dataclass(frozen=True)
class Prop:
    """A proposition type: what a sentence says, whatever its words."""

    id: str
    roles: tuple[Role, ...]
    directed: bool
    toned: bool
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Registry:
    """All closed lists."""

    groups: dict[str, str] = field(default_factory=dict)
    types: dict[str, NounType] = field(default_factory=dict)
    classes: dict[str, VerbClass] = field(default_factory=dict)
    props: dict[str, Prop] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    slots: dict[str, str] = field(default_factory=dict)
    _above: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)
    _leaves: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    def is_a(self, kind: str, wanted: Iterable[str]) -> bool:
        """Tell whether a noun type is one of the wanted types or below one of them."""
        return not self.above(kind).isdisjoint(wanted)

    def above(self, kind: str) -> frozenset[str]:
        """A noun type with all of its broader types."""
        if kind not in self._above:
            parents = self.types[kind].parents if kind in self.types else ()
            self._above[kind] = frozenset({kind}).union(*(self.above(parent) for parent in parents))
        return self._above[kind]

    def leaves(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """Concrete types at or below the wanted ones, in the order of the registry."""
        wanted = tuple(wanted)
        if wanted not in self._leaves:
            self._leaves[wanted] = tuple(
                kind for kind, entry in self.types.items() if not entry.abstract and self.is_a(kind, wanted)
            )
        return self._leaves[wanted]


def listed(text: str, separator: str = ",") -> tuple[str, ...]:
    """Split a list and drop empty items."""
    return tuple(item.strip() for item in text.split(separator) if item.strip())


def read_registry(blocks: Iterable[Block]) -> Registry:
    """Read the registry's blocks.

    Raises:
        CorpusFormatError: A list names what another list lacks.
    """
    registry = Registry()
    for block in blocks:
        for line in block.lines:
            if block.kind in ("groups", "moves", "facts", "slots"):
                target: dict[str, str] = getattr(registry, block.kind)
                target[line.key] = line.text
            elif block.kind == "types":
                registry.types[line.key] = read_type(line, registry)
            elif block.kind == "classes":
                registry.classes[line.key] = read_class(line, registry)
            elif block.kind == "props":
                registry.props[line.key] = read_prop(line, registry)
            else:
                raise fail(
                    block.where,
                    f"block '{block.kind}'",
                    "the registry holds groups, types, classes, props, moves, facts, slots",
                    "move it",
                )
    return registry


def read_type(line: Line, registry: Registry) -> NounType:
    """Read one line of `types`."""
    singular, _, plural = (part.strip() for part in line.text.partition("/"))
    parents = listed(line.extras.get("is", ""))
    inherited = next(
        (registry.types[name].prep for name in parents if name in registry.types and registry.types[name].prep), ""
    )
    good = line.extras.get("good", "")
    known = {"is", "abstract", "name", "det", "prep", "good"}
    if not plural or set(line.extras) - known:
        raise fail(
            line.where,
            f"type '{line.key}'",
            f"a type reads 'slug: singular / plural | {' '.join(sorted(known))}'",
            "correct the line",
        )
    return NounType(
        line.key,
        singular,
        plural,
        parents,
        "abstract" in line.extras,
        line.extras.get("det", "bare"),
        line.extras.get("prep", inherited),
        good,
    )


def read_class(line: Line, registry: Registry) -> VerbClass:
    """Read one line of `classes`."""
    pair = listed(line.text, "/")
    if pair and (
        len(pair) != 2
        or any(name not in registry.classes for name in pair)
        or line.extras.get("by") not in ("dir", "good")
    ):
        raise fail(
            line.where,
            f"verb class '{line.key}'",
            "a pair reads 'slug: class / class | by=dir' or by=good",
            "name two classes above it",
        )
    subject, objects = listed(line.extras.get("subj", "")), listed(line.extras.get("obj", ""))
    for name in (*subject, *objects):
        if name not in registry.types:
            raise fail(
                line.where,
                f"type '{name}' of class '{line.key}'",
                "verb classes take types of the registry",
                "correct the type",
            )
    return VerbClass(line.key, subject, objects, (pair[0], pair[1]) if pair else None, line.extras.get("by", ""))


def read_prop(line: Line, registry: Registry) -> Prop:
    """Read one line of `props`."""
    roles = []
    for item in listed(line.text):
        name, _, kind = item.partition(" ")
        if kind not in registry.types:
            raise fail(
                line.where,
                f"role '{item}' of proposition '{line.key}'",
                "a role reads 'name type' or 'name? type'",
                "correct the type",
            )
        roles.append(Role(name.removesuffix("?"), kind, name.endswith("?")))
    return Prop(
        line.key, tuple(roles), "dir" in line.extras, "tone" in line.extras, listed(line.extras.get("facts", ""))
    )
