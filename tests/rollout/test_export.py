"""Exports: what a model saw and wrote, and nothing that it must not learn from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from scholar_env.corpus import resolve_corpus
from scholar_env.environment.registry import CARDS
from scholar_env.episode.calls import parse_calls
from scholar_env.errors import InvalidOptionError, RolloutFormatError
from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.rollout.export import FORMATS, export
from scholar_env.rollout.reader import read_episodes
from scholar_env.rollout.runner import run
from tests.families import suite_of

RunFactory = Callable[..., Path]


def exported(folder: Path, tmp_path: Path, form: str, **kwargs: Any) -> list[dict[str, Any]]:
    out = tmp_path / f"out.{form}"
    count = export(folder, out, form, **kwargs)
    objects = [json.loads(line) for line in out.read_text("utf-8").split("\n") if line]
    assert len(objects) == count
    return objects


@pytest.mark.parametrize("agent", ["random", "feedback", "oracle"])
def test_chat_spans_are_the_calls_of_the_agent(agent: str, recorded: RunFactory, tmp_path: Path) -> None:
    folder = recorded(agent)
    for found, chat in zip(read_episodes(folder), exported(folder, tmp_path, "chat"), strict=True):
        spans = chat["spans"]
        spoken = [chat["text"][span["start"] : span["end"]] for span in spans]
        assert [chat["messages"][span["message"]]["content"] for span in spans] == spoken
        assert [message["content"] for message in chat["messages"] if message["role"] == "assistant"] == spoken
        calls = [call.to_json() for text in spoken for call in parse_calls(text)]
        assert calls == [step.call for step in found.steps]
        assert chat["messages"][0]["role"] == "system"
        roles = [message["role"] for message in chat["messages"][1:]]
        assert roles == ["user", "assistant"] * len(spans)
        assert chat["text"] == "".join(f"<|{m['role']}|>\n{m['content']}\n" for m in chat["messages"])


def test_tool_messages_answer_each_call(recorded: RunFactory, tmp_path: Path) -> None:
    folder = recorded("feedback")
    for found, chat in zip(read_episodes(folder), exported(folder, tmp_path, "tools"), strict=True):
        sent = [call for message in chat["messages"] for call in message.get("tool_calls", [])]
        answers = [message["tool_call_id"] for message in chat["messages"] if message["role"] == "tool"]
        assert [call["id"] for call in sent] == answers
        assert len(set(answers)) == len(answers) == len(found.steps)
        assert [json.loads(call["function"]["arguments"]) for call in sent] == [
            s.call["arguments"] for s in found.steps
        ]
        assert {tool["function"]["name"] for tool in chat["tools"]} >= {call["function"]["name"] for call in sent}


def test_unreadable_calls_have_no_span(tmp_path: Path) -> None:
    calls = ["hello", {"name": "answer", "arguments": {}}]
    run("ScholarGym-All-v0", "scripted", out=tmp_path / "run", corpus="toy", tasks=1, agent_options={"calls": calls})
    (chat,) = exported(tmp_path / "run", tmp_path, "chat")
    assert [message["role"] for message in chat["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert [span["message"] for span in chat["spans"]] == [4]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    else:
        yield str(value)


@pytest.mark.parametrize("form", ["chat", "tools"])
@pytest.mark.parametrize("kwargs", [{}, {"assessor": "oracle"}, {"reward_timing": "terminal", "debug": True}])
def test_chat_exports_leak_nothing(form: str, kwargs: dict[str, Any], recorded: RunFactory, tmp_path: Path) -> None:
    folder = recorded("random", tasks=6, **kwargs)
    tasks = resolve_corpus("toy").tasks()
    forbidden = [*CARDS, "reward", "metric", "gold", "evaluation", "digest", "assisted", "toy@"]
    forbidden += [name for name in SCHOLARGYM_METRICS if "_" in name or name == "f1"]
    for found, chat in zip(read_episodes(folder), exported(folder, tmp_path, form), strict=True):
        assert set(chat) == ({"messages", "text", "spans"} if form == "chat" else {"messages", "tools"})
        seen = list(strings(chat))
        for word in [*forbidden, found.header.task_id, found.header.env_id, found.header.corpus["fingerprint"]]:
            pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
            assert not any(pattern.search(text) for text in seen), word
        hidden = set(tasks.get(found.header.task_id).gold) - {
            paper for step in found.steps for page in step.retrieval for paper in page["ids"]
        }
        assert not any(paper in text for paper in hidden for text in seen)


@pytest.mark.parametrize("form", ["chat", "tools"])
@pytest.mark.parametrize("env_id", ["AISEBench-Test-v0", "CompLit-Cumulative-v0", "CompLit-Unmet-v0", "SciNet-Path-v0"])
def test_chat_exports_of_other_families_leak_nothing(
    form: str, env_id: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    suite = suite_of(env_id)
    if suite.small_worlds:
        request.getfixturevalue("small_home")
    run(env_id, "random", out=tmp_path / "run", corpus=suite.corpus, tasks=3, kwargs=suite.on_world(env_id))
    forbidden = [env_id, "near_miss", "reward_terms", "gold_ranks"]  # plain words stand in texts of papers, too
    forbidden += [name for name in CARDS[env_id].metrics if "_" in name]
    for found, chat in zip(read_episodes(tmp_path / "run"), exported(tmp_path / "run", tmp_path, form), strict=True):
        seen = list(strings(chat))
        assert any(len(text) > 50 for text in seen)
        for word in [*forbidden, found.header.task_id, found.header.corpus["fingerprint"]]:
            pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
            assert not any(pattern.search(text) for text in seen), word


def test_long_observations_are_cut_to_the_limit(recorded: RunFactory, tmp_path: Path) -> None:
    for chat in exported(recorded("feedback"), tmp_path, "chat", max_chars=700):
        assert max(len(m["content"]) for m in chat["messages"] if m["role"] == "user") <= 700


def test_an_export_of_an_episode_that_does_not_replay_is_refused(copied: RunFactory, tmp_path: Path) -> None:
    folder = copied("direct")
    path = folder / "rollouts.jsonl"
    from scholar_env.rollout.canonical import checked_line

    lines = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    for line in lines:
        line.pop("check")
        if line["type"] == "step":
            line["digest"] = "0" * 64
    path.write_text("".join(checked_line(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(RolloutFormatError, match="has other calls or observations than were recorded"):
        export(folder, tmp_path / "out", "chat")
    assert not (tmp_path / "out").exists()


def test_episode_lines_and_table_hold_every_step(recorded: RunFactory, tmp_path: Path) -> None:
    folder = recorded("random")
    objects = exported(folder, tmp_path, "jsonl")
    assert export(folder, tmp_path / "out.parquet", "parquet") == 3
    table = pq.read_table(tmp_path / "out.parquet").to_pylist()
    steps = [(item["header"]["task_id"], step) for item in objects for step in item["steps"]]
    assert len(table) == len(steps)
    for row, (task_id, step) in zip(table, steps, strict=True):
        assert (row["task_id"], row["step"], row["call"]) == (task_id, step["index"], step["call"]["name"])
        assert json.loads(row["arguments"]) == step["call"]["arguments"]
        assert row["reward"] == step["reward"]
        assert row["retrieval"] == step["retrieval"]
        assert dict(row["metrics"])["ret_recall"] == step["evaluation"]["metrics"]["ret_recall"]
    assert (folder / "rollouts.parquet").read_bytes() == (tmp_path / "out.parquet").read_bytes()


def test_an_unknown_form_is_told(recorded: RunFactory, tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match=", ".join(FORMATS)):
        export(recorded("direct"), tmp_path / "out", "minari")
