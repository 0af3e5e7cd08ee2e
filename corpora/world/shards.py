"""Rendered papers in shards: ranges of rows that any process renders alike, kept on disk until the corpus is whole.

A shard lies in a folder that is named by the digest of all it follows from (spec, ontology, code), so a build that was
killed goes on with the shards of the last one and never with those of another version. Its file name holds the hash of
its bytes; a damaged one counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.records import Section
from scholar_env.storage import json_bytes, write_bytes_atomic

from .render.rendered import BODY, Rendered
from .render.renderer import Renderer
from .shipped import generator_digest
from .spec import WorldSpec

ROWS = 250
"""Papers in a shard; the last one may have fewer."""

CONCEPTS = 3
"""Problem, method and object: the concepts whose wordings are recorded."""


@dataclass(frozen=True)
class Text:
    """The text of a paper."""

    title: str
    abstract: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Shard:
    """The texts of a range of rows, and the rows of `Statements` that belong to them."""

    texts: list[Text]
    lead: NDArray[np.uint8]
    body: NDArray[np.uint8]
    forms: NDArray[np.uint16]


def n_shards(papers: int) -> int:
    """Number of shards of a world."""
    return -(-papers // ROWS)


def rows_of(number: int, papers: int) -> range:
    """Rows of a shard."""
    return range(number * ROWS, min((number + 1) * ROWS, papers))


def render_shard(renderer: Renderer, number: int) -> Shard:
    """Render the papers of a shard."""
    shared = renderer.shared
    rows = rows_of(number, shared.spec.papers)
    lead = np.zeros((len(rows), len(shared.fact_codes)), dtype=np.uint8)
    body = np.zeros_like(lead)
    forms = np.zeros((len(rows), CONCEPTS), dtype=np.uint16)
    texts = []
    for at, row in enumerate(rows):
        paper = renderer.paper(row)
        for fact, level, place, _, _ in paper.statements:
            (body if place >= BODY else lead)[at, fact] |= 1 << level
        forms[at] = _forms_said(renderer, row, paper)
        texts.append(Text(paper.title, paper.abstract, paper.sections))
    return Shard(texts, lead, body, forms)


def _forms_said(renderer: Renderer, row: int, paper: Rendered) -> list[int]:
    shared = renderer.shared
    concepts = shared.words[shared.subfield[row]].subfield.concepts
    text = f"{paper.title}\n{paper.abstract}".lower()
    return [
        sum(1 << bit for bit, form in enumerate(concepts[place].forms) if form.text.lower() in text)
        for place in shared.concepts[row]
    ]


class ShardStore:
    """The shards of a world that are on disk.

    Args:
        target: The corpus folder that is being built; the shards lie beside it.
        spec: The world.
    """

    def __init__(self, target: Path, spec: WorldSpec) -> None:
        key = hashlib.sha256(json_bytes([repr(spec), generator_digest(), ROWS])).hexdigest()[:20]
        self.target = target
        self.folder = target.with_name(f"{_prefix(target)}{key}")

    def read(self, number: int) -> Shard | None:
        """Read a shard; None when it is not there whole."""
        for path in self.folder.glob(f"{number:06d}-*.arrow"):
            with contextlib.suppress(OSError):
                data = path.read_bytes()
                if hashlib.sha256(data).hexdigest() in path.name:
                    return _decode(data)
        return None

    def write(self, number: int, shard: Shard) -> None:
        """Store a shard.

        Raises:
            OSError: The folder cannot be written.
        """
        data = _encode(shard)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_bytes_atomic(self.folder / f"{number:06d}-{hashlib.sha256(data).hexdigest()}.arrow", data)

    def missing(self, papers: int) -> list[int]:
        """Numbers of the shards that have no file yet, in order."""
        found = {path.name.partition("-")[0] for path in self.folder.glob("*.arrow")}
        return [number for number in range(n_shards(papers)) if f"{number:06d}" not in found]

    def drop_others(self) -> None:
        """Remove the shards that killed builds of another world of this name, or of another version, left behind."""
        for folder in self.target.parent.glob(f"{_prefix(self.target)}*"):
            if folder != self.folder:
                shutil.rmtree(folder, ignore_errors=True)

    def drop(self) -> None:
        """Remove the shards."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _prefix(target: Path) -> str:
    return f".{target.name}.shards-"


def _encode(shard: Shard) -> bytes:
    import pyarrow as pa

    texts = pa.list_(pa.string())
    columns = {
        "title": pa.array([text.title for text in shard.texts], pa.string()),
        "abstract": pa.array([text.abstract for text in shard.texts], pa.string()),
        "heads": pa.array([[section.title for section in text.sections] for text in shard.texts], texts),
        "sections": pa.array([[section.text for section in text.sections] for text in shard.texts], texts),
        **{
            name: pa.array([row.tobytes() for row in getattr(shard, name).astype(kind)], pa.binary())
            for name, kind in _MATRICES.items()
        },
    }
    batch = pa.record_batch(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as file:
        file.write_batch(batch)
    return sink.getvalue().to_pybytes()


_MATRICES = {"lead": "<u1", "body": "<u1", "forms": "<u2"}


def _decode(data: bytes) -> Shard:
    import pyarrow as pa

    batch = pa.ipc.open_file(pa.BufferReader(data)).get_batch(0)
    columns: dict[str, list[Any]] = batch.to_pydict()
    matrices = {
        name: np.frombuffer(b"".join(columns[name]), dtype=kind).reshape(len(columns[name]), -1)
        for name, kind in _MATRICES.items()
    }
    return Shard(
        [
            Text(title, abstract, tuple([Section(*pair) for pair in zip(heads, sections, strict=True)]))
            for title, abstract, heads, sections in zip(
                *(columns[name] for name in ("title", "abstract", "heads", "sections")), strict=True
            )
        ],
        matrices["lead"],
        matrices["body"],
        matrices["forms"],
    )
