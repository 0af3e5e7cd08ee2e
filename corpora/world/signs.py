"""Which way one thing moves another: fixed for each pair of nouns, so that no two papers contradict each other."""

from __future__ import annotations

import hashlib


def sign(subfield: str, subject: str, target: str) -> int:
    """Tell whether `subject` raises (0) or lowers (1) `target`, from a hash of the ids: the same in every world."""
    return hashlib.blake2b(f"{subfield}:{subject}>{target}".encode(), digest_size=1).digest()[0] & 1
