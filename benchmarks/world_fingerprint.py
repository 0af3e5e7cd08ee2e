"""The fingerprint of a world, and what it was made with: equal on every machine, or the generator has a fault.

    python benchmarks/world_fingerprint.py [--papers 5000] [--seed 2026] [--train] [--workers 1]

The world is made anew in a folder of its own, which is removed afterwards. Run it under another Python, NumPy, number
of workers or PYTHONHASHSEED, or on another machine, and compare the first word. Returns 1 where the default world has
another fingerprint than the one that the package pins.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

import numpy as np

from scholar_env import __version__
from scholar_env.corpora import FINGERPRINTS
from scholar_env.corpora.world.build import build_world
from scholar_env.corpora.world.pool import DEFAULT, DEFAULT_SPEC
from scholar_env.corpora.world.spec import ONTOLOGY_VERSION, WorldSpec
from scholar_env.corpus import Corpus


def main() -> int:
    """Makes a world and prints its fingerprint; returns 1 when that is not the pinned one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=DEFAULT_SPEC.papers)
    parser.add_argument("--seed", type=int, default=DEFAULT_SPEC.seed)
    parser.add_argument("--train", action="store_true", help="a training world")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    spec = WorldSpec(options.seed, options.papers, train=options.train)
    with tempfile.TemporaryDirectory() as folder:
        path = build_world(Path(folder) / DEFAULT, spec, name=DEFAULT, workers=options.workers)
        fingerprint = Corpus.open(path).fingerprint
    made_with = (
        f"scholar-env {__version__}, ontology {ONTOLOGY_VERSION}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, {platform.system()} {platform.machine()}, workers {options.workers}, "
        f"PYTHONHASHSEED {os.environ.get('PYTHONHASHSEED', 'random')}"
    )
    print(f"{fingerprint} {spec.papers} papers, seed {spec.seed}{', training' if spec.train else ''}: {made_with}")
    pinned = FINGERPRINTS[DEFAULT] if spec == DEFAULT_SPEC else ""
    if pinned and fingerprint != pinned:
        print(f"FAIL the default world is pinned as {pinned}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
