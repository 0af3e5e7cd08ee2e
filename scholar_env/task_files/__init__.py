"""Task files: users' own and released queries as JSON lines, one format a family.

A family joins by one module, which holds a :class:`~scholar_env.task_files.form.TaskFileForm`, its JSON schema beside
it, and one line in :data:`FORMS`.
"""

from __future__ import annotations

from scholar_env.errors import InvalidOptionError
from scholar_env.named import named
from scholar_env.task_files.form import TaskFileForm

FORMS = {
    "scholargym": "scholar_env.task_files.scholargym:FORM",
    "complit": "scholar_env.task_files.complit:FORM",
    "scinet": "scholar_env.task_files.scinet:FORM",
    "aise": "scholar_env.task_files.aise:FORM",
}
"""Family -> ``"module:name"`` of its form; imported when it is first asked for."""


def form_of(family: str) -> TaskFileForm:
    """Returns the task file format of a family.

    Raises:
        InvalidOptionError: There is no such family, or it has no task files.
    """
    if family not in FORMS:
        raise InvalidOptionError(
            f"the family {family!r} has no task file format",
            f"the families are {', '.join(sorted(FORMS))}",
            "name one of these with --family",
        )
    form: TaskFileForm = named(FORMS[family])
    return form
