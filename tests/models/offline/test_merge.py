from __future__ import annotations

from crustacean.models.offline.merge import CAP, covers
from tests.models.offline.say import edits, kept, turns


def test_what_is_said_twice_is_one_memory_with_both_sources() -> None:
    found = edits(
        turns(
            ("Ana", "I prefer window seats on long flights."), ("Ana", "As I said, I prefer window seats on flights.")
        )
    )
    assert [e["sources"] for e in found] == [["t1", "t2"]]


def test_the_same_words_with_other_figures_are_two() -> None:
    assert len(kept(("Ana", "I ran 5 km in 27:10 on Monday."), ("Ana", "I ran 5 km in 41:30 on Friday."))) == 2


def test_the_agents_words_are_covered_only_when_they_add_no_figure() -> None:
    assert covers("The tank of 300 litres arrives on 12 January.", "water tank arrives on 12 January", "Ana")
    assert not covers("The tank arrives on 12 January.", "the tank arrives on 12 January at 16:00", "Ana")


def test_a_turn_that_is_a_document_gives_only_its_weightiest_statements() -> None:
    fruits = "apple banana cherry damson elder fig grape lemon mango nectarine".split()
    long = " ".join(f"My {fruit} supplier is based in {fruit.capitalize()}ville." for fruit in fruits)
    assert len(kept(("Ana", long))) <= CAP
