from __future__ import annotations

import json
import math
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from scholar_env.errors import InvalidOptionError
from scholar_env.study.render import (
    label_names,
    notes,
    report_html,
    report_json,
    report_markdown,
    report_rich,
    report_tables,
)
from scholar_env.study.report import build_report
from scholar_env.study.summary import EpisodeSummary, IncomparableRunsError, IncompleteRunError, Run
from scholar_env.study.tables import Table, rich_table

Make = Callable[..., EpisodeSummary]


def run(episode: Make, name: str, recall: float, shown: float = 30.0, tasks: str = "abcd", **given: Any) -> Run:
    metrics = {"recall": recall, "ret_recall": recall, "precision": 0.5, "n_results_shown": shown}
    episodes = [episode(task, metrics=metrics, rows=[metrics], **given) for task in tasks]
    return Run(name, episodes, tuple(tasks))


def test_a_row_says_what_was_run_and_on_what(episode: Make) -> None:
    report = build_report([run(episode, "direct", 0.4)], resamples=20)
    (row,) = report.rows
    assert (row.run, row.agent, row.env_id, row.config_hash) == ("direct", "direct", "ScholarGym-All-v0", "c0ffee")
    assert row.corpus == {"name": "toy", "fingerprint": "ab" * 32, "official": False}
    assert row.averages["means"]["recall"] == pytest.approx(0.4, abs=1e-15)
    assert report.comparisons == ()


def test_runs_that_show_the_same_are_compared(episode: Make) -> None:
    report = build_report([run(episode, "feedback", 0.75, 31.0), run(episode, "paged", 0.5, 30.0)], resamples=50)
    (pair,) = report.comparisons
    assert (pair.first, pair.second, pair.shown, pair.reason) == ("feedback", "paged", (31.0, 30.0), "")
    assert list(pair.intervals) == ["ret_recall", "recall", "f1_of_means", "return"]
    found = pair.intervals["recall"]
    assert (found.value, found.low, found.high, found.n_tasks) == (0.25, 0.25, 0.25, 4)


def test_runs_that_show_more_are_not_compared(episode: Make) -> None:
    report = build_report([run(episode, "feedback", 0.75, 31.0), run(episode, "direct", 0.5, 10.0)], resamples=50)
    (pair,) = report.comparisons
    assert pair.intervals == {}
    assert pair.reason == "mean n_results_shown 31.0 against 10.0 differ by more than 5%"
    assert "feedback and direct are not comparable: mean n_results_shown 31.0 against 10.0" in "\n".join(notes(report))
    wide = build_report([run(episode, "a", 0.7, 31.0), run(episode, "b", 0.5, 10.0)], resamples=50, tolerance=0.7)
    assert wide.comparisons[0].reason == ""


def test_two_runs_that_show_nothing_agree(episode: Make) -> None:
    report = build_report([run(episode, "a", 0.0, 0.0), run(episode, "b", 0.0, 0.0)], resamples=5)
    assert report.comparisons[0].reason == ""


def test_several_corpora_are_refused_unless_asked_for_and_never_compared(episode: Make) -> None:
    runs = [run(episode, "here", 0.5), run(episode, "there", 0.5, corpus={"fingerprint": "cd" * 32})]
    with pytest.raises(
        IncomparableRunsError, match="runs on several corpora: here on abababababab; there on cdcdcdcdcdcd"
    ):
        build_report(runs)
    with pytest.raises(IncomparableRunsError, match="several corpora"):
        build_report(runs, partial=True)
    report = build_report(runs, mixed=True)
    assert report.comparisons[0].reason == "they ran on different corpora"
    assert report.remarks[0].startswith("runs on several corpora")


def test_several_task_sets_are_refused_unless_asked_for(episode: Make) -> None:
    runs = [run(episode, "one", 0.5), run(episode, "two", 0.25, tasks="cde")]
    with pytest.raises(
        IncomparableRunsError, match="runs over several task sets: one 4 tasks; two 3 tasks; 2 in common"
    ):
        build_report(runs)
    for mixed, partial in ((True, False), (False, True)):
        report = build_report(runs, resamples=5, mixed=mixed, partial=partial)
        assert report.comparisons[0].intervals["recall"].n_tasks == 2
    apart = [run(episode, "one", 0.5), run(episode, "two", 0.25, tasks="xyz")]
    assert build_report(apart, mixed=True).comparisons[0].reason == "they have no task in common"


def test_a_run_with_a_gap_is_refused_unless_partial(episode: Make) -> None:
    whole = run(episode, "r", 0.5)
    gap = Run("r", whole.episodes[:3], whole.expected)
    with pytest.raises(IncompleteRunError, match="r: 1 tasks missing: d"):
        build_report([gap])
    assert build_report([gap], partial=True).remarks == ("r: 1 tasks missing: d",)


def test_assistance_is_marked(episode: Make) -> None:
    report = build_report([run(episode, "oracle", 1.0, assisted=True), run(episode, "own", 0.5)], resamples=5)
    assert "oracle is assisted: its assessor or its agent knew the gold" in report.remarks
    for table in report_tables(report)[:-1]:
        assert {row[0] for row in table.rows} == {"oracle (assisted)", "own"}


def test_runs_of_one_name_are_told_apart(episode: Make) -> None:
    report = build_report([run(episode, "r", 0.5), run(episode, "r", 0.5)], resamples=5)
    assert [row.run for row in report.rows] == ["r", "r (2)"]


def test_recall_never_stands_without_the_number_of_results_shown(episode: Make) -> None:
    report = build_report([run(episode, "a", 0.5, labels={"year": "2020"})], resamples=5)
    tables = [table for table in report_tables(report, ["year"]) if "R" in table.columns]
    assert [table.title for table in tables] == ["Results", "By source", "By year"]
    for table in tables:
        shown = table.columns.index("RetR") + 1
        assert table.columns[shown] == "shown"
        assert table.rows[0][shown] == "30.0"


def test_only_labels_that_tell_a_few_groups_apart_are_offered(episode: Make) -> None:
    tasks = [f"t{at}" for at in range(13)]
    labels = [{"id": task, "half": str(at % 2), "same": "x"} for at, task in enumerate(tasks)]
    report = build_report([Run("r", [episode(task, labels=of) for task, of in zip(tasks, labels, strict=True)])])
    assert label_names(report) == ["half"]
    assert "By half" not in [table.title for table in report_tables(report)]
    assert "By half" in [table.title for table in report_tables(report, ["half"])]
    assert "By half" in report_markdown(report, ["half"])
    assert "By half" in report_html(report)
    with pytest.raises(InvalidOptionError, match=r"by 'id', which has 13 values.*take one of half"):
        report_tables(report, ["id"])


def test_a_pair_at_unequal_results_shown_has_no_row(episode: Make) -> None:
    report = build_report([run(episode, "a", 0.5), run(episode, "b", 0.25, shown=90.0)], resamples=5)
    assert "Paired differences" not in " ".join(table.title for table in report_tables(report))
    assert any("a and b are not comparable" in line for line in notes(report))


def test_every_row_has_a_cell_a_column(episode: Make) -> None:
    runs = [run(episode, "a", 0.5, labels={"year": "2020"}), run(episode, "b", 0.25)]
    for table in report_tables(build_report(runs, resamples=5)):
        assert {len(row) for row in table.rows} == {len(table.columns)}
        assert 1 <= table.n_text <= len(table.columns)


def test_markdown_holds_the_numbers_and_escapes_the_texts(episode: Make) -> None:
    name = "a|b <script> *x* \x1b[31m"
    text = report_markdown(build_report([run(episode, name, 0.4375)], resamples=5))
    cell = "a\\|b &lt;script&gt; \\*x\\*  \\[31m"
    assert f"| {cell} | ScholarGym-All-v0 | direct | c0ffee | toy@abababab | no | 4 |\n" in text
    assert f"| {cell} | 0.438 | 30.0 | 0.000 | 0.000 | 0.438 | 0.500 | 0.467 | 0.000 |\n" in text
    assert "\x1b" not in text


def test_html_is_one_page_that_escapes_everything(episode: Make) -> None:
    page = report_html(build_report([run(episode, "<img src=x onerror=1>", 0.5)], resamples=5), title="a & b")
    assert "<title>a &amp; b</title>" in page
    assert "<img" not in page
    assert "&lt;img src=x onerror=1&gt;" in page
    assert "<script" not in page
    assert "http" not in page


def test_the_terminal_takes_markup_literally(episode: Make) -> None:
    output = StringIO()
    console = Console(file=output, width=400, force_terminal=False)
    console.print(report_rich(build_report([run(episode, "[red]x[/red]\x1b]0;", 0.5)], resamples=5)))
    assert "[red]x[/red] ]0;" in output.getvalue()


def test_json_has_null_for_what_is_undefined(episode: Make) -> None:
    runs = [run(episode, "a", math.nan), run(episode, "b", 0.5)]
    plain = report_json(build_report(runs, resamples=5))
    again = json.loads(json.dumps(plain, allow_nan=False))
    assert again == plain
    assert plain["rows"][0]["averages"]["means"]["recall"] is None
    assert plain["rows"][1]["averages"]["means"]["recall"] == 0.5
    assert plain["comparisons"][0]["intervals"]["recall"]["value"] is None
    assert plain["settings"]["resamples"] == 5


def test_notes_say_that_nothing_here_is_official(episode: Make) -> None:
    report = build_report([run(episode, "a", 0.5)], resamples=5)
    assert "not on an official release of the corpus, so not a published result: a" in notes(report)
    settings = (
        "partial=False, mixed=False, dropped=score, horizon=1, tolerance=0.05, resamples=5, confidence=0.95, seed=0"
    )
    assert notes(report)[-1] == f"settings: {settings}"


def test_dropping_changes_the_averages_but_not_the_comparison(episode: Make) -> None:
    first = run(episode, "a", 0.5)
    converged = episode("e", stop_reason="converged", metrics={"n_results_shown": 30.0})
    runs = [Run("a", [*first.episodes, converged]), run(episode, "b", 0.5, tasks="abcde")]
    report = build_report(runs, dropped="drop", resamples=5)
    assert [row.averages["n_tasks"] for row in report.rows] == [4, 5]
    assert report.rows[0].averages["means"]["recall"] == 0.5
    assert report.comparisons[0].intervals["recall"].n_tasks == 5
    assert report.comparisons[0].intervals["recall"].value == pytest.approx(-0.1, abs=1e-12)


@pytest.mark.parametrize(("runs", "tolerance"), [(0, 0.05), (1, -0.1), (1, 1.5)])
def test_bad_options_are_refused(episode: Make, runs: int, tolerance: float) -> None:
    with pytest.raises(InvalidOptionError, match=f"{runs} runs, tolerance={tolerance}"):
        build_report([run(episode, "a", 0.5)] * runs, tolerance=tolerance)


def test_a_narrow_terminal_breaks_no_number_and_no_short_word() -> None:
    table = Table("t", ["run", "false abstention", "interval"], [["a-run one", "0.094", "+0.606 … +0.709"]], n_text=1)
    output = StringIO()
    Console(width=16, file=output, soft_wrap=True).print(rich_table(table))
    printed = output.getvalue()
    for word in ("a-run", "one", "false", "abstention", "0.094", "+0.606 … +0.709"):
        assert word in printed
