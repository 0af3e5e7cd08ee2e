"""Reading questions over a knowledge graph: names, topics and places apart, in both languages."""

from __future__ import annotations

import pytest

from scholar_env.agents.aise_planner import plan_for
from scholar_env.agents.aise_question import Reading, read_question


def read(question: str) -> Reading:
    return read_question(question)


@pytest.mark.parametrize(
    ("question", "orgs", "people"),
    [
        ("Southern University of Oulu Juha T. Aho的h指数是多少？", "Southern University of Oulu", "Juha T. Aho"),
        ("Arctic Institute, Perugia Ada Mancini的职称是？", "Arctic Institute, Perugia", "Ada Mancini"),
        ("Toledo School of Life and Information Sciences Jan Kos的被引用量是多少？",
         "Toledo School of Life and Information Sciences", "Jan Kos"),
        ("What is the h-index of Ada Field of Oslo Laboratory of Complex Systems?",
         "Oslo Laboratory of Complex Systems", "Ada Field"),
        ("请列出苏州生命与信息科学学院的叶俊颖被引最多的论文的全部作者", "苏州生命与信息科学学院", "叶俊颖"),
    ],
)  # fmt: skip
def test_a_person_stands_apart_from_an_institution(question: str, orgs: str, people: str) -> None:
    found = read(question)
    assert (found.orgs, found.people) == ((orgs,), (people,))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Kelowna School of Life and Information Sciences和Zalk University, Suzhou，哪个机构的论文更多？",
         ("Kelowna School of Life and Information Sciences", "Zalk University, Suzhou")),
        ("Compare the number of papers of Oulu Center for Data and Society and Mial College of Technology, Linz.",
         ("Oulu Center for Data and Society", "Mial College of Technology, Linz")),
        ("北京南方大学与上海计算科学中心哪个成立更早？", ("北京南方大学", "上海计算科学中心")),
    ],
)  # fmt: skip
def test_two_institutions_are_two_and_and_within_a_name_parts_nothing(question: str, names: tuple[str, ...]) -> None:
    found = read(question)
    assert found.orgs == names
    assert found.people == ()


def test_a_venue_ends_with_its_sentence_and_keeps_its_and() -> None:
    found = read("I want to submit to Advances in Bayesian Computation. Which themes do its 3 most cited papers have?")
    assert (found.venues, found.people, found.count) == (("Advances in Bayesian Computation",), (), 3)
    assert read("Annals of Condensed Matter and Materials Physics是顶刊吗？").venues == (
        "Annals of Condensed Matter and Materials Physics",
    )


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("I want to read the newest article by the longitudinal data analysis researcher Ada Field.",
         ("longitudinal data analysis",)),
        ("What is the affiliation of Ada Field from the information retrieval community?", ("information retrieval",)),
        ("Who is the most productive researcher in longitudinal data analysis?", ("longitudinal data analysis",)),
        ("New Keynesian models领域最高产的学者的代表作涉及哪些机构？", ("New Keynesian models",)),
        ("种群与进化JCR Q2期刊", ("种群与进化",)),
        ("2007年与2009年相比，无似然推断的发文量变化如何？", ("无似然推断",)),
        ("What are the Q2 venues (JCR) of populations and evolution?", ("populations and evolution",)),
        ("Northern University of Patras的Ada Field的研究方向有哪些", ()),
    ],
)  # fmt: skip
def test_a_topic_is_found_whole_and_alone(question: str, topics: tuple[str, ...]) -> None:
    assert read(question).topics == topics


def test_a_country_is_no_person() -> None:
    found = read("Who does research on price prediction in South Korea?")
    assert (found.nation, found.people, found.topics) == ("South Korea", (), ("price prediction",))
    params = plan_for(found)[0]["params"]
    assert params == {"interest": ["price prediction"], "nation": ["South Korea"]}
