"""Workflow: a planner proposes the calls, the environment executes them, a synthesizer words what came.

Each role is a callable of your own, or a language model behind an OpenAI-compatible interface.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scholar_env.agents.aise_answers import LINKS
from scholar_env.agents.base import Call, Observation, call
from scholar_env.chat import ChatClient, ChatSettings

if TYPE_CHECKING:
    from scholar_env.episode.tool import Tool

ROLES = ("planner", "filler", "synthesizer")
_MOST = 40_000
_WORDS = {
    "planner": (
        "Plan API calls over an academic knowledge graph that answer the question. Reply with a JSON list of steps, "
        "each with name (an API, numbered (1), (2), … when it is called more than once), rely (names of the steps "
        "whose results it needs), order (from 1 on) and params (empty where a value comes from an earlier step). "
        "Keywords are in English. Reply with JSON only."
    ),
    "filler": (
        "A step of a plan needs its parameters. Take them from the results of the steps that it relies on. Reply with "
        "one JSON object of parameters and nothing else."
    ),
    "synthesizer": (
        "Answer the question from the results alone, in its language, in at most 300 words, with a marker [1], [2], … "
        "behind each entity in the order of first mention. Reply with one JSON object: answer, the text, and "
        "reference, marker to link. Links: " + ", ".join(f"{kind} {link}ID" for kind, link in LINKS.items()) + "."
    ),
}


class AiseWorkflowAgent:
    """Plans once, fills what the environment leaves open, and answers once.

    A role's callable takes the question and what the role needs as plain JSON (the APIs' schemas; a step and the
    results; the results) and returns JSON or its text. Roles without one are played by the model.

    Args:
        tools: Tools of the environment.
        planner: ``package.module:function`` of ``(question, apis)``.
        filler: Of ``(question, step, results)``; asked for steps that wait for their parameters.
        synthesizer: Of ``(question, results)``.
        base_url: Where the model's interface lies.
        model: Its name.
        temperature: Of the model.
    """

    needs_gold = False

    def __init__(
        self,
        tools: Mapping[str, Tool],
        *,
        planner: str = "",
        filler: str = "",
        synthesizer: str = "",
        base_url: str = "",
        model: str = "",
        temperature: float = 0.0,
    ) -> None:
        named = {"planner": planner, "filler": filler, "synthesizer": synthesizer}
        self.options: dict[str, Any] = {**named, "base_url": base_url, "model": model, "temperature": temperature}
        settings = ChatSettings(base_url, model, temperature=temperature, max_tokens=4096) if base_url else None
        self._client = ChatClient(settings) if settings else None
        self._roles: dict[str, Callable[..., Any]] = {role: self._role(role, name) for role, name in named.items()}
        self._apis = [
            {"name": name, "description": tool.description, "parameters": tool.json_schema()}
            for name, tool in tools.items()
            if name.startswith("search_")
        ]
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew; draws are the model's."""
        del seed
        self._plan: dict[str, dict[str, Any]] = {}
        self._results: dict[str, Any] = {}

    def act(self, observation: Observation) -> Call:
        """Plans, fills, or answers."""
        question = str(observation["question"])
        if not self._plan:
            steps = _parsed(self._roles["planner"](question, self._apis))
            self._plan = {str(step.get("name")): step for step in steps or [] if isinstance(step, dict)}
            return call("call_plan", steps=steps) if self._plan else call("abstain", reason="no plan")
        for shown in observation["api_results"]:
            self._results[shown["step"]] = shown["result"]
        waiting = [step["step"] for step in observation["steps"] if step["status"] == "pending"]
        if waiting:
            return call("call_plan", steps=[self._filled(question, name) for name in waiting])
        answer = _parsed(self._roles["synthesizer"](question, dict(self._results)))
        if not isinstance(answer, dict) or not isinstance(answer.get("reference"), dict):
            return call("answer", answer=str(answer)[:10_000], reference={})
        return call("answer", answer=str(answer.get("answer", "")), reference=answer["reference"])

    def _filled(self, question: str, name: str) -> dict[str, Any]:
        """A waiting step with its parameters; it relies on nothing any more."""
        step = self._plan.get(name, {"name": name})
        params = _parsed(self._roles["filler"](question, step, dict(self._results)))
        return {"name": name, "rely": [], "order": step.get("order", 1), "params": params or {}}

    def _role(self, role: str, name: str) -> Callable[..., Any]:
        if name:
            module, _, attribute = name.partition(":")
            found: Callable[..., Any] = getattr(import_module(module), attribute)
            return found

        def ask(question: str, *material: Any) -> str:
            if self._client is None:
                raise ValueError(
                    f"the role {role} has neither a callable nor a model: give {role}, or base_url and model"
                )
            text = "\n\n".join(
                [f"Question: {question}", *(json.dumps(part, ensure_ascii=False)[:_MOST] for part in material)]
            )
            return self._client.complete(
                [{"role": "system", "content": _WORDS[role]}, {"role": "user", "content": text}]
            )

        return ask


def _parsed(reply: Any) -> Any:
    """JSON as it came, or out of text with or without a fence; None where there is none."""
    if not isinstance(reply, str):
        return reply
    text = reply.strip()
    starts = [place for place in (text.find("["), text.find("{")) if place >= 0]
    if not starts:
        return None
    start = min(starts)
    end = max(text.rfind("]"), text.rfind("}")) + 1
    try:
        return json.loads(text[start:end])
    except (ValueError, RecursionError):
        return None
