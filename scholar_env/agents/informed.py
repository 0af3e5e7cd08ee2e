"""Informed planner: knows how the synthetic world words its concepts. The headroom that can be learned.

It is told neither gold nor facts, but it has read the ontology, held-out wordings included; runs with it are marked as
assisted.
"""

from __future__ import annotations

from scholar_env.agents.feedback import FeedbackAgent, as_text
from scholar_env.agents.known_forms import Reading, known_forms
from scholar_env.agents.words import content_words, words

STRONG, WEAK = 2, 1
EMPHASES = (
    {"names": STRONG, "paraphrases": WEAK},
    {"names": WEAK, "paraphrases": STRONG},
    {"names": STRONG, "paraphrases": WEAK, "descriptions": WEAK},
)
"""Weights of the wordings of a concept; one iteration after the other takes the next."""


class InformedAgent(FeedbackAgent):
    """Searches with every wording of what a question is about, whichever wording the question uses.

    It recognises the concepts of a question at any level - name, paraphrase, functional description - and issues
    subqueries with their names, short forms and paraphrases next to what else the question says (conditions, measures,
    coined names). Iterations shift the weight between the wordings. A question in which it recognises no concept, so
    any question over another corpus, is left to :class:`FeedbackAgent`, whose budget and answer it shares.

    Args:
        tools: Tools of the environment.
        results: How many results to read in all, spread evenly over the iterations.
        k: Results of a page.
        pages: Pages of a subquery.
        subqueries: Pages of an iteration, at most.
        feedback_papers: How many papers feed back, where it plans by feedback.
        expansion: New words of a subquery, where it plans by feedback.
        answer_size: Papers of the answer.
        recency: Weight of nearness to the date bound when the answer is chosen.
    """

    assisted = True

    def _texts(self, question: str, n: int) -> list[str]:
        """The texts of an iteration's subqueries."""
        forms = known_forms()
        reading = forms.read(question) if forms else None
        if reading is None or not reading.concepts:
            return super()._texts(question, n)
        first = (self._rounds - 1) * n
        return [subquery(reading, (first + number) % len(EMPHASES)) for number in range(n)]


def subquery(reading: Reading, emphasis: int) -> str:
    """Returns a subquery that gives every concept by its wordings.

    Args:
        reading: What was recognised in the question.
        emphasis: Place in :data:`EMPHASES`.
    """
    weights: dict[str, int] = {}
    rest = [word for word in reading.rest if word in content_words(" ".join(reading.rest))]
    for word in (*rest, *(word for noun in reading.nouns for word in words(noun.names[0]))):
        weights[word] = weights.get(word, 0) + STRONG
    for word in (word for noun in reading.nouns for name in noun.names[1:] for word in words(name)):
        weights.setdefault(word, WEAK)
    for concept in reading.concepts:
        for kind, weight in EMPHASES[emphasis].items():
            for form in getattr(concept, kind):
                for word in words(form):
                    weights[word] = weights.get(word, 0) + weight
    return as_text(weights)
