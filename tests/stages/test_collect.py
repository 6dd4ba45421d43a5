"""Collect: what code decides about an entry, whatever the reply says."""

from __future__ import annotations

import json
from pathlib import Path

from crustacean.stages.work import Options
from tests.stages.conftest import Collect, Scripted, append, batch, says

LOG = "memory/2026-03-17.md"


def test_an_entry_stands_in_its_day_under_its_local_time_and_topic(root: Path, collect: Collect) -> None:
    collect(
        Scripted([{"edits": [append("Public ids move to ULID.", "t1", tag="decision", importance=8)]}]),
        batch(says(1, "ulid")),
    )

    assert (root / LOG).read_text() == (
        "# 2026-03-17\n\n### [14:06] Choosing the id format"
        " <!-- src: openclaw:main/3f2a91c0-0000#1; audience: main; origin: owner -->\n\n"
        "- [decision] Public ids move to ULID. <!-- importance: 8 -->\n"
    )


def test_entries_of_one_topic_share_a_heading_at_the_first_ones_time(root: Path, collect: Collect) -> None:
    edits = [append("The second thing said.", "t2"), append("The first thing said.", "t1")]
    collect(Scripted([{"edits": edits}]), batch(says(1, "the first thing"), says(2, "the second thing")))

    text = (root / LOG).read_text()
    assert text.count("###") == 1
    assert "### [14:06]" in text


def test_the_least_trusted_source_gives_the_origin_and_the_narrowest_the_audience(root: Path, collect: Collect) -> None:
    turns = batch(says(1, "something in the group", audience="group:-100"), says(2, "found it", who="agent"))
    collect(Scripted([{"edits": [append("Something from both.", "t1", "t2")]}]), turns)

    assert "audience: main; origin: agent" in (root / LOG).read_text()


def test_a_secret_in_a_reply_never_reaches_the_disk(root: Path, collect: Collect) -> None:
    key = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"
    result = collect(Scripted([{"edits": [append(f"The token is {key}.", "t1")]}]), batch(says(1, "here is the token")))

    everything = "".join(p.read_text() for p in root.rglob("*") if p.suffix in (".md", ".jsonl"))
    assert key not in everything
    assert result.redacted


def test_other_operations_and_places_are_refused(root: Path, collect: Collect) -> None:
    edits = [
        {"op": "create", "path": "memory/contacts/ana.md", "title": "Ana", "text": "x", "sources": ["t1"]},
        {"op": "archive", "path": "MEMORY.md", "reason": "done"},
        append("Hello is fine.", "t1", path="../../etc/passwd", heading="x"),
    ]
    result = collect(Scripted([{"edits": edits}] * 2), batch(says(1, "hello")))

    assert len(result.refused) == 2
    assert sorted(p.name for p in (root / "memory").iterdir()) == ["2026-03-17.md"]


def test_what_was_said_again_is_observed_and_not_written_twice(root: Path, collect: Collect) -> None:
    collect(Scripted([{"edits": [append("Ana prefers short answers.", "t1")]}]), batch(says(1, "short please")))
    result = collect(
        Scripted([{"edits": [append("Ana prefers short answers.", "t2")]}]), batch(says(2, "short!")), name="run00002"
    )

    assert (result.observed, result.balance["added"]) == (1, 0)
    assert (root / LOG).read_text().count("short answers") == 1


def test_nothing_notable_leaves_no_trace_but_is_considered(root: Path, collect: Collect) -> None:
    result = collect(Scripted([{"edits": []}]), batch(says(1, "lol")))

    assert result.considered == 1
    assert not (root / LOG).exists()
    [line] = (root / "archive/ledger/2026-03.jsonl").read_text().splitlines()
    assert json.loads(line)["consumed"]["turns"] == ["000000000001"]


def test_a_dry_run_writes_only_its_plan(root: Path, collect: Collect) -> None:
    model = Scripted([{"edits": [append("Public ids move to ULID.", "t1")]}])
    result = collect(model, batch(says(1, "ulid")), options=Options(dry_run=True))

    assert "+- Public ids move to ULID." in result.diff
    assert not (root / LOG).exists()
    assert (root / f".crab/plans/{result.plan}.json").exists()


def test_a_statement_that_has_nothing_of_its_sources_is_refused(root: Path, collect: Collect) -> None:
    edits = [append("Ana takes over the ULID migration.", "t1"), append("東京に引っ越した。", "t2")]
    result = collect(
        Scripted([{"edits": edits}] * 2), batch(says(1, "buy milk on Friday"), says(2, "来月東京に引っ越します"))
    )

    assert [r["text"] for r in result.refused] == ["Ana takes over the ULID migration."]
    assert "東京" in (root / LOG).read_text()
