"""The subquery tree: which subqueries were asked, from where, and what each has fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

ROOT = 0


@dataclass(slots=True)
class Node:
    """One subquery.

    Attributes:
        id: Positive number, given in the order of creation.
        parent: Number of the node that it was made from; 0 is the question.
        link: ``derive``, ``expand`` or ``search``.
        text: The subquery.
        iteration: Iteration of its latest page (as in the released workflow, where a continued subquery moves on).
        requested: Results asked for so far, each page counted after capping.
        pages: Pages fetched so far.
        papers: Ids on its pages, in the order shown; none twice.
        before: Date bound of its searches (the task's, or a tighter one of ``search``); None for no bound.
        selected: Papers selected under it, the open iteration included.
    """

    id: int
    parent: int
    link: str
    text: str
    iteration: int
    before: str | None = None
    requested: int = 0
    pages: int = 0
    papers: list[str] = field(default_factory=list)
    selected: int = 0

    @property
    def retrieved(self) -> int:
        """Number of papers on its pages."""
        return len(self.papers)

    def copy(self) -> Node:
        """Returns an independent copy."""
        return Node(
            self.id, self.parent, self.link, self.text, self.iteration, self.before,
            self.requested, self.pages, list(self.papers), self.selected,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Returns what an observation shows of the node."""
        return {
            "id": self.id,
            "parent": self.parent,
            "link": self.link,
            "text": self.text,
            "iteration": self.iteration,
            "requested": self.requested,
            "retrieved": len(self.papers),
            "selected": self.selected,
            "pages": self.pages,
        }


@dataclass(slots=True)
class SubqueryTree:
    """The nodes by number; the root (0, the question) is a parent but no node: never searched, never continued."""

    nodes: dict[int, Node] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, number: int) -> bool:
        return number in self.nodes

    def __getitem__(self, number: int) -> Node:
        return self.nodes[number]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes.values())

    @property
    def next_id(self) -> int:
        """The number that the next node gets: one more than the number of nodes."""
        return len(self.nodes) + 1

    def add(self, node: Node) -> Node:
        """Puts a node in under its number."""
        self.nodes[node.id] = node
        return node

    def copy(self) -> SubqueryTree:
        """Returns an independent copy."""
        return SubqueryTree({number: node.copy() for number, node in self.nodes.items()})

    def to_json(self) -> list[dict[str, Any]]:
        """Returns the nodes as an observation shows them, in the order of creation."""
        return [node.to_json() for node in self.nodes.values()]
