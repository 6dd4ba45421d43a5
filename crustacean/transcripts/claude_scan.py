"""One reading of a Claude Code session file: what is new in it, on which branch, and what is known of the session."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from crustacean.transcripts import cleaning, jsonl
from crustacean.transcripts.claude_records import BOOKKEEPING, Calls, clean, part_of, time_of, turns_of, word
from crustacean.transcripts.claude_tree import Part, Tree
from crustacean.transcripts.jsonl import Place, Problem
from crustacean.transcripts.session import Kind, Report, Session, StoreFile, Turn

CLIENT = "claude-code"
HELD = 8 << 20
"""Characters of turns kept until the branches are known; what comes after them is read a second time."""
_WINDOW = 128
_PROBLEMS = 20
_NAMES = 100
_OPEN_CALLS = 64
_PATH = 4_096
_TITLES = (("summary", "summary"), ("ai-title", "aiTitle"), ("custom-title", "customTitle"))


@dataclass(slots=True)
class Facts:
    """What is known of a session besides its turns; kept in the mark from one reading to the next."""

    id: str = ""
    directory: str | None = None
    title: str | None = None
    rank: int = 0
    ours: bool = False
    time: datetime | None = None
    calls: Calls = field(default_factory=Calls)
    trail: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, state: Mapping[str, object] | None) -> Facts:
        """From a mark's state; what is not of the right type is not known."""
        given = state or {}
        rank, names, trail = given.get("rank"), given.get("calls"), given.get("trail")
        return cls(
            word(given.get("id")),
            word(given.get("directory"), _PATH) or None,
            word(given.get("title")) or None,
            rank if isinstance(rank, int) else 0,
            given.get("ours") is True,
            time_of(given.get("time")),
            Calls({str(k): str(v) for k, v in names.items()} if isinstance(names, dict) else {}),
            [str(t) for t in trail] if isinstance(trail, list) else [],
        )

    def state(self) -> dict[str, object]:
        return {
            "id": self.id,
            "directory": self.directory,
            "title": self.title,
            "rank": self.rank,
            "ours": self.ours,
            "time": self.time.isoformat() if self.time else None,
            "calls": dict(list(self.calls.names.items())[-_OPEN_CALLS:]),
            "trail": self.trail,
        }

    def learn(self, record: Mapping[str, Any], known: Mapping[str, int]) -> None:
        """Take the header fields of a record, and a title where it is one; a summary may be of another session."""
        if self.directory is None:
            self.directory = word(record.get("cwd"), _PATH) or None
        if not self.id:
            self.id = word(record.get("sessionId"))
        kind = record.get("type")
        for rank, (name, key) in enumerate(_TITLES):
            if kind == name and rank >= self.rank and (rank or word(record.get("leafUuid")) in known):
                self.title, self.rank = " ".join(word(record.get(key)).split()) or self.title, rank


class Scan:
    """One reading of what is new in a file, from `place` on. After `run`, `turns` gives those of the live branch."""

    def __init__(self, file: StoreFile, report: Report, place: Place) -> None:
        self.facts = Facts.of(place.state)
        self.stop = place
        self.given = 0
        self.puzzles = 0
        self._file = file
        self._report = report
        self._tree = Tree(self.facts.trail)
        self._lines: list[int] = []
        self._subagent = file.path.name.startswith("agent-") or "subagents" in file.path.parts
        self._written = datetime.fromtimestamp(file.mtime_ns / 1e9, UTC)
        self._held: list[tuple[int | None, Turn]] = []
        self._size = 0
        self._rest: tuple[Place, datetime] | None = None

    def run(self) -> None:
        """Read to the end. Raises OSError."""
        start, line = self.stop, 0
        broken = 0
        for number, offset, record in jsonl.records(self._file.path, start.offset, start.line):
            if number != line:
                start, line = Place(self.stop.offset, number), number
            self.stop = Place(offset, number + 1)
            if isinstance(record, Problem):
                broken += 1
                if broken <= _PROBLEMS:
                    self._report.problems.append((self._file.path, f"line {number}: {record.reason}"))
            else:
                self._take(record, start)
        if broken > _PROBLEMS:
            self._report.problems.append((self._file.path, f"{broken - _PROBLEMS} more lines are broken"))
        self.puzzles += broken

    def turns(self) -> Iterator[Turn]:
        """The turns of the live branch, in order of time where the file is a little out of it. Raises OSError."""
        dead = self._tree.dead()
        self.facts.trail = self._tree.trail()
        return _in_order(self._live(dead))

    def session(self) -> Session:
        """The session as it is known now."""
        path, facts = self._file.path, self.facts
        named = path.stem if self._subagent or _is_uuid(path.stem) else facts.id or path.stem
        kind: Kind = "subagent" if self._subagent else "main"
        return Session(
            client=CLIENT,
            agent="main",
            id=clean(named),
            key=clean(named),
            kind=kind,
            path=path,
            title=facts.title,
            directory=facts.directory,
            ours=facts.ours,
        )

    def _live(self, dead: set[int]) -> Iterator[Turn]:
        for number, turn in self._all():
            if number in dead:
                self._report.left_out["abandoned branch"] += 1
            else:
                yield turn

    def _all(self) -> Iterator[tuple[int | None, Turn]]:
        yield from self._held
        self._held.clear()
        if self._rest is None:
            return
        place, time = self._rest
        again = Report()
        for line, offset, record in jsonl.records(self._file.path, place.offset, place.line):
            if offset > self.stop.offset:
                return
            if isinstance(record, Problem):
                continue
            uuid = record.get("uuid")
            number = self._tree.known.get(uuid) if isinstance(uuid, str) and uuid else None
            time = time_of(record.get("timestamp")) or time
            if self._speaks(record) and (number is None or self._lines[number] == line):
                yield from ((number, turn) for turn in self._said(record, line, time, again))

    def _take(self, record: Mapping[str, Any], at: Place) -> None:
        """Put a record in its place in the tree, and hold its turns."""
        kind = record.get("type")
        if not isinstance(kind, str):
            self._strange("a record without a type")
            return
        self.facts.learn(record, self._tree.known)
        leaf = record.get("leafUuid")
        if kind == "last-prompt" and isinstance(leaf, str) and leaf:
            self._tree.name_leaf(leaf)
        number, new = self._admit(record, kind, at.line)
        if not new:
            return
        self.facts.time = time_of(record.get("timestamp")) or self.facts.time
        if not self._speaks(record):
            self._pass(kind)
            return
        self._hold(number, record, at)

    def _admit(self, record: Mapping[str, Any], kind: str, line: int) -> tuple[int | None, bool]:
        """A record's number in the tree (None: it is no part of one) and whether it is to be read."""
        if record.get("isSidechain") and not self._subagent:
            self._report.left_out["sidechain"] += 1
            return None, False
        uuid = record.get("uuid")
        if not isinstance(uuid, str) or not uuid:
            return None, True
        if uuid in self._tree.known:
            self._report.left_out["repeated record"] += 1
            return None, False
        part = part_of(record)
        parent = record.get("parentUuid", "")
        if part is Part.BREAK and parent is None:
            parent = record.get("logicalParentUuid") or ""
        self._lines.append(line)
        return self._tree.add(uuid, parent if isinstance(parent, str) or parent is None else "", part), True

    def _speaks(self, record: Mapping[str, Any]) -> bool:
        kind = record.get("type")
        if kind == "attachment":
            attachment = record.get("attachment")
            return isinstance(attachment, dict) and attachment.get("type") == "queued_command"
        return kind in ("user", "assistant") and not (record.get("isSidechain") and not self._subagent)

    def _hold(self, number: int | None, record: Mapping[str, Any], at: Place) -> None:
        before = self._report.unknown.total()
        time = self.facts.time or self._written
        turns = self._said(record, at.line, time, self._report)
        self.puzzles += self._report.unknown.total() - before
        self.given += len(turns)
        if any(turn.speaker.role == "person" and cleaning.is_ours(turn.text) for turn in turns):
            self.facts.ours = True
        if self._rest is not None:
            return
        if self._size > HELD:
            self._rest = (at, time)
            return
        for turn in turns:
            self._held.append((number, turn))
            self._size += len(turn.text) + len(turn.tool.arguments or "" if turn.tool else "")

    def _said(self, record: Mapping[str, Any], line: int, time: datetime, report: Report) -> list[Turn]:
        """The turns of a record; what a subagent is told are its parent's words, no person's."""
        turns = turns_of(record, line, time, self.facts.calls, report)
        if self._subagent and any(t.speaker.role == "person" for t in turns):
            report.left_out["task of a subagent"] += 1
            return [t for t in turns if t.speaker.role != "person"]
        return turns

    def _pass(self, kind: str) -> None:
        if kind in BOOKKEEPING:
            self._report.left_out[kind] += 1
        else:
            self._strange(kind)

    def _strange(self, kind: str) -> None:
        self.puzzles += 1
        names = self._report.unknown
        name = word(kind)[:80]
        names[name if name in names or len(names) < _NAMES else "others"] += 1


def _in_order(turns: Iterable[Turn]) -> Iterator[Turn]:
    """Turns in order of time, where none stands further than a window from its place."""
    waiting: list[tuple[datetime, int, int, Turn]] = []
    for count, turn in enumerate(turns):
        heapq.heappush(waiting, (turn.time, turn.position, count, turn))
        if len(waiting) > _WINDOW:
            yield heapq.heappop(waiting)[3]
    while waiting:
        yield heapq.heappop(waiting)[3]


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
