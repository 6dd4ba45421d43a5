from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.text import numbers
from crustacean.text.figures import figures, names, polarity, same_figures

WORDS = [
    "Ana",
    "Ben",
    "ran",
    "5k",
    "27:10",
    "€88",
    "88 euros",
    "not",
    "12 May",
    "on",
    "the",
    "3rd",
    "db-01",
    ",",
    ".",
    "2",
    "cats",
]
SENTENCES = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.200,50 or 1,200.50", {"1200.5"}),
        ("1'200 or 1,200 or 1.200", {"1200"}),
        ("0.125 stays a fraction", {"0.125"}),
        ("12.345.678 EUR", {"12345678 EUR"}),
        ("ran 5k in 27:10", {"5000", "27:10"}),
        ("1.2 million rows, 940M others", {"1200000", "940000000"}),
        ("9 December, Dec 9th, 9. Dezember, 9 de diciembre", {"12-09"}),
        ("3 May 2027, May 3, 2027, 3.5.2027 and 2027-05-03", {"2027-05-03"}),
        ("13/5/2027 and 5/13/2027", {"2027-05-13"}),
        ("the first of March", {"03-01"}),
        ("in March 2025", {"2025-03"}),
        ("every August", {"month 08"}),
        ("12月9日 and 2025年12月9日", {"12-09", "2025-12-09"}),
        ("on Fridays, freitags, viernes, 金曜日, 周五", {"fri"}),
        ("4 pm, 4:00 p.m., 16:00, 16 Uhr, 16h00", {"16:00"}),
        ("12 am and midnight", {"0:00"}),
        ("noon", {"12:00"}),
        ("€88, 88 €, 88 euros, EUR 88", {"88 EUR", "88"}),
        ("$0.02", {"0.02 USD"}),
        ("£1.2bn", {"1200000000 GBP"}),
        ("120 seconds, two minutes, 2 min", {"120 s"}),
        ("12 min 20", {"740 s"}),
        ("half an hour, 30 minutes", {"1800 s"}),
        ("two weeks, 14 days", {"14 d"}),
        ("−2.25 and -2.25", {"-2.25"}),
        ("5–7 and 5-7", {"5", "7"}),
        ("version 1.4.2, v1.4.2", {"1.4.2"}),
        ("blood pressure 128/82", {"128/82"}),
        ("#881 on the 3rd", {"881", "3."}),
        ("５００円", {"500 JPY"}),
        ("2025-10-09T10:00:00Z", {"2025-10-09T10:00:00Z"}),
        ("it may set 3 timers out of 5", {"3", "5"}),
        ("db-01, F1, UUIDv7, room B12 and p95", set()),
    ],
)
def test_a_figure_has_one_form_however_it_is_written(text: str, expected: set[str]) -> None:
    assert figures(text) == expected


def test_every_figure_knows_its_place() -> None:
    text = "Rent is 1,200 EUR on the 3rd of May."
    assert [text[f.start : f.stop] for f in numbers.scan(text)] == ["1,200 EUR", "3rd of May"]


@given(st.text())
def test_figures_stand_in_order_and_apart(text: str) -> None:
    found = list(numbers.scan(text))
    assert all(0 <= f.start < f.stop <= len(text) for f in found)
    assert all(a.stop <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "unit", ["1", "1,", "1.", "1,234", "1 de ", "12:", "$1,000", "half an ", "a_", "aB", "1/", "- ", "5 "]
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    list(numbers.scan(text))
    names(text)
    polarity(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana's sister met Ben in Porto", {"ana", "ben", "porto"}),
        ("The cache is in SQLite, see store_path and /etc/crab.toml", {"sqlite", "store_path", "/etc/crab.toml"}),
        ("mail ana@example.com about api.example.com", {"ana@example.com", "api.example.com"}),
        ("Group A and group B", {"group", "a", "b"}),
        ("On Tuesday in May I will go", set()),
        ("db-01 and UUIDv7", {"db-01", "uuidv7"}),
    ],
)
def test_names_are_proper_names_and_identifiers(text: str, expected: set[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Ole does not eat fish",
        "don’t",
        "no longer",
        "ohne Zucker",
        "kein Zucker",
        "nunca",
        "sin gluten",
        "jamais",
        "não",
        "食べない",
        "不吃",
    ],
)
def test_a_denial_is_noticed(text: str) -> None:
    assert polarity(text)


@pytest.mark.parametrize("text", ["Ole eats fish", "No. 5 is ready", "notable knots", "Kein"[:2], "北京"])
def test_a_statement_is_no_denial(text: str) -> None:
    assert not polarity(text)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Piano lesson every Tuesday at 4 pm.", "Piano is on Tuesdays, 16:00."),
        ("The job queue is RabbitMQ.", "RabbitMQ handles our background jobs."),
        ("Monthly rate: €200.", "200 euros is the monthly rate."),
    ],
)
def test_the_same_figures_in_other_words(a: str, b: str) -> None:
    assert same_figures(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ran 5k in 27:10", "ran 5k in 41:30"),
        ("Lunch with Ana on Tuesday", "Lunch with Ana on Friday"),
        ("Paul lives in Ghent", "Paula lives in Ghent"),
        ("Ole eats fish", "Ole never eats fish"),
        ("12 cats and 3 dogs", "3 cats and 12 dogs"),
        ("Group A practises", "Group B practises"),
        ("db-01 has 64 GB", "db-02 has 64 GB"),
        ("the flat costs €800", "the flat costs $800"),
        ("due 9 December", "due 9 December 2027"),
    ],
)
def test_other_figures_names_or_polarity_are_told_apart(a: str, b: str) -> None:
    assert not same_figures(a, b)


@given(SENTENCES, SENTENCES)
def test_same_figures_is_reflexive_and_symmetric(a: str, b: str) -> None:
    assert same_figures(a, a)
    assert same_figures(a, b) == same_figures(b, a)
