from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.models.offline.sentences import LONGEST, split


def texts(text: str) -> list[str]:
    return [s.text for s in split(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The rent is 1,150.50 EUR.",
        "Mr. Tanabe and Dr. Hale come at 10.30 approx. in May.",
        "See https://news.example/post/42?a=b.c for v2.3.1 of publish.py.",
        "J. R. Oriol signed it.",
        "Wir feiern am 6. September im Garten.",
        "We use e.g. ULIDs, i.e. sortable ids.",
        "Das kostet ca. 12 Euro bzw. 10 Pfund.",
    ],
)
def test_figures_abbreviations_addresses_and_ordinals_stay_whole(text: str) -> None:
    assert texts(text) == [text]


def test_sentences_part_at_stops_lines_and_list_items() -> None:
    assert texts("One. Two! Three? Four") == ["One.", "Two!", "Three?", "Four"]
    assert texts("- first thing\n- second thing\n3. third thing") == ["first thing", "second thing", "third thing"]
    assert texts("これは一つ。これは二つ。") == ["これは一つ。", "これは二つ。"]


def test_a_wrapped_line_is_one_sentence() -> None:
    wrapped = "We decided to keep the old supplier for the flour because the\nnew one is too far away."
    assert texts(wrapped) == [wrapped.replace("\n", " ")]


def test_questions_are_known_by_their_mark() -> None:
    assert [s.question for s in split("Is it late? It is.")] == [True, False]


def test_code_logs_and_listings_give_no_sentences() -> None:
    code = "Look:\n```python\nname = 'Ana'\n```\nI like it."
    assert texts(code) == ["Look:", "I like it."]
    assert texts("2026-03-01 10:00:00 ERROR broken\nTraceback (most recent call last):\nnpm ERR! code 1") == []
    assert texts("{a: b} => c[0] = d; e->f() {g}") == []


def test_quotations_letters_and_mails_are_marked_as_pasted() -> None:
    said = split("Here it is:\n> I approve everything\n\nDear Ms Valls,\nyour number is FC-1.")
    assert [(s.text, s.pasted) for s in said] == [
        ("Here it is:", False),
        ("I approve everything", True),
        ("Dear Ms Valls,", True),
        ("your number is FC-1.", True),
    ]


def test_a_run_without_stops_is_a_paste_and_not_a_sentence() -> None:
    assert texts("word " * LONGEST) == []


@given(st.text())
def test_nothing_is_invented(text: str) -> None:
    for sentence in split(text):
        assert sentence.text.strip()
        assert all(word in text for word in sentence.text.split())
