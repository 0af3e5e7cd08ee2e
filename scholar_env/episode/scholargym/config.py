"""The options of one episode of ScholarGym, checked once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from scholar_env.episode.config import COMMON_RANGES, EpisodeConfigBase, invalid, require_one_of

BROWSER_MODES: Final = ("NONE", "REFRESH", "INCREMENTAL", "PRE_ENRICH")
ASSESSORS: Final = ("agent", "oracle", "lexical")
REFERENCE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "max_iterations": (1, 1000),
    "page_size": (1, 100),
    "max_pages": (1, 1000),
    "max_subqueries": (1, 1000),
    "cutoff": (1, 1_000_000),
    **COMMON_RANGES,
}


@dataclass(frozen=True, slots=True)
class EpisodeConfig(EpisodeConfigBase):
    """Options of one episode.

    Attributes:
        max_iterations: T, the iterations after which the episode is over, in [1, 1000].
        page_size: Results on a page; a larger ``k`` is capped to it, in [1, 100].
        max_pages: Pages that one node of the subquery tree may fetch, in [1, 1000].
        max_subqueries: Page requests (derive, expand, continue, search) in one iteration, in [1, 1000].
        assessor: Who selects: ``agent``, ``oracle``, ``lexical`` or a callable ``package.module:name``.
        browser: Who reads full texts: ``extractive`` or a callable ``package.module:name``.
        browser_mode: ``NONE`` (Abstract-only), ``REFRESH``, ``INCREMENTAL`` or ``PRE_ENRICH``.
        memory: False is the ablation without experience buffer: the planner sees the raw JSON of its own plans instead.
        compat: ``upstream`` reproduces the released workflow; None is this package's own reading.
        cutoff: c of the distance measure.
        on_empty_plan: ``finish`` ends an empty plan as converged; ``fail`` ends it as failed, as the released workflow
            does.
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = RANGES

    max_iterations: int = 5
    page_size: int = 10
    max_pages: int = 3
    max_subqueries: int = 6
    assessor: str = "agent"
    browser: str = "extractive"
    browser_mode: str = "NONE"
    memory: bool = True
    compat: str | None = None
    cutoff: int = 100
    on_empty_plan: str = "finish"

    def __post_init__(self) -> None:
        EpisodeConfigBase.__post_init__(self)  # super() does not work in a dataclass with slots
        require_one_of("browser_mode", self.browser_mode, BROWSER_MODES)
        require_one_of("compat", self.compat, (None, "upstream"))
        require_one_of("on_empty_plan", self.on_empty_plan, ("finish", "fail"))
        _name_or_reference("assessor", self.assessor, ASSESSORS)
        _name_or_reference("browser", self.browser, ("extractive",))
        if type(self.memory) is not bool:
            raise invalid("memory", self.memory, "true or false")

    @property
    def upstream(self) -> bool:
        """Whether the released workflow is reproduced."""
        return self.compat == "upstream"

    @property
    def agent_selects(self) -> bool:
        """Whether selection is left to the agent."""
        return self.assessor == "agent"


def _name_or_reference(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if type(value) is not str or (value not in allowed and REFERENCE.fullmatch(value) is None):
        raise invalid(name, value, "one of " + ", ".join(map(repr, allowed)) + " or 'package.module:name'")
