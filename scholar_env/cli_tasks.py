"""``scholar-env tasks``: import, validate, schema, list, info, remove."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scholar_env import cli_common as common
from scholar_env.cli_common import Debug, Json, Quiet, command
from scholar_env.errors import InvalidOptionError, TaskFileError

if TYPE_CHECKING:
    from scholar_env.task_file_report import TaskFileReport
    from scholar_env.task_files.faults import Fault

_LISTED = 20
"""Rows of a list that are printed for people."""

app = typer.Typer(
    help="Task sets on this machine: your own or released queries for a corpus.",
    epilog=(
        "A task file is JSON lines, one query a line: scholar-env tasks schema FAMILY prints the format. Plain queries "
        "(family scholargym) may also come as BEIR or ir_datasets write them: queries.jsonl or queries.tsv, and "
        "judgements. Play a set with scholar-env run ENV --corpus CORPUS --tasks NAME."
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Task file; AISE-Bench's questions or gold records as released; or a folder: queries.jsonl or queries.tsv "
        "with qrels.tsv, or SciNetBench as released.",
    ),
]
FamilyName = Annotated[str, typer.Option("--family", help="Family of the tasks: scholargym, complit, scinet, aise.")]
Qrels = Annotated[Path | None, typer.Option(help="Judgements of plain queries, in a file of their own.")]
MinRelevance = Annotated[float, typer.Option(help="Least score of a gold paper in the judgements.")]
RequireGold = Annotated[str, typer.Option(help="Play tasks whose papers are in the corpus: all of them, or any.")]


@app.command(name="import")
@command
def import_tasks(
    file: File,
    *,
    family: FamilyName,
    corpus: Annotated[str, typer.Option(help="The corpus that the gold papers are of.")],
    name: Annotated[str, typer.Option(help="Name of the task set.")],
    qrels: Qrels = None,
    min_relevance: MinRelevance = 1.0,
    require_gold: RequireGold = "all",
    subset: Annotated[
        list[str] | None, typer.Option(help="A further split as NAME=FILE of task ids; may be repeated.")
    ] = None,
    source: Annotated[str, typer.Option(help="Where the tasks come from.")] = "",
    licence: Annotated[str, typer.Option(help="Terms under which they may be used.")] = "",
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of a task set of that name.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Make a task set of a task file: whole, or nothing when a line has a fault."""
    from scholar_env.corpus import resolve_corpus
    from scholar_env.task_files.reader import Input
    from scholar_env.task_import import import_task_file

    opened = resolve_corpus(corpus)
    try:
        with common.progress(f"importing {file.name}", quiet=quiet) as tell:
            found = import_task_file(
                Input(file, qrels, min_relevance),
                family,
                opened,
                name,
                require_gold=require_gold,
                subsets=_subsets(subset or []),
                source=source,
                licence=licence,
                replace_old=replace,
                progress=tell,
            )
    except TaskFileError as error:
        if debug:
            raise
        _show_faults(error.faults, error.n_faults, as_json=as_json, facts={"file": str(file)})
        return common.BAD_INPUT
    if as_json:
        common.print_json({"path": str(found.path), "fingerprint": found.fingerprint, **_facts(found.file)})
        return common.OK
    common.say(f"{found.file.n_tasks} tasks in {found.path}, {name}@{found.fingerprint}")
    _show_report(found.file)
    _show_remarks(found.file.remarks[:_LISTED], len(found.file.remarks))
    return common.OK


@app.command()
@command
def validate(
    file: File,
    *,
    family: FamilyName,
    corpus: Annotated[str | None, typer.Option(help="Count the gold papers that this corpus does not hold.")] = None,
    qrels: Qrels = None,
    min_relevance: MinRelevance = 1.0,
    require_gold: RequireGold = "all",
    quiet: Quiet = False,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Read a task file and name everything that is wrong with it: file, line, field, value, rule, mend."""
    from scholar_env.corpus import resolve_corpus
    from scholar_env.task_files.reader import Input
    from scholar_env.task_import import validate_task_file

    opened = None if corpus is None else resolve_corpus(corpus)
    with common.progress(f"reading {file.name}", quiet=quiet) as tell:
        given = Input(file, qrels, min_relevance)
        found = validate_task_file(given, family, opened, require_gold=require_gold, progress=tell)
    if found.n_faults:
        _show_faults(found.faults, found.n_faults, as_json=as_json, facts=_facts(found))
        return common.CHECK_FAILED
    if as_json:
        common.print_json({"n_faults": 0, "faults": [], **_facts(found)})
        return common.OK
    common.say(f"{file}: {found.n_tasks} tasks, no faults")
    _show_report(found)
    _show_remarks(found.remarks, len(found.remarks))
    return common.OK


@app.command()
@command
def schema(
    family: Annotated[str, typer.Argument(help="Family of the tasks.")],
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the JSON schema of a line of a family's task files."""
    from scholar_env.task_files import form_of

    common.print_json(form_of(family).schema())


@app.command(name="list")
@command
def list_all(as_json: Json = False, debug: Debug = False) -> None:
    """List the task sets on this machine."""
    from scholar_env.home import home
    from scholar_env.task_set import list_task_sets

    found = list_task_sets()
    if as_json:
        keys = ("name", "family", "fingerprint", "corpus_name", "corpus_fingerprint", "n_tasks", "licence", "error")
        rows = [{**{key: getattr(entry, key) for key in keys}, "path": str(entry.path)} for entry in found]
        common.print_json({"home": str(home()), "task_sets": rows})
        return
    if not found:
        common.say(f"no task sets in {home()}; import one with scholar-env tasks import")
        return
    from rich.table import Table

    table = Table("task set", "family", "tasks", "corpus", "fingerprint", "licence")
    for entry in found:
        last = f"cannot be read: {entry.error}" if entry.error else entry.licence
        place = f"{entry.corpus_name}@{entry.corpus_fingerprint[:12]}"
        cells = (entry.name, entry.family, str(entry.n_tasks), place, entry.fingerprint[:12], last)
        table.add_row(*map(common.shown, cells))
    common.out().print(table)


@app.command()
@command
def info(
    name: Annotated[str, typer.Argument(help="Name, folder, or either with @fingerprint.")],
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Tell what a task set holds, whose it is, and which tasks are left out and why."""
    from scholar_env.task_set import resolve_task_set
    from scholar_env.task_table import LEFT_OUT

    task_set = resolve_task_set(name)
    manifest = task_set.manifest
    left_out = {task.id: task.labels[LEFT_OUT] for task in task_set.tasks if task.labels.get(LEFT_OUT)}
    facts: dict[str, Any] = {
        "name": task_set.name,
        "fingerprint": task_set.fingerprint,
        "path": str(task_set.path),
        "family": task_set.family,
        "corpus": task_set.corpus_spec,
        "n_tasks": len(task_set.tasks),
        "subsets": {subset: len(ids) for subset, ids in task_set.subsets.items()},
        "subset_origin": dict(task_set.origin),
        "counts": dict(manifest.counts),
        "source": manifest.source,
        "licence": manifest.licence,
        "built_with": manifest.built_with,
    }
    if as_json:
        common.print_json({**facts, "notes": list(task_set.notes), "left_out": left_out})
        return
    for key, value in facts.items():
        parts = [f"{part} {size}" for part, size in value.items()] if isinstance(value, dict) else [str(value)]
        common.say(f"{key}: {', '.join(parts)}")
    for note in task_set.notes:
        common.say(f"note: {note}")
    _show_left_out(left_out, len(left_out))


@app.command()
@command
def remove(
    name: Annotated[str, typer.Argument(help="Name of the task set, as tasks list shows it.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Delete a task set from this machine; that of a generated world is made again at its next use."""
    from scholar_env.task_set import remove_task_set

    common.remove("task set", name, remove_task_set, yes=yes, as_json=as_json)


def _subsets(pairs: list[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not equals or not name or not path or name in found:
            raise InvalidOptionError(
                f"--subset {pair!r}", "it is NAME=FILE, each name once", "write --subset train=FILE"
            )
        found[name] = Path(path)
    return found


def _facts(found: TaskFileReport) -> dict[str, Any]:
    return {
        "n_tasks": found.n_tasks,
        "subsets": {name: len(ids) for name, ids in found.subsets.items()},
        "n_left_out": found.n_left_out,
        "left_out": found.left_out,
        "n_missing_gold": found.n_missing_gold,
        "missing_gold": found.missing_gold,
        "notes": list(found.notes),
        "remarks": list(found.remarks),
    }


def _show_report(found: TaskFileReport) -> None:
    common.say("subsets: " + (", ".join(f"{name} {len(ids)}" for name, ids in found.subsets.items()) or "none"))
    if found.n_missing_gold:
        common.say(f"gold papers that are not in the corpus: {found.n_missing_gold}")
        _show_pairs(found.missing_gold, found.n_missing_gold, "asked for by ")
    _show_left_out(found.left_out, found.n_left_out)
    for note in found.notes:
        common.say(f"note: {note}")


def _show_remarks(remarks: tuple[str, ...], n: int) -> None:
    for remark in remarks:
        common.say(f"remark: {remark}")
    if n > len(remarks):
        common.say(f"and {n - len(remarks)} more remarks: see scholar-env tasks validate")


def _show_left_out(left_out: dict[str, str], n: int) -> None:
    if not n:
        return
    common.say(f"left out: {n} tasks are kept but in no subset")
    _show_pairs(left_out, n)


def _show_pairs(pairs: dict[str, str], n: int, prefix: str = "") -> None:
    for key, value in list(pairs.items())[:_LISTED]:
        common.say(f"  {key}: {prefix}{value}")
    if n > min(_LISTED, len(pairs)):
        common.say(f"  and {n - min(_LISTED, len(pairs))} more")


def _show_faults(faults: tuple[Fault, ...], n: int, *, as_json: bool, facts: dict[str, Any]) -> None:
    if as_json:
        keys = ("file", "line", "field", "value", "rule", "mend")
        rows = [{key: getattr(fault, key) for key in keys} for fault in faults]
        common.print_json({**facts, "n_faults": n, "faults": rows})
        return
    for fault in faults:
        common.remark(str(fault))
    if n > len(faults):
        common.remark(f"… and {n - len(faults)} more")
    common.remark(f"{n} fault{'s' * (n != 1)}")
