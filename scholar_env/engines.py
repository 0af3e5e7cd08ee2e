"""Which code does heavy loops: numpy, or numba where it is installed. Both give the same bits."""

from __future__ import annotations

import importlib.util
from importlib import import_module
from types import ModuleType

from scholar_env.errors import InvalidOptionError, MissingDependencyError

ENGINES = ("auto", "numpy", "numba")
"""``auto`` is numba where it is installed, else numpy."""


def compiled_module(name: str, module: str) -> ModuleType | None:
    """Imports a module of compiled loops, where the engine wants one.

    Args:
        name: One of :data:`ENGINES`.
        module: The module's full name; it imports numba.

    Returns:
        The module, or None where numpy is to do the work.

    Raises:
        InvalidOptionError: No engine has that name.
        MissingDependencyError: The engine is ``numba``, which is not installed.
    """
    if name not in ENGINES:
        raise InvalidOptionError(
            f"engine {name!r} is unknown", "an engine is named", f"use one of {', '.join(ENGINES)}"
        )
    if name == "numpy" or (name == "auto" and importlib.util.find_spec("numba") is None):
        return None
    try:
        return import_module(module)
    except ImportError as error:
        if name == "auto":
            return None
        raise MissingDependencyError(
            f"engine 'numba' cannot be loaded ({error})",
            "it needs the optional package numba",
            "install scholar-env[fast], or use engine='auto' or 'numpy'",
        ) from error
