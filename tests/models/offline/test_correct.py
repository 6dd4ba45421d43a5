from __future__ import annotations

import pytest

from crustacean.models.offline.correct import self_corrected
from tests.models.offline.say import edits, kept, turns


def test_the_last_value_is_kept_and_both_turns_are_named() -> None:
    rows = turns(
        ("Nuria", "The agreed price is 0.84 EUR per kilo."),
        ("agent", "Noted."),
        ("Nuria", "Correction on the price: it's 0.79 per kilo, not 0.84."),
    )
    found = edits(rows)
    assert [(e["text"], e["sources"]) for e in found] == [("The agreed price is 0.79 EUR per kilo.", ["t1", "t3"])]


@pytest.mark.parametrize(
    ("first", "second", "last", "stale"),
    [
        ("The beta is on 14 January.", "Sorry, I mixed that up, it is on 15 January.", "15 January", "14 January"),
        ("Karim Aziz installs it on 2 February.", "Wrong date: Karim comes on 3 February.", "3 February", "2 February"),
        ("I moved the piano lesson to 17:30.", "sorry, 17:00 I mean", "17:00", "17:30"),
        ("Lena Okafor comes every Monday.", "Correction: Lena comes on Tuesdays, not Mondays.", "Tuesday", "y Monday"),
        ("Undated photos go to unsorted/.", "Correction: call that inbox/, not unsorted/.", "inbox/", "to unsorted/"),
        ("Invoices are due in 14 days.", "Correction: they are due in 21 days.", "21 days", "14 days"),
        ("We use a warp of 8 threads per centimetre.", "Correction, it is 10 threads.", "10 threads", "8 threads"),
        ("The wedding is on Saturday at noon.", "Actually it's on Sunday, not Saturday.", "Sunday", "on Saturday"),
    ],
)  # fmt: skip
def test_a_superseded_value_is_not_stated_as_current(first: str, second: str, last: str, stale: str) -> None:
    told = " ".join(kept(("Ana", first), ("agent", "ok"), ("Ana", second)))
    assert last in told
    assert stale not in told


def test_corrections_in_other_languages() -> None:
    told = kept(
        ("", "Necesitamos 24 unidades para el 24 de diciembre."),
        ("agent", "Apuntado."),
        ("", "Me he equivocado: son 30 troncos, no 24, y los recogen el 23 de diciembre a partir de las 16:00."),
    )
    assert "30 unidades" in told[0]
    assert not any("24 unidades" in t or "24 de diciembre" in t for t in told)


def test_a_choice_that_is_overturned_is_gone() -> None:
    told = kept(
        ("", "We decided to store trips in SQLite."),
        ("agent", "Fine."),
        ("", "Forget the SQLite idea. Decision: we store one JSON file per trip."),
    )
    assert not any(t.startswith("The user decided to store trips in SQLite") for t in told)
    assert any("JSON file per trip" in t for t in told)


def test_another_value_of_another_thing_is_no_correction() -> None:
    told = kept(("Ana", "The rent is 870 EUR."), ("agent", "ok"), ("Ana", "The deposit is 1,700 EUR, not a cent less."))
    assert any("870" in t for t in told)
    assert any("1,700" in t for t in told)


def test_a_fragment_that_corrects_nothing_is_nothing() -> None:
    assert kept(("Ana", "sorry, the 23rd")) == []


def test_a_claim_corrected_in_one_breath() -> None:
    assert self_corrected("I said the workshop has 20 seats; it's 24, I miscounted") == (
        "the workshop has 24 seats, I miscounted"
    )
    assert self_corrected("I said hello, it's late") == "I said hello, it's late"


def test_a_corrected_day_is_the_day_due() -> None:
    found = edits(
        turns(("Ana", "The tank arrives on 10 January."), ("Ana", "Correction: the tank comes on 12 January."))
    )
    assert [e["due"] for e in found] == ["2027-01-12"]
