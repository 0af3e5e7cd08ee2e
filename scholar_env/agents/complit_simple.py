"""Reference agents of CompLit that look at ranks and words only: the lower ends of every comparison."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection
from typing import Final

from scholar_env.agents.base import Observation, call, paper_ids
from scholar_env.agents.complit_base import Routine, RoutineAgent, calls_left
from scholar_env.agents.complit_clauses import clauses_of
from scholar_env.agents.words import content_words

LONGEST: Final = 1_900
"""Characters of a search text, within what the tool takes."""

_NAME: Final = re.compile(r"\"([^\"]{6,190})\"|\b([A-Z][a-z]+[A-Z]\w+|[A-Z]{3,}[\w-]*|[A-Za-z]+-\d+)\b")


class DirectAgent(RoutineAgent):
    """Searches for the whole question and answers with the first paper: BM25 top 1.

    Args:
        tools: Tools of the environment.
        scope: What is searched.
    """

    def __init__(self, tools: Collection[str], *, scope: str = "title_abstract") -> None:
        super().__init__(tools)
        self.options = {"scope": scope}

    def play(self, observation: Observation) -> Routine:
        """Searches and answers, turn by turn."""
        while True:
            if calls_left(observation):
                text = observation["question"][-LONGEST:]
                observation = yield call("search", text=text, k=1, scope=self.options["scope"])
                best = next(iter(paper_ids(observation)), "")
            observation = yield self.close(best, "first by BM25")


class AbstainAgent(RoutineAgent):
    """Says at once that no paper meets the need."""

    def play(self, observation: Observation) -> Routine:
        """Abstains, turn by turn."""
        while True:
            yield self.close("", "never looks")


class ShellAgent(RoutineAgent):
    """Works as with a shell: greps for names, titles and rare phrases, and reads what most of them lead to.

    Args:
        tools: Tools of the environment.
        greps: Patterns of a turn, at most.
        reads: Papers that it opens before it answers.
    """

    def __init__(self, tools: Collection[str], *, greps: int = 10, reads: int = 3) -> None:
        super().__init__(tools)
        self.options = {"greps": greps, "reads": reads}

    def play(self, observation: Observation) -> Routine:
        """Greps, reads and answers, turn by turn; where nothing matches, it abstains."""
        votes: Counter[str] = Counter()
        tried: set[str] = set()
        while True:
            for pattern in [one for one in patterns_of(observation["question"]) if one not in tried][
                : self.options["greps"]
            ]:
                if not calls_left(observation):
                    break
                tried.add(pattern)
                observation = yield call("grep", text=pattern)
                matched = list(dict.fromkeys(str(hit["paper"]) for hit in observation["hits"]))
                for paper in matched:  # a pattern that matches few papers tells more
                    votes[paper] += 60 // len(matched)
            best = [paper for paper, _ in votes.most_common(self.options["reads"])]
            for paper in best:
                if calls_left(observation):
                    observation = yield call("read", paper=paper)
                    text = (
                        f"{observation['document'].get('title', '')} {observation['document'].get('text', '')}".lower()
                    )
                    votes[paper] += sum(word in text for word in set(content_words(observation["question"])))
            best = [paper for paper, _ in votes.most_common(1)]
            observation = yield self.close(best[0] if best else "", "most matches")


def patterns_of(question: str) -> list[str]:
    """What to grep for: quoted titles and names first, then pairs of words that stand together in a clause."""
    named = [match[1] or match[2] for match in _NAME.finditer(question)]
    pairs = []
    for clause in clauses_of(question):
        kept = content_words(clause.text)
        pairs += [
            f"{first} {second}"
            for first, second in itertools.pairwise(kept)
            if f"{first} {second}" in clause.text.lower()
        ]
    pairs.sort(key=lambda pair: -len(pair))
    return list(dict.fromkeys([*named, *pairs]))
