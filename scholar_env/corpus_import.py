"""What an importer is, and what it reports.

An importer is a function ``import_release(source, *, name, …) -> ImportReport`` in ``corpora/<release>.py``, registered
by one line in ``corpora/__init__.py``. ``source`` is the folder of the downloaded files and ``name`` the name of the
corpus that it makes with :class:`scholar_env.corpus_build.CorpusWriter`. The command line hands on what the function
has parameters for: ``strict`` (stop at the first malformed row), ``require_gold``, ``test_fast``, ``test_hard`` and
``progress(stage, done, total)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from scholar_env.errors import CorpusNotFoundError, InvalidOptionError
from scholar_env.manifest import MalformedRow
from scholar_env.named import named


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        path: The corpus folder.
        n_papers: Papers in the corpus.
        n_tasks: Queries kept, those in no subset included.
        n_malformed: Rows that were left out as malformed, by input file.
        malformed: The first of them.
        n_left_out: Queries that are kept but in no subset.
        subsets: Number of tasks by subset.
        notes: Remarks on the subsets.
        counts: Further counts by what they count.
    """

    path: Path
    n_papers: int
    n_tasks: int
    n_malformed: dict[str, int] = field(default_factory=dict)
    malformed: tuple[MalformedRow, ...] = ()
    n_left_out: int = 0
    subsets: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


def importers() -> dict[str, str]:
    """Returns the releases that can be imported: name -> ``module:function``."""
    names: dict[str, str] = import_module("scholar_env.corpora").IMPORTERS
    return dict(names)


def importer(release: str) -> Callable[..., ImportReport]:
    """Returns the function that imports a release.

    Raises:
        CorpusNotFoundError: There is no importer of that name.
    """
    known = importers()
    if release not in known:
        raise CorpusNotFoundError(
            f"there is no importer {release!r}", f"there are {', '.join(sorted(known))}", "name one of these"
        )
    function: Callable[..., ImportReport] = named(known[release])
    return function


def run_import(release: str, source: Path, *, name: str = "", **options: Any) -> ImportReport:
    """Imports a release.

    Args:
        release: One of :func:`importers`.
        source: Folder of the downloaded files.
        name: Name of the corpus; empty = that of the release.
        options: What the importer may have parameters for; ``progress`` is passed over when it has none.

    Raises:
        CorpusNotFoundError: There is no such importer.
        InvalidOptionError: The importer has no such option.
        ScholarEnvError: The import failed; see the importer.
    """
    function = importer(release)
    parameters = inspect.signature(function).parameters
    given = {key: value for key, value in options.items() if key in parameters}
    for key in options.keys() - given.keys() - {"progress"}:
        raise InvalidOptionError(
            f"the importer {release!r} has no option {key!r}",
            f"its options are {', '.join(item for item in parameters if item not in ('source', 'name', 'progress'))}",
            "leave it out",
        )
    return function(source, name=name or release, **given)
