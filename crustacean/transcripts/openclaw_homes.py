"""Where OpenClaw keeps its state, and where in a state directory its sessions lie."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from crustacean.workspace.config import person_path

OLD_HOMES = (".moltbot", ".clawdbot", ".moldbot")
_PROFILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DATABASE = re.compile(r"openclaw-agent(\.[A-Za-z0-9_-]{1,64})?\.sqlite")
_NO_DATABASE = ("generation-lock", "generation-writer", "reindex-lock", "memory-reindex")


def state_dirs(home: Path, env: Mapping[str, str]) -> list[Path]:
    """The state directories there are: the one that `OPENCLAW_STATE_DIR` names, else that of `OPENCLAW_PROFILE`, else
    those under `OPENCLAW_HOME` or `home`, former names and profiles included. A directory with two names is given once.
    """
    named = env.get("OPENCLAW_STATE_DIR", "").strip() or env.get("CLAWDBOT_STATE_DIR", "").strip()
    base = person_path(env.get("OPENCLAW_HOME", "").strip() or str(home), home, Path())
    profile = env.get("OPENCLAW_PROFILE", "").strip()
    if named:
        wanted = [person_path(named, base, Path())]
    elif profile and profile.casefold() != "default" and _PROFILE.fullmatch(profile):
        wanted = [base / f".openclaw-{profile}"]
    else:
        wanted = [base / ".openclaw", *(base / name for name in OLD_HOMES), *_profiles(base)]
    once: dict[Path, Path] = {}
    for path in wanted:
        if is_dir(path):
            once.setdefault(path.resolve(), path)
    return list(once.values())


def _profiles(base: Path) -> list[Path]:
    return [path for path in entries(base) if path.name.startswith(".openclaw-") and _PROFILE.fullmatch(path.name[10:])]


def databases(root: Path) -> Iterator[Path]:
    """The agents' databases in a state directory, in one of the folders in it, or the one file itself."""
    if is_file(root):
        if is_database(root.name):
            yield root
        return
    for folder in _folders(root, "agent"):
        yield from (path for path in entries(folder) if is_database(path.name) and is_file(path))


def is_database(name: str) -> bool:
    found = _DATABASE.fullmatch(name)
    return bool(found) and not (found and found[1] and found[1][1:].startswith(_NO_DATABASE))


def session_folders(root: Path) -> Iterator[Path]:
    """The folders of JSONL sessions in a state directory or in one of the folders in it."""
    for name in ("sessions", "session-sqlite-import-archive"):
        yield from _folders(root, name)


def agent_of(path: Path) -> str:
    """The agent's id by the folders a file lies in, "main" where they do not say."""
    parts = path.parts
    for i in range(len(parts) - 2, 0, -1):
        if parts[i - 1] == "agents":
            return parts[i]
    return path.parent.parent.name if path.parent.name in ("agent", "sessions") and _is_agent(path) else "main"


def _is_agent(path: Path) -> bool:
    return not path.parent.parent.name.startswith(".") and bool(path.parent.parent.name)


def _folders(root: Path, name: str) -> Iterator[Path]:
    """Folders called `name` of each agent below a state directory, an `agents` folder, an agent's folder, or itself."""
    if root.name == name:
        found = [root]
    elif is_dir(root / "agents"):
        found = [agent / name for agent in entries(root / "agents")]
        found.append(root / name)
    elif is_dir(root / name):
        found = [root / name]
    else:
        found = [agent / name for agent in entries(root)]
    yield from (path for path in found if is_dir(path))


def is_dir(path: Path) -> bool:
    """Whether it is a folder that can be looked at."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether it is a file that can be looked at."""
    try:
        return path.is_file()
    except OSError:
        return False


def entries(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing where it can't be listed."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
