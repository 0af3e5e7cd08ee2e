"""Care for memory while a world is made: what was freed goes back to the system, what will stay is not searched."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from collections.abc import Iterator


def give_back() -> None:
    """Find cyclic garbage, and return freed memory to the system."""
    gc.collect()
    trim()


def trim() -> None:
    """Return freed memory to the system where the C library can do that (glibc); elsewhere nothing happens."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the search for cyclic garbage while hundreds of thousands of objects are made that will all stay.

    The collector would walk through them again and again: half of the time of reading the ontology.
    """
    paused = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()
