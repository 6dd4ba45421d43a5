"""A request as text, for what reads text."""

from __future__ import annotations

import json
import re

from crustacean.models.protocol import Request

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be sent."""
    return _SURROGATE.sub("�", text)


def contract(request: Request) -> str:
    """What takes the schema's place where a provider has no structured output."""
    schema = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    return well_formed(f"Reply with one JSON object and nothing else. It must fit this JSON Schema:\n{schema}")


def as_text(request: Request) -> str:
    """The whole request as one text, as a command gets it on stdin.

    Its first line is the prompt's first line, which marks the text as crab's own; then the system parts, the contract,
    the rest of the prompt, and earlier replies with what was wrong with them.
    """
    first, _, rest = request.prompt.partition("\n")
    parts = [first, *request.system, contract(request), rest]
    for reply, reasons in request.messages:
        parts += [f"Your reply was:\n{reply}", reasons]
    return well_formed("\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n")
