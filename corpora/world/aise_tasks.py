"""The AISE-Bench tasks of a world: questions over its knowledge graph, with gold plan, results, entities and answer.

Each question is drawn from a template, its answer counted out over the world's facts (`aise_census`), its plan run
against the APIs, and kept only where both agree: then exactly one set of entities answers it. Task n of a world depends
on the world's seed and n alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scholar_env.corpus import Corpus
from scholar_env.episode.aise.attempts import is_failure
from scholar_env.episode.aise.calling import KnowledgeApis
from scholar_env.episode.aise.executor import Execution, PlanExecutor
from scholar_env.episode.aise.filling import fill_by_rule
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_ids import entity_link
from scholar_env.graph.kg_store import knowledge_graph
from scholar_env.records import Task

from .aise_catalog import TEMPLATES, Template, worded
from .aise_census import Census, census_of
from .aise_sketch import KIND_OF, Asking, Sketch, Speaker, id_of
from .choice import apportion, shuffled
from .distinct import distinct_tasks
from .draws import Draw
from .recent import Recent
from .streams import Blocks
from .world import World, WorldTasks

VERSION = 1

ALL, TEST = 1133, 150
"""Questions of the fixed set, and those of the test set among them; a world has no more than papers."""
CHINESE = 60
"""Questions in Chinese, in percent."""
ATTEMPTS, STRIDE = 512, 64
"""Draws of a question, and 32-bit integers of each."""
CHANGE = 128
"""After so many attempts another template is drawn."""
SOURCE = "generated"
DISCIPLINES = {
    "cs": "Computer Science", "eess": "Electrical Engineering", "math": "Mathematics", "physics": "Physics",
    "stat": "Statistics", "q-bio": "Biology", "econ": "Economics", "q-fin": "Finance",
}  # fmt: skip
"""Group of subfields -> first-level discipline."""
KEPT = (
    "paper_id", "title", "year", "citation", "venue", "id", "name", "name_zh", "org", "org_id", "orgs", "nation",
    "position", "h_index", "n_citation", "n_pubs", "citation_num", "pub_num", "interests", "quartile", "established",
    "paper_count", "query",
)  # fmt: skip
"""Fields of records that a task keeps of the results of its plan."""


class AiseMaker:
    """Makes the questions of a world, one by one.

    Args:
        census: The world, counted through.
        graph: Its knowledge graph.
        purpose: Key of the draws; another one gives other questions.
    """

    def __init__(self, census: Census, graph: KnowledgeGraph, purpose: str) -> None:
        self._census, self._graph = census, graph
        self._blocks = Blocks(census.world.spec.seed, f"aise/{purpose}")
        self._executor = PlanExecutor(KnowledgeApis(graph), fill_by_rule, workers=1)
        by_id = {subfield.id: subfield.group for subfield in census.world.ontology.subfields}
        self._groups = [by_id[name] for name in census.world.facts.subfields]

    def task(self, number: int, task_id: str, template: Template | None = None) -> Task:
        """Make a task.

        Args:
            number: From 0 on; decides the task.
            task_id: Its id.
            template: What is asked; drawn by weight when None, and drawn anew where the world has no such question.

        Raises:
            LookupError: No question was found; the world is too small.
        """
        plan = Draw(self._blocks.raw(number * ATTEMPTS, STRIDE))
        language = "zh" if plan.percent(CHINESE) else "en"
        chosen = template or _drawn(plan)
        for attempt in range(1, ATTEMPTS):
            draw = Draw(self._blocks.raw(number * ATTEMPTS + attempt, STRIDE))
            if attempt % CHANGE == 0:
                chosen = _drawn(draw)
            ask = Asking(self._census, language, draw)
            sketch = chosen.make(ask, chosen.key)
            execution = self._executor.run(sketch.plan) if sketch else None
            if sketch and execution and self._holds(sketch, execution):
                return self._task(task_id, ask, sketch, chosen, execution)
        raise LookupError(f"no question {number} in a world of {self._census.world.spec.papers} papers")

    def _holds(self, sketch: Sketch, execution: Execution) -> bool:
        """Whether the APIs give, step by step, what the facts say."""
        if execution.problems or any(is_failure(result) for result in execution.results.values()):
            return False
        for step, rows in sketch.truth.items():
            found, wanted = self._listed(step, execution), self._ids(step, rows)
            if found != wanted if step in sketch.ordered else sorted(found) != sorted(wanted):
                return False
            if _total(execution.results[step]) not in (None, len(wanted)) and "size" not in execution.inputs[step]:
                return False
        return all(
            set(self._ids(step, rows)) <= set(self._listed(step, execution)) for step, rows in sketch.among.items()
        )

    def _ids(self, step: str, rows: Any) -> list[str]:
        return [id_of(self._census, KIND_OF[step.partition("(")[0]], row) for row in rows]

    @staticmethod
    def _listed(step: str, execution: Execution) -> list[str]:
        result = execution.results[step]
        data = result["data"] if isinstance(result, Mapping) else result
        if isinstance(data, Mapping):
            return list(data["paper_ids"])
        return [record.get("paper_id") or record["id"] for record in data]

    def _task(self, task_id: str, ask: Asking, sketch: Sketch, template: Template, execution: Execution) -> Task:
        question = worded(ask, sketch)
        speaker = Speaker(self._census, ask.language)
        answer, mentioned = speaker.finished(sketch.answer(speaker))
        entities = [(kind, id_of(self._census, kind, row)) for kind, row in mentioned]
        labels = {
            "intent": template.intent,
            "level": template.level,
            "steps": "5+" if template.steps >= 5 else str(template.steps),
            "discipline": DISCIPLINES[self._groups[sketch.subfield]],
            "language": ask.language,
            "calls": "complex" if len(sketch.plan) >= 4 else "simple",
            "template": template.key,
        }
        details = {
            "plan": [step.as_json() for step in sketch.plan],
            "inputs": dict(execution.inputs),
            "outputs": {name: compact(result) for name, result in execution.results.items()},
            "entities": [list(entity) for entity in entities],
            "answer": answer,
            "reference": {f"[{place + 1}]": entity_link(*entity) for place, entity in enumerate(entities)},
            "facts": list(sketch.facts),
        }
        gold = tuple(identifier for _, identifier in entities)
        return Task(task_id, question, "", gold, SOURCE, labels, details)


def _drawn(draw: Draw) -> Template:
    return TEMPLATES[draw.weighted(template.weight for template in TEMPLATES)]


def _total(result: Any) -> int | None:
    total = result.get("total") if isinstance(result, Mapping) else None
    return total if isinstance(total, int) else None


def compact(result: Any) -> Any:
    """A result without the long fields of its records."""
    if isinstance(result, list):
        return [_kept(record) for record in result]
    if isinstance(result, Mapping) and isinstance(result.get("data"), list):
        return {**result, "data": [_kept(record) for record in result["data"]]}
    return result


def _kept(record: Any) -> Any:
    return {name: record[name] for name in KEPT if name in record} if isinstance(record, Mapping) else record


def build(world: World, corpus: Corpus, progress: Callable[[str, int, int], None] | None = None) -> WorldTasks:
    """Make the fixed questions of a world, subsets ``all``, ``test``, and ``train`` for what is not in the test set.

    Args:
        world: The world.
        corpus: Its corpus.
        progress: Told the stage, what is done of it, and its total.
    """
    tell = progress or (lambda stage, done, total: None)
    size = min(ALL, world.spec.papers)
    shares = apportion(size, [template.weight for template in TEMPLATES]).tolist()
    wanted = [template for template, share in zip(TEMPLATES, shares, strict=True) for _ in range(share)]
    order = shuffled(world.spec.seed, "aise-templates", size).tolist()
    maker = AiseMaker(census_of(corpus), knowledge_graph(corpus), "tasks")
    drawn = distinct_tasks(size, lambda place, number: maker.task(number, f"aise-{place + 1:04}", wanted[order[place]]))
    tasks: list[Task] = []
    for place, task in enumerate(drawn):
        tasks.append(task)
        if place % 100 == 0:
            tell("making questions", place, size)
    changed = sum(task.labels["template"] != wanted[chosen].key for task, chosen in zip(tasks, order, strict=True))
    notes = (f"{changed} of {size} questions are of another kind than planned",) if changed else ()
    test = test_subset(tasks)
    held_out = set(test)
    train = tuple(task.id for task in tasks if task.id not in held_out)
    return WorldTasks(tuple(tasks), {"all": tuple(task.id for task in tasks), "test": test, "train": train}, notes)


def test_subset(tasks: list[Task]) -> tuple[str, ...]:
    """The test set: as many of each template as its weight asks for, the first ones, in the order of the tasks."""
    size = max(1, len(tasks) * TEST // ALL)
    by_template: dict[str, list[str]] = {template.key: [] for template in TEMPLATES}
    for task in tasks:
        by_template[task.labels["template"]].append(task.id)
    shares = apportion(size, [len(ids) for ids in by_template.values()]).tolist()
    chosen = {name for ids, share in zip(by_template.values(), shares, strict=True) for name in ids[:share]}
    return tuple(task.id for task in tasks if task.id in chosen)


def train_task(world: World, corpus: Corpus, number: int, kind: str = "") -> Task:
    """Task ``number`` of a world's endless training questions.

    Args:
        world: The world.
        corpus: Its corpus.
        number: From 0 on.
        kind: Not used: the family has one kind of tasks.
    """
    return train_maker(corpus).task(number, f"w{world.spec.seed}-{number}")


_recent: Recent[AiseMaker] = Recent(8)


def train_maker(corpus: Corpus) -> AiseMaker:
    """The maker of a world's training questions, kept for the last few worlds."""
    return _recent.get(corpus.fingerprint, lambda: AiseMaker(census_of(corpus), knowledge_graph(corpus), "train"))
