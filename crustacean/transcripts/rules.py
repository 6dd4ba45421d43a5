"""Rules of what may be read: how they are written, and which sessions they mean.

| rule | means |
|---|---|
| `claude-code` | a client |
| `openclaw:work`, `openclaw:work/3f2a91c0` | an agent of a client, one session of it |
| `~/.claude`, `/mnt/backup` | a store, a folder or a file of one; to exclude: also a directory that was worked in |
| `dir:~/work/**` | sessions that ran in these directories |
| `session:agent:main:cron:*` | sessions by key or id |
| `peer:1001` | sessions with this person or group, and what this person says elsewhere |
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Literal

from crustacean.errors import UsageError
from crustacean.transcripts.session import Session, Speaker
from crustacean.workspace.config import person_path

Kind = Literal["client", "agent", "path", "dir", "session", "peer"]
_PREFIXES: dict[str, Kind] = {"dir": "dir", "session": "session", "peer": "peer"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. value: the client's name, "client:agent" with or without "/session", an absolute path, or a pattern."""

    kind: Kind
    value: str

    def matches(self, session: Session, speaker: Speaker | None = None) -> bool:
        """Whether the rule means this session (or, for a peer, this speaker in it)."""
        value = self.value
        match self.kind:
            case "client":
                return value in (session.client, _family(session))
            case "agent":
                client, _, rest = value.partition(":")
                agent, _, wanted = rest.partition("/")
                return (
                    client in (session.client, _family(session))
                    and fnmatchcase(session.agent, agent)
                    and (not wanted or session.id.startswith(wanted))
                )
            case "path":
                places = (str(session.path), session.directory or "")
                return any(below(place, value) for place in places)
            case "dir":
                return session.directory is not None and in_directories(session.directory, value)
            case "session":
                return any(fnmatchcase(name, value) for name in (session.key, session.id, session.ref))
            case "peer":
                peers = {session.peer, speaker.id if speaker else None} - {None}
                return any(fnmatchcase(str(p), value) or value == f"{session.channel}:{p}" for p in peers)


def parse(text: str, clients: Collection[str], home: Path, cwd: Path) -> Rule:
    """The rule that a text is. clients: the names of the readers. Raises UsageError for a text that is none."""
    text = text.strip()
    head, colon, rest = text.partition(":")
    if text in clients:
        return Rule("client", text)
    if colon and head in _PREFIXES:
        if not rest.strip():
            raise UsageError(f"the rule {text} names nothing", f"write it like {_example(head)}")
        value = rest.strip()
        if head == "dir":
            value = str(absolute(value, home, Path("/") if value.startswith("**") else cwd))
        return Rule(_PREFIXES[head], value)
    if colon and rest and head in clients:
        return Rule("agent", text)
    if text and ("/" in text or "\\" in text or text[0] in "~." or (cwd / text).exists()):
        return Rule("path", str(absolute(text, home, cwd)))
    raise UsageError(
        f"{text or '(empty)'} is no source",
        f"name a client ({', '.join(sorted(clients))}), a path, or a rule of docs/sources.md",
    )


def written(rule: Rule, home: Path) -> str:
    """The rule as it stands in crab.toml."""
    if rule.kind == "path":
        return shown(rule.value, home)
    if rule.kind == "dir":
        return f"dir:{shown(rule.value, home)}"
    return rule.value if rule.kind in ("client", "agent") else f"{rule.kind}:{rule.value}"


def shown(path: str | Path, home: Path) -> str:
    """A path as a person reads it, and as it holds on another machine: `~/...` where it lies under the home."""
    try:
        return f"~/{PurePath(path).relative_to(home).as_posix()}".removesuffix("/.")
    except ValueError:
        return str(path)


def absolute(text: str, home: Path, cwd: Path) -> Path:
    """A path without `~`, `.` and `..`; links in it stay."""
    path = person_path(text, home, cwd)
    parts: list[str] = []
    for part in path.parts[1:]:
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return Path(path.anchor, *parts)


def below(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    folder = folder.rstrip("/")
    return path == folder or path.startswith(f"{folder}/")


def in_directories(directory: str, pattern: str) -> bool:
    """Whether a directory is one that the pattern names, or lies in one. `*` stands for one name, `**` for any."""
    return matched(directory, pattern) is not None


def matched(directory: str, pattern: str) -> str | None:
    """The part of the directory that the pattern names, None where it does not."""
    names = [part for part in directory.split("/") if part]
    wanted = [part for part in pattern.split("/") if part]
    while wanted and wanted[-1] == "**":
        wanted.pop()
    reached = {0}
    for at, want in enumerate(wanted):
        if want == "**":
            reached = set(range(min(reached), len(names) + 1))
        else:
            reached = {n + 1 for n in reached if n < len(names) and fnmatchcase(names[n], want)}
        if not reached:
            return None
        if at == len(wanted) - 1:
            break
    return "/" + "/".join(names[: min(reached)])


def _family(session: Session) -> str:
    """The name of the reader where a client's older sessions have one of their own: "openclaw-jsonl"."""
    return f"{session.client}-jsonl" if ".jsonl" in session.path.name else session.client


def _example(head: str) -> str:
    return {"dir": "dir:~/work/**", "session": "session:agent:main:cron:*", "peer": "peer:1001"}[head]
