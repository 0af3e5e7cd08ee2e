"""A world's facts and statements as tables of its corpus folder, and back, so that tasks need no text.

Every field of `Facts`, and of the records inside it, is a table of its own: ``facts_line``, ``graph_targets``,
``people_author_names``. Arrays come back as read-only maps.
"""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from functools import lru_cache
from typing import Any, TypeVar, get_type_hints

import numpy as np

from scholar_env.corpus_folder import Corpus
from scholar_env.corpus_tables import Tables, TableWriter
from scholar_env.errors import CorpusFormatError, InvalidOptionError

from .facts import Facts
from .shipped import ontology_digest, shipped_ontology
from .spec import ONTOLOGY_VERSION, WorldSpec
from .world import Statements, World

Record = TypeVar("Record", Facts, Statements)

SETTINGS = "world"
"""Name of the settings table that tells the spec."""

_BETWEEN = " "
"""Stands between the categories of a paper."""


def write_world(writer: TableWriter, world: World, number: int) -> None:
    """Write all that `load_world` needs.

    Args:
        writer: The tables of the corpus that is being built.
        world: The world.
        number: Which one of a pool of training worlds it is.
    """
    spec = {**asdict(world.spec), "subfields": list(world.spec.subfields)}
    versions = {"ontology_version": ONTOLOGY_VERSION, "ontology_sha256": ontology_digest()}
    writer.settings(SETTINGS, {**spec, **versions, "number": number})
    _write(writer, "facts", world.facts)
    _write(writer, "statements", world.statements)


def is_world(corpus: Corpus) -> bool:
    """Whether a corpus was generated as a world."""
    return SETTINGS in corpus.tables


def spec_of(corpus: Corpus) -> WorldSpec:
    """The spec that a world was generated from.

    Raises:
        InvalidOptionError: The corpus is no world.
    """
    values = corpus.tables.settings(SETTINGS)
    given = {entry.name: values[entry.name] for entry in fields(WorldSpec)}
    return WorldSpec(**{**given, "subfields": tuple(given["subfields"])})


def number_of(corpus: Corpus) -> int:
    """Which one of a pool a world is."""
    return int(corpus.tables.settings(SETTINGS)["number"])


def load_facts(corpus: Corpus) -> Facts:
    """The facts of a world.

    Raises:
        InvalidOptionError: The corpus is no world.
        CorpusFormatError: It was written by another version.
    """
    return _read(corpus.tables, "facts", Facts)


def load_statements(corpus: Corpus) -> Statements:
    """What the papers of a world say; errors as `load_facts`."""
    return _read(corpus.tables, "statements", Statements)


@lru_cache(maxsize=64)
def load_world(corpus: Corpus) -> World:
    """A world with its ontology: the same object for the same open corpus.

    Raises:
        InvalidOptionError: The corpus is no world.
        CorpusFormatError: It was made from another version of the ontology, whose terms are not here.
    """
    spec = spec_of(corpus)
    made_from = corpus.tables.settings(SETTINGS)["ontology_sha256"]
    if made_from != ontology_digest():
        raise CorpusFormatError(
            f"the world {corpus.name} in {corpus.path} was made from an ontology with the sha256 {made_from}",
            f"this version of the package has the ontology {ontology_digest()}",
            f"remove the corpus (scholar-env corpus remove {corpus.name}) and generate it again",
        )
    return World(shipped_ontology(), spec, load_facts(corpus), load_statements(corpus))


def _write(writer: TableWriter, name: str, record: Any) -> None:
    for entry in fields(record):
        value, table = getattr(record, entry.name), f"{name}_{entry.name}"
        if isinstance(value, np.ndarray):
            writer.array(table, value)
        elif is_dataclass(value):
            _write(writer, entry.name, value)
        else:
            writer.texts(table, [text if isinstance(text, str) else _BETWEEN.join(text) for text in value])


def _read(tables: Tables, name: str, kind: type[Record]) -> Record:
    try:
        return kind(**_fields(tables, name, kind))
    except InvalidOptionError as error:
        if SETTINGS not in tables:
            raise
        raise CorpusFormatError(error.what, "a world has all tables of this version", "generate it again") from error


def _fields(tables: Tables, name: str, kind: Any) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field, annotation in get_type_hints(kind).items():
        table = f"{name}_{field}"
        if is_dataclass(annotation) and isinstance(annotation, type):
            values[field] = annotation(**_fields(tables, field, annotation))
        elif annotation == tuple[str, ...]:
            values[field] = tables.texts(table)
        elif annotation == tuple[tuple[str, ...], ...]:
            values[field] = tuple([tuple(text.split(_BETWEEN)) for text in tables.texts(table)])
        else:
            values[field] = tables.array(table)
    return values
