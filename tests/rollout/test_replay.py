"""Recorded runs replay equal; whatever is changed in them is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scholar_env import storage
from scholar_env.agents import agents_of
from scholar_env.corpus import resolve_corpus
from scholar_env.environment.registry import CARDS
from scholar_env.errors import CorpusNotFoundError, RolloutFormatError, UntrustedReferenceError
from scholar_env.rollout.canonical import checked_line
from scholar_env.rollout.folder import read_manifest, write_manifest
from scholar_env.rollout.replay import ReplayReport, replay
from scholar_env.rollout.runner import run
from tests.families import suite_of

RunFactory = Callable[..., Path]
SCRIPT = [
    {"name": "derive", "arguments": {"source": 0, "text": "methods", "k": 99}},
    {"name": "derive", "arguments": {"source": 12, "text": "methods"}},
    "no call at all",
    {"name": "search", "arguments": {"text": "learning", "k": 3, "offset": 5}},
    {"name": "select", "arguments": {"subquery": 1, "papers": ["toy:0001", 7]}},
    [{"name": "next_iteration", "arguments": {}}, {"name": "expand", "arguments": {"source": 1, "text": "graphs"}}],
    {"name": "plan", "arguments": {"subqueries": [{"link": "continue", "source": 1}], "experience": "é \u2028"}},
]


PLAYED = [(env_id, agent) for env_id, card in sorted(CARDS.items()) for agent in sorted(agents_of(card.family))]


@pytest.mark.parametrize(("env_id", "agent"), PLAYED)
def test_every_agent_on_every_id_replays_equal(
    env_id: str, agent: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    suite = suite_of(env_id)
    if suite.small_worlds:
        request.getfixturevalue("small_home")
    options = {"calls": SCRIPT} if agent == "scripted" else dict(suite.agent_options.get(agent, {}))
    kwargs = suite.on_world(env_id) if suite.small_worlds else {}
    run(env_id, agent, out=tmp_path / "run", corpus=suite.corpus, tasks=2, agent_options=options, kwargs=kwargs)
    report = replay(tmp_path / "run")
    assert report.findings == ()
    assert report.n_episodes == 2
    assert report.n_steps >= 2


@pytest.mark.parametrize(
    "kwargs",
    [
        {"assessor": "lexical"},
        {"assessor": "oracle", "reward_timing": "terminal"},
        {"compat": "upstream", "assessor": "lexical"},
        {"assessor": "lexical", "browser_mode": "INCREMENTAL"},
        {"memory": False, "page_size": 4, "max_iterations": 2, "invalid_cost": 0.25},
        {"index_engine": "numpy", "metrics_in_info": "end"},
    ],
)
def test_options_replay_equal(kwargs: dict[str, Any], recorded: RunFactory) -> None:
    report = replay(recorded("random", **kwargs))
    assert report.findings == ()
    assert report.n_episodes == 3


def test_a_hostile_script_is_recorded_with_its_errors(tmp_path: Path) -> None:
    run("ScholarGym-All-v0", "scripted", out=tmp_path / "run", corpus="toy", tasks=1, agent_options={"calls": SCRIPT})
    lines = [json.loads(line) for line in (tmp_path / "run" / "rollouts.jsonl").read_text("utf-8").split("\n") if line]
    steps = [line for line in lines if line["type"] == "step"]
    assert [step["error"] != "" for step in steps[:5]] == [False, True, True, False, True]
    assert steps[2]["call"]["name"] == "__malformed__"
    assert [step["message"] for step in steps] == [0, 1, 2, 3, 4, 5, 5, 6, 7]


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "rollouts.jsonl").read_text("utf-8").split("\n") if line]


def rewrite(folder: Path, lines: list[dict[str, Any]]) -> None:
    """Writes lines as a forger would: with right checks and a right manifest."""
    for line in lines:
        line.pop("check", None)
    data = "".join(checked_line(line) + "\n" for line in lines).encode()
    (folder / "rollouts.jsonl").write_bytes(data)
    manifest = read_manifest(folder)
    manifest["files"]["rollouts.jsonl"] = {"sha256": storage.sha256_file(folder / "rollouts.jsonl"), "size": len(data)}
    write_manifest(folder, manifest)


FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "reward": lambda step: step.update(reward=step["reward"] + 1e-12),
    "terms": lambda step: step["terms"].update(f1=0.125),
    "error": lambda step: step.update(error="unknown_tool"),
    "terminated": lambda step: step.update(terminated=not step["terminated"]),
    "truncated": lambda step: step.update(truncated=True),
    "digest": lambda step: step.update(digest="0" * 64),
    "retrieval": lambda step: step["retrieval"].append({"subquery": 1, "ids": [], "total": 0}),
    "assessments": lambda step: step["assessments"].append({}),
    "evaluation": lambda step: step["evaluation"]["metrics"].update(ret_recall=0.0625),
}


@pytest.mark.parametrize("field", sorted(FORGERIES))
def test_a_forged_field_is_found_by_running_again(field: str, copied: RunFactory) -> None:
    folder = copied("direct")
    lines = lines_of(folder)
    place, line = [(place, line) for place, line in enumerate(lines) if line["type"] == "step"][3]
    FORGERIES[field](line)
    rewrite(folder, lines)
    report = replay(folder)
    (finding,) = report.findings
    assert (finding.file, finding.line, finding.step, finding.field) == ("rollouts.jsonl", place + 1, 0, field)
    assert finding.task_id == lines[place - 1]["task_id"]
    assert finding.expected != finding.got
    assert report.n_steps == 3


@pytest.mark.parametrize("field", ["total_reward", "stop_reason", "selected", "evaluation"])
def test_a_forged_end_is_found(field: str, copied: RunFactory) -> None:
    folder = copied("direct")
    lines = lines_of(folder)
    end = next(line for line in lines if line["type"] == "end")
    end[field] = {"total_reward": 2.0, "stop_reason": "abstained", "selected": [], "evaluation": {}}[field]
    rewrite(folder, lines)
    (finding,) = replay(folder).findings
    assert (finding.field, finding.step) == (field, -1)


@pytest.mark.parametrize(("field", "value"), [("digest", "0" * 64), ("index", {"fingerprint": "x", "engine": "numpy"})])
def test_a_forged_header_is_found(field: str, value: Any, copied: RunFactory) -> None:
    folder = copied("direct")
    lines = lines_of(folder)
    lines[0][field] = value
    rewrite(folder, lines)
    (finding,) = replay(folder).findings
    assert (finding.line, finding.field) == (1, field)


def test_a_changed_action_is_named_by_step(copied: RunFactory) -> None:
    folder = copied("direct")
    lines = lines_of(folder)
    place = next(place for place, line in enumerate(lines) if line["type"] == "step")
    lines[place]["call"]["arguments"]["text"] = "graphs"
    rewrite(folder, lines)
    (finding,) = replay(folder).findings
    assert (finding.line, finding.step, finding.field) == (place + 1, 0, "retrieval")


def test_missing_and_doubled_steps_and_episodes_are_found(copied: RunFactory) -> None:
    folder = copied("direct")
    lines = lines_of(folder)
    shorter = [*lines[:2], {**lines[4], "steps": 1}, *lines[5:]]
    rewrite(folder, [dict(line) for line in shorter])
    (finding,) = replay(folder).findings
    assert finding.expected == "an end after 1 steps"
    assert finding.got == "an episode that goes on"
    rewrite(folder, [dict(line) for line in lines[5:]])
    (finding,) = replay(folder).findings
    assert finding.field == "tasks"


def changed(report: ReplayReport) -> list[tuple[str, int, int]]:
    return [(finding.file, finding.line, finding.step) for finding in report.findings]


@pytest.mark.parametrize(
    "what", [b'"text":"', b'"reward":', b'"digest":"', b'"package":"', b'"stop_reason":"', b'"check":"']
)
def test_a_changed_byte_in_a_line_is_named(what: bytes, copied: RunFactory) -> None:
    folder = copied("direct")
    path = folder / "rollouts.jsonl"
    data = bytearray(path.read_bytes())
    place = data.index(what) + len(what)
    data[place] = data[place] ^ 1 if chr(data[place] ^ 1).isalnum() else data[place] ^ 2
    path.write_bytes(data)
    line = data[:place].count(b"\n") + 1
    step = lines_step(bytes(data), line)
    report = replay(folder)
    assert changed(report)[0] == ("rollouts.jsonl", line, step)
    assert report.findings[1].field == "sha256"
    assert "rollouts.jsonl" in str(report.findings[0])


def lines_step(data: bytes, line: int) -> int:
    record = json.loads(data.split(b"\n")[line - 1])
    return int(record["index"]) if record["type"] == "step" else -1


def test_every_byte_that_is_no_json_any_more_is_named(copied: RunFactory) -> None:
    folder = copied("direct")
    path = folder / "rollouts.jsonl"
    data = path.read_bytes()
    path.write_bytes(data.replace(b'{"agent"', b'x"agent"', 1))
    report = replay(folder)
    assert changed(report)[0] == ("rollouts.jsonl", 1, -1)
    assert "not JSON" in report.findings[0].got


@pytest.mark.parametrize("name", ["rollouts.parquet", "run.json"])
def test_a_changed_byte_in_another_file_is_named(name: str, copied: RunFactory) -> None:
    folder = copied("direct")
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)
    report = replay(folder)
    assert not report.agrees
    assert report.findings[0].file == name


def test_a_missing_file_is_named(copied: RunFactory) -> None:
    folder = copied("direct")
    (folder / "rollouts.parquet").unlink()
    assert [str(finding) for finding in replay(folder).findings] == ["rollouts.parquet: expected a file, got nothing"]


def test_a_changed_corpus_file_is_named(recorded: RunFactory, tmp_path: Path) -> None:
    corpus = resolve_corpus("toy")
    copy = tmp_path / "toy"
    shutil.copytree(corpus.path, copy)
    assert replay(recorded("direct"), corpus=str(copy)).agrees
    damaged = next(path for path in sorted(copy.rglob("*.npy")) if path.stat().st_size > 200)
    data = bytearray(damaged.read_bytes())
    data[-1] ^= 1
    damaged.write_bytes(data)
    report = replay(recorded("direct"), corpus=str(copy))
    assert report.n_episodes == 0
    assert damaged.name in str(report.findings[0])


def forged_header(folder: Path, **changes: Any) -> Path:
    lines = lines_of(folder)
    for line in lines:
        if line["type"] == "episode":
            line.update(changes)
    rewrite(folder, lines)
    return folder


@pytest.mark.parametrize("env_id", ["os:Evil-v0", "scholar_env:ScholarGym-All-v0", "CartPole-v1"])
def test_only_ids_of_this_package_are_made(env_id: str, copied: RunFactory) -> None:
    with pytest.raises(UntrustedReferenceError, match="may name only ids, arguments and code of this package"):
        replay(forged_header(copied("direct"), env_id=env_id))


def test_only_arguments_of_the_card_are_passed(copied: RunFactory) -> None:
    with pytest.raises(UntrustedReferenceError, match="has no argument 'entry_point'"):
        replay(forged_header(copied("direct"), kwargs={"entry_point": "os:system"}))


@pytest.mark.parametrize(
    "kwargs", [{"assessor": "os:getcwd"}, {"retriever": "os:getcwd"}, {"reward": {"os:getcwd": 1.0}}]
)
def test_code_is_followed_only_when_allowed(kwargs: dict[str, Any], copied: RunFactory) -> None:
    with pytest.raises(UntrustedReferenceError, match=r"'os:getcwd'.*--allow-code"):
        replay(forged_header(copied("direct"), kwargs=kwargs))


def test_a_corpus_is_taken_by_fingerprint_only(copied: RunFactory) -> None:
    header = lines_of(folder := copied("direct"))[0]
    other = {**header["corpus"], "fingerprint": "0" * 64}
    with pytest.raises(CorpusNotFoundError, match=r"another one|no corpus"):
        replay(forged_header(folder, corpus=other))


def test_digests_of_another_version_are_refused(copied: RunFactory) -> None:
    with pytest.raises(RolloutFormatError, match="digest version 2"):
        replay(forged_header(copied("direct"), digest_version=2))


def test_a_recorded_assessor_is_not_called_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_assessor.py").write_text(
        "from scholar_env.episode.scholargym.assess import Assessment\n"
        "def keep_first(question, subquery, checklist, page):\n"
        "    return Assessment(tuple(entry.id for entry in page[:1]), {}, 'the first')\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "run"
    run(
        "ScholarGym-All-v0",
        "feedback",
        out=folder,
        corpus="toy",
        tasks=2,
        kwargs={"assessor": "own_assessor:keep_first"},
    )
    assert any(line.get("assessments") for line in lines_of(folder))
    (tmp_path / "own_assessor.py").write_text("raise RuntimeError('called')\n", encoding="utf-8")
    report = replay(folder, allow_code=True)
    assert report.findings == ()
    assert report.n_episodes == 2


def test_an_open_run_replays_as_far_as_it_goes(copied: RunFactory) -> None:
    folder = copied("direct")
    data = (folder / "rollouts.jsonl").read_bytes()
    (folder / "rollouts.jsonl").unlink()
    (folder / "rollouts-0.jsonl").write_bytes(data[:-100])
    write_manifest(folder, {**read_manifest(folder), "status": "running", "files": {}})
    report = replay(folder)
    assert report.agrees
    assert report.n_episodes == 2
    assert len(report.remarks) == 1


def test_one_file_can_be_replayed(recorded: RunFactory, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    shutil.copy(recorded("direct") / "rollouts.jsonl", path)
    assert replay(path).n_episodes == 3
