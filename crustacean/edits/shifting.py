"""The operations that leave every text as it is: move, archive, trash, split, annotate, and the review list's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crustacean.edits import keep, lanes
from crustacean.edits import trash as trash_bin
from crustacean.edits.context import Context, Row, find, row
from crustacean.edits.edit import Edit
from crustacean.errors import EditRefused
from crustacean.text.normalise import normalise
from crustacean.workspace import audience, layout, rewrite
from crustacean.workspace.document import Document
from crustacean.workspace.entries import Entry

META = ("importance", "due", "expires", "pinned", "from_", "trigger", "project")
"""What an annotation may say; whose word a line is and who may see it is not for it to change."""
LOW = audience.ORIGINS.index("untrusted")


def move(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is None:
        raise EditRefused("move names no entry")
    if edit.path == edit.entry.path:
        raise EditRefused("it stands there already")
    document, entry = find(context.tree, edit.entry)
    _may_go(keep.family(document, entry), edit.path, context)
    moved = keep.carry(context.tree, document, entry, edit.path, edit.heading, context.word)
    rows = [row(edit, id=entry.id, **{"from": [str(edit.entry)]}, to=[edit.path], **moved.ids)]
    if edit.pointer:
        note = f"See [{edit.path.rpartition('/')[2].removesuffix('.md')}]({edit.path})."
        source, made = rewrite.append(context.tree.need(document.path), note, under=entry.heading)
        context.tree.put(source)
        rows.append({"op": "append", "id": made.id, "to": [document.path], "why": "pointer"})
    return rows


def _may_go(entries: Iterable[Entry], path: str, context: Context) -> None:
    for entry in entries:
        lanes.promotion(context.stage, context.said_by(entry.id)[0], path)


def archive(edit: Edit, context: Context) -> list[Row]:
    if edit.entry is not None:
        if edit.reason not in ("done", "expired", "stale"):
            raise EditRefused("an entry is archived as done, expired or stale")
        document, entry = find(context.tree, edit.entry)
        home = layout.retired(context.now.date())
        if entry.path == home:
            raise EditRefused("it is in the archive already")
        title = f"Retired {context.now:%Y-%m}"
        keep.ensure(context.tree, home, title)
        under = (title, f"{edit.reason}: {entry.path}")
        moved = keep.carry(context.tree, document, entry, home, under, context.word)
        return [row(edit, id=entry.id, **{"from": [str(edit.entry)]}, to=[home], **moved.ids)]
    document = context.tree.need(edit.path)
    if edit.path.startswith("archive/"):
        raise EditRefused("it is in the archive already")
    if keep.bare(edit.path):
        raise EditRefused(f"{edit.path} is not archived as a whole")
    home = layout.archived(edit.path)
    if context.tree.get(home) is not None:
        raise EditRefused(f"{home} exists already")
    moved = keep.whole_file(context.tree, document, home)
    return [row(edit, **{"from": [edit.path]}, to=[home], **{"as": [list(r) for r in moved.renamed]})]


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
    """Only the comment changes; what it does not name stays."""
    if edit.entry is None:
        raise EditRefused("annotate names no entry")
    document, entry = find(context.tree, edit.entry)
    if edit.meta.pinned and context.stage != "person" and audience.rank(context.said_by(entry.id)[0]) >= LOW:
        raise EditRefused("what is untrusted is not pinned")
    given = {k: v for k in META if (v := getattr(edit.meta, k)) not in (None, False, ())}
    context.tree.put(rewrite.annotate(document, entry, keep.shown(entry.path, replace(entry.effective, **given))))
    return [row(edit, id=entry.id, to=[entry.path])]


def split(edit: Edit, context: Context) -> list[Row]:
    """The section under `heading` of `entry.path` becomes the file `path`, with a pointer in its place."""
    if edit.entry is None:
        raise EditRefused("split names no section")
    source = context.tree.need(edit.entry.path)
    if context.tree.get(edit.path) is not None:
        raise EditRefused(f"{edit.path} exists already")
    _may_go([e for e in source.entries if e.heading[: len(edit.heading)] == edit.heading], edit.path, context)
    moved, pointer = keep.split(context.tree, source, edit.heading, edit.path)
    made = row(edit, **{"from": [source.path]}, to=[edit.path], **moved.ids) | {"op": "move"}
    return [made, {"op": "append", "id": pointer, "to": [source.path], "why": "pointer"}]
