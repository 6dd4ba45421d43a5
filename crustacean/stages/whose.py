"""Whose word a turn is, who may see it beside the owner, and how its speaker is named in a prompt."""

from __future__ import annotations

from crustacean.models.protocol import PromptTurn
from crustacean.stages.work import Run
from crustacean.transcripts import sources
from crustacean.transcripts.session import Session, Speaker, Turn
from crustacean.workspace import audience
from crustacean.workspace.config import Config


def is_owner(speaker: Speaker, config: Config) -> bool:
    """Only the ids under `[owner]`, or this machine's own terminal, make someone the owner."""
    return speaker.local or bool(speaker.id and speaker.id in config.owner.ids)


def origin_of(session: Session, turn: Turn, config: Config) -> str:
    """Whose word a turn is, as an entry's `origin` says it."""
    if turn.untrusted or session.kind == "hook":
        return "untrusted"
    if turn.speaker.role == "agent":
        return "agent"
    if turn.speaker.role != "person":
        return "system"
    if is_owner(turn.speaker, config):
        return "owner"
    name = turn.speaker.name or turn.speaker.handle or turn.speaker.id
    return f"person:{name}" if name else "unknown"


def audience_of(run: Run, session: Session, turn: Turn) -> str:
    """Who may see it beside the owner: by session; where two people write in one session, by the sender, and the
    agent's answer goes with the person it answers."""
    private = sources.private_project(session, run.config.sources)
    peer = None if session.kind == "dm" and session.peer in run.config.owner.ids else session.peer
    if turn.speaker.role == "person":
        sender = None if is_owner(turn.speaker, run.config) else turn.speaker.id
        run.speaking_to[session.id] = audience.of_session(session.kind, peer, private, sender)
    return run.speaking_to.get(session.id) or audience.of_session(session.kind, peer, private)


def named(row: PromptTurn, config: Config) -> str:
    """How a turn's speaker is named in a prompt; a quoted part is not the word of whoever passed it on."""
    speaker = row.turn.speaker
    if speaker.role == "agent":
        name = "the agent"
    elif is_owner(speaker, config):
        name = f"{speaker.name or config.owner.name or 'the owner'} (the owner)"
    else:
        name = speaker.name or speaker.handle or speaker.id or "someone"
    return f"quoted by {name}" if row.turn.untrusted else name
