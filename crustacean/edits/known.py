"""What crab left in each file, so that a person's own changes can be told from crab's."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

from crustacean.edits import files
from crustacean.edits.fold import IN_FILES
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


@dataclass(frozen=True, slots=True)
class Found:
    """A file that is not as crab left it: the digest it was left with, its bytes and their stat now."""

    left: str
    data: bytes | None
    stat: os.stat_result | None


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
            elif item.name.endswith(".md") and layout.is_memory(path) and item.is_file():
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


def changed_files(store: Store) -> dict[str, Found]:
    """Every file that is not as crab left it. One seen for the first time with nothing of the ledger's in it, and one
    that was only touched, is remembered."""
    seen = {r[0]: r[1:] for r in store.db.execute("SELECT path, hash, size, mtime_ns, inode FROM known")}
    posts = dict(store.db.execute("SELECT path, hash FROM posts").fetchall())
    held = {r[0] for r in store.db.execute(f"SELECT DISTINCT path FROM copies WHERE state IN {IN_FILES}")}
    out: dict[str, Found] = {}
    present = set()
    for path, stat in memory_files(store):
        present.add(path)
        old = seen.get(path)
        if old and old[1:] == (stat.st_size, stat.st_mtime_ns, stat.st_ino):
            continue
        data, exact = files.read_with_stat(store.real(path))
        digest = files.digest(data)
        if old and digest == old[0]:
            touch(store, path, digest, exact)
        elif not old and (digest == posts.get(path, "") or (path not in posts and path not in held)):
            remember(store, path, data, exact)
        else:
            out[path] = Found(old[0] if old else posts.get(path, ""), data, exact)
    for path in sorted((set(seen) | held) - present):
        left = seen[path][0] if path in seen else posts.get(path, "")
        if left or path in held:
            out[path] = Found(left, None, None)
    return _standing_still(store, out)


def _standing_still(store: Store, changed: dict[str, Found]) -> dict[str, Found]:
    """Look again at files that somebody seems to be saving right now (also one that is missing: some editors move the
    old file away first), until they stand still for a moment. Those that can't be read as text are left out: nobody can
    tell what stands in them, so nothing of it is gone."""
    moving = {path for path, found in changed.items() if files.young(found.stat)}
    for _ in range(files.PATIENCE):
        if not moving:
            break
        time.sleep(files.QUIET)
        for path in sorted(moving):
            data, stat = files.read_with_stat(store.real(path))
            if data == changed[path].data:
                moving.discard(path)
            changed[path] = Found(changed[path].left, data, stat)
    return {p: f for p, f in changed.items() if _is_text(f.data) and files.digest(f.data) != f.left}


def _is_text(data: bytes | None) -> bool:
    try:
        (data or b"").decode()
    except UnicodeDecodeError:
        return False
    return True
