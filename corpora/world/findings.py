"""What the linter reports."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import Where


@dataclass(frozen=True, order=True)
class Finding:
    """One fault.

    Attributes:
        where: File and line.
        rule: Short name of the rule.
        what: What is wrong and how to mend it.
    """

    where: Where
    rule: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.what}"
