"""Academic literature search as Gymnasium environments over a frozen, exact index."""

from __future__ import annotations

from pathlib import Path

__version__ = "0.1.0"

if not Path(__file__).with_name("envs").is_dir():  # a checkout keeps the shelves beside the package, a wheel inside it
    __path__.append(str(Path(__file__).parent.parent))
