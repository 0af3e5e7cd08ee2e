"""Check the data files of the ontology: `python -m scholar_env.corpora.world.lint [FILE …]`.

Without files everything that ships is checked. With files, those are read beside what ships and only findings in them
are shown. Exit code 1 where there are findings, 0 otherwise.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from scholar_env.errors import CorpusFormatError

from .findings import Finding
from .lint_complit import lint_complit
from .lint_counts import lint_counts
from .lint_forms import lint_forms
from .lint_frames import lint_frames
from .lint_queries import lint_queries
from .lint_text import lint_text, spell_checker_present
from .lint_values import lint_values
from .ontology import Ontology, load, name_of, shipped_files


def lint(ontology: Ontology) -> list[Finding]:
    """Return all findings on an ontology, sorted by place."""
    rules = (lint_forms, lint_values, lint_counts, lint_frames, lint_queries, lint_complit, lint_text)
    return sorted({finding for rule in rules for finding in rule(ontology)})


def summary(ontology: Ontology, findings: Sequence[Finding], shown: int) -> str:
    """Say what was read and found, in a few lines."""
    parts = [
        f"{len(ontology.subfields)} subfields ({', '.join(entry.id for entry in ontology.subfields)})",
        f"{sum(len(entry.concepts) for entry in ontology.subfields)} concepts",
        f"{sum(len(entry.nouns) for entry in ontology.subfields)} nouns",
        f"{len(ontology.attributes)} attributes with {sum(len(entry.values) for entry in ontology.attributes)} values",
        f"{len(ontology.frames)} frames",
    ]
    lines = ["read: " + ", ".join(parts)]
    if not spell_checker_present():
        lines.append("note: pyspellchecker is not installed, so only American against British spelling was checked")
    groups = {entry.group for entry in ontology.subfields}
    unfilled = sorted({frame.group for frame in ontology.frames} - groups - {"any"})
    if unfilled:
        lines.append(f"note: no subfield of {', '.join(unfilled)} yet, so their frames were checked unfilled")
    empty = [prop for prop in ontology.registry.props if prop not in {frame.prop for frame in ontology.frames}]
    if empty:
        lines.append(f"note: no frames of {', '.join(empty)} yet")
    rules = Counter(finding.rule for finding in findings)
    lines.append(
        f"{shown} findings"
        + (f" ({', '.join(f'{count} {rule}' for rule, count in sorted(rules.items()))})" if rules else "")
    )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the linter; return the exit code."""
    given = [Path(name).resolve() for name in (sys.argv[1:] if arguments is None else arguments)]
    shipped = [path.resolve() for path in shipped_files()]
    try:
        ontology = load([*shipped, *(path for path in given if path not in shipped)])
    except CorpusFormatError as error:
        print(error)
        return 1
    findings = lint(ontology)
    if given:
        wanted = {name_of(path) for path in given}
        findings = [finding for finding in findings if finding.where.file in wanted]
    for finding in findings:
        print(finding)
    print(summary(ontology, findings, len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
