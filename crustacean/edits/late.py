"""Old inodes that an editor may still have open: kept for a while, and what is saved into them late is merged."""

from __future__ import annotations

import secrets
import sqlite3
import time
from pathlib import Path

from crustacean.edits import files, journal, merge3
from crustacean.edits.install import Step, install, prepare
from crustacean.edits.store import Store
from crustacean.errors import EditRefused
from crustacean.workspace import layout

GRACE = 30.0
"""Seconds for which a replaced inode is looked at again (and once more after that)."""


def folder(store: Store) -> Path:
    return store.root / layout.STATE_DIR / "late"


def keep(store: Store, aside: Path, path: str, data: bytes) -> None:
    """Keep the inode `aside`, which stood at `path` and held `data`. One that can't be kept is let go: it was looked at
    a moment ago."""
    name = secrets.token_hex(6)
    try:
        folder(store).mkdir(parents=True, exist_ok=True)
        now, stat = files.read_with_stat(aside)
        same = stat is not None and now == data
        # What was saved into it since it was looked at shows in no stat to come: size -1 has it looked at again.
        row = (name, path, files.digest(data), *((stat.st_size, stat.st_mtime_ns) if stat and same else (-1, 0)))
        store.db.execute("INSERT INTO late VALUES (?, ?, ?, ?, ?)", row)
        aside.rename(folder(store) / name)
    except (OSError, sqlite3.Error):
        aside.unlink(missing_ok=True)


def look(store: Store) -> list[str]:
    """Merge what was saved into replaced inodes since the last look. Needs the lock; returns the paths that were
    mended. Raises OSError, WorkspaceError."""
    mended = []
    for name, path, base, size, mtime in store.db.execute(
        "SELECT kept, path, hash, size, mtime_ns FROM late"
    ).fetchall():
        kept = folder(store) / name
        try:
            stat = kept.stat()
        except FileNotFoundError:
            store.db.execute("DELETE FROM late WHERE kept = ?", (name,))
            continue
        if (stat.st_size, stat.st_mtime_ns) != (size, mtime):
            data = files.settled(kept, journal.image(store.root, base) or b"") or b""
            if files.digest(data) != base and _fold_in(store, path, base, data):
                mended.append(path)
            _saw(store, name, data, kept)
        elif time.time() - stat.st_ctime > GRACE:
            kept.unlink(missing_ok=True)
            store.db.execute("DELETE FROM late WHERE kept = ?", (name,))
    return mended


def _saw(store: Store, name: str, data: bytes, kept: Path) -> None:
    journal.save_images(store.root, [data], store.clock().timestamp())
    now, stat = files.read_with_stat(kept)
    size, mtime = (stat.st_size, stat.st_mtime_ns) if stat is not None and now == data else (-1, 0)
    store.db.execute(
        "UPDATE late SET hash = ?, size = ?, mtime_ns = ? WHERE kept = ?", (files.digest(data), size, mtime, name)
    )


def _fold_in(store: Store, path: str, base: str, late: bytes) -> bool:
    """Merge bytes saved into a replaced inode into the file that took its place; one that moved away comes back."""
    try:
        real = layout.resolve(store.root, path)
    except EditRefused:
        return False
    now = files.read(real)
    merged = merge3.merge(journal.image(store.root, base) or b"", late, now or b"")
    if merged == (now or b""):
        return False
    step = Step(path, real, now, merged)
    prepare(step)
    install(step, lambda data: journal.save_images(store.root, [data], store.clock().timestamp()))
    for aside, data in step.old:
        keep(store, aside, path, data)
    return True
