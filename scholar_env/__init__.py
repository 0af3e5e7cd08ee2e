"""Academic literature search as Gymnasium environments over a frozen, exact index.

Importing the package registers its ids with Gymnasium; everything heavy is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scholar_env.corpus import Corpus, resolve_corpus
    from scholar_env.environment.env import ScholarEnv
    from scholar_env.environment.text_view import render_text
    from scholar_env.environment.tool_space import ToolCallSpace
    from scholar_env.environment.vector import ThreadVectorEnv, make_vec

__version__ = "0.1.0"
__all__ = [
    "Corpus",
    "ScholarEnv",
    "ThreadVectorEnv",
    "ToolCallSpace",
    "__version__",
    "make_vec",
    "render_text",
    "resolve_corpus",
]

if not Path(__file__).with_name("envs").is_dir():  # a checkout keeps the shelves beside the package, a wheel inside it
    __path__.append(str(Path(__file__).parent.parent))

_HOMES = {
    "Corpus": "scholar_env.corpus",
    "ScholarEnv": "scholar_env.environment.env",
    "ThreadVectorEnv": "scholar_env.environment.vector",
    "ToolCallSpace": "scholar_env.environment.tool_space",
    "make_vec": "scholar_env.environment.vector",
    "render_text": "scholar_env.environment.text_view",
    "resolve_corpus": "scholar_env.corpus",
}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


import_module("scholar_env.environment.registry").register_all()  # needs the path above
