"""What is remembered of an OpenClaw session between two of its events, and between two readings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import get_args
from zlib import crc32

from crustacean.transcripts import cleaning
from crustacean.transcripts.session import Kind

_KINDS = get_args(Kind)


@dataclass(slots=True)
class Carry:
    """What earlier events of a session mean for later ones; kept in the mark between two readings.

    ours: crab's sentinel was seen. run: who began the present run: "" a person, "heartbeat", "cron", "flush" (the
    memory flush), "agent" (another session). job: it is a memory's job. said, message: fingerprint and idempotency key
    of the person's last words. failed: since then the agent only failed. answers: fingerprints of its latest texts.
    kind: the session's kind where only its texts tell. wrapped: people's words come in an envelope.
    """

    ours: bool = False
    run: str = ""
    job: bool = False
    said: str = ""
    message: str = ""
    failed: bool = False
    answers: list[str] = field(default_factory=list)
    kind: Kind | None = None
    wrapped: bool | None = None

    def as_json(self) -> dict[str, object]:
        """The parts that differ from a new session's."""
        fresh = Carry()
        return {name: value for name in Carry.__slots__ if (value := getattr(self, name)) != getattr(fresh, name)}


def carry_from(value: object) -> Carry:
    """The carry of a mark; a new one where it holds something else."""
    carry = Carry()
    for name, kept in value.items() if isinstance(value, dict) else ():
        flag = name in ("ours", "job", "failed", "wrapped") and isinstance(kept, bool)
        word = name in ("run", "said", "message") and isinstance(kept, str)
        if flag or word or (name == "kind" and kept in _KINDS):
            setattr(carry, name, kept)
        elif name == "answers" and isinstance(kept, list):
            carry.answers = [answer for answer in kept if isinstance(answer, str)]
    return carry


def fingerprint(text: str) -> str:
    """Of what a text says, whatever marks stand around it. Short: it is held against a few others only."""
    if "<" in text or "[[" in text:
        text, _ = cleaning.strip("openclaw", text)
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):x}.{len(text):x}"
