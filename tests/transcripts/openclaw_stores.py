"""Stores as OpenClaw writes them, made small: a database with its tables, and the events in it."""

from __future__ import annotations

import itertools
import json
import sqlite3
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import zstandard

from crustacean.transcripts import cleaning
from crustacean.transcripts.session import Mark, Reader, Report, Session, StoreFile, Turn

Event = dict[str, Any]
START = datetime(2026, 12, 1, 5, 0, tzinfo=UTC)

TABLES = """
CREATE TABLE schema_meta (meta_key TEXT PRIMARY KEY, role TEXT, schema_version INTEGER, agent_id TEXT,
  app_version TEXT);
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, created_via TEXT,
  spawned_by TEXT, label TEXT, display_name TEXT);
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, chat_type TEXT, channel TEXT,
  hook_external_content_source TEXT, spawned_by TEXT, display_name TEXT, primary_conversation_id TEXT,
  created_at INTEGER);
CREATE TABLE transcript_rewrite_watermarks (session_id TEXT PRIMARY KEY, generation TEXT, updated_at INTEGER);
CREATE TABLE conversations (conversation_id TEXT PRIMARY KEY, kind TEXT, peer_id TEXT);
CREATE TABLE session_transcript_archives (session_id TEXT, generation TEXT, session_key TEXT, reason TEXT,
  encoding TEXT, archive_blob BLOB, archive_name TEXT, created_at INTEGER, PRIMARY KEY (session_id, generation));
CREATE TABLE session_transcript_cold_archives (session_id TEXT PRIMARY KEY, generation TEXT, archive_name TEXT,
  last_seq INTEGER, storage TEXT, archive_blob BLOB);
"""
EVENTS = """CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
  created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT,
  PRIMARY KEY (session_id, seq))"""
OLD_EVENTS = """CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL,
  event_json TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq))"""


class Talk:
    """The events of one session, each after the one before unless told otherwise."""

    def __init__(self, session: str = "", short: bool = False) -> None:
        self.session = session or str(uuid.uuid4())
        self.events: list[Event] = [
            {"type": "session", "version": 4, "id": self.session, "timestamp": _iso(START), "cwd": "/home/ana/work"}
        ]
        self._short = short
        self._minutes = itertools.count(1)
        self.leaf: str | None = None

    def add(self, event: Event, parent: str | None = "-", at: datetime | None = None) -> str:
        own = uuid.uuid4().hex[:8] if self._short else str(uuid.uuid4())
        time = at or START + timedelta(minutes=next(self._minutes))
        full = {"id": own, "parentId": self.leaf if parent == "-" else parent, "timestamp": _iso(time)} | event
        if full["type"] == "message" and "timestamp" not in full["message"]:
            full["message"] = full["message"] | {"timestamp": int(time.timestamp() * 1000)}
        self.events.append(full)
        self.leaf = full["id"]
        return str(full["id"])

    def message(self, role: str, content: object, parent: str | None = "-", **more: object) -> str:
        return self.add({"type": "message", "message": {"role": role, "content": content} | more}, parent)

    def said(self, text: str, sender: str | None = None, parent: str | None = "-", **more: object) -> str:
        """A person's words: from the terminal, or from a sender of a channel."""
        own: dict[str, object] = {"senderIsOwner": sender is None}
        if sender is not None:
            own |= {"senderId": sender, "senderName": f"Person {sender}", "transport": {"channel": "telegram"}}
        return self.message("user", text, parent, __openclaw=own, **more)

    def plain(self, text: str, parent: str | None = "-") -> str:
        """A person's words as older versions stored them: nobody named."""
        return self.message("user", text, parent)

    def answer(self, text: str, parent: str | None = "-", **more: object) -> str:
        content = [{"type": "text", "text": text}]
        return self.message("assistant", content, parent, **({"stopReason": "stop", "model": "m"} | more))

    def call(self, name: str, arguments: object, text: str = "") -> str:
        """A tool call with a remark before it; gives the call's id."""
        call = f"call_{uuid.uuid4().hex[:8]}"
        signature = json.dumps({"v": 1, "phase": "commentary"})
        blocks: list[object] = [{"type": "text", "text": text, "textSignature": signature}] if text else []
        blocks.append({"type": "toolCall", "id": call, "name": name, "arguments": arguments})
        self.message("assistant", blocks, stopReason="toolUse", model="m")
        return call

    def result(self, call: str, name: str, text: str, **more: object) -> str:
        fields: dict[str, object] = {"toolCallId": call, "toolName": name, "isError": False} | more
        return self.message("toolResult", [{"type": "text", "text": text}], **fields)

    def lines(self) -> str:
        return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in self.events)


def _iso(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Agent:
    """One agent's database under a state directory."""

    def __init__(
        self, state: Path, agent: str = "main", schema: int = 23, old: bool = False, wal: bool = False
    ) -> None:
        self.path = state / "agents" / agent / "agent" / "openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True)
        self._old = old
        self._made = itertools.count(1)
        with self.open() as db:
            if wal:
                db.execute("PRAGMA journal_mode = WAL")
            db.executescript(TABLES)
            db.execute(OLD_EVENTS if old else EVENTS)
            db.execute("INSERT INTO schema_meta VALUES ('primary', 'agent', ?, ?, '2026.9.6')", (schema, agent))
            db.execute(f"PRAGMA user_version = {schema}")
        db.close()

    def open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None)
        db.execute("PRAGMA synchronous = OFF")
        return db

    def running(self) -> sqlite3.Connection:
        """A connection like the gateway's: while it is open the log and its index stay beside the database."""
        db = self.open()
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("SELECT count(*) FROM schema_meta").fetchone()
        return db

    def session(self, talk: Talk, key: str = "agent:main:main", entry: Event | None = None, **fields: object) -> None:
        """A session's node and window, then its events."""
        node = {name: fields.pop(name) for name in ("created_via", "label") if name in fields}
        window = {"session_id": talk.session, "session_key": key, "created_at": next(self._made)} | fields
        with self.open() as db:
            _insert(db, "session_nodes", {"session_key": key, "entry_json": json.dumps(entry or {})} | node)
            _insert(db, "session_windows", window)
        db.close()
        self.write(talk)

    def write(self, talk: Talk, packed: frozenset[int] = frozenset()) -> None:
        """Those of the talk's events that are not there yet. packed: places that are stored compressed."""
        with self.open() as db:
            top = db.execute("SELECT max(seq) FROM transcript_events WHERE session_id = ?", (talk.session,)).fetchone()[
                0
            ]
            for seq, event in enumerate(talk.events):
                if seq > (top if top is not None else -1):
                    self.put(db, talk.session, seq, json.dumps(event, ensure_ascii=False), packed=seq in packed)
        db.close()

    def put(self, db: sqlite3.Connection, session: str, seq: int, text: str, *, packed: bool = False) -> None:
        row: dict[str, object] = {"session_id": session, "seq": seq, "created_at": 1}
        data = text.encode()
        if packed:
            navigation = json.dumps({"version": 1, "report": {"kind": "canonical"}})
            row |= {"event_zstd": zstandard.compress(data), "navigation_json": navigation}
        else:
            row["event_json"] = text
        if not self._old:
            row["event_utf8_bytes"] = len(data)
        _insert(db, "transcript_events", row)


def _insert(db: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def read(
    reader: Reader, root: Path, marks: dict[Path, Mark] | None = None
) -> tuple[list[tuple[Session, Turn]], Report]:
    """All that a store gives, and what was passed over; `marks` is brought up to date."""
    pairs: list[tuple[Session, Turn]] = []
    whole = Report()
    for file in reader.files(root):
        report = Report()
        pairs += reader.read(file, (marks or {}).get(file.path), report)
        if marks is not None and report.mark is not None:
            kept = report.mark
            marks[file.path] = Mark(kept.size, kept.mtime_ns, kept.inode, json.loads(json.dumps(dict(kept.state))))
        whole.left_out.update(report.left_out)
        whole.unknown.update(report.unknown)
        whole.problems += report.problems
        whole.silent += report.silent
        whole.mark = report.mark
    return pairs, whole


def texts(pairs: list[tuple[Session, Turn]]) -> list[str]:
    return [turn.text for _, turn in pairs]


def cleaned(pairs: list[tuple[Session, Turn]]) -> Iterator[tuple[Session, Turn]]:
    """What is left after cleaning."""
    for session, turn in pairs:
        kept, _ = cleaning.clean(session, turn)
        if kept is not None:
            yield session, kept


def one_file(reader: Reader, root: Path) -> StoreFile:
    (file,) = reader.files(root)
    return file


def shared(name: str) -> list[Path]:
    """Stores written by the real programs, where this checkout has them beside it."""
    folder = Path(__file__).parents[3] / "shared" / "sessions" / name
    return [folder / "home" / ".openclaw"] if folder.is_dir() else []
