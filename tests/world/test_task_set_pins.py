"""Task sets of the small world, pinned by value: a cache keeps a set for as long as its builder's version stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from scholar_env.corpora.world.task_families import BUILDERS, builder
from scholar_env.corpus import resolve_corpus
from scholar_env.task_set import task_set_of

WORLD = "00210f92ee21"
"""First digits of the fingerprint of the small world: with another world come other sets."""

PINS = {"aise": (1, "6cc1698fda57"), "complit": (3, "f9073545f297"), "scinet": (1, "7560a2a71123")}
"""Version of the builder, and the first digits of the set's fingerprint. When a set changes and the world has not,
raise the version in its builder, or everybody who has played before goes on with the old tasks."""


@pytest.mark.parametrize("family", sorted(BUILDERS))
def test_a_set_changes_with_its_builders_version_only(family: str, small_home: Path) -> None:
    corpus = resolve_corpus("world")
    assert corpus.fingerprint[:12] == WORLD
    assert (builder(family).VERSION, task_set_of(corpus, family).fingerprint[:12]) == PINS[family]
