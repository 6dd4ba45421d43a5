"""The one place that spells the paths of a workspace. All paths are relative to it and posix."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from pathlib import Path
from typing import Final

from crustacean.errors import EditRefused

MEMORY: Final = "MEMORY.md"
FOUNDATION: Final = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md")
SETTINGS: Final = "crab.toml"
STATE_DIR: Final = ".crab"
SYSTEM_DIR: Final = "memory/.system"
SELF: Final = "memory/self.md"
REVIEW: Final = "memory/review.md"
LOG: Final = "archive/LOG.md"
LEDGER_DIR: Final = "archive/ledger"
TRASH_DIR: Final = "archive/trash"
MANIFEST_DIR: Final = "archive/manifests"
FOLDERS: Final = (
    "memory", SYSTEM_DIR, "memory/contacts", "memory/groups", "memory/projects", "memory/lessons", "memory/reminders",
    "memory/goals", "memory/ideas", "memory/lists", "memory/notes", "knowledge", "knowledge/topics",
    "knowledge/research", "knowledge/procedures", "knowledge/procedures/learned", "knowledge/notes", "archive",
    "archive/daily", "archive/lessons", "archive/retired", "archive/superseded", "archive/digests", "archive/audits",
    TRASH_DIR, MANIFEST_DIR, LEDGER_DIR, "projects", "artifacts", "skills",
)  # fmt: skip

_LOG = re.compile(r"(?:memory|archive/daily/(\d{4}-\d{2}))/(\d{4}-\d{2}-\d{2})\.md\Z", re.ASCII)
_NODE = re.compile(r"memory/(contacts|groups|projects)/(.+)\.md\Z")
_NODES = {"contacts": "person", "groups": "group", "projects": "project"}
_DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(10)})
_RESERVED = frozenset({".git", ".crab", ".system", ".gitignore", ".gitattributes", ".gitmodules"})
_NOT_MEMORY = (f"{TRASH_DIR}/", f"{MANIFEST_DIR}/", f"{LEDGER_DIR}/", f"{SYSTEM_DIR}/")
_HOMES = ("memory/", "knowledge/", "archive/")
_LONGEST = 120


def daily(day: date) -> str:
    """The log of a day."""
    return f"memory/{day.isoformat()}.md"


def archived_daily(day: date) -> str:
    """Where Compile puts a day's log."""
    return f"archive/daily/{day:%Y-%m}/{day.isoformat()}.md"


def day_of(path: str) -> date | None:
    """The day of a daily log, live or archived; None for any other path, logs with a slug included."""
    found = _LOG.match(path)
    if not found or (found[1] and not found[2].startswith(found[1])):
        return None
    try:
        return date.fromisoformat(found[2])
    except ValueError:
        return None


def subject_of(path: str) -> str:
    """The node a file is about: "person:ana", "group:...", "project:...", "self", or ""."""
    if path == SELF:
        return "self"
    found = _NODE.match(path)
    return f"{_NODES[found[1]]}:{found[2]}" if found else ""


def superseded(day: date) -> str:
    """Where texts that were replaced on a day are kept."""
    return f"archive/superseded/{day:%Y-%m}.md"


def retired(day: date) -> str:
    """Where entries that were done, expired or stale on a day are kept."""
    return f"archive/retired/{day:%Y-%m}.md"


def archived(path: str) -> str:
    """Where a whole file goes when it is archived."""
    day = day_of(path)
    return archived_daily(day) if day else f"archive/{path.removeprefix('memory/')}"


def trash_entries(day: date) -> str:
    """The trash file for entries removed on a day."""
    return f"{TRASH_DIR}/{day:%Y-%m}.md"


def trash_file(day: date, name: str) -> str:
    """Where a whole file of that name goes when it is trashed on a day."""
    return f"{TRASH_DIR}/{day:%Y-%m}/{name}"


def ledger_file(day: date) -> str:
    """The ledger of a day's month."""
    return f"{LEDGER_DIR}/{day:%Y-%m}.jsonl"


def is_memory(path: str) -> bool:
    """Whether the entries of a markdown file are memory."""
    if not path.endswith(".md"):
        return False
    if path == MEMORY or path in FOUNDATION:
        return True
    return path.startswith(_HOMES) and not path.startswith(_NOT_MEMORY)


def may_descend(path: str) -> bool:
    """Whether a folder can hold memory (for a walk over the workspace)."""
    inside = f"{path}/"
    return inside.startswith(_HOMES) and not inside.startswith(_NOT_MEMORY)


def may_hold_entries(path: str) -> bool:
    """Whether an edit may put entries into a file: markdown in memory's folders, the trash included."""
    return is_memory(path) or (path.startswith(f"{TRASH_DIR}/") and path.endswith(".md"))


def safe(path: str) -> str:
    """The path itself if it is a plain relative posix path that stays in the workspace, in the one spelling that every
    file system takes as it is written. Raises EditRefused otherwise: absolute, `..`, backslashes, drives, control
    characters, device names, dots or spaces at the end of a name, another spelling of a reserved name, anything in .git
    or .crab, names of more than 120 bytes."""
    if not path or path != unicodedata.normalize("NFC", path):
        raise EditRefused("the path is empty or not in its plain spelling")
    if len(path) > 1000 or path.startswith("/") or "\\" in path or any(_odd(c) for c in path):
        raise EditRefused(f"{_shown(path)} is not a path inside the workspace")
    for at, part in enumerate(path.split("/")):
        _safe_part(path, part, at)
    return path


def _odd(char: str) -> bool:
    return char in ':*?"<>|' or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _shown(path: str) -> str:
    return ascii(path[:80])


def _safe_part(path: str, part: str, at: int) -> None:
    if part in ("", ".", "..") or part != part.strip() or part.endswith("."):
        raise EditRefused(f"{_shown(path)} is not a path inside the workspace")
    if len(part.encode()) > _LONGEST:
        raise EditRefused("a name in the path is too long")
    alike = unicodedata.normalize("NFKC", part).casefold().rstrip(". ")
    if alike.partition(".")[0].strip() in _DEVICES or alike in ("", ".."):
        raise EditRefused(f"{_shown(path)} names a device")
    # Some file systems ignore case and width: `.GIT`, `.Crab`, a full-width dot would be those very folders there.
    if alike in _RESERVED and not (part == ".system" and at == 1 and path.startswith("memory/")):
        raise EditRefused(f"{_shown(path)} is reserved")
    top = {"memory", "knowledge", "archive"} | {name.casefold() for name in (MEMORY, *FOUNDATION)}
    if at == 0 and alike in top and part not in ("memory", "knowledge", "archive", MEMORY, *FOUNDATION):
        raise EditRefused(f"{_shown(path)} is another spelling of a reserved name")


def resolve(root: Path, path: str) -> Path:
    """The real file of a workspace path. Symlinks on the way are followed only where they stay inside `root`. Raises
    EditRefused otherwise."""
    real = root / safe(path)
    home = root.resolve()
    try:
        target = real.resolve()
    except (OSError, RuntimeError) as err:
        raise EditRefused(f"{path} can't be followed: {err}") from err
    if target == home / path:
        return target
    if home not in target.parents:
        raise EditRefused(f"{path} leads out of the workspace")
    inside = target.relative_to(home).as_posix()
    if inside.split("/")[0] in (STATE_DIR, ".git") or inside.startswith((f"{LEDGER_DIR}/", f"{SYSTEM_DIR}/")):
        raise EditRefused(f"{path} leads to {inside}, which is reserved")
    return target
