"""What all commands share: exit codes, messages without tracebacks, JSON for machines, progress on standard error."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer
from rich.console import Console
from rich.markup import escape

from scholar_env.errors import (
    CorpusBusyError,
    CorpusIntegrityError,
    InfrastructureError,
    InvalidOptionError,
    MissingDependencyError,
    ScholarEnvError,
)

if TYPE_CHECKING:
    from scholar_env.removal import Removal

P = ParamSpec("P")

OK = 0
CHECK_FAILED = 1
BAD_INPUT = 2
INFRASTRUCTURE = 3
FAULT = 4
INTERRUPTED = 130

EXIT_CODES = (
    "Exit codes: 0 done; 1 a check failed (replay differs, files are damaged); 2 wrong usage or input; "
    "3 infrastructure (disk, a worker or a remote part failed, a lock was held too long, a package is missing); "
    "4 a fault of the program; 130 interrupted."
)

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Signs that move the cursor, change colours, turn the direction of writing, or cannot be written."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for machines.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bars.")]

_INFRASTRUCTURE_ERRORS = (InfrastructureError, CorpusBusyError, MissingDependencyError, OSError)


def out() -> Console:
    """Returns the console of standard output."""
    return Console(soft_wrap=True, highlight=False, emoji=False)


def err() -> Console:
    """Returns the console of standard error."""
    return Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)


def shown(text: str) -> str:
    """Returns text that a terminal shows and does not obey: control signs as escapes, markup escaped."""
    return escape(_CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text))


def say(text: str) -> None:
    """Prints one line of plain text, made safe by :func:`shown`."""
    out().print(shown(text))


def remark(text: str) -> None:
    """Prints one line of plain text to standard error, made safe by :func:`shown`."""
    err().print(shown(text))


def print_json(value: Any) -> None:
    """Prints a value as JSON; undefined numbers must be None by now."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:  # a lone surrogate, or an output that takes no Unicode
        text = json.dumps(value, indent=2, allow_nan=False) + "\n"
    sys.stdout.write(text)
    sys.stdout.flush()


def command(function: Callable[P, int | None]) -> Callable[P, None]:
    """Makes a function a command: its declared errors become messages and exit codes.

    The function returns its exit code, None for 0.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        debug, as_json = bool(kwargs.get("debug")), bool(kwargs.get("as_json"))
        previous = warnings.showwarning
        warnings.showwarning = _show_warning
        try:
            code = function(*args, **kwargs)
            sys.stdout.flush()
        except typer.Exit:
            raise
        except (KeyboardInterrupt, typer.Abort):
            if debug:
                raise
            remark("interrupted")
            code = INTERRUPTED
        except Exception as error:
            if debug:
                raise
            code = _report(error, as_json=as_json)
        finally:
            warnings.showwarning = previous
        raise typer.Exit(code or OK)

    return run


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    remark(f"warning: {message}")


def _report(error: Exception, *, as_json: bool) -> int:
    if isinstance(error, ScholarEnvError):
        parts = {"what": error.what, "rule": error.rule, "mend": error.mend}
    elif isinstance(error, OSError):
        parts = {"what": str(error), "rule": "files can be read and written", "mend": "check the path and the disk"}
    else:
        what = f"{type(error).__name__}: {error}"
        parts = {"what": what, "rule": "every fault has an error of its own", "mend": "repeat the command with --debug"}
    if as_json and _prints(lambda: print_json({"error": {"type": type(error).__name__, **parts}})):
        return _code(error)
    if not _prints(sys.stdout.flush):
        _give_up_output()
        if isinstance(error, BrokenPipeError):  # whoever read the output has seen enough
            return INFRASTRUCTURE
    _prints(lambda: remark(f"error: {parts['what']}"))
    _prints(lambda: remark(f"  rule: {parts['rule']}"))
    _prints(lambda: remark(f"  mend: {parts['mend']}"))
    return _code(error)


def _code(error: Exception) -> int:
    if isinstance(error, CorpusIntegrityError):
        return CHECK_FAILED
    if isinstance(error, _INFRASTRUCTURE_ERRORS):
        return INFRASTRUCTURE
    return BAD_INPUT if isinstance(error, ScholarEnvError) else FAULT


def _prints(write: Callable[[], object]) -> bool:
    try:
        write()
    except (OSError, ValueError):
        return False
    return True


def _give_up_output() -> None:
    """Points standard output at nothing, so that the interpreter does not fail on it once more at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(title: str, *, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """Shows a bar on standard error while the block runs; nothing when quiet or when nobody watches.

    The block is given a function that takes what is done and the total, None when unknown.
    """
    console = err()
    if quiet or not console.is_terminal:
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task(shown(title), total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def settings(pairs: list[str], option: str) -> dict[str, Any]:
    """Reads ``key=value`` pairs; values are JSON, and what is no JSON is text.

    Raises:
        InvalidOptionError: A pair without ``=``, or a key given twice.
    """
    values: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key or key in values:
            raise InvalidOptionError(
                f"{option} {pair!r}", "it is key=value, each key once", f"write {option} name=value"
            )
        try:
            values[key] = json.loads(text)
        except (ValueError, RecursionError):
            values[key] = text
    return values


def without_nan(value: Any) -> Any:
    """Returns a nest of plain values with None for NaN and infinities."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not float("-inf") < value < float("inf") else value


def remove(kind: str, name: str, delete: Callable[[str], Removal], *, yes: bool, as_json: bool) -> None:
    """Deletes something by its name, once that is confirmed, and tells where it was and how much is freed.

    Args:
        kind: What it is called in the question.
        name: Its name.
        delete: Deletes it and returns what is gone.
        yes: Whether that is confirmed already.
        as_json: Whether the answer is JSON.

    Raises:
        InvalidOptionError: It is not confirmed, and nobody can be asked.
    """
    if not yes:
        if as_json or not sys.stdin.isatty():
            raise InvalidOptionError(f"removal of {name!r}", "it is confirmed", "add --yes")
        typer.confirm(f"Remove the {kind} {name}?", abort=True)
    gone = delete(name)
    if as_json:
        paths = [str(path) for path in gone.derived]
        kept = {"kept_for": list(gone.kept_for), "kept_task_sets": list(gone.kept_task_sets)}
        print_json({"removed": str(gone.path), "derived": paths, **kept, "freed_bytes": gone.n_bytes})
        return
    from rich.filesize import decimal

    for path in (gone.path, *gone.derived):
        say(f"removed {path}")
    if gone.kept_for:
        say(f"kept what was made of it for corpora of the same content: {', '.join(gone.kept_for)}")
    if gone.kept_task_sets:
        say(f"kept the task sets that were imported for it: {', '.join(gone.kept_task_sets)}")
    say(f"freed {decimal(gone.n_bytes)}")
