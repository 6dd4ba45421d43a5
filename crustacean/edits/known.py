"""What crab left in each file, so that a person's own changes can be told from crab's (DESIGN section 4)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

from crustacean.edits import files
from crustacean.edits.store import Store
from crustacean.workspace import layout
from crustacean.workspace.document import parse

FRESH = 2_000_000_000
"""Nanoseconds after a file's time within which another save may get the same one (FAT counts in 2 seconds)."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An entry as it was seen in a file. heading: its path; kind, meta: as of workspace.entries, meta as a comment.
    text is "" where only the ledger tells that the entry stood there."""

    id: str
    text: str
    heading: tuple[str, ...] = ()
    kind: str = "item"
    meta: str = ""


def memory_files(store: Store) -> Iterator[tuple[str, os.stat_result]]:
    """Every markdown file whose entries are memory, as (workspace path, stat), one walk. Symlinks are not followed."""
    root = str(store.root)
    todo = [root]
    while todo:
        folder = todo.pop()
        try:
            found = sorted(os.scandir(folder), key=lambda e: e.name)
        except OSError:
            continue
        for item in found:
            path = item.path[len(root) + 1 :].replace(os.sep, "/")
            if item.is_symlink():
                continue
            if item.is_dir():
                if layout.may_descend(path):
                    todo.append(item.path)
            elif item.name.endswith(".md") and layout.is_memory(path):
                try:
                    stat = item.stat()
                except FileNotFoundError:
                    continue
                yield path, stat


def entries(store: Store, path: str, data: bytes | None) -> list[Seen]:
    """What stands in a file of these bytes."""
    if data is None:
        return []
    document = parse(path, data, store.identify)
    return [Seen(e.id, e.text, e.heading, e.kind, e.effective.render()) for e in document.entries]


def remember(
    store: Store, path: str, data: bytes | None, stat: os.stat_result | None, seen: list[Seen] | None = None
) -> None:
    """Record bytes as the state of a file that crab left or has seen. stat: the file's, if it holds just these bytes
    (None: it is looked at again next time). seen: its entries, where they are known already."""
    if data is None or not layout.is_memory(path):
        store.db.execute("DELETE FROM known_entries WHERE path = ?", (path,))
        store.db.execute("DELETE FROM known WHERE path = ?", (path,))
        return
    touch(store, path, files.digest(data), stat)
    store.db.execute("DELETE FROM known_entries WHERE path = ?", (path,))
    rows = entries(store, path, data) if seen is None else seen
    store.db.executemany(
        "INSERT INTO known_entries VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(path, i, e.id, e.text, "\x1f".join(e.heading), e.kind, e.meta) for i, e in enumerate(rows)],
    )


def touch(store: Store, path: str, digest: str, stat: os.stat_result | None) -> None:
    """Record that a file of these bytes has this stat. One that was saved a moment ago gets none: the next save may
    leave the same time, and would not be seen."""
    facts = (0, 0, 0)
    if stat is not None and abs(time.time_ns() - stat.st_mtime_ns) > FRESH:
        facts = (stat.st_size, stat.st_mtime_ns, stat.st_ino)
    store.db.execute("INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?)", (path, digest, *facts))


def entries_of(store: Store, path: str) -> list[Seen]:
    """The entries that a file was known to hold, in order."""
    rows = store.db.execute(
        "SELECT id, text, heading, kind, meta FROM known_entries WHERE path = ? ORDER BY n", (path,)
    )
    return [Seen(i, text, tuple(h.split("\x1f")) if h else (), kind, meta) for i, text, h, kind, meta in rows]
