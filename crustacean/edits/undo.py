"""`crab undo`: reverse a run, by entry, wherever it lives now (DESIGN section 4).

A file that still has the bytes the run left gets the bytes it had before. In any other file the run's edits are
reversed one by one; what a later edit or a person's hand has changed since stays and is named.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from crustacean.edits import files, history, journal, keep, trash
from crustacean.edits.apply import commit
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused, UsageError
from crustacean.workspace import layout, rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry

Row = dict[str, Any]
KINDS = ("apply", "person", "resolve", "undo")


@dataclass(slots=True)
class Undone:
    """What an undo did. rows: ledger EDITs; left: sentences about what stays and why; changes: for the diff."""

    run: str
    of: str
    rows: list[Row] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    changes: dict[str, tuple[bytes | None, bytes | None]] = field(default_factory=dict)


@dataclass(slots=True)
class _Work:
    store: Store
    tree: Tree
    result: Undone
    exact: dict[str, bytes | None]
    heading: dict[str, tuple[str, ...]] = field(default_factory=dict)


def undo(store: Store, of: str, run: str, redo: bool = False) -> Undone:
    """Reverse run `of` as run `run`. redo: what it had read is open again. Needs the lock, and the outside changes
    recorded. Raises UsageError where there is no such run or nothing of it is left to undo."""
    lines = [line for line in store.ledger.lines(of) if line.kind in KINDS]
    if not lines:
        raise UsageError(f"there is no run {of}", "`crab log` lists the runs")
    if history.undone_by(store, of):
        raise UsageError(f"run {of} is undone already", "`crab log` lists the runs")
    tree = store.tree()
    result = Undone(run, of)
    work = _Work(store, tree, result, _exact(store, tree, [line.data for line in lines]))
    rows = [row for line in reversed(lines) for row in reversed(line.data.get("edits", []))]
    for row in rows:
        state = tree.snapshot()
        try:
            result.rows += _REVERSE.get(row["op"], _keep_row)(work, row)
        except EditRefused as err:
            tree.rollback(state)
            result.left.append(f"{row.get('id', row['op'])}: {err.reason}")
    _restore_exact(work)
    for path in list(tree.bases()):
        _canonical(store, tree, path)
    result.changes = tree.changes()
    if result.changes or redo or not rows:
        keys = {"run": run, "of": of, "edits": result.rows} | ({"redo": True} if redo else {})
        commit(store, result.changes, tree.bases(), "undo", keys)
    return result


def _exact(store: Store, tree: Tree, lines: list[dict[str, Any]]) -> dict[str, bytes | None]:
    """path -> bytes before the run, for every file that is still as the run left it and whose image is kept."""
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for line in lines:
        for path, (pre, post) in line.get("files", {}).items():
            if path in last and last[path] != pre:
                first.pop(path, None)  # changed between two batches of the run
                last[path] = "?"
                continue
            first.setdefault(path, pre)
            last[path] = post
    out: dict[str, bytes | None] = {}
    for path, pre in first.items():
        now = files.read(layout.resolve(store.root, path))
        before = journal.image(store.root, pre)
        if (
            files.digest(now) == last[path]
            and (not pre or before is not None)
            and not path.startswith(layout.TRASH_DIR)
        ):
            out[path] = before
    return out


def _restore_exact(work: _Work) -> None:
    for path, before in work.exact.items():
        if before is None:
            work.tree.delete(path)
        else:
            work.tree.put(work.tree.parse(path, before))


def _place(work: _Work, ident: str, run: str) -> tuple[str, Document, Entry]:
    """Where an entry that the undone run made stands now. Raises EditRefused with the reason where it can't be undone."""
    row = work.store.db.execute(
        "SELECT path FROM copies WHERE id = ? AND run = ? AND state IN ('live', 'archived', 'superseded') LIMIT 1",
        (ident, run),
    ).fetchone()
    if row is None:
        later = work.store.db.execute("SELECT new, how, run FROM chain WHERE old = ?", (ident,)).fetchone()
        if later and later[1] != "edit":
            raise EditRefused(f"it was edited by hand since (it is {later[0]} now) and stays")
        raise EditRefused("it is not in a file any more")
    later = work.store.db.execute(
        "SELECT run FROM chain WHERE old = ? AND how = 'edit' AND run != ''", (ident,)
    ).fetchone()
    if later:
        raise EditRefused(f"run {later[0]} changed it since: undo that first")
    document = work.tree.need(row[0])
    entry = next((e for e in document.entries if e.id == ident), None)
    if entry is None:
        raise EditRefused(f"it is not in {row[0]} any more")
    return row[0], document, entry


def _remove(work: _Work, row: Row) -> list[Row]:
    """append, create, merge: the new entry goes to the trash as undone."""
    path, document, entry = _place(work, row["id"], work.result.of)
    home, ids = trash.to_trash(work.tree, document, entry, work.result.run, "undone", work.store.clock())
    return [{"op": "undo", "id": row["id"], "from": [path], "to": [home], "ids": ids}]


def _superseded(work: _Work, row: Row) -> list[Row]:
    if not row.get("to"):
        return _unannotate(work, row)
    path, document, entry = _place(work, row["id"], work.result.of)
    old, kept = row["old"][0], row["kept"]
    store, was = _kept(work, old, kept)
    now = work.store.clock()
    home = trash.text_to_trash(
        work.tree, trash.Gone(entry.id, path, entry.heading, entry.text, work.result.run, "undone"), now
    )
    meta = replace(was.meta, superseded=None, id=None)
    document, back = rewrite.replace(work.tree.need(path), entry, was.text, meta)
    if back.id != old:
        raise EditRefused(f"the old text would not be {old} again")
    work.tree.put(document)
    rest, _ = rewrite.remove(store, [was], drop_headings=True)
    work.tree.put(rest)
    return [
        {"op": "undo", "id": row["id"], "from": [path], "to": [home], "ids": [row["id"]]},
        {"op": "restore", "id": old, "from": [kept], "to": [path]},
    ]


def _kept(work: _Work, ident: str, path: str) -> tuple[Document, Entry]:
    document = work.tree.need(path)
    entry = next((e for e in document.entries if e.id == ident), None)
    if entry is None:
        raise EditRefused(f"{ident} is not in {path} any more")
    return document, entry


def _unannotate(work: _Work, row: Row) -> list[Row]:
    """A line of a daily log that was marked as superseded."""
    path, old = row["from"][0].partition("#")[0], row["old"][0]
    document, entry = _kept(work, old, path)
    work.tree.put(rewrite.annotate(document, entry, replace(entry.meta, superseded=None)))
    return [{"op": "restore", "id": old, "from": [path], "to": [path]}]


def _merged(work: _Work, row: Row) -> list[Row]:
    out = _remove(work, row)
    for old, place in zip(row["old"], row["from"], strict=True):
        path = place.partition("#")[0]
        store, was = _kept(work, old, row["kept"])
        if path not in work.exact:
            moved = keep.carry(work.tree, store, was, path, ())
            out.append({"op": "restore", "id": old, "from": [row["kept"]], "to": [path], **moved.ids})
        else:
            rest, _ = rewrite.remove(store, [was], drop_headings=True)
            work.tree.put(rest)
            out.append({"op": "restore", "id": old, "from": [row["kept"]], "to": [path]})
    return out


def _moved(work: _Work, row: Row) -> list[Row]:
    """move and archive: back to where it was; a whole file by its name."""
    source, target = row["from"][0].partition("#")[0], row["to"][0]
    if not row.get("ids"):
        document = work.tree.need(target)
        if work.tree.get(source) is not None:
            raise EditRefused(f"{source} exists again")
        work.tree.put(work.tree.parse(source, document.data))
        work.tree.delete(target)
        return [{"op": "move", "from": [target], "to": [source]}]
    if source in work.exact and target in work.exact:
        return [{"op": "move", "id": row["id"], "from": [target], "to": [source], "ids": row["ids"]}]
    document, entry = _kept(work, row["id"], target)
    if work.tree.get(source) is None:
        work.tree.put(parse(source, f"# {source.rpartition('/')[2].removesuffix('.md')}\n".encode()))
    moved = keep.carry(work.tree, document, entry, source, ())
    return [{"op": "move", "id": row["id"], "from": [target], "to": [source], **moved.ids}]


def _trashed(work: _Work, row: Row) -> list[Row]:
    """trash, and the removals of an earlier undo: back from the trash to their place."""
    source, home = row["from"][0].partition("#")[0], row["to"][0]
    if source in work.exact:
        _out_of_trash(work, home, row["id"])
        return [{"op": "restore", "id": i, "from": [home], "to": [source]} for i in row["ids"]]
    restored = trash.restore(work.tree, home, row["id"])
    return [{"op": "restore", "id": i, "from": [home], "to": [restored]} for i in row["ids"]]


def _out_of_trash(work: _Work, home: str, ident: str) -> None:
    data = work.tree.need(home).data
    for gone, start, stop in trash.sections(data):
        if gone.id == ident:
            work.tree.put(parse(home, trash.without_section(data, start, stop)))
            return


def _restored(work: _Work, row: Row) -> list[Row]:
    """A restore (of an earlier undo) reversed: back to superseded; only where the bytes can be taken back exactly."""
    path, kept = row["to"][0], row["from"][0]
    if path in work.exact or kept.startswith(layout.TRASH_DIR):
        return [{"op": "supersede", "id": "", "old": [row["id"]], "from": [path], "kept": kept}]
    raise EditRefused("its file has changed since")


def _keep_row(work: _Work, row: Row) -> list[Row]:
    return []


_REVERSE = {
    "append": _remove, "create": _remove, "supersede": _superseded, "merge": _merged, "move": _moved,
    "archive": _moved, "trash": _trashed, "undo": _trashed, "restore": _restored,
}  # fmt: skip


def _canonical(store: Store, tree: Tree, path: str) -> None:
    """Where only blank lines tell a file from an image it once had, take the image: undoing runs in any order then
    ends in the bytes of the start. A file that crab made and that says nothing any more goes."""
    document = tree.get(path)
    if document is None or path.startswith(layout.TRASH_DIR):
        return
    seen = store.db.execute(
        "SELECT raw FROM lines WHERE folded = 1 AND instr(raw, ?) ORDER BY at, m, n", (path.encode(),)
    )
    wanted = _says(document.data)
    for (raw,) in seen:
        pre = json.loads(raw).get("files", {}).get(path, ["?"])[0]
        if not pre and not document.entries and len(document.headings) <= 1:
            tree.delete(path)
            return
        image = journal.image(store.root, pre)
        if image is not None and image != document.data and _says(image) == wanted:
            tree.put(tree.parse(path, image))
            return


def _says(data: bytes) -> list[bytes]:
    return [line.rstrip() for line in data.splitlines() if line.strip()]
