from __future__ import annotations

import pytest

from crustacean.models.offline.refer import known, leans, people, resolve


def test_he_is_the_one_person_just_named() -> None:
    assert resolve("He's allergic to nuts", [("Nuria", "My partner is Oriol Ferran")]) == (
        "Oriol Ferran is allergic to nuts"
    )
    assert resolve("she'll be late", [("", "My sister Jana called")]) == "Jana will be late"
    assert resolve("The beta goes to her on Monday", [("", "Ines Carrera reviews the parser")]) == (
        "The beta goes to Ines Carrera on Monday"
    )
    assert resolve("his flight changed", [("", "A buyer, Mr. Tanabe, visits us")]) == "Mr. Tanabe's flight changed"


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("He is late", "Oriol Ferran and Marc Vidal came"),
        ("He is late", "it rains"),
        ("She is late", "Mr. Weiss called"),
        ("He is late", "My sister Jana called"),
        ("Ruth took it because of her shifts", "Mr. Weiss called"),
        ("his name is Dekker", "My brother Pim called"),
        ("call her Dr. Meili", "My boss is Petra Lang"),
    ],
)
def test_nobody_is_put_in_where_it_is_not_plain(text: str, before: str) -> None:
    assert resolve(text, [("", before)]) == text


def test_the_sister_of_another_speaker_stays_theirs() -> None:
    assert resolve("she can drive", [("Bo", "my sister has a van")]) == "Bo's sister can drive"


def test_names_of_firms_are_not_surely_people() -> None:
    text = "Farinera Coll supplies flour, our dentist Anna Roig is away"
    assert "Farinera Coll" in people(text)
    assert known(text) == ["Anna Roig"]


@pytest.mark.parametrize("text", ["It arrives on Monday", "They are due in May", "that's why", "We use tabs instead"])
def test_sentences_that_lean_on_the_one_before(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize("text", ["The tank arrives on Monday", "Those tests assume 19 %", "Ana likes it"])
def test_sentences_that_stand_alone(text: str) -> None:
    assert not leans(text)
