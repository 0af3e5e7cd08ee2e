"""Small worlds for the episode: a corpus in memory, an index of declared rankings, and a brute-force index.

Both indexes read the index protocol in the slow, obvious way, so what the engine asks of an index is checked
independently of the real ones.
"""

from __future__ import annotations

import functools
import hashlib
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pytest

from scholar_env.episode.scholargym.assess import Assessor
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.index.base import Hits, SearchRequest
from scholar_env.records import Paper, Section, Task


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


class ListIndex:
    """An index that ranks by listing every paper; subclasses say how a paper scores.

    Attributes:
        requests: Everything that was asked.
        failures: Errors to raise before the next answers.
    """

    def __init__(self, corpus: ListCorpus) -> None:
        self.corpus = corpus
        self.requests: list[SearchRequest] = []
        self.failures: list[Exception] = []

    @property
    def engine(self) -> str:
        return "list"

    @property
    def fingerprint(self) -> str:
        return f"{type(self).__name__}-{self.corpus.fingerprint}"

    @property
    def n_documents(self) -> int:
        return len(self.corpus.papers)

    def score(self, query: str, row: int) -> float:
        raise NotImplementedError

    def ranked(self, query: str, before: str | None, exclude: Sequence[int] = ()) -> list[tuple[int, float]]:
        """The whole ranked list: row and score, best first, ties by row."""
        rows = [row for row in range(self.n_documents) if row not in set(exclude)]
        if before is not None:
            rows = [row for row in rows if (date := self.corpus.date(row)) and date[:7] <= before[:7]]
        scores = [(row, self.score(query, row)) for row in rows]
        return sorted((pair for pair in scores if pair[1] > 0), key=lambda pair: (-pair[1], pair[0]))

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


class DeclaredIndex(ListIndex):
    """Ranks as declared: text to paper ids, best first; the score is how many come after, plus one."""

    def __init__(self, corpus: ListCorpus, rankings: Mapping[str, Sequence[str]]) -> None:
        super().__init__(corpus)
        self.rankings = rankings

    def score(self, query: str, row: int) -> float:
        order = self.rankings.get(query, ())
        paper = self.corpus.id_of(row)
        return float(len(order) - order.index(paper)) if paper in order else 0.0


class BruteForceIndex(ListIndex):
    """Okapi BM25 with idf floored at 0.01, computed from the formula for every paper and every query."""

    def __init__(self, corpus: ListCorpus) -> None:
        super().__init__(corpus)
        self.bags = [Counter(words(f"{paper.title} {paper.abstract}")) for paper in corpus.papers]
        self.mean_length = sum(bag.total() for bag in self.bags) / max(1, len(self.bags))

    def score(self, query: str, row: int) -> float:
        bag, score = self.bags[row], 0.0
        for word in words(query):
            n = sum(word in other for other in self.bags)
            idf = max(0.01, math.log((len(self.bags) - n + 0.5) / (n + 0.5)))
            tf = bag[word]
            score += idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * bag.total() / self.mean_length))
        return score


def words(text: str) -> list[str]:
    return re.findall(r"\b[a-z]+\b", text.lower())


def ids(*numbers: int) -> list[str]:
    """``ids(0, 7)`` is ``["p00", "p07"]``."""
    return [f"p{number:02d}" for number in numbers]


RANKINGS: dict[str, list[str]] = {
    "alpha": ids(*range(30)),
    "beta": ids(*range(20, 50)),
    "gamma": ids(12, 11, 10),
    "mixed": [*ids(0), "late", *ids(1), "undated", *ids(2)],
    "nothing": [],
}
FULL_TEXT = (
    Section("Introduction", "Cats sleep. Dogs bark loudly. Sparse retrieval finds papers fast. Birds sing."),
    Section("Data", "We train on Wikipedia and evaluate retrieval on BEIR. The sparse index holds terms."),
    Section("Long", "word " * 50),
    Section("References", "Sparse retrieval sparse retrieval sparse retrieval."),
)


def declared_corpus() -> ListCorpus:
    """Papers p00 … p49 of 2015 (p00 and p05 with full text), one of 2022, one without a date."""
    papers = [
        Paper(
            f"p{n:02d}",
            f"Title {n}",
            f"Abstract {n}.",
            "2015-06-01",
            ("Ada Byron",),
            (),
            FULL_TEXT if n in (0, 5) else (),
        )
        for n in range(50)
    ]
    return ListCorpus(
        [*papers, Paper("late", "Late", "From 2022.", "2022-01-05"), Paper("undated", "Undated", "When?")]
    )


VOCABULARY = [
    "graph", "neural", "network", "sparse", "dense", "retrieval", "search", "language", "model", "speech", "vision",
    "ranking", "index", "policy",
]  # fmt: skip


def random_corpus(seed: int, size: int = 60) -> ListCorpus:
    """Papers of few words, some undated, some with equal texts, so that ties happen."""
    draw = random.Random(seed)
    papers: list[Paper] = []
    for n in range(size):
        title = " ".join(draw.choices(VOCABULARY, k=4))
        abstract = " ".join(draw.choices(VOCABULARY, k=draw.randint(3, 9)))
        date = draw.choice(["", "2012-03-04", "2015-01", "2018-11-30", "2021-07-01"])
        twin = papers[-1] if papers and draw.random() < 0.2 else None
        papers.append(Paper(f"r{n:02d}", twin.title if twin else title, twin.abstract if twin else abstract, date))
    return ListCorpus(papers)


class Start(Protocol):
    """Begins an episode; see :func:`start`."""

    def __call__(
        self,
        *,
        gold: Sequence[str] = ...,
        before: str = ...,
        index: ListIndex | None = ...,
        assessor: Assessor | str = ...,
        **options: Any,
    ) -> Episode: ...


@pytest.fixture(scope="session")
def start() -> Start:
    """Begins an episode over the declared corpus and rankings, or over another index and its corpus."""

    def begin(
        *,
        gold: Sequence[str] = ("p00", "p03"),
        before: str = "",
        index: ListIndex | None = None,
        assessor: Assessor | str = "agent",
        **options: Any,
    ) -> Episode:
        if index is None:
            index = DeclaredIndex(declared_corpus(), RANKINGS)
        options["assessor"] = assessor if isinstance(assessor, str) else "lexical"
        task = Task("task", "Which papers are about alpha?", before, tuple(gold))
        config = EpisodeConfig(retry_delay=0.0, **options)
        return Episode(index.corpus, index, task, config, assessor=None if isinstance(assessor, str) else assessor)

    return begin


@pytest.fixture(scope="session")
def brute_index() -> Callable[[int], ListIndex]:
    """A brute-force BM25 index over the random corpus of a seed."""
    return functools.cache(lambda seed: BruteForceIndex(random_corpus(seed)))


@pytest.fixture
def declared() -> DeclaredIndex:
    """A fresh index of the declared rankings."""
    return DeclaredIndex(declared_corpus(), RANKINGS)
