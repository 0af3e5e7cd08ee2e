"""Frozen records of a query for one paper: its constraints with their evidence, the turns of a conversation.

Their JSON form is what a CompLit task holds in ``Task.details``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from scholar_env.errors import InvalidOptionError
from scholar_env.records import NamedPaper

SOURCES: Final = ("content", "figural", "metadata", "comparative")
"""What supports a constraint: the text, a figure, the bibliographic record, a comparison with another paper."""

LEVELS: Final = ("explicit", "paraphrased", "inferred")
"""How plainly it does: in the constraint's words, in other words, by what follows from the text only."""

EVIDENCE_KINDS: Final = ("text", "figure", "record", "comparison")
SETTINGS: Final = ("standard", "implicit", "cumulative", "unmet")
INJECTED_KINDS: Final = ("table_value", "figure_fact")
STATUSES: Final = ("refuted", "silent")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a paper, or the caption of a figure.

    Attributes:
        place: ``title``, ``abstract`` or the heading of a section.
        text: The words.
    """

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What of a paper supports a constraint or, for an injected one, denies it.

    Attributes:
        kind: One of :data:`EVIDENCE_KINDS`.
        passages: Where it is said; empty for the record, and where the paper says nothing.
        figure: Number of the figure, 0 for none.
        field: Field of the record, ``""`` for none.
        other_paper: Id of the paper that it is compared with, ``""`` for none.
    """

    kind: str
    passages: tuple[Passage, ...] = ()
    figure: int = 0
    field: str = ""
    other_paper: str = ""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One thing that the wanted paper must be, have or show.

    Attributes:
        id: Unique within the query.
        text: A verb phrase whose subject is the paper, as the query says it.
        source: One of :data:`SOURCES`.
        level: One of :data:`LEVELS`; None for metadata, and for an injected constraint on which the paper is silent.
        evidence: What supports it.
        injected: Whether it was added so that no paper satisfies the query.
        injected_kind: One of :data:`INJECTED_KINDS`, else ``""``.
        status_in_paper: What the near-miss says of an injected constraint, one of :data:`STATUSES`, else ``""``.
    """

    id: str
    text: str
    source: str
    level: str | None
    evidence: Evidence
    injected: bool = False
    injected_kind: str = ""
    status_in_paper: str = ""

    def __post_init__(self) -> None:
        rules: dict[str, tuple[object, tuple[object, ...]]] = {
            "source": (self.source, SOURCES),
            "level": (self.level, (*LEVELS, None)),
            "evidence kind": (self.evidence.kind, EVIDENCE_KINDS),
            "injected_kind": (self.injected_kind, (*INJECTED_KINDS, "")),
            "status_in_paper": (self.status_in_paper, (*STATUSES, "")),
        }
        for name, (value, allowed) in rules.items():
            if value not in allowed:
                raise InvalidOptionError(
                    f"constraint {self.id!r} has the {name} {value!r}",
                    f"it is one of {', '.join(repr(entry) for entry in allowed)}",
                    "correct it",
                )
        if self.injected != bool(self.injected_kind) or self.injected != bool(self.status_in_paper):
            raise InvalidOptionError(
                f"constraint {self.id!r} has injected={self.injected}, injected_kind={self.injected_kind!r}, "
                f"status_in_paper={self.status_in_paper!r}",
                "an injected constraint has both of the latter, any other one has neither",
                "correct it",
            )


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance of a conversation.

    Attributes:
        utterance: What the user says.
        purpose: What it is for.
        constraint_ids: The constraints that it reveals.
    """

    utterance: str
    purpose: str
    constraint_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A query for one paper, or for none.

    Attributes:
        setting: One of :data:`SETTINGS`.
        text: What is asked; of a conversation, its opening utterance.
        intent: The purpose, an id of :mod:`scholar_env.construction.intents`.
        target: The paper that satisfies all constraints; None where none does.
        near_miss: The paper that satisfies all but the injected one; None where nothing was injected.
        constraints: In the order in which the query says them.
        domain: Group of the paper in mind.
        year: Its year.
        turns: Of a conversation.
        smallest: Size of the smallest set of constraints that no other paper satisfies.
        needed: Number of constraints without which another paper would satisfy the rest.
    """

    setting: str
    text: str
    intent: str
    target: NamedPaper | None
    near_miss: NamedPaper | None
    constraints: tuple[Constraint, ...]
    domain: str
    year: int
    turns: tuple[Turn, ...] = ()
    smallest: int = 0
    needed: int = 0

    def __post_init__(self) -> None:
        if self.setting not in SETTINGS or (self.target is None) == (self.near_miss is None):
            raise InvalidOptionError(
                f"a query of setting {self.setting!r} with target {self.target} and near-miss {self.near_miss}",
                f"settings are {', '.join(SETTINGS)}; a query has a target or a near-miss",
                "correct it",
            )

    def details(self) -> dict[str, Any]:
        """The JSON form without the text."""
        return {
            "setting": self.setting,
            "intent": self.intent,
            "domain": self.domain,
            "year": self.year,
            "target": plain(self.target),
            "near_miss": plain(self.near_miss),
            "constraints": plain(self.constraints),
            "turns": plain(self.turns),
            "uniqueness": {"smallest": self.smallest, "needed": self.needed},
        }

    @classmethod
    def from_details(cls, text: str, details: Mapping[str, Any]) -> Query:
        """Reads the JSON form.

        Raises:
            InvalidOptionError: A value is none of those allowed.
            KeyError, TypeError: A field is missing or of another kind.
        """
        constraints = tuple(
            Constraint(**{**row, "evidence": _evidence(row["evidence"])}) for row in details["constraints"]
        )
        turns = tuple(Turn(row["utterance"], row["purpose"], tuple(row["constraint_ids"])) for row in details["turns"])
        target, near_miss = (
            NamedPaper(**details[name]) if details[name] is not None else None for name in ("target", "near_miss")
        )
        counts = details["uniqueness"]
        return cls(
            *(details["setting"], text, details["intent"], target, near_miss, constraints),
            *(details["domain"], details["year"], turns, counts["smallest"], counts["needed"]),
        )


def _evidence(row: Mapping[str, Any]) -> Evidence:
    return Evidence(**{**row, "passages": tuple(Passage(**passage) for passage in row["passages"])})


def plain(value: Any) -> Any:
    """A record, or a tuple of them, as plain JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: plain(getattr(value, entry.name)) for entry in fields(value)}
    return [plain(entry) for entry in value] if isinstance(value, tuple) else value
