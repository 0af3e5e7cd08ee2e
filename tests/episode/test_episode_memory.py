"""Memory, reading, browsing and assessors (rules 5, 11 and 36)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scholar_env.episode.scholargym.assess import (
    Assessment,
    Assessor,
    Candidate,
    LexicalAssessor,
    RecordedAssessor,
    load_reference,
    terms,
)
from scholar_env.episode.scholargym.browse import NO_FULL_TEXT, ExtractiveBrowser, main_sections, sentences
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.trace import Outcome, RecordedAssessment
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Section

Begin = Callable[..., Episode]


def call(episode: Episode, name: str, **arguments: Any) -> Outcome:
    return episode.call({"name": name, "arguments": arguments})


def entry(text: str, **more: Any) -> dict[str, Any]:
    return {"link": "derive", "source": 0, "text": text, **more}


# Memory.


def test_memory_keeps_the_last_texts_that_are_not_empty(start: Begin) -> None:
    episode = start()
    call(episode, "plan", subqueries=[entry("alpha")], checklist="c1", experience="e1")
    call(episode, "plan", subqueries=[entry("beta")], checklist="", experience="e2")
    assert episode.memory.to_json() == {"checklist": "c1", "experience": "e2", "history": []}


def test_memory_ablation_keeps_the_raw_plans_instead(start: Begin) -> None:
    episode = start(memory=False)
    call(episode, "plan", subqueries=[entry("alpha", k=3)], checklist="c1", experience="e1")
    assert (episode.memory.checklist, episode.memory.experience) == ("c1", "")
    (raw,) = episode.memory.history
    assert json.loads(raw) == {
        "subqueries": [entry("alpha", k=3)],
        "checklist": "c1",
        "experience": "e1",
        "complete": False,
    }


# Assessors.


class Watcher:
    """Keeps the last paper of each page and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, str, tuple[Candidate, ...]]] = []

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        self.seen.append((question, subquery, checklist, tuple(page)))
        return Assessment((page[-1].id, "elsewhere"), {"nowhere": "goal"}, "an overview")


def test_assessor_sees_question_subquery_checklist_and_page(start: Begin) -> None:
    watcher = Watcher()
    episode = start(assessor=watcher)
    outcome = call(episode, "plan", subqueries=[entry("alpha", k=2), entry("beta", k=1)], checklist="dated")
    question = "Which papers are about alpha?"
    p00 = Candidate("p00", 30.0, "2015-06-01", "Title 0", "Abstract 0.")
    p01 = Candidate("p01", 29.0, "2015-06-01", "Title 1", "Abstract 1.")
    p20 = Candidate("p20", 30.0, "2015-06-01", "Title 20", "Abstract 20.")
    assert watcher.seen == [(question, "alpha", "dated", (p00, p01)), (question, "beta", "dated", (p20,))]
    assert list(episode.selected) == ["p01", "p20"]
    assert outcome.assessments[0] == RecordedAssessment(1, 1, 1, False, ("p01",), {}, "an overview")
    assert episode.trace.iterations[0].overviews == {1: "an overview", 2: "an overview"}


def test_assessor_object_is_only_for_a_fixed_assessor(start: Begin) -> None:
    episode = start()
    with pytest.raises(InvalidOptionError, match="an assessor object with assessor='agent'"):
        Episode(episode.corpus, episode.index, episode.task, episode.config, assessor=Watcher())


def test_assisted_is_what_knows_the_gold(start: Begin) -> None:
    assert start(assessor="oracle").assisted
    assert not start(assessor="lexical").assisted
    assert not start().assisted


def test_oracle_overview_says_no_more_than_its_selection(start: Begin) -> None:
    outcome = call(start(assessor="oracle", gold=("p01", "p44")), "plan", subqueries=[entry("alpha", k=3)])
    assert outcome.assessments[0].overview == "1 of 3 papers kept"


def test_terms() -> None:
    assert terms("The Sparse-retrieval of BM25 and über uns, a_b") == {"sparse", "retrieval", "bm25", "über", "uns"}


def test_lexical_assessor_by_hand() -> None:
    """Subquery terms {sparse, retrieval}: 2/2 and 1/2 of them; question terms {sparse, retrieval, speech}: 2/3, 1/3."""
    page = [
        Candidate("both", 1.0, "", "Sparse retrieval", ""),
        Candidate("half", 1.0, "", "Sparse", "coding"),
        Candidate("read", 1.0, "", "Title", "", "It does sparse retrieval."),
    ]
    question = "Find papers on sparse retrieval for speech"
    assert LexicalAssessor()(question, "sparse retrieval", "", page).selected == ("both", "read")
    assert LexicalAssessor(min_subquery=0.5)(question, "sparse retrieval", "", page).selected == (
        "both",
        "half",
        "read",
    )
    assert LexicalAssessor(min_question=0.7)(question, "sparse retrieval", "", page).selected == ()
    assert LexicalAssessor()("the", "of", "", page[:1]).selected == ("both",)


def test_recorded_assessor_gives_back_by_place(start: Begin) -> None:
    first = start(assessor="oracle", gold=("p01",))
    outcome = call(first, "plan", subqueries=[entry("alpha", k=2)])
    again = start(assessor=RecordedAssessor(outcome.assessments), gold=("p00",))
    call(again, "plan", subqueries=[entry("alpha", k=2)])
    assert list(again.selected) == ["p01"]
    call(again, "plan", subqueries=[entry("beta", k=2)])
    assert list(again.selected) == ["p01"]
    record = outcome.assessments[0]
    assert RecordedAssessment.from_json(json.loads(json.dumps(record.to_json()))) == record


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("no_such_module:x", "assessor='no_such_module:x' cannot be imported (No module named 'no_such_module')"),
        ("json:nothing", "assessor='json:nothing' cannot be imported (module 'json' has no attribute 'nothing')"),
        ("json:__doc__", "assessor='json:__doc__' is a str"),
    ],
)
def test_unusable_references(start: Begin, reference: str, message: str) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        start(assessor=reference)
    assert str(caught.value).startswith(message)


def test_a_named_class_is_instantiated() -> None:
    assert isinstance(
        load_reference("assessor", "scholar_env.episode.scholargym.assess:LexicalAssessor"), LexicalAssessor
    )


# Browsing.


def test_extractive_browser_by_hand() -> None:
    sections = [
        Section("Intro", "Cats sleep. Sparse retrieval of text! Nothing here?\nSparse vectors"),
        Section("Appendix A", "Sparse retrieval sparse retrieval."),
        Section("End", "Retrieval, sparse. Retrieval again."),
    ]
    browser = ExtractiveBrowser()
    assert (
        browser("sparse retrieval", "", "", sections) == "Sparse retrieval of text! Sparse vectors Retrieval, sparse."
    )
    assert browser("unheard", "", "", sections) == "Cats sleep. Sparse retrieval of text! Nothing here?"
    assert browser("", "vectors", "", sections) == "Sparse vectors"
    assert [section.title for section in main_sections(sections)] == ["Intro", "End"]


def test_sentences() -> None:
    assert sentences(" One. Two?  Three\n\nfour 3.5 five! ") == ["One.", "Two?", "Three", "four 3.5 five!"]


def test_agent_browses_a_paper_of_the_open_iteration(start: Begin) -> None:
    episode = start(browser_mode="REFRESH")
    call(episode, "derive", text="alpha", k=3)
    outcome = call(episode, "browse", paper="p00", goal="which data?")
    assert outcome.document == {
        "paper": "p00",
        "title": "Title 0",
        "goal": "which data?",
        "summary": "Cats sleep. Dogs bark loudly. Sparse retrieval finds papers fast.",
    }
    bare = call(episode, "browse", paper="p01", goal="which data?")
    assert bare.document is not None
    assert bare.document["summary"] == NO_FULL_TEXT + "Abstract 1."
    refused = call(episode, "browse", paper="p30", goal="x")
    assert (refused.error_code, refused.error) == (
        "unknown_paper",
        "browse: 'p30' is on no page of the open iteration; browse a paper shown in it",
    )
    call(episode, "next_iteration")
    assert call(episode, "browse", paper="p00").error_code == "unknown_paper"


def test_abstract_only_has_no_browsing_and_no_full_text(start: Begin) -> None:
    episode = start(browser_mode="NONE")
    call(episode, "derive", text="alpha")
    assert call(episode, "browse", paper="p00", goal="x").error_code == "not_available"
    outcome = call(episode, "read", paper="p00")
    assert outcome.document == {
        "paper": "p00",
        "title": "Title 0",
        "date": "2015-06-01",
        "authors": ["Ada Byron"],
        "sections": [],
        "section": "",
        "offset": 0,
        "text": "Abstract 0.",
    }
    refused = call(episode, "read", paper="p00", section="Data")
    assert refused.error == "read: no section 'Data'; sections: none (abstract only)"


def test_read_a_section_in_parts(start: Begin) -> None:
    episode = start(browser_mode="REFRESH", max_document_chars=100)
    document = call(episode, "read", paper="p05").document
    assert document is not None
    assert document["sections"] == ["Introduction", "Data", "Long", "References"]
    text = "Cats sleep. Dogs bark loudly. Sparse retrieval finds papers fast. Birds sing."
    for section in ("Introduction", "introduction", "1"):
        read = call(episode, "read", paper="p05", section=section)
        assert read.document is not None
        assert (read.document["section"], read.document["text"], read.notices) == ("Introduction", text, ())
    part = call(episode, "read", paper="p05", section="Long")
    assert part.document is not None
    assert part.document["text"] == "word " * 20
    assert part.notices == ("read: 150 characters more; read on with offset 100",)
    rest = call(episode, "read", paper="p05", section="Long", offset=245)
    assert rest.document is not None
    assert (rest.document["text"], rest.document["offset"], rest.notices) == ("word ", 245, ())
    unknown = call(episode, "read", paper="p05", section="9")
    assert unknown.error == "read: no section '9'; sections: 1: Introduction; 2: Data; 3: Long; 4: References"


def test_read_only_what_a_search_could_return(start: Begin) -> None:
    bounded = start(before="2020-01")
    for paper in ("late", "undated", "nowhere"):
        outcome = call(bounded, "read", paper=paper)
        assert outcome.error == f"read: this task's corpus has no paper '{paper}'; take an id from the results"
    for paper in ("late", "undated"):
        assert call(start(), "read", paper=paper).error == ""
    assert list(bounded.retrieved) == []


class Sceptic:
    """Keeps p00 and wants p01 and p02 read; after reading keeps p02 and p03 only."""

    def __init__(self) -> None:
        self.pages: list[list[tuple[str, str, str]]] = []

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        self.pages.append([(c.id, c.abstract, c.summary) for c in page])
        if any(candidate.summary for candidate in page):
            return Assessment(("p02", "p03"), {"p03": "again?"}, "second")
        return Assessment(("p00",), {"p02": "data", "p01": "data", "p44": "x"}, "first")


def judged(start: Begin, mode: str, assessor: Assessor) -> tuple[Episode, Outcome]:
    episode = start(browser_mode=mode, assessor=assessor)
    return episode, call(episode, "plan", subqueries=[entry("alpha", k=4)])


def test_none_passes_over_what_should_be_browsed(start: Begin) -> None:
    sceptic = Sceptic()
    episode, outcome = judged(start, "NONE", sceptic)
    assert (list(episode.selected), len(sceptic.pages), len(outcome.assessments)) == (["p00"], 1, 1)
    assert list(episode.trace.iterations[0].browsed) == []


def test_refresh_judges_the_whole_page_again_and_replaces(start: Begin) -> None:
    sceptic = Sceptic()
    episode, outcome = judged(start, "REFRESH", sceptic)
    assert sceptic.pages[1] == [
        ("p00", "Abstract 0.", ""),
        ("p01", "", NO_FULL_TEXT + "Abstract 1."),
        ("p02", "", NO_FULL_TEXT + "Abstract 2."),
        ("p03", "Abstract 3.", ""),
    ]
    assert list(episode.selected) == ["p02", "p03"]
    assert list(episode.trace.iterations[0].browsed) == ["p01", "p02"]
    assert [(a.browsed, a.selected, a.to_browse) for a in outcome.assessments] == [
        (False, ("p00",), {"p01": "data", "p02": "data"}),
        (True, ("p02", "p03"), {"p03": "again?"}),
    ]
    assert episode.trace.iterations[0].overviews == {1: "second"}


def test_incremental_judges_only_what_was_read_and_merges(start: Begin) -> None:
    sceptic = Sceptic()
    episode, _ = judged(start, "INCREMENTAL", sceptic)
    assert [paper for paper, _, _ in sceptic.pages[1]] == ["p01", "p02"]
    assert list(episode.selected) == ["p00", "p02"]  # p03 was not before the assessor in its second pass


def test_pre_enrich_reads_before_the_only_selection(start: Begin) -> None:
    class Careful(Sceptic):
        def decide(self, question: str, subquery: str, checklist: str, candidate: Candidate) -> str:
            return "retrieval data" if candidate.id == "p00" else ""

    careful = Careful()
    episode, outcome = judged(start, "PRE_ENRICH", careful)
    assert [summary for _, _, summary in careful.pages[0]] == [
        "Sparse retrieval finds papers fast. We train on Wikipedia and evaluate retrieval on BEIR.", "", "", "",
    ]  # fmt: skip
    assert (len(careful.pages), list(episode.selected), len(outcome.assessments)) == (1, ["p02", "p03"], 1)
    assert list(episode.trace.iterations[0].browsed) == ["p00", "p01", "p02", "p03"]


def test_pre_enrich_without_a_decision_reads_what_has_full_text(start: Begin) -> None:
    sceptic = Sceptic()
    judged(start, "PRE_ENRICH", sceptic)
    assert [bool(summary) for _, _, summary in sceptic.pages[0]] == [True, False, False, False]
