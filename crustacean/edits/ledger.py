"""archive/ledger/YYYY-MM.jsonl: what every run took in, wrote, moved and why. Appended only; a line is one JSON object,
sorted by (at, machine, number), exact doubles and unknown kinds skipped."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from crustacean.edits import fold, lines, state
from crustacean.edits.lines import Line, Order, parse_line
from crustacean.errors import WorkspaceError
from crustacean.workspace import layout

Rows = Sequence[tuple[str, dict[str, Any]]]
Read = tuple[Line, bytes, str, int]
"""A line, its bytes, its file and its row there."""

_UNFIT = (sqlite3.InterfaceError, sqlite3.ProgrammingError, sqlite3.IntegrityError, OverflowError)


class Ledger:
    """The ledger of one workspace with its folds in `db`. Call `sync` before asking the folds anything.

    clock: the current time, aware.
    """

    def __init__(self, root: Path, db: sqlite3.Connection, clock: Callable[[], datetime]) -> None:
        self.root = root
        self.db = db
        self.clock = clock

    @property
    def folder(self) -> Path:
        return self.root / layout.LEDGER_DIR

    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else []

    @property
    def problems(self) -> list[str]:
        """A sentence for each line that can't be read."""
        rows = self.db.execute("SELECT file, row, why FROM broken ORDER BY file, row")
        return [f"{layout.LEDGER_DIR}/{name}: line {row} {why}" for name, row, why in rows]

    def sync(self, still_ours: Callable[[str], bool] | None = None) -> list[str]:
        """Bring the folds up to what the files hold; returns sentences about lines that were put back. Reads only what
        was appended since; reads all again where a file changed otherwise (a merge, a checkout, a purge).

        still_ours: given the commit that held a line, whether HEAD still descends from it; with it, known lines that
        are missing are put back (needs the lock).
        """
        with state.transaction(self.db):
            self._read()
            notices = self._put_back(still_ours) if still_ours is not None else []
            if notices:
                self._read()
        return notices

    def _read(self) -> None:
        fresh = self._appended()
        if fresh is None:
            fresh = self._from_start()
        last = self._last()
        if last is not None and any(line.order < last for line, _, _, _ in fresh):
            fresh = self._from_start()
        for line, raw, name, row in sorted(fresh, key=lambda f: f[0].order):
            self._fold(line, raw, name, row)

    def _last(self) -> Order | None:
        held = state.get(self.db, "last")
        if not held:
            return None
        at, m, n = json.loads(held)
        return datetime.fromisoformat(at), m, n

    def _from_start(self) -> list[Read]:
        state.clear_folds(self.db)
        self.db.execute("UPDATE lines SET folded = 0")
        self.db.execute("DELETE FROM ledger_files")
        self.db.execute("DELETE FROM broken")
        state.put(self.db, "last", "")
        return self._appended() or []

    def _appended(self) -> list[Read] | None:
        """Lines that came since the last sync, None where a file did not merely grow."""
        known = {
            r[0]: r[1:] for r in self.db.execute("SELECT name, size, tail, mtime_ns, inode, rows FROM ledger_files")
        }
        out: list[Read] = []
        paths = self.files()
        if set(known) - {p.name for p in paths}:
            return None
        for path in paths:
            size, tail, mtime, inode, rows = known.get(path.name, (0, "", 0, 0, 0))
            stat = path.stat()
            if (stat.st_size, stat.st_mtime_ns, stat.st_ino) == (size, mtime, inode):
                continue
            if size and (stat.st_size <= size or stat.st_ino != inode or lines.tail(path, size) != tail):
                return None
            with path.open("rb") as file:
                file.seek(size)
                data = lines.whole_lines(file.read())
            out += self._lines(path.name, data, rows)
            size, rows = size + len(data), rows + data.count(b"\n")
            # With half a line behind it the file is looked at again, whatever its stat says.
            mtime = stat.st_mtime_ns if stat.st_size == size else 0
            self.db.execute(
                "INSERT OR REPLACE INTO ledger_files VALUES (?, ?, ?, ?, ?, ?)",
                (path.name, size, lines.tail(path, size), mtime, stat.st_ino, rows),
            )
        return out

    def _lines(self, name: str, data: bytes, above: int) -> Iterator[Read]:
        for number, raw in enumerate(data.split(b"\n"), above + 1):
            if not raw.strip():
                continue
            line = parse_line(raw)
            if line is None:
                self._broken(name, number, "can't be read")
            else:
                yield line, raw, name, number

    def _broken(self, name: str, row: int, why: str) -> None:
        self.db.execute("INSERT INTO broken VALUES (?, ?, ?)", (name, row, why))

    def _fold(self, line: Line, raw: bytes, name: str, row: int) -> None:
        key = lines.stamp(raw)
        if self.db.execute("SELECT 1 FROM lines WHERE hash = ? AND folded = 1", (key,)).fetchone():
            return
        run = str(line.data.get("run") or line.data.get("plan") or "")
        self.db.execute(
            "INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, 1)"
            " ON CONFLICT (hash) DO UPDATE SET file = excluded.file, folded = 1",
            (key, line.id, line.at, line.m, line.n, line.kind, run, name, raw),
        )
        self.db.execute("SAVEPOINT line")
        try:
            fold.apply(self.db, line.kind, line.data, line.at, line.id)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, *_UNFIT) as err:
            # A line of another hand: it parses, but what stands in it is not what its kind has.
            self.db.execute("ROLLBACK TO line")
            self._broken(name, row, f"is not what a line of kind {line.kind[:20]!r} looks like ({type(err).__name__})")
        self.db.execute("RELEASE line")
        state.put(self.db, "last", json.dumps([line.at, line.m, line.n]))

    def vanished(self) -> list[Line]:
        """Known lines that no file holds any more, in order. One that stands there in other words, under its own
        number, was rewritten by a purge and has not vanished."""
        rows = self.db.execute(
            "SELECT a.raw FROM lines a WHERE a.folded = 0"
            " AND NOT EXISTS (SELECT 1 FROM lines b WHERE b.id = a.id AND b.folded = 1) ORDER BY a.at, a.m, a.n"
        ).fetchall()
        return [line for (raw,) in rows if (line := parse_line(raw))]

    def _put_back(self, still_ours: Callable[[str], bool]) -> list[str]:
        """Append known lines that vanished from the files although HEAD still descends from their commit."""
        verdicts: dict[str, bool] = {"": True}
        missing: dict[str, list[bytes]] = {}
        for line in self.vanished():
            name, raw, sha = self.db.execute("SELECT file, raw, sha FROM lines WHERE id = ?", (line.id,)).fetchone()
            if (sha or "") not in verdicts:
                verdicts[sha] = still_ours(sha)
            if verdicts[sha or ""]:
                missing.setdefault(name, []).append(raw)
        for name, gone in missing.items():
            lines.write_end(self.folder / name, b"".join(r + b"\n" for r in gone))
        return [
            f"{layout.LEDGER_DIR}/{name}: {len(gone)} lines that had vanished were put back"
            for name, gone in missing.items()
        ]

    def machine(self) -> str:
        name = state.get(self.db, "machine")
        if not name:
            name = secrets.token_hex(2)
            state.put(self.db, "machine", name)
        return name

    def next_id(self) -> str:
        """The id that the next line will have. Needs the lock."""
        return f"{self.machine()}{self._next()}"

    def _next(self) -> int:
        row = self.db.execute("SELECT max(n) FROM lines WHERE m = ?", (self.machine(),)).fetchone()
        return int(row[0] or 0) + 1

    def compose(self, rows: Rows) -> tuple[bytes, ...]:
        """The bytes of the next lines, (kind, keys) each, without writing them. Needs the lock."""
        m, n, last = self.machine(), self._next(), self._last()
        at = self.clock().replace(microsecond=0)
        if last is not None and (at, m, n) < last:
            # A clock that goes back takes the last time; what another machine wrote in that second stays before it.
            at = last[0] if (last[0], m, n) > last else last[0] + timedelta(seconds=1)
        stamp = at.isoformat(timespec="seconds")
        return tuple(
            _encoded({"v": 1, "at": stamp, "m": m, "n": n + k, "kind": kind, **keys})
            for k, (kind, keys) in enumerate(rows)
        )

    def append(self, kind: str, **keys: Any) -> str:
        """Write one line and fold it; returns its id. Needs the lock. Raises WorkspaceError where it can't be."""
        ident = self.next_id()
        self.append_raw(self.compose([(kind, keys)]))
        return ident

    def append_raw(self, raws: Sequence[bytes]) -> Callable[[], None]:
        """Write composed lines with one write and fold them. Raises WorkspaceError with the ledger as it was. Returns
        what takes them out again, for a caller whose own transaction fails after all."""
        line = parse_line(raws[0])
        if line is None:
            raise ValueError("not a ledger line")
        path = self.root / layout.ledger_file(line.order[0].date())
        try:
            size = lines.write_end(path, b"".join(raws))
        except OSError as err:
            raise WorkspaceError(
                f"{path} can't be written: {err.strerror}", "free some space or check permissions"
            ) from err
        try:
            self.sync()
        except sqlite3.Error as err:
            lines.cut(path, size)
            raise WorkspaceError(f"{self.root / layout.STATE_DIR}: {err}", "free some space") from err
        return lambda: lines.cut(path, size)

    def has(self, ident: str) -> bool:
        """Whether a line of this id is in the ledger."""
        found = self.db.execute("SELECT 1 FROM lines WHERE id = ? AND folded = 1", (ident,))
        return bool(found.fetchone())

    def lines(self, run: str) -> list[Line]:
        """The lines of a run (or plan), in order."""
        rows = self.db.execute("SELECT raw FROM lines WHERE run = ? AND folded = 1 ORDER BY at, m, n", (run,))
        return [line for (raw,) in rows if (line := parse_line(raw))]

    def committed(self, ident: str) -> bool:
        """Whether the commit is known that holds a line."""
        return bool(self.db.execute("SELECT 1 FROM lines WHERE id = ? AND sha IS NOT NULL", (ident,)).fetchone())

    def mark_committed(self, sha: str, idents: Iterable[str] | None = None) -> None:
        """Remember the commit that holds these lines, None: every line there is so far."""
        if idents is None:
            self.db.execute("UPDATE lines SET sha = ? WHERE sha IS NULL AND folded = 1", (sha,))
        else:
            self.db.executemany("UPDATE lines SET sha = ? WHERE id = ?", [(sha, i) for i in idents])


def _encoded(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
