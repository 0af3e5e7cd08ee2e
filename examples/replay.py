"""Records a run, replays it, forges a reward in it, and lets the replay name the step.

Usage: python examples/replay.py [FOLDER]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run


def main(folder: str | Path | None = None) -> str:
    target = Path(folder or tempfile.mkdtemp()) / "feedback"
    run("ScholarGym-TestFast-v0", "feedback", out=target, corpus="toy", tasks=5)
    report = replay(target)
    print(f"{report.n_episodes} episodes, {report.n_steps} steps, agrees: {report.agrees}")

    path = target / "rollouts.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n")
    place = next(number for number, line in enumerate(lines) if '"type":"step"' in line)
    step = json.loads(lines[place])
    lines[place] = lines[place].replace(f'"reward":{step["reward"]}', '"reward":1.0', 1)
    path.write_text("\n".join(lines), encoding="utf-8")
    finding = str(replay(target).findings[0])
    print("after a forged reward:", finding)
    return finding


if __name__ == "__main__":
    main(*sys.argv[1:2])
