"""A file is read without losing a byte, and every line of it belongs somewhere."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from crustacean.workspace.document import Document, parse
from tests.workspace.markdown import bare, files


def read(text: str, path: str = "memory/notes/x.md") -> Document:
    return parse(path, text.encode())


def texts(document: Document) -> list[tuple[str, str]]:
    return [(e.kind, e.text) for e in document.entries]


@given(files())
def test_bytes_stay_as_they_are(data: bytes) -> None:
    assert parse("memory/x.md", data).data == data


@given(files())
def test_every_line_with_something_on_it_belongs_to_one_entry_or_heading(data: bytes) -> None:
    document = parse("memory/x.md", data)
    lines = bare(document)
    owners = [0] * len(lines)
    spans = [span for e in document.entries for span in e.own] + [(h.line, h.body) for h in document.headings]
    for start, stop in [*spans, (0, document.body)]:
        for k in range(start, stop):
            owners[k] += 1
    for k, line in enumerate(lines):
        assert owners[k] <= 1
        if line.strip(b" \t"):
            assert owners[k] == 1


@given(files())
def test_children_stand_in_their_parents_and_entries_under_their_headings(data: bytes) -> None:
    document = parse("memory/x.md", data)
    for k, entry in enumerate(document.entries):
        assert entry.own and entry.start <= entry.own[0][0] and entry.own[-1][1] <= entry.stop
        above = [h for h in document.headings if h.line < entry.start]
        assert entry.heading == (above[-1].path if above else ())
        if entry.parent is not None:
            parent = document.entries[entry.parent]
            assert entry.parent < k and parent.start <= entry.start and entry.stop <= parent.stop
            assert entry.depth == parent.depth + 1
    for heading in document.headings:
        assert heading.line < heading.body <= heading.part <= heading.stop <= len(bare(document))


def test_the_kinds_of_blocks() -> None:
    source = (
        "Para\ntwo\n\n- item\n\n| a |\n|---|\n\n```\n- code\n```\n\n    indented\n\n> quote\n> - in it\n\n"
        "<div>\n</div>\n\n"
        "[ref]: http://x\n\n***\n"
    )
    assert texts(read(source)) == [
        ("paragraph", "Para\ntwo"),
        ("item", "item"),
        ("table", "| a |\n|---|"),
        ("code", "```\n- code\n```"),
        ("code", "indented"),
        ("quote", "> quote\n> - in it"),
        ("html", "<div>\n</div>"),
        ("other", "[ref]: http://x"),
        ("other", "***"),
    ]


def test_items_of_any_depth_are_entries_and_own_only_their_own_lines() -> None:
    document = read("- a\n  more\n  - b\n    - c\n\n  para\n- d\n")
    assert [(e.text, e.depth, e.parent, e.own) for e in document.entries] == [
        ("a\nmore\n\npara", 0, None, ((0, 2), (5, 6))),
        ("b", 1, 0, ((2, 3),)),
        ("c", 2, 1, ((3, 4),)),
        ("d", 0, None, ((6, 7),)),
    ]
    assert (document.entries[0].start, document.entries[0].stop) == (0, 6)


def test_lists_of_all_sorts() -> None:
    source = "1. one\n2. two\n   - under\n\n* star\n\n* loose\n\n-\ttab\n\t- in tab\n\n- - double\n"
    assert [(e.text, e.depth) for e in read(source).entries] == [
        ("one", 0), ("two", 0), ("under", 1), ("star", 0), ("loose", 0), ("tab", 0), ("in tab", 1), ("double", 0),
    ]  # fmt: skip


def test_blocks_inside_an_item_are_its_own_text() -> None:
    document = read("- a\n\n  ```\n  - code\n  ```\n\n  > quote\n- b\n")
    assert [e.text for e in document.entries] == ["a\n\n```\n- code\n```\n\n> quote", "b"]


def test_a_lazy_line_belongs_to_the_paragraph_it_goes_on() -> None:
    assert texts(read("- a\nlazy\n> q\nlazy too\n")) == [("item", "a\nlazy"), ("quote", "> q\nlazy too")]


def test_headings_have_paths_parts_and_sections() -> None:
    document = read("# A\n\ntext\n\n## B\n\n- b\n\nC\n===\n\n### D ##\nend")
    assert [(h.level, h.text, h.path, h.line, h.body, h.part, h.stop) for h in document.headings] == [
        (1, "A", ("A",), 0, 1, 4, 8),
        (2, "B", ("A", "B"), 4, 5, 8, 8),
        (1, "C", ("C",), 8, 10, 11, 13),
        (3, "D", ("C", "D"), 11, 12, 13, 13),
    ]
    assert [e.heading for e in document.entries] == [("A",), ("A", "B"), ("C", "D")]


def test_a_heading_in_an_item_or_quote_is_no_heading_of_the_file() -> None:
    document = read("- # x\n> # y\n")
    assert document.headings == ()
    assert texts(document) == [("item", "# x"), ("quote", "> # y")]


def test_comments_are_meta_and_not_text() -> None:
    document = read(
        "### [14:05] Topic <!-- src: a/1#12-18; audience: main; origin: owner -->\n"
        "- [decision] Public ids <!-- importance: 8 -->\n  - why\n- plain <!-- a note -->\n"
    )
    heading, (ids, why, plain) = document.headings[0], document.entries
    assert heading.text == "[14:05] Topic" and heading.meta.src == "a/1#12-18"
    assert (ids.text, ids.meta.importance, ids.meta.src, ids.tag) == ("[decision] Public ids", 8, None, "decision")
    assert ids.effective.src == "a/1#12-18" and ids.effective.origin == "owner"
    assert why.effective.src == "a/1#12-18" and why.effective.importance is None
    assert plain.text == "plain <!-- a note -->" and plain.meta.render() == ""


def test_a_block_that_can_not_end_in_a_comment_has_it_on_the_next_line() -> None:
    document = read(
        "| a |\n|---|\n<!-- src: t -->\n\n```\nx\n```\n<!-- pinned: true -->\n\n> q\n<!-- due: 2026-01-02 -->\n"
    )
    assert [(e.text, e.meta.render()) for e in document.entries] == [
        ("| a |\n|---|", "<!-- src: t -->"),
        ("```\nx\n```", "<!-- pinned: true -->"),
        ("> q", "<!-- due: 2026-01-02 -->"),
    ]


@pytest.mark.parametrize(
    "line",
    ["\\<!-- src: x -->", "`a <!-- src: x -->`", "a <!-- src: x --> b", "<!-- src: x -->", "```\n<!-- src: x -->\n```"],
)
def test_what_only_looks_like_meta_stays_text(line: str) -> None:
    assert texts(read(f"{line}\n"))[0][1] == line
    assert read(f"{line}\n").entries[0].meta.src is None


def test_check_boxes_and_tags_stay_in_the_text() -> None:
    document = read("- [x] [decision] done\n- [ ] open\n- [Fact] x\n- [idea](link)\n- [other] y\n- plain\n")
    assert [(e.text, e.checked, e.tag) for e in document.entries] == [
        ("[x] [decision] done", True, "decision"),
        ("[ ] open", False, None),
        ("[Fact] x", None, "fact"),
        ("[idea](link)", None, None),
        ("[other] y", None, None),
        ("plain", None, None),
    ]


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("---\ntitle: x\ntags:\n  - a\n- b\n# c\n\n---\ntext\n", 8),
        ("---\ntítulo: x\n---\n", 3),
        ("---\ntitle: x\n", 0),
        ("---\n- a\n---\n", 0),
        ("---\n\n---\n", 0),
        ("---\nNote: this\nis prose.\n---\n", 0),
        ("text\n---\na: b\n---\n", 0),
    ],
)
def test_frontmatter_holds_no_entries(source: str, body: int) -> None:
    document = read(source)
    assert document.body == body
    assert all(e.start >= body for e in document.entries)


def test_line_ends_and_byte_order_mark() -> None:
    document = parse("x.md", b"\xef\xbb\xbf# A\r\n\r\n- a\r- b\n- c")
    assert document.bom and document.newline == "\r\n"
    assert document.headings[0].text == "A"
    assert [(e.text, e.line) for e in document.entries] == [("a", 3), ("b", 4), ("c", 5)]


def test_form_feeds_and_unicode_separators_end_no_line() -> None:
    assert texts(read("a\x0c- b\u2028# c\u0085- d\x0b- e\n")) == [("paragraph", "a\x0c- b\u2028# c\u0085- d\x0b- e")]


def test_invalid_utf8_is_reported_and_has_no_entries() -> None:
    document = parse("x.md", b"# A\n\n- a \xff b\n")
    assert document.problem == "not UTF-8 at byte 9"
    assert document.entries == () and document.headings == ()
    assert document.data == b"# A\n\n- a \xff b\n"


def test_birth_and_subject_make_the_id() -> None:
    same = "- Paid rent 540 EUR\n"
    days = [parse(f"memory/2026-0{m}-01.md", same.encode()).entries[0] for m in (1, 2)]
    assert days[0].birth == "2026-01-01" and days[0].id != days[1].id
    archived = parse("archive/daily/2026-01/2026-01-01.md", same.encode()).entries[0]
    assert archived.id == days[0].id
    contacts = [parse(f"memory/contacts/{n}.md", b"- Likes tea\n").entries[0].id for n in ("ana", "ben")]
    assert contacts[0] != contacts[1]
    observed = parse("memory/notes/x.md", b"- Paid rent 540 EUR <!-- observed: 2026-01-01 -->\n").entries[0]
    assert (observed.birth, observed.id) == ("2026-01-01", days[0].id)
    under = read("- A\n  - Status: done\n- B\n  - Status: done\n")
    assert under.entries[1].id != under.entries[3].id


def test_equal_ids_are_numbered() -> None:
    entries = read("- a\n- **a**\n- b\n- a <!-- note -->\n").entries
    assert [(e.id == entries[0].id, e.n, e.place) for e in entries] == [
        (True, 1, "memory/notes/x.md"),
        (True, 2, "memory/notes/x.md#2"),
        (False, 1, "memory/notes/x.md"),
        (True, 3, "memory/notes/x.md#3"),
    ]


def test_a_claimed_id_is_believed_by_identify_only() -> None:
    data = b"- a <!-- id: 0123456789 -->\n"
    computed = parse("x.md", data).entries[0].id
    seen: list[tuple[str, str, str | None]] = []

    def identify(path: str, computed: str, claimed: str | None) -> str:
        seen.append((path, computed, claimed))
        return claimed or computed

    assert computed != "0123456789"
    assert parse("x.md", data, identify).entries[0].id == "0123456789"
    assert seen == [("x.md", computed, "0123456789")]


MB = 1_000_000
HARD = {
    "one line": "a" * MB,
    "quotes in quotes": ">" * 10_000 + " a\n",
    "lists in lists": "".join("  " * k + "- a\n" for k in range(300)) + "\n# After\n",
    "lists on one line": "- " * 10_000 + "a\n",
    "many items": "- a\n" * 50_000,
    "open fences": "- ```\n" * 20_000,
    "open comments": "<!-- a\n\n" * 50_000,
    "open brackets": "[a\n" * 50_000,
    "open tags": "<a b\n\n" * 50_000,
    "lazy lines": "> a\n" + "b\n" * 50_000,
    "a long parent of many": "- " + "p q *r* " * 60_000 + "\n" + "  - a\n" * 20_000,
    "stars": "*a **b_" * 100_000,
    "comments in a line": "<!-- src: a " * 80_000,
}


@pytest.mark.parametrize("name", HARD)
def test_hard_files_are_read_in_linear_time(name: str) -> None:
    began = time.process_time()
    document = read(HARD[name])
    assert time.process_time() - began < 20
    assert document.problem is None


def test_what_follows_a_list_too_deep_is_still_seen() -> None:
    assert [h.text for h in read(HARD["lists in lists"]).headings] == ["After"]


def test_ordinary_markdown_is_read_at_a_megabyte_a_second() -> None:
    topic = (
        "### [14:05] Choosing the id format <!-- src: openclaw:main/3f2a#12-18; audience: main; origin: owner -->\n\n"
        + "- [decision] Public ids move from UUIDv4 to ULID, for index locality and sorting. <!-- importance: 8 -->\n"
        * 3
        + "\nA paragraph of prose that goes on for a while,\nover two lines.\n\n"
    )
    text = topic * (MB // len(topic))
    best = min(_seconds(text) for _ in range(3))
    assert len(text) / MB / best > 1


def _seconds(text: str) -> float:
    began = time.process_time()
    read(text)
    return time.process_time() - began
