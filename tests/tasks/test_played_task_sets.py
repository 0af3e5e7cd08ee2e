"""Own task sets are played like a benchmark's own tasks, and recorded, saved and replayed by their fingerprint."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.environment.task_source import SetTasks, order_of
from scholar_env.environment.vector import ThreadVectorEnv
from scholar_env.errors import (
    CorpusNotFoundError,
    InvalidOptionError,
    StateError,
    TaskNotFoundError,
    TaskSetNotFoundError,
    UntrustedReferenceError,
)
from scholar_env.rollout.canonical import checked_line
from scholar_env.rollout.export import export
from scholar_env.rollout.reader import read_episodes, read_run
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run
from scholar_env.study.render import report_markdown
from scholar_env.study.report import build_report
from scholar_env.study.summary import IncomparableRunsError
from scholar_env.task_files.reader import Input
from scholar_env.task_import import import_task_file
from scholar_env.task_set import TaskSet, task_set_of

ALL = "ScholarGym-All-v0"
QUESTIONS = ("graph walks", "query expansion", "retrieval models")


@pytest.fixture
def toy(home: Path) -> Corpus:
    return resolve_corpus("toy")


def import_mine(corpus: Corpus, tmp_path: Path, name: str = "mine", questions: tuple[str, ...] = QUESTIONS) -> TaskSet:
    lines = [{"query_id": f"{name}-{n}", "text": text, "gold": [corpus.id_of(n)]} for n, text in enumerate(questions)]
    path = tmp_path / f"{name}.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    (tmp_path / "ids").write_text(f"{name}-0\n")
    subsets = {"test_fast": tmp_path / "ids"}
    return TaskSet.open(import_task_file(Input(path), "scholargym", corpus, name, subsets=subsets).path)


@pytest.fixture
def mine(toy: Corpus, tmp_path: Path) -> TaskSet:
    return import_mine(toy, tmp_path)


def make(env_id: str = ALL, **options: Any) -> ScholarEnv:
    env = gymnasium.make(env_id, **{"corpus": "toy", "tasks": "mine", **options}).unwrapped
    assert isinstance(env, ScholarEnv)
    return env


def test_a_set_takes_the_place_of_the_tasks_of_the_corpus(toy: Corpus, mine: TaskSet) -> None:
    env = make()
    assert env.tasks == ("mine-0", "mine-1", "mine-2")
    observation, info = env.reset(options={"task_id": "mine-1"})
    assert observation["question"] == "query expansion"
    assert env.episode.task.gold == (toy.id_of(1),)
    assert info["corpus"]["tasks"] == mine.fingerprint
    assert info["corpus"]["subset_origin"] == mine.origin["all"]
    assert info["corpus"]["fingerprint"] == toy.fingerprint
    assert env.corpus_identity == {"name": "toy", "fingerprint": toy.fingerprint, "tasks": mine.fingerprint}
    assert make(tasks=None).reset(seed=0)[1]["corpus"]["tasks"] == ""
    assert "tasks" not in make(tasks=None).corpus_identity


def test_subsets_are_splits(mine: TaskSet) -> None:
    assert make("ScholarGym-TestFast-v0").tasks == ("mine-0",)
    with pytest.raises(InvalidOptionError, match=r"no tasks in the split 'train'. Rule: it has all \(3\), test_fast"):
        make("ScholarGym-Train-v0")
    env = make("ScholarGym-Train-v0", subset=["mine-2"])
    assert env.tasks == ("mine-2",)
    assert env.reset()[1]["corpus"]["subset_origin"] == "user"
    with pytest.raises(TaskNotFoundError, match="there is no task 'toy-1'"):
        make(subset=["toy-1"])


def test_every_form_of_naming_leads_to_the_same_set(mine: TaskSet, tmp_path: Path) -> None:
    shutil.copytree(mine.path, tmp_path / "elsewhere")
    for name in ("mine", f"mine@{mine.fingerprint[:8]}", mine.identity, str(tmp_path / "elsewhere"), mine.spec):
        assert make(tasks=name).reset(seed=0)[1]["corpus"]["tasks"] == mine.fingerprint
    with pytest.raises(TaskSetNotFoundError, match="there is no task set 'yours'"):
        make(tasks="yours")


def test_a_set_brings_its_corpus_where_none_is_named(
    mine: TaskSet, toy: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert make(corpus=None).corpus is toy
    vector = gymnasium.make_vec(ALL, num_envs=2, tasks="mine")
    _, infos = vector.reset(seed=0)
    assert set(infos["corpus"]["fingerprint"]) == {toy.fingerprint}
    vector.close()
    monkeypatch.setenv("SCHOLAR_ENV_CORPUS", "nothing")
    with pytest.raises(CorpusNotFoundError, match="there is no corpus 'nothing'"):
        make(corpus=None)


def test_sets_of_another_corpus_or_family_are_refused(toy: Corpus, world: Corpus, tmp_path: Path) -> None:
    import_mine(toy, tmp_path)
    with pytest.raises(InvalidOptionError, match=r"was made for the corpus toy@.*, not for world@"):
        make(corpus=str(world.path))
    sample = task_set_of(world, "sample")
    with pytest.raises(InvalidOptionError, match="is of the family 'sample'"):
        make(corpus=str(world.path), tasks=sample.spec)
    source = SetTasks(world, sample, "even")
    assert order_of(source, None, 0).ids == sample.ids("even")
    assert source.facts == {"tasks": sample.fingerprint, "subset_origin": "generated"}
    assert source.task("sample-3").details["row"] == 3


def test_vector_environments_share_the_set_of_their_parent(mine: TaskSet, toy: Corpus, tmp_path: Path) -> None:
    envs = gymnasium.make_vec(ALL, num_envs=3, corpus="toy", tasks="mine")
    assert isinstance(envs, ThreadVectorEnv)
    _, infos = envs.reset(seed=0)
    assert sorted(infos["task_id"]) == ["mine-0", "mine-1", "mine-2"]
    assert set(infos["corpus"]["tasks"]) == {mine.fingerprint}
    assert {env.get_wrapper_attr("options")["tasks"] for env in envs.envs} == {mine.spec}
    envs.close()


def test_copies_go_on_with_the_set(mine: TaskSet) -> None:
    env = make()
    env.reset(options={"task_id": "mine-2"})
    env.step({"name": "derive", "arguments": {"source": 0, "text": "models"}})
    twin = pickle.loads(pickle.dumps(env))
    call = {"name": "derive", "arguments": {"source": 1, "text": "retrieval"}}
    assert json.dumps(twin.step(call)[0]) == json.dumps(env.step(call)[0])
    assert twin.reset(options={"task_id": "mine-1"})[0]["question"] == "query expansion"


def test_a_state_of_another_set_is_refused(mine: TaskSet, toy: Corpus, tmp_path: Path) -> None:
    env = make()
    env.reset(options={"task_id": "mine-0"})
    saved = env.get_state()
    assert saved["tasks"] == mine.fingerprint
    assert make().set_state(saved)[0]["question"] == QUESTIONS[0]
    other = import_mine(toy, tmp_path / "..", "other", ("walks", *QUESTIONS[1:]))
    with pytest.raises(StateError, match=f"The state is of tasks '{mine.fingerprint}'.*of tasks '{other.fingerprint}'"):
        make(tasks="other").set_state(saved)


# ---- rollouts ----


def test_a_run_on_a_set_is_recorded_by_name_and_fingerprint(mine: TaskSet, tmp_path: Path) -> None:
    result = run(ALL, "direct", out=tmp_path / "run", corpus="toy", kwargs={"tasks": "mine"})
    assert result.manifest["kwargs"] == {"tasks": mine.identity}
    assert result.manifest["corpus"]["tasks"] == mine.fingerprint
    assert result.manifest["tasks"] == ["mine-0", "mine-1", "mine-2"]
    for found in read_episodes(tmp_path / "run"):
        assert found.header.kwargs == {"tasks": mine.identity}
        assert found.header.corpus["tasks"] == mine.fingerprint
    report = replay(tmp_path / "run")
    assert (report.findings, report.n_episodes) == ((), 3)
    assert export(tmp_path / "run", tmp_path / "chat.jsonl", "chat") == 3


def test_a_set_that_is_named_by_its_folder_is_recorded_by_its_name(
    toy: Corpus, mine: TaskSet, tmp_path: Path, home: Path
) -> None:
    shutil.move(mine.path, tmp_path / "elsewhere")
    run(ALL, "direct", out=tmp_path / "run", corpus="toy", kwargs={"tasks": str(tmp_path / "elsewhere")}, workers=2)
    assert read_run(tmp_path / "run").episodes[0].corpus["tasks"] == mine.fingerprint
    with pytest.raises(TaskSetNotFoundError, match=f"there is no task set '{mine.identity}'"):
        replay(tmp_path / "run")
    assert replay(tmp_path / "run", task_set=str(tmp_path / "elsewhere")).findings == ()
    shutil.copytree(tmp_path / "elsewhere", home / "tasks" / "own" / "renamed")
    assert replay(tmp_path / "run").findings == ()


def test_a_replay_refuses_another_set(toy: Corpus, mine: TaskSet, tmp_path: Path) -> None:
    run(ALL, "direct", out=tmp_path / "run", corpus="toy", kwargs={"tasks": "mine"})
    other = import_mine(toy, tmp_path, "other", ("walks",))
    with pytest.raises(TaskSetNotFoundError) as caught:
        replay(tmp_path / "run", task_set="other")
    assert caught.value.what == f"the task set 'other' has the fingerprint {other.fingerprint}"
    assert caught.value.rule == f"the rollout was recorded on {mine.identity}"
    shutil.rmtree(mine.path)
    import_mine(toy, tmp_path, "mine", ("walks", *QUESTIONS[1:]))
    with pytest.raises(TaskSetNotFoundError, match=f"{mine.identity} asks for another one"):
        replay(tmp_path / "run")


def test_a_replay_names_a_damaged_set(mine: TaskSet, tmp_path: Path) -> None:
    run(ALL, "direct", out=tmp_path / "run", corpus="toy", kwargs={"tasks": "mine"})
    with (mine.path / "tasks.jsonl").open("r+b") as file:
        file.seek(30)
        file.write(b"#")
    findings = replay(tmp_path / "run").findings
    assert len(findings) == 1
    assert findings[0].file == "tasks mine"
    assert "tasks.jsonl: its sha256 is not the one in the manifest" in findings[0].got


@pytest.mark.parametrize("named", ["mine", "/etc@" + "0" * 64, "../mine@" + "0" * 64, 3, "mine@" + "0" * 8])
def test_a_record_may_not_name_places(mine: TaskSet, tmp_path: Path, named: Any) -> None:
    run(ALL, "direct", out=tmp_path / "run", corpus="toy", kwargs={"tasks": "mine"}, tasks=1)
    lines = (tmp_path / "run" / "rollouts.jsonl").read_text(encoding="utf-8").splitlines()
    header = {key: value for key, value in json.loads(lines[0]).items() if key != "check"}
    header["kwargs"]["tasks"] = named
    forged = tmp_path / "forged.jsonl"
    forged.write_text("\n".join([checked_line(header), *lines[1:]]) + "\n", encoding="utf-8")
    with pytest.raises(UntrustedReferenceError, match="a stored rollout names a task set as name@fingerprint"):
        replay(forged)


def test_a_run_goes_on_with_the_set_that_it_began_with(toy: Corpus, mine: TaskSet, tmp_path: Path) -> None:
    run(ALL, "direct", out=tmp_path / "run", corpus="toy", kwargs={"tasks": "mine"})
    shutil.rmtree(mine.path)
    import_mine(toy, tmp_path, "mine", ("walks", *QUESTIONS[1:]))
    with pytest.raises(InvalidOptionError, match="a run is continued with the environment, corpus"):
        run(ALL, "direct", out=tmp_path / "run", corpus="toy", kwargs={"tasks": "mine"}, resume=True)


def test_older_records_without_tasks_replay(toy: Corpus, tmp_path: Path) -> None:
    run(ALL, "direct", out=tmp_path / "run", corpus="toy", tasks=1)
    lines = (tmp_path / "run" / "rollouts.jsonl").read_text(encoding="utf-8").splitlines()
    header = {key: value for key, value in json.loads(lines[0]).items() if key != "check"}
    assert header["corpus"].pop("tasks") == ""
    older = tmp_path / "older.jsonl"
    older.write_text("\n".join([checked_line(header), *lines[1:]]) + "\n", encoding="utf-8")
    assert replay(older).findings == ()


def test_runs_over_different_sets_are_not_put_side_by_side(toy: Corpus, mine: TaskSet, tmp_path: Path) -> None:
    for name, questions in (("first", QUESTIONS), ("second", ("walks", *QUESTIONS[1:]))):
        shutil.rmtree(mine.path)
        import_mine(toy, tmp_path, "mine", questions)
        run(ALL, "direct", out=tmp_path / name, corpus="toy", kwargs={"tasks": "mine"})
    runs = [read_run(tmp_path / name) for name in ("first", "second")]
    sets = [found.episodes[0].task_set[:12] for found in runs]
    with pytest.raises(IncomparableRunsError) as caught:
        build_report(runs)
    assert caught.value.what == f"runs over several task sets: first on {sets[0]}; second on {sets[1]}"
    report = build_report(runs, mixed=True)
    assert [pair.reason for pair in report.comparisons] == ["they ran over different task sets"]
    assert f"toy@7f5407d2, tasks@{sets[0][:8]}" in report_markdown(report)
    assert build_report(runs[:1]).remarks == ()
