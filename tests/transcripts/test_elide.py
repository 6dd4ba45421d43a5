from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.transcripts import elide
from crustacean.transcripts.elide import shorten

TEXTS = st.text(st.sampled_from('ab"\\\n/ué☃\U0001f980'), max_size=60)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def cut(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    at = 0
    for n in range(len(data)):
        size = sizes[n % len(sizes)]
        yield data[at : at + size]
        at += size


@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.lists(st.integers(1, 9), min_size=1), st.booleans())
def test_what_is_short_stays_as_it_is_wherever_the_pieces_are_cut(
    value: dict[str, Any], sizes: list[int], ascii: bool
) -> None:
    data = json.dumps(value, ensure_ascii=ascii).encode()
    assert json.loads(shorten(cut(data, sizes)) or "") == value


@given(
    st.text(st.sampled_from('a"\\\né\U0001f980'), max_size=300), st.lists(st.integers(1, 50), min_size=1), st.booleans()
)
def test_a_long_string_keeps_its_beginning_and_its_end_and_says_how_much_is_gone(
    text: str, sizes: list[int], ascii: bool
) -> None:
    limits = (elide.STRING_LIMIT, elide.KEEP_START, elide.KEEP_END)
    elide.STRING_LIMIT, elide.KEEP_START, elide.KEEP_END = 40, 12, 5
    try:
        data = json.dumps({"text": text, "id": 1}, ensure_ascii=ascii).encode()
        short = json.loads(shorten(cut(data, sizes)) or "")
    finally:
        elide.STRING_LIMIT, elide.KEEP_START, elide.KEEP_END = limits
    whole = text if len(text) <= 40 else f"{text[:12]}…[{len(text) - 17} characters elided]…{text[-5:]}"
    assert short == {"text": whole, "id": 1}


@pytest.mark.parametrize("value", [["word"] * 900_000, [{"a": [n]} for n in range(300_000)], [[[0] * 1_000_000]]])
def test_a_list_too_long_ends_early_and_the_outer_members_after_it_stay(value: list[Any]) -> None:
    data = json.dumps({"message": {"content": value, "role": "user"}, "uuid": "u-1"}).encode()
    short = json.loads(shorten(data[n : n + 65_536] for n in range(0, len(data), 65_536)) or "")
    assert short["uuid"] == "u-1"
    assert short["message"]["content"][0] == value[0] or len(short["message"]["content"][0]) == 1
    assert len(json.dumps(short)) < elide.TEXT_LIMIT * 2


def test_an_object_with_too_many_members_of_its_own_is_given_up() -> None:
    data = json.dumps({f"key {n}": "some text" for n in range(300_000)}).encode()
    pieces = iter([data[: 1 << 20], data[1 << 20 :], b"\n"])
    assert shorten(pieces) is None
    assert next(pieces, None) is None


def test_a_string_that_is_broken_gives_nothing() -> None:
    assert shorten([b'{"a": "', b"\\x" * 40_000, b'"}']) is None
    assert shorten([b'{"a": "' + b"x" * 70_000]) is not None
