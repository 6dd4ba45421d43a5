"""`init` makes a workspace, adopts one that is there without changing a byte, and can be run again at any time."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.errors import UsageError, WorkspaceError
from crustacean.workspace import config, edit_config, layout, scaffold, shipped
from crustacean.workspace.document import parse

SETTINGS = edit_config.first_settings(timezone="Europe/Madrid", owner=["7"], name="Ana")
Snapshot = dict[str, tuple[int, int, bytes | str | None]]


def snapshot(root: Path) -> Snapshot:
    """Of everything below a folder: mode, time of change, and bytes or target."""
    out: Snapshot = {}
    for path in sorted(root.rglob("*")):
        stat = path.lstat()
        held = str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        # A folder's time changes when something is added to it.
        out[path.relative_to(root).as_posix()] = (stat.st_mode, 0 if held is None else stat.st_mtime_ns, held)
    return out


def kept(before: Snapshot, after: Snapshot) -> bool:
    return all(after.get(path) == state for path, state in before.items())


def test_a_new_workspace_has_the_whole_tree(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "w"
    report = scaffold.init(root, SETTINGS)
    assert all((root / folder).is_dir() for folder in layout.FOLDERS)
    for path in (layout.MEMORY, *layout.FOUNDATION, layout.SELF, layout.REVIEW, layout.LOG, layout.SETTINGS):
        assert (root / path).is_file(), path
    for name in shipped.documents():
        assert (root / layout.SYSTEM_DIR / name).read_text(encoding="utf-8") == shipped.pipeline(name)
    assert config.load(root).owner.name == "Ana"
    assert (report.kept, report.foreign, report.notices) == ([], [], [])
    assert sorted(p.rstrip("/") for p in report.made) == sorted(
        {*layout.FOLDERS} | {p for p, s in snapshot(root).items() if s[2] is not None}
    )


def test_the_plain_profile_has_no_foundation(tmp_path: Path) -> None:
    scaffold.init(tmp_path, SETTINGS, profile="plain")
    assert not any((tmp_path / name).exists() for name in layout.FOUNDATION)
    assert (tmp_path / layout.MEMORY).is_file()


def test_an_unknown_profile_is_a_usage_error_and_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--profile fancy"):
        scaffold.init(tmp_path / "w", SETTINGS, profile="fancy")
    assert not (tmp_path / "w").exists()


def test_a_second_init_changes_nothing_at_all(tmp_path: Path) -> None:
    scaffold.init(tmp_path, SETTINGS)
    before, stamps = snapshot(tmp_path), {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*")}
    report = scaffold.init(tmp_path, SETTINGS.replace("Madrid", "Lisbon"))
    assert snapshot(tmp_path) == before
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*")} == stamps
    assert not report.made


def test_what_crab_ships_is_readable_and_holds_no_memories(tmp_path: Path) -> None:
    scaffold.init(tmp_path, SETTINGS)
    for path in sorted(tmp_path.rglob("*.md")):
        name = path.relative_to(tmp_path).as_posix()
        document = parse(name, path.read_bytes())
        assert not document.problem
        if layout.is_memory(name):
            assert [e.kind for e in document.entries] == ["html"] * len(document.entries), name
            assert all(e.text.startswith("<!--") for e in document.entries), name


def test_a_folder_that_is_used_already_keeps_every_byte(tmp_path: Path) -> None:
    old = {
        "MEMORY.md": b"\xef\xbb\xbf# Mine\r\n- no final newline",
        "SOUL.md": b"\xff\xfe not utf-8",
        ".gitignore": b"*.log\n",
        ".gitattributes": b"*.md text\n",
        "memory/2026-03-01.md": b"# 2026-03-01\n",
        "memory/.system/COLLECT.md": b"You are a cron job.\n",
        "archive/LOG.md": b"",
        "notes/else.txt": b"x",
    }
    for path, data in old.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    before = snapshot(tmp_path)
    report = scaffold.init(tmp_path, SETTINGS)
    assert kept(before, snapshot(tmp_path))
    assert set(report.kept) == {"MEMORY.md", "SOUL.md", "memory/.system/COLLECT.md", "archive/LOG.md"}
    assert report.foreign == ["memory/.system/COLLECT.md"]
    assert (tmp_path / "memory/.system/HOW-IT-WORKS.md").is_file()


PATHS = st.sampled_from(
    [
        layout.MEMORY,
        *layout.FOUNDATION,
        *layout.FOLDERS,
        layout.SETTINGS,
        layout.SELF,
        "memory/.system/COLLECT.md",
        ".crab",
    ]
)


@given(
    st.dictionaries(
        PATHS, st.sampled_from(["file", "empty", "folder", "out", "inside", "dangling", "loop"]), max_size=6
    )
)
def test_whatever_is_there_already_stays_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, things: dict[str, str]
) -> None:
    base = tmp_path_factory.mktemp("any")
    root, outside = base / "w", base / "outside"
    for folder in (root / "elsewhere", outside):
        folder.mkdir(parents=True)
        (folder / "kept.md").write_bytes(b"- kept\n")
    for path, kind in things.items():
        real = root / path
        try:
            real.parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.path.lexists(real):
            continue
        match kind:
            case "file" | "empty":
                real.write_bytes(b"# mine" if kind == "file" else b"")
            case "folder":
                real.mkdir()
            case "out" | "inside":
                real.symlink_to(outside if kind == "out" else root / "elsewhere")
            case "dangling" | "loop":
                real.symlink_to(base / "gone" if kind == "dangling" else real)
    before, around = snapshot(root), snapshot(outside)
    first = scaffold.init(root, SETTINGS)
    middle = snapshot(root)
    second = scaffold.init(root, SETTINGS)
    assert kept(before, middle)
    assert snapshot(outside) == around
    assert snapshot(root) == middle
    assert not (base / "gone").exists()
    assert not second.made and second.notices == first.notices
    assert not any(name.endswith(".crab-tmp") for name in middle)


def test_nothing_is_made_behind_a_symlink_that_leads_out(tmp_path: Path) -> None:
    root, outside = tmp_path / "w", tmp_path / "vault"
    root.mkdir()
    outside.mkdir()
    (root / "memory").symlink_to(outside)
    report = scaffold.init(root, SETTINGS)
    assert list(outside.iterdir()) == []
    assert [n for n in report.notices if n.startswith("memory is a symlink out of the workspace")]
    assert len(report.notices) == 1


def test_a_file_where_a_folder_belongs_is_pointed_out(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a note")
    report = scaffold.init(tmp_path, SETTINGS)
    assert report.notices == ["memory is in the way: it is not a folder; left as it is"]
    assert (tmp_path / "knowledge" / "topics").is_dir()


def test_a_name_that_differs_in_case_alone_is_pointed_out_and_gets_no_rival(tmp_path: Path) -> None:
    (tmp_path / "memory.md").write_text("- old\n")
    report = scaffold.init(tmp_path, SETTINGS)
    assert [p.name for p in tmp_path.glob("[mM][eE]*.md")] == ["memory.md"]
    ignores_case = (tmp_path / "MEMORY.MD").exists()
    assert ignores_case or report.notices == [
        "memory.md is not read: crab's is MEMORY.md, rename it if it is meant to be that"
    ]


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = Path.hardlink_to

    def raced(self: Path, target: Path) -> None:
        if self.name == layout.MEMORY:
            self.write_text("from an editor")
        link(self, target)

    monkeypatch.setattr(Path, "hardlink_to", raced)
    report = scaffold.init(tmp_path, SETTINGS)
    assert (tmp_path / layout.MEMORY).read_text() == "from an editor"
    assert layout.MEMORY in report.kept


def test_a_file_system_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: Path, target: Path) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(self))

    scaffold.init(tmp_path / "a", SETTINGS)
    monkeypatch.setattr(Path, "hardlink_to", none)
    scaffold.init(tmp_path / "b", SETTINGS)
    assert [(p, s[2]) for p, s in snapshot(tmp_path / "a").items()] == [
        (p, s[2]) for p, s in snapshot(tmp_path / "b").items()
    ]


@pytest.mark.parametrize("stop", [0, 1, 5, 12])
def test_an_init_that_was_interrupted_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    scaffold.init(tmp_path / "whole", SETTINGS)
    left, sync = [stop], os.fsync

    def full(number: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(number)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(WorkspaceError, match="No space left") as caught:
            scaffold.init(tmp_path / "w", SETTINGS)
    assert "init again" in caught.value.hint
    assert not (tmp_path / "w" / layout.SETTINGS).exists()
    scaffold.init(tmp_path / "w", SETTINGS)
    assert {p: s[2] for p, s in snapshot(tmp_path / "w").items()} == {
        p: s[2] for p, s in snapshot(tmp_path / "whole").items()
    }


def test_what_a_killed_init_left_half_written_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / ".MEMORY.md.crab-tmp").write_text("# Mem")
    scaffold.init(tmp_path, SETTINGS)
    assert "Mem" in (tmp_path / layout.MEMORY).read_text()
    assert not (tmp_path / ".MEMORY.md.crab-tmp").exists()


def test_a_planted_symlink_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "precious").write_text("x")
    (tmp_path / "w" / ".MEMORY.md.crab-tmp").symlink_to(tmp_path / "precious")
    scaffold.init(tmp_path / "w", SETTINGS)
    assert (tmp_path / "precious").read_text() == "x"


# Places that are none


@pytest.fixture
def readable() -> Iterator[Path]:
    """A folder that every account can enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def as_anybody() -> Iterator[None]:
    """Without the rights of root, which permissions do not bind."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(own)


@pytest.mark.parametrize("mode", [0o555, 0o000])
@pytest.mark.parametrize("inside", ["", "w", "a/b"])
def test_a_folder_that_cant_be_written_or_entered_gets_one_line(readable: Path, inside: str, mode: int) -> None:
    folder = readable / "shut"
    folder.mkdir(mode)
    with as_anybody(), pytest.raises(WorkspaceError, match="Permission denied") as caught:
        scaffold.check_root(folder / inside, Path("/nowhere"))
        scaffold.init(folder / inside, SETTINGS)
    assert "\n" not in caught.value.message and str(folder) in caught.value.message
    folder.chmod(0o755)
    assert list(folder.iterdir()) == []


def test_a_place_that_is_no_workspace_by_accident_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".openclaw").mkdir(parents=True)
    (tmp_path / "link").symlink_to(home)
    (tmp_path / "file").write_text("x")
    for root in (
        Path("/"),
        home,
        home.parent,
        home / ".openclaw",
        home / "x" / "..",
        tmp_path / "link",
        tmp_path / "file",
    ):
        with pytest.raises(UsageError) as caught:
            scaffold.check_root(root, home)
        assert str(root) in caught.value.message and caught.value.hint
    for root in (tmp_path / "repo" / ".git" / "w", tmp_path / "w" / ".crab"):
        with pytest.raises(UsageError):
            scaffold.check_root(root, home)
    scaffold.init(tmp_path / "outer", SETTINGS)
    with pytest.raises(UsageError, match="in the memory of the workspace"):
        scaffold.check_root(tmp_path / "outer" / "memory" / "contacts", home)
    for root in (Path("/" + "x" * 5000), tmp_path / "a\0b", tmp_path / "file" / "w"):
        with pytest.raises(WorkspaceError):
            scaffold.check_root(root, home)
            scaffold.init(root, SETTINGS)
    for root in (
        home / "memory",
        home / ".openclaw" / "workspace",
        tmp_path / "new",
        tmp_path / "outer",
        tmp_path / "outer" / "projects" / "x",
    ):
        scaffold.check_root(root, home)


def test_a_symlink_to_a_folder_is_a_workspace_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "w").symlink_to(tmp_path / "real")
    report = scaffold.init(tmp_path / "w", SETTINGS)
    assert not report.notices
    assert (tmp_path / "real" / "memory" / "contacts").is_dir()


# Whose prompt it is


OURS = "---\ncrab: COLLECT.md\nversion: 1\n---\n# Collect\n"


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        (OURS, False),
        (OURS.replace("\n", "\r\n"), False),
        ("\ufeff" + OURS, False),
        (OURS.replace("# Collect", "# My own words"), False),
        ("# Collect\n", True),
        ("", True),
        ("---\nname: COLLECT\n---\ncrab: COLLECT.md\n---\n", True),
        ("\n" + OURS, True),
        ("---\ncrab: COLLECT.md\n", True),
        ("---\n" + "x: y\n" * 10_000 + "crab: COLLECT.md\n---\n", True),
    ],
)
def test_a_stage_document_without_crabs_frontmatter_is_someones_own(tmp_path: Path, text: str, foreign: bool) -> None:
    path = tmp_path / layout.SYSTEM_DIR / "COLLECT.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode())
    assert scaffold.foreign_documents(tmp_path) == ([f"{layout.SYSTEM_DIR}/COLLECT.md"] if foreign else [])


def test_a_stage_document_that_cant_be_read_is_someones_own(tmp_path: Path) -> None:
    (tmp_path / layout.SYSTEM_DIR / "COLLECT.md").mkdir(parents=True)
    assert scaffold.foreign_documents(tmp_path) == [f"{layout.SYSTEM_DIR}/COLLECT.md"]


def test_every_shipped_document_carries_crabs_frontmatter() -> None:
    assert "COLLECT.md" in shipped.documents()
    for name in shipped.documents():
        assert shipped.is_ours(shipped.pipeline(name))
        assert f"\ncrab: {name}\n" in shipped.pipeline(name)


# Git


def git(root: Path, *arguments: str) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *arguments], cwd=root, env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_git_ignores_the_machines_state_and_unites_ledgers_without_a_change_to_your_own_settings(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "-q")
    scaffold.init(tmp_path, SETTINGS)
    (tmp_path / ".crab" / "state.sqlite").write_bytes(b"x")
    assert not any(".crab" in line for line in git(tmp_path, "status", "--porcelain", "-uall").splitlines())
    shown = git(tmp_path, "check-attr", "merge", "diff", "text", "--", "archive/ledger/2026-03.jsonl")
    assert [line.rpartition(": ")[2] for line in shown.splitlines()] == ["union", "unset", "unset"]
    assert not (tmp_path / ".gitignore").exists() and not (tmp_path / ".gitattributes").exists()
