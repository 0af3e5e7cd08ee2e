"""The options of one episode of AISE-Bench, checked once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from scholar_env.episode.config import COMMON_RANGES, EpisodeConfigBase, invalid, require_one_of

FILLERS: Final = ("rule", "agent")
REFERENCE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "max_api_calls": (1, 1000),
    "max_result_chars": (500, 250_000),
    "plan_workers": (1, 64),
    **COMMON_RANGES,
}


@dataclass(frozen=True, slots=True)
class AiseConfig(EpisodeConfigBase):
    """Options of one episode.

    Attributes:
        max_api_calls: API calls, those of plans among them, after which only an answer is taken, in [1, 1000].
        filler: Where a plan's dependent parameters come from: ``rule``, ``agent`` (the step waits until a later plan
            names it with parameters) or a callable ``package.module:name``.
        plan_workers: Calls of a plan that run at a time, in [1, 64].
        max_result_chars: Characters of one API result that an observation holds; longer lists lose their tails.
        compat: ``upstream`` executes plans as the released code does, None as this package reads them.
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = RANGES

    max_api_calls: int = 10
    filler: str = "rule"
    plan_workers: int = 1
    max_result_chars: int = 60_000
    compat: str | None = None

    def __post_init__(self) -> None:
        EpisodeConfigBase.__post_init__(self)  # super() does not work in a dataclass with slots
        require_one_of("compat", self.compat, (None, "upstream"))
        if type(self.filler) is not str or (self.filler not in FILLERS and REFERENCE.fullmatch(self.filler) is None):
            raise invalid("filler", self.filler, "one of 'rule', 'agent' or 'package.module:name'")
