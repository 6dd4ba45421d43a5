"""One edit of a plan, performed on a Tree: the guarantees of each operation.

Every operation takes the edit and the context and returns the ledger rows of what it did; it raises EditRefused with a
reason where a guarantee would break, and then the caller rolls the tree back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from crustacean.edits import lanes, shifting, writing
from crustacean.edits.context import Context, Row
from crustacean.edits.edit import Edit
from crustacean.workspace import audience

OPERATIONS: Final[Mapping[str, Callable[[Edit, Context], list[Row]]]] = {
    "append": writing.append, "create": writing.create, "supersede": writing.supersede, "merge": writing.merge,
    "move": shifting.move, "archive": shifting.archive, "trash": shifting.trash, "split": shifting.split,
    "annotate": shifting.annotate, "propose": shifting.listed, "flag": shifting.listed,
}  # fmt: skip


def perform(edit: Edit, context: Context) -> list[Row]:
    """Check the lane, then do it. Raises EditRefused; returns ledger rows, none for an observation."""
    edit = _honest(edit, context)
    lanes.check(context.stage, edit)
    rows = OPERATIONS[edit.op](edit, context)
    for made in rows:
        if made.get("id") and "origin" in made:
            context.made[made["id"]] = (made["origin"], made["audience"])
    return rows


def _honest(edit: Edit, context: Context) -> Edit:
    """What is made from entries is at most as trusted as the least of them, and seen only by who may see them all."""
    sources = [*edit.sources, *(p.id for p in edit.entries if edit.op == "merge")]
    if not edit.text or not sources:
        return edit
    words = [context.said_by(ident) for ident in sources]
    if edit.keys or edit.meta.origin:
        words.append((edit.meta.origin or "unknown", edit.meta.audience or audience.MAIN))
    origin, seen_by = audience.least([o for o, _ in words]), audience.intersect(*(a for _, a in words))
    return replace(edit, meta=replace(edit.meta, origin=origin, audience=seen_by))
