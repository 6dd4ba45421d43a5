"""A markdown file as crab sees it: its bytes, unchanged, and the headings and entries in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from crustacean.workspace.blocks import LINE_END, is_blank, scan
from crustacean.workspace.entries import Entry, Heading
from crustacean.workspace.reading import Identify, Reading

BOM: Final = b"\xef\xbb\xbf"
_FENCE = re.compile(r"-{3,}[ \t]*\Z")
_YAML_KEY = re.compile(r"[\w\"'][^:]*:(?:[ \t]|\Z)")


@dataclass(frozen=True, slots=True)
class Document:
    """A file and what stands in it. `problem` is set where it can't be read as markdown: then it has no headings and no
    entries, and no edit is accepted.

    data: the file, byte for byte. newline: the line end that most of its lines have. body: the first line after the
    frontmatter. headings, entries: in the order of the file; an entry comes before its children.
    """

    path: str
    data: bytes
    problem: str | None
    headings: tuple[Heading, ...]
    entries: tuple[Entry, ...]
    newline: str
    bom: bool
    body: int = 0
    identify: Identify | None = field(default=None, compare=False, repr=False)


def raw_lines(document: Document) -> list[bytes]:
    """The lines with their line ends, byte order mark left out: line numbers of entries count these."""
    return document.data[len(BOM) if document.bom else 0 :].splitlines(keepends=True)


def parse(path: str, data: bytes, identify: Identify | None = None) -> Document:
    """The document of a file's bytes. Never raises for its content.

    path: the workspace path, which gives its entries their subject and birth.
    identify: (path, computed id, claimed id or None) -> id. The default takes the computed one.
    """
    bom = data.startswith(BOM)
    crlf = data.count(b"\r\n")
    newline = "\r\n" if 2 * crlf > data.count(b"\n") else "\n"
    try:
        text = data[len(BOM) if bom else 0 :].decode("utf-8")
    except UnicodeDecodeError as err:
        return Document(path, data, f"not UTF-8 at byte {err.start}", (), (), newline, bom, identify=identify)
    text = LINE_END.sub("\n", text).replace("\0", "\ufffd")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    body = _frontmatter(lines)
    if body:
        text = "\n" * body + "\n".join(lines[body:])
        shown = [""] * body + lines[body:]
    else:
        shown = lines
    headings, entries = Reading(path, shown, identify).read(scan(text, shown))
    return Document(path, data, None, headings, entries, newline, bom, body, identify)


def _frontmatter(lines: list[str]) -> int:
    """The line after the frontmatter, 0 without one. A rule of dashes with prose below it is none: only keys, indented
    lines, lists and comments may stand in it."""
    if not lines or not _FENCE.match(lines[0]):
        return 0
    first = True
    for k in range(1, len(lines)):
        line = lines[k]
        if _FENCE.match(line):
            return 0 if first else k + 1
        if is_blank(line) or line.startswith("#"):
            continue
        if not _YAML_KEY.match(line) and (first or not line.startswith((" ", "\t", "- ", "]", "}"))):
            return 0
        first = False
    return 0
