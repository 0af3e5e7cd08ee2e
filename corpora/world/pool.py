"""The worlds that the package knows by name: the default one, and the pool that training draws its tasks from."""

from __future__ import annotations

from pathlib import Path

from .build import Progress, build_world
from .spec import WorldSpec

DEFAULT = "world"
DEFAULT_SPEC = WorldSpec(seed=2026)
"""The default world: 5,000 papers."""

TRAINING = "world-train-"
TRAINING_SEED = 70_000
"""Training world k has this seed + k."""

MOST_TRAINING_WORLDS = 64


def training_spec(number: int) -> WorldSpec:
    """The spec of a world of the training pool.

    Args:
        number: From 0 to 63.
    """
    return WorldSpec(seed=TRAINING_SEED + number, papers=DEFAULT_SPEC.papers, train=True)


def named_spec(name: str) -> WorldSpec | None:
    """The spec that a name stands for, None when it is no name of this module."""
    if name == DEFAULT:
        return DEFAULT_SPEC
    number = name.removeprefix(TRAINING)
    if number != name and number.isdecimal() and number == str(int(number)) and int(number) < MOST_TRAINING_WORLDS:
        return training_spec(int(number))
    return None


def build_default(folder: str | Path, *, progress: Progress | None = None) -> Path:
    """Make the default world."""
    return build_world(folder, DEFAULT_SPEC, name=DEFAULT, progress=progress)


def build_training(folder: str | Path, *, progress: Progress | None = None) -> Path:
    """Make the training world that the folder's name asks for."""
    name = Path(folder).name
    number = int(name.removeprefix(TRAINING))
    return build_world(folder, training_spec(number), name=name, number=number, progress=progress)
