"""Claude Code's sessions: ~/.claude/projects/<slug>/<session>.jsonl and the files of their subagents."""

from __future__ import annotations

import heapq
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from crustacean.transcripts import cleaning, jsonl
from crustacean.transcripts.claude_records import BOOKKEEPING, Calls, clean, part_of, time_of, turns_of
from crustacean.transcripts.claude_tree import Part, Tree
from crustacean.transcripts.jsonl import Place, Problem
from crustacean.transcripts.session import Mark, Report, Session, StoreFile, Turn
from crustacean.transcripts.wrappers import MEMORY_JOB_FOLDERS

HELD = 8 << 20
"""Characters of turns kept while the tree is read; what comes after them is read a second time."""
_WINDOW = 128
_PROBLEMS = 20
_NAMES = 100
_OPEN_CALLS = 64
_NOT_SESSIONS = frozenset({"memory", "tool-results"})
_SPEAKING = frozenset({"user", "assistant"})


class ClaudeCode:
    """The reader. A file is one session; the turns it gives are those of the live branch."""

    client = "claude-code"

    def find(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        moved = env.get("CLAUDE_CONFIG_DIR")
        folders = [Path(moved).expanduser()] if moved else [home / ".claude", home / ".config" / "claude"]
        return [f for f in folders if (f / "projects").is_dir()]

    def recognises(self, root: Path) -> bool:
        if root.is_file():
            return root.suffix == ".jsonl" and _looks_like_ours(root)
        if (root / "projects").is_dir() or (root.name == "projects" and root.parent.name in (".claude", "claude")):
            return any(_looks_like_ours(path) for path in _some_files(root)) or root.name in (".claude", "projects")
        return any(_looks_like_ours(path) for path in _some_files(root))

    def files(self, root: Path) -> Iterator[StoreFile]:
        projects = root / "projects"
        folder = projects if projects.is_dir() else root
        if folder.is_file():
            entries: Iterator[tuple[Path, os.stat_result]] = iter([(folder, folder.stat())])
        else:
            entries = _walk(folder)
        for path, stat in entries:
            yield StoreFile(self.client, path, stat.st_size, stat.st_mtime_ns, stat.st_ino)

    def read(self, file: StoreFile, mark: Mark | None, report: Report) -> Iterator[tuple[Session, Turn]]:
        if any(part.endswith(MEMORY_JOB_FOLDERS) for part in file.path.parts[:-1]):
            report.left_out["session of another memory tool"] += 1
            return
        try:
            yield from _read(file, mark, report)
        except OSError as error:
            report.problems.append((file.path, f"it can't be read: {error.strerror or error}"))


READER = ClaudeCode()


@dataclass(slots=True)
class _Facts:
    """What is known of a session besides its turns; kept in the mark from one reading to the next."""

    id: str = ""
    directory: str | None = None
    title: str | None = None
    title_rank: int = 0
    ours: bool = False
    time: datetime | None = None
    calls: Calls = field(default_factory=Calls)
    trail: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, state: Mapping[str, object] | None) -> _Facts:
        """From a mark's state; what is not of the right type is not known."""
        facts = cls()
        given = state or {}
        for name in ("id", "directory", "title"):
            value = given.get(name)
            if isinstance(value, str):
                setattr(facts, name, value)
        rank, names, trail, time = (given.get(k) for k in ("title_rank", "calls", "trail", "time"))
        facts.ours = given.get("ours") is True
        facts.title_rank = rank if type(rank) is int else 0
        if isinstance(names, dict):
            facts.calls.names = {str(k): str(v) for k, v in names.items()}
        if isinstance(trail, list):
            facts.trail = [str(t) for t in trail]
        facts.time = time_of({"timestamp": time})
        return facts

    def state(self) -> dict[str, object]:
        open_calls = list(self.calls.names.items())[-_OPEN_CALLS:]
        return {
            "id": self.id,
            "directory": self.directory,
            "title": self.title,
            "title_rank": self.title_rank,
            "ours": self.ours,
            "time": self.time.isoformat() if self.time else None,
            "calls": dict(open_calls),
            "trail": self.trail,
        }

    def take(self, record: Mapping[str, Any], known: Mapping[str, int]) -> None:
        """Learn from a record that is no turn, or from the header fields of one that is."""
        if self.directory is None and isinstance(record.get("cwd"), str):
            self.directory = clean(record["cwd"][:4_096])
        if not self.id and isinstance(record.get("sessionId"), str):
            self.id = clean(record["sessionId"][:200])
        for rank, (kind, name) in enumerate((("summary", "summary"), ("ai-title", "aiTitle"), ("custom-title", "customTitle")), 1):
            title = record.get(name) if record.get("type") == kind else None
            strange = kind == "summary" and record.get("leafUuid") not in known
            if isinstance(title, str) and title.strip() and rank >= self.title_rank and not strange:
                self.title, self.title_rank = clean(title.strip()[:200]), rank


class _Scan:
    """One reading of the new part of a file: its tree, and its turns as far as they can be held."""

    def __init__(self, file: StoreFile, report: Report, place: Place) -> None:
        self.facts = _Facts.of(place.state)
        self.tree = Tree(self.facts.trail)
        self.subagent = file.path.name.startswith("agent-") or "subagents" in file.path.parts
        self.held: list[tuple[int | None, Turn]] = []
        self.rest: Place | None = None
        self.stop = place
        self.given = 0
        self.puzzles = 0
        self.explained = 0
        self._size = 0
        self._file = file
        self._report = report
        self._broken = 0

    def run(self) -> None:
        before = self.stop
        for line, offset, record in jsonl.records(self._file.path, self.stop.offset, self.stop.line):
            if line >= self.stop.line:
                before = Place(self.stop.offset, line)
            self.stop = Place(offset, line + 1)
            if isinstance(record, Problem):
                self._problem(line, record)
            else:
                self._take(record, line, before)
        if self._broken > _PROBLEMS:
            self._report.problems.append((self._file.path, f"{self._broken - _PROBLEMS} more lines can't be read"))

    def _problem(self, line: int, problem: Problem) -> None:
        self.puzzles += 1
        self._broken += 1
        if self._broken <= _PROBLEMS:
            self._report.problems.append((self._file.path, f"line {line}: {problem.reason}"))

    def _take(self, record: Mapping[str, Any], line: int, at: Place) -> None:
        number, new = self._admit(record)
        if not new:
            return
        time = time_of(record)
        if time is not None:
            self.facts.time = time
        turns = self.turns(record, line, self._report.left_out)
        self.given += len(turns)
        if any(t.speaker.role == "person" and cleaning.is_ours(t.text) for t in turns):
            self.facts.ours = True
        if not turns:
            return
        if self.rest is None and self._size > HELD:
            self.rest = at
        if self.rest is None:
            self.held.extend((number, turn) for turn in turns)
            self._size += sum(len(t.text) + len(t.tool.arguments or "" if t.tool else "") for t in turns)
