"""Session files of Claude Code, made by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from crustacean.transcripts import cleaning
from crustacean.transcripts.claude_code import READER
from crustacean.transcripts.session import Mark, Report, Session, StoreFile, Turn

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SESSION = "0a1b2c3d-0000-4000-8000-000000000001"
Record = dict[str, Any]


def stamp(minute: int) -> str:
    return (START + timedelta(minutes=minute)).isoformat().replace("+00:00", "Z")


class Log:
    """A session as it grows. Each record hangs below the one before it unless `parent` says otherwise."""

    def __init__(self, session: str = SESSION) -> None:
        self.records: list[Record] = []
        self.last: str | None = None
        self._session = session

    def add(self, kind: str, uuid: str | None = None, parent: Any = ..., **fields: Any) -> str:
        row: Record = {
            "type": kind,
            "timestamp": stamp(len(self.records)),
            "sessionId": self._session,
            "cwd": "/home/a/work",
        }
        if uuid is not None:
            row |= {"parentUuid": self.last if parent is ... else parent, "uuid": uuid}
            self.last = uuid
        self.records.append(row | fields)
        return uuid or ""

    def user(self, uuid: str, content: Any, parent: Any = ..., **fields: Any) -> str:
        return self.add("user", uuid, parent, message={"role": "user", "content": content}, **fields)

    def agent(self, uuid: str, *content: Any, parent: Any = ..., **fields: Any) -> str:
        blocks = [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]
        message = {"id": f"msg_{uuid}", "role": "assistant", "model": "claude-x", "content": blocks}
        return self.add("assistant", uuid, parent, **({"message": message} | fields))

    def attach(self, uuid: str, parent: Any = ..., **attachment: Any) -> str:
        return self.add("attachment", uuid, parent, attachment=attachment)

    def write(self, folder: Path, name: str = f"{SESSION}.jsonl", end: bytes = b"") -> StoreFile:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in self.records) + end)
        return stored(path)


def call(id: str, name: str = "Bash", **given: Any) -> Record:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def result(id: str, content: Any, **fields: Any) -> list[Record]:
    return [{"type": "tool_result", "tool_use_id": id, "content": content, **fields}]


def stored(path: Path) -> StoreFile:
    (file,) = READER.files(path)
    return file


class Seen:
    """What a reading gave."""

    def __init__(self, file: StoreFile, mark: Mark | None = None) -> None:
        self.report = Report()
        pairs = list(READER.read(file, mark, self.report))
        self.turns: list[Turn] = [turn for _, turn in pairs]
        self.sessions: Sequence[Session] = [session for session, _ in pairs]

    @property
    def session(self) -> Session:
        return self.sessions[0]

    @property
    def texts(self) -> list[str]:
        return [turn.text for turn in self.turns]

    @property
    def cleaned(self) -> list[tuple[str, str]]:
        """What stays when the texts are cleaned, with who said it, tools apart."""
        kept = (cleaning.clean(s, t)[0] for s, t in zip(self.sessions, self.turns, strict=True))
        return [(t.speaker.role, t.text) for t in kept if t is not None and t.tool is None]


def read(file: StoreFile, mark: Mark | None = None) -> Seen:
    return Seen(file, mark)
