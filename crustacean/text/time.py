"""Times as they are read, shown and bound to a day. What day words like "next Friday" mean is in text/days.py."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from crustacean.text.days import resolve_day

__all__ = ["clock", "local_day", "local_time", "moment", "parse_iso", "parse_ms", "resolve_day", "since"]

_YEARS = range(1900, 9000)
_BACK = re.compile(r"(\d{1,6})\s?([hdw])", re.IGNORECASE)
_BACK_UNIT = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_SECONDS_TO = 10**11
"""A smaller number of milliseconds would be a day before March 1973, when no client ran: it counts seconds."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_MS, _END_MS = ((datetime(y, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(milliseconds=1) for y in (1900, 9000))


def parse_iso(text: str, zone: tzinfo | None = None) -> datetime:
    """ISO 8601 with a zone ("Z" or an offset) -> aware datetime with that offset. A text without one is in `zone`, and
    a missing time is midnight. Raises ValueError, also where there is no zone at all and for years outside 1900 to 8999
    (which could not be moved to another zone safely)."""
    time = datetime.fromisoformat(text.strip().upper())
    if time.tzinfo is None:
        if zone is None:
            raise ValueError(f"no zone in {text[:40]!r}")
        time = time.replace(tzinfo=zone)
    if time.year not in _YEARS:
        raise ValueError(f"year out of range in {text[:40]!r}")
    return time


def parse_ms(value: float | str) -> datetime:
    """Milliseconds since 1970 (a number or its digits) -> aware datetime, UTC. A fraction of a millisecond is cut off.
    Raises ValueError for anything else and for years outside 1900 to 8999."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except OverflowError:
        number = math.nan
    if not _FIRST_MS <= number < _END_MS:
        raise ValueError(f"not a time in milliseconds: {str(value)[:40]!r}")
    return _EPOCH + timedelta(milliseconds=math.floor(number))


def moment(value: object) -> datetime | None:
    """A time in UTC as a client's records have it: ISO text (UTC where it names no zone), or milliseconds since 1970,
    seconds where the number is too small for that. None for anything else, and for what parse_iso and parse_ms refuse.
    """
    try:
        if isinstance(value, str):
            return parse_iso(value, UTC).astimezone(UTC)
        if isinstance(value, int | float) and value > 1:
            return parse_ms(value if value > _SECONDS_TO else round(value * 1000))
    except ValueError:
        return None
    return None


def since(text: str, now: datetime) -> datetime:
    """How far back a person asks to go: "12h", "2d", "3w" before `now` (aware), a day ("2026-03-01", its midnight in
    the zone of `now`) or a full ISO time. Raises ValueError with a reason for anything else."""
    if m := _BACK.fullmatch(text.strip()):
        try:
            return now - int(m[1]) * _BACK_UNIT[m[2].lower()]
        except OverflowError:
            raise ValueError("that is too far back") from None
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        return parse_iso(text)
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)


def local_time(time: datetime, zone: tzinfo, offset: int | None = None) -> datetime:
    """An aware time on the clock of where it was said: `offset` minutes east of UTC where known, else `zone`."""
    return time.astimezone(zone if offset is None else timezone(timedelta(minutes=offset)))


def local_day(time: datetime, zone: tzinfo, offset: int | None = None) -> date:
    """The calendar day on which something was said, where it was said (see local_time)."""
    return local_time(time, zone, offset).date()


def clock(time: datetime) -> str:
    """ "HH:MM", 24 hours, of a local time (cut, not rounded)."""
    return f"{time.hour:02d}:{time.minute:02d}"
