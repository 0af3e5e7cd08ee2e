"""``scholar-env corpus``: import, generate, list, info, verify, remove."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scholar_env import cli_common as common
from scholar_env.cli_common import Debug, Json, Quiet, command
from scholar_env.cli_generate import generate
from scholar_env.errors import ScholarEnvError

if TYPE_CHECKING:
    from scholar_env.corpus_check import Problem

_LISTED = 20
"""Rows of a list that are printed for people."""

app = typer.Typer(help="Frozen corpora on this machine.", no_args_is_help=True, rich_markup_mode=None)
app.command()(generate)


@app.command(name="import")
@command
def import_corpus(
    release: Annotated[str, typer.Argument(help="Which release: scholargym, openalex, s2orc, unarxive.")],
    *,
    source: Annotated[Path, typer.Option("--from", help="Folder of the downloaded files, or one file.")],
    name: Annotated[str, typer.Option(help="Name of the corpus; default: that of the release.")] = "",
    strict: Annotated[bool, typer.Option(help="Stop at the first malformed row.")] = False,
    require_gold: Annotated[str, typer.Option(help="Keep queries whose gold is there: all of it, or any.")] = "all",
    test_fast: Annotated[Path | None, typer.Option(help="File with your own Test-Fast ids.")] = None,
    test_hard: Annotated[Path | None, typer.Option(help="File with your own Test-Hard ids.")] = None,
    keep: Annotated[
        list[str] | None, typer.Option(help="Only records with FIELD=VALUE[,VALUE…], FIELD>=N or FIELD<=N; repeatable.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Make a frozen, indexed corpus of a downloaded release."""
    from scholar_env.corpus_import import run_import

    asked = {
        "strict": strict or None,
        "require_gold": None if require_gold == "all" else require_gold,
        "test_fast": test_fast,
        "test_hard": test_hard,
        "keep": keep,
    }
    options = {key: value for key, value in asked.items() if value is not None}
    with common.progress(f"importing {release}", quiet=quiet) as tell:
        found = run_import(release, source, name=name, progress=lambda stage, done, total: tell(done, total), **options)
    rows = [{"file": row.file, "where": row.where, "reason": row.reason} for row in found.malformed]
    if as_json:
        common.print_json(
            {
                "path": str(found.path),
                "n_papers": found.n_papers,
                "n_tasks": found.n_tasks,
                "n_left_out": found.n_left_out,
                "subsets": found.subsets,
                "n_malformed": found.n_malformed,
                "counts": found.counts,
                "malformed": rows,
                "notes": list(found.notes),
            }
        )
        return
    common.say(f"{found.n_papers} papers and {found.n_tasks} queries in {found.path}")
    if found.subsets:
        common.say("subsets: " + ", ".join(f"{subset} {size}" for subset, size in found.subsets.items()))
    for what, count in found.counts.items():
        common.say(f"{what.replace('_', ' ')}: {count}")
    if found.n_left_out:
        common.say(f"{found.n_left_out} queries are kept but in no subset (see corpus info)")
    for file, count in found.n_malformed.items():
        if count:
            common.remark(f"warning: {count} malformed rows of {file} were left out")
    for row in rows:
        common.remark(f"  {row['file']}, {row['where']}: {row['reason']}")
    for note in found.notes:
        common.say(f"note: {note}")


@app.command(name="list")
@command
def list_all(as_json: Json = False, debug: Debug = False) -> None:
    """List the corpora on this machine."""
    from scholar_env.corpus import list_corpora
    from scholar_env.home import home

    found = list_corpora()
    if as_json:
        keys = ("name", "fingerprint", "n_papers", "n_tasks", "licence", "error")
        rows = [{**{key: getattr(entry, key) for key in keys}, "path": str(entry.path)} for entry in found]
        common.print_json({"home": str(home()), "corpora": rows})
        return
    if not found:
        common.say(f"no corpora in {home()}; world and toy are built at first use")
        return
    from rich.table import Table

    table = Table("corpus", "papers", "tasks", "fingerprint", "licence")
    for entry in found:
        last = f"cannot be read: {entry.error}" if entry.error else entry.licence
        counts = (str(entry.n_papers), str(entry.n_tasks), entry.fingerprint[:12])
        table.add_row(common.shown(entry.name), *counts, common.shown(last))
    common.out().print(table)


@app.command()
@command
def info(
    name: Annotated[str, typer.Argument(help="Name, path, or either with @fingerprint.")],
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Tell what a corpus holds, where it comes from, and which queries are left out and why."""
    from scholar_env.corpus import resolve_corpus

    corpus = resolve_corpus(name)
    facts, manifest, left_out = _facts(corpus), corpus.manifest, corpus.left_out()
    if as_json:
        rows = [{"file": row.file, "where": row.where, "reason": row.reason} for row in manifest.malformed]
        common.print_json({**facts, "notes": list(manifest.notes), "malformed": rows, "left_out": left_out})
        return
    for key, value in facts.items():
        parts = [f"{part} {size}" for part, size in value.items()] if isinstance(value, dict) else [str(value)]
        common.say(f"{key}: {', '.join(parts)}")
    for note in manifest.notes:
        common.say(f"note: {note}")
    n_malformed = sum(size for key, size in manifest.counts.items() if key.startswith("malformed_"))
    rejected = [f"{row.file}, {row.where}: {row.reason}" for row in manifest.malformed]
    _say_list(f"malformed: {n_malformed} rows", rejected, n_malformed)
    reasons = [f"{task_id}: {reason}" for task_id, reason in left_out.items()]
    _say_list(f"left out: {len(left_out)} queries", reasons, len(reasons))


def _say_list(title: str, lines: Sequence[str], n: int) -> None:
    common.say(title)
    for line in lines[:_LISTED]:
        common.say(f"  {line}")
    if n > _LISTED:
        common.say(f"  and {n - _LISTED} more (--json lists {len(lines)})")


def _facts(corpus: Any) -> dict[str, Any]:
    manifest = corpus.manifest
    return {
        **corpus.info(),
        "path": str(corpus.path),
        "n_papers": corpus.n_papers,
        "n_tasks": len(corpus.tasks()),
        "subsets": {name: len(ids) for name, ids in corpus.subsets().items()},
        "counts": dict(manifest.counts),
        "dates": f"{manifest.date_min or 'unknown'} to {manifest.date_max or 'unknown'}",
        "source": manifest.source,
        "licence": manifest.licence,
        "built_with": manifest.built_with,
        **corpus.tables.all_settings(),
    }


@app.command()
@command
def verify(
    name: Annotated[str, typer.Argument(help="Name, path, or either with @fingerprint.")],
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Check every file of a corpus in full and name each that is damaged."""
    path = _folder_of(name)
    problems = _problems(path)
    if as_json:
        rows = [{"file": problem.file, "reason": problem.reason} for problem in problems]
        common.print_json({"path": str(path), "intact": not problems, "problems": rows})
    elif problems:
        for problem in problems:
            common.say(f"{path / problem.file}: {problem.reason}")
    else:
        common.say(f"{path}: all files are intact")
    return common.CHECK_FAILED if problems else common.OK


def _folder_of(name: str) -> Path:
    """The folder of a corpus, without opening it: a damaged one cannot be opened, but must be named."""
    from scholar_env.corpus import resolve_corpus
    from scholar_env.home import find_corpus
    from scholar_env.manifest import MANIFEST

    if (Path(name) / MANIFEST).is_file():
        return Path(name)
    found = find_corpus(name) if "@" not in name and not Path(name).is_absolute() else None
    return found if found is not None else resolve_corpus(name).path


def _problems(path: Path) -> list[Problem]:
    from scholar_env.corpus_check import Problem, find_problems
    from scholar_env.manifest import MANIFEST, read_manifest

    try:
        manifest = read_manifest(path)
    except ScholarEnvError as error:
        return [Problem(MANIFEST, error.what)]
    return find_problems(path, manifest)


@app.command()
@command
def remove(
    name: Annotated[str, typer.Argument(help="Name of the corpus.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Delete a corpus from this machine, with the graphs, indexes and generated task sets made of it alone.

    Task sets that were imported for it stay, and are named.
    """
    from scholar_env.corpus import remove_corpus

    common.remove("corpus", name, remove_corpus, yes=yes, as_json=as_json)
