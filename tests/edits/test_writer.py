"""From edits to bytes and back, through the whole way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crustacean.edits import apply, files, outside, store, undo, verify, writer
from crustacean.edits.store import Store
from crustacean.errors import WorkspaceError
from tests.edits.conftest import DAY, Clock, Write, log_line


def account(opened: Store) -> verify.Account:
    with store.locked(opened):
        writer.settle(opened)
        return verify.verify(opened, outside.Outside())


def test_an_append_makes_the_days_log_with_its_heading_and_provenance(root: Path, write: Write) -> None:
    write(log_line("[decision] Ids move to ULID.", topic="Choosing the id format"), stage="collect")

    assert (root / DAY).read_text() == (
        "# 2026-03-17\n\n### [14:05] Choosing the id format"
        " <!-- src: openclaw:main/3f2a#12; audience: main; origin: owner -->\n\n- [decision] Ids move to ULID.\n"
    )


def test_the_ledger_accounts_for_what_was_written(opened: Store, write: Write) -> None:
    write(log_line("One thing."), log_line("Another thing entirely."), stage="collect", keys=("0123456789ab",))

    found = account(opened)
    assert (found.entries, found.live, found.lost) == (2, 2, [])


def test_undo_of_a_run_gives_back_the_bytes_and_keeps_the_text_in_the_trash(
    root: Path, opened: Store, write: Write
) -> None:
    write(log_line("One thing."), stage="collect", name="aaaa1111")
    with store.locked(opened):
        undo.undo(opened, "aaaa1111", "bbbb2222")

    assert not (root / DAY).exists()
    assert "One thing." in (root / "archive/trash/2026-03.md").read_text()
    assert (account(opened).undone, account(opened).lost) == (1, [])


def test_a_line_that_a_person_removes_is_removed_outside_and_kept_in_the_trash(
    root: Path, opened: Store, write: Write, clock: Clock
) -> None:
    write(log_line("One thing."), log_line("Another thing entirely."), stage="collect")
    clock.later(hours=1)
    text = (root / DAY).read_text()
    (root / DAY).write_text(text.replace("- One thing.\n", ""))

    found = account(opened)
    assert (found.live, found.removed_outside, found.lost) == (1, 1, [])
    assert "One thing." in (root / "archive/trash/2026-03.md").read_text()


def test_a_line_that_a_person_edits_is_linked_to_what_it_was(root: Path, opened: Store, write: Write) -> None:
    made = write(log_line("The launch is on 3 April in the small hall."), stage="collect")
    (root / DAY).write_text((root / DAY).read_text().replace("3 April", "4 April"))

    found = account(opened)
    assert (found.entries, found.live, found.lost) == (1, 1, [])
    links = opened.db.execute("SELECT old, how FROM chain").fetchall()
    assert links == [(made.rows[0]["id"], "text")]


def test_bytes_that_do_not_arrive_on_the_disk_refuse_the_run(
    root: Path, opened: Store, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = files.write_beside

    def forgetful(path: Path, data: bytes) -> Path:
        return honest(path, data.replace(b"- One thing.\n", b""))

    monkeypatch.setattr(files, "write_beside", forgetful)
    with pytest.raises(WorkspaceError, match="could not be read back"):
        write(log_line("One thing."), log_line("Another thing entirely."), stage="collect")

    assert not (root / DAY).exists()
    assert account(opened).entries == 0


def test_a_line_that_vanishes_inside_a_run_is_lost(
    opened: Store, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = apply.commit

    def forgetful(opened: Store, changes: apply.Changes, *rest: Any) -> str:
        less = {p: (a, b and b.replace(b"- One thing.\n", b"")) for p, (a, b) in changes.items()}
        return honest(opened, less, *rest)

    monkeypatch.setattr(apply, "commit", forgetful)
    write(log_line("One thing."), log_line("Another thing entirely."), stage="collect")

    assert [lost["path"] for lost in account(opened).lost] == [DAY]
