"""What each operation guarantees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from crustacean.edits import outside, store, undo, verify, writer
from crustacean.edits.edit import Edit, Place
from crustacean.edits.store import Store
from crustacean.workspace.document import parse
from crustacean.workspace.meta import Meta
from tests.edits.conftest import DAY, Write, log_line

ANA = "memory/contacts/ana.md"
OWNER = Meta(src="openclaw:main/3f2a#12", origin="owner", audience="main")


@pytest.fixture
def ana(root: Path) -> Path:
    path = root / ANA
    path.write_text("# Ana\n\n## Facts\n\n- Lives in Girona.\n- Likes tea.\n  - Green tea most.\n")
    return path


def place(root: Path, opened: Store, path: str, text: str) -> Place:
    entries = parse(path, (root / path).read_bytes(), opened.identify).entries
    found = next(e for e in entries if e.text == text)
    return Place(found.id, path, found.n)


Check = Callable[[], verify.Account]


@pytest.fixture
def account(opened: Store) -> Check:
    def check() -> verify.Account:
        with store.locked(opened):
            writer.settle(opened)
            return verify.verify(opened, outside.Outside())

    return check


def test_create_makes_a_file_once_for_a_name(root: Path, write: Write) -> None:
    made = Edit("create", path="memory/contacts/ben.md", title="Ben", aliases=("Benny",), text="A friend.", meta=OWNER)
    assert write(made, stage="curate").refused == []
    assert (root / "memory/contacts/ben.md").read_text().startswith('---\naliases:\n  - "Benny"\n---\n# Ben\n')

    again = replace(made, path="memory/contacts/benny.md", title="Benny", aliases=())
    assert "has a file for" in write(again, stage="curate").refused[0].reason


def test_supersede_replaces_in_place_and_keeps_the_old_text(
    root: Path, opened: Store, ana: Path, write: Write, account: Check
) -> None:
    before = ana.read_bytes()
    old = place(root, opened, ANA, "Lives in Girona.")
    write(Edit("supersede", entry=old, text="Lives in Olot.", meta=OWNER, why="moved"), stage="curate", name="run1")

    assert "- Lives in Olot." in ana.read_text() and "Girona" not in ana.read_text()
    assert "Lives in Girona." in (root / "archive/superseded/2026-03.md").read_text()
    assert (account().superseded, account().lost) == (1, [])

    with store.locked(opened):
        undo.undo(opened, "run1", "run2")
    assert ana.read_bytes() == before
    assert account().lost == []


def test_a_line_of_a_daily_log_is_superseded_by_another_entry_and_stays(
    root: Path, opened: Store, write: Write, account: Check
) -> None:
    made = write(log_line("The launch is on 20 March."), log_line("The launch is on 3 April."), stage="collect")
    old, new = (r["id"] for r in made.rows)
    write(Edit("supersede", entry=Place(old, DAY), by=new), stage="curate")

    assert f"The launch is on 20 March. <!-- superseded: 2026-03-17 by {new} -->" in (root / DAY).read_text()
    assert write(Edit("supersede", entry=Place(old, DAY), text="x", meta=OWNER), stage="curate").refused
    assert account().lost == []


def test_merge_keeps_its_sources_in_the_archive(
    root: Path, opened: Store, ana: Path, write: Write, account: Check
) -> None:
    ana.write_text("# Ana\n\n## Facts\n\n- Likes tea.\n- Likes green tea.\n")
    entries = (place(root, opened, ANA, "Likes tea."), place(root, opened, ANA, "Likes green tea."))
    merged = Edit(
        "merge", path=ANA, heading=("Ana", "Facts"), text="Likes tea, green most.", entries=entries, meta=OWNER
    )
    write(merged, stage="curate")

    assert next(line for line in ana.read_text().splitlines() if line.startswith("- Likes tea, green most."))
    kept = (root / "archive/superseded/2026-03.md").read_text()
    assert "Likes tea." in kept and "Likes green tea." in kept
    assert (account().superseded, account().lost) == (2, [])


def test_move_carries_an_entry_with_its_children_and_its_id(
    root: Path, opened: Store, ana: Path, write: Write, account: Check
) -> None:
    (root / "memory/notes").mkdir()
    (root / "memory/notes/tea.md").write_text("# Tea\n")
    tea = place(root, opened, ANA, "Likes tea.")
    write(Edit("move", entry=tea, path="memory/notes/tea.md", heading=("Tea",), pointer=True), stage="compile")

    assert "  - Green tea most." in (root / "memory/notes/tea.md").read_text()
    assert "Likes tea" not in ana.read_text() and "memory/notes/tea.md" in ana.read_text()
    assert place(root, opened, "memory/notes/tea.md", "Likes tea.").id == tea.id
    assert account().lost == []


def test_archive_takes_an_entry_with_its_reason_or_a_whole_file(
    root: Path, opened: Store, ana: Path, write: Write, account: Check
) -> None:
    write(log_line("One thing."), stage="collect")
    done = Edit("archive", entry=place(root, opened, ANA, "Lives in Girona."), reason="stale")
    write(done, Edit("archive", path=DAY, reason="done"), stage="compile")

    assert "Lives in Girona." in (root / "archive/retired/2026-03.md").read_text()
    assert "One thing." in (root / "archive/daily/2026-03/2026-03-17.md").read_text()
    assert not (root / DAY).exists()
    assert account().lost == []
    assert write(replace(done, entry=Place("0" * 10, ANA)), stage="compile").refused


def test_only_what_is_worthless_goes_to_the_trash_by_a_stage(
    root: Path, opened: Store, ana: Path, write: Write, account: Check
) -> None:
    ana.write_text("# Ana\n\n- Likes tea.\n- Likes tea.\n- Lives in Girona.\n")
    girona = place(root, opened, ANA, "Lives in Girona.")
    assert write(Edit("trash", entry=girona), stage="compile").refused
    twin = replace(place(root, opened, ANA, "Likes tea."), n=2)
    assert write(Edit("trash", entry=twin), stage="compile").refused == []
    assert ana.read_text().count("Likes tea.") == 1
    assert account().lost == []


def test_annotate_changes_only_the_comment(root: Path, opened: Store, ana: Path, write: Write) -> None:
    tea = place(root, opened, ANA, "Likes tea.")
    write(Edit("annotate", entry=tea, meta=Meta(importance=8)), stage="person")
    assert "- Likes tea. <!-- importance: 8 -->" in ana.read_text()


def test_split_makes_a_section_a_file_with_a_pointer(root: Path, opened: Store, ana: Path, write: Write) -> None:
    tea = place(root, opened, ANA, "Likes tea.")
    edit = Edit("split", entry=tea, path="memory/notes/facts.md", heading=("Ana", "Facts"))
    assert write(edit, stage="compile").refused == []
    assert "Likes tea." in (root / "memory/notes/facts.md").read_text()
    assert "memory/notes/facts.md" in ana.read_text() and "Girona" not in ana.read_text()


def test_propose_and_flag_change_no_file(root: Path, opened: Store, write: Write) -> None:
    before = {p: p.read_bytes() for p in root.rglob("*.md")}
    made = write(
        Edit("propose", path="USER.md", new="Likes tea."), Edit("flag", text="Which Ana is meant?"), stage="curate"
    )
    assert len(made.listed) == 2
    assert {p: p.read_bytes() for p in root.rglob("*.md")} == before
    kinds = {k for (k,) in opened.db.execute("SELECT kind FROM items WHERE open = 1")}
    assert kinds == {"propose", "flag"}


def test_an_entry_is_changed_by_one_edit_of_a_plan_at_most(root: Path, opened: Store, ana: Path, write: Write) -> None:
    tea = place(root, opened, ANA, "Likes tea.")
    twice = [Edit("supersede", entry=tea, text=f"Likes tea number {n}.", meta=OWNER) for n in (1, 2)]
    assert len(write(*twice, stage="curate").refused) == 1
