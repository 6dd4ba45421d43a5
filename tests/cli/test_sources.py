"""What may be read is chosen by a person, rule by rule, and crab.toml says so."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Crab


@pytest.fixture
def bare(crab: Crab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in which nothing is chosen; it is the current folder."""
    root = tmp_path / "ws"
    assert crab("init", root, "--timezone", "UTC").status == 0
    monkeypatch.chdir(root)
    return root


def chosen(root: Path) -> dict[str, list[str]]:
    held: dict[str, list[str]] = tomllib.loads((root / "crab.toml").read_text())["sources"]
    return held


def test_a_list_of_what_is_here_and_what_is_chosen(crab: Crab, bare: Path, home: Path) -> None:
    done = crab("sources", "list")
    assert done.status == 0 and "nothing is chosen yet: crab sources add" in done.out
    assert "found    claude-code  1 files" in done.out and "last read never" in done.out and str(home) in done.out

    crab("sources", "add", "claude-code")
    done = crab("sources", "list")
    assert (
        "read     claude-code" in done.out
        and "chosen   claude-code" in done.out
        and "nothing is chosen" not in done.out
    )

    data = crab("sources", "list", "--json").data
    assert data["include"] == ["claude-code"] and {"exclude", "never", "private", "read"} <= set(data)
    assert {f["client"] for f in data["found"]} == {"claude-code", "openclaw-jsonl"}
    assert {"client", "root", "rule", "sessions", "bytes", "first", "last"} <= set(data["found"][0])


def test_what_was_read_says_when(crab: Crab, root: Path) -> None:
    crab("collect", "--all", "--now", "2026-03-20T10:00:00+01:00")
    assert "last read 2026-03-20T10:00:00+01:00" in crab("sources", "list").out


def test_rules_come_and_go_and_comments_stay(crab: Crab, bare: Path, home: Path) -> None:
    before = (bare / "crab.toml").read_text()
    assert crab("sources", "add", home / ".claude").out == "may be read: ~/.claude\n"
    assert crab("sources", "add", "openclaw-jsonl", "--json").data == {"include": ["~/.claude", "openclaw-jsonl"]}
    assert crab("sources", "add", "~/.claude", "--json").data == {"include": ["~/.claude", "openclaw-jsonl"]}
    assert crab("sources", "exclude", "dir:~/private/**").out == "is never read: dir:~/private/**\n"
    assert chosen(bare)["include"] == ["~/.claude", "openclaw-jsonl"] and chosen(bare)["exclude"] == [
        "dir:~/private/**"
    ]

    assert crab("sources", "remove", home / ".claude").status == 0
    assert crab("sources", "remove", "openclaw-jsonl").out.startswith("may be read: nothing\n")
    assert crab("sources", "remove", "dir:~/private/**", "--json").data == {"include": [], "exclude": []}
    assert (bare / "crab.toml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "nonsense"), "nonsense is no source"),
        (("add", "/nowhere"), "/nowhere does not exist"),
        (("add", "peer:"), "peer:"),
        (("add", ""), "(empty)"),
        (("exclude", "nonsense"), "nonsense is no source"),
        (("remove", "claude-code"), "claude-code is not one of the rules"),
    ],
)
def test_what_is_no_rule_gets_one_line_and_changes_nothing(
    crab: Crab, bare: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = (bare / "crab.toml").read_bytes()
    done = crab("sources", *arguments)
    assert done.status == 2 and said in done.err and done.err.count("\n") == 1 and done.out == ""
    assert (bare / "crab.toml").read_bytes() == before


def test_a_folder_without_sessions_is_no_source(crab: Crab, bare: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = crab("sources", "add", tmp_path / "empty")
    assert done.status == 2 and "holds no sessions" in done.err and "claude-code" in done.err


def test_only_what_is_chosen_is_read(crab: Crab, bare: Path) -> None:
    assert crab("collect", "--all", "--json").data["edits"] == []
    crab("sources", "add", "claude-code")
    data = crab("collect", "--all", "--json").data
    assert data["edits"] and list((bare / "memory").glob("2026-*.md"))
    assert all(
        "claude-code" in p.read_text() and "openclaw" not in p.read_text() for p in (bare / "memory").glob("2026-*.md")
    )


def test_what_is_excluded_is_not_read(crab: Crab, bare: Path) -> None:
    crab("sources", "add", "openclaw-jsonl")
    crab("sources", "exclude", "peer:-7700")
    crab("collect", "--all")
    logs = "".join(p.read_text() for p in (bare / "memory").glob("2026-*.md"))
    assert logs and "group:" not in logs and "Jonas opens" not in logs


def test_without_a_workspace_the_way_to_one_is_told(
    crab: Crab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = crab("sources", "list")
    assert done.status == 3 and "crab init" in done.err and done.err.count("\n") == 1


def test_a_command_without_a_subcommand_shows_what_there_is(crab: Crab) -> None:
    done = crab("sources")
    assert "add" in done.out + done.err and "exclude" in done.out + done.err
