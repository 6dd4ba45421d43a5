"""`crab undo`: reverse a run, by entry, wherever it lives now.

Where the images of the run are kept and its lines are as it wrote them, they are taken out of the file, and what it
took is put back where it stood. In any other file the run's edits are reversed one by one; what a later edit or a
person's hand has changed since stays and is named.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from crustacean.edits import files, history, journal, merge3, plan, reverse, tidy, undoing
from crustacean.edits.apply import commit
from crustacean.edits.lines import Line, parse_line
from crustacean.edits.store import Store
from crustacean.edits.undoing import Blocked, Later, Row, Work
from crustacean.errors import EditRefused, UsageError
from crustacean.workspace import layout
from crustacean.workspace.document import Document

KINDS = ("apply", "person", "resolve", "undo")


@dataclass(slots=True)
class Undone:
    """What an undo did. rows: ledger EDITs; left: sentences about what stays and why; blocked: how many of these can be
    undone once a later run is; changes: for the diff."""

    run: str
    of: str
    rows: list[Row] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    blocked: int = 0
    done: list[int] = field(default_factory=list)
    changes: dict[str, tuple[bytes | None, bytes | None]] = field(default_factory=dict)


def undo(store: Store, of: str, run: str, redo: bool = False) -> Undone:
    """Reverse run `of` as run `run`. redo: what it had read is open again. Needs the lock, and the outside changes
    recorded. Raises UsageError where there is no such run or it is undone already, apply.Moved, WorkspaceError."""
    lines = [line for line in store.ledger.lines(of) if line.kind in KINDS]
    if not lines:
        raise UsageError(f"there is no run {of}", "`crab log` lists the runs")
    if history.undone_by(store, of):
        raise UsageError(f"run {of} is undone already", "`crab log` lists the runs")
    rows = [(n, row) for n, row in enumerate(r for line in lines for r in line.data.get("edits", []))]
    done = history.undone_in_part(store, of)
    rows = [(n, row) for n, row in rows if n not in done]
    # What an earlier, partial undo took out is not in the files any more: those are not whole.
    whole = _taken_out(store, lines) if not done else {}
    later = _later(store, lines[-1])
    while True:
        work = Work(store, store.tree(), of, run, whole, _stood(store, lines), later)
        result = Undone(run, of)
        wrong = _attempt(work, rows, result) or _unlike(work, result.rows)
        if not wrong:
            break
        # Take those files entry by entry instead. Each round leaves fewer whole ones, so this ends.
        whole = {path: data for path, data in whole.items() if path not in wrong}
    tidy.tidy(store, work.tree)
    result.changes = work.tree.changes()
    plan.check_nothing_lost(work.tree, result.changes, result.rows)
    if result.rows or result.changes or redo or not rows:
        commit(store, result.changes, work.tree.bases(), "undo", _keys(result, redo))
    return result


def _keys(result: Undone, redo: bool) -> dict[str, Any]:
    keys: dict[str, Any] = {"run": result.run, "of": result.of}
    if result.rows:
        keys["edits"] = result.rows
    if result.blocked:
        keys |= {"left": result.blocked, "done": result.done}
    return keys | ({"redo": True} if redo else {})


def _later(store: Store, last: Line) -> Later:
    later = Later()
    standing = {info.run for info in history.runs(store) if info.kind != "undo" and not info.undone}
    rows = store.db.execute("SELECT raw FROM lines WHERE folded = 1 AND kind != 'undo' ORDER BY at, m, n")
    for (raw,) in rows:
        line = parse_line(raw)
        if line is not None and line.order > last.order and line.data.get("run") in standing:
            for row in line.data.get("edits", []):
                later.add(line.data["run"], row)
    return later


class _Unknown(Exception):
    """What a run did to a file can't be told line by line any more."""


def _taken_out(store: Store, lines: list[Line]) -> dict[str, bytes | None]:
    """path -> the file without what the run did to it (None: no file), for each file where that can be told line by
    line."""
    out: dict[str, bytes | None] = {}
    unknown: set[str] = set()
    for line in reversed(lines):
        for path, (pre, post) in line.data.get("files", {}).items():
            if path in unknown or not layout.is_memory(path):
                continue
            try:
                out[path] = _without(store, out[path] if path in out else files.read(store.real(path)), pre, post)
            except _Unknown:
                unknown.add(path)
                out.pop(path, None)
    return out


def _without(store: Store, now: bytes | None, pre: str, post: str) -> bytes | None:
    before, after = journal.image(store.root, pre), journal.image(store.root, post)
    if pre and before is None:
        raise _Unknown
    if files.digest(now) == post:
        return before
    back = merge3.revert(after, now, before) if before is not None and after is not None and now is not None else None
    if back is None:
        raise _Unknown
    return back


def _stood(store: Store, lines: list[Line]) -> dict[tuple[str, str], tuple[tuple[str, ...], str]]:
    """(path, id) -> the heading and the entry under which an entry stood before the run, as far as images tell."""
    out: dict[tuple[str, str], tuple[tuple[str, ...], str]] = {}
    for line in reversed(lines):
        for path, (pre, _) in line.data.get("files", {}).items():
            before = journal.image(store.root, pre)
            if before is not None and layout.is_memory(path):
                entries = store.tree().parse(path, before).entries
                above = ["" if e.parent is None else entries[e.parent].id for e in entries]
                out |= {(path, e.id): (e.heading, parent) for e, parent in zip(entries, above, strict=True)}
    return out


def _grouped(rows: list[tuple[int, Row]]) -> list[list[tuple[int, Row]]]:
    """Edits that belong together (a text taken out and the one that comes back in its place) in one list."""
    out: list[list[tuple[int, Row]]] = []
    for n, row in rows:
        if out and row.get("g") and out[-1][-1][1].get("g") == row["g"]:
            out[-1].append((n, row))
        else:
            out.append([(n, row)])
    return out


def _attempt(work: Work, rows: list[tuple[int, Row]], result: Undone) -> set[str]:
    """Reverse all edits; returns the whole files in which one could not be (then nothing of the result counts)."""
    wrong: set[str] = set()
    for group in reversed(_grouped(rows)):
        state, back = work.tree.snapshot(), dict(work.back)
        made: list[Row] = []
        try:
            for _, row in reversed(group):
                made += reverse.reverse(work, row)
        except EditRefused as err:
            work.tree.rollback(state)
            work.back = back
            wrong |= {path for _, row in group for path in undoing.paths(row)} & set(work.whole)
            result.left.append(f"{group[0][1].get('id') or group[0][1]['op']}: {err.reason}")
            result.blocked += isinstance(err, Blocked)
            continue
        number = 1 + max((row.get("g", 0) for row in result.rows), default=0)
        result.rows += [row | {"g": number} for row in made] if len(made) > 1 else made
        result.done += [n for n, _ in group]
    if not wrong:
        for path, data in work.whole.items():
            if data is None:
                work.tree.delete(path)
            else:
                work.tree.put(work.tree.parse(path, data))
    return wrong


def _unlike(work: Work, rows: list[Row]) -> set[str]:
    """The whole files that would not hold just what the rows say, or in which an entry that stays would stand under
    another heading or inherit something else."""
    bases = work.tree.bases()
    renamed = {path for r in rows if r["op"] == "move" and not r.get("ids") for path in undoing.paths(r)}
    wrong = set()
    for path, data in work.whole.items():
        now = bases[path]
        old = work.tree.parse(path, now) if now is not None else None
        new = work.tree.parse(path, data) if data is not None else None
        wanted = _ids(old)
        for row in rows:
            wanted.update(undoing.moved(row) if path in undoing.bases(row.get("to")) else ())
            wanted.update([row["old"][0]] if row["op"] == "supersede" and path == row["kept"] else ())
            wanted.subtract(undoing.moved(row) if path in undoing.bases(row.get("from")) else ())
        same = {i: n for i, n in wanted.items() if n} == dict(_ids(new))
        if (not same and path not in renamed) or not _same_place(old, new):
            wrong.add(path)
    return wrong


def _ids(document: Document | None) -> Counter[str]:
    return Counter(e.id for e in document.entries) if document is not None else Counter()


def _same_place(old: Document | None, new: Document | None) -> bool:
    if old is None or new is None:
        return True
    stood = {(e.id, e.n): (e.heading, e.effective.origin, e.effective.audience) for e in old.entries}
    stands = {(e.id, e.n): (e.heading, e.effective.origin, e.effective.audience) for e in new.entries}
    return all(stands[key] == place for key, place in stood.items() if key in stands)
