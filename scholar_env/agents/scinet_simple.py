"""SciNet's baselines: words alone, the neighbours of the best hits, and a random walk."""

from __future__ import annotations

from collections import Counter

from scholar_env.agents.base import call, paper_ids
from scholar_env.agents.scinet_plan import Asked, PlannedAgent, Steps, find, listed, neighbours, search, without

LISTS = ("references", "citers", "co_cited")


class LexicalAgent(PlannedAgent):
    """Searches once for the field or the titles and answers with the results, the named papers left out of pairs."""

    def plan(self, asked: Asked) -> Steps:
        """One search."""
        papers = [entry["paper"] for entry in (yield from search(asked.topic))]
        seeds = yield from _named(asked) if asked.kind != "path" else _nothing()
        return without(papers, *seeds)


class OneHopAgent(PlannedAgent):
    """Answers with the union of references and citers around the named papers, or around the best hits of a field.

    Papers that lie around more than one of these come first.

    Args:
        hits: Best hits of a field whose neighbours are taken.
    """

    def __init__(self, *, hits: int = 5) -> None:
        super().__init__()
        self.options = {"hits": hits}

    def plan(self, asked: Asked) -> Steps:
        """References and citers of each paper."""
        seeds = yield from _named(asked)
        if not seeds:
            results = yield from search(asked.topic)
            seeds = [entry["paper"] for entry in results[: self.options["hits"]]]
        counts: Counter[str] = Counter()
        for seed in seeds:
            for tool in ("references", "citers"):
                counts.update(entry["paper"] for entry in (yield from neighbours(tool, seed)))
        ordered = sorted(counts, key=lambda paper: -counts[paper])  # stable: first shown first
        if asked.kind == "path" and len(seeds) == 2:
            return without([seeds[0], *without(ordered, *seeds)[: asked.limit - 2], seeds[1]])
        return without(ordered, *(seeds if asked.titles else ()))


class RandomWalkAgent(PlannedAgent):
    """Walks at random: searches for words of the question, goes on from papers that came up, answers with some of them.

    Args:
        stop: Probability that a step is the answer.
        abstain: Probability that it is an abstention then.
    """

    def __init__(self, *, stop: float = 0.1, abstain: float = 0.05) -> None:
        super().__init__()
        self.options = {"stop": stop, "abstain": abstain}

    def plan(self, asked: Asked) -> Steps:
        """Random steps."""
        draw, words = self.random, asked.topic.split() or ["paper"]
        seen: dict[str, None] = {}
        while not seen or draw.random() >= self.options["stop"]:
            tool = ("search", "read", *LISTS)[int(draw.integers(5))] if seen else "search"
            if tool == "search":
                size = int(draw.integers(1, len(words) + 1))
                text = " ".join(words[int(place)] for place in draw.permutation(len(words))[:size])
                observation = yield call("search", text=text[:2000], k=int(draw.integers(1, 21)))
            else:
                paper = list(seen)[int(draw.integers(len(seen)))]
                further = {} if tool == "read" else {"k": int(draw.integers(1, 51))}
                observation = yield call(tool, paper=paper, **further)
            seen.update(dict.fromkeys([*paper_ids(observation), *listed(observation)]))
            papers = list(seen)
            self.found = [papers[int(place)] for place in draw.permutation(len(papers))[: asked.limit]]
        if draw.random() < self.options["abstain"]:
            yield call("abstain")
        return self.found


def _named(asked: Asked) -> Steps:
    """Finds the papers that a question names."""
    first = (yield from find(asked.titles[0])) if asked.titles else ""
    second = (yield from find(asked.titles[1])) if asked.titles[1:] else ""
    return without([first, second])


def _nothing() -> Steps:
    """No step."""
    yield from ()
    return []
