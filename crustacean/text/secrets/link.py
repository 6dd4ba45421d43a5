"""How a cue and its value are joined: "... is", ":", "=", a few words between, quotes around; or the value first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crustacean.text.secrets.span import Span
from crustacean.text.secrets.values import is_placeholder, is_reference

_FILLER = (
    r"(?:\s?\([^()\n]{1,40}\)|\s(?:for|of|to|on|at|in|i|we|you|he|she|they|that|für|fürs|vom|von|des|der|zum|zur|im|am|ich|wir"
    r"|de|del|la|para|du|pour|do|da|dos|per|voor|van|della|au|aux)\s[^\n:=,;.!?。：]{1,48}?"
    r"|\s(?:de\sl|d|dell)['’][^\n:=,;.!?。：]{1,48}?|の[^\n:=,;.!?。：]{1,24}?)?"
)
_ASSIGN = r"(?P<assign>\s{0,3}(?::=|=>|->|→|[=:：](?![=/]))[\s*_]{0,4}|\s\|\s)"
_IS = (
    r"(?P<is>(?:\s{1,2}(?:is|are|was|ist|lautet|heißt|war|es|est|c['’]est|é|è|sera|will\sbe|wäre)|['’]s)"
    r"(?:\s(?:now|still|just|currently|simply|jetzt|nun|noch|ahora|maintenant|agora|again|set\sto|changed\sto))?(?:\s?[:：])?\s{1,2}[*_]{0,3}"
    r"|\s(?:(?:was|has\sbeen|got|wurde)\s)?(?:now\s)?(?:changed|set|reset|updated|switched)\s(?:back\s)?to:?\s"
    r"|\s?(?:は|是|为|為|が)[:：]?\s?)"
)
AFTER = re.compile(
    rf"(?P<close>(?:s|es)?(?:[_-]?\d{{1,2}})?[\\\"'`\]*_)]{{0,4}})(?:{_FILLER}(?:{_ASSIGN}|{_IS})|(?P<none>\s{{1,2}}))",
    re.IGNORECASE,
)
"""What may stand between a cue and its value; groups: close, and one of assign, is, none."""
_QUOTED = re.compile(
    r"\\?(?P<quote>[\"'`])(?P=quote){0,2}(?P<value>[^\n]{2,128}?)\\?(?P=quote)|[“„«‘「『](?P<set>[^”“»’」』\n]{2,128})[”“»’」』]"
)
_BARE = re.compile(r"[^\s\"'`“”„«»「」『』、。，；：<>]{2,256}")
_ASCII = re.compile(r"[!-~]{2,128}")
_ESCAPE = re.compile(r"\\[nrt\"']")
CLAUSE_END = re.compile(r"[*_`\"')\]]{0,3}(?:\s?[.,;!?)(|]|\s*\Z|\s?\n|\s[-–—]\s|\\n)")
_REVERSE = re.compile(
    r"(?P<value>[^\s\"'`<>]{4,64})[\"'`]?\s(?:is|as|ist|als|es|como|est|comme|é)\s"
    r"(?:(?:the|my|our|his|her|your|their|das|der|die|mein|unser|la|el|mi|le|mon|ma|notre|a|o|minha)\s)?(?:[\w-]{1,20}[\s-]){0,3}\Z",
    re.IGNORECASE,
)
_REVERSE_END = re.compile(r"\s*(?:\Z|[.,;!?)\n]|\s(?:for|to|of|on|and|für|para|pour|de|at)\b)", re.IGNORECASE)


def link_of(m: re.Match[str]) -> str:
    return "assign" if m["assign"] is not None else "is" if m["is"] is not None else "none"


def value_at(text: str, at: int, ascii_only: bool = False) -> tuple[int, int, bool]:
    """Where the value that starts at `at` stands, without quotes and closing punctuation, and whether it is quoted."""
    if m := _QUOTED.match(text, at):
        return *m.span("value" if m["value"] else "set"), True
    m = (_ASCII if ascii_only else _BARE).match(text, at)
    if not m:
        return at, at, False
    value = m[0]
    if escape := _ESCAPE.search(value):
        value = value[: escape.start()]
    lead = len(value) - len(value.lstrip("*_("))
    return at + lead, at + len(value.rstrip(".,;:)]}>|*_")), False


def value_before(text: str, at: int, stop: int, kind: str) -> Iterator[Span]:
    """ "hunter2 is the wifi password": the value before the cue."""
    if not _REVERSE_END.match(text, stop):
        return
    piece = text[max(0, at - 96) : at]
    m = _REVERSE.search(piece)
    if not m:
        return
    value = m["value"].lstrip("(*_").rstrip(".,;:)*_")
    numbered = any(map(str.isdigit, value)) and not (kind == "password" and value.isdigit())
    if not numbered or is_placeholder(value) or is_reference(value):
        return
    start = max(0, at - 96) + m.start("value") + m["value"].index(value)
    yield Span(start, start + len(value), kind, 4)


def is_word(low: str, at: int, stop: int) -> bool:
    """Whether a cue stands as a word of its own (also as a part of snake_case or of a compound with a hyphen)."""
    return not is_latin(low[at - 1 : at]) and not is_latin(low[stop : stop + 1])


def is_latin(char: str) -> bool:
    return char.isalpha() and (char.isascii() or char < "\u0250")
