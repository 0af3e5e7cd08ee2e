"""``scholar-env run``, ``replay`` and ``export``."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scholar_env import cli_common as common
from scholar_env.cli_common import Debug, Json, Quiet, command

if TYPE_CHECKING:
    from scholar_env.rollout.runner import RunResult

_FINDINGS = 20


@command
def run(
    env_id: Annotated[str, typer.Argument(metavar="ENV", help="Environment, see scholar-env list.")],
    *,
    agent: Annotated[str, typer.Option(help="Agent, see scholar-env list, or package.module:Class.")] = "direct",
    tasks: Annotated[
        str | None, typer.Option(help="How many tasks (default: all), or a task set: its name, or its folder.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="How many tasks of a task set; default: all.")] = None,
    task: Annotated[list[str] | None, typer.Option(help="A task id; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes every draw.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play whole episodes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; default: runs/ENV/AGENT-SEED.")] = None,
    corpus: Annotated[str | None, typer.Option(help="Corpus: name, path, or either with @fingerprint.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Argument of the environment, key=value.")] = None,
    agent_set: Annotated[list[str] | None, typer.Option(help="Option of the agent, key=value.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Play tasks with an agent and record every step."""
    from scholar_env.errors import InvalidOptionError
    from scholar_env.rollout.runner import run as play
    from scholar_env.rollout.setting import own_id

    own_id(env_id)
    kwargs = common.settings(set_ or [], "--set")
    number = _read_tasks(tasks, limit, kwargs)
    if number is not None and task:
        raise InvalidOptionError("--tasks and --task", "a run takes a number of tasks or a list", "give one of them")
    _build_corpus(env_id, {**kwargs, "corpus": corpus or kwargs.get("corpus")}, quiet=quiet)
    folder = out or Path("runs") / env_id.rpartition(":")[2] / f"{agent.rpartition(':')[2]}-{seed}"
    try:
        with common.progress(f"{agent} on {env_id}", quiet=quiet) as tell:
            result = play(
                env_id,
                agent,
                out=folder,
                kwargs=kwargs,
                agent_options=common.settings(agent_set or [], "--agent-set"),
                corpus=corpus,
                tasks=task or number,
                seed=seed,
                workers=workers,
                resume=resume,
                progress=tell,
            )
    except KeyboardInterrupt:
        if debug:
            raise
        common.remark(f"interrupted; the same command with --resume goes on with {folder}")
        return common.INTERRUPTED
    return _show_run(result, as_json=as_json)


def _read_tasks(tasks: str | None, limit: int | None, kwargs: dict[str, Any]) -> int | None:
    """Reads --tasks and --limit: returns how many tasks, and puts a task set among the arguments.

    Raises:
        InvalidOptionError: A number below 1, two numbers, or two task sets.
    """
    from scholar_env.errors import InvalidOptionError

    if tasks is None:
        return limit
    if not tasks.lstrip("-").isdecimal():
        if kwargs.setdefault("tasks", tasks) != tasks:
            raise InvalidOptionError("--tasks and --set tasks", "a run has one task set", "name it once")
        return limit
    if limit is not None or int(tasks) < 1:
        given = f"--tasks {tasks}" if limit is None else f"--tasks {tasks} and --limit {limit}"
        raise InvalidOptionError(given, "a run has one number of tasks, from 1 on", "give one such number")
    return int(tasks)


def _build_corpus(env_id: str, kwargs: dict[str, Any], *, quiet: bool) -> None:
    """Builds what is built at first use, so that its progress is gone before the run shows its own."""
    from scholar_env.environment.registry import card, open_corpus, open_source
    from scholar_env.first_use import PROGRESS_VARIABLE
    from scholar_env.rollout.setting import own_id

    if quiet:
        os.environ[PROGRESS_VARIABLE] = "0"
    entry = card(own_id(env_id))
    options = entry.resolve(kwargs)
    open_source(entry, open_corpus(entry, options), options)


def _show_run(result: RunResult, *, as_json: bool) -> int:
    from scholar_env.rollout.reader import read_run
    from scholar_env.study.aggregate import aggregate

    finished = read_run(result.folder)
    failed = [episode for episode in finished.episodes if episode.failure_kind == "infrastructure"]
    counted = [episode for episode in finished.episodes if episode.failure_kind != "infrastructure"]
    averages = aggregate(counted) if counted else {"means": {}, "stop_reasons": {}}
    corpus: dict[str, Any] = dict(finished.episodes[0].corpus)
    if as_json:
        common.print_json(
            {
                "folder": str(result.folder),
                "env_id": result.manifest["env_id"],
                "agent": result.manifest["agent"],
                "corpus": corpus,
                "assisted": any(episode.assisted for episode in finished.episodes),
                "n_tasks": len(finished.episodes),
                "n_played": result.n_played,
                "n_failed": len(failed),
                "means": common.without_nan(averages["means"]),
                "stop_reasons": averages["stop_reasons"],
                "files": result.manifest["files"],
            }
        )
    else:
        _print_summary(result, corpus, averages, assisted=any(episode.assisted for episode in finished.episodes))
    if failed:
        common.remark(f"{len(failed)} episodes ended by an infrastructure failure; --resume plays them again")
        return common.INFRASTRUCTURE
    return common.OK


def _print_summary(result: RunResult, corpus: dict[str, Any], averages: dict[str, Any], *, assisted: bool) -> None:
    from rich.table import Table

    from scholar_env.environment.registry import card
    from scholar_env.study.family_report import report_of

    manifest = result.manifest
    report = report_of(card(manifest["env_id"]).family)
    names = report.summary or tuple(averages["means"])
    title = f"{manifest['env_id']}, {manifest['agent']}, {len(manifest['tasks'])} tasks"
    place = f"corpus {corpus['name']}@{str(corpus['fingerprint'])[:8]} ({corpus.get('engine', '')})"
    if corpus.get("tasks"):
        name = str(manifest["kwargs"].get("tasks", "tasks")).partition("@")[0]
        place += f", {name}@{str(corpus['tasks'])[:8]}"
    table = Table("measure", "mean", title=common.shown(title), caption=common.shown(place))
    for name in names:
        value = averages["means"].get(name)
        if value is None or not math.isnan(value):  # what is defined for none of the tasks tells nothing
            table.add_row(name, "" if value is None else f"{value:.4g}")
    for reason, count in sorted(averages["stop_reasons"].items()):
        table.add_row(common.shown(f"ended: {reason}"), str(count))
    common.out().print(table)
    for name, caution in report.cautions.items():
        if not math.isnan(averages["means"].get(name, math.nan)):
            common.say(caution)
    if assisted:
        common.say("assisted: the agent or the assessor knew the gold")
    if corpus["name"] == "toy":
        common.say("toy corpus: 300 made-up papers; these numbers say nothing about any benchmark")
    elif str(corpus.get("derived_from", "")).startswith("generator "):
        common.say("a generated world of made-up papers; compare these numbers with no published ones")
    common.say(f"recorded in {result.folder}")


@command
def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Run folder, or one rollout file.")],
    *,
    corpus: Annotated[str | None, typer.Option(help="Where the recorded corpus is, if not under its name.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Where the recorded task set is, if not under its name.")] = None,
    allow_code: Annotated[bool, typer.Option("--allow-code", help="Follow import strings in the record.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Check the files, run every recorded episode again, and name the first step that differs."""
    from dataclasses import asdict

    from scholar_env.rollout.replay import replay as run_again

    with common.progress(f"replaying {folder}", quiet=quiet) as tell:
        places = {"corpus": corpus, "task_set": tasks}
        found = run_again(folder, **places, allow_code=allow_code, progress=lambda done: tell(done, None))
    if as_json:
        common.print_json(
            {
                "agrees": found.agrees,
                "n_episodes": found.n_episodes,
                "n_steps": found.n_steps,
                "findings": [asdict(finding) for finding in found.findings],
                "remarks": list(found.remarks),
            }
        )
        return common.OK if found.agrees else common.CHECK_FAILED
    for line in found.remarks:
        common.remark(line)
    if found.agrees:
        common.say(f"all {found.n_steps} steps of {found.n_episodes} episodes agree")
        return common.OK
    for finding in found.findings[:_FINDINGS]:
        common.say(str(finding))
    common.say(f"differs ({found.n_steps} steps before the first difference agree)")
    return common.CHECK_FAILED


@command
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Run folder, or one rollout file.")],
    *,
    out: Annotated[Path, typer.Option(help="File to write.")],
    form: Annotated[str, typer.Option("--to", help="jsonl, parquet, chat (loss spans) or tools.")] = "chat",
    corpus: Annotated[str | None, typer.Option(help="Where the recorded corpus is, if not under its name.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Where the recorded task set is, if not under its name.")] = None,
    allow_code: Annotated[bool, typer.Option("--allow-code", help="Follow import strings in the record.")] = False,
    max_chars: Annotated[int, typer.Option(min=100, help="Characters of one observation.")] = 24_000,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Write a run as episodes, as a table, or as chat messages for training."""
    from scholar_env.rollout.export import export as write

    places = {"corpus": corpus, "task_set": tasks}
    count = write(folder, out, form, **places, allow_code=allow_code, max_chars=max_chars)
    if as_json:
        common.print_json({"file": str(out), "form": form, "n_episodes": count})
    else:
        common.say(f"{count} episodes in {out}")
