"""The ontology and the code that this version of the package ships, and digests that tell versions apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from .memory import collection_paused
from .ontology import DATA, REGISTRY_FILE, Ontology, load, shipped_files


@cache
def shipped_ontology() -> Ontology:
    """The ontology of the package, read once a process."""
    with collection_paused():
        return load()


@cache
def ontology_digest() -> str:
    """Hex sha256 over the ontology's data files."""
    return _digest((REGISTRY_FILE, *shipped_files()), DATA)


@cache
def generator_digest() -> str:
    """Hex sha256 over the data files and the code that makes worlds of them."""
    folder = Path(__file__).parent
    code = _digest(sorted(folder.rglob("*.py")), folder)
    return hashlib.sha256(f"{code} {ontology_digest()}".encode()).hexdigest()


def _digest(paths: Iterable[Path], folder: Path) -> str:
    total = hashlib.sha256()
    for path in paths:
        data = path.read_bytes()
        total.update(f"{path.relative_to(folder).as_posix()} {len(data)}\n".encode())
        total.update(data)
    return total.hexdigest()
