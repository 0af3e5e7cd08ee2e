"""Works as the large releases describe them: a paper, where it appeared, and where its text mentions others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scholar_env.corpus_rows import RowError, refuse_surrogates, shown
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Paper


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in the text where another paper is cited.

    Attributes:
        cited: Id of the cited paper.
        paragraph: Number of the paragraph, counted from 0 over all sections; the paragraphs of a section stand apart
            by an empty line in its text.
        sentiment: Place in ``scholar_env.graph.citation_graph.SENTIMENTS``: 0 neutral, 1 positive, 2 negative.
    """

    cited: str
    paragraph: int
    sentiment: int = 0


@dataclass(frozen=True, slots=True)
class Work:
    """One work of a release.

    Attributes:
        paper: The paper; its references are distinct and do not hold itself.
        journal: Id of the source that it appeared in, "" when unknown.
        topic: Id of its main topic, "" when unknown.
        mentions: Citation contexts in the order of the text.
        n_self: References to itself that were dropped.
        n_unidentified: References without an id.
        also: Further ids under which other works cite it.
    """

    paper: Paper
    journal: str = ""
    topic: str = ""
    mentions: tuple[Mention, ...] = ()
    n_self: int = 0
    n_unidentified: int = 0
    also: tuple[str, ...] = ()

    def named(self, names: Mapping[str, str]) -> Work:
        """The work with what it cites under other names: ``names`` maps further ids to those of papers."""
        if not names:
            return self
        cited = [names.get(name, name) for name in self.paper.references]
        kept = dict.fromkeys(name for name in cited if name != self.paper.id)
        mentions = [replace(mention, cited=names.get(mention.cited, mention.cited)) for mention in self.mentions]
        return replace(
            self,
            paper=replace(self.paper, references=tuple(kept)),
            mentions=tuple(mention for mention in mentions if mention.cited != self.paper.id),
            n_self=self.n_self + cited.count(self.paper.id),
        )


@dataclass(frozen=True)
class WorksFormat:
    """How a release stores its works: JSON lines, or JSON files, gzipped or not.

    Attributes:
        name: Name of the release.
        version: Number of this reading of it; another one does not go on with an import that was cut off.
        source: Where it comes from.
        licence: Terms of use.
        parse: Reads a record; raises :class:`scholar_env.corpus_rows.RowError` where it cannot be used.
        aliases: Whether works have further ids (:attr:`Work.also`).
        folders: Names of folders one of which a file must lie in, when any is there; () = all files count.
    """

    name: str
    version: int
    source: str
    licence: str
    parse: Callable[[dict[str, Any]], Work]
    folders: tuple[str, ...] = ()
    aliases: bool = False

    def read(self, record: Any, conditions: Sequence[Condition]) -> Work | None:
        """Reads a record; None where a condition keeps it out.

        Raises:
            RowError: It cannot be used.
        """
        if not isinstance(record, dict):
            raise RowError(f"it is {shown(record)} instead of an object")
        if not all(condition.holds(record) for condition in conditions):
            return None
        work = self.parse(record)
        paper = work.paper
        refuse_surrogates((paper.id, paper.title, paper.abstract, *paper.authors, *paper.categories, *paper.references))
        refuse_surrogates((work.journal, work.topic, *(mention.cited for mention in work.mentions)))
        refuse_surrogates(part for section in paper.sections for part in (section.title, section.text))
        return work


_CONDITION = re.compile(r"([\w.-]+)(=|>=|<=)(.+)", re.DOTALL)


@dataclass(frozen=True)
class Condition:
    """Which records of a release are wanted: ``language=en``, ``publication_year>=2015``, ``type=article,preprint``.

    Attributes:
        path: Names of fields from the outermost on; a list on the way stands for any of its items.
        operator: ``=`` (one of the values, as text), ``>=`` or ``<=`` (as numbers).
        values: What is compared with.
    """

    path: tuple[str, ...]
    operator: str
    values: tuple[str, ...] = field(default=())

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Reads a condition.

        Raises:
            InvalidOptionError: It has another form.
        """
        match = _CONDITION.fullmatch(text)
        values = tuple(value.strip() for value in match[3].split(",")) if match else ()
        if match is None or (match[2] != "=" and (len(values) != 1 or _number(values[0]) is None)):
            raise InvalidOptionError(
                f"the condition {text!r}",
                "a condition is FIELD=VALUE[,VALUE…], FIELD>=NUMBER or FIELD<=NUMBER, FIELD with dots between names",
                "write it like primary_topic.field.display_name='Computer Science' or publication_year>=2015",
            )
        return cls(tuple(match[1].split(".")), match[2], values)

    def holds(self, record: Any) -> bool:
        """Whether a record satisfies it."""
        return any(self._fits(value) for value in _values(record, self.path))

    def _fits(self, value: Any) -> bool:
        if self.operator == "=":
            text = str(value).lower() if isinstance(value, bool) else str(value)
            return text in self.values
        number, bound = _number(value), _number(self.values[0])
        if number is None or bound is None:
            return False
        return number >= bound if self.operator == ">=" else number <= bound


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def _values(record: Any, path: tuple[str, ...]) -> list[Any]:
    """What lies at a path; several values where lists are on the way."""
    found = [record]
    for name in path:
        found = [item for value in found for item in (value if isinstance(value, list) else [value])]
        found = [value[name] for value in found if isinstance(value, dict) and value.get(name) is not None]
    return [item for value in found for item in (value if isinstance(value, list) else [value])]
