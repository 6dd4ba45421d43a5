"""`sessions.json`: which conversation each JSONL transcript of OpenClaw belongs to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from crustacean.text.normalise import encodable
from crustacean.transcripts.openclaw_homes import entries
from crustacean.transcripts.openclaw_keys import Partner, Place, kind_of, partner
from crustacean.transcripts.openclaw_text import text_or_none

INDEX_LIMIT = 64 << 20
"""Bytes. An index that is longer is not loaded."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index says of one session."""

    key: str
    place: Place
    partner: Partner
    title: str | None


@dataclass(slots=True)
class Index:
    """The entries of a folder by session id and by file name. problems: files that could not be read, with why."""

    entries: dict[str, Entry] = field(default_factory=dict)
    problems: list[tuple[Path, str]] = field(default_factory=list)

    def of(self, file: str, session: str) -> Entry | None:
        return self.entries.get(file) or self.entries.get(session)


class Indexes:
    """The index of each folder, loaded again only when one of its files has changed."""

    def __init__(self) -> None:
        self._loaded: dict[Path, tuple[tuple[object, ...], Index]] = {}

    def of(self, folder: Path) -> Index:
        """The index for the transcripts of a folder; for imported ones that of the agent's folder of sessions too."""
        files = [path for path in entries(folder) if _is_index(path.name)]
        if folder.name == "session-sqlite-import-archive":
            files += [path for path in entries(folder.parent / "sessions") if _is_index(path.name)]
        signs: list[object] = []
        for path in files:
            try:
                stat = path.stat()
            except OSError:
                continue
            signs.append((path, stat.st_size, stat.st_mtime_ns))
        known = self._loaded.get(folder)
        if known is None or known[0] != tuple(signs):
            known = (tuple(signs), _load(files))
            self._loaded = {folder: known}
        return known[1]


def _is_index(name: str) -> bool:
    return name == "sessions.json" or (name.startswith("legacy-store.sessions.json") and ".imported-" in name)


def _load(files: list[Path]) -> Index:
    index = Index()
    for path in files:
        try:
            if path.stat().st_size > INDEX_LIMIT:
                index.problems.append(
                    (path, f"longer than {INDEX_LIMIT >> 20} MB: the kinds of its sessions are guessed")
                )
                continue
            content = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            index.problems.append((path, f"can't be read, the kinds of its sessions are guessed: {error}"))
            continue
        for key, value in content.items() if isinstance(content, dict) else ():
            if isinstance(value, dict):
                _add(index, key, value)
    return index


def _add(index: Index, key: str, value: Mapping[str, object]) -> None:
    """A job's entry is there once as the job and once as each run of it: the first that names a session holds."""
    fields = {
        "created_via": value.get("createdVia"),
        "spawned_by": value.get("spawnedBy"),
        "chat_type": value.get("chatType"),
        "channel": value.get("channel") or value.get("lastChannel"),
        "hook_external_content_source": value.get("hookExternalContentSource"),
        "group_id": value.get("groupId"),
    }
    titles = (value.get("subject"), value.get("label"), value.get("displayName"))
    title = next((text for value in titles if (text := text_or_none(value))), None)
    entry = Entry(encodable(key), kind_of(key, fields), partner(value), title)
    session, file = value.get("sessionId"), value.get("sessionFile")
    if isinstance(file, str):
        index.entries.setdefault(file.replace("\\", "/").rpartition("/")[2], entry)
    if isinstance(session, str):
        index.entries.setdefault(session, entry)
