"""The daily log: its title, its `[HH:MM] Topic` headings, and where in the order of the day a new one goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time

from crustacean.text.normalise import neutralise
from crustacean.workspace.document import Document
from crustacean.workspace.entries import Heading

LEVEL = 3
"""The level of a topic's heading where the log does not use another."""
LONGEST_TOPIC = 120

_CLOCK = re.compile(r"\[((?:[01][0-9]|2[0-3]):[0-5][0-9])\](?:\s|\Z)")
_CLOSING = re.compile(r"(?:\A|[ \t])#+\Z")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a topic stands or goes: what rewrite.append takes as `under`, `level` and `at` (None: it is there)."""

    under: tuple[str, ...]
    level: int | None = None
    at: int | None = None


def title(day: date) -> str:
    """The first line of a day's log, without a line end: "# 2026-03-20"."""
    return f"# {day.isoformat()}"


def new_day(day: date) -> bytes:
    """The bytes of a log without entries."""
    return f"{title(day)}\n".encode()


def heading(when: datetime | time, topic: str) -> str:
    """The text of a topic's heading, "[14:05] Choosing the id format". `when` is local time already. The topic becomes
    one line of at most 120 characters that can't open a comment or be taken for the closing marks of a heading."""
    words = " ".join(neutralise(topic).split())[:LONGEST_TOPIC].rstrip()
    while (bare := _CLOSING.sub("", words)) != words:
        words = bare.rstrip()
    return f"[{when:%H:%M}] {words}".rstrip()


def clock_of(heading: Heading) -> str | None:
    """The "HH:MM" that a heading begins with, None for any other heading."""
    found = _CLOCK.match(heading.text)
    return found[1] if found else None


def slot(document: Document, text: str) -> Slot:
    """Where the heading `text` (see `heading`) stands in a day's log, or goes: in order of time among those with a
    time, after those of the same minute; without any, at the end under the title."""
    timed = [(clock, h) for h in document.headings if (clock := clock_of(h))]
    there = next((h for _, h in timed if h.text == text), None)
    if there:
        return Slot(there.path)
    found = _CLOCK.match(text)
    own = found[1] if found else "24:00"
    later = next((h for clock, h in timed if clock > own), None)
    if later:
        return Slot((*later.path[:-1], text), later.level, later.line)
    if timed:
        last = timed[-1][1]
        return Slot((*last.path[:-1], text), last.level, last.stop)
    first = document.headings[0] if document.headings else None
    above = first if first and first.level == 1 and first.stop >= document.headings[-1].stop else None
    beside = [h.level for h in document.headings if h is not above]
    path = (*above.path, text) if above else (text,)
    return Slot(path, min([LEVEL, *beside]))
