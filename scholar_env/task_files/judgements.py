"""Queries and their judgements in two files, as BEIR and ir_datasets write them.

Queries: JSON lines with ``_id`` or ``query_id``, ``text`` and, where there is one, ``before``; or a table
``query_id<TAB>text`` without header. Further fields are passed over and counted.

Judgements, one a line: ``query-id<TAB>corpus-id<TAB>score`` with or without a header (BEIR); the four columns
``query_id iteration doc_id relevance`` of TREC, which ir_datasets writes; or JSON lines with ``query-id``,
``corpus-id``, ``score`` or ``query_id``, ``doc_id``, ``relevance``. A paper is gold from a least relevance on. Queries
without a judgement are passed over.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scholar_env.errors import InvalidOptionError
from scholar_env.task_files.faults import Faults, FieldFault, shown
from scholar_env.task_files.form import load_schema
from scholar_env.task_files.lines import SourceFile
from scholar_env.task_files.schema import NOTHING, SchemaCheck

QUERY_FILES = ("queries.jsonl", "queries.tsv")
JUDGEMENT_FILES = ("qrels.tsv", "qrels.txt", "qrels.jsonl", "qrels/test.tsv")

_COLUMNS = "query-id<TAB>corpus-id<TAB>score, or query_id iteration doc_id relevance"
_KEYS = (("query-id", "corpus-id", "score"), ("query_id", "doc_id", "relevance"))
_HEADER = ("query-id", "query_id", "qid", "topic")


@dataclass(slots=True)
class Judged:
    """The judgements of one query.

    Attributes:
        line: Where the first one stands.
        scores: Score by paper, in order.
        is_used: Whether the query was found.
    """

    line: int
    scores: dict[str, float] = field(default_factory=dict)
    is_used: bool = False


def find_pair(folder: Path) -> tuple[Path, Path]:
    """Finds the two files in a folder.

    Raises:
        InvalidOptionError: One is missing, or there are several.
    """
    return _one_of(folder, QUERY_FILES), _one_of(folder, JUDGEMENT_FILES)


def _one_of(folder: Path, names: tuple[str, ...]) -> Path:
    found = [name for name in names if (folder / name).is_file()]
    if len(found) != 1:
        raise InvalidOptionError(
            f"{folder} holds {' and '.join(found) or 'none of ' + ', '.join(names)}",
            "a folder holds one file of queries and one of judgements",
            "name the file of queries, and the other with --qrels",
        )
    return folder / found[0]


class Judgements:
    """The judgements of a file, in memory.

    Args:
        path: The file.
        least: Least score of a gold paper.
        faults: Takes what is wrong with its lines.

    Attributes:
        source: The file as it was read.
        n_repeated: Judgements that repeat an earlier one.
    """

    def __init__(self, path: Path, least: float, faults: Faults) -> None:
        self.source = SourceFile(path, faults)
        self.n_repeated = 0
        self._least = least
        self._by_query: dict[str, Judged] = {}
        rows = self._objects() if path.suffix in (".jsonl", ".json") else self._table()
        for line, query, paper, score in rows:
            self._add(line, query, paper, score)

    def gold_of(self, query: str) -> tuple[str, ...] | None:
        """Returns the gold papers of a query in order, None when it has no judgement."""
        judged = self._by_query.get(query)
        if judged is None:
            return None
        judged.is_used = True
        return tuple(paper for paper, score in judged.scores.items() if score >= self._least)

    def refuse_unused(self, queries: str) -> None:
        """Adds a fault for each query that has judgements and was not asked for.

        Args:
            queries: The file of queries, for the message.
        """
        for query, judged in self._by_query.items():
            if not judged.is_used:
                rule = f"judgements are of the queries in {queries}"
                self.source.refuse(
                    judged.line, FieldFault("query-id", shown(query), rule, "add the query, or remove its judgements")
                )

    def _add(self, line: int, query: str, paper: str, score: float) -> None:
        scores = self._by_query.setdefault(query, Judged(line)).scores
        if paper not in scores:
            scores[paper] = score
        elif scores[paper] == score:
            self.n_repeated += 1
        else:
            rule = f"a paper has one score for a query; an earlier line says {scores[paper]:g} for {shown(paper)}"
            self.source.refuse(line, FieldFault("score", f"{score:g}", rule, "remove one of the two lines"))

    def _table(self) -> Iterator[tuple[int, str, str, float]]:
        is_first = True
        for line, text in self.source.lines():
            cells = text.split("\t")
            if len(cells) == 1:
                cells = text.split()
            was_first, is_first = is_first, False
            if was_first and cells[0].strip().lower() in _HEADER:
                continue
            if len(cells) not in (3, 4):
                self.source.refuse(line, FieldFault("", shown(text), f"a line is {_COLUMNS}", "write these columns"))
                continue
            query, paper, said = (cells[0], cells[-2], cells[-1])
            yield from self._checked(line, query.strip(), paper.strip(), said.strip())

    def _objects(self) -> Iterator[tuple[int, str, str, float]]:
        for line, row in self.source.objects():
            keys = next((keys for keys in _KEYS if keys[0] in row), _KEYS[0])
            missing = [key for key in keys if key not in row]
            for key in missing:
                rule = f"a line has {', '.join(_KEYS[0])} or {', '.join(_KEYS[1])}"
                self.source.refuse(line, FieldFault(key, NOTHING, rule, f"add {key}"))
            if not missing:
                query, paper, said = (row[key] for key in keys)
                yield from self._checked(line, query, paper, said)

    def _checked(self, line: int, query: Any, paper: Any, said: Any) -> Iterator[tuple[int, str, str, float]]:
        wrong = []
        for name, value in (("query-id", query), ("corpus-id", paper)):
            if not isinstance(value, str) or not value.strip():
                wrong.append(FieldFault(name, shown(value), f"{name} is a text that is not blank", "fill it in"))
        score = _number(said)
        if score is None:
            wrong.append(FieldFault("score", shown(said), "score is a number", "write a number such as 1"))
        for fault in wrong:
            self.source.refuse(line, fault)
        if score is not None and not wrong:
            yield line, query, paper, score


def _number(said: Any) -> float | None:
    if isinstance(said, bool) or not isinstance(said, str | int | float):
        return None
    try:
        number = float(said)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


class Queries:
    """The queries of a file that have judgements, as records of the plain format.

    Args:
        path: The file.
        judgements: Their judgements.
        faults: Takes what is wrong with its lines.

    Attributes:
        source: The file as it is read.
        n_unjudged: Queries without judgement, which were passed over.
        ignored: How often each field was passed over.
    """

    def __init__(self, path: Path, judgements: Judgements, faults: Faults) -> None:
        self.source = SourceFile(path, faults)
        self.n_unjudged = 0
        self.ignored: Counter[str] = Counter()
        self._judgements = judgements
        self._check = SchemaCheck(load_schema("queries.schema.json"))

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields the records with their lines; at the end, judgements of other queries are faults."""
        rows = self._objects() if self.source.path.suffix in (".jsonl", ".json") else self._table()
        for line, row in rows:
            wrong = self._check.faults(row)
            for fault in wrong:
                self.source.refuse(line, fault)
            gold = self._judgements.gold_of(row["query_id"]) if isinstance(row.get("query_id"), str) else ()
            if wrong:
                continue
            if gold is None:
                self.n_unjudged += 1
                continue
            yield line, {**row, "gold": list(gold)}
        if not self.source.is_compressed:
            self._judgements.refuse_unused(self.source.name)

    def _table(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for line, text in self.source.lines():
            cells = text.split("\t")
            if len(cells) != 2:
                rule = "a line of a table of queries is query_id<TAB>text"
                mend = "write these two columns, for example with ir_datasets export … --fields query_id text"
                self.source.refuse(line, FieldFault("", shown(text), rule, mend))
                continue
            yield line, {"query_id": cells[0].strip(), "text": cells[1].strip()}

    def _objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        known = ("query_id", "text", "before")
        for line, row in self.source.objects():
            if "_id" in row and "query_id" not in row:
                row["query_id"] = row.pop("_id")
            self.ignored.update(name for name in row if name not in known)
            yield line, {name: row[name] for name in known if name in row}
