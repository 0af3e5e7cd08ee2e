"""A user's own API in the place of the knowledge graph's: whatever it does, the log of a plan can be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scholar_env.episode.aise.attempts import ApiCall, ApiResultError
from scholar_env.episode.plain_json import MAX_DEPTH, NotJsonError, plain
from scholar_env.errors import InvalidOptionError

MOST_VALUES = 1_000_000
"""Values of a result, or of a plan, at most."""

_RULE = (
    "a result is JSON: an object, a list, a text, a number, true or false, "
    f"nested {MAX_DEPTH} levels at most, and null stands for none"
)


class OwnApi:
    """An API that gets a copy of the parameters, and whose result is copied and has to be JSON other than null.

    Args:
        call: Called with the name of an API and parameters. The documented APIs give an object with ``success`` and
            ``data``, or a list of records; any other JSON is a result, too.
    """

    def __init__(self, call: ApiCall) -> None:
        self._call = call

    def __call__(self, name: str, params: dict[str, Any]) -> Any:
        """Calls the API.

        Raises:
            ApiResultError: What it returned is no result.
        """
        returned = self._call(name, plain(params, max_values=MOST_VALUES))
        try:
            result = plain(returned, max_values=MOST_VALUES)
        except NotJsonError as error:
            raise ApiResultError(f"its result holds {error}", _RULE, "mend the API") from None
        if result is None:
            raise ApiResultError("it returned None", _RULE, "mend the API")
        return result


def require_json(file: Path, plan: object) -> None:
    """Refuses a plan that no log could hold.

    Raises:
        InvalidOptionError: It has numbers that are not finite, text that is no Unicode, or is nested too deep.
    """
    try:
        plain(plan, max_values=MOST_VALUES)
    except NotJsonError as error:
        raise InvalidOptionError(f"the plan of {file} holds {error}", "a plan is JSON", "mend the plan") from None
