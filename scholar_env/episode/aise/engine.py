"""One episode of AISE-Bench: API calls one by one or as a plan, within a budget, then an answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from scholar_env.episode.aise.attempts import failure, is_failure
from scholar_env.episode.aise.calling import KnowledgeApis, check_call
from scholar_env.episode.aise.config import AiseConfig
from scholar_env.episode.aise.executor import SPENT, Execution, PlanExecutor, Status
from scholar_env.episode.aise.filling import filler
from scholar_env.episode.aise.plan import PlanProblem, Step, base_name
from scholar_env.episode.aise.state import AiseState, Ran
from scholar_env.episode.aise.tools import API_TOOLS, TOOLS
from scholar_env.episode.aise.upstream import run_upstream
from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.calls import ToolCall
from scholar_env.episode.schema import ActionError
from scholar_env.episode.tool import Tool
from scholar_env.graph.kg_ids import canonical_links


class AiseEpisode(EpisodeBase[AiseState, AiseConfig]):
    """One task from reset to its end.

    API calls are counted, those of plans one by one. When ``max_api_calls`` are made only an answer (or ``abstain``) is
    taken: another call is refused once, the second time the episode is over without an answer. A call that is
    refused for what is in it costs no API call.

    The resources are the knowledge graph.
    """

    TOOLS: ClassVar[Mapping[str, Tool]] = TOOLS
    LOGS_ALL: ClassVar[bool] = True

    @classmethod
    def offered(cls, config: AiseConfig) -> Mapping[str, Tool]:
        """Returns the tools, which are always the same."""
        return TOOLS

    def first_state(self) -> AiseState:
        """Returns the state before the first call."""
        return AiseState()

    def budget(self) -> dict[str, int]:
        """Returns the API calls left."""
        left = max(self.config.max_api_calls - self.state.n_api, 0)
        return {"iterations": -1, "calls": left, "results": -1, "characters": -1, "answer_only": int(left == 0)}

    def answer_ids(self) -> list[str]:
        """Returns the links of the answer, canonical, in the order of first mention."""
        return canonical_links(self.summary or "")

    @property
    def summary(self) -> str | None:
        """The answer as JSON text with ``answer`` and ``reference``, None until it is given."""
        state = self.state
        if state.answer is None:
            return None
        return json.dumps({"answer": state.answer, "reference": state.reference}, ensure_ascii=False)

    def result_json(self) -> dict[str, Any]:
        """Returns what the calls came to: steps with a digest of each result, and the answer."""
        state = self.state
        steps = [
            {"name": ran.name, "api": ran.api, "status": ran.status, "result": _digest(ran.result)}
            for ran in state.ran.values()
        ]
        return {
            "stop_reason": state.stop_reason,
            "steps": steps,
            "n_api": state.n_api,
            "answer": self.summary or "",
            "forced": state.forced,
        }

    def begin(self, call: ToolCall, tool: Tool) -> ActionError | None:
        """Refuses API calls and plans once the budget is spent."""
        if self.budget()["answer_only"] and tool.name in API_TOOLS:
            message = f"all {self.config.max_api_calls} API calls are made; call answer or abstain now"
            return ActionError(SPENT, message)
        return None

    def after(self, tool: Tool | None, refusal: ActionError | None) -> None:
        """Ends the episode at the second call beyond the budget."""
        if refusal is not None and refusal.code == SPENT:
            self.state.n_over += 1
            if self.state.n_over > 1:
                self.finish(SPENT)

    # What handlers use.

    def call_api(self, api: str, params: Mapping[str, Any]) -> None:
        """Makes one API call.

        Raises:
            ActionError: Something is wrong with the parameters; the error result is given all the same.
        """
        _, problem = check_call(api, params)
        if problem is not None:
            self.give({"api_results": [_shown("", api, params, "failed", problem)]})
            raise ActionError(problem["error"], problem["msg"])
        state = self.state
        name = _free_name(api, state.ran)
        rely = tuple(dict.fromkeys(_sources(params, state.ran)))
        result = self._counted(api, dict(params))
        status: Status = "failed" if is_failure(result) else "completed"
        state.ran[name] = Ran(name, api, rely, len(state.ran) + 1, params, params, status, result, planned=False)
        self._give([name])

    def run_plan(self, steps: Sequence[Step], problems: Sequence[PlanProblem]) -> None:
        """Runs the steps of a plan; those that ran before may be relied on, and run again when the plan has them."""
        names = {step.name for step in steps}
        done = {
            ran.name: ran.result for ran in self.state.ran.values() if ran.name not in names and ran.result is not None
        }
        fill = filler(self.config.filler)
        if self.config.compat == "upstream":
            execution = run_upstream(self._counted, fill, steps)
            execution.problems.extend(problems)
        else:
            executor = PlanExecutor(KnowledgeApis(self.resources), fill, workers=self.config.plan_workers)
            execution = executor.run(steps, done, problems, self.budget()["calls"])
            self.state.n_api += len(execution.calls)
        self._keep(steps, execution)
        if execution.problems:
            first = execution.problems[0]
            more = f" (and {len(execution.problems) - 1} more)" if len(execution.problems) > 1 else ""
            self.report("plan_problem", f"{first.message}; {first.mend}{more}")

    def _keep(self, steps: Sequence[Step], execution: Execution) -> None:
        ran: list[str] = []
        for step in {step.name: step for step in steps}.values():
            status = execution.status.get(step.name)
            if status is None:  # what the released executor drops leaves no trace, but was planned
                status = "dropped"
            inputs = execution.inputs.get(step.name)
            result = execution.results.get(step.name)
            self.state.ran[step.name] = Ran(
                step.name, step.api, step.rely, step.order, step.params, inputs, status, result, planned=True
            )
            ran.append(step.name)
        order = [name for wave in execution.waves for name in wave]
        self._give([*order, *(name for name in ran if name not in order)])

    def _counted(self, api: str, params: dict[str, Any]) -> Any:
        """The result of an API call within the budget; beyond it, an error result."""
        if self.state.n_api >= self.config.max_api_calls:
            return failure(SPENT, f"all {self.config.max_api_calls} API calls are made")
        self.state.n_api += 1
        return KnowledgeApis(self.resources)(api, params)

    def _give(self, names: Sequence[str]) -> None:
        chosen = [self.state.ran[name] for name in names]
        shown = [_shown(ran.name, ran.api, ran.inputs or ran.params, ran.status, ran.result) for ran in chosen]
        self.give({"api_results": shown})


def _digest(result: Any) -> str:
    text = json.dumps(result, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _shown(name: str, api: str, params: Mapping[str, Any], status: str, result: Any) -> dict[str, Any]:
    return {"step": name, "api": api, "params": dict(params), "status": status, "result": result}


def _free_name(api: str, ran: Mapping[str, Ran]) -> str:
    """The API's name, with a number where the episode has it already."""
    if api not in ran:
        return api
    number = 2
    while f"{api}({number})" in ran:
        number += 1
    return f"{api}({number})"


def _sources(params: Mapping[str, Any], ran: Mapping[str, Ran]) -> Iterator[str]:
    """Steps whose results hold an id that the parameters name."""
    wanted = {text for value in params.values() for text in (value if isinstance(value, list) else [value])}
    ids = {text for text in wanted if isinstance(text, str) and len(text) == 24}
    for name, step in ran.items():
        if any(f'"{identifier}"' in json.dumps(step.result) for identifier in ids):
            yield name


def played_plan(ran: Mapping[str, Ran]) -> list[Step]:
    """The steps of an episode as a plan.

    Steps of plans stand as they were planned. Where calls were made one by one, all steps are numbered as plans number
    them: ``name`` for an API that was called once, ``name(1)``, ``name(2)``, … for others.
    """
    steps = [Step(step.name, step.rely, step.order, dict(step.params)) for step in ran.values()]
    if all(step.planned for step in ran.values()):
        return steps
    counts: dict[str, int] = {}
    for step in steps:
        counts[step.api] = counts.get(step.api, 0) + 1
    seen: dict[str, int] = {}
    names: dict[str, str] = {}
    for step in steps:
        seen[step.api] = seen.get(step.api, 0) + 1
        names[step.name] = step.api if counts[step.api] == 1 else f"{step.api}({seen[step.api]})"
    return [
        Step(
            names[step.name], tuple(names.get(other, base_name(other)) for other in step.rely), step.order, step.params
        )
        for step in steps
    ]
