"""Git as crab uses it: commits of named files through plumbing alone, so that a person's staged work, hooks, signing,
identity and editors can neither be touched nor get in the way."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from crustacean.edits import plumbing
from crustacean.edits.plumbing import Done, GitFailed

TIMEOUT = 60.0
_NAME, _MAIL = "crab", "crab@localhost"
_TRIES = 5
_PAUSE = 0.2
"""How often, and seconds apart, the person's index is tried again while another git holds it."""


@dataclass(frozen=True, slots=True)
class CommitResult:
    """sha: the commit, None where none was made. reason: why not, or why files were left out. left_out: those files."""

    sha: str | None
    reason: str = ""
    left_out: tuple[str, ...] = ()


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
        return self._run("rev-parse", "--is-inside-work-tree").text == "true"

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
        return done.text or None if done.code == 0 else None

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
                out |= dict.fromkeys(done.text.split())
        return list(out)

    def versions(self, path: str, limit: int) -> Iterator[bytes]:
        """The bytes that a workspace path had in the last `limit` commits, on any branch, that changed it."""
        top = self._toplevel()
        if top is None:
            return
        name = self._from_top(top, path)
        done = self._run("log", "--all", f"--max-count={limit}", "--format=%H", "--", name, cwd=top)
        for sha in done.text.split():
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
        inside = {self._from_top(top, p): p for p in paths}
        try:
            reason = plumbing.in_progress(top, self.timeout)
            if reason:
                return CommitResult(None, reason)
            head = self.head()
            base = plumbing.tree_entries(head, list(inside), top, self.timeout) if head else {}
            held = plumbing.index_entries(list(inside), top, self.timeout)
            staged = {p for p in inside if held.get(p) != base.get(p)}
            ignored = plumbing.ignored([p for p in inside if p not in staged], top, self.timeout)
            clauses = ((staged, "you have staged changes of it"), (ignored, "git ignores it"))
            why = " or ".join(clause for found, clause in clauses if found)
            left = tuple(path for name, path in inside.items() if name in staged | ignored)
            chosen = [p for p in inside if p not in staged | ignored]
            sha = self._committed(chosen, head, f"{message}\n\nCrab-Run: {run}\n", when, top) if chosen else None
        except GitFailed as err:
            return CommitResult(None, str(err))
        problem = self._refresh(chosen, base, sha, top) if sha else ""
        return CommitResult(sha, problem or why, left)

    def _committed(
        self, chosen: Sequence[str], head: str | None, message: str, when: datetime, top: Path
    ) -> str | None:
        """Make the commit beside the person's index and move HEAD to it; None where nothing differs. Raises
        GitFailed."""
        stamp = f"{int(when.timestamp())} {when:%z}"
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in (("NAME", _NAME), ("EMAIL", _MAIL), ("DATE", stamp))
        }
        with tempfile.TemporaryDirectory(prefix="crab-index-") as folder:
            own = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            apart = ("-c", "core.splitIndex=false")  # else a shared part would be written beside the person's index
            self._need(*apart, "read-tree", head or "--empty", extra=own, cwd=top)
            names = plumbing.joined(chosen)
            self._need(*apart, "update-index", "--add", "--remove", "-z", "--stdin", data=names, extra=own, cwd=top)
            tree = self._need(*apart, "write-tree", extra=own, cwd=top).text
        if head and self._need("rev-parse", f"{head}^{{tree}}").text == tree:
            return None
        parent = ("-p", head) if head else ()
        sha = self._need("commit-tree", tree, *parent, data=message.encode(), extra=who).text
        note = f"commit: {message.partition(chr(10))[0]}"
        # With the old value: should HEAD have moved meanwhile, its new place wins and this commit is never seen.
        self._need("update-ref", "--create-reflog", "-m", note, "HEAD", sha, head or "0" * len(sha), extra=who)
        return sha

    def _refresh(self, chosen: Sequence[str], base: dict[str, str], sha: str, top: Path) -> str:
        """The person's index still holds the old version of these files: bring it along, but only where it does.
        Returns what went wrong, "" where all went well."""
        problem = ""
        for attempt in range(_TRIES):
            time.sleep(_PAUSE if attempt else 0.0)
            try:
                held = plumbing.index_entries(chosen, top, self.timeout)
                new = plumbing.tree_entries(sha, chosen, top, self.timeout)
                gone = f"0 {'0' * len(sha)} 0"
                rows = [
                    f"{new.get(p, gone)}\t{p}" for p in chosen if held.get(p) == base.get(p) and (p in new or p in held)
                ]
                self._need("update-index", "-z", "--index-info", data=plumbing.joined(rows), cwd=top)
            except GitFailed as err:
                problem = f"committed, but git's index was not brought along: {err}"
                continue
            self._run("update-index", "-q", "--refresh", cwd=top)
            return ""
        return problem

    def _toplevel(self) -> Path | None:
        if self._top is None:
            done = self._run("rev-parse", "--show-toplevel")
            if done.code == 0 and done.text:
                self._top = Path(done.text)
        return self._top

    def _from_top(self, top: Path, path: str) -> str:
        return (self.root.resolve() / path).relative_to(top.resolve()).as_posix()

    def _run(self, *arguments: str, cwd: Path | None = None) -> Done:
        return plumbing.run(arguments, cwd or self.root, self.timeout)

    def _need(
        self, *arguments: str, data: bytes = b"", extra: dict[str, str] | None = None, cwd: Path | None = None
    ) -> Done:
        return plumbing.need(arguments, cwd or self.root, self.timeout, data, extra)
