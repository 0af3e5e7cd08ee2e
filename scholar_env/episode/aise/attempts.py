"""One call of an API: tried as a policy says, and an error result where it fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from scholar_env.episode.plain_json import clip, type_name
from scholar_env.errors import InfrastructureError, InvalidOptionError, ScholarEnvError

ApiCall = Callable[[str, dict[str, Any]], Any]
"""Calls an API by name with parameters and returns its result: JSON other than null, which stands for no result."""

CALL_ERRORS: Final[tuple[type[BaseException], ...]] = (Exception, SystemExit)
"""What a called API or filler may raise; it becomes an error result. An interrupt alone ends the plan."""

_PASSED_ON: Final[tuple[type[BaseException], ...]] = (*CALL_ERRORS, KeyboardInterrupt)

LONGEST_MESSAGE = 1_000
"""Signs of what an error result says of an exception."""


class RateLimitedError(InfrastructureError):
    """A remote API refused a call because there were too many."""


class ApiResultError(ScholarEnvError):
    """An API returned what is no result. The call is not tried again."""


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """What is done about calls that hang or fail in transport; an API's own error result is never tried again.

    Attributes:
        timeout_s: Seconds that a try may take; None waits for ever.
        attempts: Tries of a call, at least 1.
        backoff_s: Seconds to wait before the second, third, … try; the last one holds for all later ones.
        retry_rate_limited: Whether a refusal for too many calls is tried again, too (the release does not).
    """

    timeout_s: float | None = None
    attempts: int = 1
    backoff_s: tuple[float, ...] = (1.0, 2.0)
    retry_rate_limited: bool = False


RELEASED_POLICY = CallPolicy(timeout_s=10.0, attempts=3)
"""Time-out and back-off as released, where the tries are of a whole question; here they are of each call."""

POLICIES = {"once": CallPolicy(), "released": RELEASED_POLICY}
"""Policies by name. Episodes call frozen tables, where nothing hangs, so they call once and look at no clock."""


def is_failure(result: Any) -> bool:
    """Whether a result is an error: an object with a true ``error``, or with ``success`` false."""
    return isinstance(result, Mapping) and bool(result.get("error") or result.get("success") is False)


def told(error: BaseException) -> str:
    """What was raised, by name and message, the latter where it can be told."""
    try:
        message = str(error)
    except CALL_ERRORS:
        message = "its message cannot be told"
    return clip(f"{type_name(error)}: {message}", LONGEST_MESSAGE)


def failure(code: str, message: str, **details: Any) -> dict[str, Any]:
    """A result that is an error: ``success`` false, ``error`` a word for programs, ``msg`` for readers."""
    return {"success": False, "error": code, "msg": message, **details}


class _TooSlowError(Exception):
    """A try took longer than the policy allows."""


class Attempts:
    """Calls an API, and whatever it raises but an interrupt becomes an error result.

    Args:
        call: The API.
        policy: Time-out and retries.
        sleep: Waits so many seconds.
    """

    def __init__(self, call: ApiCall, policy: CallPolicy, sleep: Callable[[float], None]) -> None:
        if policy.attempts < 1:
            raise InvalidOptionError(f"attempts={policy.attempts} of a call policy", "it is at least 1", "pass 1")
        self._call, self._policy, self._sleep = call, policy, sleep

    def __call__(self, api: str, params: dict[str, Any]) -> Any:
        """Returns the result of a call, or an error result once all tries have failed."""
        policy = self._policy
        for attempt in range(1, policy.attempts + 1):
            try:
                return self._timed(api, params)
            except RateLimitedError as error:
                result = failure("rate_limited", clip(str(error.what), LONGEST_MESSAGE))
                if not policy.retry_rate_limited:
                    break
            except ApiResultError as error:
                result = failure("api_failed", f"{api}: {error.what}; {error.rule}")
                break
            except _TooSlowError:
                result = failure("timeout", f"{api} took more than {policy.timeout_s:g} seconds")
            except CALL_ERRORS as error:
                code = "timeout" if isinstance(error, TimeoutError) else "api_failed"
                result = failure(code, f"{api}: {told(error)}")
            if attempt < policy.attempts and policy.backoff_s:
                self._sleep(policy.backoff_s[min(attempt, len(policy.backoff_s)) - 1])
        return result

    def _timed(self, api: str, params: dict[str, Any]) -> Any:
        if self._policy.timeout_s is None:
            return self._call(api, dict(params))
        answer: Future[Any] = Future()

        def work() -> None:
            try:
                answer.set_result(self._call(api, dict(params)))
            except _PASSED_ON as error:
                answer.set_exception(error)

        # A pool would wait for a call that hangs for ever when the process ends; a daemon does not.
        threading.Thread(target=work, daemon=True).start()
        try:
            return answer.result(self._policy.timeout_s)
        except TimeoutError:
            if answer.done():  # the API's own
                raise
            raise _TooSlowError from None
