"""Agents of CompLit that read: lexical re-ranking over full texts, and a checker of constraints that may abstain."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scholar_env.agents.base import Call, Observation, call, paper_ids
from scholar_env.agents.complit_base import Routine, RoutineAgent, calls_left
from scholar_env.agents.complit_clauses import SURE, Clause, clauses_of
from scholar_env.agents.complit_judge import Judgement, judge, weights_of
from scholar_env.agents.complit_known import Known
from scholar_env.agents.complit_reading import Read, read_paper
from scholar_env.agents.complit_record import check_record
from scholar_env.agents.complit_verdict import doubt, worth_of
from scholar_env.agents.stems import content_stems
from scholar_env.agents.words import content_words

LONGEST: Final = 1_900
"""Characters of a text that is searched for, at most; the tool takes 2,000."""
NEAR_RANK: Final = 8
"""Added to ranks before they are inverted: how little the first ranks differ."""

Search = tuple[str, str, int, float]
"""Text, scope, offset, and what its ranks are worth."""

Gathering = Generator[Call | list[Call], Observation, Observation]


@dataclass(slots=True)
class Desk:
    """What has been found and read in an episode.

    Attributes:
        ranks: Sum of inverted ranks of each paper.
        dates: Date of each paper seen.
        abstracts: Stems of the title and abstract of each paper seen.
        read: Papers that were read.
        quoted: Papers whose titles the question quotes, by title.
        asked: Texts that were searched for.
        known: What is known of words, None for what comes with the package.
    """

    ranks: dict[str, float] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=dict)
    abstracts: dict[str, frozenset[str]] = field(default_factory=dict)
    read: dict[str, Read] = field(default_factory=dict)
    quoted: dict[str, Read] = field(default_factory=dict)
    asked: set[tuple[str, str, int]] = field(default_factory=set)
    known: Known | None = None

    def note(self, observation: Observation, worth: float) -> None:
        """Takes in a page of results."""
        for entry in observation["results"]:
            paper = str(entry["paper"])
            self.ranks[paper] = self.ranks.get(paper, 0.0) + worth / (NEAR_RANK + int(entry["rank"]))
            self.dates[paper] = str(entry["date"])
            self.abstracts[paper] = frozenset(content_stems(f"{entry['title']} {entry['abstract']}"))

    def taken(self, observation: Observation) -> Read:
        """What a paper tells that ``read`` showed."""
        return read_paper(observation["document"], observation["categories"], observation["figures"], self.known)

    def next_unread(self, clauses: Sequence[Clause]) -> str:
        """The best ranked paper that was not read and whose date no clause excludes, "" when there is none."""
        for paper in sorted(self.ranks, key=lambda one: -self.ranks[one]):
            if paper not in self.read and all(
                check_record(clause.plain, self.dates[paper], (), ()) != [False]
                for clause in clauses
                if not clause.quoted
            ):
                return paper
        return ""


class RerankAgent(RoutineAgent):
    """Searches titles, abstracts and full texts, reads the best papers, and answers with the one that says most of it.

    Args:
        tools: Tools of the environment.
        reads: Papers that it reads in a turn, at most.
    """

    def __init__(self, tools: Collection[str], *, reads: int = 8) -> None:
        super().__init__(tools)
        self.options = {"reads": reads}

    def play(self, observation: Observation) -> Routine:
        """Searches, reads, ranks and answers, turn by turn."""
        desk = Desk()
        while True:
            question = observation["question"]
            clauses = [replace(clause, traits={}, sure=0.0, meant={}) for clause in clauses_of(question)]
            text = _text([question])
            searches = [(text, "full_text", 0, 2.0), (text, "title_abstract", 0, 1.0)]
            observation = yield from gather(desk, observation, searches)
            observation = yield from read_on(desk, observation, clauses, self.options["reads"])
            ranked = rank(desk, clauses, trust=False)
            observation = yield self.close(ranked[0][0] if ranked else "", "most of its words")


class CheckerAgent(RoutineAgent):
    """Checks every clause of the need against each candidate that it reads, and abstains when one of them seems false.

    Candidates come from searches for the topic of the need. A candidate is judged by the words of the clauses that it
    says, and by what its record, its figures and the traits of the study say for or against a clause. The best one is
    the answer, unless it is likelier that the need is about a paper of which one clause is false
    (:mod:`scholar_env.agents.complit_verdict`). Which words and headings tell a trait, which words ask for one, and
    which words a description stands for was learned from training worlds and general English
    (:mod:`scholar_env.agents.complit_phrases`, :mod:`~scholar_env.agents.complit_headings`,
    :mod:`~scholar_env.agents.complit_asks`).

    Args:
        tools: Tools of the environment.
        reads: Papers that it reads, at most; in a conversation a fifth of them and one in a turn.
        abstains: Whether it ever abstains; without, it is the agent that always names a paper.
        least_doubt: From which doubt it abstains.
        patience: How much more doubt it needs in a conversation, where the next turn may tell papers apart.
        searches: Searches for the topic of the need, at most; in a conversation a fifth of them and one in a turn.
        quotes: Papers that it looks up in a turn because the need names them, at most.
    """

    def __init__(
        self,
        tools: Collection[str],
        *,
        searches: int = 5,
        reads: int = 23,
        quotes: int = 2,
        abstains: bool = True,
        least_doubt: float = 1.0,
        patience: float = 2.0,
    ) -> None:
        super().__init__(tools)
        self.options = {
            "searches": searches,
            "reads": reads,
            "quotes": quotes,
            "abstains": abstains,
            "least_doubt": least_doubt,
            "patience": patience,
        }

    def play(self, observation: Observation) -> Routine:
        """Searches, reads, checks and answers or abstains, turn by turn."""
        desk = self._open()
        turns = 5 if self._talks else 1
        while True:
            question = observation["question"]
            clauses = clauses_of(question, desk.known)
            observation = yield from look_up(desk, observation, clauses, self.options["quotes"])
            observation = yield from gather(
                desk, observation, searches_of(clauses, self.options["searches"] // turns + (turns > 1))
            )
            observation = yield from read_on(desk, observation, clauses, self.options["reads"] // turns + (turns > 1))
            ranked = rank(desk, clauses, trust=True)
            listed = max(desk.ranks, key=lambda paper: desk.ranks[paper], default="")
            observation = yield self.close(*self._verdict(ranked, listed))

    def _open(self) -> Desk:
        """The desk of an episode."""
        return Desk()

    def _verdict(self, ranked: Sequence[tuple[str, Judgement, float]], listed: str) -> tuple[str, str]:
        """The answer, "" for none, and the reason for it; ``listed`` is the best paper that was found, read or not."""
        abstains = self.options["abstains"]
        if not ranked:
            return "" if abstains else listed, "nothing was read"
        judged = [(said, worth) for _, said, worth in ranked]
        least = self.options["least_doubt"] + self._talks * self.options["patience"]
        if abstains and doubt(judged) >= least:
            return "", "what fits best seems to contradict a part"
        return ranked[0][0], "fits best"


class NeverAbstainAgent(CheckerAgent):
    """The checker, but it always names the paper that fits best."""

    def __init__(self, tools: Collection[str]) -> None:
        super().__init__(tools, abstains=False)
        self.options = dict(self.options)


def searches_of(clauses: Sequence[Clause], most: int) -> list[Search]:
    """Searches for a need: for what it says and means of the paper's topic, and without what is only meant.

    Clauses on traits of the study are left out where others remain: many papers have these.
    """
    own = [clause for clause in clauses if not clause.quoted]
    topical = [clause for clause in own if clause.sure < SURE] or own
    meant = " ".join(name for clause in topical for name in names_meant(clause))
    topic, whole = _text(clause.own for clause in topical), _text([*(clause.own for clause in topical), meant])
    return [
        *((whole, "full_text", 0, 1.0), (topic, "title_abstract", 0, 1.0), (whole, "full_text", 10, 1.0)),
        *((whole, "title_abstract", 0, 1.0), (topic, "title_abstract", 10, 1.0)),
    ][:most]


def names_meant(clause: Clause, most: int = 4) -> list[str]:
    """The words that a clause is most surely meant by."""
    return sorted(clause.meant, key=lambda name: (-clause.meant[name], -len(name)))[:most]


def _text(parts: Iterable[str]) -> str:
    return " ".join(word for part in parts for word in content_words(part))[:LONGEST]


def gather(desk: Desk, observation: Observation, searches: Sequence[Search]) -> Gathering:
    """Runs the searches that were not run before, as far as the budget goes."""
    for text, scope, offset, worth in searches:
        if text and (text, scope, offset) not in desk.asked and calls_left(observation):
            desk.asked.add((text, scope, offset))
            observation = yield call("search", text=text, scope=scope, k=10, offset=offset)
            desk.note(observation, worth)
    return observation


def look_up(desk: Desk, observation: Observation, clauses: Sequence[Clause], most: int) -> Gathering:
    """Reads papers whose titles the clauses quote, so that others can be compared with them."""
    titles = dict.fromkeys(title for clause in clauses for title in clause.quoted)
    for title in list(titles)[:most]:
        if title in desk.quoted or calls_left(observation) < 2:
            continue
        observation = yield call("search", text=title, k=1)
        paper = next(iter(paper_ids(observation)), "")
        if paper and same(observation["results"][0]["title"], title):
            observation = yield call("read", paper=paper)
            desk.quoted[title] = desk.taken(observation)
    return observation


def same(first: str, second: str) -> bool:
    """Whether two titles have the same words."""
    return content_stems(first) == content_stems(second)


def read_on(desk: Desk, observation: Observation, clauses: Sequence[Clause], most: int) -> Gathering:
    """Reads the best ranked papers that were not read yet."""
    for _ in range(most):
        paper = desk.next_unread(clauses)
        if not paper or not calls_left(observation):
            break
        observation = yield call("read", paper=paper)
        desk.read[paper] = desk.taken(observation)
    return observation


def rank(desk: Desk, clauses: Sequence[Clause], *, trust: bool) -> list[tuple[str, Judgement, float]]:
    """Papers that were read with their judgements and worths, best first; ``trust`` counts checks, too."""
    seen = [paper.terms for paper in desk.read.values()]
    weights = weights_of(clauses, [*seen, *(held for paper, held in desk.abstracts.items() if paper not in desk.read)])
    judged = {paper: judge(clauses, read, weights, desk.quoted) for paper, read in desk.read.items()}
    worths = {paper: worth_of(said, desk.ranks[paper], trust=trust) for paper, said in judged.items()}
    return sorted(((paper, judged[paper], worths[paper]) for paper in judged), key=lambda one: -one[2])
