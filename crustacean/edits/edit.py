"""An edit as it stands in a plan: one operation with real ids, checked again whenever it is performed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, Literal, get_args

from crustacean.errors import UsageError
from crustacean.workspace.meta import EMPTY, Meta

Op = Literal[
    "append", "create", "supersede", "merge", "move", "archive", "trash", "propose", "flag", "annotate", "split"
]
OPS: tuple[str, ...] = get_args(Op)
SAID = 300
"""The most characters (and, with SAID_BYTES, bytes) of what was said that the ledger keeps."""
SAID_BYTES = 330


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry stands: `path`, and `id` with `n` where that id stands there more than once."""

    id: str
    path: str
    n: int = 1

    def __str__(self) -> str:
        return self.path if self.n == 1 else f"{self.path}#{self.n}"


@dataclass(frozen=True, slots=True)
class Edit:
    """One operation of a plan.

    path, heading: where the text goes; heading is a path of heading texts, () the file's own top part.
    entry: the place changed; entries: the places merged. by: the id that supersedes a line of a daily log.
    meta: what the new entry carries (src, origin, audience, observed, importance, due, ...), whether or not the file
    shows it. keys: turn keys of its sources; sources: ids of entries it was made from.
    local: the time of the first source in the person's zone, which gives a daily log's heading its place.
    why, said: the model's reason, and the redacted excerpt of what was said.
    """

    op: Op
    path: str = ""
    heading: tuple[str, ...] = ()
    text: str = ""
    entry: Place | None = None
    entries: tuple[Place, ...] = ()
    by: str = ""
    meta: Meta = EMPTY
    keys: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    local: datetime | None = None
    title: str = ""
    aliases: tuple[str, ...] = ()
    pointer: bool = False
    reason: str = ""
    old: str = ""
    new: str = ""
    about: tuple[str, ...] = ()
    why: str = ""
    said: str = ""

    @property
    def touched(self) -> tuple[Place, ...]:
        """The entries it changes (being a source is not a change)."""
        return self.entries + ((self.entry,) if self.entry else ())


def to_json(edit: Edit) -> dict[str, Any]:
    """The edit as JSON data, empty fields left out."""
    row: dict[str, Any] = {}
    for name in (f.name for f in fields(Edit)):
        value = getattr(edit, name)
        if value in ("", (), None, False) or value == Meta():
            continue
        if isinstance(value, Meta):
            row[name] = value.render()
        elif isinstance(value, Place):
            row[name] = asdict(value)
        elif isinstance(value, datetime):
            row[name] = value.isoformat()
        elif isinstance(value, tuple):
            row[name] = [asdict(v) if isinstance(v, Place) else v for v in value]
        else:
            row[name] = value
    return row


def _place(value: object) -> Place:
    if not isinstance(value, Mapping):
        raise TypeError("a place is an object")
    n = value.get("n", 1)
    if not isinstance(n, int) or not isinstance(value.get("id"), str) or not isinstance(value.get("path"), str):
        raise TypeError("a place has id, path and n")
    return Place(value["id"], value["path"], n)


def from_json(row: object) -> Edit:
    """The edit that `to_json` wrote. Raises UsageError for anything else (a plan file is only a file)."""
    from crustacean.workspace.meta import parse_meta

    known = {f.name for f in fields(Edit)}
    try:
        if not isinstance(row, Mapping) or not set(row) <= known or row.get("op") not in OPS:
            raise TypeError("not an edit")
        values: dict[str, Any] = {}
        for name, value in row.items():
            if name == "meta":
                values[name] = parse_meta(value) or Meta()
            elif name == "entry":
                values[name] = _place(value)
            elif name == "entries":
                values[name] = tuple(_place(v) for v in value)
            elif name == "local":
                values[name] = datetime.fromisoformat(value)
            elif name in ("heading", "keys", "sources", "aliases", "about"):
                if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
                    raise TypeError(f"{name} is a list of strings")
                values[name] = tuple(value)
            elif name == "pointer":
                values[name] = value is True
            elif isinstance(value, str):
                values[name] = value
            else:
                raise TypeError(f"{name} is a string")
        return Edit(**values)
    except (TypeError, ValueError, AttributeError) as err:
        raise UsageError(f"an edit of the plan can't be read: {err}", "make the plan anew with --dry-run") from err


def excerpt(text: str) -> str:
    """What the ledger keeps of what was said: one line, at most 300 characters and about as many bytes."""
    line = " ".join(text.split())[:SAID]
    raw = line.encode("utf-8", "replace")
    return line if len(raw) <= SAID_BYTES else raw[:SAID_BYTES].decode("utf-8", "ignore").rstrip() + "…"
