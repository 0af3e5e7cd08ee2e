"""What judges are asked about a SciNet episode: how novel or disruptive, what a context says, how sound a path is."""

from __future__ import annotations

from scholar_env.episode.scinet.engine import ScinetEpisode
from scholar_env.metrics import scinet
from scholar_env.metrics.judges import Judge, JudgeRequest
from scholar_env.metrics.scinet_answer import sentiment_requests
from scholar_env.metrics.scinet_judged import SCALES, Work, work_request
from scholar_env.metrics.scinet_release import TOP
from scholar_env.metrics.scinet_truth import truth_judge
from scholar_env.task_files.scinet_queries import COMENTION, PATH, SENTIMENT


def requests(episode: ScinetEpisode) -> list[JudgeRequest] | None:
    """The requests about an episode; none where it has no answer, None for questions that nothing is judged about.

    Novelty and disruption: one for each of the first five papers of the answer. Sentiment: one for each context in
    which a paper of the answer cites the seed. Path: one for its first five papers, in order.
    """
    need, evidence = episode.need, episode.resources
    answer = scinet.cut(episode.state.given or (), need.limit)[0]
    if need.kind == COMENTION:
        return None
    if need.kind == SENTIMENT:
        papers = scinet.distinct(answer)
        return [request for paper in papers for request in sentiment_requests(paper, need.seed, evidence)]
    low, high = SCALES["release"]
    works = [(paper, evidence.work(paper) or Work("", "", paper)) for paper in answer[:TOP]]
    if need.kind == PATH:
        shown = [work for _, work in works]
        asked = work_request("rationality", episode.task.id, shown, episode.question, low, high)
        return [asked] if works else []
    return [work_request(need.kind, paper, [work], episode.question, low, high) for paper, work in works]


def own_judge(episode: ScinetEpisode) -> Judge:
    """The judge that knows the corpus's citation graph."""
    return truth_judge(episode.resources)
