"""Memory that was freed goes back to the system, so that the parts of a large build do not add up."""

from __future__ import annotations

import contextlib
import ctypes
import gc


def give_back() -> None:
    """Return freed memory to the system where the C library can do that (glibc); elsewhere nothing happens."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
