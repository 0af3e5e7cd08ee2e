"""Random calls of AISE-Bench: a floor for every comparison."""

from __future__ import annotations

import json
from typing import Any

from scholar_env.agents.random_calls import RandomAgent


class AiseRandomAgent(RandomAgent):
    """Draws calls by their declarations, and takes ids and names out of the API results that it is shown."""

    def _look(self, key: str, value: Any) -> None:
        if key == "result" and isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                return  # cut short
        super()._look(key, value)
