"""Reports on CompLit: hand-made episodes with hand-computed tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from scholar_env.metrics.complit import STANDINGS
from scholar_env.metrics.complit_tracker import ROW_NAMES
from scholar_env.metrics.names import COMPLIT_METRICS
from scholar_env.study import render
from scholar_env.study.complit_averages import run_averages, trace_of, turns_of
from scholar_env.study.complit_report import set_beside
from scholar_env.study.report import Report, build_report
from scholar_env.study.summary import EpisodeSummary, IncomparableRunsError, Run

STANDARD, UNMET, CUMULATIVE = "CompLit-Standard-v0", "CompLit-Unmet-v0", "CompLit-Cumulative-v0"


def row(**values: Any) -> dict[str, float]:
    standing = STANDINGS.index(values.pop("standing", "none"))
    return dict.fromkeys(ROW_NAMES, 0.0) | {"turn": 1.0, "standing": float(standing)} | values


def episode(task_id: str, env_id: str, rows: Sequence[dict[str, float]], **given: Any) -> EpisodeSummary:
    unmet = env_id == UNMET
    worth = STANDINGS[int(rows[-1]["standing"])] if rows[-1]["final"] else "none"
    right = worth == ("abstained" if unmet else "gold")
    metrics = dict.fromkeys(COMPLIT_METRICS, 0.0) | {
        "accuracy": float(right),
        "unmet_accuracy": float(worth == "abstained") if unmet else math.nan,
        "n_tool_calls": rows[-1]["call"],
        "n_characters": 100.0,
    }
    setting = env_id.split("-")[1].lower()
    labels = {"setting": setting, "domain": "cs", "year": "2020", "sources": "content,figural", "n_constraints": "4"}
    plain: dict[str, Any] = {
        "source": "world-complit", "labels": labels | given.pop("labels", {}), "n_gold": 0 if unmet else 1,
        "return_": float(right), "stop_reason": "answered", "failure_kind": "none", "assisted": False,
        "agent": "checker", "config_hash": f"c0ffee{env_id}",
        "corpus": {"name": "w", "fingerprint": "ab" * 32, "official": False},
    }  # fmt: skip
    return EpisodeSummary(task_id=task_id, env_id=env_id, metrics=metrics, rows=rows, **(plain | given))


STANDARD_EPISODES = [
    episode("s1", STANDARD, [
        row(call=1.0, retrieved=1.0), row(call=2.0, retrieved=1.0, read=1.0),
        row(call=2.0, retrieved=1.0, read=1.0, standing="gold", final=1.0, answer=1.0),
    ]),
    episode("s2", STANDARD, [
        row(call=1.0), row(call=2.0, retrieved=1.0),
        row(call=2.0, retrieved=1.0, standing="abstained", final=1.0),
    ], labels={"domain": "math", "year": "2015", "sources": "content"}),
    episode("s3", STANDARD, [row(call=1.0), row(call=3.0, standing="gold", final=1.0, forced=1.0, answer=1.0)]),
    episode("s4", STANDARD, [row(call=1.0), row(call=4.0)], stop_reason="no_answer"),
]  # fmt: skip
UNMET_EPISODES = [
    episode("u1", UNMET, [
        row(call=1.0, near_miss_retrieved=1.0), row(call=2.0, near_miss_retrieved=1.0, near_miss_read=1.0),
        row(call=2.0, near_miss_retrieved=1.0, near_miss_read=1.0, standing="abstained", final=1.0),
    ], labels={"clause": "refuted"}),
    episode("u2", UNMET, [row(call=1.0, standing="near_miss", final=1.0, answer=1.0)], labels={"clause": "silent"}),
]  # fmt: skip
CUMULATIVE_EPISODES = [
    episode("c1", CUMULATIVE, [
        row(call=1.0, turn=1.0), row(call=1.0, turn=1.0, standing="other", answer=1.0),
        row(call=1.0, turn=2.0, standing="gold", answer=2.0),
        row(call=1.0, turn=3.0, standing="gold", answer=2.0, final=1.0),
    ]),
    episode("c2", CUMULATIVE, [
        row(call=1.0, turn=1.0, standing="gold", answer=1.0), row(call=9.0, turn=2.0, standing="gold", answer=1.0),
    ], stop_reason="no_answer"),
]  # fmt: skip


def test_traces_and_turns_are_read_off_the_rows() -> None:
    trace = trace_of(STANDARD_EPISODES[0])
    assert (trace.retrieved, trace.read, trace.verdict, trace.standing, trace.forced) == (1, 2, 2, "gold", False)
    assert (trace_of(STANDARD_EPISODES[2]).forced, trace_of(STANDARD_EPISODES[3]).verdict) == (True, None)
    unmet = trace_of(UNMET_EPISODES[0])
    assert (unmet.retrieved, unmet.read, unmet.standing) == (1, 2, "abstained")
    assert turns_of(CUMULATIVE_EPISODES[0]) == (["other", "gold", "gold"], [1, 2, 2])
    assert turns_of(CUMULATIVE_EPISODES[1]) == (["gold", "none"], [1, 0])


def test_averages_of_a_run_by_hand() -> None:
    shares = run_averages(STANDARD_EPISODES, 9)["settings"]["standard"]
    assert (shares["accuracy"], shares["accuracy_unforced"], shares["forced"]) == (0.5, 0.25, 0.25)
    assert (shares["false_abstention"], shares["calls"], shares["characters"]) == (0.25, 2.75, 100.0)
    curves = run_averages(STANDARD_EPISODES, 9)["curves"]["standard"]
    assert curves["retrieved"] == (0.0, 0.25, 0.5, 0.5, 0.5)
    assert curves["answered"] == (0.0, 0.0, 0.25, 0.25, 0.25)
    assert curves["forced"] == 0.25
    groups = run_averages(STANDARD_EPISODES, 9)["groups"]["standard"]
    assert groups["domain"] == {"cs": [3.0, 2 / 3], "math": [1.0, 0.0]}
    assert groups["year"] == {"2019-2023": [3.0, 2 / 3], "to 2015": [1.0, 0.0]}
    assert groups["source"] == {"content": [4.0, 0.5], "figural": [3.0, 2 / 3]}
    unmet = run_averages(UNMET_EPISODES, 9)
    assert unmet["settings"]["unmet"]["abstain_refuted"] == 1.0
    assert unmet["settings"]["unmet"]["abstain_silent"] == 0.0
    assert unmet["curves"]["unmet"]["near_miss_opened"] == (0.0, 0.0, 0.5)
    talks = run_averages(CUMULATIVE_EPISODES, 9)
    assert talks["turns"]["committed"] == (0.5, 0.5, 0.5)
    assert talks["turns"]["recovered"] == (0.0, 0.5, 0.5)
    assert talks["timeline"]["withdrawn"] == (0.0, 0.5, 0.0)


def report(*runs: tuple[str, Sequence[EpisodeSummary]], **options: Any) -> Report:
    return build_report([Run(name, episodes) for name, episodes in runs], resamples=20, **options)


def test_unmet_accuracy_stands_beside_false_abstention_on_standard() -> None:
    built = report(("std", STANDARD_EPISODES), ("unm", UNMET_EPISODES))
    assert built.remarks == ()
    unmet = built.rows[1].averages
    assert (unmet["standard_false_abstention"], unmet["balanced_abstention"]) == (0.25, 0.625)
    text = render.report_markdown(built)
    assert "| run | tasks | Unmet acc. | false abst. on Standard | balanced | refuted | silent |" in text
    assert "| unm | 2 | 0.500 | 0.250 | 0.625 | 1.000 | 0.000 | 0.500 | 0.000 | 0.000 | 1.5 | 100 |" in text
    assert "| std | standard | 4 | 0.500 | 0.250 | 0.250 | 0.250 | 2.8 | 100 |" in text
    assert "## By call" in text
    assert "## Accuracy by source" in text
    assert "| run | setting | to 2015 | 2019-2023 |" in text


def test_break_downs_leave_out_what_only_whole_runs_have() -> None:
    built = report(("std", STANDARD_EPISODES), ("unm", UNMET_EPISODES))
    tables = {table.title: list(table.columns) for table in render.report_tables(built, ["domain"])}
    assert tables["Results"][:4] == ["run", "accuracy", "false abst. on Standard", "balanced"]
    assert tables["By domain"][:5] == ["run", "domain", "tasks", "accuracy", "unforced"]
    assert tables["By source"][:5] == ["run", "source", "tasks", "accuracy", "unforced"]
    assert "| std | math | 1 | 0.000 | 0.000 |" in render.report_markdown(built, ["domain"])


def test_a_mixed_run_has_both_sides_itself() -> None:
    both = (*STANDARD_EPISODES, *UNMET_EPISODES)
    mixed = [replace(one, env_id="CompLit-Mixed-v0", config_hash="m") for one in both]
    built = report(("mixed", mixed))
    assert built.rows[0].averages["balanced_abstention"] == 0.625
    assert built.remarks == ()


def test_a_report_says_when_the_other_side_is_missing_or_doubled() -> None:
    built = report(("unm", UNMET_EPISODES))
    assert built.remarks == (
        "unm: accuracy on Unmet says nothing without false abstention on Standard, and the report has no runs of "
        "checker with Standard needs on that corpus, with the same options",
    )  # fmt: skip
    assert "| unm | 2 | 0.500 | – | – |" in render.report_markdown(built)
    doubled = report(("a", STANDARD_EPISODES), ("b", STANDARD_EPISODES), ("unm", UNMET_EPISODES))
    assert "has 2 runs of checker" in doubled.remarks[0]
    assert set_beside(doubled.rows[:2]) == []


def test_a_run_over_standard_needs_alone_goes_before_a_mixed_one() -> None:
    answered = [
        replace(one, env_id="CompLit-Mixed-v0", config_hash="m") for one in (STANDARD_EPISODES[0], *UNMET_EPISODES)
    ]
    built = report(("std", STANDARD_EPISODES), ("unm", UNMET_EPISODES), ("mix", answered))
    assert built.remarks == ()
    assert built.rows[1].averages["standard_false_abstention"] == 0.25
    assert built.rows[1].averages["balanced_abstention"] == 0.625
    assert built.rows[2].averages["standard_false_abstention"] == 0.0  # its own
    lent = report(("unm", UNMET_EPISODES), ("mix", answered))
    assert lent.remarks == ()
    assert lent.rows[0].averages["standard_false_abstention"] == 0.0
    doubled = report(("a", STANDARD_EPISODES), ("b", STANDARD_EPISODES), ("unm", UNMET_EPISODES), ("mix", answered))
    assert "has 2 runs of checker" in doubled.remarks[0]
    assert "balanced_abstention" not in doubled.rows[2].averages


def test_the_other_side_is_that_of_the_agent_with_the_same_options() -> None:
    bold = [replace(one, player_hash="bold", config_hash="b") for one in STANDARD_EPISODES]
    meek = [replace(one, player_hash="meek") for one in UNMET_EPISODES]
    lone = report(("bold", bold), ("unm", meek))
    assert "has no runs of checker" in lone.remarks[0]
    assert "balanced_abstention" not in lone.rows[1].averages
    own = [replace(one, player_hash="meek", config_hash="m") for one in STANDARD_EPISODES]
    built = report(("bold", bold), ("own", own), ("unm", meek))
    assert built.remarks == ()
    assert built.rows[2].averages["standard_false_abstention"] == 0.25


def test_runs_of_several_settings_stand_side_by_side_and_only_equal_ones_are_compared() -> None:
    other = [replace(one, agent="bm25") for one in STANDARD_EPISODES]
    built = report(("a", STANDARD_EPISODES), ("c", CUMULATIVE_EPISODES), ("b", other))
    assert [(pair.first, pair.second) for pair in built.comparisons] == [("a", "b")]
    assert built.comparisons[0].intervals["accuracy"].value == 0.0
    text = render.report_markdown(built)
    assert "## By turn" in text
    assert "| c | answer withdrawn | 0.000 | 0.500 | 0.000 |" in text
    with pytest.raises(IncomparableRunsError, match="runs over several task sets"):
        report(("a", STANDARD_EPISODES), ("b", other[:2]))
