"""What a stage asks of a model, and what a model gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from crustacean.transcripts.session import Session, Turn


@dataclass(frozen=True, slots=True)
class PromptTurn:
    """A turn as it stands in one prompt. label: "t1", "t2", ...; "" marks context that can't be a source.
    local: the time it was said, in the person's zone."""

    label: str
    session: Session
    turn: Turn
    local: datetime


@dataclass(frozen=True, slots=True)
class PromptEntry:
    """An entry as it stands in one prompt. label: "e1", "e2", ...; "" marks context that can't be a source."""

    label: str
    id: str
    path: str
    heading: tuple[str, ...]
    text: str
    date: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    system: the static parts, longest-lived first, so that a provider can cache them.
    prompt: what is new in this call. schema: JSON Schema of the reply.
    turns, entries, targets: the same data, for a model that reads data instead of prose (offline).
    messages: earlier (reply, reasons) pairs of this question, when a reply was sent back once.
    """

    stage: str
    system: tuple[str, ...]
    prompt: str
    schema: Mapping[str, Any]
    turns: tuple[PromptTurn, ...] = ()
    entries: tuple[PromptEntry, ...] = ()
    targets: tuple[str, ...] = ()
    messages: tuple[tuple[str, str], ...] = ()
    max_tokens: int = 8192


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more calls; cost in US dollars, None where the price is not known."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            self.calls + other.calls,
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            cost,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer: the JSON object it gave and its raw text (what is sent back with reasons on a retry)."""

    data: Mapping[str, Any]
    text: str
    usage: Usage = field(default_factory=Usage)


class Model(Protocol):
    """What answers a stage's questions, "anthropic:NAME" or the built-in rules."""

    @property
    def name(self) -> str:
        """As a person writes it."""

    @property
    def offline(self) -> bool:
        """Rules, no network and no prompt text needed."""

    def reply(self, request: Request) -> Reply:
        """Ask once (transport retries included). Raises ModelError or BadReply, never anything of an SDK's own."""

    def price(self) -> tuple[float, float] | None:
        """US dollars for a million input and output tokens, None where not known."""
