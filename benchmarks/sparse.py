"""Full sparse requests (top 10, date filter, exclusion, exact gold ranks, total): the package against rank_bm25.

The same requests go through both, interleaved one by one in one process, in CPU time; results must be equal. The
reference is BM25Okapi with the filter, sort and rank procedure of the released ScholarGym retriever.

    python benchmarks/sparse.py --papers 20000
    python benchmarks/sparse.py --papers 570000 --references 6
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import zipf_corpus
import zipf_index

from scholar_env.index.base import Hits, SearchRequest
from scholar_env.index.sparse import SparseIndex, warm
from scholar_env.text import scholargym_tokens

TARGETS = {"numba": (300.0, 400.0), "numpy": (60.0, 100.0)}
"""Least ratio to the reference at 20,000 and at 570,000 papers; in between the smaller one counts."""
WALK_TARGET = 1.3


class Reference:
    """The released retriever's procedure over BM25Okapi, over dictionaries as there."""

    def __init__(self, texts: Iterable[str], dates: list[str]) -> None:
        from rank_bm25 import BM25Okapi

        self.model = BM25Okapi([sys.intern(token) for token in scholargym_tokens(text)] for text in texts)
        self.ids = {i: f"p{i}" for i in range(len(dates))}
        self.records = {f"p{i}": {"date": date, "arxiv_id": f"p{i}"} for i, date in enumerate(dates)}

    def search(self, request: SearchRequest) -> tuple[list[tuple[int, float]], int, dict[str, int]]:
        """Returns page, length of the ranked list, and the ranks of the gold documents in it."""
        scores = self.model.get_scores(scholargym_tokens(request.query))
        candidates = (scores > 0).nonzero()[0]
        if request.before is not None:
            kept = []
            for i in candidates:
                date = self.records[self.ids[i]].get("date")
                if date and date[:7] <= request.before[:7]:
                    kept.append(i)
            candidates = kept
        ordered = sorted(candidates, key=lambda i: scores[i], reverse=True)
        excluded = {f"p{row}" for row in request.exclude}
        left = [i for i in ordered if self.records[self.ids[i]].get("arxiv_id") not in excluded]
        gold, ranks = {f"p{row}" for row in request.gold}, {}
        for rank, i in enumerate(left):
            name = self.records[self.ids[i]].get("arxiv_id")
            if name in gold:
                ranks[name] = rank
        page = left[request.offset : request.offset + request.k]
        return [(int(i), float(scores[i])) for i in page], len(left), ranks


def timed(call: Callable[[], Any], repeats: int = 1) -> tuple[Any, float]:
    """Returns a call's result and the CPU seconds of its fastest repetition."""
    best, result = float("inf"), None
    for _ in range(repeats):
        start = time.process_time()
        result = call()
        best = min(best, time.process_time() - start)
    return result, best


def same(hits: Hits, expected: tuple[list[tuple[int, float]], int, dict[str, int]], request: SearchRequest) -> bool:
    """Tells whether both answers agree in rows, scores (every bit), total and gold ranks."""
    page, total, ranks = expected
    mine = list(zip(hits.rows.tolist(), hits.scores.tolist(), strict=True))
    return mine == page and hits.total == total and hits.gold_ranks == tuple(ranks.get(f"p{g}") for g in request.gold)


def ask(index: SparseIndex, request: SearchRequest) -> Hits:
    """Sends one request."""
    return index.search(
        request.query,
        request.k,
        offset=request.offset,
        before=request.before,
        exclude=request.exclude,
        gold=request.gold,
    )


def walk_ratio(index: SparseIndex, requests: list[SearchRequest]) -> tuple[float, float, float]:
    """Returns CPU milliseconds of accumulating and of walking the same postings, and their ratio (medians)."""
    import sparse_walk

    pairs = [sparse_walk.measure(index, request.query) for request in requests]
    accumulate, walk = (statistics.median(column) * 1e3 for column in zip(*pairs, strict=True))
    return accumulate, walk, statistics.median(a / w for a, w in pairs)


def main() -> int:
    """Runs the benchmark; returns 1 when a target is missed or a result differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--engine", choices=("numba", "numpy", "both"), default="both")
    parser.add_argument("--requests", type=int, default=60, help="requests through the package")
    parser.add_argument("--references", type=int, default=20, help="how many of them also go through rank_bm25")
    parser.add_argument("--cache", type=Path, default=zipf_corpus.default_cache())
    options = parser.parse_args()
    n, cache = options.papers, options.cache
    folder = zipf_index.frozen(n, cache)
    engines = ["numpy", "numba"] if options.engine == "both" else [options.engine]
    if "numba" in engines and importlib.util.find_spec("numba") is None:
        print("numba is not installed")
        engines.remove("numba")
    if "numba" in engines:
        warm()
    indexes = {engine: SparseIndex.open(folder, engine=engine) for engine in engines}
    requests = zipf_corpus.requests(n, options.requests)
    for index in indexes.values():  # touch the pages once
        for request in requests:
            ask(index, request)
    reference = None
    if options.references:
        reference = Reference(zipf_corpus.texts(n, cache), zipf_corpus.dates(n))
    seconds: dict[str, list[float]] = {engine: [] for engine in [*engines, "rank_bm25"]}
    ratios: dict[str, list[float]] = {engine: [] for engine in engines}
    equal, compared = 0, 0
    for number, request in enumerate(requests):
        answers = {}
        for engine, index in indexes.items():
            answers[engine], spent = timed(lambda index=index, request=request: ask(index, request), repeats=5)
            seconds[engine].append(spent)
        if reference is not None and number < options.references:
            expected, slow = timed(lambda request=request: reference.search(request))
            seconds["rank_bm25"].append(slow)
            for engine, hits in answers.items():
                ratios[engine].append(slow / seconds[engine][-1])
                compared += 1
                equal += same(hits, expected, request)
    failures = []
    print(f"{n} papers, {len(requests)} requests, {options.references} through rank_bm25; CPU ms per full request")
    for engine, values in seconds.items():
        if values:
            cuts = statistics.quantiles(values, n=20)
            line = f"{engine:10} p50 {statistics.median(values) * 1e3:9.3f}  p95 {cuts[-1] * 1e3:9.3f}"
            if ratios.get(engine):
                ratio, target = statistics.median(ratios[engine]), TARGETS[engine][n >= 570_000]
                line += f"  {ratio:6.0f}x rank_bm25 (target {target:.0f}x)"
                if ratio < target:
                    failures.append(f"{engine} {ratio:.0f}x < {target:.0f}x")
            print(line)
    if equal != compared:
        failures.append(f"{compared - equal} of {compared} answers differ from rank_bm25")
    print(f"answers equal to rank_bm25 in rows, score bits, total and gold ranks: {equal}/{compared}")
    if "numba" in engines:
        accumulate, walk, ratio = walk_ratio(indexes["numba"], requests)
        print(
            f"scoring {accumulate:.3f} ms, walking the same postings {walk:.3f} ms: {ratio:.2f} (target {WALK_TARGET})"
        )
        if ratio > WALK_TARGET:
            failures.append(f"scoring {ratio:.2f} of walking > {WALK_TARGET}")
    summary = " ".join(f"{engine} {statistics.median(r):.0f}x" for engine, r in ratios.items() if r)
    print(f"FAIL {'; '.join(failures)}" if failures else f"PASS {summary}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
