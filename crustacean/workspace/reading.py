"""From blocks to headings and entries: what belongs to what, what it says, what it inherits."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from crustacean.workspace import layout
from crustacean.workspace.blocks import LINE_END, Block, is_blank
from crustacean.workspace.entries import (
    Entry,
    Heading,
    Kind,
    Seat,
    Span,
    checked_of,
    columns,
    dedent,
    id_below,
    id_prefix,
    marker,
    own_spans,
    tag_of,
    trailing_comment,
)  # fmt: skip
from crustacean.workspace.meta import EMPTY, Meta

Identify = Callable[[str, str, str | None], str]


class Reading:
    """One pass down the blocks of a file; holds the heading and what is inherited where it is.

    path: the workspace path. lines: of the text, frontmatter blanked. identify: see document.parse.
    """

    def __init__(self, path: str, lines: list[str], identify: Identify | None) -> None:
        self.path = path
        self.lines = lines
        self.identify = identify
        day = layout.day_of(path)
        self.day = day.isoformat() if day else ""
        self.subject = layout.subject_of(path)
        self.entries: list[Entry] = []
        self.seen: Counter[str] = Counter()
        self.prefixes: dict[tuple[int | None, str], hashlib.blake2b] = {}
        self.heading: tuple[str, ...] = ()
        self.inherited = EMPTY

    def read(self, blocks: list[Block]) -> tuple[tuple[Heading, ...], tuple[Entry, ...]]:
        headings = _headings([b for b in blocks if b.kind == "heading"], len(self.lines))
        above = iter(headings)
        k = 0
        while k < len(blocks):
            block = blocks[k]
            k += 1
            if block.kind == "heading":
                heading = next(above)
                self.heading, self.inherited = heading.path, heading.effective
            elif block.kind == "item":
                self._item(block, None, self.inherited, None)
            else:
                comment = blocks[k] if k < len(blocks) and self._is_comment_of(blocks[k], block) else None
                k += comment is not None
                self._block(block, comment)
        return tuple(headings), tuple(self.entries)

    def _block(self, block: Block, comment: Block | None) -> None:
        line = self.lines[block.start]
        inset = 0 if block.indented else len(line) - len(line.lstrip(" \t"))
        indent = 4 if block.indented else columns(line, 0, inset, 0)
        seat, meta = self._seat(block, comment)
        spans = ((block.start, comment.stop if comment else block.stop),)
        text = self._text(spans, seat, dedent(line, 0, 0, indent), indent).rstrip(" \t")
        self._add(block, spans, text, None, self.inherited, meta, seat, inset, indent)

    def _item(self, block: Block, parent: int | None, inherited: Meta, after: Span | None) -> None:
        """A list item and its children. after: the character and column behind the marker of the item around it, where
        that stands on the same line."""
        line = self.lines[block.start]
        at, column, indent = marker(line, *(after or (0, 0)))
        spans = own_spans(block.start, block.stop, [(c.start, c.stop) for c in block.children], self.lines)
        if spans:
            begins = spans[0][0] == block.start
            first = dedent(line, at, column, indent) if begins else dedent(self.lines[spans[0][0]], 0, 0, indent)
            seat, meta = self._item_seat(block, spans, is_blank(first))
            text = self._text(spans, seat, first, indent).strip(" \t\n")
            inset = len(line) - len(first) if begins and first and line.endswith(first) else at
            parent = self._add(block, spans, text, parent, inherited, meta, seat, inset, indent)
            inherited = self.entries[parent].effective
        for child in block.children:
            self._item(child, parent, inherited, (at, column) if child.start == block.start else None)

    def _is_comment_of(self, block: Block, before: Block) -> bool:
        """Whether a block is only the comment, on a line of its own, of the block directly before it."""
        if block.kind != "html" or block.start != before.stop or block.stop != block.start + 1:
            return False
        found = trailing_comment(self.lines[block.start])
        return found is not None and is_blank(self.lines[block.start][: found[0]])

    def _seat(self, block: Block, comment: Block | None) -> tuple[Seat, Meta]:
        """Where the comment of a block is or goes, and what it says."""
        if comment is not None:
            found = trailing_comment(self.lines[comment.start])
            return (Seat(comment.start, True, found[0]), found[1]) if found else (Seat(comment.start, True), EMPTY)
        if block.kind not in ("paragraph", "html"):
            return Seat(block.stop, True), EMPTY
        last = block.stop - 1
        found = trailing_comment(self.lines[last])
        if found and not (last == block.start and is_blank(self.lines[last][: found[0]])):
            return Seat(last, False, found[0]), found[1]
        return Seat(last, False), EMPTY

    def _item_seat(self, block: Block, spans: tuple[Span, ...], empty: bool) -> tuple[Seat, Meta]:
        parts = block.parts
        if not parts:  # only link reference definitions, or nothing at all
            return (Seat(spans[0][0], False) if empty else Seat(spans[0][1], True)), EMPTY
        first = spans[0][0]
        if first < parts[0].start < spans[0][1]:  # link reference definitions come before it
            dropped = Block("other", first, parts[0].start)
            if self._is_comment_of(parts[0], dropped) and not is_blank(self.lines[parts[0].start - 1]):
                return self._seat(dropped, parts[0])
        comment = parts[1] if len(parts) > 1 and self._is_comment_of(parts[1], parts[0]) else None
        return self._seat(parts[0], comment)

    def _text(self, spans: tuple[Span, ...], seat: Seat, first: str, indent: int) -> str:
        """Own text: `first` for the first line, the others dedented, the comment away."""
        parts: list[str] = []
        for low, high in spans:
            rows: list[str] = []
            for k in range(low, high):
                row = first if k == spans[0][0] else dedent(self.lines[k], 0, 0, indent)
                if k == seat.line and seat.start is not None:
                    if seat.own_line:
                        continue
                    row = row[: len(row) - (len(self.lines[k]) - seat.start)].rstrip(" \t")
                rows.append("" if is_blank(row) else row)
            parts.append("\n".join(rows))
        return "\n\n".join(parts).strip("\n")

    def _add(
        self,
        block: Block,
        own: tuple[Span, ...],
        text: str,
        parent: int | None,
        inherited: Meta,
        meta: Meta,
        seat: Seat,
        inset: int,
        indent: int,
    ) -> int:
        above = None if parent is None else self.entries[parent]
        effective = meta.over(inherited)
        birth = effective.observed or self.day
        prefix = self.prefixes.get((parent, birth))
        if prefix is None:
            prefix = self.prefixes[parent, birth] = id_prefix(birth, self.subject, above.text if above else "")
        known = id_below(prefix, text)
        if self.identify is not None:
            known = self.identify(self.path, known, meta.id)
        self.seen[known] += 1
        self.entries.append(
            Entry(
                id=known,
                path=self.path,
                n=self.seen[known],
                kind=cast("Kind", block.kind),
                text=text,
                start=block.start,
                stop=max(block.stop, own[-1][1]),
                own=own,
                heading=self.heading,
                parent=parent,
                depth=above.depth + 1 if above else 0,
                meta=meta,
                effective=effective,
                tag=tag_of(text),
                checked=checked_of(text),
                birth=birth,
                inset=inset,
                indent=indent,
                seat=seat,
            )
        )
        return len(self.entries) - 1


def _headings(blocks: list[Block], end: int) -> list[Heading]:
    out: list[Heading] = []
    open_: list[int] = []
    for k, block in enumerate(blocks):
        found = trailing_comment(block.text)
        text = " ".join(LINE_END.split(block.text[: found[0]].rstrip(" \t") if found else block.text))
        while open_ and out[open_[-1]].level >= block.level:
            j = open_.pop()
            out[j] = replace(out[j], stop=block.start)
        above = out[open_[-1]] if open_ else None
        meta = found[1] if found else EMPTY
        part = blocks[k + 1].start if k + 1 < len(blocks) else end
        path = (*above.path, text) if above else (text,)
        effective = meta.over(above.effective) if above else meta
        open_.append(len(out))
        out.append(Heading(block.level, text, path, block.start, block.stop, part, end, meta, effective))
    return out
