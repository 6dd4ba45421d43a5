"""A comment says what was put into it, and only comments of crab's form are read as such."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.workspace.document import parse
from crustacean.workspace.meta import INHERITED, TEXT_KEYS, Meta, parse_meta

values = st.one_of(st.none(), st.text(max_size=20), st.text(alphabet="-;>%3B:, <!\n", max_size=12))
metas = st.builds(
    Meta,
    **dict.fromkeys(TEXT_KEYS, values),
    importance=st.one_of(st.none(), st.integers(1, 10)),
    pinned=st.booleans(),
    from_=st.lists(st.text(min_size=1, max_size=8), max_size=3).map(tuple),
)


@given(metas)
def test_what_is_written_is_read_again(meta: Meta) -> None:
    comment = meta.render()
    assert (parse_meta(comment) or Meta()) == meta
    if comment:
        assert comment.startswith("<!-- ") and comment.endswith(" -->")
        assert "--" not in comment[4:-3] and "\n" not in comment and "\r" not in comment
        assert parse_meta(comment[4:-3]) == meta


@given(metas)
def test_a_rendered_comment_is_read_from_a_file(meta: Meta) -> None:
    document = parse("x.md", f"- text {meta.render()}\n".encode())
    assert [(e.text, e.meta) for e in document.entries] == [("text", meta)]


@given(st.text(max_size=60))
def test_any_comment_can_be_looked_at(text: str) -> None:
    meta = parse_meta(f"<!-- {text} -->")
    if meta is not None:
        assert parse_meta(meta.render()) == meta


def test_the_order_and_form_of_a_comment() -> None:
    meta = Meta(
        src="openclaw:main/3f2a#12-18", audience="main", origin="owner", observed="2026-03-20T14:05+01:00",
        importance=8, due="2026-03-21", pinned=True, from_=("0123456789", "abcdef0123"), other=(("mood", "calm"),),
    )  # fmt: skip
    assert meta.render() == (
        "<!-- src: openclaw:main/3f2a#12-18; audience: main; origin: owner; observed: 2026-03-20T14:05+01:00; "
        "importance: 8; due: 2026-03-21; pinned: true; from: 0123456789, abcdef0123; mood: calm -->"
    )
    assert parse_meta(meta.render()) == meta
    assert Meta().render() == "" and Meta(src="") == Meta()


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- a note -->", "<!-- TODO: later -->", "<!-- due by friday -->", "<!-- src: x; and prose -->", "<!---->",
        "<!-- -->",
        "<!-- a\nsrc: b -->", "<!-- src: a --> <!-- src: b -->", "<!-- note: src; todo: x -->", "",
    ],
)  # fmt: skip
def test_ordinary_comments_are_left_alone(comment: str) -> None:
    assert parse_meta(comment) is None


def test_values_that_can_not_be_are_kept_as_they_are() -> None:
    meta = parse_meta("<!-- Importance: very; importance: 11; pinned: no; src: a; src: b; note: x -->")
    assert meta is not None and meta.importance is None and not meta.pinned and meta.src == "a"
    assert meta.other == (("importance", "very"), ("importance", "11"), ("pinned", "no"), ("src", "b"), ("note", "x"))
    assert parse_meta(meta.render()) == meta


@given(metas, metas)
def test_what_is_left_out_is_inherited(own: Meta, above: Meta) -> None:
    assert own.beyond(above).over(above) == own.over(above)
    assert own.over(Meta()) == own and own.beyond(Meta()) == own
    for key in INHERITED:
        assert getattr(own.over(above), key) in (getattr(own, key), getattr(above, key))
    assert own.over(above).importance == own.importance
