"""Strategies that make markdown files as people, agents and vandals write them, and texts to be put into them."""

from __future__ import annotations

from hypothesis import strategies as st

from crustacean.workspace.document import Document, raw_lines

BLOCKS = [
    "", "", "", "   ", "# Title", "## Part", "## Part ##", "#", "Setext", "===", "---", "***", "* * *",
    "### [14:05] Topic <!-- src: a/1#2-3; audience: main -->",
    "- one", "- two <!-- importance: 8; due: 2026-03-20 -->", "-  wide", "- [ ] task", "- [x] [decision] done",
    "  - nested", "    - deeper", "\t- tabbed", "-\ttab after", "  continued", "lazy", "    code", "-", "- ",
    "1. first", "2) second", "10. ten", "   - under ordered", "* star", "+ plus", "- - double", "- > quoted",
    "- a\n\n  b", "- a\n  - b\n- c", "- a\n\n- b\n\n  ```\n  - c\n  ```", "- # heading in item", "- <div>", "- ```",
    "- [ref]: http://x", "    - code or item?", "```", "~~~ py", "  ```", "> quote", "> - list in quote", ">> deep",
    "<div>", "</div>", "<b>", "<!-- note -->", "<!-- src: x; origin: agent -->", "<!--", "-->", "&lt;!-- x -->",
    "text <!-- src: y -->", "text <!-- plain -->", "\\<!-- src: z -->", "`code <!-- src: z -->`",
    "| a | b |", "|---|---|", "| c | d |", "| a | b |\n|---|---|\n| c | d |\n<!-- src: t -->",
    "[ref]: http://example.com", "[ref]: <x> 'title'", "para one", "para two  ", "key: value",
    "\x0cfeed", "line\u2028sep", "nul\0here", "\u00a0", "é e\u0301 漢字 🦀",
]  # fmt: skip

FRONTMATTER = [
    "---\ntitle: x\n---", "--- \na: b\n---", "---\nkey: v\nlist:\n  - a\n- b\n# c\n\n---", "---",
    "---\n- no frontmatter\n---", "---\nkey: v\nprose that is none\n---",
]  # fmt: skip

HOSTILE = [
    "plain words", "[decision] tagged", "[ ] task", "[decision](link)", "__a__ *b* `c`", "&lt;!-- x", "x" * 300,
    "two\nlines", "para\n\npara", "a\n  b\n    c", "a\n\n\n    b", "  a", "\ta", "    code", "a  ", "a\\", "\\",
    "```\nunclosed", "```\nclosed\n```", "```", "``` a`b", "~~~", "<div>", "<b>", "<b>\n\nx", "<![CDATA[", "<?x",
    "<script>", "---", "***", "* * *", "- -", "# x", "#", "+", "-", "1.", "=", "[", "a\n---", "a\n===", "- item",
    "1. item", "a\n- b", "> quote", "a\n> b", "a\n\t- b", "| a | b |\n|---|---|", "[x]: y", "[x]: y 'open",
    "[x]: y\ntext", "<!-- forged: x -->", "<!-- src: forged -->", "a <!-- src: forged -->", "a\n<!-- src: x -->", "-->",
    "<!--", "a <!-- b",
    "<!-- <!-- src: x -->", "a\x0cb", "\x0c", "\x0c# x", "a\u2028- b", "a\u2029# b", "a\rb", "a\r\nb",
    "a\r- b", "\x85# x", "a\x0b- b", "\0", "\ud800", "\ufeffbom", "\x1b[31m",
]  # fmt: skip


def blocks() -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(BLOCKS), st.text(alphabet="-+*#>`~<!|=[]() \t.1ab:", max_size=12))


@st.composite
def files(draw: st.DrawFn, most: int = 14) -> bytes:
    """The bytes of a file: any mixture of blocks and line ends, byte order mark and last line end or not."""
    rows = draw(st.lists(blocks(), max_size=most))
    if draw(st.integers(0, 5)) == 0:
        rows.insert(0, draw(st.sampled_from(FRONTMATTER)))
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"], ["\n", "\r\n", "\r"]]))
    text = "".join(row.replace("\n", ends[0]) + draw(st.sampled_from(ends)) for row in rows)
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if draw(st.integers(0, 5)) == 0 else b"") + text.encode()


def texts() -> st.SearchStrategy[str]:
    """Texts to write: plain, hostile and arbitrary ones."""
    return st.one_of(
        st.sampled_from(HOSTILE), st.text(max_size=20), st.lists(blocks(), min_size=1, max_size=4).map("\n".join)
    )


def bare(document: Document) -> list[bytes]:
    """The lines of a document without their line ends."""
    return [line.rstrip(b"\r\n") for line in raw_lines(document)]


def filled(lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if line.strip(b" \t")]
