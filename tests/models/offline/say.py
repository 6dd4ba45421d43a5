"""Turns for tests, and what the offline model makes of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from crustacean.models.offline import connect
from crustacean.models.protocol import PromptTurn, Request
from crustacean.models.settings import ModelSettings
from crustacean.transcripts.session import Kind, Role, Session, Speaker, Turn

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday."""


def turns(
    *lines: tuple[str, str],
    kind: Kind = "main",
    session: str = "s1",
    directory: str | None = None,
    untrusted: bool = False,
    first: int = 1,
) -> tuple[PromptTurn, ...]:
    """Turns of one session, a minute apart, labelled t1, t2, ...

    A line is (speaker, text): "agent" and "tool" are themselves, "" a person without a name, else the person's name.
    """
    place = Session("openclaw", "main", session, session, kind, Path("store"), directory=directory)
    rows = []
    for n, (who, text) in enumerate(lines):
        role: Role = "agent" if who == "agent" else "tool" if who == "tool" else "person"
        speaker = Speaker(role, id=who or None, name=who or None) if role == "person" else Speaker(role)
        time = START + timedelta(minutes=n)
        turn = Turn(f"{session}-{n}", n, time, speaker, text, untrusted=untrusted and role == "person")
        rows.append(PromptTurn(f"t{n + first}", place, turn, time))
    return tuple(rows)


def edits(rows: tuple[PromptTurn, ...]) -> list[dict[str, Any]]:
    """The edits of the reply to a collect request."""
    data = connect("", ModelSettings()).reply(Request("collect", (), "", {}, rows)).data
    return list(data["edits"])


def kept(*lines: tuple[str, str], **where: Any) -> list[str]:
    """The texts that are kept of these turns."""
    return [e["text"] for e in edits(turns(*lines, **where))]
