"""The folds of the ledger: one function for each kind of line, applied in order. What stands in these tables can always
be made again from the ledger's lines.

A *copy* is one place of one id that the ledger knows; its state is one of STATES.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

from crustacean.edits.lines import unpack
from crustacean.workspace import audience

STATES = ("live", "superseded", "archived", "trashed", "undone", "removed_outside", "purged")
IN_FILES = "('live', 'superseded', 'archived')"
FROM = ("live", "archived", "superseded")
GONE = ("removed_outside", "undone", "trashed")
BACK = ("superseded", "trashed", "undone", "removed_outside")
_SUPERSEDED = "archive/superseded/"
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


def _apply_line(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    run, stage = data.get("run", ""), data.get("stage", "")
    consumed = data.get("consumed", {})
    keys = list(unpack(consumed.get("turns", []))) + [f"{stage}:{e}" for e in consumed.get("entries", [])]
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
    if op in ("append", "create", "supersede", "merge") and new and target:
        db.execute("INSERT INTO copies (id, path, state, run) VALUES (?, ?, 'live', ?)", (new, target[0], run))
    if op in ("supersede", "merge"):
        for old, path in zip(row.get("old", []), source, strict=False):
            _move(db, old, path, row.get("kept") or path, "superseded", run)
            db.execute("INSERT OR REPLACE INTO chain VALUES (?, ?, 'edit', ?)", (old, new, run))
    if op in ("move", "archive", "trash", "undo", "restore"):
        _moved(db, row, op, source, target, run)
    for path, computed, ident in row.get("as", []):
        db.execute("INSERT OR REPLACE INTO kept_ids VALUES (?, ?, ?)", (path, computed, ident))
    if new and ("origin" in row or "audience" in row):
        _word(db, new, row, run)


def _word(db: sqlite3.Connection, ident: str, row: dict[str, Any], run: str) -> None:
    """Whose word an entry is and who may see it: what made it, narrowed where it was made again from another source."""
    origin, seen_by = row.get("origin", "unknown"), audience.canonical(row.get("audience"))
    had = db.execute("SELECT origin, audience FROM provenance WHERE id = ?", (ident,)).fetchone()
    if had:
        origin, seen_by = audience.least([origin, had[0]]), audience.intersect(seen_by, had[1])
    db.execute(
        "INSERT OR REPLACE INTO provenance VALUES (?, ?, ?, ?, ?)",
        (ident, origin, seen_by, json.dumps(row.get("src", [])), run),
    )


def _moved(
    db: sqlite3.Connection, row: dict[str, Any], op: str, source: list[str], target: list[str], run: str
) -> None:
    """move, archive, trash, undo and restore: of an entry with its children (`ids`), or of a whole file."""
    to, state = target[0], _AT_OP.get(op, "live")
    ids = row.get("ids") or ([row["id"]] if row.get("id") else [])
    for ident in ids:
        _move(db, ident, source[0] if source else None, to, state, run, back=op == "restore")
        if op == "restore":
            db.execute("DELETE FROM chain WHERE old = ? AND how = 'edit'", (ident,))
    if source and not ids:
        db.execute(
            "UPDATE copies SET path = ?, state = CASE state WHEN 'superseded' THEN state ELSE ? END"
            f" WHERE path = ? AND state IN {IN_FILES}",
            (to, state, source[0]),
        )
        db.execute("UPDATE OR REPLACE kept_ids SET path = ? WHERE path = ?", (to, source[0]))


def _move(
    db: sqlite3.Connection, ident: str, source: str | None, to: str, state: str, run: str, back: bool = False
) -> None:
    """Take one copy of `ident` (at `source` if one is there) to another place and state; one that the ledger did not
    know until now (a hand-written entry) is known from here on. back: one that had gone comes back."""
    seq = _copy(db, ident, source, BACK if back else FROM)
    if seq is None and back:
        seq = _copy(db, ident, None, GONE)
    if seq is None:
        db.execute("INSERT INTO copies (id, path, state, run) VALUES (?, ?, ?, ?)", (ident, to, state, run))
    else:
        db.execute("UPDATE copies SET path = ?, state = ? WHERE seq = ?", (to, state, seq))


def _copy(db: sqlite3.Connection, ident: str, path: str | None, states: tuple[str, ...]) -> int | None:
    """One copy of an id, at a path or anywhere, in the first of these states that there is one in."""
    rows = db.execute("SELECT seq, state, path FROM copies WHERE id = ? ORDER BY seq", (ident,)).fetchall()
    found = [(states.index(state), seq) for seq, state, where in rows if state in states and path in (None, where)]
    return min(found)[1] if found else None


def _outside(db: sqlite3.Connection, data: dict[str, Any], at: str, line: str) -> None:
    for old, new, how, path in data.get("edited", []):
        seq = _copy(db, old, _base(path), FROM)
        if seq is not None:
            db.execute("UPDATE copies SET id = ? WHERE seq = ?", (new, seq))
        db.execute("INSERT OR IGNORE INTO chain VALUES (?, ?, ?, '')", (old, new, how))
        if how == "text":
            # Other words in the same place are nobody's but the person's: they are not shown to whom the old ones were.
            db.execute(
                "INSERT OR IGNORE INTO provenance SELECT ?, 'unknown', audience, src, run FROM provenance WHERE id = ?",
                (new, old),
            )
    for ident, path in data.get("removed", []):
        seq = _copy(db, ident, _base(path), FROM)
        if seq is not None:
            db.execute("UPDATE copies SET state = 'removed_outside' WHERE seq = ?", (seq,))
    for ident, source, to in data.get("moved", []):
        seq = _copy(db, ident, _base(source), FROM)
        if seq is not None:
            _lay(db, seq, _base(to))
    for ident, path in data.get("returned", []):
        seq = _copy(db, ident, _base(path), GONE)
        seq = _copy(db, ident, None, GONE) if seq is None else seq
        if seq is not None:
            _lay(db, seq, _base(path))
    _files(db, data.get("files", {}), "")


def _lay(db: sqlite3.Connection, seq: int, path: str) -> None:
    """A hand put a copy at a path: what it is there follows from the place."""
    state = "superseded" if path.startswith(_SUPERSEDED) else "archived" if path.startswith("archive/") else "live"
    db.execute("UPDATE copies SET path = ?, state = ? WHERE seq = ?", (path, state, seq))


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
    keys = list(unpack(consumed.get("turns", []))) + [
        f"{data.get('stage', '')}:{e}" for e in consumed.get("entries", [])
    ]
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
    keys = [(k,) for k in unpack(data.get("turns", []))]
    db.executemany("INSERT OR IGNORE INTO tombstones VALUES (?)", keys)
    db.executemany("INSERT OR IGNORE INTO considered VALUES (?, 'purge')", keys)
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
