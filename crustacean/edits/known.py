"""What crab left in each file, so that a person's own changes can be told from crab's (DESIGN section 4)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from crustacean.edits import files
from crustacean.edits.store import Store
from crustacean.workspace import layout
from crustacean.workspace.document import Document, parse


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
                yield path, item.stat()


def remember(store: Store, path: str) -> Document | None:
    """Record a file as it stands on disk now as the state that crab left or has seen."""
    real = layout.resolve(store.root, path)
    data = files.read(real)
    store.db.execute("DELETE FROM known_entries WHERE path = ?", (path,))
    if data is None or not layout.is_memory(path):
        store.db.execute("DELETE FROM known WHERE path = ?", (path,))
        return None
    stat = real.stat()
    store.db.execute(
        "INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?)",
        (path, files.digest(data), stat.st_size, stat.st_mtime_ns, stat.st_ino),
    )
    document = parse(path, data, store.identify)
    store.db.executemany(
        "INSERT INTO known_entries VALUES (?, ?, ?, ?, ?)",
        [(path, i, e.id, e.text, "\x1f".join(e.heading)) for i, e in enumerate(document.entries)],
    )
    return document


def entries_of(store: Store, path: str) -> list[tuple[str, str, str]]:
    """(id, text, heading path) of the entries that a file was known to hold, in order."""
    rows = store.db.execute("SELECT id, text, heading FROM known_entries WHERE path = ? ORDER BY n", (path,))
    return [(r[0], r[1], r[2]) for r in rows]
