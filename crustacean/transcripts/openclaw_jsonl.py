"""OpenClaw's sessions before it kept them in SQLite: one JSONL file each, Moltbot's and Clawdbot's too.

Read are live transcripts, forum topics, those kept after a reset or a deletion, and those that an upgrade imported
(their turns have the same keys in SQLite). Trajectories, checkpoints and lock files repeat what is in the transcripts.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import zstandard

from crustacean.transcripts import jsonl, openclaw_homes, zstd
from crustacean.transcripts.openclaw_carry import Carry, carry_from
from crustacean.transcripts.openclaw_events import Conversation
from crustacean.transcripts.openclaw_index import Entry, Indexes
from crustacean.transcripts.openclaw_keys import Partner, Place, place
from crustacean.transcripts.openclaw_text import text_or_none
from crustacean.transcripts.openclaw_tree import Branch, Node, glance, may_branch, survey
from crustacean.transcripts.session import Mark, Report, Session, StoreFile, Turn

CLIENT = "openclaw"
UNPACKED_LIMIT = 1 << 30
"""Bytes that a compressed transcript may unpack to."""
_NAME = re.compile(
    r"(?P<id>.{1,200}?)(?:-topic-(?P<topic>[^.]{1,40}))?\.jsonl"
    r"(?:\.(?:reset|deleted)\.[0-9TZ.:-]{8,40}|\.imported-\d{1,20}(?:\.\d{1,4})?)?(?:\.zst)?"
)
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_CHECKPOINT = re.compile(rf"\.checkpoint\.{_UUID}\.jsonl")
_IMPORTED = re.compile(rf"(?P<key>.{{1,200}})\.(?P<id>{_UUID}|[^.]{{1,100}})", re.IGNORECASE)
_GLANCE = 1 << 20


def is_transcript(name: str) -> bool:
    """Whether a file of a folder of sessions is a transcript, by its name."""
    if ".trajectory.jsonl" in name or _CHECKPOINT.search(name):
        return False
    return _NAME.fullmatch(name) is not None


class _OpenClawJsonl:
    client = CLIENT

    def __init__(self) -> None:
        self._indexes = Indexes()

    def find(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [path for path in openclaw_homes.state_dirs(home, env) if self.recognises(path)]

    def recognises(self, root: Path) -> bool:
        return any(True for _ in self._paths(root))

    def files(self, root: Path) -> Iterator[StoreFile]:
        for path in self._paths(root):
            try:
                stat = path.stat()
            except OSError:
                continue
            yield StoreFile(CLIENT, path, stat.st_size, stat.st_mtime_ns, stat.st_ino)

    def read(self, file: StoreFile, mark: Mark | None, report: Report) -> Iterator[tuple[Session, Turn]]:
        if mark is not None and (mark.size, mark.mtime_ns, mark.inode) == (file.size, file.mtime_ns, file.inode):
            report.mark = mark
            return
        index = self._indexes.of(file.path.parent)
        report.problems += index.problems
        index.problems.clear()
        try:
            if file.path.suffix == ".zst":
                yield from self._packed(file, report)
            else:
                yield from self._plain(file, mark, report)
        except OSError as error:
            report.problems.append((file.path, f"can't be read: {error.strerror or error}"))

    def _paths(self, root: Path) -> Iterator[Path]:
        if openclaw_homes.is_file(root):
            if is_transcript(root.name) and root.parent.name in ("sessions", "session-sqlite-import-archive"):
                yield root
            return
        for folder in openclaw_homes.session_folders(root):
            yield from (
                path
                for path in openclaw_homes.entries(folder)
                if is_transcript(path.name) and openclaw_homes.is_file(path)
            )

    def _plain(self, file: StoreFile, mark: Mark | None, report: Report) -> Iterator[tuple[Session, Turn]]:
        start = jsonl.resume(file.path, mark)
        reading = _Reading(self, file.path, file.path, start, report)
        yield from reading.turns()
        state = {"leaf": reading.branch.leaf or "", "carry": reading.carry.as_json(), "header": reading.header}
        report.mark = jsonl.mark_at(file, reading.offset, reading.line, **state)

    def _packed(self, file: StoreFile, report: Report) -> Iterator[tuple[Session, Turn]]:
        """A compressed archive is written once: what is read of it is all there will be."""
        with tempfile.TemporaryDirectory(prefix="crab-") as folder:
            plain = Path(folder) / "plain.jsonl"
            try:
                zstd.unpack(file.path, plain, UNPACKED_LIMIT)
            except (zstandard.ZstdError, zstd.TooLong, zstd.CutOff) as error:
                report.problems.append((file.path, f"damaged: {error}"))
            with plain.open("ab") as end:
                end.write(b"\n")
            yield from _Reading(self, file.path, plain, jsonl.Place(), report).turns()
        report.mark = Mark(file.size, file.mtime_ns, file.inode, {})

    def describe(self, path: Path, header: str) -> tuple[Session, Partner]:
        """A transcript's session by the index, else by its name."""
        named = _NAME.fullmatch(path.name)
        stem = named["id"] if named else path.name
        imported = _IMPORTED.fullmatch(stem) if path.parent.name == "session-sqlite-import-archive" else None
        session = header or (imported["id"] if imported else stem)
        entry = self._indexes.of(path.parent).of(path.name.partition(".jsonl")[0] + ".jsonl", session)
        agent = openclaw_homes.agent_of(path)
        if entry is None:
            entry = _guessed(session, imported["key"] if imported else "", named["topic"] if named else None)
        found = Session(
            CLIENT,
            agent,
            session,
            entry.key,
            entry.place.kind,
            path,
            entry.place.channel,
            entry.place.peer,
            entry.title,
        )
        return found, entry.partner


def _guessed(session: str, key: str, topic: str | None) -> Entry:
    """A session that no index names: by the key in an imported file's name (its colons became underscores), or by
    its being a topic of a group. Its texts may tell more (see `Conversation`)."""
    known = key.replace("_", ":")
    if known.startswith("agent:"):
        return Entry(known, place(known), Partner(), None)
    return Entry(session, Place("group" if topic else "main"), Partner(), None)


class _Reading:
    """One pass over one transcript, from where the last one ended."""

    def __init__(self, reader: _OpenClawJsonl, path: Path, content: Path, start: jsonl.Place, report: Report) -> None:
        self.offset, self.line = start.offset, start.line
        self._reader = reader
        self._path = path
        self._content = content
        self._report = report
        state = start.state or {}
        header = state.get("header")
        self.header: dict[str, str] = dict(header) if isinstance(header, dict) else {}
        self.carry: Carry = carry_from(state.get("carry"))
        self.branch = self._survey(str(state.get("leaf", "")) if start.state is not None else None)

    def _survey(self, leaf: str | None) -> Branch:
        if leaf is not None:
            branch = survey(lambda: _nodes(self._content, self.offset, self.line), leaf)
            if branch.linear:
                return branch
        elif not may_branch(_pieces(self._content)):
            return Branch()
        return survey(lambda: _nodes(self._content, 0, 1))

    def turns(self) -> Iterator[tuple[Session, Turn]]:
        report, left_out = self._report, sum(self._report.left_out.values())
        broken: dict[str, list[int]] = {}
        talk: Conversation | None = None
        last: jsonl.Record = {}
        dead = bool(self.branch.dead)
        for line, offset, record in jsonl.records(self._content, self.offset, self.line):
            if isinstance(record, jsonl.Problem):
                broken.setdefault(record.reason, []).append(line)
            else:
                if talk is None:
                    talk = self._begin(record)
                last = record
                if not dead or not self.branch.abandoned(line):
                    yield from talk.take(record, line)
                elif record.get("type") == "message":
                    report.left_out["abandoned branch"] += 1
            self.offset, self.line = offset, line + 1
        if self.branch.linear and isinstance(last.get("id"), str):
            self.branch.leaf = last["id"]
        if talk is not None:
            yield from talk.finish()
        for reason, lines in broken.items():
            named = ", ".join(map(str, lines[:5])) + (", ..." if len(lines) > 5 else "")
            report.problems.append((self._path, f"{reason} (line {named})"))
        given, strange = (talk.given, talk.strange) if talk is not None else (0, 0)
        if (strange or broken) and not given and sum(report.left_out.values()) == left_out:
            report.silent.append(talk.session.ref if talk is not None else str(self._path))

    def _begin(self, record: jsonl.Record) -> Conversation:
        if record.get("type") == "session":
            for name in ("id", "cwd"):
                self.header[name] = text_or_none(record.get(name)) or ""
        session, partner = self._reader.describe(self._path, self.header.get("id", ""))
        session = replace(session, directory=self.header.get("cwd") or None)
        return Conversation(session, self._report, self.carry, partner)


def _nodes(path: Path, offset: int, line: int) -> Iterator[Node]:
    """The nodes of whole lines from a place on; of a very long line the beginning tells."""
    with path.open("rb") as file:
        file.seek(offset)
        while raw := file.readline(_GLANCE):
            start = raw
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(_GLANCE)
            if not raw:
                return
            node = glance(line, start)
            if node is not None:
                yield node
            line += 1


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_GLANCE):
            yield piece


READER = _OpenClawJsonl()
