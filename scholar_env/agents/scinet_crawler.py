"""PaSa by rules: a crawler that searches and expands layer by layer, and a selector that scores what came.

The numbers are PaSa's: two layers of expansion, ten papers a query, twenty papers a layer, selected above 0.5. In place
of its models stand words and counts: a paper's score is the share of the question's stems in its title and abstract,
and a fifth for each further list that names it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from scholar_env.agents.scinet_plan import Asked, PlannedAgent, Steps, find, neighbours, without
from scholar_env.agents.words import content_words, stem, words

AGAIN = 0.2
"""What a further list adds to a score."""


class CrawlerAgent(PlannedAgent):
    """Searches for the question and for halves of it, expands the best papers of each layer, selects by score.

    Args:
        layers: Layers of expansion.
        per_query: Results of a query.
        per_layer: Papers of a layer that are expanded, as far as the calls reach.
        selected: Score above which a paper is selected.
    """

    def __init__(self, *, layers: int = 2, per_query: int = 10, per_layer: int = 20, selected: float = 0.5) -> None:
        super().__init__()
        self.options = {"layers": layers, "per_query": per_query, "per_layer": per_layer, "selected": selected}

    def reset(self, seed: int) -> None:
        """Forgets all papers."""
        super().reset(seed)
        self._scores: dict[str, float] = {}
        self._lists: Counter[str] = Counter()

    def plan(self, asked: Asked) -> Steps:
        """Search, then layers of expansion."""
        wanted = {stem(word) for word in content_words(asked.topic)}
        layer = yield from self._search(asked, wanted)
        expanded: set[str] = set()
        for depth in range(self.options["layers"]):
            front = sorted(without(layer, *expanded), key=lambda paper: -self._scores[paper])
            layer = []
            for paper in front[: self.options["per_layer"]] if depth else front[:8]:
                expanded.add(paper)
                for tool in ("citers", "references") if not depth else ("references",):
                    entries = yield from neighbours(tool, paper)
                    layer += self._keep(entries, wanted)
                    self._choose(asked)
        return self.found

    def _search(self, asked: Asked, wanted: set[str]) -> Steps:
        """The named papers, and what queries find."""
        layer: list[str] = []
        self._seeds: list[str] = []
        for title in asked.titles:
            self._seeds.append((yield from find(title)))
        kept = content_words(asked.topic)
        half = len(kept) // 2
        for text in without([asked.topic, " ".join(kept[:half]), " ".join(kept[half:])]):
            observation = yield {"name": "search", "arguments": {"text": text[:2000], "k": self.options["per_query"]}}
            layer += self._keep(observation["results"], wanted)
        self._choose(asked)
        for seed in without(self._seeds):
            self._scores[seed] = 2.0  # expanded first
        return [*without(self._seeds), *layer]

    def _keep(self, entries: list[dict[str, Any]], wanted: set[str]) -> list[str]:
        """Scores papers that are new; returns all of them."""
        for entry in entries:
            text = f"{entry['title']} {entry.get('abstract', '')}"
            share = len(wanted & {stem(word) for word in words(text)}) / max(len(wanted), 1)
            paper = entry["paper"]
            self._scores[paper] = max(self._scores.get(paper, 0.0), share) + AGAIN * (paper in self._lists)
            self._lists[paper] += 1
        return [entry["paper"] for entry in entries]

    def _choose(self, asked: Asked) -> None:
        """The papers that are selected, best first; of a path the two ends stand outside."""
        ranked = without(sorted(self._scores, key=lambda paper: -self._scores[paper]), *self._seeds)
        chosen = [paper for paper in ranked if self._scores[paper] > self.options["selected"]]
        if asked.kind == "path" and len(self._seeds) == 2:
            chosen = without([self._seeds[0], *chosen[: asked.limit - 2], self._seeds[1]])
        self.found = chosen or ranked[:10]
