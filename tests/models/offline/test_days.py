from __future__ import annotations

from datetime import date

import pytest

from crustacean.models.offline.days import due, month_of, spell

MONDAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The plumber comes tomorrow", "The plumber comes on 3 March"),
        ("The plumber comes tomorrow morning", "The plumber comes on 3 March in the morning"),
        ("We settled it yesterday", "We settled it on 1 March"),
        ("Ana calls on Wednesday", "Ana calls on Wednesday (4 March)"),
        ("Send it by Friday.", "Send it by Friday (6 March)."),
    ],
)
def test_relative_days_are_put_as_days(said: str, told: str) -> None:
    assert spell(said, MONDAY) == told


@pytest.mark.parametrize(
    "text",
    [
        "Piet does the bins on Mondays",
        "Yoga is every Tuesday",
        "Releases move from Tuesday to Wednesday",
        "Rent is due on the 3rd of each month",
        "Invoices are due in 14 days",
        "It happened on Monday, 9 March",
    ],
)
def test_habits_and_full_dates_stay(text: str) -> None:
    assert spell(text, MONDAY) == text


def test_a_bare_day_of_the_month_takes_the_month_that_is_talked_of() -> None:
    assert month_of("Mr. Tanabe visits on 2 October") == "October"
    assert spell("He arrives on the 3rd.", MONDAY, "October") == "He arrives on 3 October."
    assert spell("He arrives on the 3rd.", MONDAY) == "He arrives on the 3rd."
    assert spell("He came on the 3rd attempt.", MONDAY, "October") == "He came on the 3rd attempt."


def test_due_is_the_last_day_named_that_has_not_passed() -> None:
    assert due("Renew it on 18 December", MONDAY) == "2026-12-18"
    assert due("Send it by Friday", MONDAY) == "2026-03-06"
    assert due("It was on 1 March 2026", MONDAY) == ""
    assert due("Buy milk", MONDAY) == ""
    assert due("due on the 17th of October", MONDAY) == "2026-10-17"
