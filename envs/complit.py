"""CompLit: find the one paper that meets every constraint of a need, or say that there is none.

## Description

A task is a need: a purpose and constraints on one paper. A constraint is met by the paper's text, by a figure, by its
bibliographic record, or in comparison with another paper; the text may state it, paraphrase it, or only imply it. The
agent searches a frozen corpus with BM25 over titles and abstracts or over full texts, greps, reads, and answers with
one paper or abstains. Everything is deterministic: the same calls give the same results on every machine.

- CompLit-Standard-v0: one paper meets all constraints, which come from all four sources and at all levels.
- CompLit-Implicit-v0: every constraint is only implied by the paper, and none is on its record.
- CompLit-Cumulative-v0: the same kind of needs, told over three to five turns by a simulated user.
- CompLit-Unmet-v0: no paper meets all constraints; a near-miss meets all but one. The right answer is to abstain.
- CompLit-Mixed-v0: needs of the first, second and fourth kind, told apart by nothing but the need itself.
- CompLit-Standard-Train-v0, CompLit-Implicit-Train-v0, CompLit-Cumulative-Train-v0, CompLit-Unmet-Train-v0,
  CompLit-Mixed-Train-v0: endless tasks ``w<world>-<n>`` of each kind over ``train_worlds`` training worlds.

Generated worlds have their needs with exact truth: a predicate over the facts that papers were written from decides
each constraint. On another corpus, ``tasks`` names a task file that was imported (``scholar-env tasks import``).
Surveys are left out of what tools can show, as in the paper.

## Observation

A dict; every value is JSON-able and built anew at each step.

- question: what the user has said so far, a paragraph a turn.
- before: newest admissible month ``YYYY-MM``, "" for none.
- results: papers of the last step's searches in order: paper, title, abstract, date, score (6 digits), rank (0-based),
  subquery (number of the search).
- hits: where the last step's ``grep`` matched: paper, title, section, matches, snippet.
- document: what ``read`` returned, {} otherwise; of several in one step the last.
- categories: categories of that paper.
- figures: the first four figures of the text or section that was read: number, y, x, points (x and y as printed), image
  (a PNG in base64 with ``figure_images=True``, else "").
- answer: the current answer: paper, title, rationale.
- budget: calls left; answer_only is 1 when it is spent. The others are -1, unlimited.
- error: what was wrong with the last call and how a right one looks.
- feedback: remarks on a call that ran; what the user says when a turn begins.
- turn: 0-based turn of the conversation.

## Actions

``{"name": str, "arguments": {…}}``; ``env.action_space.openai_tools()`` gives the schemas.

- search(text, k, offset, scope, before): BM25 (k1 1.2, b 0.75) over ``title_abstract`` or ``full_text``.
- grep(text, regex, case_sensitive, paper, k, offset): literal text, white space at its ends included, or with ``regex``
  an expression of RE2, in titles, abstracts and sections, of one paper or of all. An expression that would take long is
  refused: :mod:`scholar_env.index.pattern_weight`.
- read(paper, section, offset): the whole text in parts, or one section (``abstract`` is one), with the first four
  figures of the text that is asked for, whichever part of it is shown.
- answer(paper, title, rationale): name the paper by id, by title, or by both; an answer that names nothing abstains.
- abstain(reason): say that no paper meets the need.
- next_turn(message): go on with the conversation (Cumulative). The user answers a question with what was said before,
  or says that there is no requirement, and repeats the last sentence when a paper is proposed, right or not; nothing
  that the agent says adds a constraint.

A title counts when its letters and digits are those of the paper's title (NFKC, case folded). With an id and a title
that are of two papers the answer is wrong. An id is one of the corpus; in every tool an arXiv id may also stand with
the prefix ``arXiv:`` or with a version: ``arXiv:2101.00001v2`` answers and reads 2101.00001, and is shown as that.

## Rewards

Weighted metrics, by default ``{"accuracy": 1}``: 1 for a right verdict, 0 otherwise. ``reward_timing="incremental"``
pays what each call adds, so the undiscounted return is the final metric; ``"terminal"`` pays it at the end. Costs are
apart in ``info["reward_terms"]``.

## Starting state

The need, or the opening of the conversation; nothing listed, opened or answered. On worlds an Implicit need and the
opening of a conversation also name a noun (two on large worlds) that 5 to 24 papers of the subfield have; it says where
to look and is no constraint, so no measure counts it. ``reset(seed=s)`` plays place s of
the task order that ``task_seed`` fixes, ``reset(options={"task_id": id})`` the task of that id.

## Episode end

Terminated: "answered", "abstained"; in a conversation on its last turn only, before it ``answer`` sets the current
answer and ``abstain`` takes it back. The budget is ``max_tool_calls`` calls of ``search``, ``grep`` and ``read`` and
refused calls (``budget_mode="messages"`` counts every call); when it is spent, only ``answer``, ``abstain`` and
``next_turn`` are taken, other calls are blocked and cost nothing, and a verdict is marked as forced. Truncated:
"no_answer" (a second other call after that; wrong, on Unmet too), "max_calls", "infrastructure". The reason is
``info["stop_reason"]``.

## Arguments

``scholar_env.environment.registry.card(id).options`` lists them with defaults and ranges. Those of the task:
max_tool_calls 30, budget_mode "calls", page_size 10, grep_size 20, max_calls 200, left_out "surveys", figure_images
False, max_abstract_chars 4000, max_document_chars 20000, retry_delay 0.5. Shared by all benchmarks: corpus, retriever,
index_engine, tasks, subset, task_seed, task_stride, task_start, reward, reward_timing, invalid_cost, step_cost,
metrics_in_info, debug. ``split`` and ``conversation`` are frozen. The Train ids alone have train_worlds 4. With
another ``retriever`` than "sparse", that one answers searches of both scopes.

## Metrics

In ``info["metrics"]``: accuracy, whether it was forced, what was named instead (another, near_miss, other),
abstentions (unmet_accuracy, false_abstention, abstain_refuted, abstain_silent), how far the search came (retrieved,
read, near_miss_read, best_rank), answers turn by turn (committed, ever_another, escaped, recovered), and counters.
Definitions: :mod:`scholar_env.metrics.complit_tracker`. Read the accuracy on Unmet beside false_abstention on Standard
only: an agent that always abstains has 1.0 on both. Curves over calls and turns: :mod:`scholar_env.metrics.dynamics`.

## Versions

v0: first version.

## References

"Scientific Literature Search Benchmarks Must Cover Implicit, Cumulative, and Unmet Needs" (CompLit).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scholar_env.corpus import Corpus
from scholar_env.environment.card import Card, Option
from scholar_env.environment.options import MAX_CALLS, all_options, reading_options, train_options
from scholar_env.environment.task_source import TaskSource, own_tasks, training_tasks
from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.names import COMPLIT_METRICS

FAMILY = "complit"
TRAIN = "_train"
"""What the splits of the training ids end with."""

TOOLS = ("search", "grep", "read", "answer", "abstain")
OBSERVATION = (
    "question", "before", "results", "hits", "document", "categories", "figures", "answer", "budget", "error",
    "feedback", "turn",
)  # fmt: skip

OPTIONS = (
    Option("max_tool_calls", "int", 30, "The budget, after which only answers are taken.", low=1, high=100_000),
    Option(
        "budget_mode", "str", "calls", "What counts: calls of tools and refused ones, or every call.",
        choices=("calls", "messages"),
    ),
    Option("page_size", "int", 10, "Results of a search, and the most that k can ask for.", low=1, high=100),
    Option("grep_size", "int", 20, "Hits of a grep, and the most that k can ask for there.", low=1, high=100),
    MAX_CALLS,
    Option(
        "left_out", "str", "surveys", "Papers that no tool shows; few corpora say which are surveys.",
        choices=("surveys", "nothing"),
    ),
    Option("figure_images", "bool", False, "Whether figures come as pictures besides their data."),
    *reading_options(document_chars=20_000),
)  # fmt: skip

TRAIN_OPTIONS = train_options("the world's own tasks")

KINDS = (
    ("Standard", 350, "Constraints from all sources and at all levels; one paper meets them."),
    ("Implicit", 220, "Constraints that a paper only implies; one paper meets them."),
    ("Cumulative", 220, "Implied constraints, told turn by turn; one paper meets them."),
    ("Unmet", 300, "No paper meets all constraints; a near-miss meets all but one."),
    ("Mixed", 300, "Standard, Implicit and Unmet needs together."),
)


def _card(name: str, n_tasks: int | None, summary: str, *, train: bool) -> Card:
    kind = name.lower()
    split, conversation = kind + TRAIN * train, kind == "cumulative"
    fixed = Option("conversation", "bool", conversation, "Whether needs are told turn by turn.", frozen=True)
    return Card(
        id=f"CompLit-{name}{'-Train' * train}-v0",
        family=FAMILY,
        benchmark="complit",
        split=split,
        summary=f"{summary}{' Endless training tasks.' * train}",
        n_tasks=n_tasks,
        options=all_options(split, (fixed, *OPTIONS, *(TRAIN_OPTIONS if train else ()))),
        tools=(*TOOLS, "next_turn") if conversation else TOOLS,
        observation=OBSERVATION,
        metrics=COMPLIT_METRICS,
        default_reward={"default": {"accuracy": 1.0}},
        references=("Scientific Literature Search Benchmarks Must Cover Implicit, Cumulative, and Unmet Needs",),
    )


CARDS = (
    *(_card(name, n_tasks, summary, train=False) for name, n_tasks, summary in KINDS),
    *(_card(name, None, summary, train=True) for name, _, summary in KINDS),
)


def source(corpus: Corpus, split: str, options: Mapping[str, Any]) -> TaskSource | None:
    """The tasks of a generated world, made at their first use, and the endless ones of training worlds.

    Args:
        corpus: The corpus.
        split: Which tasks.
        options: Arguments of the environment.

    Raises:
        InvalidOptionError: The corpus makes no such tasks.
    """
    if "world" not in corpus.tables:
        return None
    kind = split.removesuffix(TRAIN)
    endless = training_tasks(corpus, FAMILY, options, kind) if kind != split else None
    return endless or own_tasks(corpus, FAMILY, kind, options)


def tasks(corpus: Corpus, split: str) -> tuple[str, ...]:
    """Refuses a corpus that makes no tasks of its own.

    Raises:
        InvalidOptionError: Always: tasks of such a corpus come by a task set.
    """
    raise InvalidOptionError(
        f"the corpus {corpus.name} has no CompLit tasks for the split {split!r}",
        "generated worlds make them; other corpora take those of an imported task file",
        f"import one with scholar-env tasks import FILE --family complit --corpus {corpus.name}, and give its name as "
        "the argument tasks",
    )
