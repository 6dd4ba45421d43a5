"""What an entry is made of: its id, its text, the columns of its marker."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.workspace.entries import (
    checked_of,
    columns,
    dedent,
    entry_id,
    id_below,
    id_prefix,
    marker,
    own_spans,
    tag_of,
    tidy,
    trailing_comment,
)  # fmt: skip
from crustacean.workspace.meta import Meta


def test_the_id_is_blake2b_over_birth_subject_parent_and_text() -> None:
    whole = b"2026-03-20\x1fperson:ana\x1fthe parent\x1fPaid rent 540 EUR"
    expected = hashlib.blake2b(whole).hexdigest()[:10]
    assert entry_id("2026-03-20", "person:ana", " the *parent*", "Paid  rent **540** EUR <!-- x -->") == expected


@given(st.text(max_size=10), st.text(max_size=10), st.text(max_size=10), st.text(max_size=10))
def test_children_share_the_first_part_of_their_hash(birth: str, subject: str, parent: str, text: str) -> None:
    assert id_below(id_prefix(birth, subject, parent), text) == entry_id(birth, subject, parent, text)


def test_check_boxes_strikes_and_targets_make_another_id() -> None:
    texts = ["[ ] a", "[x] a", "a", "~~a~~", "[a](b)", "[a](c)"]
    assert len({entry_id("", "", "", text) for text in texts}) == len(texts)


@given(st.text())
def test_tidy_text_is_tidy(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)
    assert "\r" not in tidy(text)


def test_tidy() -> None:
    assert tidy(" \n a\r\n \t\rb  \nc \n\n") == "a\n\nb  \nc"


@pytest.mark.parametrize(
    ("text", "tag", "checked"),
    [
        ("[decision] x", "decision", None),
        ("[x] [Idea]: y", "idea", True),
        ("[ ]\t[quote] y", "quote", False),
        ("[X]", None, True),
        ("[x]y [idea]", None, None),
        ("[joke](x)", None, None),
        ("[joke][x]", None, None),
        ("a [joke]", None, None),
        ("[unknown] x", None, None),
    ],
)
def test_tags_and_boxes(text: str, tag: str | None, checked: bool | None) -> None:
    assert (tag_of(text), checked_of(text)) == (tag, checked)


@pytest.mark.parametrize(
    ("line", "after", "column", "indent"),
    [
        ("- a", 1, 1, 2),
        ("  10) a", 5, 5, 6),
        ("-    a", 1, 1, 5),
        ("-     code", 1, 1, 2),
        ("-\ta", 1, 1, 4),
        ("\t- a", 2, 5, 6),
        ("-", 1, 1, 2),
        ("-  ", 1, 1, 2),
    ],
)
def test_where_the_text_of_an_item_begins(line: str, after: int, column: int, indent: int) -> None:
    assert marker(line, 0, 0) == (after, column, indent)


def test_columns_and_tabs() -> None:
    assert columns("\ta", 0, 1, 0) == 4 and columns(" \t a", 0, 3, 0) == 5
    assert dedent("\tcode", 0, 0, 2) == "  code"
    assert dedent("  a", 0, 0, 4) == "a"
    assert dedent("      a", 0, 0, 4) == "  a"


def test_the_comment_at_the_end_of_a_line() -> None:
    assert trailing_comment("a <!-- src: x -->  ") == (2, Meta(src="x"))
    assert trailing_comment("a <!-- b --> <!-- due: 2026-01-02 -->") == (13, Meta(due="2026-01-02"))
    assert trailing_comment("\\\\<!-- src: x -->") == (2, Meta(src="x"))
    for line in ("a", "a -->", "a <!-- b -->", "\\<!-- src: x -->", "<!-- src: x --> a", "<!-->"):
        assert trailing_comment(line) is None


def test_own_lines_are_those_without_children_and_blank_ends() -> None:
    lines = ["a", "", "  b", "", "", "  c", "  d", ""]
    assert own_spans(0, 8, [(2, 3), (6, 7)], lines) == ((0, 1), (5, 6))
    assert own_spans(0, 1, [(0, 1)], lines) == ()
