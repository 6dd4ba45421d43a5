"""No path that an edit names leads anywhere but to a plain file of the workspace, on any file system."""

from __future__ import annotations

import unicodedata
from datetime import date
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crustacean.errors import EditRefused
from crustacean.workspace import layout

GOOD = [
    "MEMORY.md",
    "SOUL.md",
    "memory/2026-03-20.md",
    "memory/contacts/ana.md",
    "memory/contacts/josé-luis.md",
    "memory/contacts/李雷.md",
    "memory/projects/My Project v1.2.md",
    "memory/notes/déjà vu (2).md",
    "memory/notes/console.md",
    "memory/notes/nullable.md",
    "memory/notes/communism.md",
    "memory/notes/a~b.md",
    "memory/notes/c++.md",
    "memory/notes/it's.md",
    "memory/lists/❤\ufe0f.md",
    "memory/.system/COLLECT.md",
    "knowledge/procedures/learned/deploy.md",
    "archive/daily/2026-03/2026-03-20.md",
    "archive/trash/2026-03.md",
    f"memory/notes/{'n' * 117}.md",
]

EVIL = [
    "",
    ".",
    "..",
    "/",
    "//",
    "/etc/passwd",
    "//server/share/x.md",
    "/memory/x.md",
    "memory/",
    "memory//x.md",
    "./memory/x.md",
    "memory/./x.md",
    "../x.md",
    "memory/../../x.md",
    "memory/..",
    "memory/../MEMORY.md",
    "memory/.../x.md",
    "memory/ ../x.md",
    "memory\\x.md",
    "memory\\..\\..\\x.md",
    "\\\\server\\share",
    "C:\\x.md",
    "C:x.md",
    "c:/x.md",
    "memory/x.md:stream",
    "memory/x.md::$DATA",
    "memory/x\0.md",
    "memory/x\n.md",
    "memory/x\r.md",
    "memory/x\t.md",
    "memory/\x1b[31mx.md",
    "memory/x\x7f.md",
    "memory/x\x85.md",
    "memory/con",
    "memory/CON.md",
    "memory/con.tar.md",
    "memory/nul.md",
    "memory/Aux.md",
    "memory/prn.md",
    "memory/com1.md",
    "memory/LPT9.md",
    "memory/com¹.md",
    "memory/con .md",
    "memory/CONIN$.md",
    "con/x.md",
    "memory/nul/x.md",
    "memory/ｃｏｎ.md",
    "memory/x.md.",
    "memory/x.md ",
    "memory/x./y.md",
    "memory/x /y.md",
    "memory/ x.md",
    "memory/x.md\u00a0",
    "memory/\u3000x.md",
    "memory/…",
    "memory/．．/x.md",
    ".git/config",
    ".git/hooks/x.md",
    ".GIT/config",
    ".Git/x.md",
    ".git./x.md",
    ".git /x.md",
    "．git/x.md",
    ".ｇｉｔ/x.md",
    ".g\u200cit/x.md",
    ".git\u200b/x.md",
    ".git\u2060/x.md",
    "GIT~1/x.md",
    "git~2/x.md",
    "memory/.git/x.md",
    "memory/.gitignore",
    ".gitattributes",
    ".gitmodules",
    ".GitAttributes",
    ".crab/state.sqlite",
    ".crab/x.md",
    ".Crab/x.md",
    ".CRAB/x.md",
    "．crab/x.md",
    "crab~1/x.md",
    ".cr\u00adab/x.md",
    "memory/.crab/x.md",
    ".system/x.md",
    "memory/.System/COLLECT.md",
    "memory/.SYSTEM/COLLECT.md",
    "memory/．system/COLLECT.md",
    "memory/.ſystem/x.md",
    "memory/sub/.system/x.md",
    "memory.md",
    "Memory.md",
    "MEMORY.MD",
    "ＭＥＭＯＲＹ.md",
    "MEMORY．md",
    "M\u200bEMORY.md",
    "MEMORY.md\ufeff",
    "soul.md",
    "Soul.md",
    "ſoul.md",
    "user.MD",
    "SOUL.md\u200d",
    "Memory/x.md",
    "MEMORY/x.md",
    "ｍemory/x.md",
    "memory\u200b/x.md",
    "Archive/x.md",
    "archive/Ledger/2026-03.jsonl",
    "archive/LEDGER/x.md",
    "archive/Trash/x.md",
    "archive/ｔrash/x.md",
    "archive/Manifests/x.md",
    "memory/Contacts/ana.md",
    "memory/SELF.md",
    "Crab.toml",
    "archive/log.md",
    "memory/e\u0301.md",
    "memory/\u212b.md",
    "memory/\ud800.md",
    "memory/\ue000.md",
    "memory/\u202egnp.md",
    "memory/x\u2028y.md",
    "memory/a／b.md",
    "memory/a＼b.md",
    'memory/"x".md',
    "memory/x?.md",
    "memory/x*.md",
    "memory/<x>.md",
    "memory/a|b.md",
    "n" * 121,
    f"memory/{'é' * 61}.md",
    "memory/" + "a/" * 600 + "x.md",
    "x" * 1_000_000,
    "a\u0301" * 500_000,
]


@pytest.mark.parametrize("path", GOOD)
def test_plain_paths_are_taken_as_they_are(path: str) -> None:
    assert layout.safe(path) == path and layout.is_safe(path)


@pytest.mark.parametrize("path", EVIL, ids=lambda p: ascii(p)[:40])
def test_evil_paths_are_refused(path: str) -> None:
    with pytest.raises(EditRefused) as refused:
        layout.safe(path)
    assert not layout.is_safe(path) and not layout.is_memory(path) and not layout.may_hold_entries(path)
    assert len(refused.value.reason) < 600 and refused.value.reason.isprintable()


parts = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            "..",
            ".",
            "",
            "memory",
            "Memory",
            "archive",
            "ledger",
            "Ledger",
            ".system",
            ".git",
            ".crab",
            "MEMORY.md",
            "con",
            "x.md",
            "~1",
        ]
    ),
    st.text(alphabet="./\\ :~gGiItTcCrRaAbBﬀſ．\u200b\u0130\u0131", max_size=8),
)


@given(st.one_of(st.text(max_size=40), st.lists(parts, max_size=5).map("/".join)))
@example("memory/İ.md")
@example("ﬀ/x.md")
def test_what_is_taken_is_plain_whatever_the_text(path: str) -> None:
    try:
        assert layout.safe(path) == path
    except EditRefused:
        return
    names = path.split("/")
    assert all(names) and "." not in names and ".." not in names
    assert not PurePosixPath(path).is_absolute() and PurePosixPath(path).as_posix() == path
    windows = PureWindowsPath(path)
    assert not windows.drive and not windows.root and windows.as_posix() == path
    assert path.isprintable() and path == unicodedata.normalize("NFC", path) and path.encode().decode() == path
    for text in (path.casefold(), unicodedata.normalize("NFKC", path).casefold()):
        folded = text.split("/")
        assert not {".git", ".crab"} & set(folded)
        assert ".system" not in folded or path.startswith(layout.SYSTEM_DIR)
    for place in (*layout.FOLDERS, layout.MEMORY, *layout.FOUNDATION):
        if f"{path.casefold()}/".startswith(f"{place.casefold()}/"):
            assert f"{path}/".startswith(f"{place}/")


@given(st.text(max_size=40))
def test_every_question_about_a_path_has_an_answer(path: str) -> None:
    memory = layout.is_memory(path)
    assert not memory or (layout.may_hold_entries(path) and layout.is_home_of_memory(path))
    assert layout.day_of(path) is None or memory
    layout.subject_of(path)
    layout.may_descend(path)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_the_paths_of_a_day(day: date) -> None:
    assert layout.day_of(layout.daily(day)) == day == layout.day_of(layout.archived_daily(day))
    assert layout.archived(layout.daily(day)) == layout.archived_daily(day)
    for path in (layout.daily(day), layout.archived_daily(day), layout.superseded(day), layout.retired(day)):
        assert layout.safe(path) == path and layout.is_memory(path)
    assert not layout.is_memory(layout.trash_entries(day)) and layout.may_hold_entries(layout.trash_entries(day))
    assert not layout.may_hold_entries(layout.ledger_file(day))


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-03-20-slug.md",
        "memory/2026-02-30.md",
        "memory/2026-3-20.md",
        "memory/2026-03-20.MD",
        "memory/sub/2026-03-20.md",
        "archive/daily/2026-02/2026-03-20.md",
        "archive/daily/2026-03-20.md",
        "memory/2026-03-20.md\n",
        "knowledge/2026-03-20.md",
        "memory/２０２６-03-20.md",
    ],
)
def test_what_is_no_daily_log(path: str) -> None:
    assert layout.day_of(path) is None


@pytest.mark.parametrize(
    ("path", "subject"),
    [
        ("memory/contacts/ana.md", "person:ana"),
        ("memory/groups/crew.md", "group:crew"),
        ("memory/projects/atlas.md", "project:atlas"),
        ("memory/self.md", "self"),
        ("memory/lessons/ana.md", ""),
        ("archive/contacts/ana.md", ""),
        ("memory/contacts/ana.txt", ""),
    ],
)
def test_the_subject_of_a_file(path: str, subject: str) -> None:
    assert layout.subject_of(path) == subject


@pytest.mark.parametrize(
    ("path", "memory"),
    [
        ("MEMORY.md", True),
        ("TOOLS.md", True),
        ("README.md", False),
        ("memory/self.md", True),
        ("memory/notes/deep/er.md", True),
        ("memory/.system/COLLECT.md", False),
        ("memory/.obsidian/x.md", False),
        ("knowledge/.trash/x.md", False),
        ("memory/x.txt", False),
        ("archive/LOG.md", True),
        ("archive/trash/2026-03.md", False),
        ("archive/manifests/x.md", False),
        ("archive/ledger/x.md", False),
        ("projects/atlas/notes.md", False),
        ("skills/x/SKILL.md", False),
        ("artifacts/x.md", False),
        ("memory/CON.md", False),
    ],
)
def test_what_is_memory(path: str, memory: bool) -> None:
    assert layout.is_memory(path) is memory


@pytest.mark.parametrize(
    ("folder", "descend"),
    [
        ("memory", True),
        ("memory/contacts", True),
        ("memory/.system", False),
        ("memory/.git", False),
        ("archive/trash", False),
        ("archive/trash/2026-03", False),
        ("projects", False),
        ("archive", True),
    ],
)
def test_where_a_walk_goes(folder: str, descend: bool) -> None:
    assert layout.may_descend(folder) is descend


def test_every_folder_of_a_workspace_is_spelt_safely() -> None:
    for folder in layout.FOLDERS:
        assert layout.safe(folder) == folder
        assert folder.rpartition("/")[0] in ("", *layout.FOLDERS)


# Symlinks


def test_a_path_without_symlinks_is_found_whether_it_exists_or_not(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    assert layout.resolve(tmp_path, "memory/new/x.md") == tmp_path.resolve() / "memory/new/x.md"


def test_a_workspace_that_is_itself_behind_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "real/memory").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    assert layout.resolve(tmp_path / "link", "memory/x.md") == tmp_path.resolve() / "real/memory/x.md"


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("memory/x.md", "../../outside/x.md"),
        ("memory/notes", "../../outside"),
        ("memory", "../outside"),
        ("memory/x.md", "/etc/hostname"),
        ("memory/x.md", "x.md"),
        ("memory/x.md", "../.git/config"),
        ("memory/notes", "../.crab"),
        ("memory/x.md", "../archive/ledger/2026-03.jsonl"),
        ("memory/notes", "../archive/ledger"),
        ("memory/notes", ".system"),
        ("memory/x.md", "../SOUL.md"),
        ("memory/x.md", "../MEMORY.md"),
        ("memory/x.md", "../crab.toml"),
        ("memory/x.md", "../archive/trash/2026-03.md"),
        ("memory/x.md", "../.gitattributes"),
        ("memory/notes", ".."),
    ],
)
def test_symlinks_that_lead_elsewhere_are_refused(tmp_path: Path, link: str, target: str) -> None:
    root = tmp_path / "ws"
    (tmp_path / "outside").mkdir()
    for folder in ("memory/.system", "archive/ledger", "archive/trash", ".git", ".crab"):
        (root / folder).mkdir(parents=True)
    place = root / link
    if place.is_dir():
        place.rename(root / "moved")
    place.symlink_to(target)
    path = link if link.endswith(".md") else {"memory/notes": "memory/notes/SOUL.md", "memory": "memory/x.md"}[link]
    with pytest.raises(EditRefused):
        layout.resolve(root, path)


def test_symlinks_that_go_round_are_refused(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/a.md").symlink_to("b.md")
    (tmp_path / "memory/b.md").symlink_to("a.md")
    (tmp_path / "memory/c").symlink_to("c")
    for path in ("memory/a.md", "memory/b.md", "memory/c/x.md"):
        with pytest.raises(EditRefused):
            layout.resolve(tmp_path, path)


def test_symlinks_inside_the_workspace_are_followed(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/projects").symlink_to("../projects")
    assert layout.resolve(tmp_path, "memory/projects/atlas.md") == tmp_path.resolve() / "projects/atlas.md"


def test_an_evil_path_is_refused_before_the_disk_is_asked(tmp_path: Path) -> None:
    for path in ("../x.md", "memory/x\0.md", "/etc/passwd", "x" * 100_000):
        with pytest.raises(EditRefused):
            layout.resolve(tmp_path, path)
