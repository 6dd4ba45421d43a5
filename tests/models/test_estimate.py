from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.models.estimate import estimate, estimate_text
from crustacean.models.protocol import Request

# Tokens by OpenAI's o200k_base, and by the published tokenizer of Claude 2 (current models need about 1.3 times that).
COUNTED = {
    "Ana prefers short answers, and she has two cats called Mimi and Bean. The release moves to Friday.": (21, 21),
    "def estimate(text: str) -> int:\n    return sum(len(part) for part in text.split()) // 4\n": (25, 28),
    '{"role":"user","content":[{"type":"text","text":"ran 5k in 27:10"}],"ts":1772366400123}': (33, 29),
    "今天我们讨论了项目的进展情况,决定下周五之前完成数据库迁移工作。": (21, 27),
    "Сегодня мы обсудили план проекта и решили перенести релиз на следующую пятницу.": (19, 41),
    "3f2a91c0d4e5b6a798 0b1c2d3e4f5061728394a5b6c7d8e9f0": (42, 41),
}


@pytest.mark.parametrize("text", COUNTED)
def test_the_estimate_is_above_what_tokenizers_count_and_within_three_times(text: str) -> None:
    gpt, claude = COUNTED[text]
    assert max(gpt, 1.3 * claude) <= estimate_text(text) <= 3 * max(gpt, claude)


def test_nothing_is_no_token() -> None:
    assert estimate_text("") == 0


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(one: str, two: str) -> None:
    assert estimate_text(one) >= 0
    assert estimate_text(one + "\n" + two) >= max(estimate_text(one), estimate_text(two))


@given(st.text(min_size=1))
def test_no_text_counts_for_nothing_or_for_more_than_its_bytes(text: str) -> None:
    assert (text.isspace() or estimate_text(text) >= 1) and estimate_text(text) <= 1.25 * len(
        text.encode("utf-8", "replace")
    ) + 1


def test_all_that_is_sent_counts(ask: Callable[..., Request]) -> None:
    bare = estimate(ask(system=(), prompt=""))
    assert estimate(ask(system=("word " * 100,), prompt="")) >= bare + 100
    assert estimate(ask(system=(), prompt="word " * 100)) >= bare + 100
    assert estimate(ask(system=(), prompt="", messages=(("word " * 100, "word " * 100),))) >= bare + 200
    assert estimate(ask(system=(), prompt="", schema={})) < bare


def test_a_megabyte_is_counted_quickly() -> None:
    start = time.process_time()
    for text in ("word and 1234 more, " * 50_000, " " * 1_000_000, "x" * 1_000_000, "{" * 1_000_000):
        estimate_text(text)
    assert time.process_time() - start < 4
