"""Scripted: plays a fixed list of calls, whatever it sees."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scholar_env.agents.base import Call, Observation, call
from scholar_env.errors import InvalidOptionError

if TYPE_CHECKING:
    from scholar_env.episode.tool import Tool


class ScriptedAgent:
    """Plays the same calls in every episode, then answers.

    Calls are passed on as they are, malformed ones too, so that a script can show what the environment does with them.
    Behind its end the agent answers where an answer needs no arguments; elsewhere it goes through the turns of a
    conversation, if it is one, and abstains.

    Args:
        tools: Tools of the environment.
        calls: The calls; empty when ``path`` is given.
        path: JSON file with a list of calls, or JSON lines with one call each.

    Raises:
        InvalidOptionError: Neither or both were given, or the file holds no list of calls.
    """

    needs_gold = False

    def __init__(self, tools: Mapping[str, Tool], *, calls: Sequence[Any] = (), path: str = "") -> None:
        if bool(calls) == bool(path):
            raise InvalidOptionError(
                f"calls={list(calls)!r} and path={path!r}",
                "a script is one of the two",
                "give calls, or the path of a file",
            )
        self._calls = list(calls) if calls else read_calls(path)
        self.options: dict[str, Any] = {"calls": self._calls}
        self._closing = _closing(tools)
        self._next = 0

    def reset(self, seed: int) -> None:
        """Starts the script anew; there is nothing to draw."""
        del seed
        self._next = 0

    def act(self, observation: Observation) -> Call:
        """Returns the next call of the script, or what ends the episode."""
        del observation
        place = self._next
        self._next += 1
        if place >= len(self._calls):
            return call(self._closing[(place - len(self._calls)) % len(self._closing)])
        following: Call = self._calls[place]
        return following


def _closing(tools: Mapping[str, Tool]) -> list[str]:
    """Names of the calls, in turn, that end an episode without any arguments."""
    answer = tools.get("answer")
    if answer is not None and not any(argument.required for argument in answer.arguments):
        return ["answer"]
    return [name for name in ("next_turn", "abstain") if name in tools] or ["answer"]


def read_calls(path: str | Path) -> list[Any]:
    """Reads a list of calls from a JSON file or from JSON lines.

    Raises:
        InvalidOptionError: The file is missing, is neither, or is empty.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _bad_script(f"{path} cannot be read ({error})") from error
    try:
        calls = (
            json.loads(text)
            if text.lstrip().startswith("[")
            else [json.loads(line) for line in text.splitlines() if line]
        )
    except (ValueError, RecursionError) as error:
        raise _bad_script(f"{path} is not JSON ({error})") from error
    if not calls:
        raise _bad_script(f"{path} holds no call")
    return list(calls)


def _bad_script(what: str) -> InvalidOptionError:
    return InvalidOptionError(
        what, "a script is a JSON list of calls or one call a line", 'write {"name": "answer", "arguments": {}} lines'
    )
