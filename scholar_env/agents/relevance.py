"""What the papers seen so far say about a question: their relevance, and the words that they add to it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from scholar_env.agents.words import FRAME_WORDS, GENERAL_WORDS, STOP_WORDS, stem, words

_SATURATION = 1.2
_TITLE_WEIGHT = 0.5
_SHORTEST = 3
_MONTHS = 6


@dataclass(frozen=True, slots=True)
class SeenPaper:
    """A paper as it was shown, counted.

    Attributes:
        id: Its id.
        date: Its date, "" when unknown.
        counts: Words of title and abstract.
        stems: The same by stem.
        title_stems: Stems of the title.
    """

    id: str
    date: str
    counts: Counter[str]
    stems: Counter[str]
    title_stems: frozenset[str]

    @classmethod
    def of(cls, paper_id: str, title: str, abstract: str, date: str) -> SeenPaper:
        """Counts a result."""
        counts = Counter(words(f"{title} {abstract}"))
        stems: Counter[str] = Counter()
        for word, count in counts.items():
            stems[stem(word)] += count
        return cls(paper_id, date, counts, stems, frozenset(stem(word) for word in words(title)))


def relevance(papers: Sequence[SeenPaper], question_stems: Collection[str]) -> list[float]:
    """Returns how much of a question each paper covers.

    score(d) = Σ_s idf(s) · (tf/(tf + 1.2) + 0.5·[s in title]) / Σ_s idf(s) over the question's stems s, with
    idf(s) = ln(1 + (n − df + 0.5)/(df + 0.5)) over the n given papers: a stem that all papers found for the question
    share tells them apart no more.

    Args:
        papers: All papers seen.
        question_stems: Distinct stems of the question's content words.

    Returns:
        Scores in [0, 1.5], in the order of ``papers``.
    """
    n = len(papers)
    idf = {}
    for item in sorted(question_stems):
        df = sum(1 for paper in papers if paper.stems[item])
        idf[item] = math.log(1 + (n - df + 0.5) / (df + 0.5))
    total = sum(idf.values()) or 1.0
    return [sum(weight * _match(paper, item) for item, weight in idf.items()) / total for paper in papers]


def nearness(date: str, bound: str) -> float:
    """Returns e^(−months/6) for a paper that appeared that many months before the bound; 0 when either is unknown."""
    try:
        months = 12 * (int(bound[:4]) - int(date[:4])) + int(bound[5:7]) - int(date[5:7])
    except ValueError:
        return 0.0
    return math.exp(-max(months, 0) / _MONTHS)


def _match(paper: SeenPaper, item: str) -> float:
    tf = paper.stems[item]
    return tf / (tf + _SATURATION) + (_TITLE_WEIGHT if item in paper.title_stems else 0.0)


def forms_in(papers: Iterable[SeenPaper], question_stems: Collection[str]) -> list[str]:
    """Returns the words of papers that share a stem with the question, most frequent first (ties by alphabet)."""
    found: Counter[str] = Counter()
    for paper in papers:
        found.update(word for word in paper.counts if stem(word) in question_stems)
    return [word for word, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))]


def expansion_words(
    feedback: Sequence[tuple[SeenPaper, float]], seen: Sequence[SeenPaper], question_stems: Collection[str]
) -> list[str]:
    """Returns new words by their worth in the feedback papers: the relevance model of RM3 with saturated counts.

    worth(w) = Σ_d p(d) · tf/(tf + 1.5) · (ln((n + 1)/df(w)) + 0.1), where p(d) is the papers' relevance scaled to sum
    1, and n and df count the papers seen; only words in at least two feedback papers, without stop words, question
    frames and words that any abstract may hold.

    Args:
        feedback: The papers that are taken for relevant, with their relevance.
        seen: All papers seen, those of ``feedback`` among them.
        question_stems: Stems that are in the query already.

    Returns:
        The words, best first (ties by alphabet).
    """
    total = sum(max(score, 1e-9) for _, score in feedback)
    weight: dict[str, float] = defaultdict(float)
    spread: Counter[str] = Counter()
    for paper, score in feedback:
        for word, tf in paper.counts.items():
            weight[word] += max(score, 1e-9) / total * tf / (tf + 1.5)
            spread[word] += 1
    df: Counter[str] = Counter()
    for paper in seen:
        df.update(paper.counts.keys())
    worth = {
        word: value * (math.log((len(seen) + 1) / df[word]) + 0.1)
        for word, value in weight.items()
        if spread[word] > 1 and _is_telling(word) and stem(word) not in question_stems
    }
    return [word for word, _ in sorted(worth.items(), key=lambda item: (-item[1], item[0]))]


def _is_telling(word: str) -> bool:
    if len(word) < _SHORTEST or not word.isalpha():
        return False
    return word not in STOP_WORDS and word not in FRAME_WORDS and word not in GENERAL_WORDS
