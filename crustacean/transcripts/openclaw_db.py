"""An OpenClaw agent's database, read where it lies while its program writes; nothing is left behind beside it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

NEWEST = 23
"""The newest agent schema that is known."""
ROW_LIMIT = 8 << 20
"""Bytes. A longer value is not loaded; it is copied out in pieces (see `spill`)."""
BUSY_SECONDS = 5.0
_TRIES = 4
_PIECE = 256 << 10
_SIDES = ("", "-wal", "-shm", "-journal")

How = Literal["beside", "immutable", "copy"]
T = TypeVar("T")


class Busy(Exception):
    """The database was written to or locked each time it was looked at; it can be read another time."""


@dataclass(frozen=True, slots=True)
class Schema:
    """What a database has. tables: the columns of each table. agent: the agent's id, "" where it does not say.
    problem: why it is not read, "" where it is."""

    tables: dict[str, frozenset[str]]
    agent: str = ""
    problem: str = ""

    def has(self, table: str, *columns: str) -> bool:
        return table in self.tables and self.tables[table].issuperset(columns)


class Database:
    """One database. Each question gets a connection and a snapshot of its own, so that none is held while a model
    thinks about what was read, and so that the way in is chosen anew: the program may have started meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._copied: Path | None = None

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def temporary(self, name: str) -> Path:
        """A path in a private folder that goes when the database is closed."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="crab-")
        return Path(self._folder.name) / name

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """The answer of `question` on one snapshot.

        Raises Busy, sqlite3.Error (what is there is damaged or no database) and OSError.
        """
        for _ in range(_TRIES):
            before = _signs(self.path)
            how: How = "copy" if self._copied is not None else _way_in(before)
            try:
                with closing(self._connect(how)) as db:
                    db.execute("BEGIN")
                    answer = question(db)
            except UnicodeDecodeError as error:
                # sqlite3 decodes the names and messages of a damaged database strictly
                raise sqlite3.DatabaseError("names that are not UTF-8") from error
            except sqlite3.Error as error:
                if how == "immutable" and _signs(self.path) != before:
                    continue
                if _is_busy(error):
                    break
                if how == "copy" or not _no_way_in(error):
                    raise
                self._copy()
                continue
            if how != "immutable" or _signs(self.path) == before:
                return answer
        raise Busy(f"{self.path.name} is being written to")

    def _connect(self, how: How) -> sqlite3.Connection:
        if how == "copy" and self._copied is None:
            self._copy()
        path = self._copied if how == "copy" and self._copied is not None else self.path.absolute()
        mode = {"beside": "mode=ro", "immutable": "mode=ro&immutable=1", "copy": "mode=rw"}[how]
        db = sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, ROW_LIMIT)
        db.text_factory = _lenient
        return db

    def _copy(self) -> None:
        """Copy the database with what is not in it yet. The memory-mapped index is made anew from that."""
        target = self.temporary("copy.sqlite")
        for _ in range(_TRIES):
            before = _signs(self.path)
            for side in ("", "-wal", "-journal"):
                source = self.path.with_name(self.path.name + side)
                if source.is_file():
                    shutil.copyfile(source, target.with_name(target.name + side))
                else:
                    target.with_name(target.name + side).unlink(missing_ok=True)
            if _signs(self.path) == before:
                self._copied = target
                return
        raise Busy(f"{self.path.name} is being written to")


def _lenient(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _signs(path: Path) -> dict[str, tuple[int, int]]:
    """Size and time of change of the database and of what stands beside it."""
    found = {}
    for side in _SIDES:
        try:
            stat = path.with_name(path.name + side).stat()
        except OSError:
            continue
        found[side] = (stat.st_size, stat.st_mtime_ns if side != "-shm" else 0)
    return found


def _way_in(signs: dict[str, tuple[int, int]]) -> How:
    """In place and beside the writer where its index stands there; as an unchanging file where nothing waits in a
    log; else a copy, since opening would make files or need to repair."""
    if signs.get("-journal", (0, 0))[0]:
        return "copy"
    if not signs.get("-wal", (0, 0))[0]:
        return "immutable"
    return "beside" if "-shm" in signs else "copy"


def _is_busy(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) or 0
    return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _no_way_in(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) or 0
    return code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR)


def schema_of(db: sqlite3.Connection) -> Schema:
    """The tables and columns, and whether the schema is one that is known."""
    names = [str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    tables = {}
    for name in names:
        quoted = name.replace('"', '""')
        tables[name] = frozenset(str(row[1]) for row in db.execute(f'PRAGMA table_info("{quoted}")'))
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    agent = ""
    if {"role", "schema_version", "agent_id"} <= tables.get("schema_meta", frozenset()):
        row = db.execute(
            "SELECT role, schema_version, agent_id FROM schema_meta ORDER BY meta_key != 'primary'"
        ).fetchone()
        if row is not None:
            version = max(version, row[1] if isinstance(row[1], int) else 0)
            agent = row[2] if isinstance(row[2], str) else ""
            if row[0] != "agent":
                return Schema(tables, agent, f"a database of role {str(row[0])[:40]!r}, not an agent's")
    elif "transcript_events" not in tables:
        return Schema(tables, agent, "not an OpenClaw agent's database")
    if version > NEWEST:
        return Schema(
            tables, agent, f"its schema {version} is newer than {NEWEST}, the newest that crab reads; update crab"
        )
    return Schema(tables, agent)


def spill(db: sqlite3.Connection, table: str, column: str, row: int, target: Path) -> int:
    """Write one value into a file, in pieces; gives its length in bytes. Raises sqlite3.Error and OSError."""
    size = 0
    with db.blobopen(table, column, row, readonly=True) as blob, target.open("wb") as file:
        while piece := blob.read(_PIECE):
            file.write(piece)
            size += len(piece)
    return size
