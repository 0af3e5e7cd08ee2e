"""CompLit's checker: what sentences tell of a study by learned cues, what descriptions stand for, when it abstains."""

from __future__ import annotations

import pytest

from scholar_env.agents.complit_asks import asked_by, read_asks
from scholar_env.agents.complit_checker import CheckerAgent, decided_worth, worth_of
from scholar_env.agents.complit_clauses import Judgement, clauses_of, read_paper, tells
from scholar_env.agents.complit_headings import (
    learned_headings,
    paragraphs_of,
    read_headings,
    silent_on,
    stems_in,
    told_behind,
)
from scholar_env.agents.complit_phrases import Phrases, cues_of, names_for, read_phrases, told_by, words_of_names

PHRASES = Phrases(
    cues={
        "attribution is all": {"files": {"both": 9, "data": 9}},
        "forks of ~": {"files": {"both": 9, "code": 9}},
        "nothing left": {"files": {"none": 30}},
    },
    totals={"files": {"both": 30, "code": 30, "data": 30, "none": 30}},
    names={"watch airport": {"surveillance footage": 0.75}, "airport mall": {"surveillance footage": 0.5}},
)

HEADINGS = read_headings(
    """{"headings": {"Money": ["funding"], "Files": ["availability"], "Thanks": []}, "marks": {"funding": {
    "values": [["funding", "public"], ["funding", "company"], ["funding", "none"]],
    "stems": {"salari": [30, 30, -30], "civil servant": [30, -30, 0]}}}}"""
)

ASKS = read_asks(
    """{"asks": {"traits": ["funding", "labels"], "stems": {"label": [-15, 50], "without": [0, 20], "money": [60, -15]},
    "values": {"funding": ["public", "none"], "labels": ["none", "all"]},
    "marks": {"funding": {"money": [5, 0]}, "labels": {"without": [30, -15], "label": [0, 0]}},
    "others": ["without labels of wine"]}}"""
)


def test_two_facts_together_tell_what_neither_tells_alone() -> None:
    first, second = "Attribution is all that we ask for.", "There are 9 forks of SkelbaNet elsewhere."
    alone = told_by([first], PHRASES)["files"]
    assert alone["both"] == alone["data"] == 0.0 > alone["none"]
    both = told_by([first, second], PHRASES)["files"]
    assert both["both"] == 0.0
    assert max(both["code"], both["data"], both["none"]) < -4.0
    assert told_by(["Nothing of the kind is said."], PHRASES) == {}


def test_numbers_and_names_within_a_sentence_are_alike_in_cues() -> None:
    assert "# forks of ~" in cues_of("All 12 forks of Vexa")
    assert "# forks of ~" in cues_of("All 9 forks of BrulNet")


def test_a_description_stands_for_words_of_its_surest_key() -> None:
    assert names_for(("watch", "airport", "mall"), PHRASES) == {"surveillance footage": 0.75}
    assert names_for(("other",), PHRASES) == {}
    assert words_of_names("surveillance footage")["surveil footag"] == "surveillance footage"


def test_what_was_learned_is_read_from_json() -> None:
    text = '{"cues": {"a b c": {"t": {"v": 3}}}, "totals": {"t": {"v": 3}}, "names": {}}'
    assert told_by(["A b c."], read_phrases(text)) == {"t": {"v": 0.0}}


def test_what_is_said_in_so_many_words_counts_alone() -> None:
    text = "This work was supported by a government grant."
    document = {"paper": "p", "title": "A study", "date": "2020-01-01", "authors": ["A B"], "text": text}
    paper = read_paper(document, ("cs.LG",), ())
    assert tells(paper, "funding", "public") is True
    assert tells(paper, "funding", "company") is False
    assert tells(paper, "computing", "cloud") is None


def test_the_opening_sentence_is_no_part_of_the_need() -> None:
    clauses = clauses_of(
        'In "Some lost title" somebody quotes it. The paper runs in the cloud and cites "Another title".'
    )
    assert [clause.quoted for clause in clauses if clause.quoted] == [("Another title",)]
    assert clauses[0].traits == {"computing": "cloud"}


@pytest.mark.parametrize(("gap", "named"), [(0.1, "other"), (3.0, "")])
def test_a_refuted_best_paper_gives_way_only_to_one_that_fits_nearly_as_well(gap: float, named: str) -> None:
    agent = CheckerAgent(("search", "read", "answer", "abstain"))
    near, other = Judgement(words=0.5, refuted=["is Bayesian"]), Judgement(words=0.5)
    assert agent._verdict([("near", near, 9.0), ("other", other, 9.0 - gap)])[0] == named
    silent = Judgement(words=0.5, untold=1)
    assert agent._verdict([("silent", silent, 9.0)])[0] == "silent"
    assert CheckerAgent(("search",), abstains=False)._verdict([("near", near, 9.0)])[0] == "near"


def test_checks_are_worth_something_and_partly_set_aside() -> None:
    said = Judgement(words=0.5, checks={"trait": (1, 1)})
    assert worth_of(said, 0.0, trust=True) == pytest.approx(0.5 * 3.7 + 2.4 - 2.5)
    assert decided_worth(said) == pytest.approx(0.5 * 2.4 - 0.8 * 2.5)


def test_headings_stand_at_the_start_of_a_line() -> None:
    text = "Declarations\nMoney. All salaries are paid.\n\nRao et al. found it. Files. None.\n\nNo heading here."
    assert paragraphs_of(text) == [("Money", "All salaries are paid.")]
    assert stems_in("All 12 salaries of SkelbaNet") == [
        *("all", "#", "salari", "of", "~", "all #", "# salari", "salari of", "of ~")
    ]


def test_paragraphs_behind_headings_of_a_trait_tell_its_value_together() -> None:
    first, second = ("Money", "Salaries rise each year."), ("Money", "They are civil servants.")
    assert told_behind([first], HEADINGS) == {"funding": {"public": 0.0, "company": 0.0, "none": -6.0}}
    both = told_behind([first, second], HEADINGS)["funding"]
    assert both == {"public": 0.0, "company": -6.0, "none": -9.0}
    said = told_behind([("Money", "No grant was received, and salaries are small.")], HEADINGS)["funding"]
    assert said == {"public": -6.0, "company": -6.0, "none": 0.0}
    assert told_behind([("Files", first[1]), ("Thanks", first[1]), ("Other", first[1])], HEADINGS) == {}


def test_a_paper_is_silent_only_where_all_its_headings_are_known() -> None:
    money, other = ("Money", "Salaries rise."), ("Other", "It rains.")
    assert silent_on([money], HEADINGS) == {"availability"}
    assert silent_on([money, other], HEADINGS) == silent_on([], HEADINGS) == frozenset()


def test_a_paper_contradicts_a_trait_that_neither_a_heading_nor_its_abstract_tells() -> None:
    heading = next(one for one, traits in learned_headings().traits.items() if list(traits) == ["computing"])
    text = f"It was supported by a government grant.\n{heading}. We rented virtual machines from a provider."
    document = {"paper": "p", "title": "A study", "date": "2020-01-01", "authors": ["A B"], "text": text}
    paper = read_paper(document, ("cs.LG",), ())
    assert tells(paper, "computing", "cloud") is True
    assert tells(paper, "funding", "public") is True
    assert tells(paper, "availability", "both") is False


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("without label", {"labels": "none"}),
        ("without labels from Qualdri", {}),
        ("labels", {}),
        ("tastes without labels of wine", {}),
        ("without labels of crops", {}),
        ("money", {}),
        ("", {}),
    ],
)
def test_a_clause_asks_for_a_trait_only_where_trait_and_value_are_clear(text: str, asked: dict[str, str]) -> None:
    assert asked_by(text, ASKS) == asked


def test_a_trait_asked_for_in_other_words_is_no_topic() -> None:
    [clause] = clauses_of("works without any labels")
    assert (clause.traits, clause.meant) == ({"labels": "none"}, {})
