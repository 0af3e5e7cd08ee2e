"""Imports of OpenAlex, unarXive and S2ORC: what is read, what is refused and counted, and what a killed one leaves."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env import works_parts
from scholar_env.corpora import openalex, s2orc, unarxive
from scholar_env.corpus import Corpus
from scholar_env.errors import CorpusFormatError, CorpusNotFoundError, ImportRowError, InvalidOptionError
from scholar_env.inverted_abstract import abstract_of
from scholar_env.records import Section
from scholar_env.works import Condition, Mention
from scholar_env.works_import import JOURNALS, MENTIONS, TOPICS

SHARED = Path(os.environ.get("SCHOLAR_ENV_SHARED_DATA", "../shared/data"))


def openalex_work(number: int, cited: Iterable[int] = (), **fields: Any) -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/W{number}",
        "title": f"On subject {number}",
        "publication_date": f"20{number % 20:02d}-05-17",
        "type": "article",
        "abstract_inverted_index": {"we": [0], "study": [1], f"topic{number}": [2, 4], "and": [3]},
        "primary_location": {"source": {"id": f"https://openalex.org/S{number % 3}", "display_name": "A Journal"}},
        "primary_topic": {
            "id": "https://openalex.org/T7",
            "subfield": {"display_name": "Optics"},
            "field": {"display_name": "Physics"},
            "domain": {"display_name": "Physical Sciences"},
        },
        "authorships": [{"author": {"display_name": "Ana Lee"}}, {"author": None, "raw_author_name": "B. Roy"}],
        "referenced_works": [f"https://openalex.org/W{other}" for other in cited],
        **fields,
    }


def write_lines(path: Path, rows: Iterable[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    with gzip.open(path, "wb") as file:
        file.write(b"\n".join(lines) + b"\n")


def test_a_snapshot_becomes_papers_references_and_tables(tmp_path: Path) -> None:
    release = tmp_path / "snapshot"
    write_lines(release / "data/works/updated_date=1/part_000.gz", [openalex_work(1), openalex_work(2, [1, 2, 9])])
    write_lines(
        release / "data/works/updated_date=2/part_000.gz",
        [openalex_work(3, [2, 1, 2], primary_location=None, abstract_inverted_index=None, primary_topic=None)],
    )
    write_lines(release / "data/authors/part_000.gz", [{"id": "https://openalex.org/A1"}])
    report = openalex.import_release(release, folder=tmp_path / "corpus")
    corpus = Corpus.open(report.path)
    papers = [corpus.paper(row) for row in range(corpus.n_papers)]
    assert [paper.id for paper in papers] == ["W1", "W2", "W3"]
    assert papers[0].abstract == "we study topic1 and topic1"
    assert papers[0].authors == ("Ana Lee", "B. Roy")
    assert papers[0].categories == ("Optics", "Physics", "Physical Sciences")
    assert [paper.references for paper in papers] == [(), ("W1", "W9"), ("W2", "W1")]
    assert [paper.date for paper in papers] == ["2001-05-17", "2002-05-17", "2003-05-17"]
    assert papers[2].abstract == ""
    assert corpus.tables.texts(JOURNALS) == ("S1", "S2", "")
    assert corpus.tables.texts(TOPICS) == ("T7", "T7", "")
    assert report.counts["self_references"] == 1
    assert report.counts["dangling_references"] == 1
    assert corpus.manifest.licence == "CC0 1.0"
    assert not list(tmp_path.glob(".corpus.works*"))


def test_malformed_rows_are_named_and_counted_and_a_strict_import_stops_at_the_first(tmp_path: Path) -> None:
    good = openalex_work(1)
    odd = [
        b'{"id": "https://openalex.org/W5"',
        b"[" * 100_000,
        b"7",
        openalex_work(6, id="https://openalex.org/A6"),
        openalex_work(7, publication_date="yesterday"),
        openalex_work(8, title="\ud800"),
        openalex_work(9, referenced_works="W1"),
        good,
    ]
    write_lines(tmp_path / "in/part.gz", [good, *odd])
    report = openalex.import_release(tmp_path / "in", folder=tmp_path / "corpus")
    assert (report.n_papers, report.n_malformed) == (1, {"part.gz": 8})
    reasons = {row.where: row.reason for row in report.malformed}
    assert reasons["line 2"].startswith("it is no JSON (")
    assert reasons["line 3"].startswith("it is no JSON (")
    assert reasons["line 4"] == "it is 7 instead of an object"
    assert reasons["line 5"] == "its id 'https://openalex.org/A6' is none of a work"
    assert reasons["line 6"] == "the date 'yesterday' is not YYYY-MM-DD, YYYY-MM or empty"
    assert reasons["line 7"] == "'\\ud800' holds a lone surrogate"
    assert reasons["line 8"] == "referenced_works is 'W1' instead of a list"
    assert reasons["line 9"] == "the id 'W1' was there before"
    assert Corpus.open(report.path).manifest.counts["malformed_works"] == 8
    with pytest.raises(ImportRowError, match=r"part\.gz, line 2: it is no JSON"):
        openalex.import_release(tmp_path / "in", folder=tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()
    write_lines(tmp_path / "doubled/part.gz", [good, good])
    with pytest.raises(ImportRowError, match=r"part\.gz, line 2: the id 'W1' was there before"):
        openalex.import_release(tmp_path / "doubled", folder=tmp_path / "strict", strict=True)


def test_conditions_keep_records_out(tmp_path: Path) -> None:
    rows = [openalex_work(number, type="article" if number % 2 else "letter") for number in range(1, 9)]
    write_lines(tmp_path / "in/part.gz", rows)
    keep = ["type=article,review", "publication_date=2003-05-17,2005-05-17,2007-05-17", "primary_topic.id=none"]
    report = openalex.import_release(tmp_path / "in", folder=tmp_path / "corpus", keep=keep[:2])
    assert [Corpus.open(report.path).id_of(row) for row in range(report.n_papers)] == ["W3", "W5", "W7"]
    assert report.counts["kept_out_by_conditions"] == 5
    with pytest.raises(CorpusFormatError, match=r"holds no work that can be used \(0 malformed rows; 8 kept out"):
        openalex.import_release(tmp_path / "in", folder=tmp_path / "none", keep=keep)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("a.b=1", True),
        ("a.b=2,1", True),
        ("a.b>=2", False),
        ("a.c.d=x", True),
        ("a.c.d=z", False),
        ("e=true", True),
        ("e>=1", False),
        ("missing=1", False),
    ],
)
def test_a_condition_looks_at_fields_and_into_lists(text: str, holds: bool) -> None:
    record = {"a": {"b": 1, "c": [{"d": "x"}, {"d": "y"}, 3]}, "e": True}
    assert Condition.parse(text).holds(record) is holds


@pytest.mark.parametrize("text", ["", "a", "=1", "a>=x", "a>=1,2", "a b=1"])
def test_a_condition_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidOptionError, match="a condition is FIELD=VALUE"):
        Condition.parse(text)


def test_an_import_without_files_and_a_damaged_file_are_told(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(CorpusNotFoundError, match="there are no works in"):
        openalex.import_release(tmp_path / "in", folder=tmp_path / "corpus")
    write_lines(tmp_path / "in/part.gz", [openalex_work(number) for number in range(1, 2000)])
    whole = (tmp_path / "in/part.gz").read_bytes()
    (tmp_path / "in/part.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorpusFormatError, match=r"part\.gz cannot be read after record \d+ .*download it again"):
        openalex.import_release(tmp_path / "in", folder=tmp_path / "corpus")
    assert not (tmp_path / "corpus").exists()


def test_an_import_that_was_cut_off_goes_on_and_gives_the_same_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(works_parts, "ROWS", 3)
    release = tmp_path / "in"
    write_lines(release / "a.gz", [openalex_work(number, [number - 1]) for number in range(2, 10)])
    write_lines(release / "b.gz", [openalex_work(number, [3]) for number in range(10, 15)])
    whole = openalex.import_release(release, folder=tmp_path / "whole")

    read: list[str] = []
    original = openalex.FORMAT.parse

    def counted(record: dict[str, Any]) -> Any:
        if len(read) == 9:
            raise KeyboardInterrupt
        read.append(record["id"])
        return original(record)

    form = type(openalex.FORMAT)(**{**openalex.FORMAT.__dict__, "parse": counted})
    monkeypatch.setattr(openalex, "FORMAT", form)
    with pytest.raises(KeyboardInterrupt):
        openalex.import_release(release, folder=tmp_path / "again")
    assert not (tmp_path / "again").exists()
    (parts,) = tmp_path.glob(".again.works-*")
    damaged = sorted(parts.glob("00000-000001-*.part"))[0]
    damaged.write_bytes(damaged.read_bytes()[:-1])

    read.clear()
    monkeypatch.setattr(
        openalex, "FORMAT", type(form)(**{**form.__dict__, "parse": lambda r: original(_noted(read, r))})
    )
    resumed = openalex.import_release(release, folder=tmp_path / "again")
    names = [name.rpartition("/")[2] for name in read]
    assert names[0] == "W5", "the first part was read already, the second is damaged"
    assert "W2" not in names
    assert Corpus.open(resumed.path).fingerprint == Corpus.open(whole.path).fingerprint
    assert not list(tmp_path.glob(".again.works*"))


def _noted(read: list[str], record: dict[str, Any]) -> dict[str, Any]:
    read.append(record["id"])
    return record


KILLED = """
import os, signal, sys
from scholar_env import works_parts
from scholar_env.corpora import openalex
works_parts.ROWS = 50
def tell(stage, done, total):
    if stage == sys.argv[3] and done:
        os.kill(os.getpid(), signal.SIGKILL)
openalex.import_release(sys.argv[1], folder=sys.argv[2], progress=tell)
"""


@pytest.mark.parametrize("stage", ["works", "papers", "index"])
def test_a_killed_import_leaves_no_corpus_and_the_next_one_is_whole(tmp_path: Path, stage: str) -> None:
    write_lines(tmp_path / "in/a.gz", [openalex_work(number, [number // 2]) for number in range(2, 200)])
    write_lines(tmp_path / "in/b.gz", [openalex_work(number, [number // 2]) for number in range(200, 250)])
    target = tmp_path / "corpus"
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "in"), str(target), stage], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not target.exists()
    report = openalex.import_release(tmp_path / "in", folder=target)
    again = openalex.import_release(tmp_path / "in", folder=tmp_path / "other")
    assert Corpus.open(report.path, verify=True).fingerprint == Corpus.open(again.path).fingerprint
    assert report.n_papers == 248


@pytest.mark.parametrize(
    ("index", "abstract"),
    [
        ({"a": [3], "b": [0]}, "b a"),
        ({"a": [0], "b": [0]}, "b"),
        ({"a": ["0"], "b": [1]}, ""),
        ({"a": 0}, ""),
        ({"a": None, "b": []}, ""),
        (None, ""),
        ([1], ""),
    ],
)
def test_abstracts_are_rebuilt_as_the_release_does(index: Any, abstract: str) -> None:
    assert abstract_of(index) == abstract


ARXIV = {
    "paper_id": "2212.00001v2",
    "metadata": {
        "title": "A\n  title",
        "abstract": "  Some\ntext. ",
        "authors": "Ana Lee, B. Roy and C. Poe",
        "categories": "math.PR math.CA",
        "versions": [{"created": "Thu, 1 Dec 2022 17:01:56 GMT"}, {"created": "Fri, 2 Dec 2022 17:01:56 GMT"}],
        "update_date": "2023-01-01",
    },
    "bib_entries": {
        "k1": {"ids": {"arxiv_id": "2104.06921v3", "open_alex_id": "https://openalex.org/W1"}},
        "k2": {"ids": {"arxiv_id": "", "open_alex_id": "https://openalex.org/W2", "doi": "10.1/x"}},
        "k3": {"ids": {"arxiv_id": "", "open_alex_id": "", "doi": "https://doi.org/10.48550/arXiv.2103.00020"}},
        "k4": {"ids": None, "contained_arXiv_ids": [{"id": "math/0501001"}]},
        "k5": {"ids": {}},
        "k6": {"ids": {"arxiv_id": "2212.00001"}},
    },
    "ref_entries": {"f": {"type": "formula", "latex": "x^2 "}, "g": {"type": "figure"}},
}
FIRST, SECOND = "Let {{formula:f}} be  as in {{cite:k2}}, {{cite:k5}} and {{cite:k2}}.", "See {{cite:k1}} {{figure:g}}."


@pytest.mark.parametrize(
    "body",
    [
        {"body_text": [{"section": "One", "text": FIRST}, {"section": "One", "text": SECOND}]},
        {"sections": {"One": {"text": f"{FIRST}\n\n{SECOND}\n", "cite_spans": []}}},
    ],
)
def test_both_forms_of_unarxive_are_read_alike(body: dict[str, Any]) -> None:
    work = unarxive.work_from_record({**ARXIV, **body})
    assert (work.paper.id, work.paper.title, work.paper.abstract) == ("2212.00001", "A title", "Some text.")
    assert work.paper.date == "2022-12-01"
    assert work.paper.authors == ("Ana Lee", "B. Roy", "C. Poe")
    assert work.paper.categories == ("math.PR", "math.CA")
    assert work.paper.references == ("2104.06921", "W2", "2103.00020", "math/0501001")
    assert work.paper.sections == (Section("One", "Let x^2 be as in [2], [5] and [2].\n\nSee [1] [figure]."),)
    assert work.mentions == (Mention("W2", 0), Mention("2104.06921", 1))
    assert (work.n_self, work.n_unidentified) == (1, 1)


TEXT = "The title\nAna Lee\nShort abstract.\nIntro\nAs [1] and [2] show.\nMore.\nEnd\nLike [1].\n[1] X. [2] Y."


def span(part: str, text: str = TEXT, start: int = 0, **attributes: str) -> dict[str, Any]:
    at = text.index(part, start)
    return {"start": at, "end": at + len(part), **({"attributes": attributes} if attributes else {})}


def s2orc_record(form: str, number: int = 1, arxiv: str | None = "1905.00123", matched: str = "2") -> dict[str, Any]:
    notes = {
        "title": [span("The title")],
        "author": [span("Ana Lee")],
        "abstract": [span("Short abstract.")],
        "sectionheader": [span("Intro"), span("End")],
        "paragraph": [span("As [1] and [2] show."), span("More."), span("Like [1].")],
        "bibref": [span("[1]", ref_id="b0"), span("[2]", ref_id="b1"), span("[1]", start=60, ref_id="b0")],
    }
    entries = [{**span("[1] X."), "attributes": {"id": "b0", "matched_paper_id": matched}}, span("[2] Y.", id="b1")]
    ids = {"arxiv" if form == "s2orc" else "ArXiv": arxiv}
    if form == "s2orc":
        texts = {kind: json.dumps(rows) for kind, rows in {**notes, "bibentry": entries}.items()}
        content = {"text": TEXT, "annotations": {**texts, "table": None}}
        return {"corpusid": number, "externalids": ids, "content": content}
    named = {"section_header": notes.pop("sectionheader"), "bib_ref": notes.pop("bibref"), **notes}
    return {
        "corpusid": number,
        "openaccessinfo": {"externalids": ids},
        "body": {"text": TEXT, "annotations": named},
        "bibliography": {"text": TEXT, "annotations": {"bib_entry": entries}},
    }


@pytest.mark.parametrize("form", ["s2orc", "s2orc_v2"])
def test_both_forms_of_s2orc_are_read_alike(form: str) -> None:
    work = s2orc.work_from_record(s2orc_record(form))
    assert (work.paper.id, work.paper.title, work.paper.abstract) == ("1905.00123", "The title", "Short abstract.")
    assert (work.paper.date, work.paper.authors) == ("2019-05", ("Ana Lee",))
    assert work.paper.sections == (Section("Intro", "As [1] and [2] show.\n\nMore."), Section("End", "Like [1]."))
    assert work.paper.references == ("S2:2",)
    assert work.mentions == (Mention("S2:2", 0), Mention("S2:2", 2))
    assert (work.n_unidentified, work.also) == (1, ("S2:1",))


def test_references_of_s2orc_find_papers_under_their_arxiv_ids(tmp_path: Path) -> None:
    rows = [
        s2orc_record("s2orc", 1, "1905.00123", matched="2"),
        s2orc_record("s2orc", 2, "math/9901001", matched="3"),
        s2orc_record("s2orc_v2", 3, None, matched="1"),
        s2orc_record("s2orc_v2", 4, None, matched="4"),
    ]
    write_lines(tmp_path / "in/part.gz", rows)
    report = s2orc.import_release(tmp_path / "in", folder=tmp_path / "corpus")
    corpus = Corpus.open(report.path)
    papers = [corpus.paper(row) for row in range(4)]
    assert [paper.id for paper in papers] == ["1905.00123", "math/9901001", "S2:3", "S2:4"]
    assert [paper.references for paper in papers] == [("math/9901001",), ("S2:3",), ("1905.00123",), ()]
    assert [paper.date for paper in papers] == ["2019-05", "1999-01", "", ""]
    columns = [np.asarray(corpus.tables.array(name)).tolist() for name in MENTIONS]
    assert columns == [[0, 0, 1, 1, 2, 2], [1, 1, 2, 2, 0, 0], [0, 2] * 3, [0] * 6]
    assert (report.counts["dangling_references"], report.counts["self_references"]) == (0, 1)


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the folder of real papers")
def test_real_files_of_unarxive_and_openalex_are_read(tmp_path: Path) -> None:
    report = unarxive.import_release(SHARED / "unarxive", folder=tmp_path / "unarxive", strict=True)
    corpus = Corpus.open(report.path)
    assert report.n_papers == 50
    last = corpus.paper(corpus.row_of("2310.00826") or 0)
    assert (last.date, len(last.references)) == ("2023-10-02", 23)
    assert "{{cite:" not in "".join(section.text for row in range(50) for section in corpus.paper(row).sections)
    report = openalex.import_release(SHARED / "openalex/workJsonResponse.json", folder=tmp_path / "openalex")
    paper = Corpus.open(report.path).paper(0)
    assert (paper.id, paper.references) == ("W2741809807", ("W1560783210", "W1724212071"))
    assert paper.abstract == "Despite growing interest in in in in in"
