from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.text.days import resolve_day
from crustacean.text.time import resolve_day as from_time

WEDNESDAY = date(2026, 3, 11)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see you tomorrow", "2026-03-12"),
        ("the day after tomorrow", "2026-03-13"),
        ("yesterday", "2026-03-10"),
        ("tonight at 8", "2026-03-11"),
        ("next Friday", "2026-03-20"),
        ("this Friday", "2026-03-13"),
        ("Sunday next week", "2026-03-22"),
        ("on Friday", "2026-03-13"),
        ("Tell Ana before Friday's release", "2026-03-13"),
        ("on Wednesday", "2026-03-18"),
        ("last Friday", "2026-03-06"),
        ("we met on Friday", "2026-03-06"),
        ("needed by Friday", "2026-03-13"),
        ("on the 3rd", "2026-04-03"),
        ("by the 15th", "2026-03-15"),
        ("on the 11th", "2026-03-11"),
        ("on the 31st", "2026-03-31"),
        ("on the 3rd of next month", "2026-04-03"),
        ("paid on the 3rd", "2026-03-03"),
        ("in two weeks", "2026-03-25"),
        ("in 3 days", "2026-03-14"),
        ("in a month", "2026-04-11"),
        ("a week from now", "2026-03-18"),
        ("two weeks ago", "2026-02-25"),
        ("9 December", "2026-12-09"),
        ("Dec 9th, 2027", "2027-12-09"),
        ("1 March", "2027-03-01"),
        ("we met on 1 March", "2026-03-01"),
        ("29 February", "2028-02-29"),
        ("moved to 12 June", "2026-06-12"),
        ("due 2026-05-01", "2026-05-01"),
        ("end of the month", "2026-03-31"),
        ("by the end of the year", "2026-12-31"),
        ("at the weekend", "2026-03-14"),
        ("übermorgen", "2026-03-13"),
        ("morgen um 10", "2026-03-12"),
        ("kommenden Freitag", "2026-03-13"),
        ("nächsten Freitag", "2026-03-20"),
        ("vor drei Tagen", "2026-03-08"),
        ("am 3. ist Miete fällig", "2026-04-03"),
        ("am 3. Mai", "2026-05-03"),
        ("mañana", "2026-03-12"),
        ("el viernes", "2026-03-13"),
        ("dans deux jours", "2026-03-13"),
        ("amanhã", "2026-03-12"),
        ("明日", "2026-03-12"),
    ],
)
def test_words_for_a_day_become_the_day(text: str, expected: str) -> None:
    assert resolve_day(text, WEDNESDAY) == date.fromisoformat(expected)


@pytest.mark.parametrize(
    "text",
    ["", "every Friday at 9", "Fridays", "next week", "in 5 minutes", "the 3rd floor", "30 February", "am Morgen",
     "por la mañana", "in the morning", "it may rain", "room 12", "in 9999 years", "Ana likes tea"],
)  # fmt: skip
def test_what_names_no_day_gives_none(text: str) -> None:
    assert resolve_day(text, WEDNESDAY) is None


def test_years_end_and_leap_days_are_crossed() -> None:
    assert resolve_day("tomorrow", date(2026, 12, 31)) == date(2027, 1, 1)
    assert resolve_day("tomorrow", date(2024, 2, 28)) == date(2024, 2, 29)
    assert resolve_day("in a month", date(2027, 1, 31)) == date(2027, 2, 28)
    assert resolve_day("in a year", date(2024, 2, 29)) == date(2025, 2, 28)
    assert resolve_day("next Monday", date(2026, 12, 31)) == date(2027, 1, 4)
    assert resolve_day("on the 31st", date(2026, 4, 1)) == date(2026, 5, 31)


def test_a_weekday_said_on_that_day_means_the_next_one() -> None:
    assert resolve_day("on Friday", date(2026, 3, 13)) == date(2026, 3, 20)
    assert resolve_day("this Friday", date(2026, 3, 13)) == date(2026, 3, 13)
    assert resolve_day("next Friday", date(2026, 3, 15)) == date(2026, 3, 20)


@given(
    st.text(max_size=80) | st.sampled_from(["in 3 years", "tomorrow", "last Friday", "on the 31st", "29 February"]),
    st.dates(),
)
def test_no_text_and_no_day_raises(text: str, said_on: date) -> None:
    assert from_time(text, said_on) is None or isinstance(from_time(text, said_on), date)


def test_the_first_day_named_counts() -> None:
    assert resolve_day("on 9 December, not on 12 December", WEDNESDAY) == date(2026, 12, 9)
