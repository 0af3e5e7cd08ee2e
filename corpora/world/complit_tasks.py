"""The CompLit tasks of a world: fixed sets of all settings, and endless ones for training.

A query is made from integers that follow from the world's seed and its number. The fixed sets have the published numbers
of queries and of papers behind them, in a small world fewer, in proportion. Ids tell nothing of the setting.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from scholar_env.construction.records import Constraint, NamedPaper, Query, Turn
from scholar_env.corpus_folder import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.complit_groups import inferred_share, share_bin, year_bin
from scholar_env.records import Task

from .choice import apportion, pick, shuffled
from .complit_fill import draw_plan
from .complit_maker import Made, Maker
from .complit_mix import CompLitMix, Slot
from .complit_turns import conversation, lengths
from .complit_unmet import FIGURE_FACT, REFUTED, SILENT, TABLE_VALUE, places_for
from .draws import Draw
from .streams import Blocks, column
from .world import World, WorldTasks

VERSION = 1
"""Another one makes the sets of all worlds anew."""

FAMILY = "complit"
STANDARD, IMPLICIT, CUMULATIVE, UNMET, MIXED = "standard", "implicit", "cumulative", "unmet", "mixed"
SETTINGS = (STANDARD, IMPLICIT, CUMULATIVE, UNMET)

STRIDE = 4096
"""32-bit draws of an attempt."""

ATTEMPTS = 1 << 16
"""Attempts at one query before it is given up."""

ROUNDS = 400
"""Plans that are tried with one paper."""
