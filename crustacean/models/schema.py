"""A JSON Schema in the shapes that providers' structured outputs take.

Both take a subset: every object closed, no bounds or patterns. What is left out only widens the schema; code checks a
reply in any case. Sources: platform.claude.com/docs/en/build-with-claude/structured-outputs,
developers.openai.com/api/docs/guides/structured-outputs ("Supported schemas").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KEPT = ("type", "enum", "const", "description", "title", "$ref")
_DEEPEST = 20


class NotStrict(ValueError):
    """The schema says something that can't be said strictly."""


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with every object closed and bounds left out; optional properties stay optional.

    Raises NotStrict for free-form objects and for combinations other than anyOf and oneOf.
    """
    return _shaped(schema, every=False, depth=0)


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """As `closed`, with every property required: one that was optional may be null instead."""
    if schema.get("type") != "object":
        raise NotStrict("the root is not an object")
    return _shaped(schema, every=True, depth=0)


def without_nulls(data: Any, schema: Mapping[str, Any]) -> Any:
    """A reply to `strict(schema)` as `schema` would have it: nulls that stand for an absent property are away."""
    required: set[str] = set()
    optional: set[str] = set()
    _names(schema, required, optional, 0)
    return _pruned(data, optional - required, 0)


def _shaped(schema: Mapping[str, Any], every: bool, depth: int) -> dict[str, Any]:
    if depth > _DEEPEST:
        raise NotStrict("nested too deep")
    if any(key in schema for key in ("allOf", "not", "if", "patternProperties", "dependentSchemas", "prefixItems")):
        raise NotStrict("a combination that is not supported")
    shaped = {key: schema[key] for key in _KEPT if key in schema}
    for key in ("anyOf", "oneOf"):
        if key in schema:
            shaped["anyOf"] = [_shaped(choice, every, depth + 1) for choice in schema[key]]
    if "$defs" in schema:
        shaped["$defs"] = {name: _shaped(part, every, depth + 1) for name, part in schema["$defs"].items()}
    if "items" in schema:
        shaped["items"] = _shaped(schema["items"], every, depth + 1)
    if "properties" in schema or schema.get("type") == "object":
        shaped |= _object(schema, every, depth)
    elif not shaped.keys() & {"type", "enum", "const", "anyOf", "$ref"}:
        raise NotStrict("a part without a type")
    return shaped


def _object(schema: Mapping[str, Any], every: bool, depth: int) -> dict[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    if not properties or schema.get("additionalProperties") not in (None, False):
        raise NotStrict("an object with free keys")
    required = [name for name in properties if every or name in schema.get("required", ())]
    shaped = {}
    for name, part in properties.items():
        shaped[name] = _shaped(part, every, depth + 1)
        if every and name not in schema.get("required", ()):
            shaped[name] = _nullable(shaped[name])
    return {"properties": shaped, "required": required, "additionalProperties": False}


def _nullable(part: dict[str, Any]) -> dict[str, Any]:
    kind = part.get("type")
    kinds = [kind] if isinstance(kind, str) else kind
    if "const" in part or "anyOf" in part or "$ref" in part or not isinstance(kinds, list):
        return {"anyOf": [part, {"type": "null"}]}
    nullable = {**part, "type": kinds if "null" in kinds else [*kinds, "null"]}
    if "enum" in part and None not in part["enum"]:
        nullable["enum"] = [*part["enum"], None]
    return nullable


def _names(schema: Any, required: set[str], optional: set[str], depth: int) -> None:
    if depth > _DEEPEST:
        return
    if isinstance(schema, list):
        for part in schema:
            _names(part, required, optional, depth + 1)
    elif isinstance(schema, Mapping):
        needed = set(schema.get("required", ()))
        if isinstance(schema.get("properties"), Mapping):
            required |= needed
            optional |= set(schema["properties"]) - needed
        for part in schema.values():
            _names(part, required, optional, depth + 1)


def _pruned(data: Any, names: set[str], depth: int) -> Any:
    if depth > _DEEPEST:
        return data
    if isinstance(data, list):
        return [_pruned(part, names, depth + 1) for part in data]
    if isinstance(data, dict):
        return {
            key: _pruned(value, names, depth + 1)
            for key, value in data.items()
            if value is not None or key not in names
        }
    return data
