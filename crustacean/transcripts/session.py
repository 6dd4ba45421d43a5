"""Sessions and turns: what every reader gives, whatever the client stores."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

Kind = Literal["main", "dm", "group", "cron", "heartbeat", "subagent", "hook"]
Role = Literal["person", "agent", "tool"]


def turn_key(record: str) -> str:
    """The key of a turn: 12 hex digits of BLAKE2b over the client's own record id, never over a file name, line or
    session, since forks and resumes copy records. Where a client has no record id, pass `time|role|text`."""
    return hashlib.blake2b(record.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who said a turn, by the client's own fields.

    id: the client's id of the person ("1001"), None where the store has none.
    local: typed at this machine (a terminal, no chat transport): nobody but its user could have.
    claims_owner: the client's own owner flag; shown when asking who the owner is, never believed.
    """

    role: Role
    id: str | None = None
    name: str | None = None
    handle: str | None = None
    local: bool = False
    claims_owner: bool = False


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call or its result. `arguments` is JSON text for a call; `failed` is None while unknown."""

    name: str
    call: str
    arguments: str | None = None
    failed: bool | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said, called or returned in a session.

    key: see turn_key. position: the record's place in its session (seq in SQLite, 1-based line in JSONL).
    time: aware, UTC. offset: minutes east of UTC where the record itself says so, else None (the set zone holds).
    text: clean text. untrusted: True where the words are quoted or forwarded from elsewhere (web page, mail, hook).
    """

    key: str
    position: int
    time: datetime
    speaker: Speaker
    text: str
    offset: int | None = None
    tool: ToolUse | None = None
    untrusted: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation of a client.

    id: the client's session id. key: its routing key where it has one (OpenClaw "agent:main:main"), else the id.
    kind: from the host program's own fields. peer: the other person's id in a dm, the group's id in a group.
    directory: the project directory the session ran in. title: the client's own label, None where it has none.
    ours: True where the session carries crab's sentinel or working directory: it is dropped whole.
    """

    client: str
    agent: str
    id: str
    key: str
    kind: Kind
    path: Path
    channel: str | None = None
    peer: str | None = None
    title: str | None = None
    directory: str | None = None
    ours: bool = False

    @property
    def ref(self) -> str:
        """The start of a source reference, "openclaw:main/3f2a91c0"; `#12-18` names turns by position."""
        return f"{self.client}:{self.agent}/{self.id[:13]}"


@dataclass(frozen=True, slots=True)
class StoreFile:
    """One file (or database) of a store and what its stat said: enough to know that nothing is new."""

    client: str
    path: Path
    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a file has been read: all before it is known. `state` is the reader's own, JSON-serialisable:
    what it needs to go on (header, branch leaf, last seq of each session). A fingerprint in it tells a file that
    grew from one that was rewritten."""

    size: int
    mtime_ns: int
    inode: int
    state: Mapping[str, object]


@dataclass(slots=True)
class Report:
    """What a reader passed over: unknown record types by name, left-out records by reason, problems by file.
    `mark` is set when the file has been read to its end."""

    unknown: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[tuple[Path, str]] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    mark: Mark | None = None


class Reader(Protocol):
    """One client's store on disk. Readers never write to a store and hold at most a few records in memory."""

    client: str

    def find(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """The store roots this client has under `home` (its environment variables obeyed), [] where none."""

    def recognises(self, root: Path) -> bool:
        """Whether a path that a person named is a store of this client (its root, a folder in it, or one file)."""

    def files(self, root: Path) -> Iterator[StoreFile]:
        """The session files of a store: one stat each, none opened."""

    def read(self, file: StoreFile, mark: Mark | None, report: Report) -> Iterator[tuple[Session, Turn]]:
        """The turns after `mark` (all where it is None or does not fit any more), cleaned of harness records,
        in order of each session. Fills `report`; sets `report.mark` at the end. Raises nothing for bad content."""
