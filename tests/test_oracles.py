"""Replays oracle files: inputs and outputs of the released code of the benchmarks, recorded once.

``SCHOLAR_ENV_ORACLES=DIR pytest tests/test_oracles.py`` replays every ``*.json`` in DIR (default:
``tests/data/oracles``), one test a case. A set is registered by one entry of :data:`SETS`; its module
``tests/oracles/<module>.py`` offers

* ``SET``: the name of the set, which is the file name up to its first full stop;
* ``REPLAY``: function name to ``replay(inputs, context) -> value``, with ``inputs`` the case's ``in`` and ``context``
  the file's ``about`` plus ``compat`` (``"upstream"`` or None), ``folder`` (Path of the file's folder) and ``recorded``
  (the recorded value, for sets that keep a part of the question there).

Expectations: a case that went well is replayed under ``compat="upstream"`` and must give the recorded value, floats
to 1e-9. A case that crashed must raise a ``ScholarEnvError`` under ``compat=None``, and under ``"upstream"`` end with
the recorded outcome class: an exception of that name, or an exception or value with that name as its ``kind``. A file
of a registered set that cannot be read, and a function that a set does not know, are failures. Files of other sets
are listed as not registered yet.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scholar_env.errors import ScholarEnvError

HERE = Path(__file__).resolve().parent
DEFAULT_FOLDER = HERE / "data" / "oracles"
FOLDER = Path(os.environ.get("SCHOLAR_ENV_ORACLES") or DEFAULT_FOLDER).resolve()

SETS = {  # name of the set -> module in tests/oracles
    "scholargym_metrics": "metrics",
    "scholargym_bm25": "bm25",
    "scholargym_planner": "planner",
    "scholargym_workflow": "workflow",
    "scholargym_evalagg": "evalagg",
    "aise_eval": "aise_eval",
    "aise_executor": "aise_executor",
    "judge_consistency": "judge_consistency",
    "scinet_release": "scinet_release",
    "scinet_reference": "scinet_reference",
    "pasa_metrics": "pasa",
    "litsearch_metrics": "litsearch",
}


@dataclass(frozen=True)
class OracleCase:
    """One recorded call, or the reason why its file could not be read."""

    file: Path
    set_name: str
    fn: str
    id: str
    inputs: Mapping[str, Any]
    out: Mapping[str, Any]
    about: Mapping[str, Any]
    problem: str = ""


def set_of(file: Path) -> str:
    """Name of the set of a file: ``scholargym_bm25.dev.json`` belongs to ``scholargym_bm25``."""
    return file.name.split(".", 1)[0]


def read_cases(file: Path) -> list[OracleCase]:
    """Cases of one file; a file that cannot be read is one case with a problem, so that it fails and is never passed
    over."""
    name = set_of(file)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        cases = [
            OracleCase(file, name, case["fn"], str(case["id"]), case["in"], expected(case["out"]), content["about"])
            for case in content["cases"]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        cases, problem = [], f"{type(error).__name__}: {error}"
    else:
        problem = "it holds no cases"
    return cases or [OracleCase(file, name, "read", "file", {}, {}, {}, f"{file.name} cannot be replayed: {problem}")]


def expected(out: Mapping[str, Any]) -> Mapping[str, Any]:
    """The recorded outcome, after a check that it says either a value or an error class."""
    if not isinstance(out["ok"], bool) or ("value" if out["ok"] else "error") not in out:
        raise ValueError(f"outcome without value or error: {out!r:.200}")
    return out


def case_id(case: OracleCase) -> str:
    return f"{case.file.name}:{case.fn}:{case.id}"


def load_set(name: str) -> ModuleType:
    """Imports the module of a set by its path, so that no import name can clash, and checks that it is that set's."""
    path = HERE / "oracles" / f"{SETS[name]}.py"
    module_name = f"scholar_env_oracle_set_{SETS[name]}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    if not path.is_file():
        pytest.fail(f"set {name} is registered but its module tests/oracles/{path.name} is missing")
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses of the module look themselves up here
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    assert name == module.SET
    return module


def differences(got: object, want: object, path: str = "value") -> list[str]:
    """Where two JSON-like values differ; floats agree within 1e-9, everything else exactly, tuples count as lists."""
    if isinstance(want, Mapping) and isinstance(got, Mapping):
        ours, theirs = {str(key): value for key, value in got.items()}, {str(key): value for key, value in want.items()}
        if ours.keys() != theirs.keys():
            return [f"{path}: keys {sorted(ours)} instead of {sorted(theirs)}"]
        return [line for key in theirs for line in differences(ours[key], theirs[key], f"{path}.{key}")]
    if isinstance(want, list) and isinstance(got, Sequence) and not isinstance(got, str):
        if len(got) != len(want):
            return [f"{path}: {len(got)} items instead of {len(want)}"]
        return [
            line for at, (a, b) in enumerate(zip(got, want, strict=True)) for line in differences(a, b, f"{path}[{at}]")
        ]
    numbers = [value for value in (got, want) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2 and any(isinstance(value, float) for value in numbers):
        same = math.isclose(numbers[0], numbers[1], rel_tol=1e-9, abs_tol=1e-9)
    else:
        same = type(got) is type(want) and got == want
    return [] if same else [f"{path}: {got!r} instead of {want!r}"]


def outcome_class(replay: Any, case: OracleCase) -> str:
    """Name of the class of crash with which a call ends under ``compat="upstream"``, or ``"no crash: <value>"``."""
    try:
        value = replay(case.inputs, context_of(case, "upstream"))
    except (
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RuntimeError,
        ScholarEnvError,
    ) as error:
        return str(getattr(error, "kind", type(error).__name__))
    return str(getattr(value, "kind", f"no crash: {value!r:.200}"))


def context_of(case: OracleCase, compat: str | None) -> dict[str, Any]:
    recorded = case.out.get("value")
    return {**case.about, "compat": compat, "folder": case.file.parent, "recorded": recorded}


FILES = sorted(FOLDER.glob("*.json"))
CASES = [case for file in FILES if set_of(file) in SETS for case in read_cases(file)]
NOTHING = OracleCase(FOLDER, "", "read", "folder", {}, {}, {}, f"no oracle file of a registered set in {FOLDER}")


@pytest.mark.parametrize("case", CASES or [NOTHING], ids=case_id)
def test_oracle_case(case: OracleCase) -> None:
    assert not case.problem, case.problem
    replay = load_set(case.set_name).REPLAY.get(case.fn)
    assert replay is not None, f"set {case.set_name} does not know the function {case.fn} of {case.file.name}"
    if case.out["ok"]:
        value = replay(case.inputs, context_of(case, "upstream"))
        assert differences(value, case.out["value"]) == []
    else:
        with pytest.raises(ScholarEnvError):
            replay(case.inputs, context_of(case, None))
        assert outcome_class(replay, case) == case.out["error"]


def test_every_registered_set_is_replayed() -> None:
    found = {case.set_name for case in CASES}
    assert found == set(SETS) or (found and FOLDER != DEFAULT_FOLDER)


def test_other_sets_are_reported_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    others = [file.name for file in FILES if set_of(file) not in SETS]
    with capsys.disabled():
        for name in others:
            print(f"\nnot registered yet: {name}", end="")
    assert len(others) + len({case.file for case in CASES}) == len(FILES)
