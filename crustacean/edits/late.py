"""Old inodes that an editor may still have open: kept for a while, and what is saved into them late is merged."""

from __future__ import annotations

import os
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
        stat = aside.stat()
        row = (name, path, files.digest(data), stat.st_size, stat.st_mtime_ns)
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
            data = files.settled(kept) or b""
            if files.digest(data) != base and _fold_in(store, path, base, data):
                mended.append(path)
            _saw(store, name, data, kept.stat())
        elif time.time() - stat.st_ctime > GRACE:
            kept.unlink(missing_ok=True)
            store.db.execute("DELETE FROM late WHERE kept = ?", (name,))
    return mended


def _saw(store: Store, name: str, data: bytes, stat: os.stat_result) -> None:
    journal.save_images(store.root, [data], store.clock().timestamp())
    # A save that came in between the read and this stat shows in the digest only: leave the old time to look again.
    mtime = stat.st_mtime_ns if stat.st_size == len(data) else 0
    store.db.execute(
        "UPDATE late SET hash = ?, size = ?, mtime_ns = ? WHERE kept = ?",
        (files.digest(data), stat.st_size, mtime, name),
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
