"""The gold of SciNet questions on a corpus, computed from its citation graph; or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from scholar_env.corpus_folder import Corpus
from scholar_env.graph.citation_graph import POSITIVE
from scholar_env.graph.contexts import citers_with, co_cited, co_mentioned
from scholar_env.graph.disruption import disruption_seed, impact
from scholar_env.graph.novelty import novelty
from scholar_env.graph.of_corpus import open_graph
from scholar_env.graph.paths import influential_path
from scholar_env.graph.top import top_rows
from scholar_env.records import Task
from scholar_env.task_files.scinet_queries import COMENTION, DISRUPTION, NOVELTY, PATH, SENTIMENT
from scholar_env.task_table import LEFT_OUT

TOP = 50
"""Papers of a field's gold at most."""
CITERS = 5
"""Citers of a paper whose disruption counts."""
MODE = "max_len:5"
"""How gold paths are chosen."""
NODES = 3
"""Papers of a gold path at least."""

CONTEXTS, REFERENCES = "contexts", "references"
"""What the gold of a pair was made of: citation paragraphs and sentiment, or references alone where there are none."""


class UnscorableError(Exception):
    """A question has no gold on a corpus; the message is the reason."""


def with_gold(task: Task, corpus: Corpus) -> Task:
    """The task with the gold that the corpus's graph gives, or with the reason why it is left out.

    A task that has its gold already keeps it. Papers that are named by title are found by it.
    """
    maker = maker_of(corpus)
    try:
        details = maker.named(task.details)
        if task.gold:
            return replace(task, details=details)
        gold, made_of = maker.gold(details)
    except UnscorableError as reason:
        return replace(task, labels={**task.labels, LEFT_OUT: str(reason)})
    mode = {"path_mode": MODE} if details["kind"] == PATH else {}
    return replace(task, gold=gold, labels={**task.labels, "gold": made_of}, details={**details, **mode})


class GoldMaker:
    """Computes gold on one corpus; what is computed once is kept.

    Args:
        corpus: The corpus.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._graph = corpus, open_graph(corpus)

    @cached_property
    def _titles(self) -> dict[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for row in range(self._corpus.n_papers):
            rows.setdefault(_plain(self._corpus.title(row)), []).append(row)
        return rows

    @cached_property
    def _fields(self) -> dict[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for row in range(self._corpus.n_papers):
            for name in self._corpus.categories(row):
                rows.setdefault(name.casefold(), []).append(row)
        return rows

    @cached_property
    def _novelty(self) -> NDArray[np.float64]:
        return novelty(self._graph)

    @cached_property
    def _disruption(self) -> NDArray[np.float64]:
        scores = disruption_seed(impact(self._graph), self._graph.n_references_of)
        return np.where(self._graph.n_citers_of < CITERS, np.nan, scores)

    def named(self, details: Mapping[str, object]) -> dict[str, object]:
        """Details with the ids of the papers that the question names.

        Raises:
            UnscorableError: The corpus does not hold one of them.
        """
        titles = details["titles"]
        assert isinstance(titles, list)
        names = {SENTIMENT: ("seed",), COMENTION: ("seed",), PATH: ("start", "end")}.get(str(details["kind"]), ())
        found = {name: self._paper(str(details[name]), title) for name, title in zip(names, titles, strict=True)}
        return {**details, **found}

    def _paper(self, paper: str, title: str) -> str:
        if paper:
            if self._corpus.row_of(paper) is None:
                raise UnscorableError(f"the corpus has no paper {paper}")
            return paper
        rows = self._titles.get(_plain(title), [])
        if len(rows) != 1:
            count = f"{len(rows)} papers" if rows else "no paper"
            raise UnscorableError(f"the corpus has {count} titled {title!r}")
        return self._corpus.id_of(rows[0])

    def gold(self, details: Mapping[str, object]) -> tuple[tuple[str, ...], str]:
        """The gold, and what that of a pair was made of ("" for others).

        Raises:
            UnscorableError: There is none.
        """
        kind = details["kind"]
        if kind in (NOVELTY, DISRUPTION):
            rows = self._top(str(details["field"]), str(kind))
            return tuple(map(self._corpus.id_of, rows)), ""
        if kind == PATH:
            path = influential_path(self._graph, self._row(details["start"]), self._row(details["end"]), MODE)
            if path is None or len(path) < NODES:
                raise UnscorableError("no citation path of 2 to 5 references leads from one end to the other")
            return tuple(map(self._corpus.id_of, path)), ""
        papers, made_of = self._around(self._row(details["seed"]), str(kind))
        if not papers:
            raise UnscorableError(f"no paper of the corpus is an answer ({made_of})")
        return tuple(sorted(map(self._corpus.id_of, papers))), made_of

    def _row(self, paper: object) -> int:
        """Row of a paper that :meth:`named` has found."""
        row = self._corpus.row_of(str(paper))
        assert row is not None
        return row

    def _around(self, seed: int, kind: str) -> tuple[list[int], str]:
        if self._graph.mentions is None:
            rows = co_cited(self._graph, seed)[0] if kind == COMENTION else self._graph.citers(seed)
            return rows.tolist(), REFERENCES
        found = co_mentioned(self._graph, seed).rows if kind == COMENTION else citers_with(self._graph, seed, POSITIVE)
        return found.tolist(), CONTEXTS

    def _top(self, field: str, kind: str) -> list[int]:
        own = self._fields.get(field.casefold(), [])
        if not own:
            raise UnscorableError(f"no paper of the corpus is of the field {field!r}")
        among = np.zeros(self._corpus.n_papers, dtype=np.bool_)
        among[own] = True
        scores = self._novelty if kind == NOVELTY else self._disruption
        rows = top_rows(scores, self._graph.id_rank, TOP, largest=kind == DISRUPTION, among=among)
        if not len(rows):
            raise UnscorableError(f"none of the {len(own)} papers of the field {field!r} has a score")
        return [int(row) for row in rows]


@lru_cache(maxsize=8)
def maker_of(corpus: Corpus) -> GoldMaker:
    """The maker of an open corpus; the same object for the same one."""
    return GoldMaker(corpus)


def _plain(title: str) -> str:
    return " ".join(title.casefold().split())
