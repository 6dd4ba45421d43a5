"""Git as crab uses it: commits of named files through plumbing alone, so that a person's staged work, hooks, signing,
identity and editors can neither be touched nor get in the way (DESIGN section 4, Git)."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from crustacean.workspace import config

TIMEOUT = 60.0
_NAME, _MAIL = "crab", "crab@localhost"
_QUIET = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "commit.gpgSign=false", "gc.auto=0", "maintenance.auto=false",
    "core.quotePath=false", "advice.detachedHead=false", "core.editor=true", "credential.helper=",
)  # fmt: skip
_IN_PROGRESS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG")


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
                done = self._run("log", "--all", "--format=%h", f"-S{line}")
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
            return CommitResult(None, "it is not a git repository")
        reason = self._in_progress()
        if reason:
            return CommitResult(None, reason)
        inside = {self._from_top(top, p): p for p in paths}
        head = self.head()
        staged = self._staged(inside, head)
        ignored = self._ignored([p for p in inside if p not in staged])
        chosen = [p for p in inside if p not in staged and p not in ignored]
        left = tuple(inside[p] for p in inside if p in staged or p in ignored)
        why = "you have staged changes of it" if staged else "git ignores it" if ignored else ""
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
        stamp = f"{int(when.timestamp())} {when:%z}"
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in (("NAME", _NAME), ("EMAIL", _MAIL), ("DATE", stamp))
        }
        names = b"".join(p.encode() + b"\0" for p in chosen)
        steps: list[tuple[tuple[str, ...], bytes | None]] = [
            (("read-tree", "HEAD") if head else ("read-tree", "--empty"), None),
            (("update-index", "--add", "--remove", "-z", "--stdin"), names),
            (("write-tree",), None),
        ]
        done = _Done(0, b"", "")
        for arguments, data in steps:
            done = self._run(*arguments, data=data, extra=own, cwd=top)
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
        self._refresh(chosen, before, top)
        return CommitResult(sha, why, left)

    def _refresh(self, chosen: Sequence[str], before: dict[str, str], top: Path | None) -> None:
        """The person's index still holds the old version of these files: bring it along, but only those."""
        new = self._tree_entries("HEAD", chosen, top)
        rows = []
        for path in chosen:
            if path in new:
                rows.append(f"{new[path]}\t{path}")
            elif path in before:
                rows.append(f"0 {'0' * 40}\t{path}")
        data = b"".join(row.encode() + b"\0" for row in rows)
        self._run("update-index", "-z", "--index-info", data=data, cwd=top)
        self._run("update-index", "-q", "--refresh", cwd=top)

    def _index_entries(self, paths: Sequence[str], top: Path | None) -> dict[str, str]:
        """path -> "mode sha" in the person's index."""
        done = self._run("ls-files", "-s", "-z", "--", *paths, cwd=top)
        out = {}
        for row in done.out.decode("utf-8", "surrogateescape").split("\0"):
            facts, tab, path = row.partition("\t")
            if tab:
                mode, sha, _ = facts.split(" ")
                out[path] = f"{mode} {sha}"
        return out

    def _tree_entries(self, tree: str, paths: Sequence[str], top: Path | None) -> dict[str, str]:
        """path -> "mode sha" in a commit."""
        done = self._run("ls-tree", "-r", "-z", "--full-tree", tree, "--", *paths, cwd=top)
        out = {}
        for row in done.out.decode("utf-8", "surrogateescape").split("\0"):
            facts, tab, path = row.partition("\t")
            if tab:
                mode, _, sha = facts.split(" ")
                out[path] = f"{mode} {sha}"
        return out

    def _staged(self, paths: Iterable[str], head: str | None) -> set[str]:
        """Those of the paths whose index entry is not HEAD's: work that the person has staged."""
        top, wanted = self._toplevel(), list(paths)
        held = self._index_entries(wanted, top)
        base = self._tree_entries(head, wanted, top) if head else {}
        return {p for p in wanted if held.get(p) != base.get(p)}

    def _ignored(self, paths: Sequence[str]) -> set[str]:
        data = b"".join(p.encode() + b"\0" for p in paths)
        done = self._run("check-ignore", "-z", "--stdin", data=data, cwd=self._toplevel())
        return {p for p in done.out.decode().split("\0") if p}

    def _in_progress(self) -> str:
        done = self._run("rev-parse", "--absolute-git-dir")
        folder = Path(done.out.decode().rstrip("\n"))
        for name in _IN_PROGRESS:
            if (folder / name).exists():
                return f"a {name.split('_')[0].split('-')[0].lower()} is in progress"
        if (folder / "index.lock").exists():
            return "another git holds the index (index.lock)"
        return ""

    def _toplevel(self) -> Path | None:
        if self._top is None:
            done = self._run("rev-parse", "--show-toplevel")
            if done.code == 0 and done.out.strip():
                self._top = Path(done.out.decode().rstrip("\n"))
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
            done = subprocess.run(
                command,
                cwd=cwd or self.root,
                env=env,
                input=data if data is not None else b"",
                capture_output=True,
                timeout=self.timeout,
                check=False,
            )
        except FileNotFoundError:
            return _Done(127, b"", "git is not installed")
        except subprocess.TimeoutExpired:
            return _Done(124, b"", f"git {arguments[0]} took longer than {self.timeout:.0f} seconds")
        except OSError as err:
            return _Done(126, b"", f"git can't be run: {err.strerror}")
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return _Done(done.returncode, done.stdout, lines[0] if lines else "")
