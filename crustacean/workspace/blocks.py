"""The blocks of a markdown text, by markdown-it-py's block rules: where each heading, list item and block stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

    Rule = Callable[[StateBlock, int, int, bool], bool]

LINE_END: Final = re.compile(r"\r\n?|\n")
"""What ends a line for markdown-it; form feeds and U+2028 do not."""

_DEEPEST: Final = 100  # levels of tokens: 50 nested lists
_DEEPEST_QUOTE: Final = 12
_KINDS: Final = {
    "paragraph_open": "paragraph", "fence": "code", "code_block": "code", "html_block": "html", "table_open": "table",
    "blockquote_open": "quote", "hr": "other", "heading_open": "heading",
}  # fmt: skip


@dataclass(slots=True)
class Block:
    """A heading, a list item or another block, as lines [start, stop) without blank lines at the end.

    kind: heading, item, paragraph, table, code, quote, html, other. level, text: of a heading. indented: code without
    a fence. dropped: lines that no rule gives a token for. parts: the blocks directly in an item, lists left out.
    children: the items of the lists in an item.
    """

    kind: str
    start: int
    stop: int
    level: int = 0
    text: str = ""
    indented: bool = False
    dropped: bool = False
    parts: list[Block] = field(default_factory=list)
    children: list[Block] = field(default_factory=list)


def is_blank(line: str) -> bool:
    return not line.strip(" \t")


def _shallow(rule: Rule, deepest: int) -> Rule:
    """A container rule that takes markers below a depth for text: markdown-it's own limit drops all that follows."""

    def limited(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < deepest and rule(state, start, end, silent)

    return limited


@cache
def _parser() -> MarkdownIt:
    from markdown_it.rules_block import blockquote, list_block

    md = MarkdownIt("commonmark", {"maxNesting": 4 * _DEEPEST}).enable("table")
    md.core.ruler.enableOnly(["normalize", "block"])
    paragraphs = ["paragraph", "reference", "blockquote"]
    md.block.ruler.at("blockquote", _shallow(blockquote, _DEEPEST_QUOTE), {"alt": [*paragraphs, "list"]})
    md.block.ruler.at("list", _shallow(list_block, _DEEPEST), {"alt": paragraphs})
    return md


def scan(text: str, lines: list[str]) -> list[Block]:
    """The root blocks of a text in order: headings, items of root lists, and other blocks. Non-blank lines that no rule
    gives a token for (link reference definitions) come as blocks of kind "other".

    lines: the text split at LINE_END. Linear in the text, at most 150 frames deep.
    """
    root: list[Block] = []
    _walk(_parser().parse(text), lines, root)
    return _with_dropped_lines(root, lines)


def _walk(tokens: list[Token], lines: list[str], root: list[Block]) -> None:
    items: list[Block] = []
    skip_until = -1  # the level at which a quote or table that is taken whole closes
    for k, token in enumerate(tokens):
        if skip_until >= 0:
            if token.nesting < 0 and token.level == skip_until:
                skip_until = -1
            continue
        kind = token.type
        if kind == "list_item_open":
            block = _block("item", token, lines)
            (items[-1].children if items else root).append(block)
            items.append(block)
        elif kind == "list_item_close":
            items.pop()
        elif kind in _KINDS:
            block = _block(_KINDS[kind], token, lines)
            if kind == "heading_open":
                block.level, block.text = int(token.tag[1]), tokens[k + 1].content
            elif kind == "code_block":
                block.indented = True
            (items[-1].parts if items else root).append(block)
            if kind in ("blockquote_open", "table_open"):
                skip_until = token.level


def _block(kind: str, token: Token, lines: list[str]) -> Block:
    start, stop = token.map or (0, 0)
    stop = min(stop, len(lines))
    while stop > start + 1 and is_blank(lines[stop - 1]):
        stop -= 1
    return Block(kind, start, stop)


def _with_dropped_lines(root: list[Block], lines: list[str]) -> list[Block]:
    out: list[Block] = []
    at = 0
    for block in [*root, Block("end", len(lines), len(lines))]:
        while at < block.start:
            if is_blank(lines[at]):
                at += 1
                continue
            start = at
            while at < block.start and not is_blank(lines[at]):
                at += 1
            out.append(Block("other", start, at, dropped=True))
        out.append(block)
        at = max(at, block.stop)
    return out[:-1]
