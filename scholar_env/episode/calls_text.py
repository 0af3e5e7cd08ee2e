"""Tool calls written into plain text: fenced JSON, ``<tool_call>`` and the ``<search>…</search>`` tag form."""

from __future__ import annotations

import json
import re
from typing import Any

from scholar_env.episode.calls import MAX_CALLS_IN_MESSAGE, MAX_CHARACTERS, Malformed, ToolCall, parse_calls
from scholar_env.episode.plain_json import NotJsonError, clip, loads

OPENINGS = re.compile(r"<tool_call>|<search>|<answer>|```(?:[a-z_]+\b)?")
CLOSINGS = {"<tool_call>": "</tool_call>", "<search>": "</search>", "<answer>": "</answer>"}
FENCE = "```"
ID_LINE = re.compile(r"^(?:[-*•]\s+|\d+[.)]\s+)?(.*)$")


def read_text(text: str) -> list[ToolCall | Malformed]:
    """Finds the calls of a text, in the order in which they stand; the time is linear in its length.

    A fenced block or ``<tool_call>`` holds a call or a list of calls in JSON; ``<search>words</search>`` is
    ``search(text)``; ``<answer>ids</answer>`` is ``answer(papers)`` with a JSON list or ids set apart by commas or
    lines, a JSON object in it is the arguments themselves, and an empty one is ``answer()``. A text without any of
    these is read as JSON, whole or from its first brace on. Reasoning is passed over: everything up to the last
    ``</think>`` (a chat template may have opened it), and from a ``<think>`` on that is never closed.

    Returns:
        The calls; one :class:`Malformed` when there is none.
    """
    if len(text) > MAX_CHARACTERS:
        return [Malformed(f"a text of {len(text)} characters, more than {MAX_CHARACTERS}")]
    said = _without_reasoning(text)
    calls = _marked(said)
    if calls:
        return calls[:MAX_CALLS_IN_MESSAGE]
    return _bare(said)


def _without_reasoning(text: str) -> str:
    return text.rpartition("</think>")[2].partition("<think>")[0]


def _marked(text: str) -> list[ToolCall | Malformed]:
    calls: list[ToolCall | Malformed] = []
    unclosed: set[str] = set()
    position = 0
    while (opening := OPENINGS.search(text, position)) is not None:
        kind = FENCE if opening.group().startswith(FENCE) else opening.group()
        start = position = opening.end()
        if kind in unclosed:
            continue
        closing = CLOSINGS.get(kind, FENCE)
        end = text.find(closing, start)
        if end < 0:
            unclosed.add(kind)  # no later opening of this kind can be closed either
            if kind == FENCE:
                calls.extend(_block(kind, text[start:]))  # an answer cut off before its last fence
            continue
        position = end + len(closing)
        calls.extend(_block(kind, text[start:end]))
    return calls


def _block(kind: str, body: str) -> list[ToolCall | Malformed]:
    body = body.strip()
    if kind == "<search>":
        return [ToolCall("search", {"text": body})]
    if kind == "<answer>":
        return [ToolCall("answer", answer_arguments(body))]
    if kind == FENCE and not body.startswith(("{", "[")):
        return []  # code or prose in a fence is not an attempt at a call
    try:
        return parse_calls(loads(body))
    except NotJsonError as problem:
        return [Malformed(clip(f"{problem}: {clip(body)}", 300))]


def answer_arguments(body: str) -> dict[str, Any]:
    """Reads the arguments of a text answer: a JSON object as it is, else the ids of papers, nothing for no text."""
    if body.startswith("{"):
        try:
            arguments = loads(body)
        except NotJsonError:
            arguments = None
        if isinstance(arguments, dict):
            return arguments
    return {"papers": answer_ids(body)} if body else {}


def answer_ids(body: str) -> list[str]:
    """Reads the ids of a text answer: a JSON list of strings, or ids set apart by commas or lines, bullets allowed."""
    if body.startswith("["):
        try:
            listed = loads(body)
        except NotJsonError:
            listed = None
        if isinstance(listed, list) and all(isinstance(item, str) for item in listed):
            return listed
    lines = (ID_LINE.match(line.strip()) for line in re.split(r"[,\n]", body))
    return [found for line in lines if line is not None and (found := line.group(1).strip())]


def _bare(text: str) -> list[ToolCall | Malformed]:
    stripped = text.strip()
    if stripped.startswith(("{", "[")):
        try:
            return parse_calls(loads(stripped))
        except NotJsonError as problem:
            whole = Malformed(clip(f"{problem}: {clip(stripped)}", 300))
    else:
        whole = Malformed(clip(f"no tool call in the text: {clip(stripped)}" if stripped else "an empty text", 300))
    brace = stripped.find("{")
    if brace < 0:
        return [whole]
    try:
        value, _ = json.JSONDecoder().raw_decode(stripped, brace)
    except (ValueError, RecursionError):
        return [whole]
    calls = parse_calls(value)
    return calls if isinstance(calls[0], ToolCall) else [whole]
