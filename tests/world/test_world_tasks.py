from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from scholar_env import storage
from scholar_env.corpora.world import task_maker
from scholar_env.corpora.world import tasks as tasks_module
from scholar_env.corpora.world.build import build_world
from scholar_env.corpora.world.facts import CAST
from scholar_env.corpora.world.lint_reading import text_faults
from scholar_env.corpora.world.predicates import Constraint
from scholar_env.corpora.world.query_classes import NOUN_FACETS, SOURCES
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpora.world.task_gold import Found
from scholar_env.corpora.world.task_maker import TaskMaker
from scholar_env.corpora.world.task_mix import TaskMix
from scholar_env.corpora.world.task_subsets import HARD_RULE
from scholar_env.corpora.world.tasks import make_tasks, train_task
from scholar_env.corpora.world.terms import Concept
from scholar_env.corpora.world.world import World, WorldTasks
from scholar_env.corpus import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task

SUBFIELDS = ("cs.IR", "math.CO", "physics.ga", "q-bio.NC", "stat.ME")
SPEC = WorldSpec(seed=5, papers=900, subfields=SUBFIELDS, cell_size=14)
TRAIN_SPEC = WorldSpec(seed=6, papers=400, train=True, subfields=SUBFIELDS[:3], cell_size=14)
N = 300


def built(folder: str, spec: WorldSpec, factory: pytest.TempPathFactory) -> Corpus:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCHOLAR_ENV_HOME", str(factory.mktemp("home")))
        patch.setattr(storage, "fs_fsync", lambda fd: None)
        patch.setattr(tasks_module, "ALL", 20)
        return Corpus.open(build_world(factory.mktemp("worlds") / folder, spec, name=folder))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return built("tasks", SPEC, tmp_path_factory)


@pytest.fixture(scope="module")
def world(corpus: Corpus) -> World:
    return load_world(corpus)


@pytest.fixture(scope="module")
def train_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return load_world(built("train-tasks", TRAIN_SPEC, tmp_path_factory))


@pytest.fixture(scope="module")
def maker(world: World) -> TaskMaker:
    return TaskMaker(world)


@pytest.fixture(scope="module")
def made(maker: TaskMaker) -> list[tuple[Task, Found]]:
    return [maker.explained(number, f"q{number}") for number in range(N)]


@pytest.fixture(scope="module")
def fixed(world: World, corpus: Corpus) -> WorldTasks:
    return make_tasks(world, corpus.sparse_index())


def satisfies(world: World, row: int, constraint: Constraint) -> bool:
    """A constraint on one paper, decided without arrays."""
    facts = world.facts
    kind, value = constraint
    if kind in NOUN_FACETS:
        return bool((facts.cast[row] == value).any())
    if kind == "baseline":
        rival = int(facts.baseline[row]) if facts.baseline[row] >= 0 else -2 - int(facts.rival[row])
        return bool(rival == value)
    columns = {
        "P": facts.problem,
        "M": facts.method,
        "O": facts.object,
        "system": facts.name,
        "dataset": facts.dataset,
    }
    if kind in columns:
        return bool(columns[kind][row] == value)
    place = [attribute.id for attribute in world.ontology.attributes].index(kind)
    return bool(facts.attributes[row, place] == value)


def says(world: World, row: int, constraint: Constraint) -> bool:
    """Whether title or abstract states a constraint, by the record."""
    kind, value = constraint
    codes = [kind]
    if kind in NOUN_FACETS:
        codes = [part for part, noun in zip(CAST, world.facts.cast[row].tolist(), strict=True) if noun == value]
    return any(int(world.statements.lead[row, world.statements.column(code)]) for code in codes)


def concept_of(world: World, subfield: int, place: int) -> Concept:
    name = world.facts.subfields[subfield]
    return next(entry for entry in world.ontology.subfields if entry.id == name).concepts[place]


def month(text: str) -> int:
    return int(text[:4]) * 12 + int(text[5:7]) - 1


def test_gold_is_exactly_what_satisfies_the_predicate_within_the_bound(
    world: World, corpus: Corpus, made: list[tuple[Task, Found]]
) -> None:
    dates = [corpus.date(row) for row in range(corpus.n_papers)]
    fields = world.facts.subfield.tolist()
    for task, found in made:
        subfield = fields[int(found.gold[0])]
        expected = {
            world.facts.ids[row]
            for row in range(corpus.n_papers)
            if fields[row] == subfield
            and dates[row]
            and dates[row][:7] <= task.before
            and all(satisfies(world, row, constraint) for constraint in found.constraints)
        }
        assert set(task.gold) == expected, (task.question, found.constraints)
        assert len(task.gold) == len(expected)


def test_the_text_of_most_gold_states_every_constraint(world: World, made: list[tuple[Task, Found]]) -> None:
    shares = []
    for _, found in made:
        said = [all(says(world, row, constraint) for constraint in found.constraints) for row in found.gold.tolist()]
        assert 2 * sum(said) >= len(said)
        shares.append(sum(said) / len(said))
    assert sum(shares) / len(shares) > 0.85


def test_coined_names_and_nouns_that_are_asked_for_stand_in_question_and_text(
    corpus: Corpus, world: World, maker: TaskMaker, made: list[tuple[Task, Found]]
) -> None:
    checked: Counter[str] = Counter()
    for task, found in made:
        subfield = int(world.facts.subfield[found.gold[0]])
        words = maker.questions.words[subfield]
        for constraint in found.constraints:
            kind, value = constraint
            if kind in ("system", "dataset", "baseline"):
                options = {maker.questions.name(kind, value, words.group)}
            elif kind in NOUN_FACETS:
                noun = words.subfield.nouns[value]
                options = {noun.singular, noun.plural, noun.short or noun.singular}
            else:
                continue
            assert any(name.lower() in task.question.lower() for name in options), (task.question, options)
            texts = [
                f"{corpus.title(row)} {corpus.abstract(row)}".lower()
                for row in found.gold.tolist()
                if says(world, row, constraint)
            ]
            assert all(any(name.lower() in text for name in options) for text in texts), (task.question, options)
            checked[kind] += 1
    assert checked.keys() >= {"system", "dataset", "baseline", "effect", "cond", "merit"}


def test_concepts_are_worded_at_the_level_that_the_labels_tell(world: World, made: list[tuple[Task, Found]]) -> None:
    seen: Counter[str] = Counter()
    for task, found in made:
        levels = dict(part.split(":") for part in task.labels["wording"].split())
        subfield = int(world.facts.subfield[found.gold[0]])
        for kind, value in found.constraints:
            if kind not in levels:
                continue
            concept = concept_of(world, subfield, value)
            texts = {
                "name": [concept.name.text, concept.short or concept.name.text],
                "paraphrase": [form.text for form in concept.paraphrases],
                "function": [form.text for form in concept.functional],
            }[levels[kind]]
            assert any(text.lower() in task.question.lower() for text in texts), (task.question, texts)
            seen[levels[kind]] += 1
    assert len(seen) == 3
    assert min(seen.values()) > N / 8
    functional = [task for task, _ in made if task.labels["type"] == "functional"]
    assert 0.12 < len(functional) / N < 0.3
    assert {task.labels["wording"] for task in functional} == {"P:function M:function O:function"}
    assert {task.labels["facets"] for task in functional} == {""}


def test_questions_read_right(maker: TaskMaker) -> None:
    texts = [maker.task(number, "q").question for number in range(1000, 1600)]
    assert len(set(texts)) > 0.98 * len(texts)
    for text in texts:
        assert not re.search(r"[{}\[\]<>|_]|\s\s|,,|\s[,;.?]|,[;.?]", text), text
        assert text[0].isupper(), text
        assert text[-1] in "?.", text
        assert 8 <= len(text.split()) <= 45, text
        # a wording may end in a preposition, "knowing who is who as a crowd moves on", so two may meet
        assert {fault for fault, _ in text_faults(text)} <= {"preposition"}, text
    first = Counter(" ".join(text.split()[:3]) for text in texts)
    assert max(first.values()) < len(texts) / 10


def test_a_task_depends_on_world_and_number_alone(world: World, made: list[tuple[Task, Found]]) -> None:
    again = TaskMaker(world)
    for number in (41, 7, 299, 0):
        assert again.task(number, f"q{number}") == made[number][0]
    assert train_task(world, 7) == train_task(world, 7)
    assert train_task(world, 7).question != made[7][0].question


def test_dates_by_both_rules(world: World, corpus: Corpus, made: list[tuple[Task, Found]]) -> None:
    late = 0
    for task, found in made:
        newest = max(corpus.date(row)[:7] for row in found.gold.tolist())
        assert task.before >= newest
        late += task.before > newest
    assert 0 < late < N / 10
    citing = TaskMaker(world, TaskMix(date_rule="citing", later=0))
    compared = 0
    for number in range(80):
        task, found = citing.explained(number, "q")
        if task.source == SOURCES["citation"]:
            assert month(task.before) == int(world.facts.month[found.citing]) - 1
            compared += 1
    assert compared > 40


def test_the_citing_paper_cites_one_gold_paper_at_least(world: World, made: list[tuple[Task, Found]]) -> None:
    graph = world.facts.graph
    whole = []
    for task, found in made:
        if task.source != SOURCES["citation"]:
            assert found.citing == -1
            assert "co_cited" not in task.labels
            continue
        references = graph.targets[graph.starts[found.citing] : graph.starts[found.citing + 1]].tolist()
        cited = [row in references for row in found.gold.tolist()]
        assert any(cited)
        assert found.citing not in found.gold
        assert task.labels["co_cited"] == ("yes" if all(cited) else "no")
        whole.append(all(cited))
    assert sum(whole) / len(whole) > 0.6


def test_sources_and_gold_sizes(made: list[tuple[Task, Found]]) -> None:
    sizes: dict[str, list[int]] = {}
    for task, _ in made:
        sizes.setdefault(task.source, []).append(len(task.gold))
    assert sizes.keys() == set(SOURCES.values())
    assert set(sizes["world-specific"]) == {1}
    assert max(sizes["world-citation"]) <= 12
    assert sum(sizes["world-citation"]) / len(sizes["world-citation"]) == pytest.approx(2.0, abs=0.4)


def test_the_fixed_set_and_its_subsets(world: World, corpus: Corpus, fixed: WorldTasks) -> None:
    by_id = {task.id: task for task in fixed.tasks}
    assert len(by_id) == len(fixed.tasks) == SPEC.papers
    assert len({task.question for task in fixed.tasks}) == len(fixed.tasks)
    shares = Counter(task.source for task in fixed.tasks)
    for source, weight in (("citation", 1922), ("attribute", 50), ("specific", 486)):
        assert shares[SOURCES[source]] == pytest.approx(SPEC.papers * weight / 2458, abs=1)
    fast, hard, train = (set(fixed.subsets[name]) for name in ("test_fast", "test_hard", "train"))
    assert len(fast) == 200
    assert len(hard) > 20
    assert not fast & hard
    gold = {paper for name in fast | hard for paper in by_id[name].gold}
    assert train
    assert all(gold.isdisjoint(by_id[name].gold) for name in train)
    index = corpus.sparse_index()
    for name in hard:
        task = by_id[name]
        rows = [corpus.row_of(paper) or 0 for paper in task.gold]
        ranks = index.search(task.question, 1, before=task.before, gold=rows).gold_ranks
        found = [rank for rank in ranks if rank is not None]
        assert len(rows) >= 2
        assert min(found, default=999) >= HARD_RULE.min_rank
        assert task.labels["best_rank"] == (str(min(found)) if found else "")
    assert any(note.startswith("test_hard asks for") for note in fixed.notes)


def test_training_worlds_ask_with_their_own_wordings_only(train_world: World) -> None:
    hidden = {
        form.text.lower()
        for subfield in train_world.ontology.subfields
        if subfield.id in train_world.facts.subfields
        for concept in subfield.concepts
        for form in concept.forms
        if form.heldout
    }
    asks = {
        form.text.lower()
        for attribute in train_world.ontology.attributes
        for value in attribute.values
        for form in value.asks
        if form.heldout and "{" not in form.text
    }
    maker = TaskMaker(train_world, purpose="train")
    texts = [maker.task(number, "q").question.lower() for number in range(250)]
    assert [text for text in texts for form in hidden | asks if re.search(rf"\b{re.escape(form)}\b", text)] == []


def test_knobs_decide_what_is_asked(world: World) -> None:
    names = TaskMaker(world, TaskMix(functional=0, levels=(1, 0, 0), unlike=0))
    wordings = " ".join(names.task(number, "q").labels["wording"] for number in range(60))
    assert "name" in wordings
    assert not {"function", "paraphrase"} & set(re.findall(r"[a-z]+", wordings))
    all_functional = TaskMaker(world, TaskMix(functional=100))
    citation = [all_functional.task(number, "q", "citation") for number in range(20)]
    assert {task.labels["type"] for task in citation} == {"functional"}
    large = TaskMaker(world, TaskMix(attribute_gold=(5, 9)))
    assert all(3 <= len(large.task(number, "q", "attribute").gold) <= 10 for number in range(20))


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"date_rule": "newest"}, "date_rule='newest' of a task mix"),
        ({"functional": 101}, "functional=101"),
        ({"levels": (0, 0, 0)}, r"levels=\(0, 0, 0\)"),
    ],
)
def test_impossible_mixes_are_refused(knobs: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        replace(TaskMix(), **knobs)


def test_a_mix_that_no_paper_can_meet_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_maker, "ATTEMPTS", 20)
    with pytest.raises(InvalidOptionError, match="20 draws find one"):
        TaskMaker(world, TaskMix(attribute_gold=(800, 900))).task(0, "q", "attribute")
