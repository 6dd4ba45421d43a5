"""Claude Code's sessions: ~/.claude/projects/<slug>/<session>.jsonl and the files of their subagents."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from crustacean.transcripts import jsonl, memory_jobs
from crustacean.transcripts.claude_records import BOOKKEEPING
from crustacean.transcripts.claude_scan import CLIENT, Scan
from crustacean.transcripts.session import Mark, Report, Session, StoreFile, Turn
from crustacean.workspace.config import person_path

_NOT_SESSIONS = frozenset({"memory", "tool-results"})
"""Folders beside the sessions: Claude's own memory, and long outputs of tools."""
_LOOK = 64 << 10
_LOOKS = 20


class ClaudeCode:
    """The reader. A file is one session; the turns it gives are those of the live branch."""

    client = CLIENT

    def find(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        moved = env.get("CLAUDE_CONFIG_DIR")
        folders = [person_path(moved, home, Path())] if moved else [home / ".claude", home / ".config" / "claude"]
        return [folder for folder in folders if (folder / "projects").is_dir()]

    def recognises(self, root: Path) -> bool:
        if root.name == ".claude" and (root / "projects").is_dir():
            return True
        return any(_is_session(file.path) for file in islice(self.files(root), _LOOKS))

    def files(self, root: Path) -> Iterator[StoreFile]:
        projects = root / "projects"
        for entry, status in _files(projects if projects.is_dir() else root):
            yield StoreFile(CLIENT, entry, status.st_size, status.st_mtime_ns, status.st_ino)

    def read(self, file: StoreFile, mark: Mark | None, report: Report) -> Iterator[tuple[Session, Turn]]:
        try:
            if any(part.endswith(memory_jobs.FOLDERS) for part in file.path.parts[:-1]):
                report.left_out["session of another memory tool"] += 1
                report.mark = jsonl.mark_at(file, 0, 1)
                return
            place = jsonl.resume(file.path, mark)
            scan = Scan(file, report, place)
            scan.run()
            turns = scan.turns()
            session = scan.session()
            yield from ((session, turn) for turn in turns)
            if scan.puzzles and not scan.given and not place.offset:
                report.silent.append(str(file.path))
            report.mark = jsonl.mark_at(file, scan.offset, scan.line, **scan.facts.state())
        except OSError as error:
            report.problems.append((file.path, f"it can't be read: {error.strerror or error}"))


READER = ClaudeCode()


def _files(root: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The JSONL files at or below a path in the order of their names, with their stat. No link to a folder is followed,
    and a folder that can't be listed has none."""
    try:
        status = root.stat()
        if not stat.S_ISDIR(status.st_mode):
            if stat.S_ISREG(status.st_mode) and root.suffix == ".jsonl":
                yield root, status
            return
        with os.scandir(root) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _NOT_SESSIONS:
                    yield from _files(Path(entry.path))
            elif entry.name.endswith(".jsonl") and entry.is_file():
                yield Path(entry.path), entry.stat()
        except OSError:
            continue


def _is_session(path: Path) -> bool:
    """Whether the beginning of a file looks like a session of this client."""
    try:
        with path.open("rb") as file:
            start = file.read(_LOOK)
    except OSError:
        return False
    lines = start.split(b"\n")
    for line in lines[: -1 if len(lines) > 1 else 1]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            if b'"parentUuid":' in line and b'"sessionId":' in line:
                return True
            continue
        if isinstance(record, dict) and _is_record(record):
            return True
    return False


def _is_record(record: Mapping[str, object]) -> bool:
    kind = record.get("type")
    if "parentUuid" in record and "uuid" in record:
        return True
    if kind == "summary":
        return "leafUuid" in record
    return isinstance(kind, str) and kind in BOOKKEEPING and ("sessionId" in record or "messageId" in record)
