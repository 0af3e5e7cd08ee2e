"""One changed byte in any file: a declared error that names the file, never a signal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scholar_env import stamp
from scholar_env.corpus import Corpus, Problem
from scholar_env.corpus_check import Fingerprint, find_problems
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, ScholarEnvError
from scholar_env.manifest import Manifest

OPEN = """
import sys
from scholar_env.corpus import Corpus
from scholar_env.errors import ScholarEnvError
for folder in sys.argv[1:]:
    try:
        corpus = Corpus.open(folder)
        rows = [corpus.paper(row) for row in range(corpus.n_papers)]
        corpus.sparse_index(engine="numpy").search("random walks on graphs", 3, before="2021-12")
        print("fine")
    except ScholarEnvError as error:
        print(type(error).__name__, error.what)
"""


def flip(path: Path, place: float) -> None:
    data = bytearray(path.read_bytes())
    data[min(int(place * len(data)), len(data) - 1)] ^= 0x01
    path.write_bytes(data)


def files_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def count_checks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Returns a list that grows by one folder for each full check from now on."""
    checked: list[Path] = []

    def check(folder: Path, manifest: Manifest) -> list[Problem]:
        checked.append(folder)
        return find_problems(folder, manifest)

    monkeypatch.setattr("scholar_env.corpus_folder.find_problems", check)
    return checked


def test_a_changed_byte_in_any_file_is_found_at_opening(tmp_path: Path, small: Corpus) -> None:
    folders: list[tuple[Path, str]] = []
    names = files_of(small.path)
    assert len(names) > 20
    for name in names:
        for place in (0.0, 0.5, 1.0):
            folder = tmp_path / f"copy-{len(folders)}"
            shutil.copytree(small.path, folder)
            flip(folder / name, place)
            folders.append((folder, name))
    command = [sys.executable, "-c", OPEN, *(str(folder) for folder, _ in folders)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for (folder, name), line in zip(folders, done.stdout.splitlines(), strict=True):
        assert line.startswith(("CorpusIntegrityError", "CorpusFormatError")), (name, line)
        assert name in line.removeprefix(str(folder)), (name, line)


def test_a_changed_byte_in_a_file_that_was_verified_before_is_found_too(small: Corpus) -> None:
    assert Corpus.open(small.path) is small
    flip(small.path / "tasks.jsonl", 0.5)
    with pytest.raises(CorpusIntegrityError, match=r"tasks\.jsonl: its sha256 is not the one in the manifest"):
        Corpus.open(small.path)


def test_verify_names_a_file_whose_times_were_put_back(small: Corpus) -> None:
    name = "index/sparse-scholargym-v1/docs.npy"
    before = (small.path / name).stat()
    flip(small.path / name, 1.0)
    os.utime(small.path / name, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [problem.file for problem in small.verify()] == [name]
    with pytest.raises(CorpusIntegrityError, match=name):
        Corpus.open(small.path, verify=True)
    if os.name == "posix":  # the change time cannot be put back
        with pytest.raises(CorpusIntegrityError, match=name):
            Corpus.open(small.path)


def test_verify_lists_every_bad_file(small: Corpus) -> None:
    flip(small.path / "ids_blob.npy", 1.0)
    (small.path / "papers.parquet").unlink()
    (small.path / "subsets.json").write_text("{}")
    problems = {problem.file: problem.reason for problem in small.verify()}
    assert problems == {
        "ids_blob.npy": "its sha256 is not the one in the manifest",
        "papers.parquet": "it cannot be read (No such file or directory)",
        "subsets.json": "it has 2 bytes instead of 83",
    }
    with pytest.raises(CorpusIntegrityError, match=r"papers\.parquet: it cannot be read"):
        Corpus.open(small.path)
    (small.path / "manifest.json").write_text("{}")
    assert [problem.file for problem in small.verify()] == ["manifest.json"]


def test_files_are_hashed_once_and_again_when_they_change(small: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = count_checks(monkeypatch)
    Corpus.open(small.path)
    assert len(checked) == 0  # the writer left a stamp
    Corpus.open(small.path, verify=True)
    assert len(checked) == 1
    (small.path / "tasks.jsonl").touch()
    Corpus.open(small.path)
    Corpus.open(small.path)
    assert len(checked) == 2


def test_a_copy_is_foreign_and_verified_first(tmp_path: Path, small: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(small.path, tmp_path / "copy")
    checked = count_checks(monkeypatch)
    Corpus.open(tmp_path / "copy")
    assert len(checked) == 1


def test_a_folder_that_can_only_be_read_opens_without_any_write(
    tmp_path: Path, small: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(small.path, tmp_path / "copy")
    stamps = list((home / "stamps").iterdir())
    shutil.rmtree(home)
    home.write_text("a file where the home should be")

    def refuse(*given: object, **named: object) -> None:
        raise OSError("read-only file system")

    for module, function in ((stamp, "write_json_atomic"), (Path, "mkdir"), (Path, "touch"), (Path, "unlink")):
        monkeypatch.setattr(module, function, refuse)
    corpus = Corpus.open(tmp_path / "copy")
    assert corpus.title(0) == "Graph walks"
    assert len(stamps) == 1
    assert home.is_file()


@pytest.mark.parametrize("place", ["tasks.jsonl", "subsets.json"])
def test_content_that_does_not_fit_together_is_found(
    tmp_path: Path, write: Callable[..., Path], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "scholar_env.corpus_build"
    if place == "tasks.jsonl":
        monkeypatch.setattr(f"{module}.task_line", lambda task: b'{"id": 1}\n')
    else:
        monkeypatch.setattr(f"{module}.subsets_bytes", lambda subsets: b'{"all": ["unknown"]}\n')
    with pytest.raises(CorpusIntegrityError, match=place):
        Corpus.open(write(tmp_path / "odd"), verify=True)


def test_a_false_fingerprint_is_found(
    tmp_path: Path, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Liar(Fingerprint):
        def finish(self, tasks: object, subsets: object) -> str:
            return "0" * 64

    monkeypatch.setattr("scholar_env.corpus_build.Fingerprint", Liar)
    folder = write(tmp_path / "odd")
    with pytest.raises(CorpusIntegrityError, match=r"manifest\.json: the rows have the fingerprint"):
        Corpus.open(folder, verify=True)


def test_a_manifest_that_leaves_out_a_file_is_refused(
    tmp_path: Path, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scholar_env.corpus_build.file_entries", lambda folder: {})
    folder = write(tmp_path / "odd")
    with pytest.raises(CorpusIntegrityError, match=r"documents\.arrow: the manifest does not list it"):
        Corpus.open(folder, verify=True)


def test_both_errors_are_the_package_s_own() -> None:
    assert issubclass(CorpusIntegrityError, ScholarEnvError)
    assert issubclass(CorpusFormatError, ScholarEnvError)
