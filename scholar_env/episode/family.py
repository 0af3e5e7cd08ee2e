"""Families of benchmarks: what tasks of one kind share, as a value that a card names.

A family is a package ``scholar_env/episode/<name>/`` whose module ``family`` holds its value :data:`FAMILY`, and one
line in :data:`FAMILIES`. The environment, rollouts, agents and studies take everything that differs between families
from that value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.config import EpisodeConfigBase
from scholar_env.episode.tool import Tool
from scholar_env.episode.trace import Outcome
from scholar_env.errors import InvalidOptionError
from scholar_env.named import named

if TYPE_CHECKING:
    from gymnasium.spaces import Space

    from scholar_env.corpus import Corpus
    from scholar_env.environment.observation import Viewer
    from scholar_env.metrics.tracker import Tracker

FAMILIES: Final[dict[str, str]] = {
    "complit": "scholar_env.episode.complit.family:FAMILY",
    "scholargym": "scholar_env.episode.scholargym.family:FAMILY",
    "aise": "scholar_env.episode.aise.family:FAMILY",
    "scinet": "scholar_env.episode.scinet.family:FAMILY",
}
"""Name to value; one line registers a family, which is imported when it is first asked for."""


@dataclass(frozen=True, slots=True)
class Caps:
    """Where texts in observations are cut, in characters.

    Attributes:
        max_abstract_chars: Abstracts in results.
        max_document_chars: Texts of documents.
    """

    max_abstract_chars: int = 4000
    max_document_chars: int = 8000

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Caps:
        """The caps among the arguments of an environment; the default where there is none of that name."""
        return cls(**{entry.name: options[entry.name] for entry in fields(cls) if entry.name in options})


@dataclass(frozen=True, slots=True)
class Detail:
    """How much a text view shows; None = all.

    Attributes:
        abstract: Characters of an abstract.
        results: Entries of a list of results.
        nodes: Entries of a list of what the agent has made (subqueries, steps, …).
    """

    abstract: int | None
    results: int | None
    nodes: int | None


Build = Callable[["Viewer", Any, Sequence[Outcome]], Any]
"""``build(viewer, episode, outcomes)``: a fresh JSON-able value, never gold, after the outcomes of the last step."""

Section = Callable[[Mapping[str, Any], Detail], str]
"""``section(observation, detail)``: a paragraph of the text view, ``""`` when there is nothing to show."""


@dataclass(frozen=True, slots=True)
class ObservationKey:
    """One key of an observation.

    Attributes:
        space: Its space, for the environment's caps.
        build: Its value.
    """

    space: Callable[[Caps], Space[Any]]
    build: Build


@dataclass(frozen=True, slots=True)
class StandIn:
    """How a record takes the place of a callable of the user's own, so that a replay does not depend on it.

    Attributes:
        arguments: The environment's arguments without own callables that a record replaces; the same arguments where
            there are none.
        install: Puts a record (the ``assessments`` of all steps) into an episode that has just begun.
    """

    arguments: Callable[[Mapping[str, Any]], dict[str, Any]]
    install: Callable[[Any, Sequence[Mapping[str, Any]]], None]


def nothing(*_: Any) -> None:
    """Opens nothing and checks nothing: what a family without needs of its own does."""


def one_reward(config: Any) -> str:
    """Name of the one entry that a card's ``default_reward`` has where the reward does not depend on the options."""
    return "default"


@dataclass(frozen=True, slots=True)
class Family:
    """What benchmarks of one kind share; it pickles by its name.

    Attributes:
        name: Its name.
        instructions: What an agent is told of the task in the chat forms of a rollout.
        config: Options of an episode, filled from the environment's arguments of the same names.
        episode: The episode: ``episode(corpus, index, task, config, resources)``. Its class names the tools.
        tracker: ``tracker(episode, terms)``: the measures of an episode, with further terms by name.
        metrics: Names that every tracker gives.
        rows: Columns of a tracker's rows (one an iteration, a call or a turn).
        keys: The keys of the observation, common ones among them, that a card can name.
        sections: The text view: paragraphs by name, in order.
        opening: Sections of the first message of a conversation.
        answers: Sections of the answer to a call in a conversation.
        default_reward: ``default_reward(config)``: which entry of the card's ``default_reward`` holds.
        resources: ``resources(corpus, options)``: what is opened once for a corpus and shared by all episodes and
            threads (a graph, tables, further indexes); picklable, best by reopening.
        check: ``check(config)``: refuses what only building the parts can tell, when an environment is made.
        stand_in: How records replace callables of one's own, None where there are none.
    """

    name: str
    instructions: str
    config: type[EpisodeConfigBase]
    episode: type[EpisodeBase[Any, Any]]
    tracker: Callable[[Any, tuple[str, ...]], Tracker]
    metrics: tuple[str, ...]
    rows: tuple[str, ...]
    keys: Mapping[str, ObservationKey]
    sections: Mapping[str, Section]
    opening: tuple[str, ...]
    answers: tuple[str, ...]
    default_reward: Callable[[Any], str] = one_reward
    resources: Callable[[Corpus, Mapping[str, Any]], Any] = nothing
    check: Callable[[Any], None] = nothing
    stand_in: StandIn | None = None

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        return family, (self.name,)

    @property
    def tools(self) -> Mapping[str, Tool]:
        """All tools by name, in the order of declaration."""
        return self.episode.TOOLS

    def offered(self, config: EpisodeConfigBase) -> Mapping[str, Tool]:
        """The tools that episodes with these options take."""
        return self.episode.offered(config)

    def configure(self, options: Mapping[str, Any]) -> EpisodeConfigBase:
        """Returns the options of an episode out of the arguments of an environment.

        Raises:
            InvalidOptionError: A value is out of its range.
        """
        names = [entry.name for entry in fields(self.config)]
        config = self.config(**{name: options[name] for name in names if name in options})
        self.check(config)
        return config


def family(name: str) -> Family:
    """Returns the family of that name.

    Raises:
        InvalidOptionError: There is none.
    """
    if name not in FAMILIES:
        raise InvalidOptionError(
            f"there is no family {name!r}", f"the families are {', '.join(FAMILIES)}", "name one of them on the card"
        )
    return _load(FAMILIES[name])


@cache
def _load(reference: str) -> Family:
    return cast(Family, named(reference))
