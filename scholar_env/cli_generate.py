"""``scholar-env corpus generate``: a world of one's own."""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from scholar_env import cli_common as common
from scholar_env.cli_common import Debug, Json, Quiet, command
from scholar_env.errors import InvalidOptionError


@command
def generate(
    papers: Annotated[int, typer.Option(help="Number of papers.")] = 5000,
    seed: Annotated[int, typer.Option(help="Any number from 0 on; the same one gives the same world.")] = 2026,
    *,
    name: Annotated[str, typer.Option(help="Name of the corpus; default: world-PAPERS-SEED.")] = "",
    train: Annotated[bool, typer.Option("--train", help="A training world: no wording kept for tests.")] = False,
    subfields: Annotated[str, typer.Option(help="Subfields to draw from, with commas between; default: all.")] = "",
    cell_size: Annotated[int, typer.Option(help="Mean number of papers on one topic; more is harder.")] = 22,
    evidence: Annotated[int, typer.Option(help="Percent of attributes that papers state by evidence only.")] = 30,
    workers: Annotated[int, typer.Option(min=1, help="Processes that render.")] = 1,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of a corpus of that name.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Make a synthetic world of papers and tasks; a killed build goes on where it was."""
    from scholar_env.corpus_folder import Corpus

    spec_type: Any = import_module("scholar_env.corpora.world.spec").WorldSpec
    chosen = tuple(sorted({part.strip() for part in subfields.split(",")} - {""}))
    spec = spec_type(seed, papers, train, chosen, cell_size, evidence)
    name = name or _name_of(spec)
    began, cpu = time.perf_counter(), time.process_time()
    try:
        with common.progress(f"generating {name}", quiet=quiet) as tell:
            path, is_new = _generate(name, spec, workers, tell, replace=replace)
    except KeyboardInterrupt:
        if debug:
            raise
        common.remark("interrupted; the same command goes on with the papers rendered so far")
        return common.INTERRUPTED
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    corpus = Corpus.open(path)
    if as_json:
        facts = {"path": str(path), "name": corpus.name, "fingerprint": corpus.fingerprint, "is_new": is_new}
        counts = {"n_papers": corpus.n_papers, "n_tasks": len(corpus.tasks())}
        common.print_json({**facts, **counts, "seconds": round(seconds, 3), "cpu_seconds": round(cpu, 3)})
        return common.OK
    found = f"{corpus.name}@{corpus.fingerprint} with {corpus.n_papers} papers and {len(corpus.tasks())} tasks"
    speed = f"made in {seconds:.1f} s, {papers / seconds:.0f} papers/s" if is_new else "was there already"
    common.say(f"{path}: {found}, {speed}")
    return common.OK


def _name_of(spec: Any) -> str:
    """The name that the package has for a world, else one that tells it from others."""
    pool = import_module("scholar_env.corpora.world.pool")
    for name in (pool.DEFAULT, f"{pool.TRAINING}{spec.seed - pool.TRAINING_SEED}"):
        if pool.named_spec(name) == spec:
            return str(name)
    return f"world-{spec.papers}-{spec.seed}{'-train' if spec.train else ''}"


def _generate(name: str, spec: Any, workers: int, tell: Any, *, replace: bool) -> tuple[Path, bool]:
    from scholar_env.build_folder import clear_leftovers
    from scholar_env.folder_lock import LOCK_TIMEOUT_S, FolderLock
    from scholar_env.home import new_corpus_folder
    from scholar_env.manifest import MANIFEST, check_name

    pool = import_module("scholar_env.corpora.world.pool")
    generators: dict[str, str] = import_module("scholar_env.corpora").GENERATORS
    named = pool.named_spec(name)
    if name in generators and named != spec:
        meant = f"{named}" if named else "another corpus of the package"
        raise InvalidOptionError(f"the name {name!r} for {spec}", f"it stands for {meant}", "choose another --name")
    folder = new_corpus_folder(check_name(name))
    with FolderLock(folder, LOCK_TIMEOUT_S):
        clear_leftovers(folder)
        if (folder / MANIFEST).is_file() and not replace:
            if _is_that_world(folder, spec):
                return folder, False
            raise InvalidOptionError(
                f"{folder} holds another corpus", "a corpus is replaced on purpose only", "add --replace or --name"
            )
        number = spec.seed - pool.TRAINING_SEED if name.startswith(pool.TRAINING) and named else 0
        build = import_module("scholar_env.corpora.world.build").build_world
        given = {"name": name, "number": number, "workers": workers, "replace": True}
        path: Path = build(folder, spec, **given, progress=lambda stage, done, total: tell(done, total))
        return path, True


def _is_that_world(folder: Path, spec: Any) -> bool:
    from scholar_env.corpus_folder import Corpus

    tables = import_module("scholar_env.corpora.world.tables")
    digest = import_module("scholar_env.corpora.world.shipped").ontology_digest()
    corpus = Corpus.open(folder)
    if not tables.is_world(corpus) or tables.spec_of(corpus) != spec:
        return False
    return bool(corpus.tables.settings(tables.SETTINGS)["ontology_sha256"] == digest)
