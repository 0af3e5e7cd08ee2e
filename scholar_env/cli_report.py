"""``scholar-env report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scholar_env import cli_common as common
from scholar_env.cli_common import Debug, Json, command

_FORMATS = ("table", "markdown", "html", "json")


@command
def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Run folders.")],
    *,
    form: Annotated[str, typer.Option("--format", help="table, markdown, html or json.")] = "table",
    by: Annotated[list[str] | None, typer.Option(help="Break down by this task label; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write to this file.")] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Accept missing, doubled and failed tasks.")] = False,
    mixed: Annotated[bool, typer.Option("--mixed", help="Accept runs of different corpora or task sets.")] = False,
    dropped: Annotated[str, typer.Option(help="What the released evaluation leaves out: score or drop.")] = "score",
    tolerance: Annotated[float, typer.Option(help="Largest difference of results shown in a comparison.")] = 0.05,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Average runs and compare them pair by pair, with paired bootstrap intervals."""
    from dataclasses import replace

    from scholar_env import storage
    from scholar_env.errors import InvalidOptionError
    from scholar_env.rollout.reader import read_run
    from scholar_env.study import render
    from scholar_env.study.judged_runs import read_judged
    from scholar_env.study.report import build_report

    form = "json" if as_json else form
    if form not in _FORMATS:
        raise InvalidOptionError(f"--format {form}", f"the formats are {', '.join(_FORMATS)}", "take one of them")
    runs = [read_run(folder) for folder in folders]
    built = build_report(runs, partial=partial, mixed=mixed, dropped=dropped, tolerance=tolerance, seed=seed)
    judged = [
        entry
        for folder, run, row in zip(folders, runs, built.rows, strict=True)
        for entry in read_judged(folder, row.run, {episode.task_id for episode in run.episodes})
    ]
    built = replace(built, judged=tuple(judged))
    if form == "table" and out is None:
        common.out().print(render.report_rich(built, by or ()))
        return
    if form == "json":
        text = storage.json_bytes(render.report_json(built)).decode("utf-8")
    else:
        text = render.report_html(built) if form == "html" else render.report_markdown(built, by or ())
    if out is None:
        typer.echo(text, nl=not text.endswith("\n"))
        return
    storage.write_bytes_atomic(out, text.encode("utf-8"))
    common.remark(f"report in {out}")
