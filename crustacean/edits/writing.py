"""The operations that bring a new text: append, create, supersede, merge."""

from __future__ import annotations

from dataclasses import replace

from crustacean.edits import keep, lanes, names
from crustacean.edits.context import Context, Row, find, row
from crustacean.edits.edit import Edit, Place
from crustacean.errors import EditRefused
from crustacean.text.normalise import normalise
from crustacean.workspace import audience, daily, layout, rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry
from crustacean.workspace.meta import Meta


def append(edit: Edit, context: Context) -> list[Row]:
    document = _target(edit, context)
    twin = _duplicate(edit, document, context)
    if twin is not None:
        context.observed.append((twin.id, edit.keys))
        return []
    meta = keep.shown(edit.path, edit.meta)
    day = layout.day_of(edit.path)
    if day is not None and _same_day_twin(edit, document):
        meta = replace(meta, observed=(edit.local or context.now).isoformat(timespec="minutes"))
    if day is not None and edit.local is not None and edit.heading:
        slot = daily.slot(document, daily.heading(edit.local, edit.heading[-1]))
        head = Meta(src=meta.src, origin=meta.origin, audience=meta.audience)
        document, entry = rewrite.append(
            document, edit.text, under=slot.under, meta=meta, heading_meta=head, level=slot.level, at=slot.at
        )
    else:
        document, entry = rewrite.append(document, edit.text, under=edit.heading, meta=meta)
    context.tree.put(document)
    return [row(edit, id=entry.id, to=[edit.path])]


def _target(edit: Edit, context: Context) -> Document:
    document = context.tree.get(edit.path)
    if document is not None:
        return document
    day = layout.day_of(edit.path)
    if day is None:
        raise EditRefused(f"{edit.path} does not exist")
    return parse(edit.path, daily.new_day(day))


def _duplicate(edit: Edit, document: Document, context: Context) -> Entry | None:
    """A near-duplicate in the same day or target, of equal audience and no worse origin."""
    mine = audience.canonical(edit.meta.audience)
    for entry in document.entries:
        if entry.effective.superseded or not context.same(edit.text, entry.text):
            continue
        origin, seen_by = context.said_by(entry.id)
        if audience.canonical(seen_by) == mine and audience.rank(edit.meta.origin) >= audience.rank(origin):
            return entry
    return None


def _same_day_twin(edit: Edit, document: Document) -> bool:
    text = normalise(edit.text)
    return any(normalise(e.text) == text and e.parent is None for e in document.entries)


def create(edit: Edit, context: Context) -> list[Row]:
    tree = context.tree
    if tree.get(edit.path) is not None:
        raise EditRefused(f"{edit.path} exists already")
    folder = edit.path.rpartition("/")[0]
    taken = {n for path in tree.siblings(folder) for n in names.names_of(path, tree.peek(path) or b"")}
    for name in (edit.path.rpartition("/")[2].removesuffix(".md"), edit.title, *edit.aliases):
        if names.fold_name(name) in taken:
            raise EditRefused(f"{folder}/ has a file for {name} already")
    document = tree.parse(edit.path, names.new_file(edit.title, edit.aliases))
    if len(document.headings) != 1 or document.entries or not document.headings[0].text:
        raise EditRefused("the title would not be a heading")
    under = (*document.headings[0].path, *edit.heading)
    document, entry = rewrite.append(document, edit.text, under=under, meta=keep.shown(edit.path, edit.meta))
    tree.put(document)
    return [row(edit, id=entry.id, to=[edit.path])]


def supersede(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is None:
        raise EditRefused("supersede names no entry")
    _, old = find(context.tree, edit.entry)
    if old.effective.superseded:
        raise EditRefused(f"{old.id} is superseded already")
    rows = [_supersede(edit, edit.entry, context)]
    # One memory in several places is superseded in all of them.
    for path in sorted({*context.places(old.id), old.path}):
        lane = replace(edit, entry=Place(old.id, path))
        while (twin := _standing(context, path, old.id)) is not None:
            lanes.check(context.stage, lane)
            rows.append(_supersede(edit, Place(old.id, path, twin.n), context, by=rows[0]["id"]))
    return rows


def _standing(context: Context, path: str, ident: str) -> Entry | None:
    """A place of an entry in a file that is not superseded yet."""
    document = context.tree.get(path)
    found = document.entries if document is not None else ()
    return next((e for e in found if e.id == ident and not e.effective.superseded), None)


def _supersede(edit: Edit, place: Place, context: Context, by: str = "") -> Row:
    tree, (document, old) = context.tree, find(context.tree, place)
    if layout.day_of(old.path) is not None:
        by = by or edit.by
        if not by or (edit.text and place == edit.entry):
            raise EditRefused("in a daily log a line is superseded by another entry, without a text")
        note = f"{context.now.date().isoformat()} by {by}"
        tree.put(rewrite.annotate(document, old, replace(old.effective, superseded=note)))
        return row(replace(edit, text=""), id=by, old=[old.id], **{"from": [str(place)]})
    if not edit.text:
        raise EditRefused("supersede without a text")
    below = keep.family(document, old)[1:]
    changed, new = rewrite.replace(document, old, edit.text, keep.shown(old.path, edit.meta))
    if new.id == old.id:
        raise EditRefused("it says that already")
    tree.put(changed)
    renamed = keep.below(tree, old.path, below, new)
    kept = keep.superseded(tree, old, new.id, context.now, context.word)
    made = row(edit, id=new.id, old=[old.id], **{"from": [str(place)]}, to=[old.path], kept=kept.path, ids=kept.moved)
    return made | {"as": [list(r) for r in renamed + kept.renamed]}


def merge(edit: Edit, context: Context) -> list[Row]:
    if len(edit.entries) < 2:
        raise EditRefused("a merge takes two entries or more")
    tree, sources = context.tree, []
    for place in edit.entries:
        document, old = find(tree, place)
        if layout.day_of(old.path) is not None:
            raise EditRefused("lines of a daily log are not merged")
        if keep.has_children(document, old):
            raise EditRefused(f"{old.id} has lines below it")
        sources.append(old)
    for old in sources:
        document = tree.need(old.path)
        standing = next(e for e in document.entries if e.id == old.id and e.text == old.text)
        tree.put(rewrite.remove(document, [standing])[0])
    latest = max(old.effective.observed or old.birth for old in sources)
    meta = replace(edit.meta, observed=edit.meta.observed or latest or None)
    target, new = rewrite.append(tree.need(edit.path), edit.text, under=edit.heading, meta=keep.shown(edit.path, meta))
    tree.put(target)
    renamed: keep.Renamed = []
    for old in sources:
        renamed += keep.superseded(tree, old, new.id, context.now, context.word).renamed
    made = row(edit, id=new.id, old=[p.id for p in edit.entries], **{"from": [str(p) for p in edit.entries]})
    home = layout.superseded(context.now.date())
    return [made | {"to": [edit.path], "kept": home, "as": [list(r) for r in renamed]}]
