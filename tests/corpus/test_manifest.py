"""Manifests: round trip, and everything that a hostile or damaged one can hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scholar_env.corpus import Corpus
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError
from scholar_env.manifest import MalformedRow, check_name, parse_manifest, read_manifest
from scholar_env.storage import json_bytes

Change = Callable[[dict[str, Any]], object]


def forge(small: Corpus, change: Change) -> bytes:
    """Returns the manifest after a change by somebody who also mends its hash."""
    body = json.loads((small.path / "manifest.json").read_bytes())
    del body["manifest_sha256"]
    change(body)
    return json_bytes({**body, "manifest_sha256": hashlib.sha256(json_bytes(body)).hexdigest()})


def test_a_manifest_comes_back_as_it_was_written(small: Corpus) -> None:
    raw = (small.path / "manifest.json").read_bytes()
    manifest = parse_manifest(raw, Path("m"))
    assert manifest == small.manifest
    assert manifest.as_bytes() == raw
    assert parse_manifest(forge(small, lambda body: None), Path("m")) == manifest


def test_a_manifest_says_what_the_corpus_holds(small: Corpus) -> None:
    manifest = small.manifest
    assert (manifest.name, manifest.source, manifest.licence) == ("small", "tests", "none")
    assert (manifest.date_min, manifest.date_max) == ("2019-05-01", "2021-12-31")
    assert manifest.counts == {"papers": 4, "tasks": 2}
    assert manifest.notes == ("for tests",)
    assert manifest.files["ids_offsets.npy"].dtype == "<i8"
    assert manifest.files["ids_offsets.npy"].shape == (5,)
    assert set(manifest.indexes) == {"sparse-scholargym-v1"}
    for name, entry in manifest.paths().items():
        assert (small.path / name).stat().st_size == entry.size


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body: body.update(format=2), "its format is 2"),
        (lambda body: body.update(format="1"), "its format is '1'"),
        (lambda body: body.update(format=True), "its format is True"),
        (lambda body: body.pop("format"), "its format is None"),
        (lambda body: body.pop("licence"), "the key 'licence' is missing"),
        (lambda body: body.update(extra=1), "the key 'extra' is unknown"),
        (lambda body: body.update(name=["small"]), r"'name' is \['small'\] instead of a str"),
        (lambda body: body.update(name="../up"), r"'../up' is no plain name inside the folder"),
        (lambda body: body.update(fingerprint="00"), "its fingerprint '00' is no sha256 in hex"),
        (lambda body: body["counts"].update(papers="4"), "counts.papers is '4' instead of a int"),
        (lambda body: body["counts"].pop("papers"), "it counts None papers and 2 tasks"),
        (lambda body: body["counts"].update(tasks=-1), "it counts 4 papers and -1 tasks"),
        (lambda body: body["counts"].update(papers=True), "counts.papers is True instead of a int"),
        (lambda body: body.update(notes=[1]), "'notes' holds something else than text"),
        (lambda body: body.update(malformed=[{"file": "f"}]), "the key 'where' is missing"),
        (lambda body: body.update(malformed=["row"]), "it holds 'row' where an object belongs"),
        (lambda body: body["files"].update({"/etc/passwd": body["files"]["tasks.jsonl"]}), "'/etc/passwd' is no plain"),
        (lambda body: body["files"].update({"..": body["files"]["tasks.jsonl"]}), r"'\.\.' is no plain name"),
        (lambda body: body["files"].update({"a/b": body["files"]["tasks.jsonl"]}), "'a/b' is no plain name"),
        (lambda body: body["files"].update({"a\\b": body["files"]["tasks.jsonl"]}), r"'a\\\\b' is no plain name"),
        (lambda body: body["files"].update({"": body["files"]["tasks.jsonl"]}), "'' is no plain name"),
        (lambda body: body["indexes"].update({"../x": {}}), "'../x' is no plain name"),
        (lambda body: body["indexes"].update(x=[]), r"it holds \[\] where an object of files belongs"),
        (lambda body: body["indexes"].update(x={"../y": {}}), "'../y' is no plain name"),
        (lambda body: body["files"]["tasks.jsonl"].update(size=-1), "and the size -1"),
        (lambda body: body["files"]["tasks.jsonl"].update(size=1.0), "'size' is 1.0 instead of a int"),
        (lambda body: body["files"]["tasks.jsonl"].update(sha256="x"), "a file has the hash 'x'"),
        (lambda body: body["files"]["tasks.jsonl"].update(dtype="<i8"), "the key 'shape' is missing"),
        (lambda body: body["files"]["ids_order.npy"].update(shape=["4"]), r"and the shape \['4'\]"),
        (lambda body: body.update(files=[]), r"'files' is \[\] instead of a dict"),
    ],
)
def test_a_hostile_manifest_is_refused(small: Corpus, change: Change, message: str) -> None:
    (small.path / "manifest.json").write_bytes(forge(small, change))
    with pytest.raises(CorpusFormatError, match=message) as caught:
        Corpus.open(small.path)
    assert str(small.path / "manifest.json") in str(caught.value)


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"null", b"[]", b"{", b"[" * 100_000, b'{"format": NaN}'])
def test_a_file_that_is_no_object_is_refused(small: Corpus, raw: bytes) -> None:
    (small.path / "manifest.json").write_bytes(raw)
    with pytest.raises(CorpusFormatError, match="is no manifest that this version reads"):
        read_manifest(small.path)


def test_a_huge_manifest_is_not_read(small: Corpus) -> None:
    with (small.path / "manifest.json").open("r+b") as file:
        file.truncate(1 << 30)
    with pytest.raises(CorpusFormatError, match="it is larger than 67108864 bytes"):
        read_manifest(small.path)


def test_a_change_that_leaves_it_well_formed_is_found(small: Corpus) -> None:
    path = small.path / "manifest.json"
    raw = path.read_bytes()
    for old, new in (
        (b'"tests"', b'"tasts"'),
        (b'{\n  "', b'{\n\t "'),
        (b'"manifest_sha256": "', b'"manifest_sha256": "0'),
    ):
        path.write_bytes(raw.replace(old, new, 1))
        with pytest.raises(CorpusIntegrityError, match=r"manifest\.json was changed after it was written"):
            read_manifest(small.path)


def test_a_folder_without_manifest_is_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "file"):
        with pytest.raises(CorpusNotFoundError, match=r"a corpus is a folder with a manifest\.json"):
            Corpus.open(path)


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "-x", "a/b", "a\\b", "a b", "é", "a\n", "x" * 129])
def test_names_that_are_not_plain_are_refused(name: str) -> None:
    with pytest.raises(CorpusFormatError, match="is no plain name"):
        check_name(name)


def test_malformed_rows_are_listed(small: Corpus) -> None:
    row = {"file": "f", "where": "line 3", "reason": "it is odd"}
    manifest = parse_manifest(forge(small, lambda body: body.update(malformed=[row])), Path("m"))
    assert manifest.malformed == (MalformedRow("f", "line 3", "it is odd"),)
