from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.text.time import clock, local_day, local_time, moment, parse_iso, parse_ms, since

BERLIN, KOLKATA, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Kolkata"), ZoneInfo("Australia/Lord_Howe")
KIRITIMATI, NEW_YORK = ZoneInfo("Pacific/Kiritimati"), ZoneInfo("America/New_York")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-12-01T10:00:00Z", at("2026-12-01T10:00")),
        ("2026-12-01T10:00:00.1z", at("2026-12-01T10:00:00.100")),
        ("2026-12-01T10:00:00.123456789Z", at("2026-12-01T10:00:00.123456")),
        (" 2026-12-01 15:30:00+05:30\n", at("2026-12-01T10:00")),
        ("2024-02-29T00:00:00-00:30", at("2024-02-29T00:30")),
        ("20261201T100000Z", at("2026-12-01T10:00")),
    ],
)
def test_iso_times_with_a_zone_are_read(text: str, expected: datetime) -> None:
    assert parse_iso(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "2026-12-01", "2026-12-01T10:00:00", "yesterday", "2026-13-01T00:00Z", "2025-02-29T00:00Z",
     "0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00", "2026-12-01T25:00Z", "\x00", "1" * 5000],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_iso(text)


@given(st.text(max_size=40))
def test_hostile_text_raises_nothing_but_value_error(text: str) -> None:
    try:
        assert parse_iso(text).tzinfo is not None
    except ValueError:
        return


def test_a_time_without_a_zone_is_of_the_zone_given() -> None:
    assert parse_iso("2026-12-01T10:00", KOLKATA) == at("2026-12-01T04:30")
    assert parse_iso("2026-12-01", UTC) == at("2026-12-01T00:00")
    assert parse_iso("2026-12-01T10:00Z", KOLKATA) == at("2026-12-01T10:00")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2025-12-01T12:00:00.123Z", at("2025-12-01T12:00:00.123")),
        ("2025-12-01T14:00:00+02:00", at("2025-12-01T12:00")),
        ("2025-12-01T12:00:00", at("2025-12-01T12:00")),
        (1764590400123, at("2025-12-01T12:00:00.123")),
        (1764590400, at("2025-12-01T12:00")),
        (1764590400.123, at("2025-12-01T12:00:00.123")),
        ("yesterday", None),
        ("0001-01-01T00:00+14:00", None),
        (10**400, None),
        (float("nan"), None),
        (float("inf"), None),
        (0, None),
        (True, None),
        (None, None),
        ([], None),
    ],
)
def test_a_client_s_time_is_a_moment_in_utc_or_none(value: object, expected: datetime | None) -> None:
    found = moment(value)
    assert found == expected and (found is None or found.tzinfo is UTC)


def test_milliseconds_are_utc() -> None:
    assert parse_ms(1764590400123) == at("2025-12-01T12:00:00.123")
    assert parse_ms("1764590400123") == parse_ms(1764590400123.9)
    assert parse_ms(-1) == at("1969-12-31T23:59:59.999")


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -float("inf"), True, "x", "", 10**400, 10**15, -(10**14), "1e400"]
)
def test_what_is_no_time_in_milliseconds_is_refused(value: float | str) -> None:
    with pytest.raises(ValueError):
        parse_ms(value)


@given(st.floats() | st.integers() | st.text(max_size=20))
def test_any_number_is_a_time_or_a_value_error(value: float | str) -> None:
    try:
        assert 1900 <= parse_ms(value).year < 9000
    except ValueError:
        return


@pytest.mark.parametrize(
    ("utc", "zone", "day"),
    [
        ("2026-03-28T22:59:59", BERLIN, "2026-03-28"),
        ("2026-03-28T23:00:00", BERLIN, "2026-03-29"),
        ("2026-03-29T21:59:59", BERLIN, "2026-03-29"),
        ("2026-03-29T22:00:00", BERLIN, "2026-03-30"),
        ("2026-10-25T22:59:59", BERLIN, "2026-10-25"),
        ("2026-10-25T23:00:00", BERLIN, "2026-10-26"),
        ("2026-12-31T18:29:59", KOLKATA, "2026-12-31"),
        ("2026-12-31T18:30:00", KOLKATA, "2027-01-01"),
        ("2026-12-31T10:00:00", KIRITIMATI, "2027-01-01"),
        ("2027-01-01T04:59:59", NEW_YORK, "2026-12-31"),
        ("2024-02-29T04:30:00", NEW_YORK, "2024-02-28"),
        ("2024-02-29T13:29:59", LORD_HOWE, "2024-03-01"),
    ],
)
def test_the_day_is_that_of_the_place(utc: str, zone: ZoneInfo, day: str) -> None:
    assert local_day(at(utc), zone) == date.fromisoformat(day)


def test_a_known_offset_wins_over_the_zone() -> None:
    moment = at("2026-12-31T23:30:00")
    assert local_day(moment, BERLIN, offset=-300) == date(2026, 12, 31)
    assert local_day(moment, NEW_YORK, offset=0) == date(2026, 12, 31)
    assert local_time(moment, NEW_YORK, offset=345).utcoffset() == timedelta(hours=5, minutes=45)


def test_the_clock_shows_24_hours_and_cuts_seconds() -> None:
    assert clock(local_time(at("2026-10-25T00:59:59"), BERLIN)) == "02:59"
    assert clock(local_time(at("2026-10-25T01:00:00"), BERLIN)) == "02:00"
    assert clock(local_time(at("2026-04-04T15:00:00"), LORD_HOWE)) == "01:30"


NOW = datetime(2026, 3, 11, 9, 0, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2d", NOW - timedelta(days=2)),
        ("3W", NOW - timedelta(weeks=3)),
        (" 12 h", NOW - timedelta(hours=12)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=NOW.tzinfo)),
        ("2026-03-01T10:00Z", at("2026-03-01T10:00")),
    ],
)
def test_how_far_back_is_read_as_people_write_it(text: str, expected: datetime) -> None:
    assert since(text, NOW) == expected


@pytest.mark.parametrize("text", ["", "2", "2x", "d", "-2d", "999999w", "last week", "2026-02-30"])
def test_an_unclear_how_far_back_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        since(text, NOW)
