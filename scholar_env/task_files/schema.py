"""Lines against their JSON schema: every violation as a fault with field, value, rule and mend."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from scholar_env.task_files.faults import FieldFault, path_of, shown, within

NOTHING = "nothing"
"""Shown where a field is missing."""


class SchemaCheck:
    """The compiled check of one schema.

    Args:
        schema: A JSON schema (draft 2020-12) whose parts have descriptions that complete "<field> is …".
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        from jsonschema import Draft202012Validator

        self._validator = Draft202012Validator(schema)

    def faults(self, record: Mapping[str, Any]) -> list[FieldFault]:
        """Returns all violations in the order of the fields of the record."""
        found: dict[tuple[str, str], FieldFault] = {}
        for error in self._validator.iter_errors(record):
            for fault in _faults_of(error, path_of(error.absolute_path)):
                found.setdefault((fault.field, fault.rule), fault)  # a blank text breaks several parts of one rule
        return list(found.values())


def _faults_of(error: Any, field: str) -> Iterator[FieldFault]:
    kind, schema, value = error.validator, error.schema, error.instance
    if kind == "required":
        for name in error.validator_value:
            if name not in value:
                rule = f"{name} is required; it is {schema['properties'][name]['description']}"
                yield FieldFault(within(field, name), NOTHING, rule, f"add {name}")
    elif kind == "additionalProperties":
        names = list(schema["properties"])
        for name in value:
            if name not in names:
                rule = f"the fields {f'of {field}' if field else 'of a line'} are {', '.join(names)}"
                yield FieldFault(within(field, str(name)), shown(value[name]), rule, _nearest(name, names, "remove"))
    elif kind == "uniqueItems":
        first: dict[str, int] = {}
        for place, item in enumerate(value):
            earlier = first.setdefault(json.dumps(item, sort_keys=True), place)
            if earlier != place:
                rule = f"{_name(field)} is {schema['description']}"
                mend = f"remove one of the two; {field}[{earlier}] is the same"
                yield FieldFault(f"{field}[{place}]", shown(item), rule, mend)
    else:
        yield FieldFault(field, shown(value), f"{_name(field)} is {schema['description']}", _mend(error))


def _name(field: str) -> str:
    return field.rpartition(".")[2] or "a line"


def _nearest(name: object, names: list[str], otherwise: str) -> str:
    near = difflib.get_close_matches(str(name), names, n=1, cutoff=0.7)
    return f"did you mean {near[0]!r}" if near else f"{otherwise} it"


def _mend(error: Any) -> str:
    """How a value that is there gets right."""
    value, wanted = error.instance, error.validator_value
    if error.validator == "enum":
        known = [item for item in wanted if isinstance(item, str)]
        return _nearest(value, known, "take one of these for")
    if error.validator == "type":
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        if "string" in kinds and isinstance(value, int | float) and not isinstance(value, bool):
            return f'write "{value}", in quotes'
        if "array" in kinds and isinstance(value, str):
            return f"write [{shown(value)}], a list"
        if "integer" in kinds and isinstance(value, str) and value.strip().isdecimal():
            return f"write {value.strip()}, without quotes"
    if error.validator in ("minLength", "minItems"):
        return "fill it in"
    if error.validator in ("maxLength", "maxItems"):
        return "shorten it"
    return "write such a value"
