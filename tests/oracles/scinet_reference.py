"""Oracle set ``scinet_reference``: scientometrics and paths by definition; the package's graph has to give the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from scholar_env.graph.citation_graph import CitationGraph, Edges, make_graph
from scholar_env.graph.cocitation import incidence, pair_counts, pair_table
from scholar_env.graph.disruption import disruption_cd, disruption_seed, impact
from scholar_env.graph.novelty import hypergeometric_z, novelty
from scholar_env.graph.paths import influential_path, n_paths
from scholar_env.graph.top import top_rows
from scholar_env.metrics.scinet import pct_midrank
from scholar_env.metrics.scinet_path import (
    connectivity_chain,
    connectivity_induced,
    path_inner,
    path_jaccard,
    path_lcs,
    path_recall,
)

SET = "scinet_reference"

Inputs = Mapping[str, Any]


def _graph(papers: list[dict[str, Any]]) -> CitationGraph:
    assert [paper["id"] for paper in papers] == list(range(len(papers)))
    edges = np.array([(paper["id"], cited) for paper in papers for cited in paper["refs"]], dtype=np.int64)
    source, target = edges.reshape(-1, 2).T
    return make_graph(len(papers), Edges(source, target), month=np.array([paper["year"] * 100 for paper in papers]))


def _optional(values: Any) -> dict[int, float | None]:
    return {row: None if np.isnan(value) else value for row, value in enumerate(values.tolist())}


def _percentiles(values: Any) -> dict[int, float | None]:
    population = values[~np.isnan(values)].tolist()
    return {
        row: None if np.isnan(value) else pct_midrank(value, population) for row, value in enumerate(values.tolist())
    }


def _pair_z(graph: CitationGraph, names: list[str], units: Any) -> dict[str, float]:
    """z of all pairs of cited units, those that nobody cites together included."""
    cited = incidence(graph, units)
    together = {
        (first, second): papers
        for first, second, papers in zip(
            *(column.tolist() for column in pair_table(cited, pair_counts(cited))), strict=True
        )
    }
    pairs = list(combinations(np.flatnonzero(cited.n_papers_of).tolist(), 2))
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    counts = np.array([together.get(pair, 0) for pair in pairs], dtype=np.int64)
    z = hypergeometric_z(counts, cited.n_papers_of[first], cited.n_papers_of[second], cited.n_citing)
    return {
        f"{names[a]}|{names[b]}": score for (a, b), score in zip(pairs, z.tolist(), strict=True) if not np.isnan(score)
    }


def scientometrics(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    papers = inputs["papers"]
    graph = _graph(papers)
    names = sorted({paper["journal"] for paper in papers})
    units = np.array([names.index(paper["journal"]) for paper in papers], dtype=np.int32)
    counts = impact(graph, beside=True)
    disruption, novel = disruption_seed(counts), novelty(graph, units)
    return {
        "citations": dict(enumerate(graph.n_citers_of.tolist())),
        "disruption_seed": _optional(disruption),
        "disruption_cd": _optional(disruption_cd(counts)),
        "pair_z": _pair_z(graph, names, units),
        "novelty_p10": _optional(novel),
        "novelty_pct": _percentiles(-novel),
        "disruption_pct": _percentiles(disruption),
        "top5_novel": top_rows(novel, graph.id_rank, 5, largest=False).tolist(),
        "top5_disruptive": top_rows(disruption, graph.id_rank, 5, largest=True).tolist(),
    }


def paths(inputs: Inputs, context: Inputs) -> list[dict[str, Any]]:
    """Our paths run from the classical paper to the emerging one, those of the set the other way round.

    Ends and answers (``pred``) of the questions are recorded with the outputs only.
    """
    papers = inputs["papers"]
    graph = _graph(papers)

    def cited_by(paper: str) -> list[str]:
        return [str(row) for row in graph.citers(int(paper)).tolist()]

    out = []
    for query in context["recorded"]:
        classical, emerging = query["classical"], query["emerging"]
        best = {
            name: (influential_path(graph, classical, emerging, mode) or [])[::-1]
            for name, mode in (("all", "all"), ("shortest", "shortest"), ("max3", "max_len:3"))
        }
        answer, gold = [str(row) for row in query["pred"]], [str(row) for row in best["shortest"][::-1]]
        ends = (str(classical), str(emerging))
        out.append(
            {
                "emerging": emerging,
                "classical": classical,
                "n_paths": n_paths(graph, classical, emerging),
                "best": best,
                "pred": query["pred"],
                "consistency_recall": path_recall(answer, gold),
                "consistency_inner": path_inner(answer, gold),
                "consistency_jaccard": path_jaccard(answer, gold),
                "consistency_lcs": path_lcs(answer, gold),
                "connectivity_chain": int(connectivity_chain(answer, ends, cited_by)),
                "connectivity_induced": int(connectivity_induced(answer, ends, cited_by)),
            }
        )
    return out


REPLAY: dict[str, Callable[[Inputs, Inputs], object]] = {"scientometrics": scientometrics, "paths": paths}
