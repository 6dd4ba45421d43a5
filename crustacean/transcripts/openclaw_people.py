"""Who wrote a message that stands in a person's place in OpenClaw's events, if a person did."""

from __future__ import annotations

import re
from collections.abc import Mapping

from crustacean.transcripts import cleaning, memory_jobs
from crustacean.transcripts.openclaw_envelope import Unwrapped
from crustacean.transcripts.openclaw_keys import Partner
from crustacean.transcripts.openclaw_text import text_or_none
from crustacean.transcripts.session import Session, Speaker

_CRON = re.compile(r"\[cron:(\S{1,100}) ?([^\]\n]{0,200})\]")
_OPERATORS = frozenset({"openclaw-control-ui", "openclaw-tui", "webchat", "webchat-ui", "gateway-client", "cli"})
"""What stands for a sender where the words came through OpenClaw's own screens."""
_INTERNAL = {"heartbeat": "heartbeat poll", "cron": "cron prompt"}
_UNKNOWN = Speaker("person")
_NOTHING: Mapping[str, object] = {}


def source_of(message: Mapping[str, object]) -> tuple[object, object]:
    """The provenance of a message: its kind and the tool it came from; (None, None) for a person's, as a rule."""
    found = message.get("provenance")
    return (found.get("kind"), found.get("sourceTool")) if isinstance(found, dict) else (None, None)


def not_a_person(message: Mapping[str, object], text: str, session: Session) -> str:
    """What a message in a person's place is, "" where a person wrote it."""
    kind, tool = source_of(message)
    if kind == "internal_system":
        return _INTERNAL.get(str(tool)) or cleaning.said_by_harness("openclaw", text) or "internal prompt"
    if kind == "inter_session":
        return "message of another session"
    if session.kind == "cron":
        return "cron prompt"
    if session.kind == "subagent":
        return "subagent task"
    reason = cleaning.said_by_harness("openclaw", text)
    if not reason and text[:1] in ("<", "[", "S") and not cleaning.strip("openclaw", text)[0]:
        return "internal prompt"
    return reason


def is_memory_job(text: str) -> bool:
    """Whether a scheduled job's prompt, `[cron:<id> <name>] ...`, is that of a memory's own job."""
    named = _CRON.match(text.lstrip())
    return memory_jobs.tends(named[2] if named else "", text)


def speaker_of(
    message: Mapping[str, object], found: Unwrapped, session: Session, partner: Partner, peers: Mapping[str, str]
) -> Speaker:
    """The speaker by the message's own fields, else by what was around its text, else by the session.

    peers: the other person of each direct conversation by its `conversationRef`.
    """
    native = message.get("__openclaw")
    if isinstance(native, dict):
        return _native(native, session, peers)
    if found.id in _OPERATORS or found.name in _OPERATORS:
        return _UNKNOWN
    if found.id or found.name:
        return Speaker("person", found.id, found.name, found.handle)
    if session.kind == "dm":
        return Speaker("person", partner.id or session.peer, partner.name, partner.handle)
    if session.kind == "main" and partner.name:
        # Several people may share such a session: the name is a guess, so the id, on which trust is built, stays out.
        return Speaker("person", None, partner.name, partner.handle)
    return _UNKNOWN


def _native(native: Mapping[str, object], session: Session, peers: Mapping[str, str]) -> Speaker:
    transport = native.get("transport")
    route = transport if isinstance(transport, dict) else _NOTHING
    owner = native.get("senderIsOwner") is True
    sender = text_or_none(native.get("senderId")) or peers.get(str(route.get("conversationRef")))
    local = owner and not route and not sender and session.kind in ("main", "dm")
    if not sender and not local and session.kind == "dm":
        sender = session.peer
    return Speaker(
        "person",
        sender,
        text_or_none(native.get("senderName")),
        text_or_none(native.get("senderUsername")),
        local,
        owner,
    )
