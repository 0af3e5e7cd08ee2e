"""The options of one episode, checked once."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, Final

from scholar_env.errors import InvalidOptionError

BROWSER_MODES: Final = ("NONE", "REFRESH", "INCREMENTAL", "PRE_ENRICH")
ASSESSORS: Final = ("agent", "oracle", "lexical")
REFERENCE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
RANGES: Final = {
    "max_iterations": (1, 1000),
    "page_size": (1, 100),
    "max_pages": (1, 1000),
    "max_subqueries": (1, 1000),
    "max_calls": (1, 100_000),
    "cutoff": (1, 1_000_000),
    "max_document_chars": (100, 10_000_000),
}


@dataclass(frozen=True, slots=True)
class EpisodeConfig:
    """Options of one episode.

    Attributes:
        max_iterations: T, the iterations after which the episode is over, in [1, 1000].
        page_size: Results on a page; a larger ``k`` is capped to it, in [1, 100].
        max_pages: Pages that one node of the subquery tree may fetch, in [1, 1000].
        max_subqueries: Page requests (derive, expand, continue, search) in one iteration, in [1, 1000].
        max_calls: Calls of an episode, malformed ones included, after which it is truncated.
        assessor: Who selects: ``agent``, ``oracle``, ``lexical`` or a callable ``package.module:name``.
        browser: Who reads full texts: ``extractive`` or a callable ``package.module:name``.
        browser_mode: ``NONE`` (Abstract-only), ``REFRESH``, ``INCREMENTAL`` or ``PRE_ENRICH``.
        memory: False is the ablation without experience buffer: the planner sees the raw JSON of its own plans instead.
        compat: ``upstream`` reproduces the released workflow; None is this package's own reading.
        cutoff: c of the distance measure.
        on_empty_plan: ``finish`` ends an empty plan as converged; ``fail`` ends it as failed, as the released workflow
            does.
        max_document_chars: Characters of a section or abstract that one ``read`` returns.
        retry_delay: Seconds before the first of three retries after an infrastructure failure; it doubles each time.
    """

    max_iterations: int = 5
    page_size: int = 10
    max_pages: int = 3
    max_subqueries: int = 6
    max_calls: int = 200
    assessor: str = "agent"
    browser: str = "extractive"
    browser_mode: str = "NONE"
    memory: bool = True
    compat: str | None = None
    cutoff: int = 100
    on_empty_plan: str = "finish"
    max_document_chars: int = 8000
    retry_delay: float = 0.5

    def __post_init__(self) -> None:
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise _invalid(name, value, f"an integer in [{least}, {most}]")
        _one_of("browser_mode", self.browser_mode, BROWSER_MODES)
        _one_of("compat", self.compat, (None, "upstream"))
        _one_of("on_empty_plan", self.on_empty_plan, ("finish", "fail"))
        _name_or_reference("assessor", self.assessor, ASSESSORS)
        _name_or_reference("browser", self.browser, ("extractive",))
        if type(self.memory) is not bool:
            raise _invalid("memory", self.memory, "true or false")
        if type(self.retry_delay) not in (int, float) or not 0 <= self.retry_delay <= 60:
            raise _invalid("retry_delay", self.retry_delay, "a number of seconds in [0, 60]")

    @property
    def upstream(self) -> bool:
        """Whether the released workflow is reproduced."""
        return self.compat == "upstream"

    @property
    def agent_selects(self) -> bool:
        """Whether selection is left to the agent."""
        return self.assessor == "agent"

    def to_json(self) -> dict[str, Any]:
        """Returns the options as plain JSON values."""
        return asdict(self)


def _invalid(name: str, value: object, rule: str) -> InvalidOptionError:
    return InvalidOptionError(f"{name}={value!r}", f"{name} is {rule}", f"pass {name} as {rule}")


def _one_of(name: str, value: object, allowed: tuple[str | None, ...]) -> None:
    if value not in allowed:
        raise _invalid(name, value, "one of " + ", ".join(map(repr, allowed)))


def _name_or_reference(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if type(value) is not str or (value not in allowed and REFERENCE.fullmatch(value) is None):
        raise _invalid(name, value, "one of " + ", ".join(map(repr, allowed)) + " or 'package.module:name'")
