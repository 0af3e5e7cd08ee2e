"""Loops that numba compiles. Import this module only where numba is wanted; the package works without it.

No ``fastmath`` and no parallel loops: a compiled loop gives the bits of the same loop in numpy. Kernels hold no lock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba

from scholar_env.home import home

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles at first call, or loads what an earlier process compiled.

    A division by zero gives what numpy gives; a loop that would have to raise could not take several numbers at a time.

    The cache lies in the home folder unless ``NUMBA_CACHE_DIR`` names another one: beside the module, where numba would
    put it, an uninstall leaves it behind, and the folder that stays shadows a later editable install.
    """
    settings: Any = numba.config
    chosen = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = chosen or str(home() / "kernels")
        kernel = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # no folder for the cache can be written: each process compiles for itself
        kernel = numba.njit(nogil=True, error_model="numpy")(function)
    finally:
        settings.CACHE_DIR = chosen
    return cast("Callable[P, R]", kernel)
