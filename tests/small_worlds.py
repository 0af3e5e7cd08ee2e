"""Small worlds in place of the default one and of the training pool, so that tests build them in a second or two.

A test patches them in with the fixture ``small_home``; a process that a test starts calls :func:`install` itself.
"""

from __future__ import annotations

from typing import Any

from scholar_env import corpora
from scholar_env.corpora.world import pool, tasks
from scholar_env.corpora.world.spec import WorldSpec

SUBFIELDS = ("cs.IR", "stat.ME")
DEFAULT = WorldSpec(seed=2026, papers=300, subfields=SUBFIELDS)
N_TASKS = 90


def training_spec(number: int) -> WorldSpec:
    """A small training world."""
    return WorldSpec(seed=pool.TRAINING_SEED + number, papers=260, train=True, subfields=SUBFIELDS)


REPLACED: tuple[tuple[Any, str, Any], ...] = (
    (pool, "DEFAULT_SPEC", DEFAULT),
    (pool, "training_spec", training_spec),
    (tasks, "ALL", N_TASKS),
    (corpora, "FINGERPRINTS", {}),
)
"""What is replaced: module, name and value."""


def install() -> None:
    """Puts the small worlds in place for the rest of this process."""
    for module, name, value in REPLACED:
        setattr(module, name, value)
