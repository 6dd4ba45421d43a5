"""Texts out of OpenClaw's JSON."""

from __future__ import annotations

from crustacean.text.normalise import encodable


def text_of(content: object, between: str = "\n\n") -> str:
    """The text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return encodable(content)
    if not isinstance(content, list):
        return ""
    found = [b["text"] for b in content if isinstance(b, dict) and b.get("type") == "text" and _is_text(b.get("text"))]
    return encodable(between.join(found))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def text_or_none(value: object) -> str | None:
    """A field that is a text and not an empty one."""
    return encodable(value) if isinstance(value, str) and value else None
