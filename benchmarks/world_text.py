"""Measures of a world's texts, its citation graph and its cells, from a corpus folder."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from scholar_env.corpora.world.world import World
from scholar_env.corpus import Corpus

TOKEN = re.compile(r"[a-z0-9'-]+")
SENTENCE = re.compile(r"(?<=\.) ")
FIRST_RANK, LAST_RANK = 10, 2000
HEAPS_FROM = 5_000
CITATION = re.compile(r"\((?:19|20)\d\d\)")


def text_measures(corpus: Corpus, world: World) -> dict[str, float]:
    """Measures of titles, abstracts and bodies; exact copies are left out."""
    rows = np.flatnonzero(world.facts.copy_of < 0).tolist()
    abstracts = [corpus.abstract(row) for row in rows]
    tokens = [TOKEN.findall(text.lower()) for text in abstracts]
    lengths = [len(words) for words in tokens]
    sentences = [SENTENCE.split(text) for text in abstracts]
    holders = Counter(sentence for group in sentences for sentence in set(group))
    often = sum(count for count in holders.values() if count > len(rows) / 100)
    return {
        "abstract tokens": statistics.mean(lengths),
        "abstract sd": statistics.pstdev(lengths),
        "sentence tokens": statistics.mean(len(sentence.split()) for group in sentences for sentence in group),
        "4-grams": gram_share(tokens, 4),
        "8-grams": gram_share(tokens, 8),
        "verbatim": often / sum(holders.values()),
        "zipf": zipf_slope(Counter(word for words in tokens for word in words)),
        "heaps": heaps_exponent(tokens),
        **body_measures(corpus, rows),
    }


def gram_share(texts: Sequence[Sequence[str]], size: int) -> float:
    """Mean share of a text's distinct n-grams that another text holds too."""
    grams = [{tuple(words[at : at + size]) for at in range(len(words) - size + 1)} for words in texts]
    holders: Counter[tuple[str, ...]] = Counter()
    for own in grams:
        holders.update(own)
    return statistics.mean(sum(holders[gram] > 1 for gram in own) / max(1, len(own)) for own in grams)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Slope of the least-squares line."""
    x, y = (np.array(column) for column in zip(*points, strict=True))
    return float(np.polyfit(x, y, 1)[0])


def zipf_slope(counts: Counter[str]) -> float:
    """Slope of log frequency over log rank at log-spaced ranks."""
    ordered = sorted(counts.values(), reverse=True)
    ranks = sorted({round(FIRST_RANK * 2 ** (step / 2)) for step in range(16)} | {LAST_RANK})
    kept = [rank for rank in ranks if rank <= min(LAST_RANK, len(ordered))]
    return slope([(math.log(rank), math.log(ordered[rank - 1])) for rank in kept])


def heaps_exponent(texts: Iterable[Sequence[str]]) -> float:
    """Exponent of the growth of the vocabulary, from `HEAPS_FROM` tokens on."""
    seen: set[str] = set()
    points, read, following = [], 0, float(HEAPS_FROM)
    for words in texts:
        for word in words:
            read += 1
            seen.add(word)
            if read >= following:
                points.append((math.log(read), math.log(len(seen))))
                following *= 1.5
    return slope(points)


def body_measures(corpus: Corpus, rows: Sequence[int]) -> dict[str, float]:
    """Measures of the full texts, the list of references left out."""
    sizes, numbers, paragraphs, exhibits = [], [], [], 0
    for row in rows:
        sections = corpus.sections(row)
        texts = [section.text for section in sections if section.title != "References"]
        sizes.append(sum(len(text.split()) for text in texts))
        numbers.append(len(sections))
        paragraphs.append(sum(bool(CITATION.search(part)) for text in texts for part in text.split("\n\n")))
        exhibits += any("Figure" in text or "Table" in text for text in texts)
    return {
        "body tokens": statistics.median(sizes),
        "sections": statistics.median(numbers),
        "citation paragraphs": statistics.median(paragraphs),
        "exhibits": exhibits / len(rows),
    }


def graph_measures(world: World) -> dict[str, float]:
    """Tail exponent of the in-degree (maximum likelihood above its 90th percentile) and share of the top 1 %."""
    graph = world.facts.graph
    degree = np.sort(np.bincount(graph.targets, minlength=len(graph.starts) - 1))[::-1]
    low = max(2, int(np.quantile(degree, 0.9)))
    tail = degree[degree >= low]
    return {
        "tail exponent": 1 + len(tail) / float(np.log(tail / (low - 0.5)).sum()),
        "top share": float(degree[: max(1, len(degree) // 100)].sum() / max(1, degree.sum())),
    }


def cell_size(world: World) -> float:
    """Paper-weighted mean number of papers that share problem, method and object."""
    facts = world.facts
    keys = np.stack([facts.subfield, facts.problem, facts.method, facts.object], axis=1)
    _, place, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    return float(counts[place.reshape(-1)].mean())
