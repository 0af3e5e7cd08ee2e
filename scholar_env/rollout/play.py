"""Playing one episode: the loop that a run and a replay share, and what it writes down."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import scholar_env
from scholar_env.agents.base import Agent, AgentError
from scholar_env.agents.oracle import GoldAgent
from scholar_env.episode.calls import Malformed, ToolCall, parse_call, parse_calls
from scholar_env.errors import ScholarEnvError
from scholar_env.rollout.canonical import canonical_json, observation_digest, plain
from scholar_env.rollout.record import EpisodeEnd, EpisodeHeader, EpisodeRecord, StepRecord, episode_seed

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv

Call = ToolCall | Malformed


class EpisodePlayer:
    """Steps an environment call by call and writes each step down.

    Args:
        env: The environment, unwrapped.
        task_id: The task to play.
        seed: Seed of ``reset``.
    """

    def __init__(self, env: ScholarEnv, task_id: str, seed: int) -> None:
        self._env = env
        self.observation, self.info = env.reset(seed=seed, options={"task_id": task_id})
        self.digest = observation_digest(self.observation)
        self.steps: list[StepRecord] = []
        self.ended = False

    def step(self, call: Call, message: int) -> StepRecord:
        """Plays one call.

        Args:
            call: The call in canonical form.
            message: Number of the agent's message that it came in.
        """
        env = self._env
        recorded = json.loads(canonical_json(call.to_json()))
        # Played is what is recorded: its order of keys too, which an observation may show.
        self.observation, reward, terminated, truncated, self.info = env.step(parse_call(recorded))
        self.ended = terminated or truncated
        outcomes = env.last_outcomes
        pages = [page for outcome in outcomes for page in outcome.pages]
        record = StepRecord(
            index=len(self.steps),
            message=message,
            call=recorded,
            digest=observation_digest(self.observation),
            reward=reward,
            terms=dict(self.info["reward_terms"]),
            terminated=terminated,
            truncated=truncated,
            error=self.info["action_error"],
            retrieval=[{"subquery": p.subquery, "ids": list(p.papers), "total": p.total} for p in pages],
            assessments=[entry.to_json() for outcome in outcomes for entry in outcome.assessments],
            evaluation={
                "gold_ranks": [list(page.gold_ranks) for page in pages],
                "metrics": plain(self.info["metrics"]),
            },
        )
        self.steps.append(record)
        return record

    def end(self) -> EpisodeEnd:
        """Returns how the episode ended."""
        episode = self._env.episode
        return EpisodeEnd(
            steps=len(self.steps),
            total_reward=math.fsum(step.reward for step in self.steps),
            stop_reason=self.info["stop_reason"],
            failure_kind=self.info["failure_kind"],
            mask_sample=bool(self.info["mask_sample"]),
            selected=episode.answer_ids(),
            evaluation={
                "source": episode.task.source,
                "labels": dict(episode.task.labels),
                "n_gold": len(episode.task.gold),
                "metrics": plain(self.info["metrics"]),
                "rows": [plain(row) for row in self._env.rows],
            },
        )


def play_episode(
    env: ScholarEnv,
    agent: Agent,
    agent_name: str,
    task_id: str,
    *,
    env_id: str,
    kwargs: Mapping[str, Any],
    seed: int,
) -> EpisodeRecord:
    """Plays a task with an agent, from reset to the end.

    Args:
        env: The environment, unwrapped.
        agent: The agent; it sees observations only. One that needs gold is bound to the task first.
        agent_name: Its name, for the record.
        task_id: The task.
        env_id: Registered id, for the record.
        kwargs: The environment's arguments without the corpus, for the record.
        seed: The run's seed.
    """
    own_seed = episode_seed(seed, task_id)
    player = EpisodePlayer(env, task_id, own_seed)
    if agent.needs_gold and isinstance(agent, GoldAgent):
        agent.bind(env.episode.task, env.corpus)
    agent.reset(own_seed)
    header = EpisodeHeader(
        env_id=env_id,
        kwargs=plain(dict(kwargs)),
        package=scholar_env.__version__,
        corpus=plain(player.info["corpus"]),
        index={"fingerprint": env.index.fingerprint, "engine": env.index.engine},
        task_id=task_id,
        seed=own_seed,
        agent=agent_name,
        agent_options=plain(agent.options),
        assisted=bool(player.info["assisted"]) or agent.needs_gold or bool(getattr(agent, "assisted", False)),
        digest=player.digest,
    )
    message = 0
    while not player.ended:
        for call in parse_calls(_act(agent, player, header)):
            if player.ended:
                break
            player.step(call, message)
        message += 1
    return EpisodeRecord(header, tuple(player.steps), player.end())


def _act(agent: Agent, player: EpisodePlayer, header: EpisodeHeader) -> Any:
    try:
        return agent.act(player.observation)
    except ScholarEnvError:
        raise
    except Exception as error:
        raise AgentError(
            f"agent {header.agent!r} raised {type(error).__name__}: {error} at step {len(player.steps)} of task "
            f"{header.task_id!r}",
            "an agent returns a call for every observation",
            "mend the agent, then go on with --resume",
        ) from error
