"""A request as text, for what reads text."""

from __future__ import annotations

from crustacean.models.protocol import Request
from crustacean.text.normalise import encodable


def as_text(request: Request) -> str:
    """The whole request as one text, as a command gets it on stdin: the system parts, the prompt, and earlier replies
    with what was wrong with them. Its first line is the request's own, by which crab knows it again."""
    parts = [*request.system, request.prompt]
    for reply, reasons in request.messages:
        parts += [f"Your reply was:\n{reply}", reasons]
    return encodable("\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n")
