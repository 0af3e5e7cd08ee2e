"""The folder of SciNetBench's release: 49 files of queries, with what is odd about them.

::

    Queries/Task1/queries_task1_{disruptive,novel}_{D}.json     field name -> query
    Queries/Task2/queries_{D}_{cooccur,pncites}.json            address of the seed -> query
    Queries/Task3/queries_task3_path_{D}.json                   name of a lineage -> query

Each is one JSON object. A query's id is ``family/domain/key``: texts are not unique.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scholar_env.errors import InvalidOptionError
from scholar_env.task_files.faults import Faults, FieldFault, shown
from scholar_env.task_files.scinet_queries import COMENTION, DISRUPTION, NOVELTY, PATH, SENTIMENT, Query, parse_query

_FILES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"queries_task1_disruptive_(.+)\.json"), DISRUPTION, "ego-disruption"),
    (re.compile(r"queries_task1_novel_(.+)\.json"), NOVELTY, "ego-novelty"),
    (re.compile(r"queries_(.+)_pncites\.json"), SENTIMENT, "pair-sentiment"),
    (re.compile(r"queries_(.+)_cooccur\.json"), COMENTION, "pair-comention"),
    (re.compile(r"queries_task3_path_(.+)\.json"), PATH, "path"),
)
"""Name of a file with its domain, the kind of its queries, and the family in their ids."""

LARGEST = 1 << 28
"""Bytes of a file at most."""

N_PAPER, N_RELEASE = 8_940, 9_025
"""Queries that the paper reports, and queries that the release holds (2,640 ego, 4,200 pair, 2,100 and 2,185 path)."""


class ReleaseFolder:
    """Reads the release's queries once, file by file; has the methods of a task file.

    Args:
        path: The folder of the release, or its folder ``Queries``.
        faults: Takes what is wrong with a query; its "line" is the place of the key in the file, from 1.

    Attributes:
        path: The folder.
        name: The folder as it was named.
        done: Bytes read so far, of :attr:`size`.
        remarks: What is odd about the queries, by file and key, once all were read.

    Raises:
        InvalidOptionError: The folder holds no such files.
    """

    def __init__(self, path: Path, faults: Faults) -> None:
        self.path, self.name = path, str(path)
        self.remarks: list[str] = []
        self._faults, self._digest = faults, hashlib.sha256()
        self._files = [
            (file, found[1], kind, family)
            for pattern, kind, family in _FILES
            for file in sorted(path.rglob("queries*.json"))
            if (found := pattern.fullmatch(file.name))
        ]
        if not self._files:
            raise InvalidOptionError(
                f"{path} holds no queries of SciNetBench",
                "the release has files such as Queries/Task1/queries_task1_novel_AI.json",
                "name the folder of the release, or a task file",
            )
        self.size = sum(file.stat().st_size for file, *_ in self._files)
        self.done = 0
        self._file = self._files[0][0]

    def sha256(self) -> str:
        """Returns the hex sha256 over all files in the order read, once they were read."""
        return self._digest.hexdigest()

    def refuse(self, line: int, fault: FieldFault) -> None:
        """Adds a fault of the query at that place of the file that is being read."""
        self._faults.add(str(self._file), line, fault)

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields the queries as lines of a task file, with their places."""
        oddities = Oddities()
        for file, domain, kind, family in self._files:
            self._file = file
            for place, (key, text) in enumerate(self._pairs(), start=1):
                record = {"query_id": f"{family}/{domain}/{key}", "text": text, "domain": domain}
                if kind in (SENTIMENT, COMENTION):
                    record["seed"] = key
                try:
                    query = parse_query(text) if isinstance(text, str) else None
                except InvalidOptionError:
                    query = None  # the check of the line says why
                if query is not None:
                    oddities.note(f"{file.relative_to(self.path)}, {key!r}", domain, key, kind, query)
                yield place, record
        self.remarks = oddities.remarks()

    def _pairs(self) -> list[tuple[str, Any]]:
        """Keys and texts of a file, repeated keys too."""
        if self._file.stat().st_size > LARGEST:
            self.refuse(1, FieldFault("", str(self._file), f"a file has at most {LARGEST} bytes", "divide it"))
            return []
        raw = self._file.read_bytes()
        self._digest.update(raw)
        self.done += len(raw)
        try:
            pairs = json.loads(raw.decode("utf-8"), object_pairs_hook=_Pairs)
        except (ValueError, RecursionError) as problem:
            rule = f"a file of queries is one JSON object in UTF-8 ({problem})"
            self.refuse(1, FieldFault("", shown(repr(raw[:60])), rule, "take the file as it was released"))
            return []
        if not isinstance(pairs, _Pairs):
            rule = "a file of queries is one JSON object of keys and queries"
            self.refuse(1, FieldFault("", shown(pairs), rule, "take the file as it was released"))
            return []
        return list(pairs)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as it stands, repeated keys included."""


class Oddities:
    """Finds what is odd about the queries of a release: repetitions, keys that differ from the text, odd titles."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}
        self._pairs: dict[tuple[str, ...], list[str]] = {}
        self._domains: dict[tuple[str, str], dict[str, str]] = {}
        self._odd: list[str] = []

    def note(self, place: str, domain: str, key: str, kind: str, query: Query) -> None:
        """Takes a query.

        Args:
            place: File and key.
            domain: Domain of the file.
            key: The key.
            kind: The kind that the file's name tells.
            query: What the text says.
        """
        self._texts.setdefault(query.text, []).append(place)
        if query.kind == PATH:
            self._pairs.setdefault(query.titles, []).append(place)
            if query.titles[0] == query.titles[1]:
                self._odd.append(f"{place}: both ends are {query.titles[0]!r}")
        subject = key if query.kind in (SENTIMENT, COMENTION) else query.field
        if query.kind != PATH:
            self._domains.setdefault((query.kind, subject), {}).setdefault(domain, place)
        self._odd += [f"{place}: {what}" for what in _odd(key, kind, query)]

    def remarks(self) -> list[str]:
        """Counts first, then each finding by file and key."""
        texts = [places for places in self._texts.values() if len(places) > 1]
        pairs = [places for places in self._pairs.values() if len(places) > 1]
        several = {key: places for key, places in self._domains.items() if len(places) > 1}
        n_queries = sum(map(len, self._texts.values()))
        counts = [
            f"{n_queries} queries have {len(self._texts)} distinct texts (n_release {N_RELEASE}, n_paper {N_PAPER})",
            f"{len(pairs)} pairs of ends occur more than once",
            f"{len(several)} fields and seeds occur in several domains",
            f"{len(self._odd)} odd rows",
        ]
        return [
            *counts,
            *(f"the same text: {'; '.join(places)}" for places in texts),
            *(f"the same pair of ends: {'; '.join(places)}" for places in pairs),
            *(f"{kind} in several domains: {'; '.join(places.values())}" for (kind, _), places in several.items()),
            *(f"odd: {what}" for what in self._odd),
        ]


def _odd(key: str, kind: str, query: Query) -> Iterator[str]:
    """What is odd about one query."""
    if query.kind != kind:
        yield f"the file is for {kind} and the text asks for {query.kind}"
    if query.kind in (NOVELTY, DISRUPTION):
        if key != query.field:
            yield f"the text names the field {query.field!r}"
        if "/" in query.field:
            yield "the field holds a stroke, so that a gold file named for it lies in another folder"
    if query.kind == PATH and key.replace("_", " ") != query.field:
        yield f"the text names the field {query.field!r}"
    for title in query.titles:
        if '"' in title:
            cut = ", at the first of which the released scripts cut it" if kind in (SENTIMENT, COMENTION) else ""
            yield f"a title holds quotation marks{cut}"
        if re.search(r"<[^>]+>|&\w+;", title):
            yield "a title holds markup"
        if re.search(r"[\u00a0\u2000-\u200b]", title):
            yield "a title holds spaces other than the common one"
        if title.isupper():
            yield "a title is all capitals"
