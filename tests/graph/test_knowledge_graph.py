"""The knowledge graph: names in any script, searches against enumeration, damage, and the nine APIs over it."""

from __future__ import annotations

import dataclasses
import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env.episode.aise.apis import APIS
from scholar_env.episode.aise.calling import KnowledgeApis, canonical, name_of
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_build import build_graph
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE, canonical_links, entity_link, entity_of
from scholar_env.graph.kg_names import folded
from scholar_env.graph.kg_search import AuthorQuery, PaperQuery, search_authors, search_papers, search_scholar
from tests.small_graph import small_graph, small_tables


def apis() -> KnowledgeApis:
    return KnowledgeApis(small_graph())


def ids(result: Any) -> list[str]:
    return list(result["data"]["paper_ids"])


def test_links_lead_to_entities_and_back() -> None:
    link = entity_link(AUTHOR, "0a" * 12)
    assert link == f"https://www.aminer.cn/profile/{'0a' * 12}"
    assert entity_of(link + "/") == (AUTHOR, "0a" * 12)
    assert entity_of("https://www.aminer.cn/profile/short") is None
    assert canonical_links(f'{{"[1]": "{link}"}} http://aminer.cn/profile/{"0A" * 12}') == [link]
    assert set(small_graph().counts) == {"papers", "authors", "venues", "orgs"}


def test_names_are_found_in_every_wording_and_with_a_typo() -> None:
    graph, authors = small_graph(), small_tables().authors
    row = next(at for at, name in enumerate(authors.native) if name and name[0] > "\u4e00")
    name = authors.names[row]
    given, family = name.rsplit(" ", 1)
    for wording in (name, name.upper(), f"{family} {given}", authors.native[row], f"{family}, {given}"):
        assert row in graph.author_names.exact(wording).tolist()
    typo = name[:2] + "q" + name[3:]
    assert row in graph.author_names.fuzzy(typo)[0].rows.tolist()
    assert graph.author_names.fuzzy("zzzzqqqq") == []
    assert any(row in found.rows.tolist() for found in graph.author_names.prefix(name[:-1], most=500))
    assert folded("Łukasz  Gül-Öz") == folded("łukasz gul oz")


def test_paper_searches_agree_with_enumeration() -> None:
    graph, papers = small_graph(), small_tables().papers
    topic = papers.keywords[3][0]
    truth = {row for row in range(len(papers.keys)) if topic in papers.keywords[row] and papers.listed[row]}
    found = search_papers(graph, PaperQuery(keywords=[topic], size=100))
    assert truth <= set(found.rows)
    assert found.total == len(found.rows)
    order = [(-int(papers.citations[row]), -int(papers.year[row]), row) for row in found.rows]
    assert order == sorted(order)
    newest = search_papers(graph, PaperQuery(keywords=[topic], sort="year", size=100))
    assert [int(papers.year[row]) for row in newest.rows] == sorted(
        (int(papers.year[row]) for row in found.rows), reverse=True
    )
    year = int(papers.year[found.rows[0]])
    assert set(search_papers(graph, PaperQuery(keywords=[topic], years=[year], size=100)).rows) == {
        row for row in found.rows if papers.year[row] == year
    }
    author = graph.authors_of(found.rows[0])[0]
    own = search_papers(graph, PaperQuery(author_id=graph.id_of(AUTHOR, author), size=100))
    assert set(own.rows) == {
        row for row in range(len(papers.keys)) if author in graph.authors_of(row) and papers.listed[row]
    }
    venue = next(int(v) for v in papers.venue if v >= 0)
    in_venue = search_papers(graph, PaperQuery(venues=[small_tables().venues.short[venue].lower()], size=100))
    assert set(in_venue.rows) == {
        row for row in range(len(papers.keys)) if papers.venue[row] == venue and papers.listed[row]
    }
    sci = search_papers(graph, PaperQuery(is_sci=True, size=100))
    assert sci.total == int((graph.is_sci & papers.listed).sum())


def test_author_searches_agree_with_enumeration() -> None:
    graph, authors = small_graph(), small_tables().authors
    topic = authors.interests[5][0]
    truth = {row for row, topics in enumerate(authors.interests) if topic in topics}
    found = search_authors(graph, AuthorQuery(interest=[topic], order="h_index", size=1000))
    assert set(found.rows) == truth
    values = [int(graph.measure("h_index")[row]) for row in found.rows]
    assert values == sorted(values, reverse=True)
    org = int(authors.org[5])
    at = search_authors(graph, AuthorQuery(org=small_tables().orgs.names[org], interest=[topic], size=1000))
    assert set(at.rows) == {row for row in truth if authors.org[row] == org}
    chinese = next((other for other, english in small_tables().topics if english == topic), "")
    if chinese:
        assert set(search_authors(graph, AuthorQuery(interest=[chinese], size=1000)).rows) == truth


def test_measures_of_authors_by_hand() -> None:
    graph = small_graph()
    row = int(np.argmax(graph.measure("n_pubs")))
    cited = sorted((int(graph.citations[paper]) for paper in graph.papers_of_author(row)), reverse=True)
    assert int(graph.measure("n_citation")[row]) == sum(cited)
    assert int(graph.measure("h_index")[row]) == sum(count > place for place, count in enumerate(cited))
    assert int(graph.measure("g_index")[row]) == sum(sum(cited[: g + 1]) >= (g + 1) ** 2 for g in range(len(cited)))


def test_the_second_search_covers_other_papers() -> None:
    graph, papers = small_graph(), small_tables().papers
    hidden = next(row for row in range(400) if not papers.listed[row] and papers.scholar[row])
    title = papers.titles[hidden]
    assert search_papers(graph, PaperQuery(titles=[title])).rows == []
    assert hidden in [row for row, _ in search_scholar(graph, title)]
    uncovered = next(row for row in range(400) if papers.listed[row] and not papers.scholar[row])
    assert uncovered not in [row for row, _ in search_scholar(graph, papers.titles[uncovered], 50)]


def test_released_names_mean_the_canonical_parameters() -> None:
    call = apis()
    name = small_tables().authors.names[5]
    found = call("search_author_id", {"author": name})["data"]
    assert found == call("search_author_id", {"name": name})["data"]
    one = found[0]["id"]
    assert call("search_author_detail", {"author_ids": [one]}) == call("search_author_detail", {"ids": [one]})
    assert call("search_author_detail", {"author_id": one})[0]["id"] == one
    assert canonical("search_paper_id", {"coauthors": "A One, B Two", "use_topic": True, "org": ""}) == {
        "coauthors": ["A One", "B Two"]
    }
    assert (name_of("search_org_id", "name"), name_of("search_org_id", "other")) == ("orgs", "other")


def test_details_hold_nothing_personal() -> None:
    call = apis()
    graph = call.graph
    records = [
        call("search_author_detail", {"ids": [graph.id_of(AUTHOR, 1)]})[0],
        *call("search_paper_detail", {"paper_ids": [graph.id_of(PAPER, 1)]})["data"],
        *call("search_venue_detail", {"ids": [graph.id_of(VENUE, 9)]})["data"],
        *call("search_org_detail", {"ids": [graph.id_of(ORG, 1)]})["data"],
    ]
    text = json.dumps(records)
    assert not any(
        f'"{name}"' in text for name in ("email", "emails", "phone", "homepage", "gender", "bio", "edu", "work")
    )


@pytest.mark.parametrize(
    ("api", "params", "error", "parameter"),
    [
        ("search_paper_id", {"colour": "red"}, "unknown_argument", "colour"),
        ("search_paper_id", {"keywords": "a"}, "wrong_type", "keywords"),
        ("search_paper_id", {"keywords": ["a"] * 21}, "out_of_range", "keywords"),
        ("search_paper_id", {"keywords": ["a"], "size": 101}, "out_of_range", "size"),
        ("search_paper_id", {"keywords": ["a"], "sort": "new"}, "out_of_range", "sort"),
        ("search_paper_id", {"language": "english"}, "out_of_range", "language"),
        ("search_paper_id", {"author_id": "7"}, "bad_id", "author_id"),
        ("search_paper_id", {"size": 5}, "missing_argument", "titles"),
        ("search_paper_detail", {"paper_ids": []}, "out_of_range", "paper_ids"),
        ("search_paper_detail", {}, "missing_argument", "paper_ids"),
        ("search_author_id", {"interest": ["x"], "size": 1001}, "out_of_range", "size"),
    ],
)
def test_a_bad_call_gets_a_structured_error(api: str, params: dict[str, Any], error: str, parameter: str) -> None:
    result = apis()(api, params)
    assert (result["success"], result["error"], result["parameter"], result["api"]) == (False, error, parameter, api)
    assert result["msg"].startswith(api)


def test_ten_thousand_malformed_calls_get_a_structured_error_each() -> None:
    call = apis()
    rng = np.random.default_rng(0)
    junk: list[Any] = [None, 7, -1.5, "x" * 2000, ["x", 5], {"a": 1}, True, [[]], ["x"] * 500, "\ud800", [None]]
    known = {name: [argument.name for argument in api.arguments] for name, api in APIS.items()}
    for number in range(10_000):
        api = list(APIS)[int(rng.integers(len(APIS)))]
        params: Any = {"bad" if rng.random() < 0.5 else "x": junk[int(rng.integers(len(junk)))]}
        if number % 3 == 0:
            params[known[api][int(rng.integers(len(known[api])))]] = junk[int(rng.integers(len(junk)))]
        if number % 50 == 0:
            params = junk[int(rng.integers(6))]
        name: Any = [api, "nothing", None, 5][int(rng.integers(4))] if number % 10 == 0 else api
        result = call(name, params)
        assert result["success"] is False
        assert result["error"] in {"unknown_api", "wrong_type", "unknown_argument", "out_of_range", "missing_argument"}
        assert result["msg"]


def test_unknown_ids_are_an_error_only_where_none_is_known() -> None:
    call = apis()
    known = call.graph.id_of(VENUE, 2)
    assert call("search_venue_detail", {"ids": ["0" * 24]})["error"] == "unknown_id"
    assert [venue["id"] for venue in call("search_venue_detail", {"ids": ["0" * 24, known]})["data"]] == [known]


def test_equal_tables_make_equal_graphs_and_a_changed_byte_is_found(tmp_path: Path) -> None:
    first = KnowledgeGraph.open(build_graph(tmp_path / "a", small_tables()))
    assert first.fingerprint == small_graph().fingerprint
    assert pickle.loads(pickle.dumps(first)) is first
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    file = tmp_path / "b" / "author_h_index.npy"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(
        CorpusIntegrityError, match=r"author_h_index\.npy is damaged: its sha256 is not the one in the manifest"
    ):
        KnowledgeGraph.open(tmp_path / "b")
    manifest = tmp_path / "b" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"papers": 400', '"papers": 401'))
    with pytest.raises(CorpusIntegrityError, match="was changed after it was written"):
        KnowledgeGraph.open(tmp_path / "b")


def test_tables_that_do_not_fit_together_are_refused() -> None:
    tables = small_tables()
    bad = dataclasses.replace(tables.papers, venue=np.full(400, 10_000, dtype=np.int32))
    with pytest.raises(CorpusFormatError, match=r"column papers\.venue of a knowledge graph: it has values from 10000"):
        dataclasses.replace(tables, papers=bad).check()
    short = dataclasses.replace(tables.authors, positions=("x",))
    with pytest.raises(CorpusFormatError, match=r"column authors\.positions of a knowledge graph: it has 1 rows"):
        dataclasses.replace(tables, authors=short).check()
