"""Which way one quantity moves another: what the field knows, else a toss that is the same in every paper and world."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from .terms import Subfield


def sign(subfield: Subfield, subject: str, target: str) -> int:
    """The direction in which a subject moves a measure.

    Args:
        subfield: The subfield; its `signs` go first.
        subject: Id of the noun that acts: a driver, a hazard, a condition or a knob.
        target: Id of the noun that is moved.

    Returns:
        0 where it raises the measure, 1 where it lowers it.
    """
    known = subfield.signs.get((subject, target))
    if known is not None:
        return known
    return hashlib.blake2b(f"{subfield.id}|{subject}|{target}".encode(), digest_size=1).digest()[0] & 1


def signs(subfield: Subfield, subjects: NDArray[np.int16], targets: NDArray[np.int16]) -> NDArray[np.int8]:
    """`sign` for places in `subfield.nouns`; 0 where one is -1."""
    count = len(subfield.nouns)
    codes, back = np.unique(
        np.where((subjects < 0) | (targets < 0), -1, subjects.astype(np.int64) * count + targets), return_inverse=True
    )
    ids = [noun.id for noun in subfield.nouns]
    table = [0 if code < 0 else sign(subfield, ids[code // count], ids[code % count]) for code in codes.tolist()]
    return np.array(table, dtype=np.int8)[back.reshape(-1)]
