"""CompLit's checker: what sentences tell of a study by learned cues, what descriptions stand for, when it abstains."""

from __future__ import annotations

import json
import math

import pytest

from scholar_env.agents.complit_asks import asked_by, asks_of
from scholar_env.agents.complit_checker import CheckerAgent
from scholar_env.agents.complit_clauses import clauses_of
from scholar_env.agents.complit_headings import (
    ELSE,
    headings_of,
    learned_headings,
    paragraphs_of,
    silent_on,
    told_behind,
)
from scholar_env.agents.complit_judge import Judgement, Says, says
from scholar_env.agents.complit_known import Known
from scholar_env.agents.complit_phrases import Phrases, cues_of, names_for, told_by, words_of_names
from scholar_env.agents.complit_reading import read_paper
from scholar_env.agents.complit_scale import stems_in
from scholar_env.agents.complit_verdict import WORDS_WORTH, doubt, when_false, when_true, worth_of
from scholar_env.agents.study_cues import TRAITS
from scholar_env.agents.study_traits import place_of

PHRASES = Phrases(
    cues={
        "attribution is all": {"files": {"both": 9, "data": 9}},
        "forks of ~": {"files": {"both": 9, "code": 9}},
        "nothing left": {"files": {"none": 30}},
    },
    totals={"files": {"both": 30, "code": 30, "data": 30, "none": 30}},
    names={"watch airport": {"surveillance footage": 0.75}, "airport mall": {"surveillance footage": 0.5}},
)

HEADINGS = headings_of(
    json.loads("""{"traits": {"Money": ["funding"], "Files": ["availability"], "Thanks": []},
    "weights": {"salari": 40, "civil servant": 30, "civil": 0, "servant": 0}, "scales": {"funding": {
    "labels": ["funding/company", "funding/none", "funding/public"], "base": [0, 0, 0],
    "stems": {"salari": [0, 3, 1, -3, 2, 3], "civil servant": [0, -3, 2, 3]}}}}""")
)

ASKS = asks_of(
    json.loads(
        """{"weights": {"label": 10, "without": 10, "money": 10},
        "traits": {"labels": ["funding", "labels", "other"], "base": [0, 0, 0],
        "stems": {"label": [1, 2], "without": [1, 1], "money": [0, 2, 1, -2]}},
        "values": {"funding": {"labels": ["none", "public"], "base": [0, 0], "stems": {"money": [1, 1]}},
        "labels": {"labels": ["all", "none"], "base": [0, 0], "stems": {"without": [0, -1, 1, 2]}}},
        "others": ["without labels of wine"]}"""
    )
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


def test_what_is_said_in_so_many_words_counts_alone() -> None:
    text = "This work was supported by a government grant."
    document = {"paper": "p", "title": "A study", "date": "2020-01-01", "authors": ["A B"], "text": text}
    paper = read_paper(document, ("cs.LG",), ())
    assert says(paper, "funding", "public").share == pytest.approx(1.0, abs=0.02)
    assert says(paper, "funding", "company").share == pytest.approx(0.0, abs=0.01)
    assert says(paper, "computing", "cloud") == Says(sure=1.0, share=None, values=2, silent=False)


def test_what_is_known_of_words_decides_what_a_paper_tells_and_a_clause_asks_for() -> None:
    text = "Attribution is all that we ask for.\nThis work was supported by a government grant."
    document = {"paper": "p", "title": "A study", "date": "2020-01-01", "authors": ["A B"], "text": text}
    cues = Known(PHRASES, HEADINGS, ASKS)
    masked = Known(PHRASES, HEADINGS, ASKS, in_clauses=lambda _: {}, in_papers=lambda _: {})
    for known, told in (
        (cues, {"files", "funding"}),
        (masked, {"files"}),
        (None, {"funding"}),
        (cues, {"files", "funding"}),
    ):
        assert set(read_paper(document, (), (), known).told) == told
    [asked], [learned] = (clauses_of("its money is a government grant", known) for known in (cues, masked))
    assert (asked.traits, asked.sure) == ({"funding": "public"}, 1.0)
    assert learned.traits == {"funding": "public"}
    assert 0.5 < learned.sure < 1.0


def test_the_opening_sentence_is_no_part_of_the_need() -> None:
    clauses = clauses_of(
        'In "Some lost title" somebody quotes it. The paper runs in the cloud and cites "Another title".'
    )
    assert [clause.quoted for clause in clauses if clause.quoted] == [("Another title",)]
    assert clauses[0].traits == {"computing": "cloud"}


TRUE, FALSE, OPEN = Says(1.0, 1.0, 5, False), Says(1.0, 0.0, 5, False), Says(1.0, None, 2, False)


@pytest.mark.parametrize(("gap", "named"), [(3.0, "other"), (-1.0, "")])
def test_a_paper_with_one_false_clause_is_named_no_answer_unless_another_fits_better(gap: float, named: str) -> None:
    agent = CheckerAgent(("search", "read", "answer", "abstain"))
    near = Judgement(traits=[TRUE, TRUE, FALSE])
    other = Judgement(traits=[TRUE, TRUE, OPEN])
    ranked = sorted([("near", near, 9.0), ("other", other, 9.0 + gap)], key=lambda one: -one[2])
    assert agent._verdict(ranked, "")[0] == named
    assert CheckerAgent(("search",), abstains=False)._verdict(ranked, "")[0] == ranked[0][0]
    assert agent._verdict([("sole", Judgement(traits=[TRUE, TRUE]), 9.0)], "")[0] == "sole"


def test_in_a_conversation_it_waits_for_more_doubt() -> None:
    tools = ("search", "read", "answer", "abstain")
    near = [("near", Judgement(traits=[TRUE, FALSE]), 9.0)]
    assert CheckerAgent(tools)._verdict(near, "")[0] == ""
    assert CheckerAgent((*tools, "next_turn"), patience=99.0)._verdict(near, "")[0] == "near"


def test_an_agent_that_never_abstains_names_what_was_only_listed() -> None:
    assert CheckerAgent(("search",), abstains=False)._verdict([], "listed")[0] == "listed"
    assert CheckerAgent(("search",))._verdict([], "listed")[0] == ""


def test_the_surer_a_clause_the_more_its_trait_is_worth() -> None:
    likely = FALSE._replace(sure=0.5)
    assert when_true(FALSE) < when_true(likely) < when_true(FALSE._replace(sure=0.0)) == 0.0
    assert when_true(TRUE) > when_true(TRUE._replace(sure=0.5)) > 0.0 > when_true(OPEN)
    assert when_false(TRUE) < when_false(OPEN) <= when_false(FALSE) < when_false(OPEN._replace(silent=True))
    said = Judgement(words=0.5, checks={"figure": (1, 1)}, traits=[FALSE])
    assert worth_of(said, 0.0, trust=True) == pytest.approx(0.5 * WORDS_WORTH + when_true(FALSE))
    assert worth_of(said, 0.0, trust=False) == pytest.approx(0.5 * WORDS_WORTH)


def test_one_false_clause_among_true_ones_raises_the_doubt() -> None:
    def doubt_of(*traits: Says) -> float:
        return doubt([(Judgement(traits=list(traits)), math.fsum(when_true(one) for one in traits))])

    assert doubt_of(TRUE, TRUE) < doubt_of(TRUE, OPEN) < doubt_of(TRUE, FALSE)
    turned = Judgement(checks={"figure": (0, 1)})
    assert doubt([(turned, -2.0)]) > doubt([(Judgement(checks={"figure": (1, 0)}), 2.0)])


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
    assert both == {"public": 0.0, "company": -6.0, "none": -10.0}
    said = told_behind([("Money", "No grant was received, and salaries are small.")], HEADINGS)["funding"]
    assert said == {"public": -6.0, "company": -6.0, "none": 0.0}
    assert told_behind([("Files", first[1]), ("Thanks", first[1]), ("Other", first[1])], HEADINGS) == {}


def test_traits_that_share_their_headings_are_weighed_against_each_other() -> None:
    known = headings_of(
        json.loads("""{"traits": {"Origin": ["sites", "data"]}, "weights": {"simul": 10, "hospit": 10}, "scales": {
        "sites": {"labels": ["data/synthetic", "sites/one", "sites/several"], "base": [0, 0, 0],
        "stems": {"simul": [0, 3], "hospit": [1, 1, 2, 2]}}}}""")
    )
    simulated, measured = [told_behind([("Origin", f"It is {word}.")], known) for word in ("simulated", "hospitals")]
    assert simulated["data"]["synthetic"] == measured["sites"]["several"] == 0.0
    assert simulated["data"][ELSE] < -5.0 > measured["data"]["synthetic"]
    assert measured["data"][ELSE] > 0.0
    assert simulated["sites"][ELSE] == 0.0


def test_a_paper_is_silent_only_where_all_its_headings_are_known() -> None:
    money, other = ("Money", "Salaries rise."), ("Other", "It rains.")
    assert silent_on([money], HEADINGS) == {"availability"}
    assert silent_on([money, other], HEADINGS) == silent_on([], HEADINGS) == frozenset()


def test_a_paper_contradicts_a_trait_that_neither_a_heading_nor_its_abstract_tells() -> None:
    heading = next(one for one, traits in learned_headings().traits.items() if list(traits) == ["computing"])
    text = f"It was supported by a government grant.\n{heading}. We rented virtual machines from a provider."
    document = {"paper": "p", "title": "A study", "date": "2020-01-01", "authors": ["A B"], "text": text}
    paper = read_paper(document, ("cs.LG",), ())
    assert says(paper, "computing", "cloud").share == pytest.approx(1.0, abs=0.02)
    assert says(paper, "funding", "public").share == pytest.approx(1.0, abs=0.02)
    assert says(paper, "availability", "both") == Says(1.0, None, 2, True)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("without label", {"labels": "none"}),
        ("without labels from Qualdri", {}),
        ("tastes without labels of wine", {}),
        ("its money", {"funding": "public"}),
        ("nothing known", {}),
        ("", {}),
    ],
)
def test_a_clause_asks_for_the_most_probable_value_of_the_most_probable_trait(text: str, asked: dict[str, str]) -> None:
    found, sure = asked_by(text, ASKS)
    assert found == asked
    assert (0.5 < sure <= 1.0) if asked else sure == 0.0


def test_what_the_package_learned_knows_traits_in_strange_words_and_frames_of_questions() -> None:
    assert asked_by("was bankrolled by the taxpayers of the country")[0] == {"funding": "public"}
    assert asked_by("thank you very much for looking")[0] == {}


def test_a_trait_asked_for_in_other_words_is_no_topic() -> None:
    [clause] = clauses_of("works without any labels")
    assert clause.sure > 0.5
    assert (clause.traits, clause.meant) == ({"labels": "none"}, {})


def test_the_place_of_a_trait_is_none_where_something_else_is_likelier() -> None:
    few, *_, many = TRAITS["sample"]
    assert place_of("sample", {"sample": {few: -2.0, many: 0.0}}) == len(TRAITS["sample"]) - 1
    assert place_of("sample", {"sample": {few: -2.0, "": 0.0}}) is None
    assert place_of("sample", {}) is None
