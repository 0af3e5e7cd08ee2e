from __future__ import annotations

from dataclasses import replace

import pytest

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.judges import JudgeItem, JudgeRequest, Rating, TableJudge, TruthJudge, checked

REQUEST = JudgeRequest("novelty", "W1", (JudgeItem("W1", "Title", "Text"),))


def test_truth_judge_asks_the_function_of_the_criterion() -> None:
    judge = TruthJudge({"novelty": lambda request: Rating(float(len(request.items)))})
    assert judge.rate(REQUEST) == Rating(1.0)
    with pytest.raises(InvalidOptionError, match=r"cannot rate criterion 'rationality'.*it knows novelty"):
        judge.rate(replace(REQUEST, criterion="rationality"))


def test_table_judge_looks_up_criterion_and_subject() -> None:
    judge = TableJudge({("novelty", "W1"): Rating(7.0), ("disruption", "W1"): Rating(2.0)})
    assert judge.rate(REQUEST).score == 7.0
    assert judge.rate(replace(REQUEST, criterion="disruption")).score == 2.0
    with pytest.raises(InvalidOptionError, match=r"cannot rate novelty of 'W9'.*it knows W1"):
        judge.rate(replace(REQUEST, subject="W9"))
    assert TableJudge({}, default=Rating()).rate(REQUEST) == Rating(None)


def test_scores_and_labels_outside_the_request_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match=r"rated 11.*from 0 to 10"):
        checked(REQUEST, Rating(11))
    with pytest.raises(InvalidOptionError, match=r"labelled 'glad'.*positive, negative"):
        checked(replace(REQUEST, labels=("positive", "negative")), Rating(label="glad"))
    assert checked(REQUEST, Rating(0)).score == 0
    assert checked(replace(REQUEST, labels=("positive",)), Rating(label="positive")).label == "positive"


def test_digest_depends_on_every_field() -> None:
    changed = [
        replace(REQUEST, criterion="x"), replace(REQUEST, subject="x"), replace(REQUEST, items=()),
        replace(REQUEST, question="x"), replace(REQUEST, reference="x"), replace(REQUEST, low=1),
        replace(REQUEST, high=9), replace(REQUEST, labels=("x",)),
    ]  # fmt: skip
    assert len({request.digest() for request in [REQUEST, *changed]}) == 9
    assert REQUEST.digest() == JudgeRequest("novelty", "W1", (JudgeItem("W1", "Title", "Text"),)).digest()
