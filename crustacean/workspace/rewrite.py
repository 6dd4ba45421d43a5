"""Changes of a document, each checked by the parse gate: what was planned, and nothing else, has come true.

All are pure. Lines that a change does not name keep their bytes; a last line without a line end gains one where
something is written after it. Every function raises EditRefused where the gate or the text does not allow the change.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import partial

from crustacean.errors import EditRefused
from crustacean.workspace.document import Document, raw_lines
from crustacean.workspace.entries import Entry, Seat, Span
from crustacean.workspace.gate import gate
from crustacean.workspace.meta import EMPTY, Meta
from crustacean.workspace.sections import (
    Home,
    entries_within,
    find,
    home_of,
    index_of,
    insert,
    lift,
    take,
    whole_headings,
)  # fmt: skip
from crustacean.workspace.splice import (
    WAYS_OUT,
    Splice,
    WayOut,
    checked_text,
    encoded,
    first_that_passes,
    opening,
    spliced,
    tail,
    ways_with_comment,
)  # fmt: skip

__all__ = ["annotate", "append", "find", "gate", "index_of", "insert", "lift", "remove", "replace", "take"]

_MARKED = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?=\s|\Z)")
_BULLET = re.compile(r"( {0,3})([-+*]|[0-9]{1,8}[.)])( {1,4})(?=[^ \t])")


def append(
    document: Document,
    text: str,
    *,
    under: tuple[str, ...] = (),
    meta: Meta = EMPTY,
    heading_meta: Meta = EMPTY,
    level: int | None = None,
    at: int | None = None,
) -> tuple[Document, Entry]:
    """Write `- text` as the last item of a heading's own part; returns the new document and the new entry.

    under: the heading's path of texts, () the part before the first heading. Where it is absent it is made, and what of
    its path is missing with it: the last one with `heading_meta`, at `level` (else one below its parent), at line `at`
    (else at the end of its parent's section). A list that ends the part is gone on with, with its marker; else a blank
    line and a new list. meta: what is effective for the entry; what it inherits anyway is not written.
    """
    text = checked_text(text)
    home = home_of(document, under, heading_meta, level, at)
    own = meta.beyond(home.inherited)
    goes_on = _goes_on(document, home)
    ways = ([(goes_on, True)] if goes_on else []) + [("- ", False)]
    tries = [
        partial(_append, document, home, rows, prefix, text, own, joined)
        for rows in ways_with_comment(text, own.render())
        for prefix, joined in ways
    ]
    return first_that_passes(document, tries)


def _append(
    document: Document, home: Home, rows: Sequence[str], prefix: str, text: str, own: Meta, joined: bool
) -> tuple[Document, Entry]:
    lines = (*home.rows, *encoded(rows, prefix, " " * len(prefix), document.newline))
    splice = opening(document, home.low, home.high, lines, joined=joined)
    after = spliced(document, [splice])
    added = entries_within(after, splice)
    gate(document, after, added=added, headings_added=home.made(after, splice))
    home.check(after, splice)
    if len(added) != 1:
        raise EditRefused("the text holds a list: each item is an entry of its own")
    entry = after.entries[added[0]]
    if entry.text != text and _MARKED.match(text):
        raise EditRefused("the text begins with the marker of a list")
    if (entry.kind, entry.heading, entry.depth) != ("item", home.path, 0):
        raise EditRefused("the text would not be an item of its own")
    _holds(entry, text, own)
    return after, entry


def _holds(entry: Entry, text: str, meta: Meta) -> None:
    if entry.text != text:
        raise EditRefused("the text would not be read back as it was given")
    if entry.meta != meta:
        raise EditRefused("its comment would not be read back as it was given")


def _goes_on(document: Document, home: Home) -> str:
    """The marker, with its spaces, for one more item of the list that ends the part; "" where none does."""
    if home.rows:
        return ""
    lines = raw_lines(document)
    end = tail(lines, home.low, home.high)
    last = next((e for e in reversed(document.entries) if e.depth == 0 and home.low <= e.start < end), None)
    found = _BULLET.match(lines[last.start].decode()) if last and last.kind == "item" and last.stop == end else None
    if not found:
        return ""
    indent, mark, gap = found.groups()
    if len(mark) > 1:
        mark = f"{int(mark[:-1]) + 1}{mark[-1]}"
    return f"{indent}{mark}{gap}"


def replace(document: Document, entry: Entry, text: str, meta: Meta) -> tuple[Document, Entry]:
    """Write another text and comment in the place of an entry's own; its children stay as they are.

    meta: what is effective for the entry; what it inherits anyway is not written. Kind and place stay the same.
    """
    k = index_of(document, entry)
    text = checked_text(text, entry.text)
    own = meta.beyond(inherited_by(document, entry))
    ways = ways_with_comment(text, own.render())
    return first_that_passes(document, [partial(_replace, document, k, rows, text, own) for rows in ways])


def _replace(document: Document, k: int, rows: Sequence[str], text: str, own: Meta) -> tuple[Document, Entry]:
    entry, lines = document.entries[k], raw_lines(document)
    low, high = entry.own[0]
    line = lines[low].decode()
    bare = line.rstrip("\r\n")
    head = bare[: entry.inset]
    if entry.kind != "item":
        others = head = head or " " * entry.indent
    elif low != entry.start:
        raise EditRefused("its first line belongs to an item inside it")
    else:
        others = " " * entry.indent
        head = head if head.endswith((" ", "\t")) else f"{head} "
    put = list(encoded(rows, head, others, line[len(bare) :] or document.newline))
    if not lines[high - 1].endswith((b"\n", b"\r")):
        put[-1] = put[-1].rstrip(b"\r\n")
    splices = [Splice(low, high, tuple(put))]
    splices += [Splice(tail(lines, 0, start), stop) for start, stop in entry.own[1:]]
    after = spliced(document, splices)
    return after, _changed(document, after, k, text, own)


def inherited_by(document: Document, entry: Entry) -> Meta:
    """What an entry takes over from the entry or heading it stands under."""
    if entry.parent is not None:
        return document.entries[entry.parent].effective
    heading = next((h for h in reversed(document.headings) if h.line < entry.start), None)
    return heading.effective if heading else EMPTY


def _changed(document: Document, after: Document, k: int, text: str, own: Meta) -> Entry:
    """The entry that took the place of entry `k`; raises EditRefused unless it is all that changed."""
    old = document.entries[k]
    at = next((j for j, e in enumerate(after.entries) if e.own[0][0] == old.own[0][0]), None)
    if at is None:
        raise EditRefused("the text would not be an entry")
    gate(document, after, changed={k: at})
    entry = after.entries[at]
    if (entry.kind, entry.heading, entry.depth) != (old.kind, old.heading, old.depth):
        raise EditRefused(f"the text would be {entry.kind} where {old.kind} was")
    _holds(entry, text, own)
    return entry


def annotate(document: Document, entry: Entry, meta: Meta) -> Document:
    """Change only an entry's comment. meta: what is effective; what it inherits anyway is not written."""
    k = index_of(document, entry)
    own = meta.beyond(inherited_by(document, entry))
    if own == entry.meta:
        return document
    lines, comment, seat = raw_lines(document), own.render(), entry.seat
    indent = " " * entry.indent if entry.kind == "item" else ""
    below = Splice(
        seat.line + (not seat.own_line),
        seat.line + (not seat.own_line),
        (f"{indent}{comment}{document.newline}".encode(),),
    )
    tries = [_comment_changed(lines, entry.seat, comment)] if seat.start is not None or not seat.own_line else []
    tries += [below] if seat.start is None else []
    return first_that_passes(document, [partial(_annotate, document, k, splice, own) for splice in tries])


def _comment_changed(lines: Sequence[bytes], seat: Seat, comment: str) -> Splice:
    """The line of the comment with another one in its place, or without; gone where nothing else is left on it."""
    whole = lines[seat.line].decode()
    end = whole.rfind("-->") + 3 if seat.start is not None else len(whole.rstrip(" \t\r\n"))
    before = whole[: seat.start if seat.start is not None else end]
    if not comment and not before.strip(" \t"):
        return Splice(seat.line, seat.line + 1)
    if seat.start is None:
        before += " "
    elif not comment:
        before = before.rstrip(" \t")
    return Splice(seat.line, seat.line + 1, ((before + comment + whole[end:]).encode(),))


def _annotate(document: Document, k: int, splice: Splice, own: Meta) -> Document:
    after = spliced(document, [splice])
    _changed(document, after, k, document.entries[k].text, own)
    return after


def remove(
    document: Document, entries: Iterable[Entry], *, drop_headings: bool = False
) -> tuple[Document, tuple[str, ...]]:
    """Take entries out, with their children. Returns the document and each outermost block as text, in file order.

    A blank line that would stand doubled, or at the end, goes with them. drop_headings: a heading whose own part they
    empty and that has no heading below it goes too.
    """
    chosen = {index_of(document, e) for e in entries}
    gone: set[int] = set()
    for k, entry in enumerate(document.entries):
        if k in chosen or (entry.parent is not None and entry.parent in gone):
            gone.add(k)
    outer = [document.entries[k] for k in sorted(gone) if document.entries[k].parent not in gone]
    blocks = tuple(lift(document, e).decode() for e in outer)
    headings = whole_headings(document, gone) if drop_headings else set()
    spans = [(document.headings[h].line, document.headings[h].part) for h in headings]
    spans += [(e.start, e.stop) for e in outer if not any(a <= e.start < b for a, b in spans)]
    tries = [partial(_remove, document, spans, gone, headings, way) for way in WAYS_OUT]
    return first_that_passes(document, tries), blocks


def _remove(
    document: Document, spans: Iterable[Span], gone: Collection[int], headings: Collection[int], way: WayOut
) -> Document:
    lines = raw_lines(document)
    after = spliced(document, [way(lines, start, stop) for start, stop in spans])
    gate(document, after, removed=gone, headings_removed=headings)
    return after
