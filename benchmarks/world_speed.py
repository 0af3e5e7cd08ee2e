"""Speed and memory of making worlds: facts and rendering on one core, and a large world in bounded memory.

    python benchmarks/world_speed.py [--papers 5000] [--large 50000] [--seed 2026] [--runs 3]

Papers a second are CPU time of facts and text with full bodies, rendered in shards as a build does it, the ontology's
reading apart; a process of its own for each of `--runs` measurements, the best of which counts, as other programs only
ever add to it. The large world is the whole corpus folder: index, tables and tasks included. `--large 0` leaves it out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PAPERS_A_SECOND = 600.0
PEAK_MIB = 400.0
LARGE = 50_000
BODY_TOKENS = (1200.0, 2500.0)

RENDER = """
import json, statistics, sys, time
from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.render.renderer import Renderer
from scholar_env.corpora.world.shards import n_shards, render_shard
from scholar_env.corpora.world.shipped import shipped_ontology
from scholar_env.corpora.world.spec import WorldSpec
papers, seed = map(int, sys.argv[1:])
spec = WorldSpec(seed, papers)
began = time.process_time()
ontology = shipped_ontology()
read = time.process_time()
facts = build_facts(ontology, spec)
drawn = time.process_time()
renderer = Renderer(ontology, spec, facts)
tokens = []
counting = 0.0
for number in range(n_shards(papers)):
    shard = render_shard(renderer, number)
    before = time.process_time()
    tokens.extend(sum(len(section.text.split()) for section in text.sections) for text in shard.texts)
    counting += time.process_time() - before
ended = time.process_time() - counting
found = {"ontology_s": read - began, "facts_s": drawn - read, "render_s": ended - drawn}
print(json.dumps({**found, "body_tokens": statistics.median(tokens)}))
"""

BUILD = """
import json, resource, sys, time
from scholar_env.corpora.world.build import build_world
from scholar_env.corpora.world.spec import WorldSpec
if __name__ == "__main__":
    papers, seed, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    build_world(folder, WorldSpec(seed, papers), name="large")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu_s": time.process_time(), "peak_mib": peak}))
"""


def child(code: str, *arguments: object, **variables: str) -> Any:
    """Runs code in a process of its own and returns the JSON that it prints last."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **variables})
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    """Runs the benchmark; returns 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=5000)
    parser.add_argument("--large", type=int, default=LARGE)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    failures = []

    def check(what: str, value: float, low: float, high: float, unit: str) -> None:
        good = low <= value <= high
        bounds = f"from {low:g} to {high:g}" if low and high < 1e9 else f">= {low:g}" if low else f"<= {high:g}"
        print(f"{'PASS' if good else 'FAIL'} {what:44} {value:10.1f} {unit} ({bounds})", flush=True)
        if not good:
            failures.append(what)

    runs = [child(RENDER, options.papers, options.seed) for _ in range(options.runs)]
    found = min(runs, key=lambda run: float(run["facts_s"] + run["render_s"]))
    seconds = found["facts_s"] + found["render_s"]
    print(
        f"{options.papers} papers: ontology {found['ontology_s']:.2f} s, facts {found['facts_s']:.2f} s, "
        f"text {found['render_s']:.2f} s CPU",
        flush=True,
    )
    check("papers a second and core, facts and text", options.papers / seconds, PAPERS_A_SECOND, 1e9, "/s")
    check("median words of a body", found["body_tokens"], *BODY_TOKENS, "")
    if options.large:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            large = child(BUILD, options.large, options.seed, Path(folder) / "large", SCHOLAR_ENV_HOME=folder)
        wall = time.perf_counter() - began
        print(
            f"{options.large} papers: corpus folder in {large['cpu_s']:.0f} s CPU, {wall:.0f} s in all, "
            f"{options.large / large['cpu_s']:.0f} papers/s",
            flush=True,
        )
        check(f"peak memory of the process, {options.large} papers", large["peak_mib"], 0.0, PEAK_MIB, "MiB")
    print(f"FAIL {'; '.join(failures)}" if failures else "PASS world speed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
