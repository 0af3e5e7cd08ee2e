"""A client for language models behind an OpenAI-compatible interface, and what it does about their failures.

It needs nothing beyond the standard library: one POST request a call. A reply that is late, refused for too many
requests, broken or empty is asked for again with growing pauses; what cannot get better by waiting is told at once.
"""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from scholar_env.errors import InfrastructureError, InvalidOptionError

Message = Mapping[str, str]
"""``{"role": "system" | "user" | "assistant", "content": text}``."""

LONGEST_REPLY = 1 << 24
_PIECE = 1 << 16
_WAITED_FOR = (408, 409, 425, 429, 500, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Which model is asked, and how patiently.

    Attributes:
        base_url: Where the interface lies, as ``https://host/v1``; ``/chat/completions`` is added.
        model: Name of the model there.
        key_variable: Environment variable that holds the key; it is sent when it is set and stored nowhere.
        temperature: Of the model's draws.
        seed: Passed on; None leaves it out.
        max_tokens: Of a reply; None leaves it out.
        timeout_s: Seconds that a reply may take in all.
        attempts: Tries of a call.
        pause_s: Seconds before the second try; it doubles each time.
        longest_pause_s: No pause is longer, whatever the server asks for.
    """

    base_url: str
    model: str
    key_variable: str = "OPENAI_API_KEY"
    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int | None = 1024
    timeout_s: float = 60.0
    attempts: int = 5
    pause_s: float = 1.0
    longest_pause_s: float = 60.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidOptionError(
                f"base_url={self.base_url!r}", "it is an http or https address", "pass https://host/v1, for instance"
            )
        if not self.model or self.attempts < 1 or self.timeout_s <= 0:
            raise InvalidOptionError(
                f"model={self.model!r}, attempts={self.attempts}, timeout_s={self.timeout_s}",
                "a model is named, tries and seconds are above 0",
                "pass a model's name",
            )


class _WaitError(Exception):
    """A failure that may pass: what happened, and the pause that the server asks for (None = ours)."""

    def __init__(self, what: str, pause: float | None = None) -> None:
        super().__init__(what)
        self.what, self.pause = what, pause


class ChatClient:
    """Asks one model. Threads may ask at once; every call opens its own connection.

    Args:
        settings: Which model, and how patiently.
        sleep: Waits so many seconds (for tests).
    """

    def __init__(self, settings: ChatSettings, sleep: Callable[[float], None] = time.sleep) -> None:
        self.settings = settings
        self._sleep = sleep

    @property
    def name(self) -> str:
        """Model and host, without the key."""
        return f"{self.settings.model} at {urlsplit(self.settings.base_url).netloc.rpartition('@')[2]}"

    def complete(self, messages: Sequence[Message]) -> str:
        """The model's reply to a conversation.

        Raises:
            InfrastructureError: No usable reply came after all tries, or the server refuses the call as such.
        """
        settings = self.settings
        body: dict[str, Any] = {"model": settings.model, "messages": [dict(message) for message in messages]}
        optional = {"temperature": settings.temperature, "seed": settings.seed, "max_tokens": settings.max_tokens}
        body.update({name: value for name, value in optional.items() if value is not None})
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        problem = ""
        for attempt in range(settings.attempts):
            try:
                return self._ask(data)
            except _WaitError as error:
                problem = error.what
                pause = settings.pause_s * 2**attempt if error.pause is None else error.pause
                if attempt + 1 < settings.attempts:
                    self._sleep(min(pause, settings.longest_pause_s))
        raise InfrastructureError(
            f"{self.name} gave no usable reply in {settings.attempts} tries; the last: {problem}",
            "a reply is JSON with choices[0].message.content",
            "check the server, or raise the time-out or the number of tries",
        )

    def _ask(self, data: bytes) -> str:
        parts = urlsplit(self.settings.base_url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        deadline = time.monotonic() + self.settings.timeout_s
        connection = kind(str(parts.hostname), parts.port, timeout=self.settings.timeout_s)
        try:
            connection.request("POST", f"{parts.path.rstrip('/')}/chat/completions", data, self._headers())
            response = connection.getresponse()
            text = _read(connection, response, deadline)
        except TimeoutError as error:
            raise _WaitError(f"no reply within {self.settings.timeout_s:g} seconds") from error
        except (OSError, http.client.HTTPException) as error:
            raise _WaitError(f"{type(error).__name__}: {error}") from error
        finally:
            connection.close()
        if response.status != http.client.OK:
            self._refused(response, text)
        return _content(text)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        key = os.environ.get(self.settings.key_variable, "")
        return {**headers, "Authorization": f"Bearer {key}"} if key else headers

    def _refused(self, response: http.client.HTTPResponse, text: str) -> None:
        what = f"status {response.status} ({response.reason}): {text[:200]!r}"
        if response.status in _WAITED_FOR:
            raise _WaitError(what, _seconds(response.getheader("Retry-After")))
        raise InfrastructureError(
            f"{self.name} refuses the call with {what}",
            "the server takes the call",
            f"check base_url, the model's name and the key in {self.settings.key_variable}",
        )


def _read(connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float) -> str:
    """The body of a response, unless it takes longer than allowed in all."""
    pieces: list[bytes] = []
    size = 0
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if connection.sock is not None:
            connection.sock.settimeout(left)
        piece = response.read1(_PIECE)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if size > LONGEST_REPLY:
            raise _WaitError(f"a reply of more than {LONGEST_REPLY} bytes")
    return b"".join(pieces).decode("utf-8", "replace")


def _seconds(text: str | None) -> float | None:
    """The pause that a server asks for; None where it does not, or by a date."""
    try:
        return max(float(text), 0.0) if text else None
    except ValueError:
        return None


def _content(text: str) -> str:
    try:
        content = json.loads(text)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise _WaitError(f"no reply in {text[:200]!r}") from error
    if not isinstance(content, str) or not content.strip():
        raise _WaitError("an empty reply")
    return content
