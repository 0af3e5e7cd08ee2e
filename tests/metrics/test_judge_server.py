"""The judge that asks a model, against a server on this machine that is slow, busy, broken or malformed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from scholar_env.chat import ChatClient, ChatSettings
from scholar_env.errors import InfrastructureError, InvalidOptionError, RolloutFormatError
from scholar_env.metrics.aise_judging import requests_about
from scholar_env.metrics.aise_overlap import CRITERIA, overlap_judge
from scholar_env.metrics.judge_openai import OpenAIJudge, RecordedJudge
from scholar_env.metrics.judges import JudgeItem, JudgeRequest


class FakeServer(ThreadingHTTPServer):
    """Answers with a script: (status, body, headers), the last entry for ever; keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[tuple[int, str, dict[str, str]]] = []
        self.asked: list[tuple[dict[str, Any], dict[str, str]]] = []
        self.release = threading.Event()


class Handler(BaseHTTPRequestHandler):
    server: FakeServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((body, {"path": self.path, **dict(self.headers)}))
        script = self.server.script
        status, text, headers = script.pop(0) if len(script) > 1 else script[0]
        if status == 0:
            self.server.release.wait(30)
            return
        data = text.encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def said(content: Any) -> tuple[int, str, dict[str, str]]:
    return 200, json.dumps({"choices": [{"message": {"content": content}}]}), {}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    fake = FakeServer()
    thread = threading.Thread(target=fake.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield fake
    fake.release.set()
    fake.shutdown()
    fake.server_close()
    thread.join(30)


def client(server: FakeServer, pauses: list[float] | None = None, **settings: Any) -> ChatClient:
    address = f"http://127.0.0.1:{server.server_port}/v1/"
    waited = pauses if pauses is not None else []
    return ChatClient(ChatSettings(address, "judge-1", **settings), sleep=waited.append)


REQUEST = JudgeRequest("correctness", "q1", (JudgeItem("answer", text="A[1]"),), "who?", "the gold", low=0, high=1)


def test_a_rating_is_asked_for_and_read(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    server.script = [said('Sure: {"reason": "half of it", "rating": 0.5}')]
    judge = OpenAIJudge(client(server, seed=3))
    rating = judge.rate(REQUEST)
    assert (rating.score, rating.reason, rating.calls) == (0.5, "half of it", 1)
    body, headers = server.asked[0]
    assert headers["path"] == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer secret-key"
    assert (body["model"], body["seed"], body["temperature"]) == ("judge-1", 3, 0.0)
    text = body["messages"][1]["content"]
    assert all(part in text for part in ("who?", "the gold", "A[1]", "a number from 0 to 1"))
    assert "secret-key" not in judge.name


def test_busy_broken_and_malformed_replies_are_asked_for_again(server: FakeServer) -> None:
    pauses: list[float] = []
    server.script = [
        (429, "slow down", {"Retry-After": "7"}), (503, "down", {}), (200, "{not json", {}), said(""),
        said('{"rating": 3}'),
    ]  # fmt: skip
    rating = OpenAIJudge(client(server, pauses)).rate(REQUEST)
    assert rating.score == 1  # clamped
    assert pauses == [7.0, 2.0, 4.0, 8.0]
    assert len(server.asked) == 5


def test_what_waiting_cannot_mend_is_told_at_once(server: FakeServer) -> None:
    server.script = [(401, "who are you", {})]
    with pytest.raises(InfrastructureError, match=r"refuses the call with status 401 .*who are you"):
        client(server).complete([{"role": "user", "content": "x"}])
    assert len(server.asked) == 1
    with pytest.raises(InvalidOptionError, match=r"base_url='ftp://x'"):
        ChatSettings("ftp://x", "m")


def test_a_slow_server_is_given_up(server: FakeServer) -> None:
    server.script = [(0, "", {})]
    with pytest.raises(
        InfrastructureError, match=r"no usable reply in 2 tries; the last: no reply within 0\.1 seconds"
    ):
        client(server, timeout_s=0.1, attempts=2).complete([{"role": "user", "content": "x"}])


def test_replies_without_a_rating_leave_no_score(server: FakeServer) -> None:
    server.script = [said("I would rather not say.")]
    rating = OpenAIJudge(client(server)).rate(REQUEST)
    assert (rating.score, rating.calls) == (None, 3)
    server.script = [said('{"label": "Negative", "reason": "harsh"}')]
    label = OpenAIJudge(client(server)).rate(JudgeRequest("sentiment", "c", labels=("positive", "negative")))
    assert (label.label, label.reason) == ("negative", "harsh")


def test_ratings_are_kept_and_a_frozen_file_asks_nobody(server: FakeServer, tmp_path: Path) -> None:
    server.script = [said('{"reason": "ok", "rating": 0.25}')]
    path = tmp_path / "ratings.jsonl"
    judge = RecordedJudge(path, OpenAIJudge(client(server)))
    assert judge.rate(REQUEST) == judge.rate(REQUEST)
    assert len(server.asked) == 1
    again = RecordedJudge(path, OpenAIJudge(client(server)))
    assert again.rate(REQUEST).score == 0.25
    frozen = RecordedJudge(path)
    assert frozen.rate(REQUEST).score == 0.25
    assert len(server.asked) == 1
    assert frozen.name == judge.name
    with pytest.raises(InfrastructureError, match="holds no rating of novelty for 'p'"):
        frozen.rate(JudgeRequest("novelty", "p"))
    path.write_text(path.read_text() + "{}\n")
    with pytest.raises(RolloutFormatError, match="line 2: no rating"):
        RecordedJudge(path)


def test_the_overlap_judge_rates_the_same_requests_without_a_model() -> None:
    paper = "https://www.aminer.cn/pub/" + "a" * 24
    summary = json.dumps({"answer": "It has 22 citations[1].", "reference": {"[1]": paper}})
    gold = {"answer": "22[1]", "reference": {"[1]": paper}, "facts": ["22"]}
    requests = requests_about("q", "how many?", summary, gold, json.dumps({"id": "a" * 24}))
    judge = overlap_judge()
    assert {request.criterion: judge.rate(request).score for request in requests} == dict.fromkeys(CRITERIA, 1.0)
    wrong = requests_about("q", "how many?", summary.replace("22", "23"), gold, "")
    assert [judge.rate(request).score for request in wrong] == [0.5, 0.5, 0.0, 0.0]
