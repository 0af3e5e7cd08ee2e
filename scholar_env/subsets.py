"""Which tasks make the subsets of a corpus, by fixed rules over labels that are stored with each task.

| label | meaning |
|---|---|
| ``n_gold`` | number of gold papers |
| ``n_gold_in_corpus`` | how many of them the corpus holds |
| ``n_categories`` | distinct primary categories among these |
| ``best_rank`` | best 0-based BM25 rank of one of these for the question as it stands under the task's date bound; |
| | ``""`` when none is ranked |
| ``left_out`` | reason why the task is in no subset, else ``""`` |
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scholar_env.errors import InvalidOptionError
from scholar_env.index.base import Index
from scholar_env.records import Task
from scholar_env.task_table import LEFT_OUT

ALL, TEST_FAST, TEST_HARD, TRAIN = "all", "test_fast", "test_hard", "train"

LABELS = ("n_gold", "n_gold_in_corpus", "n_categories", "best_rank", LEFT_OUT)
"""The labels of the module's table."""


@dataclass(frozen=True, slots=True)
class SubsetRule:
    """Sizes and thresholds.

    Attributes:
        fast: Size of Test-Fast; at most half of all tasks are taken.
        hard: Size of Test-Hard; fewer when fewer tasks satisfy the next three.
        hard_min_gold: Least number of gold papers of a hard task.
        hard_min_categories: Least number of primary categories among them.
        hard_min_rank: Least best 0-based rank; an unranked task satisfies it.
        seed: Decides the draws.
        origin: How the choice is called in the manifest.
    """

    fast: int = 200
    hard: int = 100
    hard_min_gold: int = 2
    hard_min_categories: int = 2
    hard_min_rank: int = 50
    seed: int = 0
    origin: str = "reconstructed"


@dataclass(frozen=True, slots=True)
class IdList:
    """A user's own list of task ids and where it comes from (``user:`` and the beginning of the file's sha256)."""

    ids: tuple[str, ...]
    origin: str


@dataclass(frozen=True, slots=True)
class Subsets:
    """Task ids by subset in release order, who chose each, and remarks for ``corpus info``."""

    ids: dict[str, tuple[str, ...]]
    origin: dict[str, str]
    notes: tuple[str, ...]


def read_id_list(path: str | Path) -> IdList:
    """Reads task ids: one a line, or JSON objects with a ``qid``, one a line; blank lines are skipped.

    Raises:
        InvalidOptionError: The file cannot be read, a line has no id, or an id comes twice.
    """
    try:
        raw = Path(path).read_bytes()
        lines = [line.strip() for line in raw.decode("utf-8").splitlines() if line.strip()]
        ids = [str(json.loads(line)["qid"]) if line.startswith("{") else line for line in lines]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidOptionError(
            f"{path} cannot be read as a list of task ids ({error!r})",
            "it holds one id a line, or one JSON object with 'qid' a line",
            "write it in one of these forms",
        ) from error
    doubled = [task_id for task_id, count in Counter(ids).items() if count > 1]
    if doubled:
        raise InvalidOptionError(
            f"{path} lists {doubled[0]!r} twice", "a subset holds a task once", "remove the second line"
        )
    return IdList(tuple(ids), f"user:{hashlib.sha256(raw).hexdigest()[:12]}")


def label_task(
    task: Task,
    row_of: Callable[[str], int | None],
    category_of: Callable[[int], str],
    index: Index,
    require_gold: str,
    *,
    papers: Sequence[str] | None = None,
    named_by: str = "the release",
) -> Task:
    """Returns the task with the labels of the module's table added.

    Args:
        task: The task; a ``left_out`` label that it has already stays.
        row_of: Row of a paper id.
        category_of: Primary category of a row.
        index: Index of the corpus.
        require_gold: ``all`` leaves a task out unless the corpus holds its whole gold; ``any`` asks for one paper.
        papers: Ids of the papers that stand for the gold where a task may be without gold.
        named_by: What names them, for the reason why a task is left out.
    """
    wanted = task.gold if papers is None else papers
    rows = [row for row in map(row_of, task.gold) if row is not None]
    ranks: Iterable[int | None] = ()
    if rows:
        ranks = index.search(task.question, 1, before=task.before or None, gold=rows).gold_ranks
    found = [rank for rank in ranks if rank is not None]
    reason = task.labels.get(LEFT_OUT, "")
    missing = [paper_id for paper_id in wanted if row_of(paper_id) is None]
    if not reason and not wanted:
        reason = f"{named_by} names no gold paper"
    elif not reason and missing and (require_gold == "all" or len(missing) == len(wanted)):
        more = ", …" if len(missing) > 5 else ""
        reason = f"{len(missing)} of {len(wanted)} gold papers are not in the corpus: {', '.join(missing[:5])}{more}"
    labels = {
        "n_gold": str(len(task.gold)),
        "n_gold_in_corpus": str(len(rows)),
        "n_categories": str(len({category_of(row) for row in rows} - {""})),
        "best_rank": str(min(found)) if found else "",
        LEFT_OUT: reason,
    }
    return replace(task, labels={**task.labels, **labels})


def choose_subsets(tasks: Sequence[Task], rule: SubsetRule, given: Mapping[str, IdList] | None = None) -> Subsets:
    """Chooses All, Test-Fast, Test-Hard and Train.

    All is every task without a ``left_out`` reason. Test-Hard is drawn from the tasks that satisfy the rule, Test-Fast
    from the rest in proportion to the sources; both draws order the ids by a hash with the seed. Train is what remains,
    without tasks that share a gold paper with either.

    Args:
        tasks: Labelled tasks in release order.
        rule: Sizes and thresholds.
        given: The user's own Test-Fast or Test-Hard; tasks of it that are not in All are left out and noted.

    Raises:
        InvalidOptionError: A given id is unknown, or the two given lists overlap.
    """
    given = given or {}
    usable = {task.id: task for task in tasks if not task.labels.get(LEFT_OUT)}
    notes: list[str] = []
    known = {task.id for task in tasks}
    fixed = {name: given_ids(name, ids, known, usable, notes) for name, ids in given.items()}
    overlap = fixed.get(TEST_FAST, set()) & fixed.get(TEST_HARD, set())
    if overlap:
        raise InvalidOptionError(
            f"the task {min(overlap)!r} is in both given lists",
            "Test-Fast and Test-Hard are disjoint",
            "remove it from one of them",
        )
    hard = fixed.get(TEST_HARD)
    if hard is None:
        hard = _draw_hard([task for task in usable.values() if task.id not in fixed.get(TEST_FAST, ())], rule, notes)
    fast = fixed.get(TEST_FAST)
    if fast is None:
        size = min(rule.fast, len(usable) // 2)
        if size < rule.fast:
            notes.append(f"test_fast has {size} tasks instead of {rule.fast}: it takes at most half of all tasks")
        fast = _draw_by_source([task for task in usable.values() if task.id not in hard], size, rule.seed)
    test_gold = {paper_id for task_id in fast | hard for paper_id in usable[task_id].gold}
    train = {task.id for task in usable.values() if task.id not in fast | hard and test_gold.isdisjoint(task.gold)}
    chosen = {ALL: set(usable), TEST_FAST: fast, TEST_HARD: hard, TRAIN: train}
    origin = {name: given[name].origin if name in given else rule.origin for name in (TEST_FAST, TEST_HARD)}
    ids = {name: tuple(task_id for task_id in usable if task_id in members) for name, members in chosen.items()}
    return Subsets(ids, origin, tuple(notes))


def given_ids(name: str, given: IdList, known: Container[str], usable: Container[str], notes: list[str]) -> set[str]:
    """Returns the usable ids of a user's own list.

    Args:
        name: Name of the subset.
        given: The list.
        known: All task ids.
        usable: Those that can be in a subset.
        notes: Takes a sentence when some cannot.

    Raises:
        InvalidOptionError: An id is unknown.
    """
    unknown = [task_id for task_id in given.ids if task_id not in known]
    if unknown:
        raise InvalidOptionError(
            f"the list for {name} names {len(unknown)} unknown tasks, the first is {unknown[0]!r}",
            "it names tasks that are there",
            "remove the unknown ids",
        )
    out = [task_id for task_id in given.ids if task_id not in usable]
    if out:
        notes.append(f"{name}: {len(out)} of {len(given.ids)} given tasks are left out, see their reasons")
    return set(given.ids).difference(out)


def _draw_hard(tasks: Sequence[Task], rule: SubsetRule, notes: list[str]) -> set[str]:
    fitting = [task for task in tasks if _is_hard(task, rule)]
    if len(fitting) < rule.hard:
        notes.append(
            f"test_hard has {len(fitting)} tasks instead of {rule.hard}: no more have {rule.hard_min_gold} gold papers "
            f"in {rule.hard_min_categories} primary categories and a best rank of {rule.hard_min_rank} or beyond"
        )
    return {task.id for task in _shuffled(fitting, rule.seed)[: rule.hard]}


def _is_hard(task: Task, rule: SubsetRule) -> bool:
    rank = task.labels["best_rank"]
    return (
        int(task.labels["n_gold"]) >= rule.hard_min_gold
        and int(task.labels["n_categories"]) >= rule.hard_min_categories
        and (rank == "" or int(rank) >= rule.hard_min_rank)
    )


def _draw_by_source(tasks: Sequence[Task], size: int, seed: int) -> set[str]:
    """Draws ``size`` tasks, from each source its share by largest remainders (ties: the source named first)."""
    sizes = Counter(task.source for task in tasks)
    if not sizes:
        return set()
    size = min(size, len(tasks))
    shares = {source: size * count // len(tasks) for source, count in sizes.items()}
    by_remainder = sorted(sizes, key=lambda source: -(size * sizes[source] % len(tasks)))
    for source in by_remainder[: size - sum(shares.values())]:
        shares[source] += 1
    drawn: set[str] = set()
    for source, share in shares.items():
        pool = _shuffled([task for task in tasks if task.source == source], seed)
        drawn.update(task.id for task in pool[:share])
    return drawn


def _shuffled(tasks: Iterable[Task], seed: int) -> list[Task]:
    return sorted(tasks, key=lambda task: hashlib.sha256(f"{seed}:{task.id}".encode()).digest())
