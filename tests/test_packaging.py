"""The package is complete and says of itself what is true."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHELVES = ("envs", "wrappers", "corpora")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def python_files() -> list[Path]:
    folders = ("scholar_env", *SHELVES, "examples", "benchmarks", "tests")
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT.parent, check=True)
    return done.stdout


def test_every_package_folder_is_listed() -> None:
    found = {"scholar_env"}
    for init in (ROOT / "scholar_env").rglob("__init__.py"):
        found.add(".".join(init.parent.relative_to(ROOT).parts))
    for shelf in SHELVES:
        for init in (ROOT / shelf).rglob("__init__.py"):
            found.add(".".join(("scholar_env", *init.parent.relative_to(ROOT).parts)))
    assert sorted(found) == PROJECT["tool"]["setuptools"]["packages"]


def test_every_data_file_is_package_data() -> None:
    """The globs alone decide what a wheel holds beside modules, so a file of a new kind or folder must meet one."""
    setuptools = PROJECT["tool"]["setuptools"]
    assert setuptools["include-package-data"] is False
    listed: set[Path] = set()
    for package, globs in setuptools["package-data"].items():
        folder = ROOT / setuptools["package-dir"].get(package, package.replace(".", "/"))
        for glob in globs:
            found = {path for path in folder.glob(glob) if path.is_file()}
            assert found, f"{package}: {glob} matches no file"
            listed |= found
    files = {path for folder in ("scholar_env", *SHELVES) for path in (ROOT / folder).rglob("*") if path.is_file()}
    data = {path for path in files if path.suffix not in {".py", ".pyc"} and not path.name.startswith(".")}
    assert sorted(data) == sorted(listed)


def test_there_is_no_extra_that_installs_everything() -> None:
    assert "all" not in PROJECT["project"]["optional-dependencies"]


def test_engine_and_shelves_name_shelves_only_as_strings() -> None:
    statement = re.compile(r"^\s*(?:from|import)\s+scholar_env\.(?:envs|wrappers|corpora)\b", re.MULTILINE)
    offenders = [
        str(path.relative_to(ROOT))
        for folder in ("scholar_env", *SHELVES)
        for path in (ROOT / folder).rglob("*.py")
        if statement.search(path.read_text(encoding="utf-8"))
    ]
    assert offenders == []


def test_shelves_are_never_top_level_modules() -> None:
    code = (
        "import sys, json, importlib, scholar_env, gymnasium\n"
        "for shelf in ('envs', 'wrappers', 'corpora'): importlib.import_module('scholar_env.' + shelf)\n"
        "print(json.dumps([name for name in ('envs', 'wrappers', 'corpora') if name in sys.modules]))"
    )
    assert json.loads(run_python(code)) == []


@pytest.mark.parametrize(
    "heavy", ["numba", "torch", "faiss", "rank_bm25", "sentence_transformers", "pyarrow", "rich", "typer"]
)
def test_import_is_light(heavy: str) -> None:
    code = f"import sys, scholar_env; print({heavy!r} in sys.modules)"
    assert run_python(code).strip() == "False"


def test_stored_files_never_hold_pickles() -> None:
    uses = re.compile(r"\bpickle\.(?:load|loads|dump|dumps)\b|allow_pickle=True")
    offenders = [
        str(path.relative_to(ROOT))
        for folder in ("scholar_env", *SHELVES)
        for path in (ROOT / folder).rglob("*.py")
        if uses.search(path.read_text(encoding="utf-8"))
    ]
    assert offenders == []


def test_no_check_is_waived() -> None:
    waiver = re.compile("#.*(?:type: " + "ignore|no" + "qa|pragma: no " + "cover)")
    offenders = [
        str(path.relative_to(ROOT)) for path in python_files() if waiver.search(path.read_text(encoding="utf-8"))
    ]
    assert offenders == []


def test_readme_shows_both_ways_to_make_an_environment() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    head = "\n".join(readme.splitlines()[:40])
    assert "import scholar_env" in head
    assert 'gym.make("scholar_env:ScholarGym-TestFast-v0")' in head


def test_version_is_one() -> None:
    import scholar_env

    assert scholar_env.__version__ == PROJECT["project"]["version"]
