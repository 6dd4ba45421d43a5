"""Who may do what, where."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crustacean.edits import lanes
from crustacean.edits.edit import Edit, Place
from crustacean.errors import EditRefused
from crustacean.workspace.meta import Meta

SAID = datetime(2026, 3, 17, 14, 5, tzinfo=UTC)
DAY = "memory/2026-03-17.md"
ANA = "memory/contacts/ana.md"


@pytest.mark.parametrize(
    ("stage", "edit"),
    [
        ("collect", Edit("append", path=DAY, text="x", local=SAID)),
        ("curate", Edit("append", path=ANA, text="x")),
        ("curate", Edit("supersede", entry=Place("a" * 10, DAY), by="b" * 10)),
        ("curate", Edit("propose", path="USER.md", new="x")),
        ("consolidate", Edit("move", entry=Place("a" * 10, "MEMORY.md"), path="memory/notes/old.md")),
        ("compile", Edit("archive", path=DAY, reason="done")),
        ("calibrate", Edit("propose", path="memory/.system/COLLECT.md", new="x")),
        ("procedures", Edit("create", path="knowledge/procedures/learned/x.md", title="x", text="x")),
        ("person", Edit("trash", entry=Place("a" * 10, ANA))),
    ],
)
def test_a_stage_does_what_is_its_own(stage: str, edit: Edit) -> None:
    lanes.check(stage, edit)


@pytest.mark.parametrize(
    ("stage", "edit"),
    [
        ("collect", Edit("append", path=ANA, text="x")),
        ("collect", Edit("supersede", entry=Place("a" * 10, DAY), by="b")),
        ("collect", Edit("append", path="archive/ledger/2026-03.jsonl", text="x")),
        ("curate", Edit("append", path=DAY, text="x")),
        ("curate", Edit("append", path="SOUL.md", text="x")),
        ("curate", Edit("append", path="archive/retired/2026-03.md", text="x")),
        ("curate", Edit("move", entry=Place("a" * 10, ANA), path="memory/notes/x.md")),
        ("consolidate", Edit("append", path="MEMORY.md", text="x")),
        ("compile", Edit("append", path="memory/.system/COLLECT.md", text="x")),
        ("calibrate", Edit("create", path=ANA, title="x", text="x")),
        ("tend", Edit("create", path=ANA, title="x", text="x")),
        ("person", Edit("append", path="crab.toml", text="x")),
        ("person", Edit("append", path="../x.md", text="x")),
        ("person", Edit("append", path=".git/x.md", text="x")),
        ("nobody", Edit("append", path=DAY, text="x")),
    ],
)
def test_and_nothing_else(stage: str, edit: Edit) -> None:
    with pytest.raises(EditRefused):
        lanes.check(stage, edit)


def test_nothing_untrusted_is_promoted() -> None:
    for path in ("memory/lessons/x.md", "knowledge/procedures/x.md", "MEMORY.md"):
        with pytest.raises(EditRefused, match="not promoted"):
            lanes.check("curate", Edit("append", path=path, text="x", meta=Meta(origin="untrusted")))
