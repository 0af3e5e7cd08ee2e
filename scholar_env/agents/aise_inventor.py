"""Inventor: answers without calling anything, with links of the right form that it makes up."""

from __future__ import annotations

from typing import Any

import numpy as np

from scholar_env.agents.aise_answers import LINKS
from scholar_env.agents.base import Call, Observation, call


class AiseInventorAgent:
    """Writes a well-formed answer with made-up links: what it scores is what form alone is worth.

    Args:
        links: How many links it makes up.
    """

    needs_gold = False

    def __init__(self, *, links: int = 3) -> None:
        self.options: dict[str, Any] = {"links": links}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew with the draws that ``seed`` fixes."""
        self._random = np.random.default_rng(seed)

    def act(self, observation: Observation) -> Call:
        """Answers at once."""
        kinds = list(LINKS)
        made = {
            f"[{number}]": LINKS[kinds[int(self._random.integers(len(kinds)))]] + self._random.bytes(12).hex()
            for number in range(1, self.options["links"] + 1)
        }
        text = " ".join([str(observation["question"]), *made])
        return call("answer", answer=text, reference=made)
