"""API keys and tokens, PINs, door codes and wallet seeds, by the words before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crustacean.text.secrets import words
from crustacean.text.secrets.link import AFTER, is_latin, is_word, link_of, value_at, value_before
from crustacean.text.secrets.span import Span
from crustacean.text.secrets.values import is_generated, is_placeholder, is_reference, is_uuid

_DIGITS_VALUE = re.compile(r"[#*]?\d[\d#*]{2,9}(?![A-Za-z0-9_%€$]|[.,:/-]\d)")
_CODE_VALUE = re.compile(r"[#*]?[0-9A-Za-z][0-9A-Za-z#*-]{1,15}(?![A-Za-z0-9_%€$@]|[.:/][A-Za-z0-9])")
_CODE_LIST = re.compile(r"(?:[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,3}(?:[\s,;]{1,3}|\Z|\.)){2,24}")
_CODE_OF = re.compile(words.CODE_OF, re.IGNORECASE)
_NO_CODE = re.compile(rf"(?:{words.NO_CODE})[\s_-]?\Z", re.IGNORECASE)
_NO_KEY = re.compile(rf"(?:{words.NO_KEY})[\s_-]?\Z", re.IGNORECASE)
_PIN_NAME = re.compile(r"[\s-]?(?:code|nummer|number|número|numéro)")
_LOCK = re.compile(r"lock|safe|key\s?box|suitcase|luggage|keypad|schloss|tresor|koffer|candado|cadenas|cofre|coffre")
_LOCK_VALUE = re.compile(r"\s([#*]?\d(?:-?\d){2,9}[#*]?)(?![\w%€$]|[.,:/-]\d)")
_SEED_WORD = re.compile(r"(?:\d{1,2}[.):]\s?)?([a-zà-ÿ]{3,8})(?:[\s,;]{1,3}|\.?\Z|\.?(?=\n))")
_ANY_WORD = re.compile(r"\w+\W*|\W+")


def key(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """After "api key", "token", "secret", ...: only what looks generated."""
    cue = low[at:stop]
    if is_latin(low[stop : stop + 1]) or (low[at - 1 : at].isalpha() and len(cue) < 6 and not text[at].isupper()):
        return
    bare = cue in ("key", "schlüssel", "token", "tokens", "secret")
    if bare and _NO_KEY.search(low, max(0, at - 14), at):
        return
    m = AFTER.match(text, stop)
    if not m:
        return
    start, end, quoted = value_at(text, m.end())
    value = text[start:end]
    if len(value) < 8 or is_placeholder(value) or (is_reference(value) and not quoted) or " " in value:
        return
    link = link_of(m)
    named = cue not in ("key", "schlüssel") and link != "none" and _is_numbered(value)
    if not (is_generated(value) or named) or (link == "none" and len(value) < 16) or value.startswith(("sha", "http")):
        return
    if cue in ("key", "schlüssel") and (re.fullmatch(r"[0-9a-f]+|.*:.*", value) or len(value) < 16):
        return
    if is_uuid(value) and bare:
        return
    kind = "token" if "token" in cue or cue == "jeton" else "secret" if "secret" in cue or "cred" in cue else "api-key"
    yield Span(start, end, kind, 6 if bare else 5)


def _is_numbered(value: str) -> bool:
    """Whether a value after "token:" or "secret is" looks like one though its parts are words and numbers."""
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    return len(value) > 9 and digits > 2 and letters > 2 and not re.search(r"[=.:,/(]|\d{4}-\d\d", value)


def pin(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """Four digits or more (three for a card's check number) beside "PIN", "PUK", "CVV", ..."""
    cue = low[at:stop]
    if not is_word(low, at, stop) or (cue in ("tan", "nip", "otp") and not text[at:stop].isupper()):
        return
    shortest = 3 if cue in ("cvv", "cvc") else 4
    for span in value_before(text, at, stop, "pin"):
        if text[span.start : span.stop].strip("#*").isdigit():
            yield span
    named = _PIN_NAME.match(low, stop)
    m = AFTER.match(text, named.end() if named else stop)
    value = _DIGITS_VALUE.match(text, value_at(text, m.end())[0]) if m else None
    if value and sum(map(str.isdigit, value[0])) >= shortest:
        yield Span(value.start(), value.end(), "pin", 3)


def code(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """Something short with digits after "code" or "combination" where a door, lock, alarm, ... is named beside it."""
    if is_latin(low[stop : stop + 1]) or _NO_CODE.search(low, max(0, at - 14), at):
        return
    before = re.split(r"[.!?\n。]\s", text[max(0, at - 48) : at])[-1]
    combination = low[at : at + 4] in ("comb", "komb", "digi")
    m = AFTER.match(text, stop)
    between = text[stop : m.end()] if m else ""
    if not combination and not _CODE_OF.search(before) and not _CODE_OF.search(between):
        return
    for span in value_before(text, at, stop, "code"):
        if sum(map(str.isdigit, text[span.start : span.stop])) >= 3:
            yield span
    if not m or (combination and link_of(m) == "none" and not _CODE_OF.search(before)):
        return
    start = value_at(text, m.end())[0]
    listed = _CODE_LIST.match(text, start) if low[stop - 1] == "s" else None
    if listed and sum(map(str.isdigit, listed[0])) >= 6:
        yield Span(start, start + len(listed[0].rstrip(" ,;.\n\t")), "code", 4)
        return
    value = _CODE_VALUE.match(text, start)
    if value and 3 <= sum(map(str.isdigit, value[0])) <= 10 and sum(map(str.isalpha, value[0])) <= 6:
        yield Span(start, value.end(), "code", 4)


def opens(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """ "the key box opens with 4-7-1-9"."""
    m = _LOCK_VALUE.match(text, stop)
    if m and _LOCK.search(low, max(0, at - 40), at):
        yield Span(*m.span(1), "code", 4)


def seed(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """Twelve to twenty-four small words, numbered or not, soon after "seed phrase", ..."""
    window = min(len(text), stop + 480)
    pos, first, count = stop, -1, 0
    while pos < window and count < 24:
        m = _SEED_WORD.match(text, pos, window)
        if m and m[1] not in words.NO_SEED:
            first, count, pos = (m.start() if count == 0 else first), count + 1, m.end()
            continue
        if count >= 12 or (count == 0 and pos > stop + 160):
            break
        count = 0
        word = _ANY_WORD.match(text, pos, window)
        pos = word.end() if word else window
    if count >= 12:
        yield Span(first, pos - len(text[first:pos]) + len(text[first:pos].rstrip(" ,;.\n")), "seed-phrase", 3)
