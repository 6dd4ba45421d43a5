"""Entries and headings: the units of memory, and what their id is made from (docs/entries.md)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from crustacean.text.normalise import normalise
from crustacean.workspace.blocks import LINE_END, is_blank
from crustacean.workspace.meta import Meta, parse_meta

Kind = Literal["item", "paragraph", "table", "code", "quote", "html", "other"]
Span = tuple[int, int]

TAGS: Final = (
    "decision", "preference", "fact", "person", "plan", "promise", "reminder", "idea", "lesson", "correction",
    "feeling", "joke", "quote",
)  # fmt: skip

_BOX = re.compile(r"\[([ xX])\](?=[ \t\n]|\Z)[ \t]*")
_TAG = re.compile(rf"\[({'|'.join(TAGS)})\](?![(\[])", re.IGNORECASE)
_MARKER = re.compile(r"([-+*]|[0-9]{1,9}[.)])")
_SPACES = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Seat:
    """Where an entry's comment stands, or would stand.

    line: the line it ends (`own_line` False), or the line it is or would be alone (True). start: the character of that
    line, byte order mark not counted, at which it begins, None where there is none.
    """

    line: int
    own_line: bool
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at the root of a file.

    text: without marks and comment. path: the texts of the headings it stands under, and its own. line, body: its
    first line and the line after its own lines. part: the line after its own part (at the next heading of any level).
    stop: the line after its section (at the next heading of its level or above). meta: its own; effective: with what
    the headings above say.
    """

    level: int
    text: str
    path: tuple[str, ...]
    line: int
    body: int
    part: int
    stop: int
    meta: Meta
    effective: Meta


@dataclass(frozen=True, slots=True)
class Entry:
    """A block of a file, or a list item of any depth.

    id: as `identify` said (see document.parse). n: 1-based among the entries of that id in the file.
    text: its own text, dedented; marker, comment and children are not in it. start, stop: its lines with its children
    (0-based, stop exclusive, no blank lines at the ends). own: the lines of its own text; () never occurs.
    heading: the path of the heading it stands under. parent: index of the entry whose list it stands in. depth: how
    many entries it stands in. meta: its own comment; effective: with what is inherited. tag: "decision" for text that
    begins with [decision]. checked: state of a leading check box. birth: see entry_id.
    inset, indent: in its first own line, the characters before its text and the column (tab stops of 4) of its text.
    seat: where its comment is or goes.
    """

    id: str
    path: str
    n: int
    kind: Kind
    text: str
    start: int
    stop: int
    own: tuple[Span, ...]
    heading: tuple[str, ...]
    parent: int | None
    depth: int
    meta: Meta
    effective: Meta
    tag: str | None
    checked: bool | None
    birth: str
    inset: int
    indent: int
    seat: Seat

    @property
    def line(self) -> int:
        """Its first line, counted from 1, as editors do."""
        return self.own[0][0] + 1

    @property
    def place(self) -> str:
        """The path, with `#n` where its id stands there more than once before it."""
        return self.path if self.n == 1 else f"{self.path}#{self.n}"


def entry_id(birth: str, subject: str, parent_text: str, text: str) -> str:
    """The first 10 hex digits of BLAKE2b over birth, subject, parent's own text and text (both normalised).

    birth: `observed` as written, else the day of the daily log, else "". subject: the node of the file, else "".
    """
    return id_below(id_prefix(birth, subject, parent_text), text)


def id_prefix(birth: str, subject: str, parent_text: str) -> hashlib.blake2b:
    """What the ids of all children of an entry have in common, hashed once."""
    return hashlib.blake2b("\x1f".join([birth, subject, normalise(parent_text), ""]).encode())


def id_below(prefix: hashlib.blake2b, text: str) -> str:
    whole = prefix.copy()
    whole.update(normalise(text).encode())
    return whole.hexdigest()[:10]


def tidy(text: str) -> str:
    """A text in the form in which Entry.text gives it: `\\n` line ends, white space lines empty, none at the ends."""
    lines = LINE_END.split(text)
    return "\n".join("" if is_blank(line) else line for line in lines).strip(" \t\n")


def tag_of(text: str) -> str | None:
    """The tag at the start of a text, after its check box if it has one."""
    if not text.startswith("["):
        return None
    box = _BOX.match(text)
    found = _TAG.match(text, box.end() if box else 0)
    return found[1].lower() if found else None


def checked_of(text: str) -> bool | None:
    """Whether the check box at the start of a text is ticked, None without one."""
    box = _BOX.match(text) if text.startswith("[") else None
    return None if box is None else box[1] != " "


def columns(line: str, start: int, stop: int, column: int) -> int:
    """The column at character `stop` of a line, `column` being that of `start` (tab stops of 4)."""
    if "\t" not in line[start:stop]:
        return column + stop - start
    for ch in line[start:stop]:
        column += 4 - column % 4 if ch == "\t" else 1
    return column


def dedent(line: str, start: int, column: int, indent: int) -> str:
    """The line from character `start` (standing in `column`) without white space before column `indent`. A tab that
    reaches over it leaves spaces."""
    at = start
    while at < len(line) and column < indent and line[at] in " \t":
        column += 4 - column % 4 if line[at] == "\t" else 1
        at += 1
    return " " * (column - indent) + line[at:] if column > indent else line[at:]


def marker(line: str, start: int, column: int) -> tuple[int, int, int]:
    """Of a list item whose marker is the next after character `start` (in `column`): the character after the marker,
    its column, and the column at which the content of the item is indented (CommonMark 0.31, section 5.2)."""
    spaces = _SPACES.match(line, start)
    at = spaces.end() if spaces else start
    column = columns(line, start, at, column)
    mark = _MARKER.match(line, at)
    after = mark.end() if mark else at
    column += after - at
    gap = _SPACES.match(line, after)
    text = gap.end() if gap else after
    width = columns(line, after, text, column) - column
    if text == len(line) or width > 4:
        width = 1
    return after, column, column + width


def trailing_comment(line: str) -> tuple[int, Meta] | None:
    """Where the comment at the end of a line begins and what it says; None without one that is meta."""
    end = line.rstrip(" \t")
    if not end.endswith("-->"):
        return None
    start = end.rfind("<!--")
    if start < 0:
        return None
    slashes = start - len(line[:start].rstrip("\\"))
    found = parse_meta(end[start:]) if slashes % 2 == 0 else None
    return None if found is None else (start, found)


def own_spans(start: int, stop: int, children: Sequence[Span], lines: Sequence[str]) -> tuple[Span, ...]:
    """What [start, stop) holds beside its children, without blank lines at the ends of each stretch."""
    spans: list[Span] = []
    at = start
    for first, last in [*children, (stop, stop)]:
        low, high = at, first
        while low < high and is_blank(lines[low]):
            low += 1
        while high > low and is_blank(lines[high - 1]):
            high -= 1
        if low < high:
            spans.append((low, high))
        at = max(at, last)
    return tuple(spans)
