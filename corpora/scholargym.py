"""Imports the ScholarGym release (arXiv 2601.21654): papers and queries as downloaded, into a frozen corpus.

The folder holds ``scholargym_paper_db.json`` (one JSON object keyed by arXiv id, or a list) and
``scholargym_bench.jsonl``. Papers are streamed: memory does not grow with their texts. Rows that cannot be used are
reported and counted; a strict import stops at the first. An import that is cut off leaves nothing behind, and the next
one starts anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from scholar_env.build_folder import clear_leftovers
from scholar_env.corpus_build import CorpusWriter
from scholar_env.corpus_import import ImportReport
from scholar_env.corpus_rows import RowError
from scholar_env.errors import CorpusFormatError, InvalidOptionError
from scholar_env.folder_lock import LOCK_TIMEOUT_S, FolderLock
from scholar_env.home import new_corpus_folder
from scholar_env.manifest import check_name
from scholar_env.subsets import TEST_FAST, TEST_HARD, SubsetRule, choose_subsets, label_task, read_id_list
from scholar_env.task_table import LEFT_OUT

from .scholargym_files import PAPERS, Progress, ReleaseFiles
from .scholargym_rows import paper_from_record

SOURCE = "https://github.com/shenhao-stu/ScholarGym"
LICENCE = (
    "Apache-2.0 (queries and gold, the release); titles and abstracts under the terms of their sources "
    "(arXiv metadata: CC0 1.0)"
)


def import_release(
    source: str | Path,
    *,
    name: str = "scholargym",
    folder: str | Path | None = None,
    strict: bool = False,
    require_gold: str = "all",
    test_fast: str | Path | None = None,
    test_hard: str | Path | None = None,
    progress: Progress | None = None,
    timeout: float = LOCK_TIMEOUT_S,
) -> ImportReport:
    """Makes a frozen corpus of the release; a corpus of that name that exists gives way when the new one is whole.

    Args:
        source: Folder of the downloaded files.
        name: Name of the corpus.
        folder: Where it is made (default: ``<home>/corpora/<name>``).
        strict: Whether the first malformed row ends the import.
        require_gold: ``all`` puts a query into All when the corpus holds its whole gold, ``any`` when it holds one
            paper of it.
        test_fast: File of the user's own Test-Fast ids (see :func:`scholar_env.subsets.read_id_list`).
        test_hard: The same for Test-Hard.
        progress: Told how far the import is.
        timeout: Seconds to wait for another import of the same corpus.

    Raises:
        CorpusNotFoundError: A file is missing.
        CorpusFormatError: A file is no JSON from some point on, or has no row that can be used.
        ImportRowError: A row is malformed and ``strict`` is set.
        InvalidOptionError: ``require_gold`` or a list of ids cannot be used.
        CorpusBusyError: Another process imports the same corpus.
    """
    if require_gold not in ("all", "any"):
        raise InvalidOptionError(f"require_gold is {require_gold!r}", "it is 'all' or 'any'", "choose one of the two")
    given = {TEST_FAST: test_fast, TEST_HARD: test_hard}
    lists = {subset: read_id_list(path) for subset, path in given.items() if path is not None}
    inputs = ReleaseFiles(Path(source), strict, progress or (lambda stage, done, total: None))
    target = new_corpus_folder(check_name(name)) if folder is None else Path(folder)
    with FolderLock(target, timeout):
        clear_leftovers(target)
        facts = {"name": name, "source": SOURCE, "licence": LICENCE, "derived_from": "ScholarGym release"}
        with CorpusWriter(target, **facts, replace=True) as writer:
            primary = [sys.intern(category) for category in _add_papers(writer, inputs)]
            _refuse_none(writer.n_papers, "papers", inputs)
            inputs.progress("index", 0, 1)
            index = writer.freeze_index()
            inputs.progress("index", 1, 1)
            queries = inputs.queries()
            _refuse_none(len(queries), "queries", inputs)
            tasks = []
            for number, task in enumerate(queries):
                inputs.progress("queries", number, len(queries))
                tasks.append(label_task(task, writer.row_of, primary.__getitem__, index, require_gold))
                writer.add_task(tasks[-1])
            inputs.progress("queries", len(queries), len(queries))
            subsets = choose_subsets(tasks, SubsetRule(), lists)
            n_left_out = sum(bool(task.labels[LEFT_OUT]) for task in tasks)
            counts = {
                **{f"malformed_{file}": count for file, count in inputs.n_malformed.items()},
                "tasks_left_out": n_left_out,
                "tasks_without_gold": sum(not task.gold for task in tasks),
                "repeated_gold_ids": inputs.n_repeated,
            }
            writer.finish(
                subsets.ids,
                subsets.origin,
                notes=(f"require_gold={require_gold}", *inputs.hashes(), *subsets.notes),
                malformed=inputs.malformed,
                counts=counts,
            )
    sizes = {subset: len(ids) for subset, ids in subsets.ids.items()}
    n_malformed, malformed = dict(inputs.n_malformed), tuple(inputs.malformed)
    return ImportReport(
        *(target, writer.n_papers, len(tasks), n_malformed, malformed, n_left_out, sizes, subsets.notes)
    )


def _refuse_none(n: int, what: str, inputs: ReleaseFiles) -> None:
    """Ends an import that would put an empty corpus in the place of one that may be there."""
    if n == 0:
        first = inputs.malformed[-1:]
        found = "".join(f"; the last was {row.where} of {row.file}: {row.reason}" for row in first)
        n_malformed = sum(inputs.n_malformed.values())
        raise CorpusFormatError(
            f"{inputs.folder} holds no {what} that can be used ({n_malformed} malformed rows{found})",
            "a release holds papers and queries",
            "download the files again, or look at their fields",
        )


def _add_papers(writer: CorpusWriter, inputs: ReleaseFiles) -> Iterator[str]:
    """Adds the papers of the release and yields the primary category of each."""
    for where, key, record in inputs.papers():
        try:
            paper = paper_from_record(key, record)
        except RowError as error:
            inputs.reject(PAPERS, where, str(error))
            continue
        if writer.row_of(paper.id) is not None:
            inputs.reject(PAPERS, where, f"the id {paper.id!r} was there before")
            continue
        writer.add_paper(paper)
        yield paper.categories[0] if paper.categories else ""
