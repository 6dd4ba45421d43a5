"""The folds of the ledger: one function for each kind of line, applied in order. What stands in these tables can always
be made again from the ledger's lines.

A *copy* is one place of one id that the ledger knows; its state is one of STATES.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

KEY = 12
STATES = ("live", "superseded", "archived", "trashed", "undone", "removed_outside", "purged")
_AT_OP = {"supersede": "superseded", "merge": "superseded", "archive": "archived", "trash": "trashed", "undo": "undone"}


def apply(db: sqlite3.Connection, kind: str, data: dict[str, Any], at: str, line: str) -> None:
    """Fold one line into the tables. Unknown kinds are skipped."""
    handler = _KINDS.get(kind)
    if handler is not None:
        handler(db, data, at, line)


def _base(place: str) -> str:
    """The path of a place written `path` or `path#n`."""
    head, mark, tail = place.rpartition("#")
    return head if mark and tail.isdigit() else place


def _keys(packed: list[str]) -> list[str]:
    return [keys[i : i + KEY] for keys in packed for i in range(0, len(keys) - KEY + 1, KEY)]


def _apply_line(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    run, stage = data.get("run", ""), data.get("stage", "")
    consumed = data.get("consumed", {})
    keys = _keys(consumed.get("turns", [])) + [f"{stage}:{e}" for e in consumed.get("entries", [])]
    db.executemany("INSERT OR IGNORE INTO considered VALUES (?, ?)", [(k, run) for k in keys])
    for row in data.get("edits", []):
        edit(db, row, run, at)
    _files(db, data.get("files", {}), run)
    for number, refused in enumerate(data.get("refused", [])):
        _item(db, f"{line}.{number}", "refused", at, {"stage": stage, "run": run, **refused})
    used = data.get("usage") or {}
    if used:
        db.execute(
            "INSERT INTO usage VALUES (?, ?, ?, ?, ?) ON CONFLICT (month, stage) DO UPDATE SET"
            " input = input + excluded.input, output = output + excluded.output, cost = cost + excluded.cost",
            (at[:7], stage, used.get("input", 0), used.get("output", 0), used.get("cost") or 0.0),
        )


def _files(db: sqlite3.Connection, files: dict[str, list[str]], run: str) -> None:
    for path, (_, post) in files.items():
        db.execute("INSERT OR REPLACE INTO posts VALUES (?, ?, ?)", (path, post, run))


def edit(db: sqlite3.Connection, row: dict[str, Any], run: str, at: str) -> None:
    """Fold one EDIT: where ids stand now, what replaced what, whose word an entry is."""
    op, new = row["op"], row.get("id", "")
    source, target = [_base(p) for p in row.get("from", [])], [_base(p) for p in row.get("to", [])]
    kept = row.get("kept", "")
    if op in ("append", "create", "supersede", "merge", "split", "restore") and new and target:
        if op == "restore":
            _move(db, new, source[0] if source else None, target[0], "live", run)
        else:
            _add(db, new, target[0], run)
    if op in ("supersede", "merge"):
        for old, path in zip(row.get("old", []), source, strict=False):
            _move(db, old, path, kept or path, "superseded", run)
            db.execute("INSERT OR IGNORE INTO chain VALUES (?, ?, 'edit', ?)", (old, new, run))
    if op in ("move", "archive", "trash", "undo"):
        _moved(db, row, op, source, target, run)
    for path, computed, ident in row.get("as", []):
        db.execute("INSERT OR REPLACE INTO kept_ids VALUES (?, ?, ?)", (path, computed, ident))
    if new and ("origin" in row or "audience" in row):
        db.execute(
            "INSERT OR REPLACE INTO provenance VALUES (?, ?, ?, ?, ?)",
            (new, row.get("origin", ""), row.get("audience", "main"), json.dumps(row.get("src", [])), run),
        )


def _moved(
    db: sqlite3.Connection, row: dict[str, Any], op: str, source: list[str], target: list[str], run: str
) -> None:
    """move, archive, trash and undo: of an entry with its children (`ids`), or of a whole file."""
    to = target[0] if target else ""
    state = _AT_OP.get(op, "live")
    ids = row.get("ids") or ([row["id"]] if row.get("id") else [])
    if ids:
        for ident in ids:
            _move(db, ident, source[0] if source else None, to, state, run)
    elif source:
        db.execute("UPDATE copies SET path = ?, state = ? WHERE path = ?", (to, state, source[0]))
        db.execute("UPDATE OR REPLACE kept_ids SET path = ? WHERE path = ?", (to, source[0]))


def _add(db: sqlite3.Connection, ident: str, path: str, run: str) -> None:
    db.execute("INSERT INTO copies (id, path, state, run) VALUES (?, ?, 'live', ?)", (ident, path, run))


def _move(db: sqlite3.Connection, ident: str, source: str | None, to: str, state: str, run: str) -> None:
    """Take one copy of `ident` (at `source` if one is there) to another place and state; one that the ledger did not
    know until now (a hand-written entry) is known from here on."""
    row = None
    if source is not None:
        row = db.execute(
            "SELECT seq FROM copies WHERE id = ? AND path = ? ORDER BY state = 'live' DESC, seq LIMIT 1",
            (ident, source),
        ).fetchone()
    if row is None:
        db.execute("INSERT INTO copies (id, path, state, run) VALUES (?, ?, ?, ?)", (ident, to, state, run))
    else:
        db.execute("UPDATE copies SET path = ?, state = ? WHERE seq = ?", (to, state, row[0]))


def _outside(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    for old, new, how, path in data.get("edited", []):
        db.execute("INSERT OR IGNORE INTO chain VALUES (?, ?, ?, '')", (old, new, how))
        row = db.execute(
            "SELECT seq FROM copies WHERE id = ? AND path = ? AND state IN ('live', 'superseded', 'archived') LIMIT 1",
            (old, _base(path)),
        ).fetchone()
        if row:
            db.execute("UPDATE copies SET id = ? WHERE seq = ?", (new, row[0]))
        db.execute(
            "INSERT OR IGNORE INTO provenance SELECT ?, 'unknown', audience, src, run FROM provenance WHERE id = ?",
            (new, old),
        )
    for ident, path in data.get("removed", []):
        row = db.execute(
            "SELECT seq FROM copies WHERE id = ? AND path = ? AND state != 'removed_outside' LIMIT 1",
            (ident, _base(path)),
        ).fetchone()
        if row:
            db.execute("UPDATE copies SET state = 'removed_outside' WHERE seq = ?", row)
    for ident, source, to in data.get("moved", []):
        db.execute("UPDATE copies SET path = ? WHERE id = ? AND path = ?", (_base(to), ident, _base(source)))
    for ident, path in data.get("returned", []):
        row = db.execute(
            "SELECT seq FROM copies WHERE id = ? AND state IN ('removed_outside', 'undone', 'trashed') LIMIT 1",
            (ident,),
        ).fetchone()
        if row:
            db.execute("UPDATE copies SET state = 'live', path = ? WHERE seq = ?", (_base(path), row[0]))
    _files(db, data.get("files", {}), "")


def _undo(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    run = data.get("run", "")
    for row in data.get("edits", []):
        edit(db, row, run, at)
    _files(db, data.get("files", {}), run)
    if data.get("redo"):
        for of in data["of"] if isinstance(data["of"], list) else [data["of"]]:
            db.execute("DELETE FROM considered WHERE run = ?", (of,))


def _person(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    for row in data.get("edits", []):
        edit(db, row, data.get("run", ""), at)
    _files(db, data.get("files", {}), data.get("run", ""))


def _floor(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    db.execute("INSERT OR IGNORE INTO floors VALUES (?, ?)", (data["source"], data["from"]))


def _plan(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    if data.get("drop"):
        db.execute("DELETE FROM waiting WHERE plan = ?", (data["plan"],))
        return
    consumed = data.get("consumed", {})
    keys = _keys(consumed.get("turns", [])) + [f"{data.get('stage', '')}:{e}" for e in consumed.get("entries", [])]
    db.execute(
        "INSERT OR REPLACE INTO waiting VALUES (?, ?, ?, ?)",
        (data["plan"], data.get("stage", ""), data.get("until", ""), json.dumps(keys)),
    )


def _item(db: sqlite3.Connection, item: str, kind: str, at: str, row: dict[str, Any]) -> None:
    body = json.dumps(row, ensure_ascii=False)
    db.execute("INSERT OR IGNORE INTO items VALUES (?, ?, ?, 1, ?)", (item, kind, at, body))


def _listed(kind: str) -> Callable[[sqlite3.Connection, dict[str, Any], str, str], None]:
    def handler(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
        _item(db, str(data.get("item", line)), kind, at, data)

    return handler


def _resolve(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    if data.get("action") != "defer":
        db.execute("UPDATE items SET open = 0 WHERE item = ?", (data["item"],))
    _person(db, data, at, line)


def _purge(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    db.executemany("INSERT OR IGNORE INTO tombstones VALUES (?)", [(k,) for k in _keys(data.get("turns", []))])
    db.executemany("INSERT OR IGNORE INTO considered VALUES (?, 'purge')", [(k,) for k in _keys(data.get("turns", []))])
    for path, computed, ident in data.get("as", []):
        db.execute("INSERT OR REPLACE INTO kept_ids VALUES (?, ?, ?)", (path, computed, ident))
    for ident in data.get("ids", []):
        db.execute("UPDATE copies SET state = 'purged', path = '' WHERE id = ?", (ident,))
    _files(db, data.get("files", {}), "")


_KINDS: dict[str, Callable[[sqlite3.Connection, dict[str, Any], str, str], None]] = {
    "apply": _apply_line,
    "outside": _outside,
    "undo": _undo,
    "person": _person,
    "floor": _floor,
    "plan": _plan,
    "propose": _listed("propose"),
    "flag": _listed("flag"),
    "resolve": _resolve,
    "purge": _purge,
}
