"""What never becomes memory: instructions slipped into text, and secrets. The patterns are in tables/guard.toml."""

from __future__ import annotations

import re

from crustacean.models.offline import tables
from crustacean.text import secrets

_PATTERNS = tables.load("guard").patterns
_REDACTED = re.compile(r"\[redacted:")


def injected(text: str, *, strict: bool) -> bool:
    """Whether a text tries to give the agent orders.

    strict: for text that nobody present said (a paste, a report of the agent, an untrusted turn), where a wish to be
    remembered is suspect too.
    """
    if _PATTERNS["injected"].search(text) or _PATTERNS["injected_cjk"].search(text):
        return True
    return strict and bool(_PATTERNS["asks_memory"].search(text))


def secret(text: str) -> bool:
    """Whether a text holds a secret or the place where one was: such a sentence is not kept at all."""
    if _REDACTED.search(text) or secrets.find(text) or _PATTERNS["code"].search(text):
        return True
    if _PATTERNS["key"].search(text):
        return True
    if _PATTERNS["hush"].search(text) and _PATTERNS["token"].search(text):
        return True
    noun = _PATTERNS["secret_noun"].search(text)
    return bool(noun and _PATTERNS["secret_value"].search(text, noun.end()))
