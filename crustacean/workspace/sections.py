"""Headings and their parts: where things go, and whole blocks and sections moved byte for byte."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from crustacean.errors import EditRefused
from crustacean.workspace.document import Document, parse, raw_lines
from crustacean.workspace.entries import Entry, Heading, columns, dedent
from crustacean.workspace.gate import gate
from crustacean.workspace.meta import EMPTY, Meta
from crustacean.workspace.splice import (
    WAYS_OUT,
    Splice,
    WayOut,
    blank,
    checked_text,
    first_that_passes,
    opening,
    spliced,
    tail,
)  # fmt: skip

DEEPEST = 6


def find(document: Document, path: Sequence[str]) -> Heading | None:
    """The first heading with that path of texts, None without one."""
    wanted = tuple(path)
    return next((h for h in document.headings if h.path == wanted), None)


@dataclass(frozen=True, slots=True)
class Home:
    """Where text goes: at the end of lines [low, high), under `path`, after `rows` (new headings and blank lines).

    inherited: what holds there. metas: own meta of each new heading.
    """

    path: tuple[str, ...]
    low: int
    high: int
    inherited: Meta
    rows: tuple[bytes, ...] = ()
    metas: tuple[Meta, ...] = ()

    def made(self, after: Document, splice: Splice) -> list[int]:
        """The indices of the new headings of `path`."""
        return headings_within(after, splice)[: len(self.metas)]

    def check(self, after: Document, splice: Splice) -> None:
        """Raise EditRefused unless the new headings are what was to be made."""
        made = self.made(after, splice)
        first = len(self.path) - len(self.metas) + 1
        wanted = [(self.path[: first + k], meta) for k, meta in enumerate(self.metas)]
        if [(after.headings[k].path, after.headings[k].meta) for k in made] != wanted:
            raise EditRefused(f"the heading {self.path[-1]!r} would not stand where it should")


def headings_within(document: Document, splice: Splice) -> list[int]:
    """Indices of the headings in the lines put in."""
    stop = splice.start + len(splice.lines)
    return [k for k, h in enumerate(document.headings) if splice.start <= h.line < stop]


def entries_within(document: Document, splice: Splice) -> list[int]:
    """Indices of the entries whose text begins in the lines put in."""
    stop = splice.start + len(splice.lines)
    return [k for k, e in enumerate(document.entries) if splice.start <= e.own[0][0] < stop]


def part_of(document: Document, heading: Heading | None) -> tuple[int, int]:
    """The lines of a heading's own part; for None, of the part before the first heading."""
    if heading is not None:
        return heading.body, heading.part
    return document.body, document.headings[0].line if document.headings else len(raw_lines(document))


def home_of(
    document: Document, under: tuple[str, ...], meta: Meta = EMPTY, level: int | None = None, at: int | None = None
) -> Home:
    """Where new entries under a heading go; the heading is made where it is absent (see rewrite.append)."""
    heading = find(document, under)
    if heading is not None or not under:
        low, high = part_of(document, heading)
        return Home(under, low, high, heading.effective if heading else EMPTY)
    known = next(n for n in range(len(under) - 1, -1, -1) if n == 0 or find(document, under[:n]))
    above = find(document, under[:known])
    low = above.body if above else document.body
    high = at if at is not None else above.stop if above else len(raw_lines(document))
    if not low <= high <= len(raw_lines(document)):
        raise EditRefused(f"line {high + 1} is outside the section the heading belongs to")
    inherited = above.effective if above else EMPTY
    own = meta.beyond(inherited)
    metas = (*[EMPTY] * (len(under) - known - 1), own)
    rows: list[bytes] = []
    for k, (text, each) in enumerate(zip(under[known:], metas, strict=True)):
        last = known + k + 1 == len(under)
        depth = level if last and level is not None else (above.level if above else 0) + k + 1
        rows += _heading_rows(text, each, depth, document.newline)
    return Home(under, low, high, own.over(inherited), tuple(rows), metas)


def _heading_rows(text: str, meta: Meta, level: int, newline: str) -> list[bytes]:
    if not 1 <= level <= DEEPEST:
        raise EditRefused(f"a heading of level {level} does not exist")
    if checked_text(text) != text or "\n" in text:
        raise EditRefused("a heading is one line without white space at its ends")
    comment = meta.render()
    line = f"{'#' * level} {text}{' ' if comment else ''}{comment}{newline}"
    return [line.encode(), newline.encode()]


def whole_headings(document: Document, gone: Collection[int]) -> set[int]:
    """Indices of the headings whose own part holds only entries of `gone`, at least one, and that have none below."""
    out: set[int] = set()
    for k, heading in enumerate(document.headings):
        inside = range(_first_from(document, heading.body), _first_from(document, heading.part))
        if inside and heading.part == heading.stop and set(inside) <= set(gone):
            out.add(k)
    return out


def _first_from(document: Document, line: int) -> int:
    """The index of the first entry that begins at or after a line."""
    return bisect_left(document.entries, line, key=lambda e: e.start)


def index_of(document: Document, entry: Entry) -> int:
    """The entry's index. Raises EditRefused where the document does not hold it (it is of another version)."""
    for k in range(_first_from(document, entry.start), len(document.entries)):
        if document.entries[k] == entry:
            return k
        if document.entries[k].start > entry.start:
            break
    raise EditRefused("the entry is not in this version of the file")


def lift(document: Document, entry: Entry) -> bytes:
    """An entry with its children as bytes that can stand alone: only the indentation of its first line is gone from
    each of its lines. Raises EditRefused where its first line belongs to an item around it."""
    lines = raw_lines(document)
    first = lines[entry.start].decode()
    inset = len(first) - len(first.lstrip(" \t"))
    beside = document.entries[_first_from(document, entry.start) : _first_from(document, entry.start + 1)]
    if beside[0] != entry:
        raise EditRefused(f"line {entry.line} belongs to more than one item")
    if entry.kind != "item" or not inset:
        return b"".join(lines[entry.start : entry.stop])
    indent = columns(first, 0, inset, 0)
    return b"".join(dedent(line.decode(), 0, 0, indent).encode() for line in lines[entry.start : entry.stop])


def take(document: Document, heading: Heading) -> tuple[Document, bytes]:
    """Take a whole section out. Returns the document without it and its bytes, blank lines at the end left out."""
    lines = raw_lines(document)
    if heading not in document.headings:
        raise EditRefused("the heading is not in this version of the file")
    stop = tail(lines, heading.line, heading.stop)
    inside = range(heading.line, heading.stop)
    entries = {k for k, e in enumerate(document.entries) if e.start in inside}
    headings = {k for k, h in enumerate(document.headings) if h.line in inside}

    def attempt(way: WayOut) -> Document:
        after = spliced(document, [way(lines, heading.line, stop)])
        gate(document, after, removed=entries, headings_removed=headings)
        return after

    return first_that_passes(document, [partial(attempt, way) for way in WAYS_OUT]), b"".join(
        lines[heading.line : stop]
    )


def insert(document: Document, block: bytes, *, under: tuple[str, ...], level: int | None = None) -> Document:
    """Put a block (entries, or a section with its heading) in, byte for byte, at the end of a heading's own part, or
    for a section at the end of that heading's section. The heading is made (at `level`) where it is absent. A last line
    of the block without a line end gains one."""
    # A blank line first, so that a block that begins with a rule is not read as frontmatter.
    given = parse(document.path, b"\n" + block)
    if given.problem:
        raise EditRefused(f"what is to be put in can't be read: {given.problem}")
    lines = raw_lines(given)[1:]
    while lines and blank(lines[0]):
        lines.pop(0)
    del lines[tail(lines, 0, len(lines)) :]
    if not lines:
        raise EditRefused("there is nothing to put in")
    if not lines[-1].endswith((b"\n", b"\r")):
        lines[-1] += document.newline.encode()
    home = home_of(document, under, EMPTY, level)
    if given.headings and not (given.entries and given.entries[0].start < given.headings[0].line):
        heading = find(document, under)
        low, high = home.low, heading.stop if heading else len(raw_lines(document))
        home = Home(home.path, low, high, home.inherited, home.rows, home.metas)
    joins = [True, False] if not home.rows and given.entries and given.entries[0].kind == "item" else [False]
    return first_that_passes(document, [partial(_insert, document, home, given, lines, joined) for joined in joins])


def _insert(document: Document, home: Home, given: Document, lines: Sequence[bytes], joined: bool) -> Document:
    if joined and not _ends_in_item(document, home):
        raise EditRefused("there is no list to go on with")
    splice = opening(document, home.low, home.high, (*home.rows, *lines), joined=joined)
    after = spliced(document, [splice])
    added, new = entries_within(after, splice), headings_within(after, splice)
    gate(document, after, added=added, headings_added=new)
    home.check(after, splice)
    wanted = [(e.kind, e.text, e.meta, (*home.path, *e.heading), e.depth) for e in given.entries]
    found = [(e.kind, e.text, e.meta, e.heading, e.depth) for e in (after.entries[k] for k in added)]
    paths = [((*home.path, *h.path), h.meta) for h in given.headings]
    if found != wanted or [(after.headings[k].path, after.headings[k].meta) for k in new[len(home.metas) :]] != paths:
        raise EditRefused("the block would not be read there as it was")
    return after


def _ends_in_item(document: Document, home: Home) -> bool:
    end = tail(raw_lines(document), home.low, home.high)
    return any(e.kind == "item" and e.depth == 0 and e.stop == end for e in document.entries)
