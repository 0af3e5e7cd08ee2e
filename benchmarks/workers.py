"""Whole-rollout workers: how much faster two processes play episodes than one.

One worker process and two play the same episodes on the embedded corpus. Beside each pair runs a control: a pure
arithmetic loop in one process and in two. What the control does not reach, the machine does not give, so the speed-up
of the workers is scaled by it: 2 x workers / control. Wall time, since only wall time shows scaling; start-up is left
out.

    python benchmarks/workers.py [--episodes 400] [--repeats 5] [--agent random]
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import time
from pathlib import Path

from scholar_env.corpus import resolve_corpus
from scholar_env.rollout.pool import play_in_processes
from scholar_env.rollout.setting import Setting

TARGET = 1.7
ENV_ID = "ScholarGym-All-v0"
CONTROL_LOOPS = 12_000_000


def spin(n: int) -> int:
    total = 0
    for number in range(n):
        total += number & 7
    return total


def control_seconds(n_processes: int) -> float:
    """Seconds in which each of n processes does the same loop."""
    with multiprocessing.get_context("spawn").Pool(n_processes) as pool:
        pool.map(spin, [1] * n_processes, chunksize=1)  # start-up
        began = time.perf_counter()
        pool.map(spin, [CONTROL_LOOPS] * n_processes, chunksize=1)
        return time.perf_counter() - began


def control_speed_up() -> float:
    """How much more work two processes do in the same time than one."""
    return 2 * control_seconds(1) / control_seconds(2)


def episodes_per_second(setting: Setting, tasks: list[str], n_workers: int) -> float:
    """Rate between the time when a tenth of the episodes is played and the end."""
    start = len(tasks) // 10
    with tempfile.TemporaryDirectory() as folder:
        times = [time.perf_counter() for _ in play_in_processes(setting, Path(folder), tasks, n_workers)]
    return (len(times) - start) / (times[-1] - times[start - 1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=400)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--agent", default="random")
    parser.add_argument("--corpus", default="toy")
    options = parser.parse_args()
    setting = Setting(ENV_ID, {}, resolve_corpus(options.corpus).spec, options.agent)
    known = setting.make_env().tasks
    tasks = [known[number % len(known)] for number in range(options.episodes)]
    ratios = []
    for repeat in range(options.repeats):
        before = control_speed_up()
        one = episodes_per_second(setting, tasks, 1)
        two = episodes_per_second(setting, tasks, 2)
        control = (before + control_speed_up()) / 2
        ratios.append(2 * (two / one) / control)
        print(
            f"repeat {repeat + 1}: {one:.1f} episodes/s with one worker, {two:.1f} with two ({two / one:.2f}x), "
            f"control {control:.2f}x, scaled {ratios[-1]:.2f}x",
            flush=True,
        )
    ratio = statistics.median(ratios)
    passed = ratio >= TARGET
    print(f"{'PASS' if passed else 'FAIL'} two workers play {ratio:.2f}x as fast as one, target {TARGET}x (median)")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
