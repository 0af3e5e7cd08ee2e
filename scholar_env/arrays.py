"""Frozen ``.npy`` arrays: written through the storage seam, read as read-only memory maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scholar_env.errors import CorpusIntegrityError
from scholar_env.storage import DurableFile


def save_array(path: str | Path, array: npt.NDArray[Any]) -> None:
    """Writes an array as ``.npy`` (C order, no pickle) and fsyncs it."""
    with DurableFile(path) as file:
        np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)


def load_array(path: str | Path, dtype: npt.DTypeLike, *, ndim: int = 1) -> npt.NDArray[Any]:
    """Maps a ``.npy`` file read-only.

    The result is a plain array (indexing a ``numpy.memmap`` is several times slower) that keeps the map open.

    Args:
        path: The file.
        dtype: The element type that it must have.
        ndim: The number of dimensions that it must have.

    Raises:
        CorpusIntegrityError: The file is missing, is no such array, or is shorter than its header says.
    """
    path = Path(path)
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, MemoryError, OverflowError, TypeError, SyntaxError) as error:
        raise CorpusIntegrityError(
            f"{path} cannot be mapped as an array ({error})",
            "frozen arrays are whole .npy files",
            "build the folder again",
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype != np.dtype(dtype) or array.ndim != ndim:
        raise CorpusIntegrityError(
            f"{path} holds {getattr(array, 'dtype', 'no array')} with {getattr(array, 'ndim', 0)} dimensions",
            f"it must hold {np.dtype(dtype)} with {ndim}",
            "build the folder again",
        )
    return array.view(np.ndarray)
