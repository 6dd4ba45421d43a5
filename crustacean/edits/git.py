"""Git as crab uses it: commits of named files through plumbing alone, so that a person's staged work, hooks, signing,
identity and editors can neither be touched nor get in the way (DESIGN section 4, Git)."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from crustacean.workspace import config

TIMEOUT = 60.0
_NAME, _MAIL = "crab", "crab@localhost"
_QUIET = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "commit.gpgSign=false", "log.showSignature=false", "gc.auto=0",
    "maintenance.auto=false", "core.quotePath=false", "advice.detachedHead=false", "core.editor=true",
    "credential.helper=", "protocol.allow=never", "i18n.commitEncoding=UTF-8", "i18n.logOutputEncoding=UTF-8",
)  # fmt: skip
_IN_PROGRESS = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "sequencer": "cherry-pick or revert",
    "BISECT_LOG": "bisect",
}
_ARGUMENTS = 500
"""Paths in one call of git, below what any system allows."""
_TRIES = 5
_PAUSE = 0.2
"""How often, and seconds apart, the person's index is tried again while another git holds it."""


@dataclass(frozen=True, slots=True)
class CommitResult:
    """sha: the commit, None where none was made. reason: why not, or why files were left out. left_out: those files."""

    sha: str | None
    reason: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Done:
    code: int
    out: bytes
    error: str


@dataclass(slots=True)
class Git:
    """Git in one workspace, which may be a repository, a folder in one, a linked worktree, or in none.

    timeout: seconds for one call of git. No call reads standard input, asks a question or starts an editor.
    """

    root: Path
    timeout: float = TIMEOUT
    _top: Path | None = field(default=None, init=False)

    def is_repo(self) -> bool:
        """Whether the workspace is in a work tree that git lets us use."""
        return self._run("rev-parse", "--is-inside-work-tree").out.strip() == b"true"

    def refusal(self) -> str:
        """Why git does not let us use the repository that is here (it belongs to someone else), "" where it does or
        where there is none."""
        done = self._run("rev-parse", "--is-inside-work-tree")
        return done.error if done.code and "ownership" in done.error else ""

    def init(self) -> str:
        """Make the workspace a repository; returns why not, "" where it is one now."""
        done = self._run("init", "--quiet", "--initial-branch=main")
        return "" if done.code == 0 else done.error

    def head(self) -> str | None:
        """The commit of HEAD, None before the first."""
        done = self._run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return done.out.decode().strip() or None if done.code == 0 else None

    def contains(self, sha: str) -> bool:
        """Whether HEAD is that commit or descends from it."""
        return self._run("merge-base", "--is-ancestor", sha, "HEAD").code == 0

    def commits_with(self, texts: Collection[str]) -> list[str]:
        """Short names of commits, on any branch, that added or removed one of these texts; the newest first."""
        out: dict[str, None] = {}
        for text in texts:
            line = max(text.split("\n"), key=len)[:200]
            if line.strip() and self.is_repo():
                done = self._run("log", "--all", "--no-ext-diff", "--no-textconv", "--format=%h", f"-S{line}")
                out |= dict.fromkeys(done.out.decode().split())
        return list(out)

    def versions(self, path: str, limit: int) -> Iterator[bytes]:
        """The bytes that a workspace path had in the last `limit` commits, on any branch, that changed it."""
        top = self._toplevel()
        if top is None:
            return
        name = self._from_top(top, path)
        done = self._run("log", "--all", f"--max-count={limit}", "--format=%H", "--", name, cwd=top)
        for sha in done.out.decode().split():
            blob = self._run("cat-file", "blob", f"{sha}:{name}", cwd=top)
            if blob.code == 0:
                yield blob.out

    def commit(self, paths: Iterable[str], message: str, run: str, *, when: datetime) -> CommitResult:
        """Commit these workspace paths as they are on disk (a missing one as deleted), and nothing else.

        A path with changes that the person has staged, or that git ignores, is left out and named. Nothing is committed
        during a merge, rebase and the like, or while another git holds the index. when: author and committer time.
        """
        top = self._toplevel()
        if top is None:
            return CommitResult(None, self.refusal() or "it is not a git repository")
        reason = self._in_progress()
        if reason:
            return CommitResult(None, reason)
        inside = {self._from_top(top, p): p for p in paths}
        head = self.head()
        staged = self._staged(inside, head)
        ignored = self._ignored([p for p in inside if p not in staged])
        chosen = [p for p in inside if p not in staged and p not in ignored]
        left = tuple(inside[p] for p in inside if p in staged or p in ignored)
        why = " and ".join(
            words for found, words in ((staged, "you have staged changes of it"), (ignored, "git ignores it")) if found
        )
        if not chosen:
            return CommitResult(None, why, left)
        with tempfile.TemporaryDirectory(prefix="crab-index-") as folder:
            return self._write(chosen, head, f"{message}\n\nCrab-Run: {run}\n", when, Path(folder) / "index", why, left)

    def _write(
        self,
        chosen: Sequence[str],
        head: str | None,
        message: str,
        when: datetime,
        index: Path,
        why: str,
        left: tuple[str, ...],
    ) -> CommitResult:
        top = self._toplevel()
        own = {"GIT_INDEX_FILE": str(index)}
        apart = ("-c", "core.splitIndex=false")  # else a shared part would be written beside the person's index
        stamp = f"{int(when.timestamp())} {when:%z}"
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in (("NAME", _NAME), ("EMAIL", _MAIL), ("DATE", stamp))
        }
        names = b"".join(os.fsencode(p) + b"\0" for p in chosen)
        steps: list[tuple[tuple[str, ...], bytes | None]] = [
            (("read-tree", "HEAD") if head else ("read-tree", "--empty"), None),
            (("update-index", "--add", "--remove", "-z", "--stdin"), names),
            (("write-tree",), None),
        ]
        done = _Done(0, b"", "")
        for arguments, data in steps:
            done = self._run(*apart, *arguments, data=data, extra=own, cwd=top)
            if done.code:
                return CommitResult(None, done.error or "git failed", left)
        tree = done.out.decode().strip()
        if head and self._run("rev-parse", f"{head}^{{tree}}").out.decode().strip() == tree:
            return CommitResult(None, why, left)
        parent = ("-p", head) if head else ()
        made = self._run("commit-tree", tree, *parent, data=message.encode(), extra=who)
        if made.code:
            return CommitResult(None, made.error, left)
        sha = made.out.decode().strip()
        old = head or "0" * len(sha)
        before = self._index_entries(chosen, top)
        subject = message.partition("\n")[0]
        moved = self._run("update-ref", "--create-reflog", "-m", f"commit: {subject}", "HEAD", sha, old, extra=who)
        if moved.code:
            return CommitResult(None, moved.error, left)
        problem = self._refresh(chosen, before, sha, top)
        return CommitResult(sha, problem or why, left)

    def _refresh(self, chosen: Sequence[str], before: dict[str, str], sha: str, top: Path | None) -> str:
        """The person's index still holds the old version of these files: bring it along, but only those. Returns what
        went wrong, "" where all went well."""
        new = self._tree_entries(sha, chosen, top)
        rows = []
        for path in chosen:
            if path in new:
                rows.append(f"{new[path]}\t{path}")
            elif path in before:
                rows.append(f"0 {'0' * len(sha)}\t{path}")
        data = b"".join(os.fsencode(row) + b"\0" for row in rows)
        done = self._run("update-index", "-z", "--index-info", data=data, cwd=top)
        for _ in range(_TRIES):
            if done.code == 0:
                self._run("update-index", "-q", "--refresh", cwd=top)
                return ""
            time.sleep(_PAUSE)
            done = self._run("update-index", "-z", "--index-info", data=data, cwd=top)
        return f"committed, but git's index was not brought along: {done.error}"

    def _index_entries(self, paths: Sequence[str], top: Path | None) -> dict[str, str]:
        """path -> "mode sha" in the person's index; a path in conflict has the sha of its last side."""
        rows = self._rows(("ls-files", "-s", "-z"), paths, top)
        return {path: f"{mode} {sha}" for (mode, sha, _), path in rows}

    def _tree_entries(self, tree: str, paths: Sequence[str], top: Path | None) -> dict[str, str]:
        """path -> "mode sha" in a commit."""
        rows = self._rows(("ls-tree", "-r", "-z", "--full-tree", tree), paths, top)
        return {path: f"{mode} {sha}" for (mode, _, sha), path in rows}

    def _rows(
        self, command: Sequence[str], paths: Sequence[str], top: Path | None
    ) -> Iterator[tuple[tuple[str, str, str], str]]:
        """The three facts and the path of each line that a listing command prints for some of the paths."""
        for at in range(0, len(paths), _ARGUMENTS):
            done = self._run(*command, "--", *paths[at : at + _ARGUMENTS], cwd=top)
            for row in os.fsdecode(done.out).split("\0"):
                facts, tab, path = row.partition("\t")
                if tab:
                    first, second, third = facts.split(" ")
                    yield (first, second, third), path

    def _staged(self, paths: Iterable[str], head: str | None) -> set[str]:
        """Those of the paths whose index entry is not HEAD's: work that the person has staged."""
        top, wanted = self._toplevel(), list(paths)
        held = self._index_entries(wanted, top)
        base = self._tree_entries(head, wanted, top) if head else {}
        return {p for p in wanted if held.get(p) != base.get(p)}

    def _ignored(self, paths: Sequence[str]) -> set[str]:
        data = b"".join(os.fsencode(p) + b"\0" for p in paths)
        done = self._run("check-ignore", "-z", "--stdin", data=data, cwd=self._toplevel())
        return {p for p in os.fsdecode(done.out).split("\0") if p}

    def _in_progress(self) -> str:
        done = self._run("rev-parse", "--absolute-git-dir")
        folder = Path(os.fsdecode(done.out).rstrip("\n"))
        for name, what in _IN_PROGRESS.items():
            if (folder / name).exists():
                return f"a {what} is in progress"
        if (folder / "index.lock").exists():
            return "another git holds the index (index.lock)"
        return ""

    def _toplevel(self) -> Path | None:
        if self._top is None:
            done = self._run("rev-parse", "--show-toplevel")
            if done.code == 0 and done.out.strip():
                self._top = Path(os.fsdecode(done.out).rstrip("\n"))
        return self._top

    def _from_top(self, top: Path, path: str) -> str:
        return (self.root.resolve() / path).relative_to(top.resolve()).as_posix()

    def _run(
        self, *arguments: str, data: bytes | None = None, extra: dict[str, str] | None = None, cwd: Path | None = None
    ) -> _Done:
        """One call of git, quiet, without the person's GIT_* variables. Never raises: a git that is missing or hangs is
        a failure with a reason."""
        env = {k: v for k, v in config.env().items() if not k.startswith("GIT_")}
        env |= {"GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C.UTF-8"}
        env |= {"GIT_LITERAL_PATHSPECS": "1"} | (extra or {})
        command = ["git", *(part for setting in _QUIET for part in ("-c", setting)), *arguments]
        try:
            code, out, error = _call(command, cwd or self.root, env, data or b"", self.timeout)
        except FileNotFoundError as err:
            missing = "git is not installed" if err.filename == "git" else f"there is no folder {err.filename}"
            return _Done(127, b"", missing)
        except subprocess.TimeoutExpired:
            return _Done(124, b"", f"git took longer than {self.timeout:g} seconds ({' '.join(arguments[:2])})")
        except OSError as err:
            return _Done(126, b"", f"git can't be run: {err.strerror}")
        lines = error.decode("utf-8", "replace").strip().splitlines()
        telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
        return _Done(code, out, next(iter(telling or lines), ""))


def _call(
    command: Sequence[str], cwd: Path, env: dict[str, str], data: bytes, timeout: float
) -> tuple[int, bytes, bytes]:
    """Run a program in a session of its own: nothing it starts finds a terminal to ask on, and when the time is over
    all of it (filters, helpers) ends together."""
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            out, error = process.communicate(data, timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, out, error
