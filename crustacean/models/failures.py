"""Errors of models beyond crustacean.errors, and making a server's words fit to be shown."""

from __future__ import annotations

import re

from crustacean.errors import BadReply
from crustacean.models.protocol import Usage

_NOT_SHOWN = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_LOOKED_AT = 4_000


class CostlyReply(BadReply):
    """A reply that can't be used but was paid for. usage: what it cost."""

    def __init__(self, message: str, usage: Usage, hint: str = "") -> None:
        super().__init__(message, hint)
        self.usage = usage


def one_line(text: str, secret: str = "", limit: int = 200) -> str:
    """The start of someone else's text as one line of at most `limit` characters, `secret` taken out of it."""
    text = text[: _LOOKED_AT + len(secret)]
    if len(secret) >= 6:
        # A server may show a key cut short.
        text = re.sub(re.escape(secret[:8]) + r"\S*", "[key]", text)
    text = _NOT_SHOWN.sub(" ", text).strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"
