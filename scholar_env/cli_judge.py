"""``scholar-env judge``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scholar_env import cli_common as common
from scholar_env.cli_common import Debug, Json, Quiet, command

if TYPE_CHECKING:
    from scholar_env.metrics.judges import Judge

RATINGS = "ratings.jsonl"
"""File beside a rollout that keeps what judges said of it."""


@command
def judge(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Run folder.")],
    *,
    judge_: Annotated[
        str,
        typer.Option("--judge", help="own (the family's, no model), openai, or recorded (what the run's file holds)."),
    ] = "own",
    base_url: Annotated[str, typer.Option(help="Where the model's OpenAI-compatible interface lies.")] = "",
    model: Annotated[str, typer.Option(help="Name of the model.")] = "",
    key_variable: Annotated[str, typer.Option(help="Environment variable that holds the key.")] = "OPENAI_API_KEY",
    temperature: Annotated[float, typer.Option(help="Temperature of the model.")] = 0.0,
    timeout: Annotated[float, typer.Option(help="Seconds that a reply may take.")] = 60.0,
    attempts: Annotated[int, typer.Option(min=1, help="Tries of a call.")] = 5,
    workers: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 4,
    by: Annotated[list[str] | None, typer.Option(help="Break down by this task label; may be repeated.")] = None,
    corpus: Annotated[str | None, typer.Option(help="Corpus, where the recorded name leads nowhere here.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Task set, likewise.")] = None,
    allow_code: Annotated[bool, typer.Option("--allow-code", help="Follow import strings in the record.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Rate the answers of a run by a judge; ratings of models are kept beside the run and never asked for twice."""
    from scholar_env import storage
    from scholar_env.chat import ChatClient, ChatSettings
    from scholar_env.errors import InvalidOptionError
    from scholar_env.metrics.judge_openai import OpenAIJudge, RecordedJudge
    from scholar_env.study.judged_runs import judged_file
    from scholar_env.study.judging import judge_run

    ratings = folder / RATINGS
    chosen: Judge | None
    if judge_ == "own":
        chosen = None
    elif judge_ == "openai":
        settings = ChatSettings(
            base_url, model, key_variable, temperature=temperature, timeout_s=timeout, attempts=attempts
        )
        chosen = RecordedJudge(ratings, OpenAIJudge(ChatClient(settings)))
    elif judge_ == "recorded":
        chosen = RecordedJudge(ratings)
    else:
        rule = "a judge is own, openai or recorded"
        raise InvalidOptionError(f"--judge {judge_}", rule, "take one of them")
    with common.progress(f"judging {folder}", quiet=quiet) as tell:
        places = {"corpus": corpus, "task_set": tasks}
        found = judge_run(
            folder, chosen, **places, allow_code=allow_code, workers=workers, progress=lambda done: tell(done, None)
        )
    result = {**found.as_json(), "by": {label: found.by(label) for label in by or ()}}
    storage.write_json_atomic(folder / judged_file(found.judge), result)
    if as_json:
        common.print_json(result)
        return
    left_out = f", {found.n_left_out} with nothing to judge" if found.n_left_out else ""
    common.say(f"{found.judge}: {len(found.episodes)} episodes{left_out}")
    for name, value in found.means().items():
        common.say(f"  {name:24s} {value:.4f}")
    for label in by or ():
        for value_of, means in found.by(label).items():
            shown = ", ".join(f"{name} {number:.3f}" for name, number in means.items() if name != "n")
            common.say(f"  {label}={value_of or '-'} ({means['n']:.0f}): {shown}")
