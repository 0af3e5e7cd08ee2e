"""The forty questions of the toy corpus; their gold are the papers whose facts answer them."""

from __future__ import annotations

from collections.abc import Sequence

from scholar_env.records import Task

from .toy_facts import DUPLICATE, N_PROBLEMS, PLAIN, Draws, Facts, problem_of
from .toy_topics import SHARED_METHODS

N_BY_PROBLEM, N_BY_METHOD, N_ACROSS = 14, 10, 16
MAX_GOLD = 6

_BY_PROBLEM = (
    "Which papers deal with {name}?",
    "Could you list studies on {paraphrase}?",
    "I am looking for work about {paraphrase}.",
    "What research is there on {name} and its difficulties?",
)
_BY_METHOD = (
    "Which studies use {method} for {name}?",
    "Is there a paper that applies {method} to the problem of {paraphrase}?",
    "Can you name work on {name} that relies on {method}?",
)
_ACROSS = (
    "Where did {method} help with {paraphrase} or with {other}?",
    "Are there studies on {paraphrase}, or on {other}, by means of {method}?",
    "Which work connects {method} with {paraphrase} as well as with {other}?",
)


def make_tasks(draws: Draws, facts: Sequence[Facts]) -> list[Task]:
    """Returns the tasks in a drawn order; ids are numbers in that order and tell nothing else."""
    findable = [paper for paper in facts if paper.kind in (PLAIN, DUPLICATE) and paper.date]
    numbers = draws.sample(range(N_PROBLEMS), N_PROBLEMS, "question problems")
    drafts = [_by_problem(draws, findable, number) for number in numbers[:N_BY_PROBLEM]]
    numbers = numbers[N_BY_PROBLEM:]
    drafts += [_by_method(draws, findable, number) for number in numbers[:N_BY_METHOD]]
    drafts += _across(draws, findable, numbers[N_BY_METHOD:])
    tasks = []
    for place, (question, gold, source) in enumerate(draws.sample(drafts, len(drafts), "question order")):
        newest = max(paper.date[:7] for paper in gold)
        ids = tuple(paper.id for paper in gold)
        tasks.append(Task(f"toy-q{place + 1:02d}", question, newest, ids, source))
    return tasks


def _by_problem(draws: Draws, papers: Sequence[Facts], number: int) -> tuple[str, list[Facts], str]:
    _, problem = problem_of(number)
    gold = [paper for paper in papers if paper.number == number]
    gold = sorted(gold, key=lambda paper: (paper.date, paper.row))[:MAX_GOLD]
    question = draws.pick(_BY_PROBLEM, "by problem", number)
    return question.format(name=problem.name, paraphrase=problem.paraphrase), gold, "toy-problem"


def _by_method(draws: Draws, papers: Sequence[Facts], number: int) -> tuple[str, list[Facts], str]:
    _, problem = problem_of(number)
    on_problem = [paper for paper in papers if paper.number == number]
    method = draws.pick(on_problem, "by method", number).method
    gold = [paper for paper in on_problem if paper.method == method]
    question = draws.pick(_BY_METHOD, "by method question", number)
    return question.format(name=problem.name, paraphrase=problem.paraphrase, method=method), gold, "toy-method"


def _across(draws: Draws, papers: Sequence[Facts], numbers: Sequence[int]) -> list[tuple[str, list[Facts], str]]:
    """Pairs problems of different categories that share a method; each (problem, method) serves once."""
    used: set[tuple[int, str]] = set()
    drafts: list[tuple[str, list[Facts], str]] = []
    for attempt in range(1000):
        if len(drafts) == N_ACROSS:
            break
        method = SHARED_METHODS[attempt % len(SHARED_METHODS)]
        present = sorted({paper.number for paper in papers if paper.method == method and paper.number in numbers})
        pair = draws.sample([number for number in present if (number, method) not in used], 2, "across", attempt)
        if len(pair) < 2 or problem_of(pair[0])[0] is problem_of(pair[1])[0]:
            continue
        used.update((number, method) for number in pair)
        gold = [paper for paper in papers if paper.number in pair and paper.method == method][:MAX_GOLD]
        first, second = (problem_of(number)[1].paraphrase for number in pair)
        question = draws.pick(_ACROSS, "across question", attempt)
        drafts.append((question.format(method=method, paraphrase=first, other=second), gold, "toy-across"))
    return drafts
