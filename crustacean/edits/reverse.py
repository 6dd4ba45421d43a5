"""One edit of the ledger, reversed on a tree: what an undo does with each."""

from __future__ import annotations

from dataclasses import replace

from crustacean.edits import keep, trash
from crustacean.edits.undoing import Blocked, Row, Work, bases, paths
from crustacean.errors import EditRefused
from crustacean.workspace import daily, layout, rewrite
from crustacean.workspace.document import Document
from crustacean.workspace.entries import Entry


def reverse(work: Work, row: Row) -> list[Row]:
    """Reverse one EDIT; returns the ledger rows of what was done. Raises Blocked where a later run has to be undone
    first, EditRefused with the reason where it can't be at all any more."""
    made = row["op"] in ("append", "create", "restore")
    for ident in [row.get("id", ""), *row.get("ids", []), *row.get("old", [])]:
        run = work.later.changed.get(ident) or ("" if made else work.later.moved.get(ident))
        if run:
            raise Blocked(f"run {run} changed it since: undo that first")
    for path in paths(row) if row["op"] not in ("append", "create") else ():
        if path in work.later.files and work.tree.get(path) is None:
            raise Blocked(f"run {work.later.files[path]} moved {path} since: undo that first")
    handler = _REVERSE.get(row["op"])
    return handler(work, row) if handler else []


def _place(work: Work, ident: str) -> tuple[str, Document, Entry]:
    """Where an entry that the undone run made stands now. Raises EditRefused with the reason where it is not to be
    undone."""
    if ident in work.back:
        path, document, entry = work.back[ident]
        return (path, document, entry) if path in work.whole else (path, *_kept(work, ident, path))
    db = work.store.db
    made = db.execute(
        "SELECT path FROM copies WHERE id = ? AND run = ? AND state IN ('live', 'archived', 'superseded')"
        " ORDER BY state != 'live', seq",
        (ident, work.of),
    ).fetchall()
    by_hand = db.execute("SELECT new FROM chain WHERE old = ? AND how != 'edit'", (ident,)).fetchone()
    if by_hand and not made:
        raise EditRefused(f"it was edited by hand since (it is {by_hand[0]} now) and stays")
    for (path,) in made:
        now = work.tree.get(path)
        found = next((e for e in now.entries if e.id == ident), None) if now is not None else None
        if now is not None and found is not None:
            return path, now, found
    raise EditRefused("it is not in a file any more")


def _kept(work: Work, ident: str, path: str) -> tuple[Document, Entry]:
    document = work.tree.need(path)
    entry = next((e for e in document.entries if e.id == ident), None)
    if entry is None:
        raise EditRefused(f"{ident} is not in {path} any more")
    return document, entry


def _discard(work: Work, path: str, document: Document, entry: Entry) -> Row:
    """Put an entry that is undone into the trash."""
    if keep.has_children(document, entry):
        raise EditRefused("lines stand below it that came later")
    gone = trash.Gone(entry.id, path, entry.heading, keep.alone(document, entry), work.run, "undone")
    if path not in work.whole:
        drop = keep.made_by_crab(document, entry)
        work.tree.put(rewrite.remove(document, [entry], drop_headings=drop)[0])
    home = trash.text_to_trash(work.tree, gone, work.store.clock())
    return {"op": "undo", "id": entry.id, "from": [path], "to": [home], "ids": [entry.id]}


def _remove(work: Work, row: Row) -> list[Row]:
    """append, create: the new entry goes to the trash as undone."""
    if not row.get("to"):
        return []
    return [_discard(work, *_place(work, row["id"]))]


def _superseded(work: Work, row: Row) -> list[Row]:
    if not row.get("to"):
        return _unannotate(work, row)
    path, document, entry = _place(work, row["id"])
    old, kept = row["old"][0], row["kept"]
    store, was = _kept(work, old, kept)
    word = keep.alone(document, entry)
    home = trash.text_to_trash(
        work.tree, trash.Gone(entry.id, path, entry.heading, word, work.run, "undone"), work.store.clock()
    )
    renamed: keep.Renamed = []
    if path not in work.whole:
        below = keep.family(document, entry)[1:]
        meta = replace(was.effective, superseded=None, id=None)
        document, back = rewrite.replace(work.tree.need(path), entry, was.text, keep.shown(path, meta))
        work.tree.put(document)
        renamed += keep.same_id(work.tree, path, back, replace(was, effective=meta, meta=meta))
        renamed += keep.below(work.tree, path, below, back)
    _take(work, store, was)
    work.back[old] = (path, store, was)
    restored = {"op": "restore", "id": old, "old": [row["id"]], "from": [kept], "to": [path]}
    return [
        {"op": "undo", "id": row["id"], "from": [path], "to": [home], "ids": [row["id"]]},
        restored | ({"as": [list(r) for r in renamed]} if renamed else {}),
    ]


def _take(work: Work, document: Document, entry: Entry) -> None:
    """Take an entry out of archive/superseded."""
    if entry.path not in work.whole:
        work.tree.put(rewrite.remove(document, [entry], drop_headings=keep.made_by_crab(document, entry))[0])


def _unannotate(work: Work, row: Row) -> list[Row]:
    """A line of a daily log that was marked as superseded."""
    path, old = bases(row["from"])[0], row["old"][0]
    document, entry = _kept(work, old, path)
    if path not in work.whole:
        work.tree.put(rewrite.annotate(document, entry, replace(entry.effective, superseded=None)))
    return [{"op": "restore", "id": old, "from": [path], "to": [path]}]


def _merged(work: Work, row: Row) -> list[Row]:
    out = _remove(work, row)
    for old, path in zip(row["old"], bases(row["from"]), strict=True):
        store, was = _kept(work, old, row["kept"])
        back = _bring_back(work, store, was, row["kept"], path, "restore")
        out.append(back | {"old": [row["id"]]})
    return out


def _bring_back(work: Work, document: Document, entry: Entry, source: str, path: str, op: str) -> Row:
    """Move an entry back to a file where it stood. From archive/superseded it comes without its note."""
    row: Row = {"op": op, "id": entry.id, "from": [source], "to": [path]}
    work.back[entry.id] = (path, document, entry)
    ids = [e.id for e in keep.family(document, entry)] if op == "move" else [entry.id]
    if source in work.whole and path in work.whole:
        return row | {"ids": ids}
    _home(work, path)
    if path in work.whole:
        work.tree.put(rewrite.remove(document, [entry], drop_headings=keep.made_by_crab(document, entry))[0])
        return row | {"ids": ids}
    if entry.meta.superseded and op == "restore":
        document = rewrite.annotate(document, entry, replace(entry.effective, superseded=None))
        entry = next(e for e in document.entries if e.start == entry.start and e.depth == entry.depth)
    heading, above = _seat(work, path, entry.id)
    carried = keep.carry(work.tree, document, entry, path, heading, below=above)
    return row | {k: v for k, v in carried.ids.items() if v} | {"ids": ids}


def _seat(work: Work, path: str, ident: str) -> tuple[tuple[str, ...], str]:
    """Where an entry that comes back stood. Raises Blocked where a later run took away what it stood under."""
    heading, above = work.stood.get((path, ident), ((), ""))
    run = work.later.changed.get(above) or work.later.moved.get(above)
    if run:
        raise Blocked(f"run {run} changed what it stood under since: undo that first")
    return heading, above


def _home(work: Work, path: str) -> None:
    """The file an entry comes back to, made anew where it has gone."""
    if work.tree.get(path) is None and path not in work.whole:
        day = layout.day_of(path)
        title = daily.title(day) if day else f"# {path.rpartition('/')[2].removesuffix('.md')}"
        work.tree.put(work.tree.parse(path, f"{title}\n".encode()))


def _moved(work: Work, row: Row) -> list[Row]:
    """move and archive: back to where it was; a whole file by its name."""
    source, target = bases(row["from"])[0], row["to"][0]
    if row.get("ids"):
        first = row.get("id") or row["ids"][0]
        if row.get("id"):
            document, entry = _kept(work, first, target)
            return [_bring_back(work, document, entry, target, source, "move")]
        return _unsplit(work, row, source, target)
    document = work.tree.need(target)
    if source in work.whole and target in work.whole:
        return [{"op": "move", "from": [target], "to": [source]}]
    if source in work.whole or target in work.whole:
        raise EditRefused("it has changed since")
    if work.tree.get(source) is not None:
        raise EditRefused(f"{source} exists again")
    back = keep.whole_file(work.tree, document, source)
    return [{"op": "move", "from": [target], "to": [source], "as": [list(r) for r in back.renamed]}]


def _unsplit(work: Work, row: Row, source: str, target: str) -> list[Row]:
    """A section that became a file of its own."""
    if source in work.whole and target in work.whole:
        return [{"op": "move", "from": [target], "to": [source], "ids": row["ids"]}]
    out = []
    for ident in row["ids"]:
        document = work.tree.get(target)
        entry = next((e for e in document.entries if e.id == ident), None) if document is not None else None
        if document is not None and entry is not None and entry.parent is None:
            out.append(_bring_back(work, document, entry, target, source, "move"))
    if not out:
        raise EditRefused(f"nothing of it is in {target} any more")
    return out


def _trashed(work: Work, row: Row) -> list[Row]:
    """trash, and the removals of an earlier undo: back from the trash to their place."""
    source, home = bases(row["from"])[0], row["to"][0]
    if source not in work.whole:
        return [trash.restore(work.tree, home, row["id"], _seat(work, source, row["id"])[1])]
    data = work.tree.need(home).data
    found = [(start, stop) for gone, start, stop in trash.sections(data) if gone.id == row["id"]]
    if found:
        work.tree.put(work.tree.parse(home, trash.without_section(data, *found[-1])))
    return [{"op": "restore", "id": row["id"], "from": [home], "to": [source], "ids": row.get("ids") or [row["id"]]}]


def _restored(work: Work, row: Row) -> list[Row]:
    """A restore reversed: from the trash, back into it; from archive/superseded, superseded again."""
    path, source = row["to"][0], row["from"][0]
    if source.startswith(f"{layout.TRASH_DIR}/"):
        document, entry = _kept(work, row["id"], path)
        if {e.id for e in keep.family(document, entry)} - set(row.get("ids") or [row["id"]]):
            raise EditRefused("lines stand below it that came later")
        gone = trash.Gone(entry.id, path, entry.heading, keep.alone(document, entry), work.run, "undone")
        if path not in work.whole:
            work.tree.put(rewrite.remove(document, [entry])[0])
        home = trash.text_to_trash(work.tree, gone, work.store.clock())
        return [{"op": "undo", "id": entry.id, "from": [path], "to": [home], "ids": row.get("ids") or [entry.id]}]
    if path not in work.whole or source not in work.whole:
        raise EditRefused("its file has changed since")
    return [{"op": "supersede", "id": row.get("old", [""])[0], "old": [row["id"]], "from": [path], "kept": source}]


def _annotated(work: Work, row: Row) -> list[Row]:
    if row["to"][0] in work.whole:
        return []
    raise EditRefused("its comment has changed since and stays")


_REVERSE = {
    "append": _remove, "create": _remove, "supersede": _superseded, "merge": _merged, "move": _moved,
    "archive": _moved, "trash": _trashed, "undo": _trashed, "restore": _restored,
    "annotate": _annotated,
}  # fmt: skip
