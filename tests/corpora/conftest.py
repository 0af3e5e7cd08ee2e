"""A home of its own for each test of the corpora."""

from __future__ import annotations

from tests.own_home import home, no_fsync

__all__ = ["home", "no_fsync"]
