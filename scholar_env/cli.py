"""The command line: ``scholar-env``.

Every command takes ``--json`` for machines and ``--debug`` for tracebacks; progress goes to standard error and only to
a terminal. Heavy imports happen inside the commands, so that help is quick.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import scholar_env
from scholar_env import cli_common as common
from scholar_env.cli_aise import app as aise_app
from scholar_env.cli_common import Debug, Json, command
from scholar_env.cli_corpus import app as corpus_app
from scholar_env.cli_judge import judge
from scholar_env.cli_report import report
from scholar_env.cli_run import export, replay, run
from scholar_env.cli_tasks import app as tasks_app

app = typer.Typer(
    help="Academic literature search as Gymnasium environments.",
    epilog=common.EXIT_CODES,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(corpus_app, name="corpus")
app.add_typer(tasks_app, name="tasks")
app.add_typer(aise_app, name="aise")


def _version(wanted: bool) -> None:
    if wanted:
        common.say(scholar_env.__version__)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version


@app.command(name="list")
@command
def list_ids(
    env: Annotated[str, typer.Argument(help="Show this environment's arguments.")] = "",
    *,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """List the environments and the agents, or the arguments of one environment."""
    from scholar_env.agents import AGENTS
    from scholar_env.environment.registry import CARDS, card

    if env:
        _show_card(_card_object(card(env)), as_json=as_json)
        return
    agents = {name: _agent_object(name) for name in AGENTS}
    if as_json:
        environments = [_card_object(entry) for entry in CARDS.values()]
        common.print_json({"environments": environments, "agents": agents})
        return
    from rich.table import Table

    table = Table("environment", "family", "tasks", "what it is")
    for item in CARDS.values():
        size = "all" if item.n_tasks is None else str(item.n_tasks)
        table.add_row(item.id, item.family, size, common.shown(item.summary))
    people = Table("agent", "plays", "what it does")
    for name, entry in agents.items():
        for doc in dict.fromkeys(entry["docs"].values()):
            families = [family for family, said in entry["docs"].items() if said == doc]
            people.add_row(name, ", ".join(families), common.shown(doc))
    common.out().print(table)
    common.out().print(people)


def _agent_object(name: str) -> dict[str, Any]:
    """Which families an agent plays ("all": any), and its class's first line for each ("others": those not named)."""
    from scholar_env.agents import AGENTS, ANY, agent_class

    rest = "all" if len(AGENTS[name]) == 1 else "others"
    docs = {
        rest if family == ANY else family: (agent_class(name, family).__doc__ or "").strip().splitlines()[0]
        for family in AGENTS[name]
    }
    return {"plays": ["all"] if ANY in AGENTS[name] else list(docs), "docs": docs}


def _show_card(entry: dict[str, Any], *, as_json: bool) -> None:
    """Prints one environment's arguments."""
    if as_json:
        common.print_json(entry)
        return
    from rich.table import Table

    table = Table("argument", "default", "values", "what it is")
    for item in entry["arguments"]:
        table.add_row(*(common.shown(str(item[key])) for key in ("name", "default", "rule", "doc")))
    common.say(f"{entry['id']}: {entry['summary']}")
    common.out().print(table)


def _card_object(card: Any) -> dict[str, Any]:
    return {
        "id": card.id,
        "family": card.family,
        "benchmark": card.benchmark,
        "split": card.split,
        "summary": card.summary,
        "n_tasks": card.n_tasks,
        "tools": list(card.tools),
        "metrics": list(card.metrics),
        "arguments": [
            {"name": item.name, "default": item.default, "frozen": item.frozen, "rule": item.rule(), "doc": item.doc}
            for item in card.options
        ],
    }


@app.command()
@command
def warm(
    corpus: Annotated[str, typer.Option(help="A corpus to open and search once.")] = "toy",
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Do now what a first use would do: build the toy corpus, check the files, compile the scoring kernel."""
    import time

    from scholar_env.corpus import resolve_corpus

    began = time.process_time()
    opened = resolve_corpus(corpus)
    index = opened.sparse_index()
    index.search("retrieval", 10, before="2100-01", gold=[0])
    seconds = round(time.process_time() - began, 3)
    found = {"corpus": opened.name, "fingerprint": opened.fingerprint, "engine": index.engine, "cpu_seconds": seconds}
    if as_json:
        common.print_json(found)
    else:
        common.say(f"{opened.name}@{opened.fingerprint[:8]} is ready with the {index.engine} engine ({seconds} s CPU)")


app.command(name="run")(run)
app.command(name="replay")(replay)
app.command(name="export")(export)
app.command(name="report")(report)
app.command(name="judge")(judge)


def main() -> None:
    """Entry point of the console script."""
    sys.path.append(str(Path.cwd()))  # agents and assessors of one's own may lie in the current folder
    try:
        app()
    except KeyboardInterrupt:  # before or after a command
        sys.exit(common.INTERRUPTED)


if __name__ == "__main__":
    main()
