"""Run folders and rollout files that were damaged, swapped, doubled or forged: named or refused, never passed over."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scholar_env import storage
from scholar_env.errors import RolloutFormatError, ScholarEnvError
from scholar_env.rollout.canonical import canonical_json, checked_line, read_checked_line, sha256_text
from scholar_env.rollout.export import export
from scholar_env.rollout.folder import MANIFEST, ROLLOUTS, TABLE, read_manifest, worker_file, write_manifest
from scholar_env.rollout.reader import read_episodes, read_run
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run
from scholar_env.study.report import build_report

RunFactory = Callable[..., Path]
CALLS = [{"name": "derive", "arguments": {"source": 0, "text": "graphs", "k": 2}}]


@pytest.fixture(scope="module")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "run"
    run(
        "ScholarGym-TestFast-v0", "scripted", out=folder, corpus="toy", tasks=1, agent_options={"calls": CALLS},
        kwargs={"max_iterations": 2},
    )  # fmt: skip
    return folder / ROLLOUTS


@pytest.mark.parametrize("change", ["bit", "case", "missing", "twice"])
def test_no_changed_byte_of_a_file_passes_unnoticed(change: str, small_file: Path, tmp_path: Path) -> None:
    data = small_file.read_bytes()
    path = tmp_path / "changed.jsonl"
    for place in range(0, len(data), 23):
        changed = bytearray(data)
        if change == "missing":
            del changed[place]
        elif change == "twice":
            changed.insert(place, data[place])
        else:
            changed[place] ^= 1 if change == "bit" else 0x20
        path.write_bytes(changed)
        if bytes(changed) == data:
            continue
        try:
            assert not replay(path).agrees, (place, data[max(0, place - 20) : place + 20])
        except ScholarEnvError:
            continue


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / ROLLOUTS).read_text("utf-8").split("\n") if line]


def seal(folder: Path, data: bytes) -> None:
    """Puts other rollouts into a run folder as a forger would, with a right manifest."""
    (folder / ROLLOUTS).write_bytes(data)
    manifest = read_manifest(folder)
    manifest["files"][ROLLOUTS] = {"sha256": storage.sha256_file(folder / ROLLOUTS), "size": len(data)}
    write_manifest(folder, manifest)


def lines_text(lines: list[dict[str, Any]]) -> bytes:
    bare = [{key: value for key, value in line.items() if key != "check"} for line in lines]
    return "".join(checked_line(line) + "\n" for line in bare).encode()


def test_steps_without_their_header_are_named(recorded: RunFactory, tmp_path: Path) -> None:
    lines = (recorded("direct") / ROLLOUTS).read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[1:]))
    report = replay(tmp_path / "cut.jsonl")
    assert [(finding.line, finding.got) for finding in report.findings] == [(1, "a line without its episode")]
    assert report.n_episodes == 2


def test_doubled_episodes_reach_the_report_which_refuses_them(copied: RunFactory) -> None:
    folder = copied("direct")
    lines = (folder / ROLLOUTS).read_bytes().splitlines(keepends=True)
    seal(folder, b"".join([*lines, *lines[:5]]))
    assert len(list(read_episodes(folder))) == 4
    with pytest.raises(ScholarEnvError, match="1 tasks doubled"):
        build_report([read_run(folder)])
    assert "1 tasks doubled" in build_report([read_run(folder)], partial=True).remarks[0]
    with pytest.raises(ScholarEnvError, match="1 tasks doubled"):
        build_report([read_run(folder / ROLLOUTS)])


def test_a_damaged_episode_of_a_file_is_missing_in_the_report(recorded: RunFactory, tmp_path: Path) -> None:
    data = (recorded("direct") / ROLLOUTS).read_bytes()
    path = tmp_path / "one.jsonl"
    path.write_bytes(data.replace(b'"reward":', b'"reward":1', 1))
    with pytest.raises(ScholarEnvError, match="1 tasks missing: toy-q"):
        build_report([read_run(path)])
    with pytest.raises(RolloutFormatError, match=r"one\.jsonl, task toy-q\w+: line 2: its content does not match"):
        export(path, tmp_path / "out.jsonl", "jsonl")
    assert [item.name for item in tmp_path.iterdir()] == ["one.jsonl"]


def test_rollouts_of_another_run_are_refused(copied: RunFactory, recorded: RunFactory) -> None:
    folder = copied("direct")
    seal(folder, (recorded("feedback") / ROLLOUTS).read_bytes())
    (finding,) = replay(folder).findings
    assert finding.expected == "an episode of the run in run.json"
    assert finding.got == 'agent: the run has "direct", the episode "feedback"'
    with pytest.raises(RolloutFormatError, match=r"line 1: an episode of another run \(agent: "):
        read_run(folder)


def test_a_strange_worker_file_is_not_merged(copied: RunFactory, tmp_path: Path) -> None:
    folder = copied("direct")
    run("ScholarGym-TestFast-v0", "direct", out=tmp_path / "other", corpus="toy", tasks=3, seed=8)
    shutil.copy(tmp_path / "other" / ROLLOUTS, worker_file(folder, 0))
    (folder / ROLLOUTS).unlink()
    with pytest.raises(RolloutFormatError, match=r"rollouts-0\.jsonl, line 1: an episode of another run \(seed: "):
        run("ScholarGym-TestFast-v0", "direct", out=folder, corpus="toy", tasks=3, seed=7, resume=True)
    assert worker_file(folder, 0).exists()


@pytest.mark.parametrize("value", [True, False])
def test_who_knew_the_gold_is_checked(value: bool, copied: RunFactory) -> None:
    folder = copied("direct" if value else "oracle")
    lines = records(folder)
    lines[0]["assisted"] = value
    seal(folder, lines_text(lines))
    (finding,) = replay(folder).findings
    assert (finding.line, finding.field) == (1, "assisted")


def forged_text(manifest: dict[str, Any], text: str = "") -> str:
    body = {key: value for key, value in manifest.items() if key != "check"}
    return text or storage.json_bytes({**body, "check": sha256_text(canonical_json(body))}).decode()


BROKEN: dict[str, Callable[[dict[str, Any]], str]] = {
    "not JSON": lambda manifest: '{"format": 1, "seed": NaN}',
    "not JSON .*recursion": lambda manifest: "[" * 100_000,
    "not JSON .*surrogates": lambda manifest: '{"format": 1, "seed": "\\ud800"}',
    "tasks is null instead of a list": lambda manifest: forged_text({**manifest, "tasks": None}),
    "tasks holds something else": lambda manifest: forged_text({**manifest, "tasks": [1]}),
    "seed is true instead of a int": lambda manifest: forged_text({**manifest, "seed": True}),
    "files is .* instead of a dict": lambda manifest: forged_text({**manifest, "files": []}),
    "files holds no sha256 for 'x'": lambda manifest: forged_text({**manifest, "files": {"x": {}}}),
    'status is "done"': lambda manifest: forged_text({**manifest, "status": "done"}),
}


@pytest.mark.parametrize("what", sorted(BROKEN))
def test_a_manifest_that_says_nothing_sound_is_refused(what: str, copied: RunFactory) -> None:
    folder = copied("direct")
    (folder / MANIFEST).write_text(BROKEN[what](read_manifest(folder)), encoding="utf-8")
    with pytest.raises(RolloutFormatError, match=what):
        read_manifest(folder)
    assert replay(folder).findings[0].file == MANIFEST


@pytest.mark.parametrize("line", ['{"a":NaN}', '{"a":1e999}', "[" * 100_000, '{"a":' + "9" * 5000 + "}"])
def test_a_line_that_is_no_json_is_named(line: str) -> None:
    record, problem = read_checked_line(line)
    assert record is None
    assert problem.startswith("not JSON (")


def test_resume_mends_a_closed_run_that_was_damaged(copied: RunFactory) -> None:
    folder = copied("direct")
    whole = (folder / ROLLOUTS).read_bytes()
    again = partial(run, "ScholarGym-TestFast-v0", "direct", out=folder, corpus="toy", tasks=3, seed=7, resume=True)
    (folder / ROLLOUTS).write_bytes(whole.replace(b'"reward":', b'"reward":1', 1))
    assert again().n_played == 1
    assert (folder / ROLLOUTS).read_bytes() == whole
    (folder / TABLE).unlink()
    assert again().n_played == 0
    (folder / ROLLOUTS).unlink()
    assert not replay(folder).agrees
    assert again().n_played == 3
    assert (folder / ROLLOUTS).read_bytes() == whole
    assert replay(folder).agrees


def test_an_open_run_passes_over_what_its_own_work_leaves_behind(copied: RunFactory) -> None:
    folder = copied("direct")
    lines = records(folder)
    failed = [json.loads(json.dumps(line)) for line in lines[:5]]
    failed[4]["failure_kind"] = "infrastructure"
    worker_file(folder, 0).write_bytes(lines_text(failed))
    worker_file(folder, 1).write_bytes((folder / ROLLOUTS).read_bytes())
    write_manifest(folder, {**read_manifest(folder), "status": "running", "files": {}})
    assert [found.end.failure_kind for found in read_episodes(folder)] == ["none"] * 3


def test_returns_are_added_up_exactly(tmp_path: Path) -> None:
    options = {"calls": [{"name": "no_tool", "arguments": {}}] * 10}
    run(
        "ScholarGym-TestFast-v0", "scripted", out=tmp_path / "run", corpus="toy", tasks=1, agent_options=options,
        kwargs={"invalid_cost": 0.1},
    )  # fmt: skip
    end = records(tmp_path / "run")[-1]
    assert end["total_reward"] == -1.0  # the plain sum is -0.9999999999999999


def test_a_table_of_senseless_values_is_refused_and_leaves_nothing(copied: RunFactory, tmp_path: Path) -> None:
    folder = copied("direct")
    lines = records(folder)
    next(line for line in lines if line["type"] == "step")["retrieval"] = [{"subquery": 1}]
    seal(folder, lines_text(lines))
    with pytest.raises(RolloutFormatError, match="a step has values that fit into no table"):
        export(folder, tmp_path / "out.parquet", "parquet")
    assert [item.name for item in tmp_path.iterdir()] == ["copy"]


SENSELESS: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "seed": lambda lines: lines[0].update(seed=-1),
    "messages": lambda lines: lines[1].update(message=5),
    "assessor": lambda lines: lines[0]["kwargs"].update(assessor={"repr": 1}),
    "arguments": lambda lines: lines[1]["call"].pop("arguments"),
}


@pytest.mark.parametrize("what", sorted(SENSELESS))
def test_senseless_values_are_found(what: str, small_file: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in small_file.read_text("utf-8").split("\n") if line]
    SENSELESS[what](lines)
    path = tmp_path / "one.jsonl"
    path.write_bytes(lines_text(lines))
    with suppress(ScholarEnvError):
        assert not replay(path).agrees
    with pytest.raises(ScholarEnvError):
        export(path, tmp_path / "chat.jsonl", "chat")
    assert not (tmp_path / "chat.jsonl").exists()


def test_an_evaluation_without_its_measures_is_refused(small_file: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in small_file.read_text("utf-8").split("\n") if line]
    del lines[-1]["evaluation"]["rows"][0]["recall"]
    path = tmp_path / "one.jsonl"
    path.write_bytes(lines_text(lines))
    with pytest.raises(RolloutFormatError, match=r"line 1: an episode without its evaluation \(KeyError\('recall'\)\)"):
        read_run(path)
