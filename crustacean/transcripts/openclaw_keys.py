"""What kind of conversation an OpenClaw session is, by the host program's own fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from crustacean.transcripts.openclaw_text import text_or_none
from crustacean.transcripts.session import Kind

_DIRECT = ("direct", "dm")
_SHARED = ("group", "channel", "room")
_BY_MODELS = ("spawn", "internal", "plugin")
_LABEL = re.compile(r"(?P<name>[^\n]{0,200}?)(?: \(@(?P<handle>[^()\s]{1,64})\))?(?: id:(?P<id>\S{1,128}))?")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a conversation goes on. peer: the other person's id in a dm, the group's id in a group."""

    kind: Kind
    channel: str | None = None
    peer: str | None = None


@dataclass(frozen=True, slots=True)
class Partner:
    """Who a direct conversation is with, as its session says where the messages do not."""

    id: str | None = None
    name: str | None = None
    handle: str | None = None


def place(key: str) -> Place:
    """The place that a session key names: `agent:<id>:main`, `agent:<id>:telegram:group:-1004200:topic:5`,
    `agent:<id>:cron:<job>`, `hook:<uuid>`; any other name (a `--session-key`) is the main one's like."""
    parts = key.split(":")
    rest = parts[2:] if parts[0] == "agent" and len(parts) > 2 else parts
    if not rest or not rest[0]:
        return Place("main")
    kind = _marked(rest)
    if kind is not None:
        return Place(kind)
    for i, part in enumerate(rest[:4]):
        if i + 1 < len(rest) and part in (*_DIRECT, *_SHARED):
            return Place("dm" if part in _DIRECT else "group", rest[0] if i else None, _peer(rest[i + 1 :]))
    return Place("main")


def _marked(rest: list[str]) -> Kind | None:
    if "subagent" in rest:
        return "subagent"
    if rest[0] == "cron":
        return "cron"
    if rest[0] == "hook":
        return "hook"
    return "heartbeat" if rest[-1] == "heartbeat" else None


def _peer(parts: list[str]) -> str | None:
    """A peer's id may hold colons ("!room:server.example"); a thread or topic of it is not another peer."""
    for word in ("topic", "thread"):
        if word in parts[1:]:
            parts = parts[: parts.index(word, 1)]
    return ":".join(parts) or None


def kind_of(key: str, fields: Mapping[str, object]) -> Place:
    """The place of a session by its key and by its row or index entry.

    fields: `created_via`, `spawned_by`, `chat_type`, `channel`, `hook_external_content_source`, `group_id`; those that
    there are. What says that a model or a job began it goes before what the key looks like.
    """
    found = place(key)
    channel = text_or_none(fields.get("channel")) or found.channel
    group = text_or_none(fields.get("group_id"))
    via = fields.get("created_via")
    kind = found.kind
    if fields.get("hook_external_content_source"):
        kind = "hook"
    elif via == "cron" and kind == "main":
        kind = "cron"
    elif kind == "main" and (fields.get("spawned_by") or via in _BY_MODELS):
        kind = "subagent"
    elif kind == "main" and fields.get("chat_type") in ("group", "channel"):
        kind = "group"
    return Place(kind, channel, found.peer or (group if kind == "group" else None))


def partner(entry: Mapping[str, object]) -> Partner:
    """The person at the other end by a session's own `origin` label, "Tomasz Wierzba (@twierzba) id:2001"."""
    origin = _map(entry.get("origin")) or _map(_map(entry.get("delivery")).get("origin"))
    if (origin.get("chatType") or entry.get("chatType")) != "direct":
        return Partner()
    found = _LABEL.fullmatch(text_or_none(origin.get("label")) or "")
    if found is None:
        return Partner()
    return Partner(found["id"], found["name"].strip() or None, found["handle"])


def _map(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
