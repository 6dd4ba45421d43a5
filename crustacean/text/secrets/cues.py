"""Secrets that show by the words around them, in prose and in settings: "the wifi password is ...", API_KEY=..., "gate
code 4711#", "PIN lautet 4471", "hunter2 is the password"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from crustacean.text.secrets import words
from crustacean.text.secrets.span import Span
from crustacean.text.secrets.values import is_generated, is_placeholder, is_reference, is_uuid

_FILLER = (
    r"(?:\s?\([^()\n]{1,40}\)|\s(?:for|of|to|on|at|in|i|we|you|he|she|they|that|für|fürs|vom|von|des|der|zum|zur|im|am|ich|wir"
    r"|de|del|la|para|du|pour|do|da|dos|per|voor|van|della|au|aux)\s[^\n:=,;.!?。：]{1,48}?"
    r"|\s(?:de\sl|d|dell)['’][^\n:=,;.!?。：]{1,48}?|の[^\n:=,;.!?。：]{1,24}?)?"
)
_ASSIGN = r"(?P<assign>\s{0,3}(?::=|=>|->|→|[=:：](?![=/]))[\s*_]{0,4}|\s?\|\s?)"
_IS = (
    r"(?P<is>(?:\s{1,2}(?:is|are|was|ist|lautet|heißt|war|es|est|é|è|sera|will\sbe|wäre|are)|['’]s)"
    r"(?:\s(?:now|still|just|currently|simply|jetzt|nun|noch|ahora|maintenant|agora|again|set\sto|changed\sto))?(?:\s?[:：])?\s{1,2}[*_]{0,3}"
    r"|\s(?:(?:was|has\sbeen|got|wurde)\s)?(?:now\s)?(?:changed|set|reset|updated|switched)\s(?:back\s)?to:?\s"
    r"|\s?(?:は|是|为|為|が)[:：]?\s?)"
)
_AFTER = re.compile(
    rf"(?P<close>(?:s|es)?(?:[_-]?\d{{1,2}})?[\\\"'`\]*_)]{{0,4}})(?:{_FILLER}(?:{_ASSIGN}|{_IS})|(?P<none>\s{{1,2}}))",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\\?[\"'`“„«‘「『]{1,3}([^\\\"'`“”„«»‘’「」『』\n]{2,128})\\?[\"'`”“»’」』]")
_BARE = re.compile(r"[^\s\"'`“”„«»「」『』、。，；：<>]{2,256}")
_ASCII = re.compile(r"[!-~]{2,128}")
_ESCAPE = re.compile(r"\\[nrt\"']")
_CLAUSE_END = re.compile(r"[*_`\"')\]]{0,3}(?:\s?[.,;!?)(|]|\s*\Z|\s?\n|\s[-–—]\s|\\n)")
_SIGN = re.compile(r"[!@#$%^&*+=?~]")
_DIGITS_VALUE = re.compile(r"[#*]?\d[\d#*]{2,9}(?![A-Za-z0-9_%€$]|[.,:/-]\d)")
_CODE_VALUE = re.compile(r"[#*]?[0-9A-Za-z][0-9A-Za-z#*-]{1,15}(?![A-Za-z0-9_%€$@]|[.:/][A-Za-z0-9])")
_CODE_LIST = re.compile(r"(?:[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,3}(?:[\s,;]{1,3}|\Z|\.)){2,24}")
_CODE_OF = re.compile(words.CODE_OF, re.IGNORECASE)
_NO_CODE = re.compile(rf"(?:{words.NO_CODE})[\s_-]?\Z", re.IGNORECASE)
_NO_KEY = re.compile(rf"(?:{words.NO_KEY})[\s_-]?\Z", re.IGNORECASE)
_REVERSE = re.compile(
    r"(?P<value>[^\s\"'`<>]{4,64})[\"'`]?\s(?:is|as|ist|als|es|como|est|comme|é)\s"
    r"(?:(?:the|my|our|his|her|your|their|das|der|die|mein|unser|la|el|mi|le|mon|ma|notre|a|o|minha)\s)?(?:[\w-]{1,20}[\s-]){0,3}\Z",
    re.IGNORECASE,
)
_REVERSE_END = re.compile(r"\s*(?:\Z|[.,;!?)\n]|\s(?:for|to|of|on|and|für|para|pour|de|at)\b)", re.IGNORECASE)
_ANY_WORD = re.compile(r"\w+\W*|\W+")
_SEED_WORD = re.compile(r"(?:\d{1,2}[.):]\s?)?([a-zà-ÿ]{3,8})(?:[\s,;]{1,3}|\.?\Z|\.?(?=\n))")


def find(text: str) -> Iterator[Span]:
    """Secrets by cue words. Linear in the text's length: a bounded look at each place where a cue stands."""
    low = text.lower() if "İ" not in text else text.replace("İ", "I").lower()
    for cues, look in _FAMILIES:
        for cue in cues:
            at = low.find(cue)
            while at >= 0:
                stop = at + len(cue)
                yield from look(text, low, at, stop)
                at = low.find(cue, stop)


def _value(text: str, at: int, ascii_only: bool = False) -> tuple[int, int, bool]:
    """Where the value that starts at `at` stands, without quotes and closing punctuation, and whether it is quoted."""
    if m := _QUOTED.match(text, at):
        return m.start(1), m.end(1), True
    m = (_ASCII if ascii_only else _BARE).match(text, at)
    if not m:
        return at, at, False
    value = m[0]
    if escape := _ESCAPE.search(value):
        value = value[: escape.start()]
    lead = len(value) - len(value.lstrip("*_("))
    return at + lead, at + len(value.rstrip(".,;:)]}>|*_")), False


def _bounded(low: str, at: int, stop: int) -> bool:
    """Whether a cue stands as a word of its own (also as a part of snake_case or of a compound with a hyphen)."""
    return not _ascii_letter(low[at - 1 : at]) and not _ascii_letter(low[stop : stop + 1])


def _ascii_letter(char: str) -> bool:
    return char.isalpha() and (char.isascii() or char < "\u0250")


def _link(m: re.Match[str]) -> str:
    return "assign" if m["assign"] is not None else "is" if m["is"] is not None else "none"


def _password(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    yield from _reversed(text, at, stop, "password")
    m = _AFTER.match(text, stop)
    if not m:
        return
    start, end, quoted = _value(text, m.end(), ascii_only=not low[at:stop].isascii() and ord(low[at]) > 0x2FFF)
    value = text[start:end]
    if len(value) < 3 or is_placeholder(value) or (is_reference(value) and not quoted):
        return
    link = _link(m)
    flag = link == "none" and text[max(0, at - 2) : at] == "--"
    if _is_strong(value, link, flag) or (not m["close"][:1] == "s" and _is_plain_password(text, at, m, start, end, quoted)):
        yield Span(start, end, "password", 3)
        return
    phrase = _phrase(text, start) if link != "none" else None
    if phrase:
        yield Span(start, phrase, "password", 3)


def _is_strong(value: str, link: str, flag: bool) -> bool:
    """Whether a value could be nothing but a password: digits among letters, or signs."""
    digits = sum(map(str.isdigit, value))
    letters = any(map(str.isalpha, value))
    if " " in value:
        return digits > 0 and link != "none" and value.count(" ") < 5 and len(value) > 7 and bool(_SIGN.search(value))
    if link == "none" and not flag:
        return len(value) > 5 and bool((digits and letters) or (_SIGN.search(value[:-1]) and letters)) and "=" not in value
    if not letters:
        return digits >= 4
    return digits > 0 or _SIGN.search(value) is not None or any(map(str.isupper, value[1:])) and not value.isupper()


def _is_plain_password(text: str, at: int, m: re.Match[str], start: int, end: int, quoted: bool) -> bool:
    """Whether a plain word is the password: not one that tells about it, and the clause ends with it."""
    value, link = text[start:end], _link(m)
    word = value.lower()
    if link == "none" or len(word) < 4 or " " in word or "_" in word or set(word.split("-")) <= words.NO_VALUE:
        return False
    if word.endswith(words.NO_VALUE_ENDS) or any(cue in word for cue in ("passw", "kennw", "contras", "senha")):
        return False
    if quoted:
        return True
    if "=" in (m["assign"] or "") and not text[at : m.start("assign")].isupper():
        return False
    return _CLAUSE_END.match(text, end) is not None


def _phrase(text: str, start: int) -> int | None:
    """The end of a passphrase of four to eight small words that fill the rest of the clause, or None."""
    m = _PHRASE.match(text, start)
    if not m or not _CLAUSE_END.match(text, m.end()):
        return None
    first, *rest = re.split(r"[\s-]", m[0])
    telling = any(word in words.NO_VALUE or word in words.NO_SEED for word in rest)
    return None if telling or first in words.NO_SEED else m.end()


_PHRASE = re.compile(r"[a-zà-ÿ]{3,12}(?:[ -][a-zà-ÿ]{3,12}){3,7}(?![\w-])")


def _short_password(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    if not _bounded(low, at, stop):
        return
    m = _AFTER.match(text, stop)
    if not m:
        return
    start, end, quoted = _value(text, m.end())
    value = text[start:end]
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if len(value) < 5 or is_placeholder(value) or (is_reference(value) and not quoted) or " " in value:
        return
    if (mixed and "." not in value) or (_SIGN.search(value) and mixed):
        yield Span(start, end, "password", 5)


def _key(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    cue = low[at:stop]
    if _ascii_letter(low[stop : stop + 1]) or (low[at - 1 : at].isalpha() and len(cue) < 6 and not text[at].isupper()):
        return
    bare = cue in ("key", "schlüssel", "token", "tokens", "secret")
    if bare and _NO_KEY.search(low, max(0, at - 14), at):
        return
    m = _AFTER.match(text, stop)
    if not m:
        return
    start, end, quoted = _value(text, m.end())
    value = text[start:end]
    if len(value) < 8 or is_placeholder(value) or (is_reference(value) and not quoted) or " " in value:
        return
    if not is_generated(value) or (_link(m) == "none" and len(value) < 16) or value.startswith(("sha256", "http")):
        return
    if cue in ("key", "schlüssel") and (re.fullmatch(r"[0-9a-f]+|.*:.*", value) or len(value) < 16):
        return
    if is_uuid(value) and bare:
        return
    kind = "token" if "token" in cue or cue == "jeton" else "secret" if "secret" in cue or "cred" in cue else "api-key"
    yield Span(start, end, kind, 6 if bare else 5)


def _login(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    """ "credentials: admin / s3cr3t99"."""
    m = _USER_VALUE.match(text, stop)
    if not m or _ascii_letter(low[at - 1 : at]) or is_placeholder(m[1]) or is_reference(m[1]):
        return
    value = m[1].rstrip(".,;:)")
    if len(value) > 4 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
        yield Span(m.start(1), m.start(1) + len(value), "password", 5)


_USER_VALUE = re.compile(r"s?\s?[:=]\s?[\"'`]?[\w.@+-]{1,64}[\"'`]?(?:\s?[/:|,]\s?|\s)[\"'`]?([^\s\"'`<>/]{5,64})")


def _pin(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    cue = low[at:stop]
    if not _bounded(low, at, stop) or (cue in ("tan", "nip", "otp") and not text[at:stop].isupper()):
        return
    shortest = 3 if cue in ("cvv", "cvc") else 4
    for span in _reversed(text, at, stop, "pin"):
        if text[span.start : span.stop].strip("#*").isdigit():
            yield span
    named = _PIN_NAME.match(low, stop)
    m = _AFTER.match(text, named.end() if named else stop)
    value = _DIGITS_VALUE.match(text, _value(text, m.end())[0]) if m else None
    if value and sum(map(str.isdigit, value[0])) >= shortest:
        yield Span(value.start(), value.end(), "pin", 3)


_PIN_NAME = re.compile(r"[\s-]?(?:code|nummer|number|número|numéro)")


def _code(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
    if _ascii_letter(low[stop : stop + 1]) or _NO_CODE.search(low, max(0, at - 14), at):
        return
    before = re.split(r"[.!?\n。]\s", text[max(0, at - 48) : at])[-1]
    combination = low[at : at + 4] in ("comb", "komb", "digi")
    m = _AFTER.match(text, stop)
    between = text[stop : m.end()] if m else ""
    if not combination and not _CODE_OF.search(before) and not _CODE_OF.search(between):
        return
    for span in _reversed(text, at, stop, "code"):
        if sum(map(str.isdigit, text[span.start : span.stop])) >= 3:
            yield span
    if not m or (combination and _link(m) == "none"):
        return
    start = _value(text, m.end())[0]
    listed = _CODE_LIST.match(text, start) if low[stop - 1] == "s" else None
    if listed and sum(map(str.isdigit, listed[0])) >= 6:
        yield Span(start, start + len(listed[0].rstrip(" ,;.\n\t")), "code", 4)
        return
    value = _CODE_VALUE.match(text, start)
    if value and 3 <= sum(map(str.isdigit, value[0])) <= 10 and sum(map(str.isalpha, value[0])) <= 6:
        yield Span(start, value.end(), "code", 4)


def _reversed(text: str, at: int, stop: int, kind: str) -> Iterator[Span]:
    """ "hunter2 is the wifi password": the value before the cue."""
    if not _REVERSE_END.match(text, stop):
        return
    piece = text[max(0, at - 96) : at]
    m = _REVERSE.search(piece)
    if not m:
        return
    value = m["value"].lstrip("(*_").rstrip(".,;:)*_")
    if is_placeholder(value) or is_reference(value) or not any(map(str.isdigit, value)) or (kind == "password" and value.isdigit()):
        return
    start = max(0, at - 96) + m.start("value") + m["value"].index(value)
    yield Span(start, start + len(value), kind, 4)


def _seed(text: str, low: str, at: int, stop: int) -> Iterator[Span]:
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


def _spelt(cues: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for cue in cues for form in (cue, cue.replace("_", " "))))


_FAMILIES: tuple[tuple[tuple[str, ...], Callable[[str, str, int, int], Iterator[Span]]], ...] = (
    (_spelt(words.PASSWORD), _password),
    (_spelt(words.SHORT_PASSWORD), _short_password),
    (_spelt(words.KEY), _key),
    (_spelt(words.LOGIN), _login),
    (_spelt(words.PIN), _pin),
    (_spelt(words.CODE), _code),
    (_spelt(words.SEED), _seed),
)
