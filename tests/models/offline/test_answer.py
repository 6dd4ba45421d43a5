from __future__ import annotations

import pytest

from crustacean.models.offline.answer import joined
from crustacean.models.offline.lead import core
from tests.models.offline.say import kept


def test_a_short_answer_is_joined_with_its_question() -> None:
    assert kept(("agent", "Which day suits you for the review?"), ("Ana", "Thursday")) == [
        'Asked "Which day suits you for the review?", Ana answered: Thursday.'
    ]


def test_a_question_of_a_few_words_becomes_the_label() -> None:
    assert kept(("Lotte", "page size?"), ("Samir", "50 default, 200 max"), kind="group") == [
        "Page size: 50 default, 200 max."
    ]


def test_an_offer_and_a_yes_with_conditions() -> None:
    assert joined("Shall I draft a recruiting notice?", core("yes, due Friday noon"), "Ben", by_agent=True) == (
        "Draft a recruiting notice: due Friday noon."
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Shall I draft the schema?", "Yes."),
        ("lunch?", "10 min"),
        ("who has the projector", "in my car"),
        ("How are you?", "fine thanks"),
        ("Which page?", "page 3, line 14"),
        ("What does the error say?", "502 again"),
    ],
)
def test_small_talk_and_the_moment_are_not_joined(question: str, answer: str) -> None:
    assert joined(question, core(answer), "Ana", by_agent=True) == ""
