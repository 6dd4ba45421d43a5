"""Asking: once more with the reasons, in halves, set aside."""

from __future__ import annotations

from pathlib import Path

from crustacean.errors import ModelError
from tests.stages.conftest import Collect, Scripted, append, batch, failure, says

LOG = "memory/2026-03-17.md"


def test_refused_edits_are_sent_back_once_with_the_reasons(root: Path, collect: Collect) -> None:
    good = append("Public ids move to ULID.", "t1")
    model = Scripted([{"edits": [good, append("Nobody said this.", "t9")]}, {"edits": [good]}])

    result = collect(model, batch(says(1, "ulid it is")))

    assert [r["op"] for r in result.refused] == []
    assert "t9 is not a turn of this prompt" in model.asked[1].messages[0][1]
    assert (root / LOG).read_text().count("\n- ") == 1


def test_what_is_still_bad_the_second_time_goes_to_the_review_list(root: Path, collect: Collect) -> None:
    bad = {"edits": [append("Nobody said this.", "t9"), {"op": "rm -rf"}]}
    result = collect(Scripted([bad, bad]), batch(says(1, "hello")))

    assert {r["reason"] for r in result.refused} == {"t9 is not a turn of this prompt", "no such operation"}
    assert not (root / LOG).exists()


def test_a_batch_that_fails_twice_is_halved_down_to_the_turn_that_is_set_aside(root: Path, collect: Collect) -> None:
    model = Scripted(
        [failure(), failure(), {"edits": [append("First thing.", "t1")]}, failure(), failure("no JSON in it")]
    )
    result = collect(model, batch(says(1, "the first thing"), says(2, "the poisonous thing")))

    assert [r["reason"] for r in result.refused] == ["set aside: no JSON in it"]
    assert "First thing." in (root / LOG).read_text()
    assert result.considered == 2


def test_a_model_that_goes_away_keeps_what_was_applied_and_marks_nothing_more(root: Path, collect: Collect) -> None:
    model = Scripted([{"edits": [append("First thing.", "t1")]}, ModelError("no connection", "try later")])
    result = collect(model, batch(says(1, "first")), batch(says(2, "second")))

    assert result.stopped is not None and result.stopped.message == "no connection"
    assert result.considered == 1
    assert "First thing." in (root / LOG).read_text()


def test_usage_counts_every_call(collect: Collect) -> None:
    result = collect(Scripted([failure(), {"edits": []}]), batch(says(1, "hello")))
    assert result.usage["calls"] == 1


def test_offline_is_not_asked_twice(collect: Collect) -> None:
    model = Scripted([{"edits": [append("Nobody said this.", "t9")]}], offline=True)
    result = collect(model, batch(says(1, "hello")))
    assert (len(model.asked), len(result.refused)) == (1, 1)
