"""Oracle set ``scinet_release``: the released scripts of SciNetBench."""

from __future__ import annotations

import json
import math
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from scholar_env.inverted_abstract import abstract_of
from scholar_env.metrics import scinet_judged as judged
from scholar_env.metrics import scinet_release as ego
from scholar_env.metrics import scinet_release_pair as pair
from scholar_env.metrics import scinet_release_path as path
from scholar_env.metrics import scinet_tei as tei
from scholar_env.metrics.judges import Rating, TableJudge

SET = "scinet_release"

Inputs = Mapping[str, Any]


def _number(value: Any) -> Any:
    """Numbers as the oracle writes them: NaN and infinity are texts."""
    return float(value) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    return "nan" if isinstance(value, float) and math.isnan(value) else value


def _z(inputs: Inputs) -> ego.PairScores:
    return ego.ordered_pairs((first, second, _number(score)) for first, second, score in inputs["pair_z"])


def _percentile(inputs: Inputs, *, novelty: bool) -> Any:
    reference = [_number(score) for score in inputs["reference"]]
    return _plain(ego.percentile_release(_number(inputs["raw"]), reference, novelty=novelty))


def _reference(inputs: Inputs) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder, cache = Path(name) / "gold", Path(name) / "cache.json"
        folder.mkdir()
        for file, content in inputs["files"].items():
            text = content if isinstance(content, str) else json.dumps(content)
            (folder / file).write_text(text, encoding="utf-8")
        scores = ego.reference_scores_release(folder, inputs["score_key"], cache)
        assert ego.reference_scores_release(Path(name), inputs["score_key"], cache) == scores  # the cache wins
        return {"scores_sorted": sorted(scores), "n": len(scores), "cache_written": cache.is_file()}


def _sos(inputs: Inputs, *, novelty: bool) -> dict[str, Any]:
    transformed, average = ego.sos_pct_of_mean(inputs["mean_raw_scores"], inputs["reference"], novelty=novelty)
    return {"transformed": transformed, "final_average": average}


def _recall(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    gold = {field: items for field, items in inputs["gold_files"].items() if not isinstance(items, str)}
    return ego.recall_release(inputs["answers"], inputs["queries"], gold, inputs["k"])


def _cite_sentiment(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    return pair.cite_sentiment_release(
        inputs["answers"],
        inputs["queries"],
        inputs["refs"],
        pdf_of=inputs["pdf_of_title"].get,
        contexts_of=lambda pdf, title: inputs["contexts_of_pdf_and_title"].get(f"{pdf}|{title}", []),
        label_of=inputs["judge_label_of_context"].get,
    )


def _comention_paragraph(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    table = {tuple(row) for row in inputs["same_paragraph_table"]}
    return pair.comention_paragraph_release(
        inputs["answers"],
        inputs["queries"],
        inputs["citers"],
        pdf_of=inputs["pdf_of_citer"].get,
        same_paragraph=lambda pdf, first, second: (pdf, first, second) in table,
    )


def _connectivity(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    orders: Iterator[list[int]] = iter(inputs["shuffles"])
    connected, used = path.connectivity_release(
        inputs["path"], inputs["refs"], lambda items: [items[place] for place in next(orders)]
    )
    return {"connected": connected, "shuffles_used": used}


def _connectivity_seeded(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    generator = random.Random(inputs["python_random_seed"])

    def shuffle(items: list[Any]) -> list[Any]:
        return generator.sample(items, len(items))

    return {"connected": path.connectivity_release(inputs["path"], inputs["refs"], shuffle)[0]}


def _path_report(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    return path.path_report_release(inputs["answers"], inputs["queries"], inputs["gold"], inputs["refs"], list)


def _judge_top5(criterion: str) -> Callable[[Inputs, Inputs], dict[str, Any]]:
    def replay(inputs: Inputs, _: Inputs) -> dict[str, Any]:
        works = {f"https://openalex.org/W{title[1:]}": judged.Work(title) for title in inputs["works"]}
        table = {(criterion, title): Rating(score) for title, score in inputs["judge_of_title"].items()}
        return judged.llm_top5(inputs["answers"], works, TableJudge(table), criterion)

    return replay


def _judge_path(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    table = {("rationality", query): Rating(score) for query, score in inputs["judge_of_query"].items()}
    return judged.rationality(inputs["answers"], {}, TableJudge(table))


def _judge_reply(inputs: Inputs, _: Inputs) -> dict[str, Any]:
    replies = chain(inputs["replies"])

    def ask() -> Any:
        reply = next(replies)
        if reply == "HTTP_ERROR":
            raise ConnectionError(reply)
        if reply == "NO_CHOICES":
            raise KeyError(reply)
        return reply

    score, calls = judged.released_score(ask)
    return {"score": score, "calls": calls}


def _document(inputs: Inputs) -> str | None:
    return inputs["tei"] if inputs.get("http_status", 200) == 200 else None


REPLAY: dict[str, Callable[[Inputs, Inputs], object]] = {
    "disruption_index": lambda inputs, _: {
        paper: ego.disruption_seed_release(paper, inputs["refs"], inputs["citers"]) for paper in inputs["ids"]
    },
    "disruption_sos_raw_top5": lambda inputs, _: ego.raw_top5_disruption(
        inputs["answers"], inputs["refs"], inputs["citers"]
    ),
    "novelty_p10": lambda inputs, _: _plain(ego.novelty_p10_release(inputs["refs"], _z(inputs))),
    "novelty_sos_raw_top5": lambda inputs, _: ego.raw_top5_novelty(inputs["answers"], inputs["refs"], _z(inputs)),
    "novelty_sos_mean_of_percentiles_v0": lambda inputs, _: ego.sos_mean_of_pct_v0(
        inputs["answers"], inputs["refs"], _z(inputs), inputs["reference"]
    ),
    "percentile_disruption": lambda inputs, _: _percentile(inputs, novelty=False),
    "percentile_novelty": lambda inputs, _: _percentile(inputs, novelty=True),
    "reference_disruption": lambda inputs, _: _reference(inputs),
    "reference_novelty": lambda inputs, _: _reference(inputs),
    "sos_percentile_of_means_disruption": lambda inputs, _: _sos(inputs, novelty=False),
    "sos_percentile_of_means_novelty": lambda inputs, _: _sos(inputs, novelty=True),
    "recall_disruption": _recall,
    "recall_novelty": _recall,
    "judge_mean_top5_novelty": _judge_top5("novelty"),
    "judge_mean_top5_disruption": _judge_top5("disruption"),
    "judge_mean_path": _judge_path,
    "judge_reply_novelty": _judge_reply,
    "judge_reply_disruption": _judge_reply,
    "judge_reply_path": _judge_reply,
    "paper_details_ego": lambda inputs, _: judged.released_works(inputs["works"], inputs["ids"]),
    "paper_details_path": lambda inputs, _: judged.released_works(inputs["works"], inputs["ids"]),
    "reconstruct_abstract_ego": lambda inputs, _: abstract_of(inputs["inverted"]),
    "reconstruct_abstract_path": lambda inputs, _: abstract_of(inputs["inverted"]),
    "extract_title": lambda inputs, _: ego.extract_title_release(inputs["query"]),
    "cite_acc": lambda inputs, _: pair.cite_acc_release(inputs["answers"], inputs["queries"], inputs["refs"]),
    "comention_acc": lambda inputs, _: pair.comention_acc_release(
        inputs["answers"], inputs["queries"], inputs["citers"]
    ),
    "cite_sentiment": _cite_sentiment,
    "comention_paragraph": _comention_paragraph,
    "sequence_connected": lambda inputs, _: path.sequence_connected_release(inputs["path"], inputs["refs"]),
    "path_connectivity": _connectivity,
    "path_connectivity_seeded": _connectivity_seeded,
    "path_report_without_shuffles": _path_report,
    "tei_citation_contexts": lambda inputs, _: tei.tei_citation_contexts(_document(inputs), inputs["title"]),
    "tei_same_paragraph": lambda inputs, _: tei.tei_same_paragraph(
        _document(inputs), inputs["title_a"], inputs["title_b"]
    ),
}
