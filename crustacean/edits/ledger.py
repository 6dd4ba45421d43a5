"""archive/ledger/YYYY-MM.jsonl: what every run took in, wrote, moved and why. Appended only; LEDGER lines are one JSON
object each, sorted by (at, machine, number), exact doubles and unknown kinds skipped."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from crustacean.edits import fold, state
from crustacean.errors import WorkspaceError
from crustacean.workspace import layout

KEY = 12
"""Hex digits of a turn key; keys of one session that follow each other are packed into one string."""


@dataclass(frozen=True, slots=True)
class Line:
    """One ledger line. id = machine + number."""

    at: str
    m: str
    n: int
    kind: str
    data: dict[str, Any]

    @property
    def id(self) -> str:
        return f"{self.m}{self.n}"

    @property
    def order(self) -> tuple[datetime, str, int]:
        return datetime.fromisoformat(self.at), self.m, self.n


def parse_line(raw: bytes) -> Line | None:
    """The line, None where it is not a ledger line."""
    try:
        data = json.loads(raw)
        line = Line(data["at"], data["m"], data["n"], data["kind"], data)
        if not isinstance(line.n, int) or not isinstance(line.m, str) or not isinstance(line.kind, str):
            return None
        if line.order[0].tzinfo is None:
            return None
        return line
    except (ValueError, KeyError, TypeError):
        return None


def unpack(packed: list[str]) -> Iterator[str]:
    """The turn keys in a list that may hold several keys in one string."""
    for keys in packed:
        for i in range(0, len(keys) - KEY + 1, KEY):
            yield keys[i : i + KEY]


class Ledger:
    """The ledger of one workspace with its folds in `db`. Call `sync` before asking the folds anything.

    clock: the current time, aware.
    """

    def __init__(self, root: Path, db: sqlite3.Connection, clock: Callable[[], datetime]) -> None:
        self.root = root
        self.db = db
        self.clock = clock
        self.problems: list[str] = []

    @property
    def folder(self) -> Path:
        return self.root / layout.LEDGER_DIR

    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else []

    def sync(self, still_ours: Callable[[str], bool] | None = None) -> None:
        """Bring the folds up to what the files hold. Reads only what was appended since; reads all again where a file
        changed otherwise (a merge, a checkout, a purge).

        still_ours: given the commit that held a line, whether HEAD still descends from it; with it, known lines that
        are missing are put back (needs the lock).
        """
        self.problems = []
        with state.transaction(self.db):
            fresh = self._appended()
            if fresh is None:
                if still_ours is not None:
                    self._put_back(still_ours)
                fresh = self._from_start()
            last = state.get(self.db, "last_at")
            if last and any(line.order[0] < datetime.fromisoformat(last) for line, _, _ in fresh):
                fresh = self._from_start()
            for line, raw, name in sorted(fresh, key=lambda f: f[0].order):
                self._fold(line, raw, name)

    def _from_start(self) -> list[tuple[Line, bytes, str]]:
        state.clear_folds(self.db)
        self.db.execute("UPDATE lines SET folded = 0")
        self.db.execute("DELETE FROM ledger_files")
        state.put(self.db, "last_at", "")
        self.problems = []
        return self._appended(everything=True) or []

    def _appended(self, everything: bool = False) -> list[tuple[Line, bytes, str]] | None:
        """Lines that came since the last sync, None where a file did not merely grow."""
        known = {n: (s, t) for n, s, t in self.db.execute("SELECT name, size, tail FROM ledger_files")}
        out: list[tuple[Line, bytes, str]] = []
        paths = self.files()
        if not everything and set(known) - {p.name for p in paths}:
            return None
        for path in paths:
            size, tail = known.get(path.name, (0, ""))
            now = path.stat().st_size
            if now == size and not everything and _tail(path, size) == tail:
                continue
            if now < size or _tail(path, size) != tail:
                return None
            with path.open("rb") as file:
                file.seek(size)
                data = file.read()
            out += self._lines(path.name, data)
            self.db.execute(
                "INSERT OR REPLACE INTO ledger_files VALUES (?, ?, ?)",
                (path.name, size + len(data), _tail(path, size + len(data))),
            )
        return out

    def _lines(self, name: str, data: bytes) -> Iterator[tuple[Line, bytes, str]]:
        for number, raw in enumerate(data.split(b"\n"), 1):
            if not raw.strip():
                continue
            line = parse_line(raw)
            if line is None:
                self.problems.append(f"{layout.LEDGER_DIR}/{name}: line {number} of what was read can't be parsed")
                continue
            yield line, raw, name

    def _fold(self, line: Line, raw: bytes, name: str) -> None:
        key = _hash(raw)
        if self.db.execute("SELECT 1 FROM lines WHERE hash = ? AND folded = 1", (key,)).fetchone():
            return
        run = str(line.data.get("run") or line.data.get("plan") or "")
        self.db.execute(
            "INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, 1)"
            " ON CONFLICT (hash) DO UPDATE SET file = excluded.file, folded = 1",
            (key, line.id, line.at, line.m, line.n, line.kind, run, name, raw),
        )
        fold.apply(self.db, line.kind, line.data, line.at, line.id)
        state.put(self.db, "last_at", line.at)

    def _put_back(self, still_ours: Callable[[str], bool]) -> None:
        """Append known lines that vanished from the files although HEAD still descends from their commit."""
        present: set[str] = set()
        for path in self.files():
            present |= {_hash(r) for r in path.read_bytes().split(b"\n") if r}
        missing: dict[str, list[bytes]] = {}
        verdicts: dict[str, bool] = {}
        for key, name, raw, sha in self.db.execute("SELECT hash, file, raw, sha FROM lines ORDER BY at, m, n"):
            if key in present:
                continue
            if sha and sha not in verdicts:
                verdicts[sha] = still_ours(sha)
            if not sha or verdicts[sha]:
                missing.setdefault(name, []).append(raw)
        for name, rows in missing.items():
            _write_end(self.folder / name, b"".join(r + b"\n" for r in rows))
            self.problems.append(f"{layout.LEDGER_DIR}/{name}: {len(rows)} lines that had vanished were put back")

    def machine(self) -> str:
        name = state.get(self.db, "machine")
        if not name:
            name = secrets.token_hex(2)
            state.put(self.db, "machine", name)
        return name

    def compose(self, kind: str, keys: dict[str, Any]) -> bytes:
        """The bytes of the next line, without writing it."""
        m = self.machine()
        at = self.clock()
        last = state.get(self.db, "last_at")
        if last and datetime.fromisoformat(last) > at:
            at = datetime.fromisoformat(last)
        row = self.db.execute("SELECT max(n) FROM lines WHERE m = ?", (m,)).fetchone()
        n = (row[0] or 0) + 1
        line = {"v": 1, "at": at.isoformat(timespec="seconds"), "m": m, "n": n, "kind": kind, **keys}
        return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"

    def path_for(self, raw: bytes) -> Path:
        line = parse_line(raw)
        if line is None:
            raise ValueError("not a ledger line")
        return self.root / layout.ledger_file(line.order[0].date())

    def append(self, kind: str, **keys: Any) -> str:
        """Write one line and fold it; returns its id. Needs the lock. Raises WorkspaceError where it can't be written."""
        return self.append_raw(self.compose(kind, keys))

    def append_raw(self, raw: bytes) -> str:
        path = self.path_for(raw)
        try:
            _write_end(path, raw)
        except OSError as err:
            raise WorkspaceError(
                f"{path} can't be written: {err.strerror}", "free some space or check permissions"
            ) from err
        self.sync()
        line = parse_line(raw)
        return line.id if line else ""

    def holds(self, raw: bytes) -> bool:
        """Whether this very line is in the ledger."""
        found = self.db.execute("SELECT 1 FROM lines WHERE hash = ? AND folded = 1", (_hash(raw.rstrip(b"\n")),))
        return bool(found.fetchone())

    def lines(self, run: str) -> list[Line]:
        """The lines of a run (or plan), in order."""
        rows = self.db.execute("SELECT raw FROM lines WHERE run = ? AND folded = 1 ORDER BY at, m, n", (run,))
        return [line for (raw,) in rows if (line := parse_line(raw))]

    def mark_committed(self, sha: str) -> None:
        """Remember the commit that holds every line there is so far."""
        self.db.execute("UPDATE lines SET sha = ? WHERE sha IS NULL", (sha,))


def _hash(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


def _tail(path: Path, size: int) -> str:
    """A fingerprint of the last 256 bytes before `size`."""
    if size == 0:
        return ""
    with path.open("rb") as file:
        file.seek(max(0, size - 256))
        return hashlib.blake2b(file.read(min(size, 256)), digest_size=8).hexdigest()


def _write_end(path: Path, data: bytes) -> None:
    """Append with one write and fsync; on failure the file is cut back to what it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        size = os.fstat(fd).st_size
        if size and os.pread(fd, 1, size - 1) != b"\n":
            data = b"\n" + data
        try:
            if os.write(fd, data) != len(data):
                raise OSError(28, "no space left on the disk")
            os.fsync(fd)
        except OSError:
            os.ftruncate(fd, size)
            raise
    finally:
        os.close(fd)
