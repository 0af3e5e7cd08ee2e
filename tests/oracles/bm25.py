"""Replays recorded calls of the released retriever's BM25 search on the frozen index."""

from __future__ import annotations

import atexit
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scholar_env.index.freeze import freeze_sparse
from scholar_env.index.scoring import idf_table
from scholar_env.index.sparse import SparseIndex
from scholar_env.text import scholargym_text, scholargym_tokens

SET = "scholargym_bm25"

UNRANKED = 570_205
"""What the released code calls the rank of a paper that is not in the ranked list."""

_folder = tempfile.TemporaryDirectory(prefix="scholar-env-oracles-")
atexit.register(_folder.cleanup)
_frozen: dict[str, Corpus] = {}


@dataclass(frozen=True)
class Corpus:
    """A corpus of the oracle file, frozen; rows follow the order of the file."""

    keys: list[str]
    arxiv_ids: list[str | None]
    index: SparseIndex

    def rows(self, arxiv_ids: Sequence[str]) -> list[int]:
        wanted = set(arxiv_ids)
        return [row for row, arxiv_id in enumerate(self.arxiv_ids) if arxiv_id in wanted]

    def indexed(self) -> list[int]:
        return [int(row) for row in np.unique(self.index.postings.docs)]


def corpus_of(name: str, context: Mapping[str, Any]) -> Corpus:
    records = context["corpora"][name]
    key = json.dumps(records)
    if key not in _frozen:
        papers = list(records.values())
        texts = [scholargym_text(title, text) if title or text else None for _, title, text, _ in papers]
        folder = Path(_folder.name) / str(len(_frozen))
        freeze_sparse(folder, texts, [date or "" for *_, date in papers])
        _frozen[key] = Corpus(list(records), [paper[0] for paper in papers], SparseIndex.open(folder))
    return _frozen[key]


def tokenize(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> list[str]:
    return scholargym_tokens(inputs["text"])


def build(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    corpus = corpus_of(inputs["corpus"], context)
    meta, postings = corpus.index.meta, corpus.index.postings
    _, mean_idf = idf_table(meta.variant("okapi"), np.diff(postings.indptr), meta.n_indexed)
    words = sorted(corpus.index.vocabulary)
    return {
        "indexed_ids": [corpus.keys[row] for row in corpus.indexed()],
        "avgdl": meta.n_tokens / meta.n_indexed,
        "average_idf": mean_idf,
        "n_negative_idf": int(np.count_nonzero(postings.idf < 0)),
        "idf_sample": {word: corpus.index.idf(word) for word in {*words[:12], "title"}},
    }


def scores(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> list[float]:
    corpus = corpus_of(inputs["corpus"], context)
    found: list[float] = corpus.index.scores(inputs["query"])[corpus.indexed()].tolist()
    return found


def search(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    corpus = corpus_of(inputs["corpus"], context)
    wanted = corpus.rows(inputs["gt"] or [])
    hits = corpus.index.search(
        inputs["query"],
        inputs["top_k"],
        offset=inputs["offset"],
        before=inputs["before_date"],
        exclude=corpus.rows(inputs["exclude"] or []),
        gold=wanted,
    )
    ranks: dict[str, Any] = {}
    if scholargym_tokens(inputs["query"]):  # the released code gives no ranks at all without a token
        total = max(hits.total - 1, 0)
        ranks = {arxiv_id: {"rank": UNRANKED, "total": total} for arxiv_id in inputs["gt"] or []}
        found = [(rank, row) for row, rank in zip(wanted, hits.gold_ranks, strict=True) if rank is not None]
        for rank, row in sorted(found):  # of papers that share an arXiv id the last one counts
            ranks[str(corpus.arxiv_ids[row])]["rank"] = rank
    page = zip(hits.rows.tolist(), hits.scores.tolist(), strict=True)
    return {"results": [[corpus.keys[row], score] for row, score in page], "rank_dict": ranks}


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = {
    "tokenize_bm25": tokenize,
    "build_bm25_index": build,
    "bm25_scores": scores,
    "search_citations_bm25": search,
}
