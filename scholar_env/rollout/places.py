"""Where recorded corpora and task sets are on this machine: by name, else by fingerprint, all their files checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from scholar_env.corpus import Corpus, list_corpora, resolve_corpus
from scholar_env.errors import (
    CorpusFormatError,
    CorpusIntegrityError,
    CorpusNotFoundError,
    ScholarEnvError,
    TaskSetNotFoundError,
)
from scholar_env.manifest import check_name
from scholar_env.rollout.finding import Finding
from scholar_env.task_set import TaskSet, list_task_sets, resolve_task_set

Place = TypeVar("Place", Corpus, TaskSet)
"""What is opened."""


def open_corpus(name: str, fingerprint: str, given: str | None) -> Corpus | list[Finding]:
    """Opens a recorded corpus; returns what is wrong with its files instead, if anything is.

    Args:
        name: Its recorded name.
        fingerprint: Its recorded fingerprint.
        given: Where the user says it is.

    Raises:
        CorpusNotFoundError: It is not here, or another one is where it was said to be.
    """
    here = ((entry.path, entry.fingerprint) for entry in list_corpora())
    return _open("corpus", name, fingerprint, given, resolve_corpus, here, CorpusNotFoundError)


def open_task_set(recorded: str, given: str | None) -> TaskSet | list[Finding]:
    """Opens a recorded task set; returns what is wrong with its files instead, if anything is.

    Args:
        recorded: ``name@fingerprint``.
        given: Where the user says it is.

    Raises:
        TaskSetNotFoundError: It is not here, or another one is where it was said to be.
    """
    name, _, fingerprint = recorded.rpartition("@")
    here = ((entry.path, entry.fingerprint) for entry in list_task_sets())
    return _open("tasks", name, fingerprint, given, resolve_task_set, here, TaskSetNotFoundError)


def _open(
    what: str,
    name: str,
    fingerprint: str,
    given: str | None,
    resolve: Callable[[str], Place],
    here: Iterable[tuple[Path, str]],
    missing: type[ScholarEnvError],
) -> Place | list[Finding]:
    try:
        place = resolve(given or f"{check_name(name)}@{fingerprint}")
        problems = place.verify()
    except (CorpusIntegrityError, CorpusFormatError) as error:
        return [Finding(f"{what} {name}", expected="files as its manifest describes them", got=error.what)]
    except (CorpusNotFoundError, TaskSetNotFoundError):
        elsewhere = [path for path, found in here if found == fingerprint]
        if given or not elsewhere:
            raise
        return _open(what, name, fingerprint, f"{elsewhere[0]}@{fingerprint}", resolve, here, missing)
    if place.fingerprint != fingerprint:
        noun = {"tasks": "task set"}.get(what, what)
        raise missing(
            f"the {noun} {given!r} has the fingerprint {place.fingerprint}",
            f"the rollout was recorded on {name}@{fingerprint}",
            f"name that {noun} with --{what}",
        )
    expected = "the file as the manifest describes it"
    findings = [Finding(str(place.path / problem.file), expected=expected, got=problem.reason) for problem in problems]
    return findings or place
