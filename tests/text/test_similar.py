from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.text.figures import same_figures
from crustacean.text.similar import same, similarity
from tests.conftest import shared_folder

WORDS = [
    "Ana",
    "owes",
    "Ben",
    "5",
    "euros",
    "€5",
    "the",
    "is",
    "on",
    "Friday",
    "**tea**",
    "not",
    "[x]",
    "likes",
    "会議は",
    "3月5日",
]
SENTENCES = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join))

APART = [
    ("Ran 5k in 27:10", "Ran 5k in 41:30"),
    ("Lunch with Ana: €13.50.", "Lunch with Ana: €17.20."),
    ("Server db-01 has 64 GB RAM.", "Server db-02 has 64 GB RAM."),
    ("Lens, left eye: −2.25.", "Lens, right eye: −2.25."),
    ("Ana owes Ben 5 euros", "Ben owes Ana 5 euros"),
    ("moved from mysql to postgres", "moved from postgres to mysql"),
    ("Ana: 5 EUR, Ben: 6 EUR", "Ana: 6 EUR, Ben: 5 EUR"),
    ("Lives in Lyon", "Lived in Lyon"),
    ("Ana likes tea", "Ana's son likes tea"),
    ("The shop opens at 8", "The shop opens at 8 on holidays"),
    ("Use tabs", "Don't use tabs"),
    ("[x] pay rent", "[ ] pay rent"),
    ("~~Likes tea~~", "Likes tea"),
    ("Call Ana", "Call Ana?"),
    ("see [a](x.md)", "see [a](y.md)"),
    ("I like C", "I like C++"),
    ("a > b", "a < b"),
    ("会議は3月5日", "会議は3月6日"),
]
TOGETHER = [
    ("Public ids move to ULID, for index locality.", "Public ids move to ULID for index locality"),
    ("Ran 5k in 27:10", "ran 5 k in 27:10."),
    ("Standup at 9:30", "The standup is at 9.30 am"),
    ("**Likes** tea", "likes tea."),
    ("Ana really likes tea", "Ana likes tea"),
    ("The flat costs €800", "flat costs 800 euros"),
]


def different_pairs() -> list[tuple[str, str]]:
    """Pairs of the shared set that say different things, where it is at hand, after our own."""
    path = shared_folder() / "datasets" / "pairs.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    return APART + [(r["older"]["text"], r["newer"]["text"]) for r in rows if r["relation"] != "paraphrase"]


@pytest.mark.parametrize(("a", "b"), different_pairs())
def test_what_says_something_else_is_never_one_memory(a: str, b: str) -> None:
    assert not same(a, b)
    assert not same(b, a)


@pytest.mark.parametrize(("a", "b"), TOGETHER)
def test_the_same_said_nearly_the_same_way_is_one_memory(a: str, b: str) -> None:
    assert same(a, b)


@given(SENTENCES, SENTENCES)
def test_both_measures_are_symmetric_and_reflexive(a: str, b: str) -> None:
    assert similarity(a, a) == 1.0
    assert same(a, a)
    assert similarity(a, b) == similarity(b, a)
    assert 0.0 <= similarity(a, b) <= 1.0
    assert same(a, b) == same(b, a)


@given(SENTENCES, SENTENCES)
def test_one_memory_means_the_same_figures(a: str, b: str) -> None:
    if same(a, b) and a.casefold() != b.casefold():
        assert same_figures(a, b) or similarity(a, b) == 1.0


def test_similarity_orders_an_edit_before_another_sentence() -> None:
    line = "Ana prefers short answers in the morning"
    edit = "Ana prefers short answers in the evening"
    other = "The rent is due on the third"
    assert similarity(line, edit) > 0.8 > 0.3 > similarity(line, other)


def test_similarity_reads_texts_without_spaces() -> None:
    assert similarity("会議は三月五日です", "会議は三月六日です") > similarity("会議は三月五日です", "猫が好きです")
