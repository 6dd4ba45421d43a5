"""The parse gate: an edit is accepted only if the file, read again, holds exactly what was planned."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from crustacean.errors import EditRefused
from crustacean.workspace.document import Document, raw_lines


def gate(
    before: Document,
    after: Document,
    *,
    removed: Collection[int] = (),
    added: Collection[int] = (),
    changed: Mapping[int, int] | None = None,
    headings_removed: Collection[int] = (),
    headings_added: Collection[int] = (),
) -> None:
    """Raise EditRefused unless `after` is `before` with exactly the planned change, in order.

    removed, headings_removed: indices in `before`. added, headings_added: indices in `after`. changed: index before ->
    index after of entries whose own text or comment may differ. Every other entry must have the same kind, own lines
    (byte for byte but for a line end), meta, heading path, depth and parent, and what it inherits must be the same
    unless it stands in a changed entry. What the added and changed ones hold is for the caller to check.
    """
    pairs = dict(changed or {})
    if after.problem:
        raise EditRefused(f"the file would no longer be markdown: {after.problem}")
    old_lines, new_lines = _bare(before), _bare(after)
    if old_lines[: before.body] != new_lines[: after.body]:
        raise EditRefused("it would change the frontmatter")
    _same_headings(before, after, headings_removed, headings_added)
    kept = [k for k in range(len(before.entries)) if k not in removed and k not in pairs]
    stays = set(pairs.values())
    found = [k for k in range(len(after.entries)) if k not in added and k not in stays]
    if len(kept) != len(found):
        raise EditRefused("it would split, join or swallow text beside it")
    pairs.update(zip(kept, found, strict=True))
    order = [pairs[k] for k in sorted(pairs)]
    if any(a >= b for a, b in pairwise(order)):
        raise EditRefused("it would change the order of entries")
    in_changed: set[int] = set(changed or ())
    for k in kept:
        old, new = before.entries[k], after.entries[pairs[k]]
        inside = old.parent is not None and old.parent in in_changed
        if inside:
            in_changed.add(k)
        parent = None if old.parent is None else pairs.get(old.parent, -1)
        same = (old.kind, old.text, old.meta, old.heading, old.depth) == (
            new.kind, new.text, new.meta, new.heading, new.depth,
        )  # fmt: skip
        if old.kind in ("code", "html") and new.kind == old.kind and new.text.startswith(f"{old.text}\n"):
            raise EditRefused(f"the block at line {old.line} is not closed and would swallow it")
        if not same or parent != new.parent or not (inside or old.effective == new.effective):
            raise EditRefused(f"it would change the entry at line {old.line}")
        if [old_lines[a:b] for a, b in old.own] != [new_lines[a:b] for a, b in new.own]:
            raise EditRefused(f"it would change the bytes of the entry at line {old.line}")


def _bare(document: Document) -> list[bytes]:
    return [line.rstrip(b"\r\n") for line in raw_lines(document)]


def _same_headings(before: Document, after: Document, removed: Collection[int], added: Collection[int]) -> None:
    old = [(h.level, h.path, h.meta) for k, h in enumerate(before.headings) if k not in removed]
    new = [(h.level, h.path, h.meta) for k, h in enumerate(after.headings) if k not in added]
    if old != new:
        raise EditRefused("it would make, change or swallow a heading")
