"""What judges are asked about a CompLit episode: how far the paper that was named meets the question."""

from __future__ import annotations

from scholar_env.episode.complit.engine import ComplitEpisode
from scholar_env.metrics.complit import GOLD, NEAR_MISS, abstains, standing
from scholar_env.metrics.complit_tracker import titles_in
from scholar_env.metrics.judges import Judge, JudgeItem, JudgeRequest, Rating, TruthJudge

FIT = "fit"
"""The criterion: the share of what the question asks for that the paper meets."""

MOST_TEXT = 60_000
"""Characters of the paper that a judge is shown."""


def requests(episode: ComplitEpisode) -> list[JudgeRequest] | None:
    """The request about an episode's verdict; none without a verdict, None where it says that no paper fits."""
    state = episode.state
    if not state.final or state.answer is None:
        return []
    if abstains(state.answer):
        return None
    paper, title, text = state.answer.paper.strip(), state.answer.title, ""
    row = episode.corpus.row_of(paper)
    if row is not None:
        sections = [f"{section.title}\n{section.text}" for section in episode.corpus.sections(row)]
        title, text = episode.corpus.title(row), "\n\n".join([episode.corpus.abstract(row), *sections])[:MOST_TEXT]
    question = "\n".join(episode.need.utterances)
    return [JudgeRequest(FIT, episode.task.id, (JudgeItem(paper, title, text),), question, low=0, high=1)]


def own_judge(episode: ComplitEpisode) -> Judge:
    """The judge that knows the target and the near-miss: 1 for the one, all constraints but one for the other.

    Other papers have no rating.
    """
    need, answer, corpus = episode.need, episode.state.answer, episode.corpus
    n_constraints = len(episode.task.details.get("constraints", ()))

    def fit(request: JudgeRequest) -> Rating:
        del request
        found = standing(answer, need.target, need.near_miss, titles_in(corpus, need))
        if found == NEAR_MISS and n_constraints:
            return Rating(score=(n_constraints - 1) / n_constraints)
        return Rating(score=1.0) if found == GOLD else Rating()

    return TruthJudge({FIT: fit})
