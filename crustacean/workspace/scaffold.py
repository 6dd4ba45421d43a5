"""`crab init`: a new workspace, or an existing one adopted without changing a byte of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from crustacean.errors import UsageError, WorkspaceError
from crustacean.workspace import config, layout, shipped

PROFILES = ("openclaw", "plain")
_TRIES = 20
STATE_FOLDERS = (".openclaw", ".claude", ".codex", ".config")
"""Folders of the home in which programs keep their own state: never a workspace themselves."""
# Attributes of their own folder, so that a person's own .gitattributes and .gitignore need not change: two machines may
# both append to the ledger, and it is not shown in diffs.
_OWN = {
    f"{layout.LEDGER_DIR}/.gitattributes": b"*.jsonl merge=union -diff -text\n",
    f"{layout.STATE_DIR}/.gitignore": b"*\n",
}


@dataclass(slots=True)
class Report:
    """What `init` did. made, kept: workspace paths (folders made end in /); foreign: stage documents that are someone's
    own; notices: what else a person should know."""

    root: Path
    made: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def check_root(root: Path, home: Path) -> None:
    """Raise UsageError where a folder can't sensibly be a workspace, WorkspaceError where it can't be looked at."""
    try:
        if root.exists() and not root.is_dir():
            raise UsageError(f"{root} is a file", "name a folder")
        real, own = root.resolve(), home.resolve()
    except (OSError, RuntimeError, ValueError) as err:
        raise WorkspaceError(f"{str(root)[:200]!a} can't be used: {_why(err)}", "name another folder") from err
    if real == own or real in own.parents or real in [own / name for name in STATE_FOLDERS]:
        raise UsageError(
            f"{root} is not a place for a workspace", f"name a folder in it: `crab init {root / 'workspace'}`"
        )
    if {".git", layout.STATE_DIR} & set(real.parts):
        raise UsageError(f"{root} lies in a folder of git's or crab's own", "name another folder")
    for outer in real.parents:
        if config.is_workspace(outer) and layout.may_descend(real.relative_to(outer).as_posix()):
            raise UsageError(f"{root} lies in the memory of the workspace {outer}", f"`crab init {outer}` adds to that")


def _why(err: Exception) -> str:
    return (err.strerror if isinstance(err, OSError) else None) or str(err)


def init(root: Path, settings: str, *, profile: str = "openclaw") -> Report:
    """Make what is missing of a workspace; nothing that exists is changed, so it can be run again at any time.

    settings: the text of crab.toml where there is none yet. Raises UsageError for an unknown profile, WorkspaceError
    where the folder can't be written.
    """
    if profile not in PROFILES:
        raise UsageError(f"--profile {profile} is not known", f"it is one of {', '.join(PROFILES)}")
    report = Report(root)
    try:
        root.mkdir(parents=True, exist_ok=True)
        report.foreign = foreign_documents(root)
        others = _other_spellings(root)
        for own, name in others.items():
            report.notices.append(f"{name} is not read: crab's is {own}, rename it if it is meant to be that")
        for folder in layout.FOLDERS:
            _folder(root, folder, report)
        for path, data in _files(profile):
            # OpenClaw takes memory.md where there is no MEMORY.md: an empty one beside it would hide it.
            if path not in others:
                _file(root, path, data, report)
        # Last, so that an init which was interrupted is seen as one and run again.
        _file(root, layout.SETTINGS, settings.encode(), report)
    except OSError as err:
        what = f"{err.filename or root} can't be made: {err.strerror}"
        raise WorkspaceError(what, "check permissions and space, then run init again") from err
    report.notices = list(dict.fromkeys(report.notices))
    return report


def _other_spellings(root: Path) -> dict[str, str]:
    """A name of crab's that is missing -> one that is there and would be it if letter case did not count."""
    wanted = {name.casefold(): name for name in (layout.MEMORY, *layout.FOUNDATION, *layout.FOLDERS) if "/" not in name}
    found = {wanted.get(path.name.casefold(), path.name): path.name for path in sorted(root.iterdir(), reverse=True)}
    return {own: name for own, name in found.items() if own != name and not (root / own).exists()}


def _folder(root: Path, path: str, report: Report) -> None:
    real = root / path
    if real.is_dir():
        return
    if _may_make(root, path, report):
        if os.path.lexists(real):
            report.notices.append(f"{path} is in the way: it is not a folder; left as it is")
            return
        real.mkdir(parents=True, exist_ok=True)
        report.made.append(f"{path}/")


def _may_make(root: Path, path: str, report: Report) -> bool:
    """Whether the folders above a path are folders of the workspace; else the first that is not becomes a notice."""
    home, above = root.resolve(), ""
    for part in path.split("/")[:-1]:
        above = f"{above}/{part}".lstrip("/")
        real = root / above
        if not os.path.lexists(real):
            return True
        if not real.is_dir():
            report.notices.append(f"{above} is in the way: it is not a folder; left as it is")
            return False
        if real.is_symlink() and home not in real.resolve().parents:
            report.notices.append(
                f"{above} is a symlink out of the workspace: crab neither makes nor reads anything there"
            )
            return False
    return True


def _file(root: Path, path: str, data: bytes, report: Report) -> None:
    real = root / path
    if not _may_make(root, path, report):
        return
    if os.path.lexists(real):
        report.kept.append(path)
        return
    real.parent.mkdir(parents=True, exist_ok=True)
    (report.made if _put(real, data) else report.kept).append(path)


def _put(real: Path, data: bytes) -> bool:
    """Write a new file whole or not at all; False where there is one meanwhile."""
    for left in reversed(range(_TRIES)):
        try:
            return _put_once(real, data)
        except (FileExistsError, FileNotFoundError):  # another init is at work on the same file
            if not left and not os.path.lexists(real):
                raise
    return False


def _put_once(real: Path, data: bytes) -> bool:
    temp = real.with_name(f".{real.name}.crab-tmp")
    temp.unlink(missing_ok=True)  # of an init that was interrupted
    try:
        with temp.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        try:
            real.hardlink_to(temp)
        except FileExistsError:
            return False
        except FileNotFoundError:
            raise
        except OSError:  # a file system without hard links
            if os.path.lexists(real):
                return False
            temp.rename(real)
        return True
    finally:
        temp.unlink(missing_ok=True)


def _files(profile: str) -> Iterator[tuple[str, bytes]]:
    """(workspace path, bytes) of every shipped template, of the stage documents, and of what git needs to know."""
    base = shipped.folder("templates") / "workspace"
    for real in sorted(base.rglob("*.md")):
        path = real.relative_to(base).as_posix()
        if profile == "plain" and path in layout.FOUNDATION:
            continue
        yield path, real.read_bytes()
    for name in shipped.documents():
        yield f"{layout.SYSTEM_DIR}/{name}", shipped.pipeline(name).encode()
    yield from _OWN.items()


def foreign_documents(root: Path) -> list[str]:
    """Stage documents without crab's frontmatter, or that can't be read: someone's own prompts."""
    paths = [f"{layout.SYSTEM_DIR}/{name}" for name in shipped.documents()]
    return [path for path in paths if os.path.lexists(root / path) and not shipped.is_ours(_head(root / path))]


def _head(path: Path) -> str:
    """The start of a file, "" where it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(shipped.HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
