"""One edit of a plan, performed on a Tree: the guarantees of each operation (DESIGN section 4).

Every function takes the edit and the context and returns the ledger rows of what it did; it raises EditRefused with a
reason where a guarantee would break, and then the caller rolls the tree back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from crustacean.edits import keep, lanes
from crustacean.edits import trash as trash_bin
from crustacean.edits.edit import Edit, Place
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused
from crustacean.text.normalise import normalise
from crustacean.workspace import audience, daily, layout, rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry
from crustacean.workspace.meta import Meta

Row = dict[str, Any]


@dataclass(slots=True)
class Context:
    """What performing needs to know beside the files.

    now: aware, in the person's zone. same: whether two texts state the same thing (section 7, same figures).
    word: (origin, audience) of an id as the ledger has it, None where it does not know the id.
    links: called with (old path, new path) after a file moved, to follow links up; None leaves them.
    """

    tree: Tree
    stage: str
    run: str
    now: datetime
    same: Callable[[str, str], bool]
    word: Callable[[str], tuple[str, str] | None] = lambda _: None
    observed: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)


def perform(edit: Edit, context: Context) -> list[Row]:
    """Check the lane, then do it. Raises EditRefused; returns ledger rows, none for an observation."""
    lanes.check(context.stage, edit)
    return _OPS[edit.op](edit, context)


def find(tree: Tree, place: Place) -> tuple[Document, Entry]:
    """The entry at a place. Raises EditRefused where it no longer stands there."""
    document = tree.need(place.path)
    for entry in document.entries:
        if entry.id == place.id and entry.n == place.n:
            return document, entry
    raise EditRefused(f"the entry {place.id} is no longer in {place.path}")


def bare(path: str) -> bool:
    """Files that agents load raw, where no comment is written."""
    return path == layout.MEMORY or path in layout.FOUNDATION


def shown(path: str, meta: Meta) -> Meta:
    return Meta() if bare(path) else meta


def row(edit: Edit, **keys: Any) -> Row:
    """The ledger's EDIT, empty keys left out."""
    made: Row = {"op": edit.op, **keys}
    if keys.get("id") and edit.text:
        made |= {"origin": edit.meta.origin or "unknown", "audience": edit.meta.audience or "main"}
    made |= {"src": list(edit.keys), "by": list(edit.sources), "why": edit.why[:120], "said": edit.said}
    return {k: v for k, v in made.items() if v not in ("", [], None)}


def append(edit: Edit, context: Context) -> list[Row]:
    document = _target(edit, context)
    twin = _duplicate(edit, document, context)
    if twin is not None:
        context.observed.append((twin.id, edit.keys))
        return []
    meta = shown(edit.path, edit.meta)
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
    mine = edit.meta.audience or "main"
    for entry in document.entries:
        if entry.effective.superseded or not context.same(edit.text, entry.text):
            continue
        known = context.word(entry.id)
        origin, seen = known or (entry.effective.origin or "unknown", entry.effective.audience or "main")
        if seen == mine and audience.rank(edit.meta.origin) >= audience.rank(origin):
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
    taken = {n for path in tree.siblings(folder) for n in keep.names_of(tree.need(path))}
    for name in (edit.path.rpartition("/")[2].removesuffix(".md"), edit.title, *edit.aliases):
        if keep.fold_name(name) in taken:
            raise EditRefused(f"{folder}/ has a file for {name} already")
    document = parse(edit.path, keep.new_file(edit.title, edit.aliases))
    document, entry = rewrite.append(
        document, edit.text, under=(edit.title, *edit.heading), meta=shown(edit.path, edit.meta)
    )
    tree.put(document)
    return [row(edit, id=entry.id, to=[edit.path])]


def supersede(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is None:
        raise EditRefused("supersede names no entry")
    document, old = find(context.tree, edit.entry)
    if old.effective.superseded:
        raise EditRefused(f"{old.id} is superseded already")
    if layout.day_of(old.path) is not None:
        if not edit.by or edit.text:
            raise EditRefused("in a daily log a line is superseded by another entry, without a text")
        note = f"{context.now.date().isoformat()} by {edit.by}"
        context.tree.put(rewrite.annotate(document, old, replace(old.meta, superseded=note)))
        return [row(replace(edit, text=""), id=edit.by, old=[old.id], **{"from": [str(edit.entry)]})]
    if not edit.text:
        raise EditRefused("supersede without a text")
    kept = keep.superseded(context.tree, document, old, edit.reason or edit.why, context.now)
    document, new = rewrite.replace(context.tree.need(old.path), old, edit.text, shown(old.path, edit.meta))
    context.tree.put(document)
    return [
        row(edit, id=new.id, old=[old.id], **{"from": [str(edit.entry)]}, to=[old.path], kept=kept.path, **kept.ids)
    ]


def merge(edit: Edit, context: Context) -> list[Row]:
    if len(edit.entries) < 2:
        raise EditRefused("a merge takes two entries or more")
    kept = None
    renamed: list[tuple[str, str, str]] = []
    latest = ""
    for place in edit.entries:
        document, old = find(context.tree, place)
        if layout.day_of(old.path) is not None:
            raise EditRefused("lines of a daily log are not merged")
        if keep.has_children(document, old):
            raise EditRefused(f"{old.id} has lines below it")
        latest = max(latest, old.effective.observed or old.birth)
        kept = keep.superseded(context.tree, document, old, edit.why, context.now)
        renamed += kept.renamed
        document, _ = rewrite.remove(context.tree.need(old.path), [old])
        context.tree.put(document)
    meta = replace(edit.meta, observed=edit.meta.observed or latest or None)
    target = context.tree.need(edit.path)
    target, new = rewrite.append(target, edit.text, under=edit.heading, meta=shown(edit.path, meta))
    context.tree.put(target)
    made = row(edit, id=new.id, old=[p.id for p in edit.entries], **{"from": [str(p) for p in edit.entries]})
    return [made | {"to": [edit.path], "kept": kept.path if kept else "", "as": [list(r) for r in renamed]}]


def move(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is None:
        raise EditRefused("move names no entry")
    if edit.path == edit.entry.path:
        raise EditRefused("it stands there already")
    document, entry = find(context.tree, edit.entry)
    moved = keep.carry(context.tree, document, entry, edit.path, edit.heading)
    if edit.pointer:
        note = f"See [{edit.path.rpartition('/')[2].removesuffix('.md')}]({edit.path})."
        source, _ = rewrite.append(context.tree.need(document.path), note, under=entry.heading)
        context.tree.put(source)
    return [row(edit, id=entry.id, **{"from": [str(edit.entry)]}, to=[edit.path], **moved.ids)]


def archive(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is not None:
        if edit.reason not in ("done", "expired", "stale"):
            raise EditRefused("an entry is archived as done, expired or stale")
        document, entry = find(context.tree, edit.entry)
        home = layout.retired(context.now.date())
        keep.ensure(context.tree, home, f"Retired {context.now:%Y-%m}")
        moved = keep.carry(context.tree, document, entry, home, (f"{edit.reason}: {entry.path}",))
        return [row(edit, id=entry.id, **{"from": [str(edit.entry)]}, to=[home], **moved.ids)]
    document = context.tree.need(edit.path)
    if edit.path.startswith("archive/"):
        raise EditRefused("it is in the archive already")
    home = layout.archived(edit.path)
    if context.tree.get(home) is not None:
        raise EditRefused(f"{home} exists already")
    context.tree.put(parse(home, document.data))
    context.tree.delete(edit.path)
    return [row(edit, **{"from": [edit.path]}, to=[home])]


def trash(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is None:
        raise EditRefused("trash names no entry")
    document, entry = find(context.tree, edit.entry)
    if context.stage != "person" and not _worthless(document, entry):
        raise EditRefused("only what is empty or an exact duplicate goes to the trash")
    home, ids = trash_bin.to_trash(context.tree, document, entry, context.run, edit.why, context.now)
    return [row(edit, id=entry.id, **{"from": [str(edit.entry)]}, to=[home], ids=ids)]


def _worthless(document: Document, entry: Entry) -> bool:
    if keep.has_children(document, entry):
        return False
    if not normalise(entry.text):
        return True
    return any(e.id == entry.id and e.n != entry.n and e.heading == entry.heading for e in document.entries)


def listed(edit: Edit, context: Context) -> list[Row]:
    """propose and flag change no file; they go to the review list."""
    for place in edit.entries:
        find(context.tree, place)
    return []


def annotate(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is None:
        raise EditRefused("annotate names no entry")
    document, entry = find(context.tree, edit.entry)
    context.tree.put(rewrite.annotate(document, entry, shown(entry.path, edit.meta)))
    return [row(edit, id=entry.id, to=[entry.path])]


def split(edit: Edit, context: Context) -> list[Row]:
    """The section under `heading` of `entry.path` becomes the file `path`, with a pointer in its place."""
    if edit.entry is None:
        raise EditRefused("split names no section")
    source = context.tree.need(edit.entry.path)
    if context.tree.get(edit.path) is not None:
        raise EditRefused(f"{edit.path} exists already")
    moved = keep.split(context.tree, source, edit.heading, edit.path)
    return [row(edit, **{"from": [source.path]}, to=[edit.path], **moved.ids) | {"op": "move"}]


_OPS: dict[str, Callable[[Edit, Context], list[Row]]] = {
    "append": append, "create": create, "supersede": supersede, "merge": merge, "move": move, "archive": archive,
    "trash": trash, "propose": listed, "flag": listed, "annotate": annotate, "split": split,
}  # fmt: skip
