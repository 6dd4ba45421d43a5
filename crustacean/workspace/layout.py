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
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(10)}
)
_RESERVED = frozenset({".git", ".crab", ".system", ".gitignore", ".gitattributes", ".gitmodules"})
# What Windows calls `.git` and `.crab` where it makes short names.
_SHORT = re.compile(r"(?:git|crab|system)~[0-9]+\Z")
_NOT_MEMORY = (f"{TRASH_DIR}/", f"{MANIFEST_DIR}/", f"{LEDGER_DIR}/", f"{SYSTEM_DIR}/")
_HOMES = ("memory/", "knowledge/", "archive/")
_LONGEST = 120
_LONGEST_PATH = 1000


def _alike(name: str) -> str:
    """What a file system that ignores case and width makes of a name."""
    return unicodedata.normalize("NFKC", name).casefold().rstrip(". ")


_PLACES = {_alike(place): place for place in (*FOLDERS, MEMORY, *FOUNDATION, SETTINGS, SELF, REVIEW, LOG)}


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


def ledger_file(day: date) -> str:
    """The ledger of a day's month."""
    return f"{LEDGER_DIR}/{day:%Y-%m}.jsonl"


def is_memory(path: str) -> bool:
    """Whether the entries of a markdown file are memory. A file whose name not every system can take (see `safe`) is
    left alone."""
    return is_home_of_memory(path) and is_safe(path)


def is_home_of_memory(path: str) -> bool:
    """Whether a file is markdown in a place of memory, whatever its name. Hidden folders are another program's."""
    if not path.endswith(".md") or "/." in path:
        return False
    if path == MEMORY or path in FOUNDATION:
        return True
    return path.startswith(_HOMES) and not path.startswith(_NOT_MEMORY)


def may_descend(path: str) -> bool:
    """Whether a folder can hold memory (for a walk over the workspace)."""
    inside = f"{path}/"
    return inside.startswith(_HOMES) and not inside.startswith(_NOT_MEMORY) and "/." not in inside


def may_hold_entries(path: str) -> bool:
    """Whether an edit may put entries into a file: markdown in memory's folders, the trash included."""
    return is_memory(path) or (path.startswith(f"{TRASH_DIR}/") and path.endswith(".md") and is_safe(path))


def is_safe(path: str) -> bool:
    """Whether `safe` takes the path."""
    try:
        safe(path)
    except EditRefused:
        return False
    return True


def safe(path: str) -> str:
    """The path itself if it is a plain relative posix path that stays in the workspace, in the one spelling that every
    file system takes as it is written. Raises EditRefused otherwise: absolute, `..`, backslashes, drives, control
    characters, device names, dots or spaces at the end of a name, another spelling of a reserved name, anything in .git
    or .crab, names of more than 120 bytes."""
    if len(path) > _LONGEST_PATH or path != unicodedata.normalize("NFC", path):
        raise EditRefused(f"{_shown(path)} is not a path in its plain spelling")
    if path.startswith("/") or "\\" in path or any(_odd(c) for c in path):
        raise EditRefused(f"{_shown(path)} is not a path inside the workspace")
    whole = folded = ""
    for at, part in enumerate(path.split("/")):
        _safe_part(path, part, at)
        whole = f"{whole}/{part}" if at else part
        folded = f"{folded}/{_alike(part)}" if at else _alike(part)
        place = _PLACES.get(folded)
        if place is not None and place != whole:
            raise EditRefused(f"{_shown(path)} is another spelling of {place}")
    return path


def _odd(char: str) -> bool:
    return char in ':*?"<>|' or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _shown(path: str) -> str:
    return ascii(path[:80])


def _safe_part(path: str, part: str, at: int) -> None:
    if part in ("", ".", "..") or part != part.strip() or part.endswith("."):
        raise EditRefused(f"{_shown(path)} is not a path inside the workspace")
    if len(part.encode()) > _LONGEST:
        raise EditRefused(f"a name in {_shown(path)} is too long")
    alike = _alike(part)
    if alike.partition(".")[0].strip() in _DEVICES or not alike or "/" in alike or "\\" in alike:
        raise EditRefused(f"{_shown(path)} names no file that every system can have")
    if (alike in _RESERVED or _SHORT.match(alike)) and not (
        part == ".system" and at == 1 and path.startswith("memory/")
    ):
        raise EditRefused(f"{_shown(path)} is reserved")


def resolve(root: Path, path: str) -> Path:
    """The real file of a workspace path. Symlinks on the way are followed only where they stay inside `root` and lead
    to nothing that has rules of its own. Raises EditRefused otherwise."""
    real = root / safe(path)
    try:
        home = root.resolve()
        target = real.resolve()
        loops = target.is_symlink()
    except (OSError, RuntimeError) as err:
        raise EditRefused(f"{_shown(path)} can't be followed: {err}") from err
    if loops:
        raise EditRefused(f"{_shown(path)} can't be followed: it leads to itself")
    if target == home / path:
        return target
    if home not in target.parents:
        raise EditRefused(f"{_shown(path)} leads out of the workspace")
    inside = target.relative_to(home).as_posix()
    if _has_rules(inside):
        raise EditRefused(f"{_shown(path)} leads to {_shown(inside)}, which is reserved")
    return target


def _has_rules(path: str) -> bool:
    """Whether a path must be edited under its own name only, and not through a symlink."""
    if path.startswith(".") or path in (SETTINGS, MEMORY, *FOUNDATION):
        return True
    return f"{path}/".startswith(_NOT_MEMORY)
