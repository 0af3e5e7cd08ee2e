"""The ontology of the synthetic world: its data files, read into frozen records.

`load()` reads everything that ships; `load(paths)` reads files of one's own. The format: ontology/FORMAT.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .blocks import Block, Where, fail, read_blocks
from .read_attributes import read_attribute
from .read_frames import read_frames, read_order, read_phrases
from .read_subfield import read_subfield
from .read_words import read_verbs
from .registry import Registry, listed, read_registry
from .synonyms import Synonyms, read_synonyms, synonyms_of
from .terms import Attribute, Frame, Order, Phrase, Subfield, VerbEntry

DATA = Path(__file__).with_name("ontology")
REGISTRY_FILE = DATA / "shared" / "registry.txt"


@dataclass
class _Draft:
    """What the files read so far hold."""

    subfields: list[Subfield] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    phrases: list[Phrase] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    verbs: list[VerbEntry] = field(default_factory=list)
    synonyms: list[tuple[str, ...]] = field(default_factory=list)
    accepted: set[str] = field(default_factory=set)
    retired: dict[str, Where] = field(default_factory=dict)


@dataclass(frozen=True)
class Ontology:
    """Everything the world is made of, each list sorted by id."""

    registry: Registry
    subfields: tuple[Subfield, ...]
    attributes: tuple[Attribute, ...]
    frames: tuple[Frame, ...]
    phrases: tuple[Phrase, ...]
    orders: tuple[Order, ...]
    verbs: tuple[VerbEntry, ...]
    synonyms: Synonyms
    accepted: frozenset[str]
    retired: dict[str, Where]

    def ids(self) -> Iterable[tuple[str, Where]]:
        """Yield every id with its place, in file order within a kind."""
        for subfield in self.subfields:
            yield subfield.id, subfield.where
            yield from ((concept.id, concept.where) for concept in subfield.concepts)
            yield from ((noun.id, noun.where) for noun in subfield.nouns)
            yield from ((verb.id, verb.where) for verb in subfield.verbs)
            yield from ((adjective.id, adjective.where) for adjective in subfield.adjectives)
            yield from ((fit.id, fit.where) for fit in subfield.fits)
        for attribute in self.attributes:
            yield attribute.id, attribute.where
            for value in attribute.values:
                yield value.id, value.where
        yield from ((frame.id, frame.where) for frame in self.frames)
        yield from ((phrase.id, phrase.where) for phrase in self.phrases)
        yield from ((order.id, order.where) for order in self.orders)
        yield from ((verb.id, verb.where) for verb in self.verbs)


def shipped_files() -> tuple[Path, ...]:
    """The data files of the package, in a fixed order; the registry is not among them."""
    return tuple(sorted(path for path in DATA.rglob("*.txt") if path != REGISTRY_FILE))


def load(paths: Iterable[Path] | None = None, registry_file: Path = REGISTRY_FILE) -> Ontology:
    """Read data files into an ontology.

    Args:
        paths: Data files; None for those that ship.
        registry_file: The closed lists.

    Raises:
        CorpusFormatError: A line breaks the format; the message names file, line, rule and mend.
    """
    registry = read_registry(read_blocks(registry_file, name_of(registry_file)))
    draft = _Draft()
    for path in shipped_files() if paths is None else tuple(paths):
        add_file(read_blocks(path, name_of(path)), registry, draft)
    return Ontology(
        registry,
        tuple(sorted(draft.subfields, key=lambda entry: entry.id)),
        tuple(sorted(draft.attributes, key=lambda entry: entry.id)),
        tuple(sorted(draft.frames, key=lambda entry: entry.id)),
        tuple(sorted(draft.phrases, key=lambda entry: entry.id)),
        tuple(sorted(draft.orders, key=lambda entry: entry.id)),
        tuple(sorted(draft.verbs, key=lambda entry: entry.id)),
        synonyms_of(draft.synonyms),
        frozenset(draft.accepted),
        draft.retired,
    )


def name_of(path: Path) -> str:
    """How findings call a file: relative to the data folder where it lies in it."""
    return str(path.relative_to(DATA)) if path.is_relative_to(DATA) else str(path)


def add_file(blocks: tuple[Block, ...], registry: Registry, draft: _Draft) -> None:
    """Read the blocks of one file.

    Raises:
        CorpusFormatError: A kind of block is unknown or stands in the wrong file.
    """
    if not blocks:
        return
    rest = [block for block in blocks if block.kind not in ("retired", "words")]
    for block in blocks:
        if block.kind == "retired":
            draft.retired.update({line.text: line.where for line in block.lines})
        elif block.kind == "words":
            draft.accepted.update(word for line in block.lines for word in listed(line.text, " "))
    if not rest:
        return
    if rest[0].kind == "subfield":
        draft.subfields.append(read_subfield(rest, registry))
        return
    if rest[0].kind == "attribute":
        draft.attributes.append(read_attribute(rest, registry))
        return
    readers: dict[str, Callable[[Block], None]] = {
        "frames": lambda block: draft.frames.extend(read_frames(block, registry)),
        "phrases": lambda block: draft.phrases.extend(read_phrases(block, registry)),
        "plans": lambda block: draft.phrases.extend(read_phrases(block, registry)),
        "queries": lambda block: draft.phrases.extend(read_phrases(block, registry)),
        "order": lambda block: draft.orders.append(read_order(block, registry)),
        "synonyms": lambda block: draft.synonyms.extend(read_synonyms(block)),
        "verbs": lambda block: draft.verbs.extend(read_verbs(block, registry, "any")),
    }
    for block in rest:
        if block.kind not in readers:
            raise fail(
                block.where,
                f"block '{block.kind}'",
                "a subfield file starts with 'subfield', an attribute file with 'attribute', other files hold "
                "frames, phrases, plans, queries, order, verbs, synonyms, words, retired",
                "name the kind or move the block",
            )
        readers[block.kind](block)
