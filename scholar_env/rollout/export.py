"""Exports for training and analysis: chat messages with loss spans, tool messages, episode lines, a table.

A rollout keeps digests of observations, not their texts. The chat forms therefore run each episode again, check every
digest on the way, and write what the agent saw. They hold no reward, metric, gold, task id or environment id.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scholar_env import storage
from scholar_env.environment.text_view import render_text
from scholar_env.episode.calls import MALFORMED, parse_call
from scholar_env.episode.tool import openai_tools
from scholar_env.errors import InvalidOptionError, RolloutFormatError
from scholar_env.rollout.canonical import canonical_json
from scholar_env.rollout.episodes import FoundEpisode
from scholar_env.rollout.reader import read_episodes
from scholar_env.rollout.record import INFRASTRUCTURE, StepRecord, to_json
from scholar_env.rollout.stage import Stage, start_again
from scholar_env.rollout.table import write_table

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv

FORMATS = ("jsonl", "parquet", "chat", "tools")
"""``jsonl``: one whole episode a line. ``parquet``: one row a step. ``chat``: texts with loss spans. ``tools``: tool
messages as chat-completion services take them."""

MAX_CHARS = 24_000
"""Characters of one observation in the chat forms, unless told otherwise."""

_CALLS = (
    'Reply with a tool call as a JSON object {"name": ..., "arguments": {...}}, or with a JSON list of several calls '
    "that run in order. The tools:"
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of the agent: its calls in order, and the observation after each."""

    steps: tuple[StepRecord, ...]
    observations: tuple[dict[str, Any], ...]


def export(
    path: str | Path,
    out: str | Path,
    form: str,
    *,
    corpus: str | None = None,
    task_set: str | None = None,
    allow_code: bool = False,
    max_chars: int = MAX_CHARS,
) -> int:
    """Writes the episodes of a run in another form.

    Args:
        path: A run folder or rollout file.
        out: The file to write.
        form: One of :data:`FORMATS`.
        corpus: As for :func:`scholar_env.rollout.replay.replay`; chat forms only.
        task_set: See ``corpus``.
        allow_code: As there.
        max_chars: Characters of one observation; chat forms only.

    Returns:
        Number of episodes written. Chat forms leave out those that an infrastructure failure ended.

    Raises:
        InvalidOptionError: Unknown form.
        RolloutFormatError: There is no rollout, or an episode does not replay to what was recorded.
    """
    found = read_episodes(path)
    if form == "parquet":
        return _write_rows(out, found)
    if form == "jsonl":
        return _write_lines(out, (_episode_object(item) for item in found))
    if form not in FORMATS:
        raise InvalidOptionError(f"form {form!r}", f"the forms are {', '.join(FORMATS)}", "take one of them")
    stage = Stage(corpus, task_set, allow_code=allow_code)
    make = chat_object if form == "chat" else tools_object
    usable = (item for item in found if item.end.failure_kind != INFRASTRUCTURE)
    return _write_lines(out, (_run_again(item, stage, make, max_chars) for item in usable))


def _write_rows(out: str | Path, found: Iterable[FoundEpisode]) -> int:
    try:
        return int(write_table(out, (item.episode for item in found))["episodes"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise RolloutFormatError(
            f"a step has values that fit into no table ({error!r})",
            "terms, metrics and retrieval are as a run records them",
            "find the step with scholar-env replay",
        ) from error


def _write_lines(out: str | Path, objects: Iterable[dict[str, Any]]) -> int:
    written = 0
    with storage.replacing(out) as file:
        for item in objects:
            line = json.dumps(item, ensure_ascii=False, allow_nan=False) + "\n"
            file.write(line.encode("utf-8", "surrogatepass"))
            written += 1
    return written


def _episode_object(found: FoundEpisode) -> dict[str, Any]:
    return {
        "header": to_json(found.header),
        "steps": [to_json(step) for step in found.steps],
        "end": to_json(found.end),
    }


Make = Callable[["ScholarEnv", dict[str, Any], tuple[Turn, ...], int], dict[str, Any]]


def _run_again(found: FoundEpisode, stage: Stage, make: Make, max_chars: int) -> dict[str, Any]:
    env = stage.env_for(found)
    if isinstance(env, list):
        raise RolloutFormatError(str(env[0]), "an export runs the episodes again", "mend the corpus first")
    player = start_again(env, found)
    first = player.observation
    digests, calls, turns = [player.digest], [], []
    for _, group in groupby(found.steps, key=lambda step: step.message):
        steps, observations = tuple(group), []
        for step in steps:
            again = player.step(parse_call(step.call), step.message)
            digests.append(again.digest)
            calls.append(again.call)
            observations.append(player.observation)
        turns.append(Turn(steps, tuple(observations)))
    recorded = [found.header.digest, *(step.digest for step in found.steps)]
    if digests != recorded or calls != [step.call for step in found.steps]:
        raise RolloutFormatError(
            f"{found.path.name}, line {found.line}: the episode has other calls or observations than were recorded",
            "an export writes what the agent saw",
            "find the difference with scholar-env replay",
        )
    return make(env, first, tuple(turns), max_chars)


def chat_object(
    env: ScholarEnv, first: dict[str, Any], turns: tuple[Turn, ...], max_chars: int = MAX_CHARS
) -> dict[str, Any]:
    """Returns an episode as chat messages, and as one text with the spans that a loss may count.

    ``text`` joins the messages as ``<|role|>`` line, content, newline. Each span gives the number of an assistant
    message and the characters [start, end) of its content in ``text``; what was no readable call has no span.

    Args:
        env: The environment, for its tools.
        first: The first observation.
        turns: The agent's messages.
        max_chars: Characters of one observation.
    """
    tools = canonical_json(openai_tools(env.tools.values()))
    messages = [
        {"role": "system", "content": f"{env.family.instructions}\n{_CALLS}\n{tools}"},
        {"role": "user", "content": render_text(first, max_chars=max_chars, family=env.card.family)},
    ]
    readable = set()
    for number, turn in enumerate(turns):
        if all(step.call["name"] != MALFORMED for step in turn.steps):
            readable.add(len(messages))
        messages.append({"role": "assistant", "content": _message_text(turn)})
        if number < len(turns) - 1:
            messages.append(
                {
                    "role": "user",
                    "content": render_text(turn.observations[-1], max_chars=max_chars, family=env.card.family),
                }
            )
    text, spans = "", []
    for number, message in enumerate(messages):
        text += f"<|{message['role']}|>\n"
        if number in readable:
            spans.append({"message": number, "start": len(text), "end": len(text) + len(message["content"])})
        text += message["content"] + "\n"
    return {"messages": messages, "text": text, "spans": spans}


def _message_text(turn: Turn) -> str:
    calls = [_call_text(step.call) for step in turn.steps]
    return calls[0] if len(calls) == 1 else f"[{', '.join(calls)}]"


def _call_text(call: dict[str, Any]) -> str:
    """The call as a model writes it, the name first."""
    if call["name"] == MALFORMED:
        return str(call["repr"])
    return f'{{"name": {json.dumps(call["name"])}, "arguments": {canonical_json(call["arguments"])}}}'


def tools_object(
    env: ScholarEnv, first: dict[str, Any], turns: tuple[Turn, ...], max_chars: int = MAX_CHARS
) -> dict[str, Any]:
    """Returns an episode as chat-completion messages with tool calls, and the tool list; arguments as for chat."""
    start = render_text(first, max_chars=max_chars, family=env.card.family, sections=env.family.opening)
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": env.family.instructions},
        {"role": "user", "content": start},
    ]
    numbers = count()
    for turn in turns:
        ids = [f"call_{next(numbers)}" for _ in turn.steps]
        calls = [_tool_call(call_id, step) for call_id, step in zip(ids, turn.steps, strict=True)]
        messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        for call_id, observation in zip(ids, turn.observations, strict=True):
            content = render_text(observation, max_chars=max_chars, family=env.card.family, sections=env.family.answers)
            messages.append({"role": "tool", "tool_call_id": call_id, "content": content})
    return {"messages": messages, "tools": openai_tools(env.tools.values())}


def _tool_call(call_id: str, step: StepRecord) -> dict[str, Any]:
    arguments = step.call.get("arguments", {"repr": step.call.get("repr", "")})
    function = {"name": step.call["name"], "arguments": canonical_json(arguments)}
    return {"id": call_id, "type": "function", "function": function}
