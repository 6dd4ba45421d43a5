"""An undo under way: what it works on, what later runs did, where things are put."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused
from crustacean.workspace.document import Document
from crustacean.workspace.entries import Entry

Row = dict[str, Any]


class Blocked(EditRefused):
    """A later run did something with it that has to be undone first."""


@dataclass(slots=True)
class Later:
    """What runs after the undone one did, as far as they stand: the run that last changed the words of an id or threw
    it away; that moved it; that gave a whole file another path."""

    changed: dict[str, str] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def add(self, run: str, row: Row) -> None:
        ids = row.get("ids") or ([row["id"]] if row.get("id") else [])
        if row["op"] in ("supersede", "merge"):
            self.changed |= dict.fromkeys(row.get("old", []), run)
        elif row["op"] == "trash":
            self.changed |= dict.fromkeys(ids, run)
        elif row["op"] in ("move", "archive", "restore"):
            self.moved |= dict.fromkeys(ids, run)
            if not ids:
                self.files |= dict.fromkeys(bases(row.get("from")), run)


@dataclass(slots=True)
class Work:
    """An undo under way. of, run: the run undone and the one that does it. whole: files whose bytes after the undo are
    known; in these nothing is changed entry by entry. stood: (path, id) -> the heading, and the id of the entry above
    or "", under which an entry stood before. back: id -> where this undo itself has put an entry."""

    store: Store
    tree: Tree
    of: str
    run: str
    whole: dict[str, bytes | None]
    stood: dict[tuple[str, str], tuple[tuple[str, ...], str]]
    later: Later
    back: dict[str, tuple[str, Document, Entry]] = field(default_factory=dict)


def bases(places: Iterable[str] | None) -> list[str]:
    """The paths of places."""
    out = []
    for place in places or ():
        head, mark, tail = place.rpartition("#")
        out.append(head if mark and tail.isdigit() else place)
    return out


def paths(row: Row) -> list[str]:
    """Every file that an EDIT touched."""
    return [*bases(row.get("from")), *bases(row.get("to")), *([row["kept"]] if row.get("kept") else [])]


def moved(row: Row) -> list[str]:
    """The ids that a row of an undo moves from its `from` to its `to`."""
    if row["op"] == "supersede":
        return list(row["old"])
    return list(row.get("ids") or ([row["id"]] if row.get("id") else []))
