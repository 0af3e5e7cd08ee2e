"""What identifies a world: its seed, its size, and the knobs of its difficulty. Everything else follows from them."""

from __future__ import annotations

from dataclasses import dataclass

from scholar_env.errors import InvalidOptionError

ONTOLOGY_VERSION = 1
"""Version of the data files; an entry added, changed or removed makes a new one."""

MIN_PAPERS, MAX_PAPERS = 200, 1_000_000


@dataclass(frozen=True)
class WorldSpec:
    """The identity of a world: equal specs give equal bits, on any machine and with any number of workers.

    Attributes:
        seed: Any non-negative integer below 2**32.
        papers: Number of papers. A small world is no part of a larger one.
        train: A training world draws no form, evidence set or coined name that is held out for test worlds.
        subfields: Subfield ids to draw from; empty for all.
        cell_size: Mean number of papers that share problem, method and object with a paper, itself among them. The
            larger, the harder: it decides how many papers look like an answer.
        evidence: Share of the attribute facts, in percent, that a paper states by evidence only.
    """

    seed: int
    papers: int = 5000
    train: bool = False
    subfields: tuple[str, ...] = ()
    cell_size: int = 22
    evidence: int = 30

    def __post_init__(self) -> None:
        bounds = {
            "seed": (self.seed, 0, 2**32 - 1),
            "papers": (self.papers, MIN_PAPERS, MAX_PAPERS),
            "cell_size": (self.cell_size, 2, 500),
            "evidence": (self.evidence, 0, 100),
        }
        for name, (value, low, high) in bounds.items():
            if type(value) is not int or not low <= value <= high:
                raise InvalidOptionError(
                    f"{name}={value!r} of a world", f"it is an integer from {low} to {high}", "choose one of these"
                )
