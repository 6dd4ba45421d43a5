"""Lines put into and taken out of a document: the text of others as lines of an item, blank lines, line ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from crustacean.errors import EditRefused
from crustacean.workspace.blocks import scan
from crustacean.workspace.document import BOM, Document, parse, raw_lines
from crustacean.workspace.entries import tidy
from crustacean.workspace.meta import parse_meta

T = TypeVar("T")

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Splice:
    """Lines [start, stop) become `lines` (bytes with line ends)."""

    start: int
    stop: int
    lines: tuple[bytes, ...] = ()


def spliced(document: Document, splices: Sequence[Splice]) -> Document:
    """The document with its lines changed; splices must not overlap. All other bytes stay, but that a last line without
    a line end gains one where something follows it."""
    lines = raw_lines(document)
    end = document.newline.encode()
    for splice in sorted(splices, key=lambda s: s.start, reverse=True):
        lines[splice.start : splice.stop] = splice.lines
    for k in range(len(lines) - 1):
        if not lines[k].endswith((b"\n", b"\r")):
            lines[k] += end
        if lines[k].endswith(b"\r") and lines[k + 1].startswith(b"\n"):
            lines[k + 1] = b" " + lines[k + 1]  # else the two would be one line end
    data = (BOM if document.bom else b"") + b"".join(lines)
    return parse(document.path, data, document.identify)


def checked_text(text: str, known: str = "") -> str:
    """A text as an entry would give it back (see entries.tidy). `known` is text that already stands there: what it
    holds may stay. Raises EditRefused for an empty text, control characters, half surrogate pairs, an HTML comment that
    is not closed or could ever be read as one of crab's (texts of others are neutralised before they come here)."""
    text = tidy(text)
    if not text:
        raise EditRefused("the text is empty")
    old = set(_comments(known))
    if any(c not in old and (not c.endswith("-->") or parse_meta(c)) for c in _comments(text)):
        raise EditRefused("the text holds an HTML comment that is open or reads like crab's own")
    if set(_CONTROL.findall(text)) - set(_CONTROL.findall(known)):
        raise EditRefused("the text holds control characters")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EditRefused("the text holds half a surrogate pair") from None
    return text


def _comments(text: str) -> Iterator[str]:
    """Each `<!-- ... -->`, also one that begins inside another; `<!--` alone for one that is not closed."""
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        stop = text.find("-->", start + 4)
        if stop < 0:
            yield "<!--"
            return
        inner = text.rfind("<!--", start, stop)
        yield text[inner : stop + 3]
        if inner > start:
            yield "<!--"
        at = stop + 3


def with_comment(text: str, comment: str, *, below: bool = False) -> list[str]:
    """The lines of an entry's text with its comment: at the end of the first block where that is a paragraph or HTML
    (unless `below`), else on the line after it."""
    rows = text.split("\n")
    if not comment:
        return rows
    parts = [b for b in scan(text, rows) if b.kind != "item" and not b.dropped]
    if not below and parts and parts[0].kind in ("paragraph", "html"):
        last = parts[0].stop - 1
        rows[last] = rows[last].rstrip(" \t") + " " + comment
    else:
        rows.insert(parts[0].stop if parts else len(rows), comment)
    return rows


def ways_with_comment(text: str, comment: str) -> list[list[str]]:
    """The ways to write a text with its comment, tidiest first; the gate decides which will do (a lone `<b>` is HTML
    only as long as nothing follows it on its line)."""
    return [with_comment(text, comment, below=below) for below in ((False, True) if comment else (False,))]


def encoded(rows: Sequence[str], first: str, others: str, newline: str) -> tuple[bytes, ...]:
    """Lines of bytes: `first` stands before the first row, `others` before each other one that is not blank."""
    out: list[bytes] = []
    for k, row in enumerate(rows):
        before = first if k == 0 else others if row else ""
        out.append(f"{before}{row}{newline}".encode())
    return tuple(out)


def blank(line: bytes) -> bool:
    return not line.strip(b" \t\r\n")


def tail(lines: Sequence[bytes], low: int, high: int) -> int:
    """The line after the last non-blank one in [low, high); `low` where there is none."""
    while high > low and blank(lines[high - 1]):
        high -= 1
    return high


def opening(document: Document, low: int, high: int, rows: Sequence[bytes], *, joined: bool) -> Splice:
    """Where `rows` go at the end of the part [low, high), with a blank line on each side where there is none; `joined`:
    no blank line before them (a list goes on)."""
    lines = raw_lines(document)
    blank_line = document.newline.encode()
    spot = tail(lines, low, high)
    before: list[bytes] = []
    if not joined and spot > 0 and not blank(lines[spot - 1]):
        if spot < len(lines) and spot < high:
            spot += 1  # the blank line that is there
        else:
            before = [blank_line]
    after = [blank_line] if spot < len(lines) and not blank(lines[spot]) else []
    return Splice(spot, spot, (*before, *rows, *after))


def first_that_passes(document: Document, tries: Iterable[Callable[[], T]]) -> T:
    """The first try that is not refused. Raises the last refusal, and EditRefused for a file that can't be read."""
    if document.problem:
        raise EditRefused(f"{document.path} can't be read: {document.problem}")
    refusal = EditRefused("there is nowhere to put it")
    for attempt in tries:
        try:
            return attempt()
        except EditRefused as err:
            refusal = err
    raise refusal


WayOut = Callable[[Sequence[bytes], int, int], Splice]


def _with_blank_lines(lines: Sequence[bytes], start: int, stop: int) -> Splice:
    """Out with the blank lines after it where one stands before it, and with those before it at the end of the file."""
    after = stop
    while after < len(lines) and blank(lines[after]):
        after += 1
    if after == len(lines):
        return Splice(tail(lines, 0, start), after)
    return Splice(start, after if start == 0 or blank(lines[start - 1]) else stop)


def _exactly(lines: Sequence[bytes], start: int, stop: int) -> Splice:
    return Splice(start, stop)


def _leaving_a_blank_line(lines: Sequence[bytes], start: int, stop: int) -> Splice:
    return Splice(start, stop, (b"\r\n" if lines[start].endswith(b"\r\n") else b"\n",))


WAYS_OUT: Final[tuple[WayOut, ...]] = (_with_blank_lines, _exactly, _leaving_a_blank_line)
"""How lines are taken out, tidiest first; the gate decides which will do."""
