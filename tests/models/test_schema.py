from __future__ import annotations

import json
from typing import Any

import pytest

from crustacean.models.schema import NotStrict, closed, strict, without_nulls
from tests.models.conftest import REPLY, SCHEMA


def objects(schema: Any) -> list[dict[str, Any]]:
    found = [schema] if isinstance(schema, dict) and "properties" in schema else []
    parts = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return found + [inner for part in parts for inner in objects(part)]


def test_strict_requires_everything_and_closes_every_object() -> None:
    made = objects(strict(SCHEMA))
    assert len(made) == 2
    assert all(part["additionalProperties"] is False for part in made)
    assert all(part["required"] == list(part["properties"]) for part in made)


def test_closed_keeps_optional_properties_optional() -> None:
    assert [part["required"] for part in objects(closed(SCHEMA))] == [["edits"], ["op"]]


@pytest.mark.parametrize("make", [strict, closed])
def test_bounds_and_patterns_are_left_out(make: Any) -> None:
    bounded = {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 1, "pattern": "x", "format": "date", "default": "x"}},
        "required": ["a"],
    }
    assert make(bounded)["properties"] == {"a": {"type": "string"}}


def test_what_was_optional_may_be_null() -> None:
    schema = {
        "type": "object",
        "properties": {
            "plain": {"type": "string"},
            "either": {"type": ["string", "null"]},
            "listed": {"type": "string", "enum": ["a"]},
            "bare": {"enum": ["a"]},
            "one": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            "ref": {"$ref": "#/$defs/x"},
        },
        "$defs": {"x": {"type": "string"}},
    }
    assert strict(schema)["properties"] == {
        "plain": {"type": ["string", "null"]},
        "either": {"type": ["string", "null"]},
        "listed": {"type": ["string", "null"], "enum": ["a", None]},
        "bare": {"anyOf": [{"enum": ["a"]}, {"type": "null"}]},
        "one": {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "null"}]},
        "ref": {"anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}]},
    }


@pytest.mark.parametrize(
    "part",
    [
        {"type": "object"},
        {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": True},
        {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": {"type": "string"}},
        {"allOf": [{"type": "string"}]},
        {},
        {"description": "anything"},
    ],
)
def test_what_can_not_be_said_strictly_is_refused(part: dict[str, Any]) -> None:
    for make in (strict, closed):
        with pytest.raises(NotStrict):
            make({"type": "object", "properties": {"a": part}})


def test_a_root_that_is_no_object_is_not_strict() -> None:
    with pytest.raises(NotStrict):
        strict({"anyOf": [SCHEMA]})


def test_the_schema_given_is_not_changed() -> None:
    before = json.dumps(SCHEMA)
    strict(SCHEMA), closed(SCHEMA)
    assert json.dumps(SCHEMA) == before


def test_nulls_of_required_properties_stay() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": ["null", "string"]}, "b": {"type": "string"}},
        "required": ["a"],
    }
    assert without_nulls({"a": None, "b": None, "c": None}, schema) == {"a": None, "c": None}


def test_a_reply_without_nulls_stays_as_it_is() -> None:
    assert without_nulls(REPLY, SCHEMA) == REPLY
