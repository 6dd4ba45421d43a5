from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.errors import BadReply, ModelError
from crustacean.models.retry import Retry, Transient, retry_after, retrying
from tests.models.conftest import Clock

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def failing(times: int, after: float | None = None) -> Callable[[], int]:
    left = iter(range(times))

    def call() -> int:
        if next(left, None) is not None:
            raise Transient(ModelError("busy", "wait"), after)
        return 7

    return call


def test_the_first_answer_is_given(retry: Retry, clock: Clock) -> None:
    assert retrying(failing(0), retry) == 7
    assert clock.naps == []


def test_pauses_double_up_to_the_cap(retry: Retry, clock: Clock) -> None:
    assert retrying(failing(6), replace(retry, attempts=9, cap=10.0)) == 7
    assert clock.naps == [1, 2, 4, 8, 10, 10]


@given(st.floats(0, 1))
def test_jitter_takes_the_whole_pause(draw: float) -> None:
    clock = Clock()
    policy = Retry(sleep=clock.sleep, monotonic=clock.monotonic, draw=lambda: draw)
    retrying(failing(2), policy)
    assert clock.naps == [draw * 1.0, draw * 2.0]


def test_after_the_last_attempt_the_error_says_how_often(retry: Retry) -> None:
    with pytest.raises(ModelError, match=r"^busy \(5 attempts\)$"):
        retrying(failing(99), retry)


def test_no_attempt_starts_after_the_total_time(retry: Retry, clock: Clock) -> None:
    with pytest.raises(ModelError, match="2 attempts"):
        retrying(failing(99), replace(retry, total=2.0))
    assert clock.naps == [1]


def test_a_server_that_asks_for_more_than_patience_is_believed_at_once(retry: Retry, clock: Clock) -> None:
    with pytest.raises(ModelError) as caught:
        retrying(failing(99, after=3000), retry)
    assert clock.naps == []
    assert "50 min" in caught.value.hint


def test_other_errors_go_through_at_once(retry: Retry, clock: Clock) -> None:
    def call() -> int:
        raise BadReply("cut off")

    with pytest.raises(BadReply):
        retrying(call, retry)
    assert clock.naps == []


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:01:00 GMT"}, 60.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Sun, 99 Foo 99999 99:99:99 GMT"}, None),
        ({"retry-after": "9" * 10_000}, None),
    ],
)
def test_a_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, lambda: NOON) == seconds


@given(st.text(max_size=80))
def test_any_header_is_a_wait_or_nothing(value: str) -> None:
    seconds = retry_after({"retry-after": value}, lambda: NOON)
    assert seconds is None or 0 <= seconds < float("inf")
