"""A judge that asks a language model, and one that remembers what judges said."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scholar_env import storage
from scholar_env.chat import ChatClient
from scholar_env.errors import InfrastructureError, RolloutFormatError
from scholar_env.metrics.judge_prompts import VERSION, messages_for
from scholar_env.metrics.judges import Judge, JudgeRequest, Rating
from scholar_env.metrics.rating import read_label, read_rating

UNREADABLE_TRIES = 3
"""Replies without a rating after which a request has none."""


class OpenAIJudge:
    """Rates by asking a model behind an OpenAI-compatible interface.

    A reply without a readable rating is asked for anew, with the same words, up to three times in all; then the rating
    has no score.

    Args:
        client: Asks the model.
    """

    def __init__(self, client: ChatClient) -> None:
        self._client = client
        self.name = client.name

    @property
    def wording(self) -> int:
        """Version of the words that ask."""
        return VERSION

    def rate(self, request: JudgeRequest) -> Rating:
        """Rates what is asked for.

        Raises:
            InfrastructureError: The model gave no usable reply after all tries of the client.
        """
        messages = messages_for(request)
        for number in range(1, UNREADABLE_TRIES + 1):
            reply = self._client.complete(messages)
            if request.labels:
                label, reason = read_label(reply, request.labels)
                if label:
                    return Rating(label=label, reason=reason, calls=number)
            else:
                score, reason = read_rating(reply, request.low, request.high)
                if score is not None:
                    return Rating(score=score, reason=reason, calls=number)
        return Rating(calls=UNREADABLE_TRIES)


class RecordedJudge:
    """A judge whose ratings are kept in a file, one checked line each, so that none is asked for twice.

    The file lies with the rollout that was judged. Without a judge it is frozen: only what it holds can be rated.

    Args:
        path: The file; it need not exist.
        judge: Rates what the file does not hold yet; None freezes it.

    Raises:
        RolloutFormatError: The file is not one of ratings.
    """

    def __init__(self, path: str | Path, judge: Judge | None = None) -> None:
        self._path = Path(path)
        self._judge = judge
        self._lock = threading.Lock()
        self._kept: dict[str, Rating] = {}
        found = [_read_line(line, self._path, number) for number, line in enumerate(self._lines(), start=1)]
        names = {name for name, _, _ in found}
        self.name = judge.name if judge is not None else ", ".join(sorted(names)) or "recorded"
        for name, key, rating in found:
            if judge is None or name == judge.name:
                self._kept[key] = rating

    def __len__(self) -> int:
        return len(self._kept)

    def rate(self, request: JudgeRequest) -> Rating:
        """Returns the kept rating, or asks the judge and keeps what it says.

        Raises:
            InfrastructureError: The file is frozen and does not hold the rating, or the judge failed.
        """
        key = f"{request.digest()}-{VERSION}"
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        if self._judge is None:
            raise InfrastructureError(
                f"{self._path} holds no rating of {request.criterion} for {request.subject!r}",
                "a frozen file of ratings is asked for nothing else",
                "judge the run again with a model",
            )
        rating = self._judge.rate(request)
        line = {"judge": self._judge.name, "key": key, "criterion": request.criterion, "subject": request.subject}
        with self._lock:
            self._kept[key] = rating
            self._append({**line, **asdict(rating)})
        return rating

    def _lines(self) -> list[str]:
        if not self._path.exists():
            return []
        return self._path.read_text(encoding="utf-8").splitlines()

    def _append(self, record: Mapping[str, Any]) -> None:
        data = (json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n").encode("utf-8", "replace")
        with self._path.open("ab") as file:
            storage.fs_write(file, data)
            file.flush()
            storage.fs_fsync(file.fileno())


def _read_line(line: str, path: Path, number: int) -> tuple[str, str, Rating]:
    try:
        content = json.loads(line)
        score = content["score"]
        rating = Rating(
            None if score is None else float(score),
            str(content["label"]),
            str(content["reason"]),
            int(content["calls"]),
        )
        return str(content["judge"]), str(content["key"]), rating
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RolloutFormatError(
            f"{path}, line {number}: no rating ({error!r})",
            "a line is a JSON object with judge, key, score, label, reason, calls",
            "remove the line, or the file; what is missing is asked for again",
        ) from error
