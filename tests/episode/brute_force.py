"""A corpus in memory and a brute-force index over it: the slow, obvious reading of the index protocol."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from scholar_env.index.base import Hits, SearchRequest
from scholar_env.records import Paper, Section


class ListCorpus:
    """Papers in a list; the row of a paper is its place."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self.papers = list(papers)
        self._rows = {paper.id: row for row, paper in enumerate(self.papers)}

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(repr(self.papers).encode()).hexdigest()

    def row_of(self, paper_id: str) -> int | None:
        return self._rows.get(paper_id)

    def id_of(self, row: int) -> str:
        return self.papers[row].id

    def title(self, row: int) -> str:
        return self.papers[row].title

    def abstract(self, row: int) -> str:
        return self.papers[row].abstract

    def date(self, row: int) -> str:
        return self.papers[row].date

    def authors(self, row: int) -> tuple[str, ...]:
        return self.papers[row].authors

    def sections(self, row: int) -> tuple[Section, ...]:
        return self.papers[row].sections


class BruteForceIndex:
    """Scores every paper for every query: Okapi BM25 with idf floored at 0.01, computed from the formula each time."""

    def __init__(self, corpus: ListCorpus) -> None:
        self.corpus = corpus
        self.bags = [Counter(words(f"{paper.title} {paper.abstract}")) for paper in corpus.papers]
        self.mean_length = sum(bag.total() for bag in self.bags) / max(1, len(self.bags))
        self.requests: list[SearchRequest] = []
        self.failures: list[Exception] = []

    @property
    def engine(self) -> str:
        return "brute-force"

    @property
    def fingerprint(self) -> str:
        return "brute-force-" + self.corpus.fingerprint

    @property
    def n_documents(self) -> int:
        return len(self.bags)

    def ranked(self, query: str, before: str | None, exclude: Sequence[int] = ()) -> list[tuple[int, float]]:
        """The whole ranked list: row and score, best first, ties by row."""
        scores = ((row, self._score(query, row)) for row in range(len(self.bags)) if row not in set(exclude))
        dated = ((row, s) for row, s in scores if s > 0 and (before is None or self._admitted(row, before)))
        return sorted(dated, key=lambda pair: (-pair[1], pair[0]))

    def _admitted(self, row: int, before: str) -> bool:
        date = self.corpus.date(row)
        return bool(date) and date[:7] <= before[:7]

    def _score(self, query: str, row: int) -> float:
        bag, score = self.bags[row], 0.0
        for word in words(query):
            n = sum(word in other for other in self.bags)
            idf = max(0.01, math.log((len(self.bags) - n + 0.5) / (n + 0.5)))
            tf = bag[word]
            score += idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * bag.total() / self.mean_length))
        return score

    def search(
        self,
        query: str,
        k: int,
        *,
        offset: int = 0,
        before: str | None = None,
        exclude: Sequence[int] = (),
        gold: Sequence[int] = (),
    ) -> Hits:
        if self.failures:
            raise self.failures.pop(0)
        self.requests.append(SearchRequest(query, k, offset, before, tuple(exclude), tuple(gold)))
        ranked = self.ranked(query, before, exclude)
        whole = [row for row, _ in self.ranked(query, before)]
        rows = [row for row, _ in ranked]
        page = ranked[offset : offset + k]
        return Hits(
            np.array([row for row, _ in page], np.int32),
            np.array([score for _, score in page], np.float64),
            len(ranked),
            tuple(rows.index(row) if row in rows else None for row in gold),
            tuple(whole.index(row) if row in whole else None for row in gold),
        )

    def search_batch(self, requests: Sequence[SearchRequest]) -> list[Hits]:
        return [
            self.search(r.query, r.k, offset=r.offset, before=r.before, exclude=r.exclude, gold=r.gold)
            for r in requests
        ]


def words(text: str) -> list[str]:
    return re.findall(r"\b[a-z]+\b", text.lower())
