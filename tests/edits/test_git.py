"""Commits into real repositories, whatever state a person has left them in."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from crustacean.edits.git import CommitResult, Git

WHEN = datetime(2026, 3, 17, 14, 5, 9, tzinfo=timezone(timedelta(hours=1)))
REAL_GIT = shutil.which("git") or "git"
PERSON = {
    "GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.com",
    "GIT_COMMITTER_NAME": "Ana", "GIT_COMMITTER_EMAIL": "ana@example.com",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}  # fmt: skip

Say = Callable[..., str]


@pytest.fixture(autouse=True)
def plain_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings of whoever runs the tests, and no identity."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    return home


def as_person(root: Path) -> Say:
    """What a person types: `say("add", "x.md")` runs git and returns what it prints."""

    def say(*arguments: str, ok: bool = True) -> str:
        done = subprocess.run(
            [REAL_GIT, *arguments], cwd=root, env=os.environ | PERSON, capture_output=True, check=False
        )
        assert not ok or done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().rstrip("\n")

    return say


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n")
    (folder / "notes.md").write_text("mine\n")
    say = as_person(folder)
    say("init", "--quiet", "--initial-branch=main")
    say("add", ".")
    say("commit", "--quiet", "-m", "start")
    return folder


@pytest.fixture
def say(root: Path) -> Say:
    return as_person(root)


def write(root: Path, path: str, text: str = "- new\n") -> str:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8", newline="")
    return path


def commit(root: Path, *paths: str, timeout: float = 20.0) -> CommitResult:
    return Git(root, timeout).commit(paths, "crab collect", "2026-03-17-1405-a1b2", when=WHEN)


def program(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_named_files_alone_are_committed_by_crab(root: Path, say: Say) -> None:
    write(root, "memory/2026-03-17.md")
    write(root, "notes.md", "changed, but not named\n")
    done = commit(root, "memory/2026-03-17.md")
    assert done == CommitResult(say("rev-parse", "HEAD"))
    assert say("show", "--format=", "--name-only", "HEAD") == "memory/2026-03-17.md"
    assert say("log", "-1", "--format=%an <%ae> %cn <%ce>") == "crab <crab@localhost> crab <crab@localhost>"
    assert say("log", "-1", "--format=%aI %cI") == "2026-03-17T14:05:09+01:00 2026-03-17T14:05:09+01:00"
    assert say("log", "-1", "--format=%B") == "crab collect\n\nCrab-Run: 2026-03-17-1405-a1b2"
    assert say("log", "-1", "--format=%(trailers:key=Crab-Run,valueonly)") == "2026-03-17-1405-a1b2"
    assert "commit: crab collect" in say("reflog", "-1")
    assert say("status", "--porcelain") == " M notes.md"


def test_staged_work_stays_exactly_staged(root: Path, say: Say) -> None:
    write(root, "notes.md", "mine\nstaged\n")
    write(root, "fresh.md", "staged as new\n")
    say("add", "notes.md", "fresh.md")
    write(root, "notes.md", "mine\nstaged\nand more, not staged\n")
    write(root, "MEMORY.md", "# Memory\n- new\n")
    before = say("diff", "--cached"), say("diff", "--", "notes.md"), say("ls-files", "-s", "notes.md", "fresh.md")
    assert commit(root, "MEMORY.md").sha
    assert before == (
        say("diff", "--cached"),
        say("diff", "--", "notes.md"),
        say("ls-files", "-s", "notes.md", "fresh.md"),
    )
    assert say("show", "--format=", "--name-only", "HEAD") == "MEMORY.md"


def test_a_file_with_staged_changes_is_left_out_and_named(root: Path, say: Say) -> None:
    write(root, "MEMORY.md", "# Memory\n- staged\n")
    say("add", "MEMORY.md")
    write(root, "memory/a.md")
    staged = say("diff", "--cached")
    done = commit(root, "MEMORY.md", "memory/a.md")
    assert done.sha and done.left_out == ("MEMORY.md",) and "staged" in done.reason
    assert say("diff", "--cached") == staged
    alone = commit(root, "MEMORY.md")
    assert alone == CommitResult(None, "you have staged changes of it", ("MEMORY.md",))


@pytest.mark.parametrize("stage", [("add", "-N"), ("rm", "--cached", "-q")])
def test_staged_additions_and_removals_count_as_staged(root: Path, say: Say, stage: tuple[str, ...]) -> None:
    path = write(root, "memory/a.md") if stage[0] == "add" else "MEMORY.md"
    say(*stage, path)
    before = say("ls-files", "-s")
    assert commit(root, path).left_out == (path,)
    assert say("ls-files", "-s") == before


def test_a_missing_file_is_committed_as_deleted(root: Path, say: Say) -> None:
    (root / "MEMORY.md").unlink()
    assert commit(root, "MEMORY.md", "never-was.md").sha
    assert say("show", "--format=", "--name-status", "HEAD") == "D\tMEMORY.md"
    assert say("status", "--porcelain") == ""


def test_ignored_files_are_left_out_and_named(root: Path, say: Say) -> None:
    write(root, ".gitignore", "private/\n*.secret.md\n")
    for path in ("private/a.md", "b.secret.md", "c.md"):
        write(root, path)
    done = commit(root, "private/a.md", "b.secret.md", "c.md")
    assert done.sha and done.left_out == ("private/a.md", "b.secret.md") and "ignores" in done.reason
    assert say("show", "--format=", "--name-only", "HEAD") == "c.md"


def test_a_tracked_file_is_committed_though_a_pattern_would_ignore_it(root: Path) -> None:
    write(root, ".gitignore", "MEMORY.md\n")
    write(root, "MEMORY.md", "# Memory\n- new\n")
    assert commit(root, "MEMORY.md").sha


def test_nothing_new_makes_no_commit(root: Path, say: Say) -> None:
    head = say("rev-parse", "HEAD")
    assert commit(root, "MEMORY.md") == CommitResult(None)
    assert commit(root) == CommitResult(None)
    assert say("rev-parse", "HEAD") == head


def test_hooks_do_not_run(root: Path, say: Say, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    for name in (
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "post-commit",
        "reference-transaction",
        "post-index-change",
    ):
        program(root / ".git" / "hooks" / name, f"echo {name} >> {trace}; exit 1")
    write(root, "memory/a.md")
    assert commit(root, "memory/a.md").sha
    assert not trace.exists()


def test_no_identity_signing_editor_or_monitor_gets_in_the_way(root: Path, say: Say, tmp_path: Path) -> None:
    hangs = program(tmp_path / "hangs", f"echo $0 >> {tmp_path / 'ran'}; sleep 60; exit 1")
    for key in ("core.editor", "core.fsmonitor", "core.askPass", "core.pager", "gpg.program", "diff.external"):
        say("config", key, str(hangs))
    for key in ("user.useConfigOnly", "commit.gpgSign", "tag.gpgSign", "log.showSignature", "core.splitIndex"):
        say("config", key, "true")
    say("config", "i18n.commitEncoding", "ISO-8859-1")
    write(root, "memory/a.md", "grüße\n")
    start = time.monotonic()
    done = Git(root).commit(["memory/a.md"], "Grüße", "r", when=WHEN)
    assert done.sha and time.monotonic() - start < 30
    assert Git(root).commits_with(["grüße"]) == [done.sha[:7]]
    assert not (tmp_path / "ran").exists()
    assert (
        b"encoding"
        not in subprocess.run([REAL_GIT, "cat-file", "commit", "HEAD"], cwd=root, capture_output=True).stdout
    )


def test_git_variables_of_the_caller_do_not_reach_git(
    root: Path, say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
    for key in elsewhere:
        monkeypatch.setenv(key, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_EDITOR", "false")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    write(root, "memory/a.md")
    done = commit(root, "memory/a.md")
    for key in elsewhere:
        monkeypatch.delenv(key)
    assert done.sha == say("rev-parse", "HEAD")
    assert say("log", "-1", "--format=%an") == "crab"


def test_before_the_first_commit(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    git = Git(root)
    assert not git.is_repo()
    assert git.init() == ""
    assert git.is_repo() and git.head() is None and not git.contains("0" * 40)
    say = as_person(root)
    write(root, "staged.md")
    say("add", "staged.md")
    write(root, "MEMORY.md")
    done = commit(root, "MEMORY.md", "staged.md")
    assert done.sha == git.head() and done.left_out == ("staged.md",)
    assert say("log", "--format=%s") == "crab collect"
    assert say("status", "--porcelain") == "A  staged.md"


def test_on_a_detached_head(root: Path, say: Say) -> None:
    say("checkout", "--quiet", "--detach")
    branch = say("rev-parse", "main")
    write(root, "memory/a.md")
    assert commit(root, "memory/a.md").sha == say("rev-parse", "HEAD")
    assert say("rev-parse", "main") == branch
    assert say("status", "--porcelain") == ""


def test_in_a_linked_worktree(root: Path, say: Say, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    say("worktree", "add", "--quiet", "-b", "other", str(linked))
    write(linked, "memory/a.md")
    assert commit(linked, "memory/a.md").sha == say("rev-parse", "other")
    assert as_person(linked)("status", "--porcelain") == ""
    assert say("rev-parse", "main") != say("rev-parse", "other")
    (root / ".git" / "worktrees" / "linked" / "MERGE_HEAD").write_text("x")
    assert "merge" in commit(linked, write(linked, "memory/b.md")).reason
    assert commit(root, write(root, "memory/b.md")).sha


def test_in_a_folder_of_a_larger_repository(root: Path, say: Say) -> None:
    write(root, "code.py", "x = 1\n")
    say("add", "code.py")
    write(root, "agents/crab/memory/a.md")
    assert commit(root / "agents" / "crab", "memory/a.md").sha
    assert say("show", "--format=", "--name-only", "HEAD") == "agents/crab/memory/a.md"
    assert say("status", "--porcelain") == "A  code.py"
    git = Git(root / "agents" / "crab")
    assert list(git.versions("memory/a.md", 5)) == [b"- new\n"]


def test_a_workspace_reached_through_a_link(root: Path, say: Say, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root, target_is_directory=True)
    write(root, "memory/a.md")
    assert commit(link, "memory/a.md").sha == say("rev-parse", "HEAD")


def test_names_of_every_kind(root: Path, say: Say) -> None:
    names = [
        "memory/größe 日本.md", "memory/with space.md", "memory/new\nline.md", "memory/tab\there.md", "-dash.md",
        "🦀.md", "memory/*.md", "memory/[a].md", ":(glob)x.md", '"quoted".md', "memory/back\\slash.md",
    ]  # fmt: skip
    for name in names:
        write(root, name)
    write(root, "memory/other.md")
    assert commit(root, *names).sha
    assert set(say("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")) == {*names, "MEMORY.md", "notes.md", ""}
    assert say("status", "--porcelain") == "?? memory/other.md"
    for name in names:
        (root / name).unlink()
    assert commit(root, *names).sha
    assert say("status", "--porcelain") == "?? memory/"


def test_more_paths_than_fit_in_one_call(root: Path, say: Say) -> None:
    paths = [write(root, f"memory/{'x' * 60}-{n:04d}.md") for n in range(1100)]
    assert commit(root, *paths).sha
    assert say("status", "--porcelain") == ""


def conflict(root: Path, say: Say) -> None:
    """Two branches that changed the same line; we stand on main."""
    say("checkout", "--quiet", "-b", "side")
    write(root, "notes.md", "side\n")
    say("commit", "--quiet", "-am", "side")
    say("checkout", "--quiet", "main")
    write(root, "notes.md", "main\n")
    say("commit", "--quiet", "-am", "main")


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (("merge", "side"), "merge"),
        (("rebase", "side"), "rebase"),
        (("cherry-pick", "side"), "cherry-pick"),
        (("revert", "--no-edit", "HEAD~1"), "revert"),
        (("bisect", "start"), "bisect"),
    ],
)
def test_nothing_is_committed_while_git_is_in_the_middle_of_something(
    root: Path, say: Say, start: tuple[str, ...], what: str
) -> None:
    conflict(root, say)
    if what == "revert":
        write(root, "notes.md", "main again\n")
        say("commit", "--quiet", "-am", "again")
    say(*start, ok=what == "bisect")
    state = say("rev-parse", "HEAD"), say("status", "--porcelain"), say("ls-files", "-s")
    (root / "memory").mkdir()
    done = commit(root, write(root, "memory/a.md"))
    assert done.sha is None and f"a {what} is in progress" in done.reason
    (root / "memory" / "a.md").unlink()
    assert state == (say("rev-parse", "HEAD"), say("status", "--porcelain"), say("ls-files", "-s"))


def test_a_file_in_conflict_without_a_merge_is_left_out(root: Path, say: Say) -> None:
    write(root, "notes.md", "stashed\n")
    say("stash", "--quiet")
    write(root, "notes.md", "other\n")
    say("commit", "--quiet", "-am", "other")
    say("stash", "pop", ok=False)
    assert commit(root, "notes.md").left_out == ("notes.md",)
    assert commit(root, write(root, "memory/a.md")).sha
    assert say("status", "--porcelain") == "UU notes.md"


def test_a_held_index_stops_the_commit(root: Path, say: Say) -> None:
    head = say("rev-parse", "HEAD")
    (root / ".git" / "index.lock").touch()
    done = commit(root, write(root, "memory/a.md"))
    assert done.sha is None and "index.lock" in done.reason
    assert say("rev-parse", "HEAD") == head


def filtered(root: Path, say: Say, tmp_path: Path, body: str, required: bool = False) -> None:
    """Every markdown file under memory/ passes through a program when git reads it."""
    script = program(tmp_path / "filter", body)
    say("config", "filter.it.clean", str(script))
    say("config", "filter.it.required", "true" if required else "false")
    write(root, ".git/info/attributes", "memory/*.md filter=it\n")


def test_an_index_that_is_taken_after_the_commit_is_reported(root: Path, say: Say, tmp_path: Path) -> None:
    filtered(root, say, tmp_path, f"touch {root / '.git' / 'index.lock'}; cat")
    done = commit(root, write(root, "memory/a.md"))
    assert done.sha == say("rev-parse", "HEAD")
    assert "index was not brought along" in done.reason


def test_what_a_person_stages_meanwhile_stays_staged(root: Path, say: Say, tmp_path: Path) -> None:
    entry = f"100644,$(cat {tmp_path / 'blob'}),memory/a.md"
    theirs = f"unset GIT_INDEX_FILE; {REAL_GIT} -C {root} update-index --add --cacheinfo {entry} >&2; cat"
    write(root, "staged.txt", "staged meanwhile\n")
    (tmp_path / "blob").write_text(say("hash-object", "-w", "staged.txt"))
    (root / "staged.txt").unlink()
    filtered(root, say, tmp_path, theirs)
    assert commit(root, write(root, "memory/a.md")).sha
    assert say("cat-file", "blob", ":memory/a.md") == "staged meanwhile"
    assert say("cat-file", "blob", "HEAD:memory/a.md") == "- new"


def test_a_damaged_index_is_a_reason(root: Path, say: Say) -> None:
    head = say("rev-parse", "HEAD")
    (root / ".git" / "index").write_bytes(b"not an index")
    done = commit(root, write(root, "MEMORY.md", "# Memory\n- new\n"))
    assert done.sha is None and "index" in done.reason
    assert say("rev-parse", "HEAD") == head


def test_a_head_that_moves_meanwhile_wins(root: Path, say: Say, tmp_path: Path) -> None:
    identity = "".join(f"export {key}='{value}'; " for key, value in PERSON.items())
    theirs = f"unset GIT_INDEX_FILE; {REAL_GIT} -C {root} commit --quiet --allow-empty -m mine >&2; cat"
    filtered(root, say, tmp_path, identity + theirs)
    done = commit(root, write(root, "memory/a.md"))
    assert done.sha is None and done.reason
    assert say("log", "-1", "--format=%s") == "mine"
    assert say("status", "--porcelain") == "?? memory/"


def test_line_ends_and_filters_of_the_repository_hold(root: Path, say: Say, tmp_path: Path) -> None:
    write(root, ".gitattributes", "*.md text eol=crlf\n")
    filtered(root, say, tmp_path, "tr a-z A-Z")
    write(root, "crlf.md", "one\r\ntwo\r\n")
    write(root, "memory/a.md", "loud\r\n")
    assert commit(root, "crlf.md", "memory/a.md").sha
    assert say("cat-file", "blob", "HEAD:crlf.md") == "one\ntwo"
    assert say("cat-file", "blob", "HEAD:memory/a.md") == "LOUD"
    assert say("status", "--porcelain") == "?? .gitattributes"


def test_a_filter_that_fails_is_a_reason(root: Path, say: Say, tmp_path: Path) -> None:
    filtered(root, say, tmp_path, "exit 1", required=True)
    head = say("rev-parse", "HEAD")
    done = commit(root, write(root, "memory/a.md"))
    assert done.sha is None and "filter" in done.reason
    assert say("rev-parse", "HEAD") == head


def test_a_filter_that_hangs_is_ended_with_all_it_started(root: Path, say: Say, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    filtered(root, say, tmp_path, f"sleep 300 & echo $! > {pid}; wait")
    start = time.monotonic()
    done = commit(root, write(root, "memory/a.md"), timeout=1.0)
    assert done.sha is None and "longer than 1 seconds" in done.reason
    assert time.monotonic() - start < 15
    assert gone(int(pid.read_text()))
    assert say("status", "--porcelain") == "?? memory/"


def gone(pid: int) -> bool:
    """Whether a process is no more, given five seconds to go."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_someone_else_s_repository_is_a_reason(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    switch = "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_NOSYSTEM=1"
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "git", f'{switch}\nexec {REAL_GIT} "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    git = Git(root)
    assert not git.is_repo()
    assert "ownership" in git.refusal()
    assert "ownership" in commit(root, write(root, "memory/a.md")).reason


def test_without_git_or_a_repository_there_is_a_reason(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    assert commit(bare, "a.md") == CommitResult(None, "it is not a git repository")
    assert Git(bare).refusal() == ""
    assert (
        Git(bare).head() is None and Git(bare).commits_with(["x"]) == [] and list(Git(bare).versions("a.md", 3)) == []
    )
    assert "no folder" in Git(tmp_path / "gone").init()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not Git(root).is_repo()
    assert Git(bare).init() == "git is not installed"


def test_a_repository_of_the_newer_hash(tmp_path: Path) -> None:
    root = tmp_path / "sha256"
    root.mkdir()
    say = as_person(root)
    say("init", "--quiet", "--object-format=sha256")
    assert len(commit(root, write(root, "MEMORY.md")).sha or "") == 64
    (root / "MEMORY.md").unlink()
    assert commit(root, "MEMORY.md").sha
    assert say("status", "--porcelain") == ""


def test_a_remote_is_never_spoken_to(root: Path, say: Say, tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    say("init", "--quiet", "--bare", str(remote))
    say("remote", "add", "origin", str(remote))
    say("push", "--quiet", "-u", "origin", "main")
    before = say("ls-remote", "origin")
    assert commit(root, write(root, "memory/a.md")).sha
    assert say("ls-remote", "origin") == before


def test_descent_and_history(root: Path, say: Say) -> None:
    git = Git(root)
    first = say("rev-parse", "HEAD")
    done = commit(root, write(root, "MEMORY.md", "# Memory\n- tea\n"))
    assert done.sha == git.head()
    assert git.contains(first) and git.contains(done.sha or "")
    say("checkout", "--quiet", "-b", "other", first)
    assert git.contains(first) and not git.contains(done.sha or "")
    assert not git.contains("f" * 40)
    assert git.commits_with(["- tea"]) == [(done.sha or "")[:7]]
    assert git.commits_with(["never written", "  "]) == []
    assert list(git.versions("MEMORY.md", 5)) == [b"# Memory\n- tea\n", b"# Memory\n"]


def test_a_sub_folder_that_is_a_file_in_head_is_a_reason_and_harms_nothing(root: Path, say: Say) -> None:
    (root / "notes.md").unlink()
    done = commit(root, write(root, "notes.md/inner.md"))
    assert done.sha is None and done.reason
    assert say("ls-tree", "--name-only", "HEAD") == "MEMORY.md\nnotes.md"
