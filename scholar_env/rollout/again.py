"""Recorded episodes played again to their ends, for what looks at a whole episode: judges, exports of answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scholar_env.episode.calls import parse_call
from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.episodes import found_episodes
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.reader import rollout_files
from scholar_env.rollout.stage import Stage, start_again

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv


def played_again(path: str | Path, stage: Stage) -> Iterator[ScholarEnv]:
    """Yields the environment of each episode of a run, which stands at the episode's end until the next is asked for.

    Args:
        path: A run folder or a rollout file.
        stage: Makes the environments.

    Raises:
        RolloutFormatError: There is no rollout, or it is damaged.
        UntrustedReferenceError: The record asks for code or for what is not of this package.
        CorpusNotFoundError, TaskSetNotFoundError: What it was recorded on is not here.
    """
    for file in rollout_files(path):
        for found in found_episodes(file):
            env = found if isinstance(found, Finding) else stage.env_for(found)
            if isinstance(env, Finding | list) or isinstance(found, Finding):
                problem = env[0] if isinstance(env, list) else env
                raise RolloutFormatError(
                    f"a damaged run: {problem}", "a run is whole where it is played again", "see scholar-env replay"
                )
            player = start_again(env, found)
            for step in found.steps:
                player.step(parse_call(step.call), step.message)
            yield env
