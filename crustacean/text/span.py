"""A moment as a person types it."""

from __future__ import annotations

from datetime import datetime

from crustacean.text.time import parse_iso


def when(text: str, now: datetime) -> datetime:
    """A moment: ISO 8601, where a missing time is midnight and a missing zone is that of `now`. Raises ValueError."""
    return parse_iso(text, now.tzinfo)
