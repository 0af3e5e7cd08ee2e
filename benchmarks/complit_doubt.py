"""From which doubt CompLit's checker should abstain, on a training world: ``python benchmarks/complit_doubt.py``.

It prints, for several values of ``least_doubt``, on how many needs that a paper meets the checker would abstain
(Standard, Implicit), on how many that none meets (Unmet), and on how many Standard needs it would name the right
paper. The row of the checker's own ``least_doubt`` is marked: the one that abstains on 7 % of 300 Standard needs, since
one tenth is what a reader may bear and another world may differ. The default world and its tasks are never opened.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import gymnasium as gym

import scholar_env
from scholar_env.agents.complit_checker import CheckerAgent
from scholar_env.agents.complit_judge import Judgement
from scholar_env.agents.complit_verdict import doubt
from scholar_env.corpora.world.pool import TRAINING
from scholar_env.records import Task
from scholar_env.rollout.play import play_episode

SETTINGS = ("Standard", "Implicit", "Unmet")
TOOLS = ("search", "read", "answer", "abstain")
LEAST = (-1.0, -0.5, 0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)


class Verdict(NamedTuple):
    """How much the checker doubts that a paper meets a need, and whether the one that it names does."""

    doubt: float
    right: bool


class Doubting(CheckerAgent):
    """The checker that always names a paper, and keeps its doubt."""

    def __init__(self, tools: Collection[str]) -> None:
        super().__init__(tools, abstains=False)
        self.doubt = float("inf")

    def _verdict(self, ranked: Sequence[tuple[str, Judgement, float]], listed: str) -> tuple[str, str]:
        if ranked:
            self.doubt = doubt([(said, worth) for _, said, worth in ranked])
        return super()._verdict(ranked, listed)


Played = TypeVar("Played", bound=CheckerAgent)


def play(
    setting: str, world: int, needs: int, agent_of: Callable[[], Played]
) -> Iterator[tuple[Played, Task, Mapping[str, Any]]]:
    """Plays needs of a setting of a training world, each with a new agent; yields this, the task and the metrics."""
    env = gym.make(f"CompLit-{setting}-Train-v0", corpus=f"{TRAINING}{world}").unwrapped
    assert isinstance(env, scholar_env.ScholarEnv)
    for number in range(needs):
        agent = agent_of()
        record = play_episode(env, agent, "checker", f"w{world}-{number}", env_id=env.spec.id, kwargs={}, seed=0)
        yield agent, env.episode.task, record.end.evaluation["metrics"]
    env.close()


def verdicts(setting: str, world: int, needs: int) -> Iterator[Verdict]:
    """Plays needs of a setting of a training world."""
    for agent, _, metrics in play(setting, world, needs, lambda: Doubting(TOOLS)):
        yield Verdict(agent.doubt, metrics["accuracy"] == 1.0)


def main() -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", type=int, default=0, help="number of the training world")
    parser.add_argument("--needs", type=int, default=300, help="needs of each setting")
    options = parser.parse_args()
    found = {setting: list(verdicts(setting, options.world, options.needs)) for setting in SETTINGS}
    print(f"{'least_doubt':>12}{'Unmet':>9}{'Standard':>10}{'Implicit':>10}{'right on Standard':>19}")
    for least in LEAST:
        abstains = {name: sum(one.doubt >= least for one in found[name]) / options.needs for name in SETTINGS}
        right = sum(one.right and one.doubt < least for one in found["Standard"]) / options.needs
        shares = f"{abstains['Unmet']:>9.3f}{abstains['Standard']:>10.3f}{abstains['Implicit']:>10.3f}"
        mark = "  <- the checker's" if least == CheckerAgent(TOOLS).options["least_doubt"] else ""
        print(f"{least:>12.2f}{shares}{right:>19.3f}{mark}")


if __name__ == "__main__":
    main()
