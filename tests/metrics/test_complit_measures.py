from __future__ import annotations

import math

import pytest

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics import complit
from scholar_env.metrics.complit import ABSTAINED, GOLD, NEAR_MISS, NONE, OTHER, Answer, Verdict
from scholar_env.metrics.complit_groups import break_down, inferred_share, number_bin, share_bin, year_bin
from scholar_env.records import NamedPaper

TARGET = NamedPaper("2101.00001", "Sparse Retrieval: Ångström-scale maps (v2)")
NEAR = NamedPaper("2102.00002", "Dense retrieval")
TITLES = {TARGET.id: TARGET.title, NEAR.id: NEAR.title, "2103.00003": "Other work", "2104.00004": TARGET.title}


def titles_of(paper: str) -> tuple[str, ...]:
    return tuple(title for one, title in TITLES.items() if one == paper)


def worth(paper: str = "", title: str = "", target: NamedPaper | None = TARGET) -> str:
    return complit.standing(Answer(paper, title), target, NEAR, titles_of)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Sparse Retrieval: Ångström-scale maps (v2)", "sparseretrievalångströmscalemapsv2"),
        ("ＳＰＡＲＳＥ　ﬁelds", "sparsefields"),  # full width and a ligature, by NFKC
        ("Straße", "strasse"),  # case folding
        ("x² in 1984", "x2in1984"),
        ("∞ – ?!", ""),
        ("稀疏 检索", "稀疏检索"),
    ],
)
def test_titles_are_compared_by_letters_and_digits(title: str, expected: str) -> None:
    assert complit.title_norm(title) == expected


def test_an_answer_counts_by_title_or_by_id() -> None:
    assert worth(title="sparse retrieval ångström-scale maps: v2") == GOLD
    assert worth(paper="2101.00001") == GOLD
    assert worth(paper=" 2101.00001 ") == GOLD
    assert worth(paper="2101.00001", title="Sparse retrieval, Ångström scale maps (V2)") == GOLD
    assert worth(title="Dense Retrieval!") == NEAR_MISS
    assert worth(paper="2103.00003") == OTHER
    assert worth(title="a paper that is nowhere") == OTHER


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ("arXiv:2101.00001", "2101.00001"),
        (" ARXIV: 2101.00001v12 ", "2101.00001"),
        ("2101.00001v1", "2101.00001"),
        ("arxiv:math.GT/0309136v2", "math.GT/0309136"),
        ("2101.00001", "2101.00001"),  # held
        ("2105.00005v3", "2105.00005v3"),  # held with its version
        (" 2101.00001 ", " 2101.00001 "),
        ("arXiv:2109.99999v1", "arXiv:2109.99999v1"),  # not held either way
        ("arXiv:2105.00005", "arXiv:2105.00005"),
        ("2101.00001version2", "2101.00001version2"),
        ("see arXiv:2101.00001", "see arXiv:2101.00001"),
        ("arXiv:p1", "arXiv:p1"),  # no arXiv id
        ("", ""),
    ],
)
def test_an_arxiv_id_with_prefix_or_version_names_the_paper_that_is_held_without(given: str, held: str) -> None:
    rows = {"2101.00001": 0, "math.GT/0309136": 1, "2105.00005v3": 2, "p1": 3}
    assert complit.held_id(given, rows.get) == held


def test_a_conflict_of_title_and_id_is_wrong_whichever_of_them_is_right() -> None:
    assert worth(paper="2103.00003", title=TARGET.title) == OTHER
    assert worth(paper=TARGET.id, title="Other work") == OTHER
    assert worth(paper="9999.99999", title=TARGET.title) == OTHER  # an id that the corpus does not hold
    assert complit.is_conflict(Answer("2103.00003", TARGET.title), titles_of)
    assert not complit.is_conflict(Answer("2103.00003", "other WORK"), titles_of)
    assert not complit.is_conflict(Answer("2103.00003", ""), titles_of)


def test_a_copy_with_the_same_title_counts_when_the_title_is_given() -> None:
    assert worth(paper="2104.00004", title=TARGET.title) == GOLD
    assert worth(paper="2104.00004") == OTHER


def test_a_paper_has_the_title_of_the_task_and_that_of_the_corpus() -> None:
    def both(paper: str) -> tuple[str, ...]:
        return ("Sparse maps", *titles_of(paper)) if paper == TARGET.id else titles_of(paper)

    answers = [Answer(paper, title) for paper in ("", TARGET.id) for title in ("sparse maps", TARGET.title)]
    assert [complit.standing(answer, TARGET, NEAR, both) for answer in answers] == [GOLD] * 4
    assert not any(complit.is_conflict(answer, both) for answer in answers)
    assert complit.standing(Answer(NEAR.id, "Sparse maps"), TARGET, NEAR, both) == OTHER
    assert complit.standing(Answer("", "Sparse"), TARGET, NEAR, both) == OTHER


def test_an_empty_title_abstains_and_a_title_of_signs_names_nothing() -> None:
    assert worth(title="  \n") == ABSTAINED
    assert worth(paper=" ", title="") == ABSTAINED
    assert complit.standing(None, TARGET, NEAR, titles_of) == NONE
    signs = NamedPaper("1", "???")
    assert complit.standing(Answer("", "???"), signs, None, titles_of) == OTHER


def test_what_is_right_depends_on_whether_there_is_a_target() -> None:
    right = [(worth, has) for worth in complit.STANDINGS for has in (True, False) if complit.is_correct(worth, has)]
    assert right == [(GOLD, True), (ABSTAINED, False)]


VERDICTS = [
    Verdict(GOLD, has_target=True),
    Verdict(GOLD, has_target=True, forced=True),
    Verdict(OTHER, has_target=True),
    Verdict(ABSTAINED, has_target=True),
    Verdict(NONE, has_target=True),
    Verdict(ABSTAINED, has_target=False, clause="refuted"),
    Verdict(ABSTAINED, has_target=False, clause="silent", forced=True),
    Verdict(NEAR_MISS, has_target=False, clause="refuted"),
    Verdict(NEAR_MISS, has_target=False, clause="silent"),
    Verdict(OTHER, has_target=False, clause="silent"),
    Verdict(NONE, has_target=False, clause="refuted"),  # no answer at all counts as wrong
]


def test_shares_over_episodes_by_hand() -> None:
    assert complit.accuracy(VERDICTS) == 4 / 11
    assert complit.accuracy_unforced(VERDICTS) == 2 / 11
    assert complit.forced_share(VERDICTS) == 2 / 11
    assert complit.near_miss_rate(VERDICTS) == 2 / 6
    assert complit.other_rate(VERDICTS) == 1 / 6
    assert complit.unmet_accuracy(VERDICTS) == 2 / 6
    assert complit.unmet_accuracy(VERDICTS, "refuted") == 1 / 3
    assert complit.unmet_accuracy(VERDICTS, "silent") == 1 / 3
    assert complit.false_abstention(VERDICTS) == 1 / 5
    assert complit.balanced_abstention(0.6, 0.1) == pytest.approx(0.75)
    assert complit.balanced_abstention(1.0, 1.0) == complit.balanced_abstention(0.0, 0.0) == 0.5


def test_shares_of_nothing_are_undefined() -> None:
    assert math.isnan(complit.accuracy([]))
    assert math.isnan(complit.unmet_accuracy(VERDICTS[:5]))
    assert math.isnan(complit.false_abstention(VERDICTS[5:]))
    with pytest.raises(InvalidOptionError, match=r"clause='gone'\. Rule: one of 'refuted', 'silent', ''"):
        complit.unmet_accuracy(VERDICTS, "gone")


def test_hit_at_k() -> None:
    ranked = ["c", "b", "a"]
    assert [complit.hit_at(ranked, {"b"}, k) for k in (1, 2, 9)] == [0.0, 1.0, 1.0]
    assert math.isnan(complit.hit_at(ranked, (), 1))
    with pytest.raises(InvalidOptionError, match="cutoff k=0"):
        complit.hit_at(ranked, {"b"}, 0)


def test_year_bins_meet_at_their_ends() -> None:
    years = (1998, 2015, 2016, 2018, 2019, 2023, 2024)
    assert [year_bin(year) for year in years] == [
        *("to 2015", "to 2015", "2016-2018", "2016-2018", "2019-2023", "2019-2023", "from 2024"),
    ]


def test_the_inferred_share_counts_content_and_figural_constraints_with_a_level() -> None:
    constraints = [
        ("content", "inferred"), ("content", "explicit"), ("figural", "inferred"), ("content", "paraphrased"),
        ("content", ""), ("metadata", ""), ("comparative", "inferred"),
    ]  # fmt: skip
    assert inferred_share(constraints) == 2 / 4
    assert math.isnan(inferred_share([("metadata", ""), ("comparative", "inferred"), ("content", "")]))
    bins = [share_bin(value) for value in (math.nan, 0.0, 0.2, 0.25, 0.49, 0.5, 1.0)]
    assert bins == ["unknown", "none", "under 1/4", "1/4 to 1/2", "1/4 to 1/2", "from 1/2", "from 1/2"]
    assert [number_bin(n) for n in (3, 8, 9, 17)] == ["3", "8", "9 and more", "9 and more"]


def test_break_downs_let_an_item_count_in_several_groups() -> None:
    items = [(("content", "figural"), 1.0), (("content",), 0.0), (("content", "content"), math.nan), ((), 1.0)]
    found = break_down(items, lambda item: item[0], lambda item: item[1])
    assert found == {"content": (3, 0.5), "figural": (1, 1.0)}


def test_groups_stand_in_the_order_of_what_they_count() -> None:
    years = [year_bin(year) for year in (2024, 2015, 2019, 2016)]
    assert list(break_down(years, lambda name: [name], lambda _: 1.0)) == [
        "to 2015", "2016-2018", "2019-2023", "from 2024",
    ]  # fmt: skip
    shares = [share_bin(value) for value in (math.nan, 0.5, 0.3, 0.1, 0.0)]
    assert list(break_down(shares, lambda name: [name], lambda _: 1.0)) == [
        "none", "under 1/4", "1/4 to 1/2", "from 1/2", "unknown",
    ]  # fmt: skip
