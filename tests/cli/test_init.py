"""Setting a workspace up: the first minute with crab."""

from __future__ import annotations

import json
import os
import pty
import select
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from crustacean.workspace import layout
from tests.cli.conftest import Crab


def settings(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "crab.toml").read_text())


def state(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with its time of change and its bytes."""
    found = {}
    for path in [root, *root.rglob("*")]:
        stat = path.lstat()
        found[path.relative_to(root).as_posix()] = (stat.st_mtime_ns, path.read_bytes() if path.is_file() else b"")
    return found


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True).stdout


def test_a_new_workspace(crab: Crab, tmp_path: Path) -> None:
    root = tmp_path / "my memory"
    done = crab(
        "init",
        root,
        "--timezone",
        "Europe/Madrid",
        "--owner",
        "1001",
        "--owner",
        "@sam",
        "--name",
        "Sam",
        "--source",
        "openclaw-jsonl",
    )

    assert (done.status, done.err) == (0, "")
    assert "files and folders made, 0 kept" in done.out
    assert f"next: crab collect --dry-run -w '{root}'" in done.out
    assert all((root / folder).is_dir() for folder in layout.FOLDERS)
    held = settings(root)
    assert held["timezone"] == "Europe/Madrid" and held["owner"] == {"name": "Sam", "ids": ["1001", "@sam"]}
    assert held["sources"]["include"] == ["openclaw-jsonl"] and held["models"]["default"] == "offline"
    assert crab("doctor", "-w", root).status == 0


def test_the_json_of_init(crab: Crab, tmp_path: Path) -> None:
    data = crab("init", tmp_path / "ws", "--json", "--source", "all").data
    assert {"root", "made", "kept", "foreign", "jobs", "sources", "notices"} <= set(data)
    assert (
        "MEMORY.md" in data["made"]
        and data["kept"] == []
        and sorted(data["sources"]) == ["claude-code", "openclaw-jsonl"]
    )


def test_without_a_choice_nothing_will_be_read_and_what_is_here_is_shown(crab: Crab, tmp_path: Path) -> None:
    done = crab("init", tmp_path / "ws")
    assert "nothing will be read yet" in done.out and "claude-code" in done.out and "crab sources add" in done.out
    assert settings(tmp_path / "ws")["sources"]["include"] == []


def test_running_it_again_changes_no_byte_and_no_time(crab: Crab, tmp_path: Path) -> None:
    root = tmp_path / "ws"
    arguments = ("init", root, "--source", "all", "--owner", "7", "--git")
    crab(*arguments)
    before = state(root)
    again = crab(*arguments, "--timezone", "Asia/Tokyo", "--json")

    assert again.status == 0 and again.data["made"] == []
    assert state(root) == before
    assert any("crab.toml was there already" in n for n in again.data["notices"])
    assert "nothing will be read" not in crab("init", root).out


def test_a_source_is_added_to_a_workspace_that_is_there(crab: Crab, tmp_path: Path) -> None:
    root = tmp_path / "ws"
    crab("init", root, "--source", "claude-code")
    with (root / "crab.toml").open("a") as file:
        file.write("# mine\n")
    done = crab("init", root, "--source", "openclaw-jsonl", "--source", "claude-code", "--json")
    assert done.data["sources"] == ["claude-code", "openclaw-jsonl"] == settings(root)["sources"]["include"]
    assert (root / "crab.toml").read_text().endswith("# mine\n")


def test_a_folder_that_is_used_is_adopted_without_changing_a_byte(crab: Crab, home: Path) -> None:
    root = home / ".openclaw" / "workspace"
    (root / "memory/.system").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes(b"# mine\r\n- a \r\n- b\t")
    (root / "SOUL.md").write_bytes(b"\xff\xfe not utf-8")
    (root / "memory/2026-03-01.md").write_bytes(b"\xef\xbb\xbf# 2026-03-01\n\nno newline")
    (root / "memory/.system/COLLECT.md").write_bytes(b"Every night, look at the sessions.\n")
    before = state(root)

    done = crab("init")

    after = state(root)
    assert done.status == 0 and f"{root}: " in done.out
    assert {p: s for p, s in after.items() if p in before and not (root / p).is_dir()} == {
        p: s for p, s in before.items() if not (root / p).is_dir()
    }
    assert "memory/.system/COLLECT.md is your own prompt: left as it is, and not used" in done.out
    assert (root / "memory/.system/HOW-IT-WORKS.md").is_file() and (root / "crab.toml").is_file()


def test_scheduled_jobs_that_do_the_same_are_pointed_out(crab: Crab, home: Path, tmp_path: Path) -> None:
    path = home / ".openclaw/state/openclaw.sqlite"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE cron_jobs (job_id, name, description, payload_message, enabled INTEGER, job_json)")
        db.execute(
            "INSERT INTO cron_jobs VALUES ('j-1', 'Nightly', '', 'Review the sessions and update MEMORY.md', 1, '{}')"
        )
        db.execute("INSERT INTO cron_jobs VALUES ('j-2', 'Weather', '', 'Tell the weather', 1, '{}')")
    db.close()
    done = crab("init", tmp_path / "ws")
    assert (
        "the scheduled job Nightly looks like one of crab's stages; to stop it: openclaw cron disable j-1" in done.out
    )
    assert "Weather" not in done.out
    assert "openclaw cron disable j-1" in crab("doctor", "-w", tmp_path / "ws").out


def test_the_plain_profile(crab: Crab, tmp_path: Path) -> None:
    crab("init", tmp_path / "ws", "--profile", "plain")
    assert (tmp_path / "ws/MEMORY.md").is_file()
    assert not any((tmp_path / "ws" / name).exists() for name in layout.FOUNDATION)


def test_git_has_the_start_to_compare_with_and_never_the_machines_state(crab: Crab, tmp_path: Path) -> None:
    root = tmp_path / "ws"
    done = crab("init", root, "--git", "--json")
    assert done.status == 0 and done.data["notices"] == []
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "log", "--format=%an").split() == ["crab"]
    assert not any(line.startswith(".crab") for line in git(root, "ls-files").splitlines())
    merge = git(root, "check-attr", "merge", "--", "archive/ledger/2026-03.jsonl")
    assert merge.strip().endswith("union")


def test_git_that_is_there_already_keeps_its_history_and_its_staged_work(crab: Crab, tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    git(root, "init", "-q")
    (root / "mine.md").write_text("staged\n")
    (root / ".gitattributes").write_text("*.png binary\n")
    git(root, "add", "mine.md")
    assert crab("init", root, "--git").status == 0
    assert git(root, "diff", "--cached", "--name-only").split() == ["mine.md"]
    assert (root / ".gitattributes").read_text() == "*.png binary\n"
    assert (
        subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, check=False).returncode != 0
    )


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--timezone", "Mars/Olympus"), 2, "--timezone Mars/Olympus"),
        (("--profile", "fancy"), 2, "--profile fancy"),
        (("--source", "nonsense"), 2, "nonsense"),
        (("--source", "/nowhere/at/all"), 2, "/nowhere/at/all"),
        (("--model", "clever:model"), 4, "clever:model"),
        (("--model", "auto"), 2, "--model auto"),
        (("--colour",), 2, "--colour"),
    ],
)
def test_what_is_wrong_gets_one_line_and_nothing_is_made(
    crab: Crab, tmp_path: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    done = crab("init", tmp_path / "ws", *arguments)
    assert done.status == status and done.out == ""
    assert said in done.err and done.err.count("\n") == 1 and done.err.startswith("crab: ")
    assert not (tmp_path / "ws").exists()
    error = crab("init", tmp_path / "ws", *arguments, "--json").data["error"]
    assert error["status"] == status and error["message"] and error["hint"]


def test_places_that_are_no_workspace(crab: Crab, home: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (home, home.parent, Path("/"), tmp_path / "file"):
        before = state(home)
        done = crab("init", place)
        assert done.status == 2 and done.err.count("\n") == 1, place
        assert state(home) == before


def test_settings_that_are_broken_are_named_and_nothing_is_made(crab: Crab, tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws/crab.toml").write_text('timezone = "UTC"\nname = = 3\n')
    done = crab("init", tmp_path / "ws")
    assert done.status == 3 and "line 2" in done.err and "crab.toml" in done.err
    assert [p.name for p in (tmp_path / "ws").iterdir()] == ["crab.toml"]


def test_without_a_folder_it_is_the_one_around_then_openclaws(
    crab: Crab, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crab("init", tmp_path / "ws")
    monkeypatch.chdir(tmp_path / "ws/memory")
    assert crab("init", "--json").data["root"] == str(tmp_path / "ws")
    monkeypatch.chdir(tmp_path)
    assert crab("init", "--json").data["root"] == str(home / ".openclaw/workspace")
    monkeypatch.setenv("CRAB_WORKSPACE", "~/named")
    assert crab("init", "--json").data["root"] == str(home / "named")
    monkeypatch.delenv("CRAB_WORKSPACE")
    monkeypatch.setenv("HOME", str(tmp_path / "bare"))
    done = crab("init")
    assert done.status == 2 and "crab init ~/memory" in done.err


def on_a_terminal(home: Path, answers: str, *arguments: str) -> tuple[int, str]:
    """Run crab on a terminal of its own and type the answers; its status and what the screen showed."""
    own, theirs = pty.openpty()
    keep = {k: v for k, v in os.environ.items() if not k.startswith(("CRAB_", "OPENCLAW_", "CLAUDE_"))}
    env = keep | {"HOME": str(home), "TERM": "dumb"}
    command = [sys.executable, "-m", "crustacean", *arguments]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=home, close_fds=True
    ) as process:
        os.close(theirs)
        os.write(own, answers.encode())
        shown = b""
        while select.select([own], [], [], 60)[0]:
            try:
                piece = os.read(own, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        status = process.wait(timeout=60)
    os.close(own)
    return status, shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("typed", "include", "ids"),
    [("1\n7001, 7002\n", 1, ["7001", "7002"]), ("all\n\n", 2, []), ("none\n\n", 0, []), ("1 2 9\n\n", 2, [])],
)
def test_on_a_terminal_it_shows_the_stores_and_asks(home: Path, typed: str, include: int, ids: list[str]) -> None:
    status, shown = on_a_terminal(home, typed, "init", "ws")
    assert status == 0, shown
    assert "crab reads only what you choose" in shown and "claude-code" in shown and "MB" in shown
    held = settings(home / "ws")
    assert len(held["sources"]["include"]) == include and held["owner"]["ids"] == ids


def test_on_a_terminal_it_does_not_ask_for_what_it_knows(home: Path) -> None:
    status, shown = on_a_terminal(home, "", "init", "ws", "--source", "all", "--owner", "7001")
    assert status == 0 and "Read which" not in shown and "ids" not in shown
    status, shown = on_a_terminal(home, "", "init", "ws")
    assert status == 0 and "Read which" not in shown and "ids" not in shown


def test_stopping_at_a_question_makes_nothing(home: Path) -> None:
    status, shown = on_a_terminal(home, "\x04", "init", "ws")
    assert status == 130 and "Traceback" not in shown and not (home / "ws").exists()


def test_init_prints_json_and_nothing_else(crab: Crab, tmp_path: Path) -> None:
    done = crab("init", tmp_path / "ws", "--git", "--json")
    json.loads(done.out)
    assert done.err == "" and done.out.count("\n") == 1
