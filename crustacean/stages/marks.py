"""How far each store has been read: cursors (a cache; the ledger's turn keys are the authority) and floors."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crustacean.edits import state
from crustacean.edits.store import Store
from crustacean.stages.work import Run
from crustacean.transcripts import sources
from crustacean.transcripts.session import Mark, Reader, StoreFile

FIRST_LOOK = timedelta(days=2)
"""How far back the first sight of a source goes."""


def forget_after_change(run: Run) -> None:
    """Files that are read already may hold what a changed rule lets in now, or what an undo or a dropped plan has
    opened again: then all are read once more. Needs the lock."""
    freed = run.store.db.execute(
        "SELECT count(*) FROM lines WHERE folded = 1 AND"
        " ((kind = 'plan' AND instr(raw, ?)) OR (kind = 'undo' AND instr(raw, ?)))",
        (b'"drop":true', b'"redo":true'),
    ).fetchone()[0]
    now = f"{freed} {run.config.sources!r}"
    if state.get(run.store.db, "read_under") not in ("", now):
        run.store.db.execute("DELETE FROM cursors")
    state.put(run.store.db, "read_under", now)


def get(run: Run, file: StoreFile) -> Mark | None:
    """Where reading a file goes on, None for its start."""
    if run.options.everything or run.options.since or run.options.redo is not None:
        return None
    row = run.store.db.execute(
        "SELECT size, mtime_ns, inode, mark FROM cursors WHERE path = ?", (name_of(file.path),)
    ).fetchone()
    return Mark(row[0], row[1], row[2], json.loads(row[3])) if row else None


def name_of(path: Path) -> str:
    """A path as text that any file name has: bytes that are no UTF-8 are spelled out."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def save(run: Run, marks: Iterable[tuple[str, Mark]]) -> None:
    """Remember that these files are read to where they were."""
    now = run.store.clock().isoformat(timespec="seconds")
    run.store.db.executemany(
        "INSERT INTO cursors (path, size, mtime_ns, inode, mark, last) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO"
        " UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode, mark = excluded.mark,"
        " last = excluded.last",
        [(p, m.size, m.mtime_ns, m.inode, json.dumps(dict(m.state)), now) for p, m in marks],
    )


def last_read(store: Store, root: Path) -> str:
    """When a file under `root` was last read to its end (ISO), "" for never."""
    row = store.db.execute(
        "SELECT max(last) FROM cursors WHERE substr(path, 1, ?) = ?", (len(str(root)), str(root))
    ).fetchone()
    return str(row[0]) if row and row[0] else ""


def start(run: Run, reader: Reader, root: Path) -> tuple[datetime, bool]:
    """From when on a source is read, and whether that reaches down to its floor: a run that asks for less leaves the
    rest to the next."""
    if run.options.everything:
        return datetime.min.replace(tzinfo=UTC), True
    name = f"{reader.client}:{sources.shown(root)}"
    row = run.store.db.execute("SELECT start FROM floors WHERE source = ?", (name,)).fetchone()
    floor = datetime.fromisoformat(row[0]) if row else run.store.clock() - FIRST_LOOK
    if run.options.since is not None:
        return run.options.since, run.options.since <= floor
    if row is None and run.writes:
        run.store.ledger.append("floor", source=name, **{"from": floor.isoformat(timespec="seconds")})
    return floor, True
