"""Look-ups in a knowledge graph of 50,000 papers and 100,000 authors: CPU milliseconds a call, by kind of call.

``python benchmarks/kg.py`` builds the tables from seeded draws, then calls the APIs. Target: the median call takes at
most 1 ms CPU. ``--papers`` and ``--authors`` choose another size.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from scholar_env.episode.aise.calling import KnowledgeApis
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_build import build_graph
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE
from scholar_env.graph.kg_tables import TIER_SOURCES, AuthorTable, GraphTables, OrgTable, PaperTable, VenueTable

SEED = 7
CALLS = 300
ONSETS, VOWELS, CODAS = (
    ["b", "br", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "sh", "ch"],
    ["a", "e", "i", "o", "u"],
    ["", "n", "r", "s", "l"],
)


def word(rng: np.random.Generator, syllables: int) -> str:
    """A pronounceable word."""
    picks = [(rng.integers(len(ONSETS)), rng.integers(len(VOWELS)), rng.integers(len(CODAS))) for _ in range(syllables)]
    return "".join(ONSETS[a] + VOWELS[b] + CODAS[c] for a, b, c in picks)


def tables(n_papers: int, n_authors: int) -> GraphTables:
    """Random tables with skewed words, citations and numbers of papers."""
    rng = np.random.default_rng(SEED)
    given = [word(rng, 2).capitalize() for _ in range(1500)]
    family = [word(rng, 2).capitalize() for _ in range(6000)]
    words = [word(rng, 3) for _ in range(8000)]
    topics = [f"{words[2 * at]} {words[2 * at + 1]}" for at in range(1000)]
    n_orgs, n_venues = 3000, 1000
    skew = 1 / (np.arange(len(words)) + 20)
    skew /= skew.sum()
    names = tuple(f"{given[rng.integers(1500)]} {family[rng.integers(6000)]}" for _ in range(n_authors))
    titles = tuple(" ".join(words[at] for at in rng.choice(len(words), 9, p=skew)) for _ in range(n_papers))
    abstracts = tuple(" ".join(words[at] for at in rng.choice(len(words), 80, p=skew)) for _ in range(n_papers))
    counts = rng.integers(1, 7, n_papers)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    authors = rng.integers(0, n_authors, starts[-1]).astype(np.int32)
    org = rng.integers(0, n_orgs, n_authors).astype(np.int32)
    countries = [word(rng, 2).capitalize() for _ in range(40)]
    fields = [word(rng, 2) for _ in range(30)]
    return GraphTables(
        "benchmark",
        PaperTable(
            tuple(map(str, range(n_papers))), titles, abstracts, ("en",) * n_papers,
            tuple((topics[a], topics[b]) for a, b in rng.integers(0, 1000, (n_papers, 2))),
            rng.integers(1990, 2026, n_papers).astype(np.int32),
            rng.zipf(1.6, n_papers).clip(0, 90_000).astype(np.int32),
            rng.integers(-1, n_venues, n_papers).astype(np.int32), starts, authors, org[authors],
            rng.random(n_papers) < 0.93, rng.random(n_papers) < 0.85, ("",) * n_papers,
        ),
        AuthorTable(
            tuple(map(str, range(n_authors))), names, ("",) * n_authors, ((),) * n_authors,
            tuple((topics[a], topics[b]) for a, b in rng.integers(0, 1000, (n_authors, 2))), ("",) * n_authors, org,
        ),
        VenueTable(
            tuple(map(str, range(n_venues))), tuple(f"Journal of {topics[at]}" for at in range(n_venues)),
            ("",) * n_venues, tuple(f"J{at}" for at in range(n_venues)), ((),) * n_venues, ("journal",) * n_venues,
            tuple((fields[at % 30],) for at in range(n_venues)),
            tuple((f"Q{at % 4 + 1}",) + ("",) * (len(TIER_SOURCES) - 1) for at in range(n_venues)), ("",) * n_venues,
        ),
        OrgTable(
            tuple(map(str, range(n_orgs))),
            tuple(f"University of {word(rng, 3).capitalize()} {at}" for at in range(n_orgs)),
            ("",) * n_orgs, tuple(f"U{at}" for at in range(n_orgs)), ((),) * n_orgs,
            tuple(countries[at % 40] for at in range(n_orgs)), ("education",) * n_orgs,
            rng.integers(1800, 2020, n_orgs).astype(np.int32), np.full(n_orgs, -1, dtype=np.int32),
        ),
        (),
    )  # fmt: skip


def calls_of(graph: KnowledgeGraph) -> dict[str, Callable[[np.random.Generator], tuple[str, dict[str, Any]]]]:
    """Kinds of calls, each drawn anew."""

    def row(rng: np.random.Generator, kind: str) -> int:
        return int(rng.integers(graph.counts[{PAPER: "papers", AUTHOR: "authors", VENUE: "venues", ORG: "orgs"}[kind]]))

    def name(rng: np.random.Generator) -> str:
        return graph.authors.text("name", row(rng, AUTHOR))

    def typo(text: str) -> str:
        return text[:3] + "x" + text[4:]

    def topic(rng: np.random.Generator) -> str:
        return graph.papers.texts("keywords", row(rng, PAPER))[0]

    def title(rng: np.random.Generator) -> str:
        return graph.papers.text("title", row(rng, PAPER))

    return {
        "author by name": lambda rng: ("search_author_id", {"name": name(rng)}),
        "author by a name with a typo": lambda rng: ("search_author_id", {"name": typo(name(rng))}),
        "author by interest": lambda rng: ("search_author_id", {"interest": [topic(rng)], "order": "h_index"}),
        "author by organization": lambda rng: ("search_author_id", {"org": graph.orgs.text("name", row(rng, ORG))}),
        "author details, 10": lambda rng: (
            "search_author_detail", {"ids": [graph.id_of(AUTHOR, row(rng, AUTHOR)) for _ in range(10)]},
        ),
        "paper by title": lambda rng: ("search_paper_id", {"titles": [title(rng)]}),
        "paper by a title with a typo": lambda rng: ("search_paper_id", {"titles": [typo(title(rng))]}),
        "paper by keyword": lambda rng: ("search_paper_id", {"keywords": [topic(rng)]}),
        "paper by keyword and year": lambda rng: ("search_paper_id", {"keywords": [topic(rng)], "years": [2020]}),
        "paper by author id": lambda rng: ("search_paper_id", {"author_id": graph.id_of(AUTHOR, row(rng, AUTHOR))}),
        "paper by year alone": lambda rng: ("search_paper_id", {"years": [int(rng.integers(1990, 2026))]}),
        "paper details, 10": lambda rng: (
            "search_paper_detail", {"paper_ids": [graph.id_of(PAPER, row(rng, PAPER)) for _ in range(10)]},
        ),
        "second paper search": lambda rng: ("search_paper_id_gs", {"query": title(rng)}),
        "venue by name": lambda rng: ("search_venue_id", {"name": graph.venues.text("name", row(rng, VENUE))}),
        "organization by name": lambda rng: ("search_org_id", {"orgs": [graph.orgs.text("name", row(rng, ORG))]}),
    }  # fmt: skip


def main() -> None:
    """Builds the graph, measures each kind of call, and says whether the target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=50_000)
    parser.add_argument("--authors", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        made = tables(options.papers, options.authors)
        drawn = time.process_time()
        graph = KnowledgeGraph.open(build_graph(Path(folder) / "graph", made))
        print(
            f"{graph.counts}: tables {drawn - began:.1f} s, built and opened in {time.process_time() - drawn:.1f} s CPU"
        )
        apis = KnowledgeApis(graph)
        everything: list[float] = []
        for kind, draw in calls_of(graph).items():
            rng = np.random.default_rng(SEED)
            calls = [draw(rng) for _ in range(CALLS)]
            apis(*calls[0])
            taken = []
            for api, params in calls:
                start = time.process_time_ns()
                result = apis(api, params)
                taken.append((time.process_time_ns() - start) / 1e6)
                assert isinstance(result, list) or result.get("success"), result
            everything += taken
            ordered = sorted(taken)
            print(f"{kind:32s} p50 {statistics.median(taken):.3f} ms   p95 {ordered[int(0.95 * CALLS)]:.3f} ms")
        median = statistics.median(everything)
        print(f"all calls: p50 {median:.3f} ms CPU; target 1 ms: {'met' if median <= 1 else 'MISSED'}")


if __name__ == "__main__":
    main()
