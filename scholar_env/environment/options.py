"""Keyword arguments that the benchmarks share: all of them, or those that have such calls."""

from __future__ import annotations

from scholar_env.environment.card import Option

CORPUS_OPTIONS = (
    Option(
        "corpus",
        "str",
        None,
        'Name, "name@fingerprint", or path of a frozen corpus; "world" and "toy" are generated. None takes '
        "SCHOLAR_ENV_CORPUS, else that of the task set that is named, else the benchmark's own corpus when it is "
        "installed, else the world with one warning.",
        nullable=True,
    ),
    Option(
        "retriever",
        "str",
        "sparse",
        "The frozen BM25 index, its slow reference, or a callable from a corpus to an index.",
        choices=("sparse", "rank-bm25"),
        imports=True,
    ),
    Option(
        "index_engine",
        "str",
        "auto",
        "Which code scores the sparse index; both give the same bits.",
        choices=("auto", "numpy", "numba"),
    ),
)

TASK_OPTIONS = (
    Option(
        "tasks",
        "str",
        None,
        'Your own task set for the corpus: its name (see scholar-env tasks list), "name@fingerprint", or a folder; its '
        "subsets are the splits. None = the benchmark's own tasks.",
        nullable=True,
    ),
    Option(
        "subset", "list", None, "Your own list of task ids in place of the split's; None = the split.", nullable=True
    ),
    Option("task_seed", "int", 0, "Fixes the order of tasks in every epoch."),
    Option("task_stride", "int", 1, "How far a reset without seed moves on in that order.", low=1),
    Option("task_start", "int", 0, "Place in that order of a first reset without seed.", low=0),
)

REWARD_OPTIONS = (
    Option(
        "reward",
        "dict",
        None,
        "Weight of each metric in the reward, 0 = recorded only; a metric is one of the card's, a further registered "
        "term, or a callable. None = the default of the card.",
        nullable=True,
    ),
    Option(
        "reward_timing",
        "str",
        "incremental",
        "Pay what each step adds, or everything at the end.",
        choices=("incremental", "terminal"),
    ),
    Option("invalid_cost", "float", 0.0, "Paid for every call that is refused.", low=0.0),
    Option("step_cost", "float", 0.0, "Paid for every call.", low=0.0),
)

INFO_OPTIONS = (
    Option(
        "metrics_in_info",
        "str",
        "step",
        'When info["metrics"] tells: at every step, or NaN before the end.',
        choices=("step", "end"),
    ),
    Option("debug", "bool", False, "Puts the gold papers into info. Never for training or evaluation."),
)

MAX_CALLS = Option("max_calls", "int", 200, "Calls after which a run-away episode is truncated.", low=1, high=100_000)


COMMON_OPTIONS = CORPUS_OPTIONS + TASK_OPTIONS + REWARD_OPTIONS + INFO_OPTIONS


def all_options(split: str, own: tuple[Option, ...]) -> tuple[Option, ...]:
    """All options of a card: its split, the benchmark's own ones, the shared ones."""
    return (Option("split", "str", split, "Which tasks.", frozen=True), *own, *COMMON_OPTIONS)


def retry_delay(what: str = "search") -> Option:
    """How long a failed search, or whatever may fail, is left alone."""
    doc = f"Seconds before the first retry of a failed {what}."
    return Option("retry_delay", "float", 0.5, doc, low=0.0, high=60.0)


def reading_options(document_chars: int = 8000) -> tuple[Option, ...]:
    """What benchmarks have whose calls search papers and read them: how much is shown, and when it is tried again."""
    doc = "Characters that one read returns."
    return (
        Option("max_abstract_chars", "int", 4000, "Where abstracts in results are cut.", low=0, high=1_000_000),
        Option("max_document_chars", "int", document_chars, doc, low=100, high=10_000_000),
        retry_delay(),
    )


def train_options(own: str) -> tuple[Option, ...]:
    """What training ids have beyond the others.

    Args:
        own: What the tasks are without training worlds, as the end of a sentence.
    """
    doc = f"On a generated test world: how many training worlds of the pool make the tasks; 0 = {own}."
    return (Option("train_worlds", "int", 4, doc, low=0, high=64),)
