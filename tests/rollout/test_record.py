from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scholar_env.errors import RolloutFormatError
from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.metrics.scholargym_tracker import ITERATION_NAMES
from scholar_env.rollout.episodes import read_lines, whole_episodes
from scholar_env.rollout.reader import read_episodes, read_run
from scholar_env.rollout.record import EpisodeHeader, StepRecord, from_json, to_json, to_line

RunFactory = Callable[..., Path]

STEP = StepRecord(0, 0, {"name": "answer", "arguments": {}}, "ab", 0.5, {"f1": 0.5}, True, False, "")


def test_a_record_reads_back_equal() -> None:
    assert from_json(to_json(STEP), "here") == STEP


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "stop"}, "here: a line of type 'stop'"),
        ({"type": 7}, "here: a line of type 7"),
        ({"reward": "much"}, "here: reward is 'much'"),
        ({"terminated": 1}, "here: terminated is 1"),
        ({"index": True}, "here: index is True"),
        ({"extra": 1}, "here: keys ['extra'] of a 'step' line"),
    ],
)
def test_a_line_of_another_shape_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RolloutFormatError, match=re.escape(message)):
        from_json({**to_json(STEP), **change}, "here")


def test_a_line_of_another_format_version_is_refused(recorded: RunFactory) -> None:
    header = next(read_episodes(recorded())).header
    with pytest.raises(RolloutFormatError, match=r"format 2.*this version reads format 1"):
        from_json({**to_json(header), "format": 2}, "here")


def test_an_episode_holds_what_a_replay_and_a_study_need(recorded: RunFactory) -> None:
    found = next(read_episodes(recorded("feedback")))
    header, step, end = found.header, found.steps[0], found.end
    assert header.env_id == "ScholarGym-TestFast-v0"
    assert header.corpus["name"] == "toy"
    assert header.corpus["official"] is False
    assert set(header.index) == {"fingerprint", "engine"}
    assert header.agent_options["results"] == 150
    assert not header.assisted
    assert re.fullmatch("[0-9a-f]{64}", header.digest)
    assert step.call["name"] == "plan"
    assert [set(page) for page in step.retrieval] == [{"subquery", "ids", "total"}] * 3
    assert 0 < len(step.retrieval[0]["ids"]) <= 10
    assert all(page["total"] >= len(page["ids"]) for page in step.retrieval)
    assert len(step.evaluation["gold_ranks"]) == 3
    assert set(step.evaluation["metrics"]) == set(SCHOLARGYM_METRICS)
    assert end.steps == len(found.steps)
    assert end.stop_reason == "answered"
    assert set(end.evaluation["rows"][0]) == set(ITERATION_NAMES)


def test_runs_with_gold_are_marked(recorded: RunFactory) -> None:
    assert all(found.header.assisted for found in read_episodes(recorded("oracle")))
    assert all(found.header.assisted for found in read_episodes(recorded("direct", assessor="oracle")))
    assert not any(found.header.assisted for found in read_episodes(recorded("direct", assessor="lexical")))


def test_a_run_reads_as_summaries(recorded: RunFactory) -> None:
    run = read_run(recorded("direct"))
    assert len(run.expected) == 3
    assert [episode.task_id for episode in run.episodes] == list(run.expected)
    episode = run.episodes[0]
    assert episode.metrics["n_results_shown"] == 10.0
    assert episode.return_ == pytest.approx(episode.metrics["f1"], abs=1e-12)
    assert episode.n_gold > 0
    assert len(episode.rows) == 1
    assert len({item.config_hash for item in run.episodes}) == 1


def test_configurations_are_told_apart(recorded: RunFactory) -> None:
    hashes = {
        read_run(recorded("direct")).episodes[0].config_hash,
        read_run(recorded("direct", assessor="lexical")).episodes[0].config_hash,
        read_run(recorded("feedback")).episodes[0].config_hash,
    }
    assert len(hashes) == 3


def test_players_are_told_apart_by_agent_and_rules_and_not_by_tasks(recorded: RunFactory) -> None:
    def player(*arguments: str, **options: object) -> str:
        return read_run(recorded(*arguments, **options)).episodes[0].player_hash

    same = {player("direct"), player("direct", env_id="ScholarGym-All-v0"), player("direct", step_cost=0.5)}
    others = {player("direct", assessor="lexical"), player("feedback"), player("direct", page_size=5)}
    assert len(same) == 1
    assert len(same | others) == 4


def test_a_torn_episode_is_left_out_wherever_it_is_torn(recorded: RunFactory, tmp_path: Path) -> None:
    data = (recorded() / "rollouts.jsonl").read_bytes()
    ends = [found.stop for found in whole_episodes(recorded() / "rollouts.jsonl")]
    assert len(ends) == 3
    torn = tmp_path / "torn.jsonl"
    for cut in range(0, len(data) + 1, 1_013):
        torn.write_bytes(data[:cut])
        assert len(list(whole_episodes(torn))) == sum(end <= cut for end in ends)


def test_an_episode_behind_a_torn_one_is_found(recorded: RunFactory, tmp_path: Path) -> None:
    lines = (recorded() / "rollouts.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    headers = [number for number, line in enumerate(lines) if '"type":"episode"' in line]
    torn = tmp_path / "torn.jsonl"
    torn.write_text("".join(lines[: headers[1] - 2] + lines[headers[1] :]), encoding="utf-8")
    expected = [found.header.task_id for found in read_episodes(recorded())][1:]
    assert [found.header.task_id for found in whole_episodes(torn)] == expected


def test_lines_tell_their_place(recorded: RunFactory) -> None:
    path = recorded() / "rollouts.jsonl"
    data = path.read_bytes()
    lines = list(read_lines(path))
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert b"".join(data[line.start : line.stop] for line in lines) == data
    assert isinstance(lines[0].record, EpisodeHeader)
    assert not any(line.problem for line in lines)


def test_reading_a_folder_without_rollout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RolloutFormatError, match="holds no rollout"):
        list(read_episodes(tmp_path))


def test_a_hostile_call_is_recorded_as_a_line(recorded: RunFactory) -> None:
    step = StepRecord(0, 0, {"name": "__malformed__", "repr": "\\ud800 é"}, "ab", 0.0, {}, False, False, "malformed")
    assert json.loads(to_line(step))["call"]["repr"] == "\\ud800 é"
