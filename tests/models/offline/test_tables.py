from __future__ import annotations

import re
import time

import pytest

from crustacean.edits.operations import TAGS
from crustacean.models.offline import tables
from tests.models.offline.say import kept

PIECES = (
    "a", "I ", "we ", "not ", "my ", "the ", "1", "1.", "1,", '"', "(", "`", "A", "Aa ", "name is ", "from ", "to ",
    "and ", "yes, ", "Idea: ", "Monday ", "x/", "a.b", "@a ", "日", "は", "https://a.b/", "a-", "it is ", "never ",
    "my sister ", "'s ", "12:30 ", "5 kg ", "is on ", "by Monday ", "remember ", "#", "=", "code is ", "ignore all ",
    "from a to ", ", ",
)  # fmt: skip


@pytest.mark.parametrize("language", sorted(tables.languages()))
def test_every_language_has_what_the_rules_ask_for(language: str) -> None:
    table = tables.of(language)
    assert table is not None
    assert {cue.tag for cue in table.cues} <= set(TAGS)
    assert all(0 < cue.weight <= 5 for cue in table.cues)
    assert table.words["acknowledged"]
    needed = {"passing", "asks"} | ({"task", "date", "own"} if language != "en" else set())
    assert needed <= set(table.patterns)


def test_no_pattern_matches_nothing() -> None:
    for name in (*tables.languages(), "guard"):
        table = tables.load(name)
        for pattern in (*(c.pattern for c in table.cues), *table.patterns.values()):
            assert not re.fullmatch(pattern, "")


def test_a_language_without_a_table() -> None:
    assert tables.of("fi") is None
    assert tables.of("guard") is None


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_text_costs_no_more_than_its_length(piece: str) -> None:
    sentences = ((piece * 1000)[:990].rstrip() + ". ") * 20
    start = time.perf_counter()
    kept(("", sentences))
    assert time.perf_counter() - start < 5


def test_a_huge_turn_is_read_only_so_far() -> None:
    start = time.perf_counter()
    kept(("", "I like tea from the hills. " * 200_000))
    assert time.perf_counter() - start < 5
