"""Passwords in prose and settings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crustacean.text.secrets import words
from crustacean.text.secrets.link import AFTER, CLAUSE_END, is_latin, is_word, link_of, value_at, value_before
from crustacean.text.secrets.span import Span
from crustacean.text.secrets.values import is_placeholder, is_reference

_SIGN = re.compile(r"[!@#$%^&*+=?~]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]{1,32}=")
_TYPE_NAME = re.compile(
    r"\A[_A-Za-z]*(?:[a-z_](?:Str|String|Field|Type|Input|Schema|Props|Model|Column|Value|Text|Hash|Bytes)|Password)\Z"
)
_PHRASE = re.compile(r"[a-zà-ÿ]{3,12}(?:[ -][a-zà-ÿ]{3,12}){3,7}(?![\w-])")
_USER_VALUE = re.compile(
    r"s?(?:\s?[:=]|\s(?:is|are|ist|sind|es|son|est|sont))\s?"
    r"[\"'`]?[\w.@+-]{1,64}[\"'`]?(?:\s?[/:|,]\s?|\s)[\"'`]?([^\s\"'`<>/]{5,64})"
)


def password(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """After "password", "Kennwort", "senha", ...: any word that could be one; also the value before the cue."""
    yield from value_before(text, at, stop, "password")
    m = AFTER.match(text, stop)
    if not m:
        return
    start, end, quoted = value_at(text, m.end(), ascii_only=low[at] > "\u2fff")
    value = text[start:end]
    if len(value) < 3 or is_placeholder(value) or (is_reference(value) and not quoted):
        return
    link = "flag" if m["none"] and text[max(0, at - 2) : at] == "--" else link_of(m)
    if _is_strong(value, link) or _is_plain(text, at, m, start, end, quoted):
        yield Span(start, end, "password", 3)
    elif link != "none" and (phrase_end := _phrase_end(text, start)):
        yield Span(start, phrase_end, "password", 3)


def _is_strong(value: str, link: str) -> bool:
    """Whether a value could be nothing but a password: digits among letters, or signs."""
    if _TYPE_NAME.search(value):
        return False
    digits = sum(map(str.isdigit, value))
    letters = any(map(str.isalpha, value))
    if " " in value:
        return digits > 0 and link != "none" and value.count(" ") < 5 and len(value) > 7 and bool(_SIGN.search(value))
    if link == "none":
        signed = letters and _SIGN.search(value[:-1]) is not None and "=" not in value
        mixed = digits > 0 and letters and (len(value) > 5 or (value.isalnum() and value != value.lower()))
        return len(value) > 4 and (mixed or (signed and len(value) > 5))
    if not letters:
        return digits >= 4
    return digits > 0 or _SIGN.search(value) is not None or (any(map(str.isupper, value[1:])) and not value.isupper())


def _is_plain(text: str, at: int, m: re.Match[str], start: int, end: int, quoted: bool) -> bool:
    """Whether a plain word is the password: not one that tells about it, and the clause ends with it. `at` is where the
    cue starts, m the match of AFTER."""
    value, link = text[start:end], link_of(m)
    if link == "none" or m["close"][:1] == "s" or len(value) < 4 or " " in value or ("_" in value and link != "is"):
        return False
    if _TYPE_NAME.search(value) or _tells(value.lower()):
        return False
    if not quoted and "=" in (m["assign"] or "") and not text[at : m.start("assign")].isupper():
        return False
    return quoted or CLAUSE_END.match(text, end) is not None


def _tells(word: str) -> bool:
    """Whether a word says something about a password ("wrong", "case-sensitive", "expired") and is none."""
    known = set(word.split("-")) <= words.NO_VALUE or word.endswith(words.NO_VALUE_ENDS)
    return known or any(cue in word for cue in ("passw", "kennw", "contras", "senha"))


def _phrase_end(text: str, start: int) -> int | None:
    """The end of a passphrase of four to eight small words that fill the rest of the clause, or None."""
    m = _PHRASE.match(text, start)
    if not m or not CLAUSE_END.match(text, m.end()):
        return None
    first, *rest = re.split(r"[\s-]", m[0])
    telling = any(word in words.NO_VALUE or word in words.NO_SEED for word in rest)
    return None if telling or first in words.NO_SEED else m.end()


def short_password(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """After "pw", "pass", "clave", ...: only what mixes letters and digits."""
    if not is_word(low, at, stop):
        return
    m = AFTER.match(text, stop)
    if not m:
        return
    start, end, _ = value_at(text, m.end())
    value = text[start:end]
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if len(value) < 5 or not mixed or is_placeholder(value) or is_reference(value) or " " in value:
        return
    if not _ASSIGNMENT.match(value) and ("." not in value or _SIGN.search(value)):
        yield Span(start, end, "password", 5)


def login(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """ "credentials: admin / s3cr3t99"."""
    m = _USER_VALUE.match(text, stop)
    if not m or is_latin(low[at - 1 : at]) or is_placeholder(m[1]) or is_reference(m[1]):
        return
    value = m[1].rstrip(".,;:)")
    if len(value) > 4 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
        yield Span(m.start(1), m.start(1) + len(value), "password", 5)
