"""The benchmarks: one module each. A new one is a module here and its name in :data:`BENCHMARKS`."""

from __future__ import annotations

BENCHMARKS = ("scholargym", "aise_bench", "complit", "scinet")
"""Modules of this folder whose cards are registered, in this order."""
