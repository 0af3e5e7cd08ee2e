"""What a lexical retriever finds of the most novel papers of a field: the SciNet rows of the calibration table."""

from __future__ import annotations

import statistics

from scholar_env.corpora.world import scinet_tasks
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpus import Corpus
from scholar_env.metrics.scinet import EGO_LIMIT, recall_paper
from scholar_env.records import Task


def lexical_recall(corpus: Corpus, tasks: tuple[Task, ...]) -> dict[str, float]:
    """Recall@50 of the first fifty papers for a question's words, and for the name of its field alone.

    Recall is of min(50, |gold|), as fields of a small world have less than fifty gold papers.
    """
    index = corpus.sparse_index()
    found: dict[str, list[float]] = {"question": [], "field": []}
    for task in tasks:
        for name, text in (("question", task.question), ("field", task.details["field"])):
            answer = [corpus.id_of(row) for row in index.search(text, EGO_LIMIT).rows.tolist()]
            found[name].append(recall_paper(answer, task.gold, of_gold=True))
    return {name: statistics.mean(values) for name, values in found.items()}


def scinet_measures(corpus: Corpus) -> dict[str, float]:
    """The rows of a world."""
    tasks = scinet_tasks.build(load_world(corpus), corpus, lambda stage, done, total: None).tasks
    novelty = lexical_recall(corpus, tuple(task for task in tasks if task.details["kind"] == "novelty"))
    return {
        "SciNet novelty Recall@50, lexical": novelty["question"],
        "the same, searching for the field alone": novelty["field"],
    }
