"""SciNet's citation walks: the citation-walk agent, and the scientometric agent, which measures with tools alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from scholar_env.agents.base import call
from scholar_env.agents.scinet_plan import Asked, PlannedAgent, Steps, find, neighbours, search, without
from scholar_env.agents.words import content_words, stem

RESERVE = 2
"""Calls that a plan leaves."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRAISE = _set(
    """
    accept accurat admir advanc agre build careful clarifi clear comprehens confirm convinc correct draw durabl eleg
    effect establish excel found free help influenti insight inspir instruct landmark lucid master model owe pioneer
    power reliabl remark rigor robust seminal solid strong success support thorough valuabl well
    """
)
"""Stems of words with which texts speak well of what they cite."""
DOUBT = _set(
    """
    but contradict contest criticis criticiz disagre disput doubt fail flaw hardli howev ignor inconsist limit
    mislead miss neglect not omit oppos overlook overst question weak without wrong
    """
)
"""Stems of words with which they do not."""


class CitationWalkAgent(PlannedAgent):
    """Follows citations from the named papers or the best hits: citers for sentiment, what citers cite for co-mention.

    A path is sought from both ends: back along references of the emerging paper, the most cited first, until a paper
    is found that cites the classical one.

    Args:
        calls: Calls that it makes at most.
    """

    def __init__(self, *, calls: int = 28) -> None:
        super().__init__()
        self.options = {"calls": calls}

    def plan(self, asked: Asked) -> Steps:
        """The walk for a kind of question."""
        if asked.kind == "path":
            return (yield from self._path(asked))
        if not asked.titles:
            return (yield from self._field(asked))
        seed = yield from find(asked.titles[0])
        if not seed:
            return []
        citers = [entry["paper"] for entry in (yield from neighbours("citers", seed, pages=2))]
        if asked.kind == "sentiment":
            return without(citers, seed)
        counts: Counter[str] = Counter()
        for citing in citers[: self.options["calls"] - 3]:
            counts.update(entry["paper"] for entry in (yield from neighbours("references", citing)))
            self.found = without(sorted(counts, key=lambda paper: -counts[paper]), seed)
        return self.found

    def _field(self, asked: Asked) -> Steps:
        """The best hits of a field, then those that their citers and references lead to."""
        hits = [entry["paper"] for entry in (yield from search(asked.topic))]
        self.found = hits
        counts: Counter[str] = Counter()
        for paper in hits[: self.options["calls"] - 1]:
            counts.update(entry["paper"] for entry in (yield from neighbours("references", paper)))
        central = sorted(counts, key=lambda paper: -counts[paper])
        return without([paper for pair in zip(hits, central, strict=False) for paper in pair])

    def _path(self, asked: Asked) -> Steps:
        start = yield from find(asked.titles[0])
        end = yield from find(asked.titles[1])
        self.found = without([start, end])
        if len(self.found) < 2:
            return self.found
        near = {entry["paper"] for entry in (yield from neighbours("citers", start, pages=4))}
        came: dict[str, str] = {end: ""}
        front: list[tuple[int, int, str]] = [(0, 0, end)]
        for _ in range(self.options["calls"] - 6):
            if not front:
                break
            depth, _, paper = front.pop(0)
            entries = yield from neighbours("references", paper)
            for entry in entries:
                if entry["paper"] in came:
                    continue
                came[entry["paper"]] = paper
                front.append((depth + 1, -int(entry["n_citers"]), entry["paper"]))
            met = [entry["paper"] for entry in entries if entry["paper"] in near or entry["paper"] == start]
            if met:
                return without([start, *_back(came, met[0])])
            front.sort()
        return self.found


class ScientometricAgent(CitationWalkAgent):
    """Measures with the tools: sentiment by words, co-mention by counts, disruption and novelty by what lies around.

    Disruption of a paper is put low where its citers mention its references too; novelty high where the titles of its
    references have little in common.
    """

    def plan(self, asked: Asked) -> Steps:
        """The measure for a kind of question."""
        if asked.kind == "path":
            return (yield from self._path(asked))
        if not asked.titles:
            return (yield from self._ranked(asked))
        seed = yield from find(asked.titles[0])
        if not seed:
            return []
        if asked.kind == "comention":
            return without([entry["paper"] for entry in (yield from neighbours("co_cited", seed, pages=2))], seed)
        return (yield from self._positive(seed))

    def _ranked(self, asked: Asked) -> Steps:
        """Papers of a field by a measure: the better half of those measured, then what they cite most."""
        hits = [entry["paper"] for entry in (yield from search(asked.topic))]
        scores: dict[str, float] = {}
        counts: Counter[str] = Counter()
        each = 2 if asked.kind == "disruption" else 1
        for paper in hits[: (self.options["calls"] - RESERVE) // each]:
            cited = yield from neighbours("references", paper)
            counts.update(entry["paper"] for entry in cited)
            if asked.kind == "novelty":
                scores[paper] = _likeness([entry["title"] for entry in cited])
            else:
                own = {entry["paper"] for entry in cited}
                together = yield from neighbours("co_cited", paper)
                shared = sum(int(entry["together"]) for entry in together if entry["paper"] in own)
                scores[paper] = shared / max(sum(int(entry["together"]) for entry in together), 1)
            best = sorted(scores, key=lambda hit: scores[hit])[: len(scores) // 2 + 1]
            self.found = without([*best, *sorted(counts, key=lambda found: -counts[found]), *hits])
        return self.found

    def _positive(self, seed: str) -> Steps:
        """Citing papers whose words on the seed are kind, the kindest first; the others behind when there are few."""
        kind: dict[str, int] = {}
        offset, left = 0, self.options["calls"] - RESERVE
        while left > 0:
            further = {"section": "citations", "offset": offset} if offset else {}
            observation = yield call("read", paper=seed, **further)
            left -= 1
            for context in observation["contexts"]:
                tone = _tone(context["text"], _mark(observation["document"]))
                kind[context["citing"]] = max(kind.get(context["citing"], -9), tone)
            self.found = [paper for paper in sorted(kind, key=lambda citing: -kind[citing]) if kind[paper] > 0]
            offset += len(observation["contexts"])
            if not observation["contexts"] or "citation contexts more" not in observation["feedback"]:
                break
        return without([*self.found, *sorted(kind, key=lambda citing: -kind[citing])[:5]], seed)


def _back(came: dict[str, str], paper: str) -> list[str]:
    """The path from a paper to where the walk began."""
    path = []
    while paper:
        path.append(paper)
        paper = came[paper]
    return path


def _likeness(titles: list[str]) -> float:
    """Mean share of common stems over the pairs of titles; 1 for fewer than two."""
    stems = [{stem(word) for word in content_words(title)} for title in titles[:30]]
    pairs = [len(a & b) / max(len(a | b), 1) for a, b in combinations(stems, 2)]
    return sum(pairs) / len(pairs) if pairs else 1.0


def _mark(document: dict[str, Any]) -> str:
    """The first author's family name, with which texts name a paper; "" where it is not known."""
    authors = document.get("authors") or [""]
    return str(authors[0]).rsplit(" ", 1)[-1]


def _tone(text: str, mark: str) -> int:
    """Kind words less doubting ones in the sentences that name the paper, or in all where none does."""
    sentences = [sentence for sentence in text.split(". ") if mark and mark in sentence] or [text]
    stems = [stem(word) for sentence in sentences for word in sentence.casefold().split()]
    return sum(word in PRAISE for word in stems) - 2 * sum(word in DOUBT for word in stems)
