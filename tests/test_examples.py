"""Every example runs as a reader would run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SAYS = {
    "gym_loop.py": "mean return (macro F1) over 20 tasks on the toy corpus: 0.3",
    "make_a_world.py": "240 papers, 240 tasks; the first paper:",
    "my_agent.py": "mean return over 20 tasks: 0.4",
    "random_rollout.py": "ended: ",
    "reinforce.py": "trained on 20 episodes: 0.",
    "replay.py": "agrees: True\nafter a forged reward: rollouts.jsonl, line 2, task toy-",
}
SMALLER = {"make_a_world.py": ["240"], "reinforce.py": ["20", "20"]}


def test_every_example_is_known() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == SAYS.keys()


@pytest.mark.parametrize("name", sorted(SAYS))
def test_example(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / name), *SMALLER.get(name, [])]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr == ""
    assert done.returncode == 0
    assert SAYS[name] in done.stdout
