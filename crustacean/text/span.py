"""A moment as a person types it."""

from __future__ import annotations

from datetime import datetime

from crustacean.text.time import parse_iso


def when(text: str, now: datetime) -> datetime:
    """A moment: ISO 8601, where a missing time is midnight and a missing zone is that of `now`. Raises ValueError."""
    try:
        return parse_iso(text)
    except ValueError:
        time = datetime.fromisoformat(text.strip())
        if time.tzinfo is not None or not 1900 <= time.year < 9000:
            raise
        return time.replace(tzinfo=now.tzinfo)
