"""The construction pipeline with parts that a test plays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scholar_env.construction.intents import INTENT_IDS, SEARCH_PURPOSES
from scholar_env.construction.parts import Choice, Proposal
from scholar_env.construction.pipeline import Counts, Pipeline
from scholar_env.construction.records import Constraint, Evidence
from scholar_env.construction.uniqueness import is_unique, needed, only_match, smallest_unique, unique_subsets
from scholar_env.construction.verification import Rules, Tally, Verdict, settled
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Paper

PAPER = Paper("2101.00001", "Bread", "Dough rises.", "2021-01-02")
SCORES = {"is about bread": 0.95, "is about baking": 0.9, "is about cake": 0.89}


class Baker:
    """Plays every part; the second proposal needs two revisions, the third is never right."""

    revised: Sequence[str] = ()

    def __init__(self) -> None:
        self.asked: list[str] = []

    def propose(self, paper: Paper) -> list[Proposal]:
        texts = ("is about bread", "is about a thing", "is about cake", "is about bread")
        return [Proposal(text, "content", "explicit", Evidence("text")) for text in texts]

    def revise(self, paper: Paper, proposal: Proposal, verdict: Verdict) -> Proposal | None:
        self.asked.append(verdict.reason)
        following = {"is about a thing": "is about food", "is about food": "is about baking"}
        text = following.get(proposal.text, proposal.text)
        return Proposal(text, "content", "explicit", Evidence("text"))

    def verify(self, paper: Paper, proposal: Proposal) -> Verdict:
        return Verdict(SCORES.get(proposal.text, 0.2), f"not {proposal.text}")

    def choose(self, paper: Paper, proposals: Sequence[Proposal]) -> Choice | None:
        return Choice("teach", tuple(proposals))

    def write(self, paper: Paper, choice: Choice) -> str:
        return " and ".join(proposal.text for proposal in choice.proposals)

    def satisfies(self, paper: str, choice: Choice) -> bool:
        return paper in (PAPER.id, "2101.00002")


class Fixed:
    """Ranks the same papers for every text."""

    def __init__(self, *ids: str) -> None:
        self.ids = ids

    def rank(self, text: str, k: int) -> Sequence[str]:
        return self.ids[:k]


def test_verification_revises_and_gives_up_after_ten_rounds() -> None:
    baker, counts = Baker(), Counts()
    query = Pipeline(baker, baker, baker, baker, baker).construct(PAPER, counts)
    assert query is not None
    assert query.text == "is about bread and is about baking"
    assert [entry.id for entry in query.constraints] == ["c1", "c2"]
    assert (counts.constraints.proposed, counts.constraints.rejected) == (1 + 3 + 10 + 1, 2 + 10)
    assert (counts.constraints.verified, counts.constraints.given_up) == (3, 1)
    assert counts.constraints.by_round == {1: 2, 3: 1}
    assert baker.asked == ["not is about a thing", "not is about food", *["not is about cake"] * 9]
    table = dict(counts.table())
    assert (table["purposes considered"], table["purposes kept"], table["queries kept"]) == (16, 11, 1)


def test_a_query_that_another_candidate_satisfies_is_dropped() -> None:
    baker, counts = Baker(), Counts()
    lexical, dense = Fixed("2101.00003", PAPER.id), Fixed("2101.00004", "2101.00002")
    assert Pipeline(baker, baker, baker, baker, baker, (lexical, dense)).construct(PAPER, counts) is None
    assert (counts.written, counts.not_unique, counts.kept) == (1, 1, 0)
    one = Pipeline(baker, baker, baker, baker, baker, (lexical, dense), top=1)
    assert one.construct(PAPER, counts) is not None


@pytest.mark.parametrize(
    ("taken", "message"),
    [
        ((), "the chooser took no constraint"),
        (("is about cake",), r"the chooser took the constraint 'is about cake'\. Rule: it takes one or more of the 2"),
    ],
)
def test_a_chooser_takes_verified_constraints_only(taken: tuple[str, ...], message: str) -> None:
    class Careless(Baker):
        def choose(self, paper: Paper, proposals: Sequence[Proposal]) -> Choice | None:
            return Choice("teach", tuple(Proposal(text, "content", "explicit", Evidence("text")) for text in taken))

    baker, careless = Baker(), Careless()
    with pytest.raises(InvalidOptionError, match=message):
        Pipeline(baker, baker, careless, baker, baker).construct(PAPER, Counts())


def test_parts_are_named() -> None:
    names = dict.fromkeys(("proposer", "verifier", "chooser", "writer", "judge"), f"{__name__}:Baker")
    assert Pipeline.named(names, rules=Rules(rounds=2)).construct(PAPER, counts := Counts()) is not None
    assert counts.constraints.given_up == 2
    with pytest.raises(InvalidOptionError, match="they are proposer, verifier, chooser, writer, judge"):
        Pipeline.named({"proposer": f"{__name__}:Baker"})
    with pytest.raises(InvalidOptionError, match="writer='nowhere:None' cannot be imported"):
        Pipeline.named({**names, "writer": "nowhere:None"})


def test_eleven_of_sixteen_purposes_are_kept() -> None:
    assert len(SEARCH_PURPOSES) == len({intent.id for intent in SEARCH_PURPOSES}) == 16
    assert len(INTENT_IDS) == 11


def test_settled_tells_the_round() -> None:
    tally = Tally()
    found = settled(1, lambda item, _: item + 1, lambda item: Verdict(item / 4), Rules(0.7, 5), tally)
    assert found == 3
    assert tally.by_round == {3: 1}
    with pytest.raises(InvalidOptionError, match=r"score=1\.5 of a verdict"):
        Verdict(1.5)


def test_uniqueness_of_sets() -> None:
    everything = 0b11111
    sets = [0b00111, 0b01011, 0b10011, 0b11101]
    assert is_unique(sets, everything)
    assert needed(sets, everything) == (False, False, False, True)
    assert smallest_unique(sets, everything) == 3
    assert list(unique_subsets(sets, 2, everything)) == []
    assert list(unique_subsets(sets, 3, everything)) == [(0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert smallest_unique([0b11, 0b111], everything) == 0
    assert only_match(4, (1, 2, 4), lambda row: row == 4)
    assert not only_match(4, (1, 2, 4), lambda row: row in (2, 4))


def test_records_refuse_what_is_not_allowed() -> None:
    with pytest.raises(InvalidOptionError, match="constraint 'c1' has the level 'guessed'"):
        Constraint("c1", "is it", "content", "guessed", Evidence("text"))
    with pytest.raises(InvalidOptionError, match="an injected constraint has both of the latter"):
        Constraint("c1", "is it", "content", "explicit", Evidence("text"), injected=True)
