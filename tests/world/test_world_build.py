"""Worlds on disk: the same bytes however they are built, facts and statements, kills that cost little."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from scholar_env import storage
from scholar_env.corpora.world import build as build_module
from scholar_env.corpora.world import rendering, shards, shipped, tables
from scholar_env.corpora.world.build import build_world, date_of
from scholar_env.corpora.world.facts_build import build_facts, digest
from scholar_env.corpora.world.render.rendered import BODY
from scholar_env.corpora.world.render.renderer import Renderer
from scholar_env.corpora.world.shards import ShardStore, render_shard
from scholar_env.corpora.world.shipped import shipped_ontology
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.tables import is_world, load_facts, load_statements, load_world, number_of, spec_of
from scholar_env.corpus import Corpus
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, InfrastructureError, InvalidOptionError

SPEC = WorldSpec(seed=11, papers=210, train=True, subfields=("cs.IR", "math.CO"), cell_size=9, evidence=40)
ROWS = 50
IN_SHARDS_OF_50 = "from scholar_env.corpora.world import shards; shards.ROWS = 50\n"
BUILD = (
    IN_SHARDS_OF_50
    + """
import sys
from scholar_env.corpora.world.build import build_world
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpus import Corpus
spec = WorldSpec(seed=11, papers=210, train=True, subfields=("cs.IR", "math.CO"), cell_size=9, evidence=40)
if __name__ == "__main__":
    print(Corpus.open(build_world(sys.argv[1], spec, name="small")).fingerprint)
"""
)
KILLED = (
    IN_SHARDS_OF_50
    + """
import os, signal
from scholar_env.corpora.world import rendering
whole = rendering.render_shard
def dying(renderer, number):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(renderer, number)
rendering.render_shard = dying
"""
    + BUILD
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(folder))
    monkeypatch.setattr(storage, "fs_fsync", lambda fd: None)
    monkeypatch.setattr(build_module, "give_back", lambda: None)  # costly among the objects of other tests
    monkeypatch.setattr(shards, "ROWS", ROWS)
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCHOLAR_ENV_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setattr(shards, "ROWS", ROWS)
        yield Corpus.open(build_world(tmp_path_factory.mktemp("worlds") / "small", SPEC, name="small", number=5))


def run_python(code: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_corpus_says_what_it_is(built: Corpus) -> None:
    assert (built.name, built.n_papers, len(built.tasks()), dict(built.subsets())) == ("small", 210, 0, {})
    assert built.verify() == []
    assert is_world(built)
    assert spec_of(built) == SPEC
    assert number_of(built) == 5
    settings = built.tables.settings("world")
    assert settings["ontology_sha256"] == shipped.ontology_digest()
    assert (settings["seed"], settings["papers"], settings["evidence"], settings["train"]) == (11, 210, 40, True)
    assert built.manifest.derived_from.startswith(
        "generator scholar_env.corpora.world, training world, seed 11, ontology 1 ("
    )


def test_the_papers_are_the_facts_and_their_rendering(built: Corpus) -> None:
    ontology = shipped_ontology()
    facts = build_facts(ontology, SPEC)
    renderer = Renderer(ontology, SPEC, facts)
    for row in (0, 49, 50, 123, 209):
        paper, text = built.paper(row), renderer.paper(row)
        assert (paper.title, paper.abstract, paper.sections) == (text.title, text.abstract, text.sections)
        assert paper.id == facts.ids[row]
        assert paper.categories == facts.categories[row]
        assert paper.date == date_of(int(facts.day[row]))
        start, end = facts.graph.starts[row : row + 2]
        assert paper.references == tuple(facts.ids[other] for other in facts.graph.targets[start:end])
        assert len(paper.authors) == facts.people.paper_starts[row + 1] - facts.people.paper_starts[row]
        assert set(paper.authors) <= set(facts.people.author_names)
    dates = {built.date(row) for row in range(210)}
    assert "" in dates
    assert all(len(date) == 10 for date in dates - {""})


def test_dates_are_days_since_1970() -> None:
    assert [date_of(day) for day in (-1, 0, 59, 19723)] == ["", "1970-01-01", "1970-03-01", "2024-01-01"]


def test_facts_come_back_from_the_folder_unread(built: Corpus) -> None:
    facts = load_facts(built)
    assert digest(facts) == digest(build_facts(shipped_ontology(), SPEC))
    arrays = [getattr(facts, entry.name) for entry in fields(facts)]
    arrays += [facts.graph.targets, facts.figures.series, facts.people.venue_tiers]
    maps = [array for array in arrays if isinstance(array, np.ndarray)]
    assert len(maps) > 20
    assert not any(array.flags.writeable or array.flags.owndata for array in maps)


def test_statements_are_what_the_renderer_said(built: Corpus) -> None:
    statements = load_statements(built)
    renderer = Renderer(shipped_ontology(), SPEC, build_facts(shipped_ontology(), SPEC))
    assert statements.codes == tuple(renderer.shared.fact_codes)
    assert statements.column("system") == renderer.shared.fact_codes["system"]
    assert statements.lead.shape == statements.body.shape == (210, len(statements.codes))
    for row in range(0, 210, 13):
        lead, body = (
            {(said.fact, said.level) for said in renderer.paper(row).statements if (said.place >= BODY) == in_body}
            for in_body in (False, True)
        )
        for table, said in ((statements.lead, lead), (statements.body, body)):
            found = {(fact, level) for fact in range(len(statements.codes)) for level in range(8)
                     if table[row, fact] >> level & 1}  # fmt: skip
            assert found == said


def test_forms_are_the_wordings_that_stand_in_title_or_abstract(built: Corpus) -> None:
    world = load_world(built)
    by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
    n_said = 0
    for row in range(210):
        text = f"{built.title(row)}\n{built.abstract(row)}".lower()
        concepts = by_id[world.facts.subfields[world.facts.subfield[row]]].concepts
        for at, column in enumerate((world.facts.problem, world.facts.method, world.facts.object)):
            said = [form.text.lower() in text for form in concepts[column[row]].forms]
            assert [bool(world.statements.forms[row, at] >> bit & 1) for bit in range(len(said))] == said
            n_said += sum(said)
    assert n_said > 210


def test_workers_and_the_order_of_shards_change_nothing(
    tmp_path: Path, built: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "_start_worker", start_worker)
    two = Corpus.open(build_world(tmp_path / "small", SPEC, name="two", number=5, workers=2))
    assert two.fingerprint == built.fingerprint
    assert leftovers(tmp_path) == ["home", "small"]
    store = ShardStore(tmp_path / "other", SPEC)
    renderer = Renderer(shipped_ontology(), SPEC, build_facts(shipped_ontology(), SPEC))
    for number in (4, 0, 3, 1, 2):
        store.write(number, render_shard(renderer, number))
    monkeypatch.setattr(rendering, "Renderer", None)
    other = Corpus.open(build_world(tmp_path / "other", SPEC, name="other", number=5))
    assert other.fingerprint == built.fingerprint


def start_worker(target: str, spec: WorldSpec) -> None:
    """What a worker process begins with, in shards of the size of these tests."""
    shards.ROWS = ROWS
    _start_worker(target, spec)


_start_worker = rendering._start_worker


def test_another_process_with_another_hash_seed_builds_the_same(tmp_path: Path, built: Corpus) -> None:
    seed = "4711" if os.environ.get("PYTHONHASHSEED") != "4711" else "0"  # unset, this process's own is random
    code = BUILD.replace('name="small"', 'name="small", number=5')
    done = run_python(code, tmp_path / "small", PYTHONHASHSEED=seed)
    assert done.stdout.strip() == built.fingerprint, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a process is killed by signal")
def test_a_build_that_was_killed_goes_on_where_it_was(
    tmp_path: Path, built: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_python(KILLED, tmp_path / "small")
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not (tmp_path / "small").exists()
    (folder,) = tmp_path.glob(".small.shards-*")
    assert [name[:6] for name in leftovers(folder)] == ["000000", "000001", "000002"]
    torn = next(folder.glob("000001-*"))
    torn.write_bytes(torn.read_bytes()[:-1])
    rendered: list[int] = []

    def counted(renderer: Renderer, number: int) -> shards.Shard:
        rendered.append(number)
        return render_shard(renderer, number)

    monkeypatch.setattr(rendering, "render_shard", counted)
    told: list[tuple[str, int, int]] = []
    path = build_world(tmp_path / "small", SPEC, name="small", number=5, progress=lambda *step: told.append(step))
    assert Corpus.open(path).fingerprint == built.fingerprint
    assert rendered == [3, 4, 1]
    assert [step for step in told if step[0] == "rendering papers"] == [
        ("rendering papers", 200, 210),
        ("rendering papers", 210, 210),
    ]
    assert told[-3:] == [("writing papers", 210, 210), ("indexing", 0, 1), ("making tasks", 0, 1)]
    assert leftovers(tmp_path) == ["home", "small"]


def test_shards_of_another_world_or_another_version_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ShardStore(tmp_path / "small", SPEC)
    assert ShardStore(tmp_path / "small", WorldSpec(12, 210)).folder != store.folder
    monkeypatch.setattr(shards, "generator_digest", lambda: "0" * 64)
    assert ShardStore(tmp_path / "small", SPEC).folder != store.folder
    store.folder.mkdir(parents=True)
    ShardStore(tmp_path / "small", SPEC).drop(keep_own=True)
    assert not store.folder.exists()


def test_the_digest_of_the_generator_is_of_data_and_code(tmp_path: Path) -> None:
    for name in ("a.py", "b.txt"):
        (tmp_path / name).write_text("one")
    first = shipped._digest(sorted(tmp_path.iterdir()), tmp_path)
    (tmp_path / "b.txt").write_text("two")
    second = shipped._digest(sorted(tmp_path.iterdir()), tmp_path)
    (tmp_path / "b.txt").rename(tmp_path / "c.txt")
    assert len({first, second, shipped._digest(sorted(tmp_path.iterdir()), tmp_path)}) == 3


def test_a_worker_that_dies_is_a_declared_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_start_worker", die)
    with pytest.raises(InfrastructureError, match="a process that renders papers died"):
        build_world(tmp_path / "small", SPEC, name="small", workers=2)
    assert not (tmp_path / "small").exists()


def die(target: str, spec: WorldSpec) -> None:
    os._exit(3)


def test_bad_numbers_of_workers_and_unknown_subfields_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match=r"workers=0\. Rule: it is from 1 to 256"):
        build_world(tmp_path / "small", SPEC, name="small", workers=0)
    with pytest.raises(InvalidOptionError, match=r"subfield 'cs\.XX' of a world"):
        build_world(tmp_path / "small", WorldSpec(1, 210, subfields=("cs.XX",)), name="small")
    assert leftovers(tmp_path) == []


def test_an_error_leaves_nothing_half_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(build_module, "write_world", fail)
    with pytest.raises(OSError, match="disk full"):
        build_world(tmp_path / "small", SPEC, name="small")
    assert [name for name in leftovers(tmp_path) if "shards" not in name] == []


def test_a_world_of_another_ontology_has_facts_but_no_predicates(
    built: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "ontology_digest", lambda: "f" * 64)
    load_world.cache_clear()
    with pytest.raises(CorpusFormatError, match=r"was made from an ontology with the sha256 .*\. Rule: .* ffff"):
        load_world(built)
    assert load_facts(built).ids[0] == built.id_of(0)


def test_a_corpus_that_is_no_world_has_no_facts(tmp_path: Path) -> None:
    from scholar_env.corpus import resolve_corpus

    toy = resolve_corpus("toy")
    assert not is_world(toy)
    with pytest.raises(InvalidOptionError, match="has no table 'facts_subfield"):
        load_facts(toy)
    with pytest.raises(InvalidOptionError, match=r"has no table 'world\.json'"):
        load_world(toy)


def test_one_changed_byte_in_any_file_of_a_world_is_found_by_name(built: Corpus) -> None:
    names = ["manifest.json", *built.manifest.paths()]
    assert len(names) > 70
    for name in names:
        path = built.path / name
        data = path.read_bytes()
        place = len(data) * 2 // 3  # an empty file gets a byte
        path.write_bytes(data[:place] + bytes([(data[place] if data else 0) ^ 1]) + data[place + 1 :])
        try:
            assert [problem.file for problem in built.verify()] == [name]
            with pytest.raises((CorpusIntegrityError, CorpusFormatError), match=name):
                Corpus.open(built.path)
        finally:
            path.write_bytes(data)
    assert built.verify() == []
