"""One reading of a Claude Code session file: what is new in it, on which branch, and what is known of the session."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from sys import getsizeof
from typing import Any
from uuid import UUID

from crustacean.text.normalise import encodable
from crustacean.text.time import moment
from crustacean.transcripts import cleaning, jsonl
from crustacean.transcripts.claude_records import (
    BOOKKEEPING,
    Calls,
    Speech,
    blocks_of,
    part_of,
    word,
)
from crustacean.transcripts.claude_tree import Part, Tree
from crustacean.transcripts.jsonl import Place, Problem
from crustacean.transcripts.session import Kind, Report, Session, StoreFile, Turn

CLIENT = "claude-code"
HELD = 24 << 20
"""Bytes of turns kept until the branches are known; what comes after them is read a second time."""
_SPEAKING = frozenset({"user", "assistant", "attachment"})
_WINDOW = 128
_PROBLEMS = 20
_NAMES = 100
_OPEN_CALLS = 64
_PATH = 4_096
_TITLES = {"summary": (0, "summary"), "ai-title": (1, "aiTitle"), "custom-title": (2, "customTitle")}
"""Record types that hold a title, with how much it counts and where it stands."""


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
            moment(given.get("time")),
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
        """Take the header fields of a record (its type is a string), and its title; a summary may be of another
        session."""
        if self.directory is None:
            self.directory = word(record.get("cwd"), _PATH) or None
        if not self.id:
            self.id = word(record.get("sessionId"))
        title = _TITLES.get(record["type"])
        if title is not None:
            rank, key = title
            if rank >= self.rank and (rank or word(record.get("leafUuid")) in known):
                self.title, self.rank = " ".join(word(record.get(key)).split()) or self.title, rank


class Scan:
    """One reading of what is new in a file, from `place` on. After `run`, `turns` gives those of the live branch."""

    def __init__(self, file: StoreFile, report: Report, place: Place) -> None:
        self.facts = Facts.of(place.state)
        self.offset, self.line = place.offset, place.line
        self.given = 0
        self.puzzles = 0
        self._file = file
        self._report = report
        self._tree = Tree(self.facts.trail)
        self._speech = Speech(self.facts.calls, report)
        self._lines: list[int] = []
        self._subagent = file.path.name.startswith("agent-") or "subagents" in file.path.parts
        self._written = datetime.fromtimestamp(file.mtime_ns / 1e9, UTC)
        self._held: list[tuple[int | None, Turn]] = []
        self._held_line = 0
        self._size = 0
        self._rest: tuple[int, int, datetime] | None = None

    def run(self) -> None:
        """Read to the end. Raises OSError."""
        broken = 0
        unknown = self._report.unknown.total()
        start = line = -1
        for number, offset, record in jsonl.records(self._file.path, self.offset, self.line):
            if number != line:
                start, line = self.offset, number
            self.offset, self.line = offset, number + 1
            if isinstance(record, Problem):
                broken += 1
                if broken <= _PROBLEMS:
                    self._report.problems.append((self._file.path, f"line {number}: {record.reason}"))
            else:
                self._take(record, number, start)
        if broken > _PROBLEMS:
            self._report.problems.append((self._file.path, f"{broken - _PROBLEMS} more lines are broken"))
        self.puzzles = broken + self._report.unknown.total() - unknown

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
            id=encodable(named),
            key=encodable(named),
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
        start, first, time = self._rest
        speech = Speech(self.facts.calls, Report())
        for line, offset, record in jsonl.records(self._file.path, start, first):
            if offset > self.offset:
                return
            kind = record.get("type") if not isinstance(record, Problem) else None
            if isinstance(record, Problem) or kind not in _SPEAKING or self._is_aside(record):
                continue
            uuid = record.get("uuid")
            number = self._tree.known.get(uuid) if isinstance(uuid, str) and uuid else None
            time = moment(record.get("timestamp")) or time
            if number is None or self._lines[number] == line:
                blocks = blocks_of(record, kind)
                for turn in speech.turns(record, part_of(record, kind, blocks), blocks, line, time):
                    if not self._is_task(turn):
                        yield number, turn

    def _take(self, record: Mapping[str, Any], line: int, start: int) -> None:
        """Put a record in its place in the tree, and hold its turns. start: the offset at which its line starts."""
        kind = record.get("type")
        if not isinstance(kind, str):
            self._strange("a record without a type")
            return
        if kind in _TITLES or self.facts.directory is None or not self.facts.id:
            self.facts.learn(record, self._tree.known)
        if self._is_aside(record):
            self._report.left_out["sidechain"] += 1
            return
        speaking = kind in _SPEAKING
        blocks = blocks_of(record, kind) if speaking else []
        part = part_of(record, kind, blocks)
        number = None
        uuid = record.get("uuid")
        if isinstance(uuid, str) and uuid:
            if uuid in self._tree.known:
                self._report.left_out["repeated record"] += 1
                return
            self._lines.append(line)
            number = self._tree.add(uuid, _parent(record, part), part)
        elif kind == "last-prompt" and isinstance(record.get("leafUuid"), str):
            self._tree.name_leaf(record["leafUuid"])
        time = moment(record.get("timestamp")) or self.facts.time
        self.facts.time = time
        if speaking:
            time = time or self._written
            self._hold(number, self._speech.turns(record, part, blocks, line, time), line, start, time)
        elif kind in BOOKKEEPING:
            self._report.left_out[kind] += 1
        else:
            self._strange(kind)

    def _is_aside(self, record: Mapping[str, Any]) -> bool:
        return bool(record.get("isSidechain")) and not self._subagent

    def _is_task(self, turn: Turn) -> bool:
        """What a subagent is told are its parent's words, no person's."""
        return self._subagent and turn.speaker.role == "person"

    def _hold(self, number: int | None, turns: list[Turn], line: int, start: int, time: datetime) -> None:
        if self._rest is None and self._size > HELD and line > self._held_line:
            self._rest = (start, line, time)
        self._held_line = line
        for turn in turns:
            if self._is_task(turn):
                self._report.left_out["task of a subagent"] += 1
                continue
            self.given += 1
            if not self.facts.ours and turn.speaker.role == "person" and cleaning.is_ours(turn.text):
                self.facts.ours = True
            if self._rest is None:
                self._held.append((number, turn))
                self._size += getsizeof(turn.text) + (getsizeof(turn.tool.arguments) if turn.tool else 0)

    def _strange(self, kind: str) -> None:
        names = self._report.unknown
        name = word(kind)[:80]
        names[name if name in names or len(names) < _NAMES else "others"] += 1


def _parent(record: Mapping[str, Any], part: Part) -> str | None:
    """What the tree is told of a record's parent: see `Tree.add`."""
    parent = record.get("parentUuid", "")
    if part is Part.BREAK and parent is None:
        parent = record.get("logicalParentUuid") or ""
    return parent if parent is None or isinstance(parent, str) else ""


def _in_order(turns: Iterable[Turn]) -> Iterator[Turn]:
    """Turns in order of time, where none stands further than a window from its place."""
    waiting: deque[Turn] = deque()
    for turn in turns:
        if waiting and turn.time < waiting[-1].time:
            waiting.insert(bisect_right(waiting, turn.time, key=lambda t: t.time), turn)
        else:
            waiting.append(turn)
        if len(waiting) > _WINDOW:
            yield waiting.popleft()
    yield from waiting


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
