"""The reply of a model: its JSON Schema, and the check that turns it into operations.

Nothing here knows the workspace: labels ("t3", "e1") stay labels, paths stay text. `resolve` gives them meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from crustacean.edits.edit import OPS
from crustacean.text.normalise import neutralise
from crustacean.workspace.entries import TAGS

MOST_EDITS = 200
"""Edits read from one reply; a reply with more has lost its way."""

_LIMITS = {
    "text": 4000, "new": 20000, "old": 20000, "why": 1000, "topic": 120, "path": 300, "heading": 300, "title": 120,
    "reason": 40, "entry": 12, "by": 12, "due": 40, "expires": 40, "tag": 20, "op": 20,
}  # fmt: skip
_LISTS = {"sources": 60, "entries": 60, "about": 20, "aliases": 20}
_NEEDS: dict[str, tuple[str, ...]] = {
    "append": ("text", "sources"),
    "create": ("path", "title", "text", "sources"),
    "supersede": ("entry",),
    "merge": ("entries", "path", "text"),
    "move": ("entry", "path"),
    "archive": ("reason",),
    "trash": ("entry",),
    "propose": ("path", "new"),
    "flag": ("text",),
}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?([+-]\d{2}:\d{2}|Z)?)?\Z")


@dataclass(frozen=True, slots=True)
class Operation:
    """One edit of a reply, types and sizes checked, labels not yet resolved."""

    op: str
    path: str = ""
    heading: str = ""
    topic: str = ""
    tag: str = ""
    text: str = ""
    entry: str = ""
    entries: tuple[str, ...] = ()
    by: str = ""
    sources: tuple[str, ...] = ()
    importance: int | None = None
    due: str = ""
    expires: str = ""
    about: tuple[str, ...] = ()
    pointer: bool = False
    title: str = ""
    aliases: tuple[str, ...] = ()
    reason: str = ""
    old: str = ""
    new: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """An edit that was not taken: what it was, why, its text and the turn keys or ids it came from."""

    op: str
    reason: str
    text: str = ""
    sources: tuple[str, ...] = ()


def schema(ops: Collection[str]) -> dict[str, Any]:
    """JSON Schema of a reply that may use `ops`. One flat object for every edit: the shape all providers accept."""
    string = {"type": "string"}
    strings = {"type": "array", "items": string}
    nullable = {"type": ["string", "null"]}
    known: dict[str, Any] = {
        "op": {"type": "string", "enum": sorted(ops)},
        "path": string, "heading": string, "topic": string, "tag": {"type": "string", "enum": list(TAGS)},
        "text": string, "entry": string, "entries": strings, "by": string, "sources": strings,
        "importance": {"type": "integer", "minimum": 1, "maximum": 10}, "due": nullable, "expires": nullable,
        "about": strings, "pointer": {"type": "boolean"}, "title": string, "aliases": strings, "reason": string,
        "old": string, "new": string, "why": string,
    }  # fmt: skip
    used = {"op", "why"} | {k for op in ops for k in _FIELDS_OF[op]}
    item = {"type": "object", "properties": {k: v for k, v in known.items() if k in used}, "required": ["op"]}
    return {
        "type": "object",
        "properties": {"edits": {"type": "array", "items": item}, "notes": string},
        "required": ["edits"],
    }


_NEW = ("text", "sources", "importance", "due", "expires", "about", "tag")
_FIELDS_OF: dict[str, tuple[str, ...]] = {
    "append": ("path", "heading", "topic", *_NEW),
    "create": ("path", "title", "aliases", *_NEW),
    "supersede": ("entry", "by", *_NEW),
    "merge": ("entries", "path", "heading", *_NEW),
    "move": ("entry", "path", "heading", "pointer"),
    "archive": ("entry", "path", "reason"),
    "trash": ("entry",),
    "propose": ("path", "old", "new"),
    "flag": ("text", "entries"),
    "annotate": (),
    "split": ("path", "heading"),
}


def collect_schema() -> dict[str, Any]:
    """The reply schema of Collect: appends whose file and heading code will set."""
    full = schema(("append",))
    item = full["properties"]["edits"]["items"]
    item["properties"] = {k: v for k, v in item["properties"].items() if k not in ("path", "heading")}
    item["required"] = ["op", "topic", "text", "sources"]
    return full


def read_reply(data: object) -> tuple[list[Operation], list[Refused]]:
    """Check a reply object. What is well-formed comes back as operations, the rest as refusals with reasons.

    Never raises: a reply is untrusted data. Extra keys are ignored; wrong types, sizes and missing fields refuse
    that one edit.
    """
    edits = data.get("edits") if isinstance(data, Mapping) else None
    if not isinstance(edits, list):
        return [], [Refused("reply", "the reply has no list of edits")]
    good: list[Operation] = []
    bad: list[Refused] = []
    for row in edits[:MOST_EDITS]:
        try:
            good.append(_operation(row))
        except ValueError as err:
            bad.append(_refusal(row, str(err)))
    if len(edits) > MOST_EDITS:
        bad.append(Refused("reply", f"{len(edits) - MOST_EDITS} edits beyond the first {MOST_EDITS} were not read"))
    return good, bad


def _refusal(row: object, reason: str) -> Refused:
    op = row.get("op") if isinstance(row, Mapping) else None
    text = row.get("text") if isinstance(row, Mapping) else None
    return Refused(
        op if isinstance(op, str) and op in OPS else "unknown",
        reason,
        neutralise(text)[:500] if isinstance(text, str) else "",
    )


def _operation(row: object) -> Operation:
    if not isinstance(row, Mapping):
        raise ValueError("an edit is not an object")
    values: dict[str, Any] = {}
    for name in (f.name for f in fields(Operation)):
        value = row.get(name)
        if value is None or value == "":
            continue
        values[name] = _value(name, value)
    op = values.get("op", "")
    if op not in _NEEDS:
        raise ValueError("no such operation")
    missing = [n for n in _NEEDS[op] if not values.get(n)]
    if missing:
        raise ValueError(f"{op} without {' and '.join(missing)}")
    if op == "supersede" and not values.get("text") and not values.get("by"):
        raise ValueError("supersede without text or by")
    if op == "supersede" and values.get("text") and not values.get("sources"):
        raise ValueError("supersede with text but without sources")
    if op == "archive" and bool(values.get("entry")) == bool(values.get("path")):
        raise ValueError("archive takes an entry or a path")
    return Operation(**values)


def _value(name: str, value: object) -> object:
    if name == "importance":
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10:
            raise ValueError("importance is a whole number from 1 to 10")
        return value
    if name == "pointer":
        if not isinstance(value, bool):
            raise ValueError("pointer is true or false")
        return value
    if name in _LISTS:
        return _strings(name, value)
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a string")
    if len(value) > _LIMITS[name]:
        raise ValueError(f"{name} is longer than {_LIMITS[name]} characters")
    if name == "path":
        return value
    clean = neutralise(value)
    if name in ("old", "new"):
        return clean
    clean = clean.strip()
    if name in ("due", "expires"):
        return _day(name, clean)
    if name == "tag" and clean not in TAGS:
        raise ValueError(f"no such tag: {clean[:20]}")
    return clean if name == "text" else " ".join(clean.split())


def _strings(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ValueError(f"{name} is not a list of strings")
    if len(value) > _LISTS[name] or any(len(v) > 120 for v in value):
        raise ValueError(f"{name} is too long")
    return tuple(dict.fromkeys(" ".join(neutralise(v).split()) for v in value))


def _day(name: str, value: str) -> str:
    if not _DAY.match(value):
        raise ValueError(f"{name} is not a date like 2026-03-20")
    try:
        date.fromisoformat(value[:10])
    except ValueError:
        raise ValueError(f"{name} is not a day of the calendar") from None
    return value


def reasons(refused: Iterable[Refused]) -> str:
    """What is sent back to the model, once: a line for each refused edit."""
    return "\n".join(f"- {r.op}: {r.reason}" + (f" ({r.text[:80]!r})" if r.text else "") for r in refused)
