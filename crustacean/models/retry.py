"""Asking again: exponential backoff with full jitter, within a number of attempts and a total time."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from crustacean.errors import ModelError

Answer = TypeVar("Answer")


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how long to try. Times are in seconds.

    attempts: calls in all. base, cap: the n-th pause is drawn evenly from 0 to min(cap, base * 2**n) ("full jitter":
    M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015). patience: the longest pause that a
    server may ask for; one that asks for more is believed, and the call fails at once. total: no call starts later
    than this after the first.
    """

    attempts: int = 5
    base: float = 1.0
    cap: float = 30.0
    patience: float = 120.0
    total: float = 600.0
    sleep: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _now
    draw: Callable[[], float] = random.random


class Transient(Exception):
    """A failure that may pass. error: what a person sees when it does not. after: seconds the server asked for."""

    def __init__(self, error: ModelError, after: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.after = after


def retrying(call: Callable[[], Answer], policy: Retry) -> Answer:
    """The first answer of `call`, which raises Transient where asking again may help.

    Raises the ModelError of the last Transient when attempts or time are used up; any other exception goes through.
    """
    start = policy.monotonic()
    attempt = 0
    while True:
        attempt += 1
        try:
            return call()
        except Transient as failure:
            pause = _pause(failure, attempt, policy)
            spent = policy.monotonic() - start
            if pause is None or spent + pause > policy.total:
                raise _given_up(failure, attempt) from None
        policy.sleep(pause)


def _pause(failure: Transient, attempt: int, policy: Retry) -> float | None:
    if attempt >= policy.attempts:
        return None
    if failure.after is not None:
        return failure.after if failure.after <= policy.patience else None
    return policy.draw() * min(policy.cap, policy.base * 2.0 ** min(attempt - 1, 30))


def _given_up(failure: Transient, attempt: int) -> ModelError:
    error = failure.error
    tried = f" ({attempt} attempts)" if attempt > 1 else ""
    hint = error.hint
    if failure.after is not None and failure.after >= 1:
        hint = f"the server asks to wait {_span(failure.after)}; run again after that"
    return type(error)(error.message + tried, hint)


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{math.ceil(seconds)} s"
    if seconds < 7200:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 3600)} h"


def retry_after(headers: Mapping[str, str], now: Callable[[], datetime]) -> float | None:
    """Seconds that a response asks to wait: `retry-after-ms`, or `retry-after` as seconds or as an HTTP date
    (RFC 9110, 10.2.3). None where there is no such header or it makes no sense. Header names are lower case."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if not value or len(value) > 64:
            continue
        try:
            seconds = float(value) / scale
        except ValueError:
            moment = _http_date(value) if scale == 1.0 else None
            if moment is None:
                continue
            seconds = max(0.0, (moment - now()).total_seconds())
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def _http_date(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
