"""Calls of git that can't hang, ask, page, sign or run a hook, and what its listing commands say."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crustacean.workspace import config

_QUIET = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "commit.gpgSign=false", "log.showSignature=false", "gc.auto=0",
    "maintenance.auto=false", "core.quotePath=false", "advice.detachedHead=false", "core.editor=true",
    "credential.helper=", "protocol.allow=never", "i18n.commitEncoding=UTF-8", "i18n.logOutputEncoding=UTF-8",
)  # fmt: skip
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C.UTF-8",
}
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
"""Paths in one call, below what any system allows."""


class GitFailed(Exception):
    """A call of git that had to work and did not; the text is git's own reason."""


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a call. error: the line of standard error that says most, "" where there is none."""

    code: int
    out: bytes
    error: str

    @property
    def text(self) -> str:
        return os.fsdecode(self.out).rstrip("\n")


def run(
    arguments: Sequence[str],
    cwd: Path,
    timeout: float,
    data: bytes = b"",
    extra: dict[str, str] | None = None,
) -> Done:
    """One call of git without the caller's GIT_* variables. timeout: seconds. extra: variables to set. Never raises: a
    git that is missing or hangs is a failure with a reason."""
    env = {k: v for k, v in config.env().items() if not k.startswith("GIT_")} | _ENVIRONMENT | (extra or {})
    command = ["git", *(part for setting in _QUIET for part in ("-c", setting)), *arguments]
    try:
        code, out, error = _call(command, cwd, env, data, timeout)
    except FileNotFoundError as err:
        return Done(127, b"", "git is not installed" if err.filename == "git" else f"there is no folder {err.filename}")
    except subprocess.TimeoutExpired:
        return Done(124, b"", f"git took longer than {timeout:g} seconds ({' '.join(arguments[:2])})")
    except OSError as err:
        return Done(126, b"", f"git can't be run: {err.strerror}")
    lines = error.decode("utf-8", "replace").strip().splitlines()
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return Done(code, out, next(iter(telling or lines), ""))


def need(
    arguments: Sequence[str],
    cwd: Path,
    timeout: float,
    data: bytes = b"",
    extra: dict[str, str] | None = None,
    fine: Sequence[int] = (0,),
) -> Done:
    """As run, but raises GitFailed unless the exit status is one of `fine`."""
    done = run(arguments, cwd, timeout, data, extra)
    if done.code not in fine:
        raise GitFailed(done.error or f"git {arguments[0]} failed")
    return done


def joined(names: Sequence[str]) -> bytes:
    """Names as git reads them with -z."""
    return b"".join(os.fsencode(name) + b"\0" for name in names)


def index_entries(paths: Sequence[str], top: Path, timeout: float) -> dict[str, str]:
    """path -> "mode sha stage" in the person's index; a path in conflict has its last side's."""
    return dict(_listed(("ls-files", "-s", "-z"), paths, top, timeout))


def tree_entries(tree: str, paths: Sequence[str], top: Path, timeout: float) -> dict[str, str]:
    """path -> "mode sha stage" in a commit, the stage being 0, so that it compares with the index's."""
    rows = _listed(("ls-tree", "-r", "-z", "--full-tree", tree), paths, top, timeout)
    return {path: "{0} {2} 0".format(*facts.split(" ")) for path, facts in rows}


def ignored(paths: Sequence[str], top: Path, timeout: float) -> set[str]:
    """Those of the paths that git ignores; tracked ones are never ignored."""
    if not paths:
        return set()
    # check-ignore refuses GIT_LITERAL_PATHSPECS; "./" keeps a name such as ":(glob)x" from being read as a pattern.
    data, plain = joined([f"./{path}" for path in paths]), {"GIT_LITERAL_PATHSPECS": "0"}
    done = need(("check-ignore", "-z", "--stdin"), top, timeout, data, plain, fine=(0, 1))
    return {name.removeprefix("./") for name in os.fsdecode(done.out).split("\0") if name}


def in_progress(top: Path, timeout: float) -> str:
    """What git is in the middle of, as a clause ("a rebase is in progress"), "" where nothing is."""
    folder = Path(need(("rev-parse", "--absolute-git-dir"), top, timeout).text)
    for name, what in _IN_PROGRESS.items():
        if (folder / name).exists():
            return f"a {what} is in progress"
    return "another git holds the index (index.lock)" if (folder / "index.lock").exists() else ""


def _listed(command: Sequence[str], paths: Sequence[str], top: Path, timeout: float) -> Iterator[tuple[str, str]]:
    """(path, facts) of each line that a listing command prints for some of the paths."""
    for at in range(0, len(paths), _ARGUMENTS):
        done = need((*command, "--", *paths[at : at + _ARGUMENTS]), top, timeout)
        for row in os.fsdecode(done.out).split("\0"):
            facts, tab, path = row.partition("\t")
            if tab:
                yield path, facts


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
