"""Feedback planner: pseudo relevance feedback over the whole episode, without any learned model. The number to beat."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from scholar_env.agents.base import Call, Observation, call, iterations_left, may_select, select_all
from scholar_env.agents.relevance import SeenPaper, expansion_words, forms_in, nearness, relevance
from scholar_env.agents.words import content_words, other_number, stem

QUESTION_WEIGHT = 4
FORM_WEIGHT = 2
EXPANSION_WEIGHT = 1
EARLY_WEIGHT = 0.4
_LONGEST = 1_900  # characters of a subquery, within what every tool takes


class FeedbackAgent:
    """Searches with the words that matter, reads what comes, and searches on with the words of the best of it.

    - First it derives a subquery of the question's content words. The index has no stemming, so each word comes with
      its other number; word weights are repetitions, since every repetition of a word counts in a sum of term scores.
    - In each later iteration it expands that subquery by pseudo relevance feedback (RM3 with saturated counts): all
      papers seen are ranked by how much of the question they cover, and the best of them add forms of the question's
      words and new words. Continue fetches the further pages of a subquery. Where an iteration has room for more than
      the pages of one subquery, more subqueries carry the next groups of new words.
    - It selects all it has seen, so that later searches show only new papers, and at the end answers with the papers
      that cover most of the question, those that came early first.
    - The checklist holds the question's words, the experience the words that were tried, for whoever reads the rollout.

    The constants were chosen on the AutoScholar part of the real queries that the README's comparison names.

    Args:
        tools: Tools of the environment.
        results: How many results to read in all, spread evenly over the iterations.
        k: Results of a page.
        pages: Pages of a subquery.
        subqueries: Pages of an iteration, at most.
        feedback_papers: How many papers feed back.
        expansion: New words of a subquery.
        answer_size: Papers of the answer.
        recency: Weight of nearness to the date bound when the answer is chosen. 0 by default: in ScholarGym the bound
            is the month of the newest gold paper, so nearness tells the gold by the way the benchmark was made.
    """

    needs_gold = False

    def __init__(
        self,
        tools: Collection[str],
        *,
        results: int = 150,
        k: int = 10,
        pages: int = 3,
        subqueries: int = 6,
        feedback_papers: int = 10,
        expansion: int = 15,
        answer_size: int = 2,
        recency: float = 0.0,
    ) -> None:
        self.options: dict[str, Any] = {
            "results": results,
            "k": k,
            "pages": pages,
            "subqueries": subqueries,
            "feedback_papers": feedback_papers,
            "expansion": expansion,
            "answer_size": answer_size,
            "recency": recency,
        }
        self._selects = may_select(tools)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._seen: dict[str, SeenPaper] = {}
        self._shown = 0
        self._rounds = 0
        self._tried: list[str] = []

    def act(self, observation: Observation) -> list[Call]:
        """Selects what came, and plans the next iteration or answers."""
        came = self._look(observation)
        kept = select_all(observation) if came and self._selects else []
        left = iterations_left(observation) - (1 if self._rounds and self._selects else 0)
        wanted = self.options["results"] - self._shown
        dry = self._rounds > 1 and not came  # not even the question as it stands finds more
        if wanted <= 0 or left <= 0 or dry:
            return [*kept, self._answer(observation)]
        self._rounds += 1
        return [*kept, self._plan(observation, -(-wanted // left))]

    def _look(self, observation: Observation) -> int:
        results = observation["results"] if self._rounds else []
        for entry in results:
            paper = str(entry["paper"])
            if paper not in self._seen:
                self._seen[paper] = SeenPaper.of(paper, entry["title"], entry["abstract"], entry["date"])
        self._shown += len(results)
        return len(results)

    def _plan(self, observation: Observation, wanted: int) -> Call:
        """One iteration: a subquery with its pages, and more subqueries when that is not enough."""
        options = self.options
        node_size = options["k"] * options["pages"]
        wanted = min(wanted, options["k"] * options["subqueries"])
        first = len(observation["tree"]) + 1
        entries: list[Call] = []
        for number, text in enumerate(self._texts(observation["question"], -(-wanted // node_size))):
            link = {"link": "derive", "source": 0} if not self._tried else {"link": "expand", "source": 1}
            room = min(wanted - number * node_size, node_size)
            sizes = [min(options["k"], room - start) for start in range(0, room, options["k"])]
            entries.append({**link, "text": text, "k": sizes[0]})
            entries.extend({"link": "continue", "source": first + number, "k": size} for size in sizes[1:])
        self._tried.extend(entry["text"] for entry in entries if "text" in entry)
        checklist = "about " + ", ".join(dict.fromkeys(content_words(observation["question"])))
        return call("plan", subqueries=entries, checklist=checklist, experience="\n".join(self._tried)[-4_000:])

    def _texts(self, question: str, n: int) -> list[str]:
        content = content_words(question)
        stems = {stem(word) for word in content}
        weights = dict.fromkeys(content, 0)
        for word in content:
            weights[word] += QUESTION_WEIGHT
        for other in filter(None, map(other_number, content)):
            weights.setdefault(other, FORM_WEIGHT)
        if not self._seen:
            return [as_text(weights)] if self._rounds == 1 else [question[:_LONGEST]]
        feedback = self._ranked(stems)[: self.options["feedback_papers"]]
        for form in forms_in((paper for paper, _ in feedback), stems):
            weights.setdefault(form, FORM_WEIGHT)
        new = expansion_words(feedback, list(self._seen.values()), {stem(word) for word in weights})
        size = self.options["expansion"]
        groups = [new[number * size : (number + 1) * size] for number in range(n)]
        return [as_text({**weights, **dict.fromkeys(group, EXPANSION_WEIGHT)}) for group in groups]

    def _ranked(self, stems: set[str]) -> list[tuple[SeenPaper, float]]:
        """All papers seen with their relevance, best first; ties in the order in which they came."""
        papers = list(self._seen.values())
        return sorted(zip(papers, relevance(papers, stems), strict=True), key=lambda pair: -pair[1])

    def _answer(self, observation: Observation) -> Call:
        if not self._selects:
            return call("answer")
        weight, bound = float(self.options["recency"]), str(observation["before"])
        papers = list(self._seen.values())
        covered = relevance(papers, {stem(word) for word in content_words(observation["question"])})
        worth = {}
        for place, (paper, score) in enumerate(zip(papers, covered, strict=True)):
            early = EARLY_WEIGHT / (1 + place / 10)  # the index's own order says more than coverage alone
            worth[paper.id] = (score + early) * (1 + weight * nearness(paper.date, bound))
        best = sorted(worth, key=lambda paper_id: -worth[paper_id])
        return call("answer", papers=best[: self.options["answer_size"]])


def as_text(weights: Mapping[str, int]) -> str:
    """Returns a subquery in which each word stands as often as it weighs, in rounds; cut where a subquery may end."""
    rounds = range(1, max(weights.values(), default=0) + 1)
    text = " ".join(word for turn in rounds for word, weight in weights.items() if weight >= turn)
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0]
