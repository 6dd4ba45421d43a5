"""Two hands in one file: both keep their lines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.edits.merge3 import merge, revert

LINES = st.lists(
    st.sampled_from([b"", b"- a", b"- b", b"- c", b"# H", b"- Status: done", b"```", b"  - child", b"\xff", b"x\r"]),
    max_size=9,
)
ENDS = st.sampled_from([b"", b"\n"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    newline = draw(st.sampled_from([b"\n", b"\n", b"\n", b"\r\n"]))
    return newline.join(draw(LINES)) + draw(ENDS)


def said(data: bytes) -> set[bytes]:
    return {line.rstrip(b"\r\n") for line in data.splitlines() if line.strip()}


@given(texts(), texts())
def test_who_changed_nothing_has_no_say(base: bytes, other: bytes) -> None:
    assert merge(base, base, other) == other
    assert merge(base, other, base) == other
    assert merge(base, other, other) == other


@given(texts(), texts(), texts())
def test_no_line_that_a_side_wrote_and_none_that_both_have_is_lost(base: bytes, theirs: bytes, ours: bytes) -> None:
    held = said(merge(base, theirs, ours))
    assert (said(theirs) | said(ours)) - said(base) <= held
    assert said(theirs) & said(ours) <= held


@given(texts(), texts(), texts())
def test_no_line_is_made_up_or_glued(base: bytes, theirs: bytes, ours: bytes) -> None:
    assert said(merge(base, theirs, ours)) <= said(base) | said(theirs) | said(ours)


def test_changes_in_different_places_are_both_there_in_order() -> None:
    base = b"# H\n- one\n- two\n- three\n"
    assert merge(base, b"# H\n- one!\n- two\n- three\n", base + b"- four\n") == b"# H\n- one!\n- two\n- three\n- four\n"


def test_of_two_additions_in_one_place_the_persons_stands_first() -> None:
    assert merge(b"- a\n", b"- a\n- mine\n", b"- a\n- crab's\n") == b"- a\n- mine\n- crab's\n"


def test_a_last_line_without_a_newline_is_not_glued_to_what_follows() -> None:
    assert merge(b"- a", b"- a\n- mine", b"- a\n- crab's") == b"- a\n- mine\n- crab's"


def test_a_line_that_one_side_took_out_stays_out() -> None:
    assert merge(b"- a\n- b\n- c\n", b"- a\n- c\n", b"- a\n- b\n- c\n- d\n") == b"- a\n- c\n- d\n"


def test_what_is_there_already_is_not_written_twice() -> None:
    assert merge(b"- a\n", b"- a\n- x\n- y\n", b"- a\n- x\n") == b"- a\n- x\n- y\n"


def test_crlf_stays() -> None:
    assert merge(b"a\r\n", b"a\r\nb", b"a\r\nc\r\n") == b"a\r\nb\r\nc\r\n"


@pytest.mark.parametrize("line", [b"\n", b"- same\n"])
def test_many_equal_lines_do_not_take_long(line: bytes) -> None:
    base = b"".join(b"- %d\n" % i + line for i in range(20_000))
    theirs = base.replace(b"- 7\n", b"- seven\n")
    start = time.process_time()
    merged = merge(base, theirs[5:], base.replace(b"- 19000\n", b"") + b"- end\n")
    assert time.process_time() - start < 5
    assert b"- seven\n" in merged
    assert merged.endswith(b"- end\n")


# Taking a change back


@given(texts(), texts())
def test_a_change_is_taken_back_whole_where_nothing_came_after(pre: bytes, post: bytes) -> None:
    assert revert(post, post, pre) == pre


@given(texts(), texts(), texts())
def test_taking_back_never_touches_what_came_after(pre: bytes, post: bytes, now: bytes) -> None:
    back = revert(post, now, pre)
    if back is not None:
        assert said(now) - said(post) <= said(back)
        assert said(back) <= said(now) | said(pre)


def test_a_line_is_taken_out_from_before_one_that_came_later() -> None:
    assert revert(b"# D\n- a\n", b"# D\n- a\n- b\n", b"# D\n") == b"# D\n- b\n"


def test_a_line_comes_back_where_it_stood() -> None:
    assert revert(b"- y\n", b"- y\n- new\n", b"- x\n- y\n") == b"- x\n- y\n- new\n"


def test_a_line_that_was_changed_since_can_not_be_taken_back() -> None:
    assert revert(b"- a\n- b\n", b"- a\n- B\n", b"- a\n") is None


def test_two_changes_are_taken_back_in_any_order() -> None:
    start, first, second = b"# T\n- x\n", b"# T\n- one\n- x\n", b"# T\n- one\n- x\n- two\n"
    without_first = revert(first, second, start)
    assert without_first == b"# T\n- x\n- two\n"
    assert revert(second, without_first, first) == start
