"""Every error that the package raises on purpose: one base class, one class a cause.

A message always names three things: the offending value, the rule that it breaks, and how to mend it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scholar_env.task_files.faults import Fault


class ScholarEnvError(Exception):
    """Base class of all declared errors.

    Args:
        what: What was found, with the offending value, file, line or key in it.
        rule: What is required instead.
        mend: What the reader can do about it.
    """

    def __init__(self, what: str, rule: str, mend: str) -> None:
        super().__init__(what, rule, mend)  # the arguments as they came, so that the error pickles across processes
        self.what = what
        self.rule = rule
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.what}. Rule: {self.rule}. Mend: {self.mend}."


class CorpusNotFoundError(ScholarEnvError):
    """No corpus of that name, fingerprint or path is there."""


class CorpusFormatError(ScholarEnvError):
    """A corpus folder or its manifest does not have the layout that this version reads."""


class CorpusIntegrityError(ScholarEnvError):
    """A stored file is not the file that the manifest describes (size, hash or invariant)."""


class CorpusBusyError(ScholarEnvError):
    """Another process has been building the corpus for longer than the stated time-out."""


class ImportRowError(ScholarEnvError):
    """A row of an input file is malformed; raised only when an import is strict."""


class InvalidOptionError(ScholarEnvError):
    """A keyword argument of an environment, index or command is unknown, frozen, or outside its range."""


class TaskFileError(ScholarEnvError):
    """A task file has faults, so nothing of it is imported.

    Args:
        what: The file and its first faults, a line each.
        rule: See the base class.
        mend: See the base class.
        faults: The first faults.
        n_faults: How many there are.
    """

    def __init__(self, what: str, rule: str, mend: str, faults: tuple[Fault, ...] = (), n_faults: int = 0) -> None:
        super().__init__(what, rule, mend)
        self.args = (what, rule, mend, faults, n_faults)
        self.faults = faults
        self.n_faults = n_faults


class TaskSetNotFoundError(ScholarEnvError):
    """No task set of that name, fingerprint or path is there."""


class TaskNotFoundError(ScholarEnvError):
    """No task of that id is in the environment's task set."""


class StateError(ScholarEnvError):
    """A saved episode state does not fit this environment, task or corpus."""


class RolloutFormatError(ScholarEnvError):
    """A rollout file cannot be read as one."""


class UntrustedReferenceError(ScholarEnvError):
    """A stored file asks for code or paths that only an explicit flag may allow."""


class InfrastructureError(ScholarEnvError):
    """A remote part (retriever, judge) failed; never the agent's fault."""


class UndefinedMeasureError(ScholarEnvError):
    """A measure was asked for on input for which it has no value."""


class MissingDependencyError(ScholarEnvError):
    """An optional package is needed for what was asked."""
