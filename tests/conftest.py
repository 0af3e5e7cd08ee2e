"""What every test shares."""

from __future__ import annotations

import os
from pathlib import Path

# Tests use many fresh home folders, in subprocesses too; compiled kernels are kept in one place, so that only the first
# of them compiles.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "kernels"))
