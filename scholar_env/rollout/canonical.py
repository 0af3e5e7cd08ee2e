"""Canonical JSON, observation digests, and lines that name themselves when a byte of them changes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

DIGEST_VERSION = 1
"""Version of the rules below; a replay compares digests of the same version only."""

SIGNIFICANT_DIGITS = 6
"""Digits of every float in a digest: enough to tell rankings apart, few enough to be equal on every machine."""

_CHECK = "check"
_CHECK_LENGTH = 16


def plain(value: Any, digits: int | None = None) -> Any:
    """Turns a value into JSON's own types.

    Arrays become lists, numpy scalars Python numbers, tuples lists, and floats that JSON lacks the strings ``"nan"``,
    ``"inf"`` and ``"-inf"``.

    Args:
        value: Any nest of mappings, sequences, arrays, numbers, strings, booleans and None.
        digits: Significant digits to which floats are rounded; None keeps them as they are.

    Raises:
        TypeError: The value holds something that has no JSON form.
    """
    if value is None or isinstance(value, bool | str):
        return str(value) if isinstance(value, str) else value
    if hasattr(value, "tolist"):  # numpy arrays and scalars, without importing numpy here
        return plain(value.tolist(), digits)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return repr(float(value))
        return float(value) if digits is None else float(f"{value:.{digits}g}")
    if isinstance(value, Mapping):
        return {str(key): plain(item, digits) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes | bytearray):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [plain(item, digits) for item in items]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def canonical_json(value: Any) -> str:
    """Returns JSON with sorted keys and no spaces, the same text for equal values everywhere."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256_text(text: str) -> str:
    """Returns the hex sha256 of a text's UTF-8 form (lone surrogates kept as they are)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def observation_digest(observation: Any) -> str:
    """Returns the hex sha256 of an observation's canonical JSON, floats to six significant digits."""
    return sha256_text(canonical_json(plain(observation, SIGNIFICANT_DIGITS)))


def checked_line(record: Mapping[str, Any]) -> str:
    """Returns one JSON line (without newline) that carries a check over the rest of itself.

    The check is the beginning of the sha256 of the record's canonical JSON. It finds accidents, not forgers: those are
    found by running the rollout again.
    """
    body = plain(record)
    check = sha256_text(canonical_json(body))[:_CHECK_LENGTH]
    return canonical_json({**body, _CHECK: check})


def read_checked_line(line: str) -> tuple[dict[str, Any] | None, str]:
    """Reads a line made by :func:`checked_line`.

    Returns:
        The record without its check, or None when the line is not a JSON object, and what is wrong ("" when nothing).
    """
    try:
        record = json.loads(line)
        if not isinstance(record, dict):
            return None, f"a JSON {type(record).__name__} instead of an object"
        written = canonical_json(record)  # fails for NaN and infinities, which JSON lacks
        check = record.pop(_CHECK, None)
        expected = sha256_text(canonical_json(record))[:_CHECK_LENGTH]
    except (ValueError, RecursionError) as error:
        return None, f"not JSON ({error})"
    if check != expected:
        return record, f"its content does not match its own check (expected {expected}, got {check})"
    if written != line:
        return record, "it is not written in canonical form"
    return record, ""
