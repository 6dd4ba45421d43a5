"""What an OpenClaw agent's database holds: its sessions, and the events of one, a few at a time."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import zstandard

from crustacean.transcripts import jsonl, openclaw_tree, zstd
from crustacean.transcripts.openclaw_db import ROW_LIMIT, Database, Schema, spill
from crustacean.transcripts.openclaw_homes import agent_of
from crustacean.transcripts.openclaw_keys import Partner, kind_of, partner
from crustacean.transcripts.openclaw_text import text_or_none
from crustacean.transcripts.session import Session

_CHUNK_ROWS = 256
_CHUNK_BYTES = 2 << 20
_NAMED = 5
_LAST = (1 << 63) - 1
_WINDOW = ("session_key", "chat_type", "channel", "hook_external_content_source", "spawned_by", "display_name")
_WINDOW_MORE = ("primary_conversation_id", "created_at")
_NODE = ("entry_json", "created_via", "spawned_by", "label", "display_name")


@dataclass(frozen=True, slots=True)
class Row:
    """One event as stored. raw: its JSON, None where it can't be had, with the reason."""

    seq: int
    stored: int | None
    raw: bytes | None
    reason: str = ""


@dataclass(slots=True)
class Troubles:
    """What could not be read of one session, by reason and place."""

    places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, reason: str, place: int) -> None:
        self.places[reason].append(place)

    def lines(self, session: str) -> Iterator[str]:
        for reason, places in self.places.items():
            named = ", ".join(map(str, places[:_NAMED])) + (", ..." if len(places) > _NAMED else "")
            yield f"session {session[:36]}: {reason} (at {named})"


class Store:
    """The questions that are asked of one database."""

    def __init__(self, database: Database, schema: Schema) -> None:
        self.database = database
        self.schema = schema
        self.windows = self._table("session_windows", "sessions", "session_id", (*_WINDOW, *_WINDOW_MORE))
        self._peers = self._conversations()
        self.peers = {name: peer for name, (kind, peer) in self._peers.items() if kind == "direct" and peer}
        self._zipped = schema.has("transcript_events", "event_zstd")

    def sessions(self) -> list[str]:
        """The ids of all sessions with events, oldest first; those without a window of their own too."""

        def question(db: sqlite3.Connection) -> list[str]:
            return [str(row[0]) for row in db.execute("SELECT DISTINCT session_id FROM transcript_events")]

        def age(session: str) -> tuple[int, str]:
            made = self.windows.get(session, {}).get("created_at")
            return (made if isinstance(made, int) else 0), session

        try:
            found = set(self.database.ask(question))
        except sqlite3.DatabaseError:
            found = set()  # its index is damaged: each session is tried by itself
        return sorted(found | set(self.windows), key=age)

    def describe(self, session: str, key: str = "") -> tuple[Session, Partner]:
        """The session by its window, its node and the node's entry. key: where it has no window any more."""
        window = self.windows.get(session, {})
        key = str(window.get("session_key") or key or session)
        node = self._node(key)
        entry = _object(node.get("entry_json"))
        fields = {name: window.get(name) for name in _WINDOW} | {"created_via": node.get("created_via")}
        fields["spawned_by"] = fields["spawned_by"] or node.get("spawned_by")
        fields["group_id"] = entry.get("groupId")
        place = kind_of(key, fields)
        peer = place.peer
        if peer is None and place.kind in ("dm", "group"):
            peer = self._peers.get(str(window.get("primary_conversation_id")), ("", None))[1]
        titles = (entry.get("subject"), node.get("label"), window.get("display_name"), node.get("display_name"))
        title = next((text for value in titles if (text := text_or_none(value))), None)
        path = self.database.path
        agent = self.schema.agent or agent_of(path)
        found = Session("openclaw", agent, session, key, place.kind, path, place.channel, peer, title)
        return found, partner(entry)

    def newest(self, session: str) -> tuple[int, str]:
        """The last place of a session (-1 where it has no events here) and the generation of its rewriting."""

        def question(db: sqlite3.Connection) -> tuple[int, str]:
            # The bound leaves out a place that is no number: texts come after all numbers.
            sql = "SELECT max(seq) FROM transcript_events WHERE session_id = ? AND seq <= ?"
            top = db.execute(sql, (session, _LAST)).fetchone()[0]
            generation = ""
            if self.schema.has("transcript_rewrite_watermarks", "session_id", "generation"):
                row = db.execute(
                    "SELECT generation FROM transcript_rewrite_watermarks WHERE session_id = ?", (session,)
                ).fetchone()
                generation = str(row[0])[:16] if row else ""
            return (top if isinstance(top, int) else -1), generation

        return self.database.ask(question)

    def rows(self, session: str, after: int, upto: int) -> Iterator[Row]:
        """The events after one place and up to another, in order. Raises Busy, sqlite3.Error, OSError."""
        while after < upto:
            chunk = self.database.ask(partial(self._chunk, session, after, upto))
            if not chunk:
                return
            yield from chunk
            if chunk[-1].seq <= after:
                return  # a damaged index that leads in a circle
            after = chunk[-1].seq

    def nodes(self, session: str, after: int, upto: int) -> Iterator[openclaw_tree.Node]:
        """The same events as the tree sees them."""
        for row in self.rows(session, after, upto):
            node = openclaw_tree.glance(row.seq, row.raw) if row.raw is not None else None
            if node is not None:
                yield node

    def _chunk(self, session: str, after: int, upto: int, db: sqlite3.Connection) -> list[Row]:
        places = db.execute(
            "SELECT rowid, seq FROM transcript_events"
            " WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
            (session, after, upto, _CHUNK_ROWS),
        ).fetchall()
        found: list[Row] = []
        size = 0
        for rowid, seq in places:
            if type(rowid) is not int or type(seq) is not int:
                continue
            row = self._row(db, rowid, seq)
            found.append(row)
            size += len(row.raw or b"")
            if size > _CHUNK_BYTES:
                break
        return found

    def _row(self, db: sqlite3.Connection, rowid: int, seq: int) -> Row:
        """One event. A damaged page or a value that is too long costs this row only."""
        zipped = "event_zstd, event_utf8_bytes" if self._zipped else "NULL, NULL"
        try:
            plain, packed, size, stored = db.execute(
                f"SELECT CAST(event_json AS BLOB), {zipped}, created_at FROM transcript_events WHERE rowid = ?",
                (rowid,),
            ).fetchone() or (None, None, None, None)
        except sqlite3.DataError:
            return self._long_row(db, rowid, seq)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            return Row(seq, None, None, f"damaged in the database: {error}")
        stored = stored if isinstance(stored, int) else None
        if isinstance(plain, bytes):
            return Row(seq, stored, plain)
        if not isinstance(packed, bytes):
            return Row(seq, stored, None, "an event without content")
        try:
            known = size if isinstance(size, int) and 0 < size <= ROW_LIMIT else None
            data = zstd.decode(packed, known or ROW_LIMIT)
            if known is not None and len(data) < known:
                return Row(seq, stored, None, "a compressed event that is cut off")
            return Row(seq, stored, data)
        except (zstandard.ZstdError, zstd.TooLong, MemoryError) as error:
            return Row(seq, stored, None, f"a compressed event that can't be read: {error}")

    def _long_row(self, db: sqlite3.Connection, rowid: int, seq: int) -> Row:
        """An event too long to load: its long strings are cut while it goes by."""
        target = self.database.temporary("row.jsonl")
        try:
            spill(db, "transcript_events", "event_json", rowid, target)
            with target.open("ab") as file:
                file.write(b"\n")
            record = next((found for _, _, found in jsonl.records(target)), None)
        except sqlite3.Error as error:
            return Row(seq, None, None, f"damaged in the database: {error}")
        if isinstance(record, dict):
            return Row(seq, None, json.dumps(record, separators=(",", ":")).encode())
        return Row(seq, None, None, record.reason if record is not None else "an event without content")

    def _node(self, key: str) -> Mapping[str, object]:
        table = "session_nodes" if "session_nodes" in self.schema.tables else "session_entries"
        return self._table(table, table, "session_key", _NODE, key).get(key, {})

    def _table(
        self, table: str, older: str, by: str, columns: tuple[str, ...], only: str | None = None
    ) -> dict[str, dict[str, object]]:
        """Rows of a table by one column: those columns that it has. Rows that can't be read are missing."""
        table = table if table in self.schema.tables else older
        wanted = [name for name in columns if self.schema.has(table, name)]
        if not self.schema.has(table, by):
            return {}

        def question(db: sqlite3.Connection) -> dict[str, dict[str, object]]:
            found = {}
            where, values = (f" WHERE {by} = ?", (only,)) if only is not None else ("", ())
            try:
                for row in db.execute(f"SELECT {', '.join([by, *wanted])} FROM {table}{where}", values):
                    found[str(row[0])] = dict(zip(wanted, row[1:], strict=True))
            except sqlite3.DatabaseError:
                return found
            return found

        return self.database.ask(question)

    def _conversations(self) -> dict[str, tuple[str, str | None]]:
        rows = self._table("conversations", "conversations", "conversation_id", ("kind", "peer_id"))
        found = {}
        for name, row in rows.items():
            peer = row.get("peer_id")
            found[name] = (str(row.get("kind")), peer if isinstance(peer, str) and peer else None)
        return found


def _object(text: object) -> Mapping[str, object]:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}


def event_of(row: Row) -> tuple[object, str]:
    """The event of a row, or None with the reason why there is none."""
    if row.raw is None:
        return None, row.reason
    try:
        return json.loads(row.raw), ""
    except (ValueError, RecursionError):
        return None, "not JSON"


def archive_events(path: Path, troubles: Troubles) -> Iterator[tuple[int, object, int | None]]:
    """The events of an unpacked archive, each with its place and when it was stored.

    A transcript archive holds the events themselves, a cold one rows of several tables, of which the events count.
    """
    for line, _, record in jsonl.records(path):
        if isinstance(record, jsonl.Problem):
            troubles.add(record.reason, line)
        elif record.get("kind") == "event" and isinstance(record.get("row"), dict):
            row = record["row"]
            seq, stored = row.get("seq"), row.get("created_at")
            event = _object(row.get("event_json"))
            if event:
                yield (
                    (seq if isinstance(seq, int) and 0 <= seq < 1 << 53 else line),
                    event,
                    (stored if isinstance(stored, int) else None),
                )
            else:
                troubles.add("not JSON", line)
        elif "type" in record or "kind" not in record:
            yield line - 1, record, None
