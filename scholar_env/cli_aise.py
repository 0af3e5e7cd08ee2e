"""``scholar-env aise``: check, run-plan, score, predictions, learn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from scholar_env import cli_common as common
from scholar_env.cli_common import Debug, Json, command

if TYPE_CHECKING:
    from scholar_env.episode.aise.attempts import ApiCall, CallPolicy
    from scholar_env.graph.kg import KnowledgeGraph

app = typer.Typer(
    help="AISE-Bench files: check a prediction file, run a plan, score predictions against gold.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="JSON list, or one JSON object a line.")]
CorpusOption = Annotated[
    str | None, typer.Option(help="The corpus whose knowledge graph is meant: name, path, or either with @fingerprint.")
]


def _graph(corpus: str | None) -> KnowledgeGraph:
    from scholar_env.corpus import resolve_corpus
    from scholar_env.graph.kg_store import knowledge_graph

    return knowledge_graph(resolve_corpus(corpus, preferred=()))


@app.command()
@command
def check(
    file: File,
    *,
    corpus: CorpusOption = None,
    no_links: Annotated[bool, typer.Option("--no-links", help="Do not look links up in a knowledge graph.")] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Check a prediction file: fields, plan, citations, links; every finding with record, field and mend."""
    from dataclasses import asdict

    from scholar_env.aise_files import records
    from scholar_env.metrics.aise_checking import CheckFinding, check_record

    graph = None if no_links else _graph(corpus)
    found = []
    count = 0
    places: dict[str, int] = {}
    for count, record in enumerate(records(file), start=1):
        found += check_record(record, count, graph)
        first = places.setdefault(str(record.get("id")), count)
        if first != count:
            found.append(CheckFinding(count, "id", f"record {first} has it too", "keep one: the last is scored"))
    if as_json:
        common.print_json({"n_records": count, "findings": [asdict(finding) for finding in found]})
    else:
        for finding in found:
            common.say(f"record {finding.line}, {finding.field}: {finding.message}; {finding.mend}")
        common.say(f"{count} records, {len(found)} findings")
    return common.CHECK_FAILED if found else common.OK


@app.command(name="run-plan")
@command
def run_plan(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A plan: JSON list of steps; or a prediction record.")],
    *,
    corpus: CorpusOption = None,
    steps: Annotated[bool, typer.Option("--steps", help="One step at a time, each shown before the next.")] = False,
    filler: Annotated[str, typer.Option(help="Who fills dependent parameters: rule, or package.module:name.")] = "rule",
    upstream: Annotated[bool, typer.Option("--upstream", help="Execute as the released code does.")] = False,
    api: Annotated[
        str,
        typer.Option(
            help="Answers calls in the corpus's place: package.module:name, given an API and parameters, returns JSON."
        ),
    ] = "",
    policy: Annotated[
        str, typer.Option(help="Calls that hang or fail: once, or released (10 s a try, 3 tries, 1 and 2 s between).")
    ] = "once",
    log: Annotated[
        Path | None, typer.Option(help="Where inputs and results go; steps that it holds unchanged are not run again.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Calls at a time.")] = 8,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Execute a plan at once or step by step, and only what changed when it runs again after an edit."""
    from functools import partial

    from scholar_env import storage
    from scholar_env.aise_files import records
    from scholar_env.episode.aise.filling import filler as filler_named
    from scholar_env.episode.aise.own_api import require_json
    from scholar_env.episode.aise.plan import read_plan
    from scholar_env.episode.aise.planlog import read_log, replayed, run_logged

    content: Any = list(records(file))
    if len(content) == 1 and "plan" in content[0]:
        content = content[0]["plan"]
    plan, problems = read_plan(content)
    require_json(file, [step.as_json() for step in plan])
    earlier = {} if log is None else read_log(log)
    chosen, apis = _policy(policy, upstream=upstream), _apis(api, corpus)
    done = replayed(plan, earlier)
    shown = (lambda entry: common.say(_line(entry))) if steps and not as_json else (lambda entry: None)
    at_a_time = 1 if steps else workers
    kept = (lambda found: None) if log is None else partial(storage.write_json_atomic, log)
    result = run_logged(plan, problems, apis, filler_named(filler), done, upstream, at_a_time, shown, chosen, kept)
    if as_json:
        common.print_json(result)
    elif not steps:
        for entry in result["steps"]:
            common.say(_line(entry))
    for problem in result["problems"]:
        common.remark(problem)
    failed = [entry for entry in result["steps"] if entry["status"] != "completed"]
    return common.CHECK_FAILED if failed or result["problems"] else common.OK


def _apis(api: str, corpus: str | None) -> ApiCall:
    from scholar_env.episode.aise.calling import KnowledgeApis
    from scholar_env.episode.aise.own_api import OwnApi
    from scholar_env.errors import InvalidOptionError
    from scholar_env.named import load_named

    if not api:
        return KnowledgeApis(_graph(corpus))
    if corpus is not None:
        raise InvalidOptionError(f"--api {api} and --corpus {corpus}", "one of them answers the calls", "leave one out")
    return OwnApi(cast("ApiCall", load_named("--api", api)))


def _policy(name: str, *, upstream: bool) -> CallPolicy:
    from scholar_env.episode.aise.attempts import POLICIES
    from scholar_env.errors import InvalidOptionError

    if name not in POLICIES:
        raise InvalidOptionError(f"--policy {name!r}", f"a policy is one of {', '.join(POLICIES)}", "name one of these")
    if upstream and name != "once":
        rule = "the released executor calls once; its client tries a whole question again"
        raise InvalidOptionError(f"--policy {name} with --upstream", rule, "leave one of them out")
    return POLICIES[name]


def _line(entry: dict[str, Any]) -> str:
    again = " (kept)" if entry["kept"] else ""
    inputs, result = (json.dumps(entry[name], ensure_ascii=False) for name in ("inputs", "result"))
    return f"{entry['step']}: {entry['status']}{again}\n  in  {inputs[:400]}\n  out {result[:400]}"


@app.command()
@command
def score(
    file: File,
    *,
    gold: Annotated[Path | None, typer.Option(help="Gold records in the released format.")] = None,
    corpus: CorpusOption = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Score a prediction file against gold records, or against the questions of a generated world."""
    from scholar_env.aise_files import read_predictions, read_tasks
    from scholar_env.corpus import resolve_corpus
    from scholar_env.metrics.aise_scoring import scored_file
    from scholar_env.task_set import task_set_of

    tasks = read_tasks(gold) if gold is not None else task_set_of(resolve_corpus(corpus, preferred=()), "aise").tasks
    aliases = _graph(corpus).aliases if gold is None or corpus is not None else {}
    found = scored_file(read_predictions(file), {task.id: task for task in tasks}, aliases)
    if as_json:
        common.print_json(found)
        return
    for name, value in found["means"].items():
        common.say(f"{name:26s} {value:.4f}")
    common.say(f"{found['n']} predictions scored; {len(found['unknown'])} of unknown questions, "
               f"{len(found['missing'])} questions without a prediction")  # fmt: skip


@app.command()
@command
def predictions(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Run folder.")],
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where the predictions go, as one JSON list.")],
    *,
    corpus: Annotated[str | None, typer.Option(help="Corpus, where the recorded name leads nowhere here.")] = None,
    tasks: Annotated[str | None, typer.Option(help="Task set, likewise.")] = None,
    allow_code: Annotated[bool, typer.Option("--allow-code", help="Follow import strings in the record.")] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Write the answers of a run as a prediction file in the released format."""
    from scholar_env import storage
    from scholar_env.aise_files import prediction_record
    from scholar_env.episode.aise.engine import AiseEpisode
    from scholar_env.errors import InvalidOptionError
    from scholar_env.rollout.again import played_again
    from scholar_env.rollout.stage import Stage

    found = []
    for env in played_again(folder, Stage(corpus, tasks, allow_code=allow_code)):
        if not isinstance(env.episode, AiseEpisode):
            rule = "predictions are made of runs of AISE-Bench"
            raise InvalidOptionError(f"{folder} holds episodes of {env.family.name}", rule, "name such a run")
        found.append(prediction_record(env.episode))
    storage.write_json_atomic(out, found)
    if as_json:
        common.print_json({"n": len(found), "path": str(out)})
    else:
        common.say(f"{len(found)} predictions in {out}")


@app.command()
@command
def learn(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where the library goes.")],
    *,
    worlds: Annotated[int, typer.Option(min=1, max=64, help="Training worlds of the pool.")] = 1,
    tasks: Annotated[int, typer.Option(min=1, help="Training questions of each.")] = 1000,
    least: Annotated[int, typer.Option(min=1, help="Questions that a kept sequence must have come from.")] = 2,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Learn the solution library of the agent of that name from training questions and their gold plans."""
    from itertools import islice

    from scholar_env import storage
    from scholar_env.agents.aise_library import learn as learn_library
    from scholar_env.corpus import resolve_corpus
    from scholar_env.environment.registry import card, open_source

    entry = card("AISEBench-Train-v0")
    examples = []
    for number in range(worlds):
        world = resolve_corpus(f"world-train-{number}")
        source = open_source(entry, world, entry.resolve({}))
        for task_id in islice(source.ids, tasks):
            task = source.task(task_id)
            examples.append((task.question, task.details["plan"]))
    library = [found for found in learn_library(examples) if found["n"] >= least]
    storage.write_json_atomic(out, library)
    if as_json:
        common.print_json({"n_questions": len(examples), "n_entries": len(library)})
    else:
        common.say(f"{len(library)} sequences learned from {len(examples)} questions")
