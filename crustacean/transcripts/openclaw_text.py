"""Texts and times out of OpenClaw's JSON."""

from __future__ import annotations

from datetime import UTC, datetime


def text_of(content: object, between: str = "\n\n") -> str:
    """The text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return sound(content)
    if not isinstance(content, list):
        return ""
    found = [b["text"] for b in content if isinstance(b, dict) and b.get("type") == "text" and _is_text(b.get("text"))]
    return sound(between.join(found))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def text_or_none(value: object) -> str | None:
    """A field that is a text and not an empty one."""
    return sound(value) if isinstance(value, str) and value else None


def sound(text: str) -> str:
    """Text that can be encoded: half a surrogate pair, which JSON can hold, becomes U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def moment(value: object) -> datetime | None:
    """A time in UTC from ISO text or from milliseconds (seconds where the number is small)."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC) if value > 1 else None
        if isinstance(value, str):
            time = datetime.fromisoformat(value)
            return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
