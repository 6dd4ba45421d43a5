""".crab/state.sqlite: folds of the ledger and caches. All of it can be deleted and is made again."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crustacean.errors import LockedError, WorkspaceError
from crustacean.workspace import layout

VERSION = 2
BUSY_TRIES = 20
BUSY_PAUSE = 0.05
"""Seconds between two tries to open a database that another process is making."""

FOLDS = """
CREATE TABLE IF NOT EXISTS copies (seq INTEGER PRIMARY KEY, id TEXT, path TEXT, state TEXT, run TEXT);
CREATE INDEX IF NOT EXISTS copies_id ON copies (id);
CREATE INDEX IF NOT EXISTS copies_path ON copies (path);
CREATE INDEX IF NOT EXISTS copies_run ON copies (run);
CREATE TABLE IF NOT EXISTS provenance (id TEXT PRIMARY KEY, origin TEXT, audience TEXT, src TEXT, run TEXT);
CREATE TABLE IF NOT EXISTS chain (old TEXT, new TEXT, how TEXT, run TEXT, PRIMARY KEY (old, new));
CREATE TABLE IF NOT EXISTS considered (key TEXT PRIMARY KEY, run TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS considered_run ON considered (run);
CREATE TABLE IF NOT EXISTS floors (source TEXT PRIMARY KEY, start TEXT);
CREATE TABLE IF NOT EXISTS posts (path TEXT PRIMARY KEY, hash TEXT, run TEXT);
CREATE TABLE IF NOT EXISTS kept_ids (path TEXT, computed TEXT, id TEXT, PRIMARY KEY (path, computed));
CREATE INDEX IF NOT EXISTS kept_computed ON kept_ids (computed);
CREATE TABLE IF NOT EXISTS items (item TEXT PRIMARY KEY, kind TEXT, at TEXT, open INTEGER, json TEXT);
CREATE TABLE IF NOT EXISTS waiting (plan TEXT PRIMARY KEY, stage TEXT, until TEXT, keys TEXT);
CREATE TABLE IF NOT EXISTS usage (month TEXT, stage TEXT, input INTEGER, output INTEGER, cost REAL,
  PRIMARY KEY (month, stage));
CREATE TABLE IF NOT EXISTS tombstones (key TEXT PRIMARY KEY) WITHOUT ROWID;
"""
FOLD_TABLES = (
    "copies", "provenance", "chain", "considered", "floors", "posts", "kept_ids", "items", "waiting", "usage",
    "tombstones",
)  # fmt: skip
REST = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS ledger_files (name TEXT PRIMARY KEY, size INTEGER, tail TEXT, mtime_ns INTEGER,
  inode INTEGER, rows INTEGER);
CREATE TABLE IF NOT EXISTS broken (file TEXT, row INTEGER, why TEXT);
CREATE TABLE IF NOT EXISTS lines (hash TEXT PRIMARY KEY, id TEXT, at TEXT, m TEXT, n INTEGER, kind TEXT, run TEXT,
  file TEXT, raw BLOB, sha TEXT, folded INTEGER);
CREATE INDEX IF NOT EXISTS lines_run ON lines (run);
CREATE INDEX IF NOT EXISTS lines_id ON lines (id);
CREATE INDEX IF NOT EXISTS lines_folded ON lines (folded);
CREATE TABLE IF NOT EXISTS known (path TEXT PRIMARY KEY, hash TEXT, size INTEGER, mtime_ns INTEGER, inode INTEGER);
CREATE TABLE IF NOT EXISTS known_entries (path TEXT, n INTEGER, id TEXT, text TEXT, heading TEXT, kind TEXT,
  meta TEXT, PRIMARY KEY (path, n));
CREATE INDEX IF NOT EXISTS known_entries_id ON known_entries (id);
CREATE TABLE IF NOT EXISTS cursors (path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, inode INTEGER, mark TEXT,
  last TEXT);
CREATE TABLE IF NOT EXISTS late (kept TEXT PRIMARY KEY, path TEXT, hash TEXT, size INTEGER, mtime_ns INTEGER);
CREATE TABLE IF NOT EXISTS uncommitted (path TEXT PRIMARY KEY, day TEXT, run TEXT);
"""


def open_state(root: Path) -> sqlite3.Connection:
    """The state database of a workspace, made where it is missing, of another version or damaged. In a folder that
    can't be written it lives in memory, so that reading commands still work. Raises LockedError where another process
    holds it, WorkspaceError where it can't be made."""
    path = root / layout.STATE_DIR / "state.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        ignore = path.parent / ".gitignore"
        if not ignore.exists():  # the folder may have been deleted; git is never to see what is in it
            ignore.write_bytes(b"*\n")
        return _open(path)
    except (sqlite3.DatabaseError, OSError) as err:
        if _busy(err):
            raise LockedError(f"{path} is in use by another process", "try again in a moment") from err
        if isinstance(err, sqlite3.OperationalError | OSError) and not _damaged(err):
            return _prepare(sqlite3.connect(":memory:", isolation_level=None))
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    try:
        return _open(path)
    except (sqlite3.DatabaseError, OSError) as err:
        raise WorkspaceError(f"{path} can't be opened: {err}", "delete it; crab makes it again") from err


def _damaged(err: Exception) -> bool:
    return any(word in str(err) for word in ("malformed", "not a database", "disk image"))


def _busy(err: Exception) -> bool:
    return isinstance(err, sqlite3.OperationalError) and "locked" in str(err)


def _open(path: Path) -> sqlite3.Connection:
    for _ in range(BUSY_TRIES):
        try:
            return _open_once(path)
        except sqlite3.OperationalError as err:
            # Two processes that turn a fresh database to WAL at once get this in spite of the timeout.
            if not _busy(err):
                raise
            time.sleep(BUSY_PAUSE)
    return _open_once(path)


def _open_once(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError("not a database of this version")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        return db if version else _prepare(db)
    except sqlite3.Error:
        db.close()
        raise


def _prepare(db: sqlite3.Connection) -> sqlite3.Connection:
    db.executescript(f"BEGIN IMMEDIATE; {FOLDS} {REST} PRAGMA user_version = {VERSION}; COMMIT;")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of a block or none of it; inside another one it joins that."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # a full disk has rolled it back already
            db.execute("ROLLBACK")
        raise


def clear_folds(db: sqlite3.Connection) -> None:
    for table in FOLD_TABLES:
        db.execute(f"DELETE FROM {table}")


def get(db: sqlite3.Connection, key: str, default: str = "") -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else default


def put(db: sqlite3.Connection, key: str, value: str) -> None:
    db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value))


def close(db: sqlite3.Connection) -> None:
    with contextlib.suppress(sqlite3.Error):
        db.close()
