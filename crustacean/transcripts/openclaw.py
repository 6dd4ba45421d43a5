"""OpenClaw's sessions in its agents' SQLite databases (schema 23 and older ones).

A database is read in place, also while the gateway writes. All windows of a session key are read, cold and deleted ones
out of their archives. What was read before is not read again: the mark knows the last event of each session, and the
end of its branch, so that a rewind is seen.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from crustacean.transcripts import openclaw_homes, zstd
from crustacean.transcripts.openclaw_carry import carry_from
from crustacean.transcripts.openclaw_db import Busy, Database, schema_of, spill
from crustacean.transcripts.openclaw_events import Conversation
from crustacean.transcripts.openclaw_rows import Store, Troubles, archive_events, event_of
from crustacean.transcripts.openclaw_tree import Branch, Node, node_of, survey
from crustacean.transcripts.session import Mark, Report, Session, StoreFile, Turn

CLIENT = "openclaw"
ARCHIVE_LIMIT = 1 << 30
"""Bytes that an archive may unpack to."""
_COLD = "session_transcript_cold_archives"
_DELETED = "session_transcript_archives"
_EXPECTED = (sqlite3.Error, OSError, Busy)


@dataclass(frozen=True, slots=True)
class _Known:
    """How far a session was read: its last place, the id of the event there, the end of the branch, the generation."""

    seq: int
    last: str = ""
    leaf: str = ""
    generation: str = ""
    carry: Mapping[str, object] = field(default_factory=dict)

    def as_json(self) -> list[object]:
        return [self.seq, self.last, self.leaf, self.generation, dict(self.carry)]


def _known(value: object) -> _Known | None:
    if not (isinstance(value, list) and len(value) == 5 and type(value[0]) is int and isinstance(value[4], dict)):
        return None
    return _Known(value[0], str(value[1]), str(value[2]), str(value[3]), value[4])


class _OpenClaw:
    client = CLIENT

    def find(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        return [path for path in openclaw_homes.state_dirs(home, env) if self.recognises(path)]

    def recognises(self, root: Path) -> bool:
        return any(True for _ in openclaw_homes.databases(root))

    def files(self, root: Path) -> Iterator[StoreFile]:
        """One StoreFile an agent. What waits in the write-ahead log counts: a database whose log grew has changed."""
        for path in openclaw_homes.databases(root):
            try:
                stat = path.stat()
            except OSError:
                continue
            size, changed = stat.st_size, stat.st_mtime_ns
            try:
                log = path.with_name(path.name + "-wal").stat()
                size, changed = size + log.st_size, max(changed, log.st_mtime_ns)
            except OSError:
                pass
            yield StoreFile(CLIENT, path, size, changed, stat.st_ino)

    def read(self, file: StoreFile, mark: Mark | None, report: Report) -> Iterator[tuple[Session, Turn]]:
        if mark is not None and (mark.size, mark.mtime_ns, mark.inode) == (file.size, file.mtime_ns, file.inode):
            report.mark = mark
            return
        with Database(file.path) as database:
            try:
                schema = database.ask(schema_of)
                if schema.problem:
                    report.problems.append((file.path, schema.problem))
                    return
                store = Store(database, schema)
            except _EXPECTED as error:
                report.problems.append((file.path, f"can't be read: {error}"))
                return
            reading = _Reading(store, report, mark.state if mark is not None else {})
            if "transcript_events" in schema.tables:
                yield from reading.all()
            if not reading.again:
                report.mark = Mark(file.size, file.mtime_ns, file.inode, reading.state())


class _Reading:
    """One pass over one database. again: something was in the way that will not be there another time."""

    def __init__(self, store: Store, report: Report, state: Mapping[str, object]) -> None:
        self.again = False
        self._store = store
        self._report = report
        sessions, archives = state.get("sessions"), state.get("archives")
        self._before = sessions if isinstance(sessions, dict) else {}
        self._archives_before = set(archives) if isinstance(archives, list) else set()
        self._after: dict[str, list[object]] = {}
        self._archives: set[str] = set()

    def state(self) -> dict[str, object]:
        return {"sessions": self._after, "archives": sorted(self._archives)}

    def all(self) -> Iterator[tuple[Session, Turn]]:
        for name, pairs in self._parts():
            try:
                yield from pairs
            except Busy as error:
                self.again = True
                self._trouble(f"{name}: {error}; it is read the next time")
            except (sqlite3.Error, OSError) as error:
                self._trouble(f"{name} can't be read: {error}")

    def _parts(self) -> Iterator[tuple[str, Iterator[tuple[Session, Turn]]]]:
        cold = self._archive_rows(_COLD, ("generation", "archive_name", "last_seq", "storage"))
        hot = self._store.sessions()
        for row in cold:
            yield f"the cold archive of session {row['session_id']}", self._cold(row)
        for row in self._archive_rows(_DELETED, ("generation", "session_key", "encoding")):
            yield f"the archive of session {row['session_id']}", self._deleted(row)
        for session in hot:
            yield f"session {session}", self._session(session)

    def _trouble(self, text: str) -> None:
        self._report.problems.append((self._store.database.path, text))

    def _session(self, session: str) -> Iterator[tuple[Session, Turn]]:
        store = self._store
        known = _known(self._before.get(session))
        top, generation = store.newest(session)
        if known is not None and (top < 0 or not self._fits(session, known, top, generation)):
            known = known if top < 0 else None
        if known is not None:
            self._after.setdefault(session, known.as_json())
        after = known.seq if known is not None else -1
        if top <= after:
            return
        branch = survey(lambda: store.nodes(session, after, top), known.leaf if known is not None else None)
        if known is not None and not branch.linear:
            branch = survey(lambda: store.nodes(session, -1, top))
        troubles, last = Troubles(), known.last if known is not None else ""

        def events() -> Iterator[tuple[int, object, int | None]]:
            nonlocal last
            for row in store.rows(session, after, top):
                event, reason = event_of(row)
                if reason:
                    troubles.add(reason, row.seq)
                else:
                    last = _id(event) or last
                    yield row.seq, event, row.stored

        talk = self._talk(session, "", known)
        if known is not None:
            for row in store.rows(session, -1, 0):  # the header: the directory that the session runs in
                talk.take(event_of(row)[0], 0)
        yield from self._give(talk, events(), branch, troubles)
        if store.newest(session)[1] != generation:
            self.again = True
            return
        leaf = branch.leaf or ""
        self._after[session] = _Known(top, last, leaf, generation, talk.carry.as_json()).as_json()

    def _fits(self, session: str, known: _Known, top: int, generation: str) -> bool:
        """Whether what was read is still there: rewriting puts other events in the same places."""
        if top < known.seq or (known.generation and generation and known.generation != generation):
            return False
        for row in self._store.rows(session, known.seq - 1, known.seq):
            event, _ = event_of(row)
            return not _id(event) or _id(event) == known.last
        return False

    def _talk(self, session: str, key: str, known: _Known | None) -> Conversation:
        found, partner = self._store.describe(session, key)
        carry = carry_from(known.carry if known is not None else None)
        return Conversation(found, self._report, carry, partner, self._store.peers)

    def _give(
        self,
        talk: Conversation,
        events: Iterable[tuple[int, object, int | None]],
        branch: Branch,
        troubles: Troubles,
    ) -> Iterator[tuple[Session, Turn]]:
        left_out = sum(self._report.left_out.values())
        for seq, event, stored in events:
            if not branch.abandoned(seq):
                yield from talk.take(event, seq, stored)
            elif isinstance(event, dict) and event.get("type") == "message":
                self._report.left_out["abandoned branch"] += 1
        yield from talk.finish()
        for line in troubles.lines(talk.session.id):
            self._trouble(line)
        unread = talk.strange or troubles.places
        if unread and not talk.given and sum(self._report.left_out.values()) == left_out:
            self._report.silent.append(talk.session.ref)

    # archives

    def _archive_rows(self, table: str, columns: tuple[str, ...]) -> list[dict[str, object]]:
        if not self._store.schema.has(table, "session_id", "archive_blob", *columns):
            return []
        names = ("rowid", "session_id", *columns)

        def question(db: sqlite3.Connection) -> list[dict[str, object]]:
            rows = db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY rowid")
            return [dict(zip(names, row, strict=True)) for row in rows]

        try:
            return self._store.database.ask(question)
        except _EXPECTED as error:
            self._trouble(f"the list of archives can't be read: {error}")
            return []

    def _deleted(self, row: Mapping[str, object]) -> Iterator[tuple[Session, Turn]]:
        """A transcript that was deleted or reset. It never changes, so once read it is done with."""
        name = f"{str(row['session_id'])[:36]}/{str(row['generation'])[:36]}"
        self._archives.add(name)
        if name in self._archives_before:
            return
        talk = self._talk(str(row["session_id"]), str(row["session_key"]), None)
        path = self._spilled(_DELETED, row)
        yield from self._archived(talk, path, packed=row["encoding"] == "zstd")

    def _cold(self, row: Mapping[str, object]) -> Iterator[tuple[Session, Turn]]:
        """A transcript that was moved out of the way, with its places; what was read before it went is known."""
        session = str(row["session_id"])
        known = _known(self._before.get(session))
        last = row["last_seq"] if isinstance(row["last_seq"], int) else -1
        if known is not None and known.seq >= last >= 0:
            self._after[session] = known.as_json()
            return
        path = self._spilled(_COLD, row) if row["storage"] == "sqlite" else self._cold_file(str(row["archive_name"]))
        talk = self._talk(session, "", None)
        yield from self._archived(talk, path, packed=True)
        self._after[session] = _Known(last, carry=talk.carry.as_json()).as_json()

    def _cold_file(self, name: str) -> Path:
        stem = name.removesuffix(".jsonl.zst")
        if stem == name or not stem.isalnum():
            raise OSError(f"{name[:80]!r} is no name of an archive")
        return self._store.database.path.parent.parent / "sessions" / "cold" / name

    def _spilled(self, table: str, row: Mapping[str, object]) -> Path:
        target = self._store.database.temporary("archive")
        number = row["rowid"]
        self._store.database.ask(lambda db: spill(db, table, "archive_blob", int(str(number)), target))
        return target

    def _archived(self, talk: Conversation, path: Path, *, packed: bool) -> Iterator[tuple[Session, Turn]]:
        troubles = Troubles()
        plain = self._store.database.temporary("archive.jsonl")
        try:
            if packed:
                zstd.unpack(path, plain, ARCHIVE_LIMIT)
            else:
                path.replace(plain)
        except (zstandard.ZstdError, zstd.TooLong, zstd.CutOff) as error:
            troubles.add(f"its archive is damaged: {error}", 0)
        with plain.open("ab") as file:
            file.write(b"\n")
        branch = survey(_nodes_in(plain))
        yield from self._give(talk, archive_events(plain, troubles), branch, troubles)


def _nodes_in(path: Path) -> Callable[[], Iterator[Node]]:
    def nodes() -> Iterator[Node]:
        for seq, event, _ in archive_events(path, Troubles()):
            node = node_of(seq, event)
            if node is not None:
                yield node

    return nodes


def _id(event: object) -> str:
    own = event.get("id") if isinstance(event, dict) else None
    return own if isinstance(own, str) else ""


READER = _OpenClaw()
