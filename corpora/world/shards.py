"""Rendered papers in shards: ranges of rows that any process renders alike, kept on disk until the corpus is whole.

A shard lies in a folder that is named by the digest of all it follows from (spec, ontology, code), so a build that was
killed goes on with the shards of the last one and never with those of another version. Its file name holds the hash of
its bytes; a damaged one counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path

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
    texts: dict[int, Text] = {}
    # One subfield after the other: its words are in the processor's cache then.
    for row in sorted(rows, key=lambda row: (shared.subfield[row], row)):
        paper = renderer.paper(row)
        at = row - rows.start
        lead[at], body[at] = _levels_said(paper, len(shared.fact_codes))
        forms[at] = _forms_said(renderer, row, paper)
        texts[row] = Text(paper.title, paper.abstract, paper.sections)
    return Shard([texts[row] for row in rows], lead, body, forms)


def _levels_said(paper: Rendered, facts: int) -> tuple[list[int], list[int]]:
    """For each fact the levels, as bits, at which title and abstract state it, and the body."""
    lead, body = [0] * facts, [0] * facts
    for place, _, _, stated in paper.spans:
        said = body if place >= BODY else lead
        for fact, level in stated:
            said[fact] |= 1 << level
    return lead, body


def _forms_said(renderer: Renderer, row: int, paper: Rendered) -> list[int]:
    shared = renderer.shared
    concepts = shared.words[shared.subfield[row]].concepts
    text = f"{paper.title}\n{paper.abstract}".lower()
    return [
        sum([1 << bit for bit, form in enumerate(concepts[place].lowered) if form in text])
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
        for path in self.folder.glob(f"{number:06d}-*.shard"):
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
        # A builder that ignored the lock may have ended meanwhile and have removed the folder: reading makes up for it.
        with contextlib.suppress(FileNotFoundError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes_atomic(self.folder / f"{number:06d}-{hashlib.sha256(data).hexdigest()}.shard", data)

    def missing(self, papers: int) -> list[int]:
        """Numbers of the shards that have no file yet, in order."""
        found = {path.name.partition("-")[0] for path in self.folder.glob("*.shard")}
        return [number for number in range(n_shards(papers)) if f"{number:06d}" not in found]

    def drop(self, *, keep_own: bool = False) -> None:
        """Remove the shards beside the target, those of killed builds of another version among them.

        Args:
            keep_own: Leave those of this world.
        """
        for folder in self.target.parent.glob(f"{_prefix(self.target)}*"):
            if folder != self.folder or not keep_own:
                shutil.rmtree(folder, ignore_errors=True)


def _prefix(target: Path) -> str:
    return f".{target.name}.shards-"


_MATRICES = {"lead": "<u1", "body": "<u1", "forms": "<u2"}


def _encode(shard: Shard) -> bytes:
    texts = [
        (text.title, text.abstract, [(section.title, section.text) for section in text.sections])
        for text in shard.texts
    ]
    matrices = {name: getattr(shard, name).astype(kind).tobytes().hex() for name, kind in _MATRICES.items()}
    body = json.dumps({"texts": texts, **matrices}, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(body.encode(), level=1)


def _decode(data: bytes) -> Shard:
    body = json.loads(zlib.decompress(data))
    texts = [
        Text(title, abstract, tuple([Section(*pair) for pair in sections]))
        for title, abstract, sections in body["texts"]
    ]
    matrices = {
        name: np.frombuffer(bytes.fromhex(body[name]), dtype=kind).reshape(len(texts), -1)
        for name, kind in _MATRICES.items()
    }
    return Shard(texts, matrices["lead"], matrices["body"], matrices["forms"])
