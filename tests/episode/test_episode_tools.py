"""The declarations of the tools: schemas, checks, and what errors say."""

from __future__ import annotations

from typing import Any

import pytest

from scholar_env.episode.checks import compile_validator
from scholar_env.episode.schema import ActionError, Argument
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.tools import TOOLS, offered
from scholar_env.episode.tool import openai_tools
from scholar_env.errors import InvalidOptionError

NAMES = [
    "derive", "expand", "continue", "plan", "select", "browse", "next_iteration", "search", "read", "answer", "abstain",
]  # fmt: skip


def test_tools_in_order() -> None:
    assert list(TOOLS) == NAMES
    assert [tool.name for tool in TOOLS.values()] == NAMES


def test_schema_of_derive() -> None:
    assert TOOLS["derive"].json_schema() == {
        "type": "object",
        "properties": {
            "source": {
                "description": "id of the subquery it comes from; 0 is the question",
                "type": "integer",
                "minimum": 0,
                "default": 0,
            },
            "text": {"description": "words to search for", "type": "string", "minLength": 1, "maxLength": 2000},
            "k": {"description": "results wanted, at most one page", "type": "integer", "minimum": 1},
        },
        "required": ["text"],
        "additionalProperties": False,
    }


def test_no_schema_has_a_union() -> None:
    def types(schema: Any) -> list[Any]:
        if isinstance(schema, dict):
            found = [schema["type"]] if isinstance(schema.get("type"), list) else []
            found += [key for key in ("anyOf", "oneOf", "allOf") if key in schema]
            return found + [entry for value in schema.values() for entry in types(value)]
        return []

    assert [types(tool.json_schema()) for tool in TOOLS.values()] == [[]] * len(NAMES)


def test_chat_tools_follow_from_the_declarations() -> None:
    (tool,) = openai_tools([TOOLS["next_iteration"]])
    assert tool == {
        "type": "function",
        "function": {
            "name": "next_iteration",
            "description": "Close the open iteration; without a search in it the episode ends.",
            "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        },
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_a_right_call(name: str) -> None:
    assert not isinstance(TOOLS[name].validate(TOOLS[name].example), ActionError)


def test_validation_completes_and_cleans() -> None:
    assert TOOLS["derive"].validate({"text": "  sparse  ", "k": 5.0}) == {"source": 0, "text": "sparse", "k": 5}
    assert TOOLS["continue"].validate({"source_id": 2, "k": None}) == {"source": 2, "k": None}
    assert TOOLS["answer"].validate({}) == {"papers": None}
    assert TOOLS["plan"].validate({"is_complete": True, "experience_replay": "e"}) == {
        "subqueries": None,
        "checklist": "",
        "experience": "e",
        "complete": True,
    }


NO_DATE = "search: before must be a month as YYYY-MM or a day as YYYY-MM-DD that exists, such as 2020-02"
WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("derive", {}, "missing_argument", "derive: the argument text is missing. Example: "),
    ("derive", {"text": " "}, "out_of_range", "derive: text must not be empty, got ' '."),
    ("derive", {"text": None}, "wrong_type", "derive: text must be a string, got null."),
    ("derive", {"text": "a", "k": 0}, "out_of_range", "derive: k must be at least 1, got 0."),
    ("derive", {"text": "a", "k": "5"}, "wrong_type", "derive: k must be an integer, got '5'."),
    ("derive", {"text": "a", "k": True}, "wrong_type", "derive: k must be an integer, got true."),
    ("derive", {"text": "a", "k": 1.5}, "wrong_type", "derive: k must be an integer, got 1.5."),
    ("derive", {"text": "a", "source": -1}, "out_of_range", "derive: source must be at least 0, got -1."),
    ("derive", {"text": "x" * 2001}, "out_of_range", "derive: text must have at most 2000 characters, got 'xxx"),
    (
        "derive",
        {"text": "a", "y": 1},
        "unknown_argument",
        "derive: no argument 'y'; there is: source, text, k. Example: ",
    ),
    ("next_iteration", {"a": 1}, "unknown_argument", "next_iteration: no argument 'a'; there is: none."),
    ("select", {"subquery": 1, "papers": "p1"}, "wrong_type", "select: papers must be a list of strings, got 'p1'."),
    (
        "select",
        {"subquery": 1, "papers": [1]},
        "wrong_type",
        "select: papers must be a list of strings, got a list of 1.",
    ),
    ("select", {"subquery": 1, "papers": [""] * 1001}, "out_of_range", "select: papers must have at most 1000 items"),
    ("plan", {"subqueries": {}}, "wrong_type", "plan: subqueries must be a list of objects, got an object of 0."),
    ("plan", {"complete": 1}, "wrong_type", "plan: complete must be true or false, got 1."),
    (
        "search",
        {"text": "a", "before": "2020"},
        "out_of_range",
        f"{NO_DATE}, got '2020'.",
    ),
    *(
        ("search", {"text": "a", "before": before}, "out_of_range", f"{NO_DATE}, got {before!r}.")
        for before in (
            *("2020-13", "２０２０-02", "٢٠٢٠-٠٢", "2020-0٢", "2020-02-３０", "2010-01-99", "2010-01-00", "2020-02-31"),
            *("2021-02-29", "2020-04-31", "1900-02-29", "0000-05", "2020-02-1", "2020-02\n2020-02"),
        )
    ),
]


@pytest.mark.parametrize(("name", "arguments", "code", "message"), WRONG)
def test_wrong_arguments_are_named(name: str, arguments: dict[str, Any], code: str, message: str) -> None:
    problem = TOOLS[name].validate(arguments)
    assert isinstance(problem, ActionError)
    assert problem.code == code
    assert problem.message.startswith(message)
    assert problem.message.endswith("}.")  # the example of a right call


def test_a_month_or_a_day_that_exists_is_a_bound() -> None:
    for before in ("2020-02", "2020-02-29", "0001-01", "2000-02-29", "2010-12-31", " 2010-12 ", ""):
        checked = TOOLS["search"].validate({"text": "a", "before": before})
        assert isinstance(checked, dict)
        assert checked["before"] == before.strip()


KINDS = (
    Argument("share", "number", "a share", minimum=0, maximum=1),
    Argument("years", "integers", "years", required=False, minimum=1900, maximum=2100, min_length=1, max_length=3),
    Argument("reference", "object", "a table", required=False, max_length=20),
)
check_kinds = compile_validator("kinds", KINDS)


def test_numbers_lists_of_integers_and_objects_are_cleaned() -> None:
    clean = check_kinds({"share": 1, "years": [2001.0, 1999], "reference": {"[1]": ["a"]}})
    assert clean == {"share": 1.0, "years": [2001, 1999], "reference": {"[1]": ["a"]}}
    assert isinstance(clean, dict)
    assert type(clean["share"]) is float
    assert type(clean["years"][0]) is int


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({"share": "1"}, "wrong_type", "kinds: share must be a number, got '1'."),
        ({"share": True}, "wrong_type", "kinds: share must be a number, got true."),
        ({"share": 1.5}, "out_of_range", "kinds: share must be at most 1, got 1.5."),
        ({"share": -0.5}, "out_of_range", "kinds: share must be at least 0, got -0.5."),
        ({"share": 0, "years": 2001}, "wrong_type", "kinds: years must be a list of integers, got 2001."),
        ({"share": 0, "years": ["2001"]}, "wrong_type", "kinds: years must be a list of integers, got a list of 1."),
        (
            {"share": 0, "years": [1]},
            "out_of_range",
            "kinds: years must have items that are at least 1900, got a list of 1.",
        ),
        ({"share": 0, "years": []}, "out_of_range", "kinds: years must have at least 1 items, got a list of 0."),
        ({"share": 0, "years": [2000] * 4}, "out_of_range", "kinds: years must have at most 3 items, got a list of 4."),
        ({"share": 0, "reference": []}, "wrong_type", "kinds: reference must be an object, got a list of 0."),
        (
            {"share": 0, "reference": {"[1]": "a long text indeed"}},
            "out_of_range",
            "kinds: reference must have at most 20 characters as JSON, got an object of 1.",
        ),
    ],
)
def test_wrong_numbers_lists_and_objects_are_named(arguments: dict[str, Any], code: str, message: str) -> None:
    problem = check_kinds(arguments)
    assert isinstance(problem, ActionError)
    assert (problem.code, problem.message) == (code, message)


def test_the_schema_of_numbers_lists_and_objects() -> None:
    share, years, reference = (argument.json_schema() for argument in KINDS)
    assert share == {"description": "a share", "type": "number", "minimum": 0, "maximum": 1}
    items = {"type": "integer", "minimum": 1900, "maximum": 2100}
    assert years == {"description": "years", "type": "array", "items": items, "minItems": 1, "maxItems": 3}
    assert reference == {"description": "a table", "type": "object"}


def test_error_shows_a_right_call() -> None:
    problem = TOOLS["continue"].validate({})
    assert isinstance(problem, ActionError)
    assert problem.message == (
        'continue: the argument source is missing. Example: {"name": "continue", "arguments": {"source": 1, "k": 10}}.'
    )


def test_choices() -> None:
    check = compile_validator("x", (Argument("link", "string", "", choices=("a", "b")),), {})
    assert check({"link": "a"}) == {"link": "a"}
    problem = check({"link": "c"})
    assert isinstance(problem, ActionError)
    assert problem.message == "x: link must be one of a, b, got 'c'. Example: {}."


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({}, {"browse"}),
        ({"browser_mode": "REFRESH"}, set()),
        ({"assessor": "oracle", "browser_mode": "REFRESH"}, {"select", "browse"}),
        ({"compat": "upstream"}, {"derive", "expand", "continue", "search", "read", "browse"}),
        (
            {"compat": "upstream", "assessor": "lexical"},
            {"derive", "expand", "continue", "search", "read", "browse", "select", "next_iteration"},
        ),
    ],
)
def test_offered_tools(options: dict[str, Any], missing: set[str]) -> None:
    assert offered(EpisodeConfig(**options)) == tuple(name for name in NAMES if name not in missing)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_iterations": 0}, "max_iterations=0. Rule: max_iterations is an integer in [1, 1000]."),
        ({"page_size": True}, "page_size=True. Rule: page_size is an integer in [1, 100]."),
        ({"browser_mode": "none"}, "Rule: browser_mode is one of 'NONE', 'REFRESH', 'INCREMENTAL', 'PRE_ENRICH'."),
        ({"compat": "old"}, "compat='old'. Rule: compat is one of None, 'upstream'."),
        ({"assessor": "gpt"}, "Rule: assessor is one of 'agent', 'oracle', 'lexical' or 'package.module:name'."),
        ({"memory": 1}, "memory=1. Rule: memory is true or false."),
        ({"on_empty_plan": ""}, "on_empty_plan=''. Rule: on_empty_plan is one of 'finish', 'fail'."),
        ({"retry_delay": -1}, "retry_delay=-1. Rule: retry_delay is a number of seconds in [0, 60]."),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        EpisodeConfig(**options)
    assert message in str(caught.value)


def test_options_are_plain_json() -> None:
    options = EpisodeConfig(max_iterations=7, assessor="a.b:c").to_json()
    assert options["max_iterations"] == 7
    assert EpisodeConfig(**options) == EpisodeConfig(max_iterations=7, assessor="a.b:c")
