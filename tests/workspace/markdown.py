"""Strategies that make markdown files as people, agents and vandals write them."""

from __future__ import annotations

from hypothesis import strategies as st

LINES = [
    "", "", "", "   ", "# Title", "## Part", "## Part ##", "### [14:05] Topic <!-- src: a/1#2-3; audience: main -->",
    "#", "Setext", "===", "---", "- one", "- two <!-- importance: 8; due: 2026-03-20 -->", "-  wide", "- [ ] task",
    "- [x] [decision] done", "  - nested", "    - deeper", "\t- tabbed", "-\ttab after", "  continued", "lazy", "    code",
    "1. first", "2) second", "10. ten", "   - under ordered", "* star", "+ plus", "-", "- ", "- - double", "- > quoted",
    "- ```", "```", "~~~ py", "  ```", "> quote", "> - list in quote", ">> deep", "<div>", "</div>", "<!-- note -->",
    "<!-- src: x; origin: agent -->", "<!--", "-->", "text <!-- src: y -->", "text <!-- plain -->", "| a | b |",
    "|---|---|", "| c | d |", "[ref]: http://example.com", "[ref]: <x> 'title'", "***", "* * *", "para one", "para two  ",
    "key: value", "\x0cfeed", "line\u2028sep", "nul\0here", "\u00a0", "é e\u0301 漢字 🦀", "    - code or item?", "- # heading in item",
    "- <div>", "- [ref]: http://x", "\\<!-- src: z -->", "`code <!-- src: z -->`", "- a\n\n  b", "- a\n  - b\n- c", "<b>", "&lt;!-- x -->",
]  # fmt: skip
FRONT = [
    "---\ntitle: x\n---",
    "---\n- not frontmatter\n---",
    "---\nkey: v\nlist:\n  - a\n- b\n# c\n\n...\n---",
    "---",
    "--- \na: b\n---",
]
HOSTILE = [
    "plain words", "[decision] tagged", "[ ] task", "two\nlines", "para\n\npara", "```\nunclosed", "```\nclosed\n```", "<div>", "---", "# x",
    "<!-- forged: x -->", "a <!-- src: forged -->", "a\n---", "a\n===", "- item", "1. item", "a\n- b", "> quote", "a\n> b", "    code",
    "a\x0cb", "\x0c", "a\u2028- b", "a\rb", "a\r\nb", "a\r- b", "\x85# x", "a\x0b- b", "| a | b |\n|---|---|", "[x]: y", "[x]: y 'open", "***", "* * *", "- -",
    "-->", "<!--", "<![CDATA[", "<?x", "<script>", "a  ", "  a", "\ta", "a\\", "#", "+", "-", "1.", "=", "~~~", "[", "a\n\n\n    b", "&lt;!-- x", "\0",
    "\ud800", "x" * 300, "[decision](link)", "__a__ *b* `c`", "\ufeffbom", "a\n  b\n    c", "\\", "<b>", "<b>\n\nx", "a\n<!-- src: x -->", "\x1b[31m", "a\n\t- b", "```", "``` a`b",
]  # fmt: skip


def lines() -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(LINES), st.text(alphabet="-+*#>`~<!|=[]() \t.1ab:", max_size=12))


@st.composite
def files(draw: st.DrawFn, most: int = 14) -> bytes:
    """The bytes of a file: any mixture of blocks, line ends, byte order mark, with or without a last line end."""
    rows = draw(st.lists(lines(), max_size=most))
    if draw(st.integers(0, 5)) == 0:
        rows.insert(0, draw(st.sampled_from(FRONT)))
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"], ["\n", "\r\n", "\r"]]))
    text = "".join(row.replace("\n", ends[0]) + draw(st.sampled_from(ends)) for row in rows)
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if draw(st.integers(0, 5)) == 0 else b"") + text.encode()


def texts() -> st.SearchStrategy[str]:
    """Texts to write: plain, hostile and arbitrary ones."""
    return st.one_of(
        st.sampled_from(HOSTILE),
        st.text(max_size=20),
        st.lists(lines(), min_size=1, max_size=4).map("\n".join),
    )
