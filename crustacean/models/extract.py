"""The JSON object in a model's prose: one pass over text of any size and content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set
from typing import Any

from crustacean.text.normalise import encodable

_DEEPEST = 64
_TOKEN = re.compile(
    r"[ \t\r\n]*+(?:(?P<mark>[{}\[\],:])"
    r'|(?P<string>"(?:[^"\\]++|\\.)*+")'
    r"|(?P<value>true|false|null|-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?))",
    re.DOTALL,
)
_START = re.compile(r'\{(?=[ \t\r\n]*+["}])')
_LINE_START = re.compile(r'\n[ \t]*+\{(?=[ \t\r\n]*+["}])')


def find_object(text: str, keys: Set[str] = frozenset()) -> dict[str, Any] | None:
    """The object that `text` is, else the last object in it, of those that have one of `keys` (all where there are
    none), else None.

    Fences and prose around it do not matter; an object inside another is not looked at. Time is linear in the length
    of the text, whatever it holds.
    """
    whole = parse_object(text)
    if whole is not None:
        return whole
    for start, stop in reversed(list(_spans(text))):
        found = parse_object(text[start:stop])
        if found is not None and (not keys or keys & found.keys()):
            return found
    return None


def parse_object(text: str) -> dict[str, Any] | None:
    """The JSON object that `text` is, None where it is anything else. Line breaks inside strings are taken as meant,
    lone surrogates are replaced, NaN and infinities are not JSON."""
    try:
        data = json.loads(text, strict=False, parse_constant=_refuse)
        return _well_formed(data, 0) if isinstance(data, dict) else None
    except (ValueError, RecursionError):
        return None


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _well_formed(data: Any, depth: int) -> Any:
    if isinstance(data, str):
        return encodable(data)
    if depth > 4 * _DEEPEST:
        raise RecursionError
    if isinstance(data, dict):
        return {_well_formed(key, depth + 1): _well_formed(value, depth + 1) for key, value in data.items()}
    if isinstance(data, list):
        return [_well_formed(value, depth + 1) for value in data]
    return data


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where whole objects stand that are in no other, in order.

    A brace that opens no object ("{ like this") is left as soon as the grammar breaks. Text before the break is
    looked at again from the next line that starts with a brace, as long as that has not cost more than reading all
    twice; so a stray quote can hide what stands in its own line, but not what follows.
    """
    spare = len(text)
    start = _START.search(text)
    while start is not None:
        position = start.start()
        stop, broken = _object_end(text, position)
        if stop is not None:
            yield position, stop
            start = _START.search(text, stop)
            continue
        line = _LINE_START.search(text, position, broken)
        if line is not None and broken - line.end() <= spare:
            spare -= broken - line.end()
            start = _START.match(text, line.end() - 1)
        else:
            start = _START.search(text, max(broken, position + 1))


def _object_end(text: str, start: int) -> tuple[int | None, int]:
    """Where the object that starts at `start` ends, or None and where the grammar broke."""
    closers: list[str] = []
    expect = "{"
    position = start
    match_token = _TOKEN.match
    while True:
        token = match_token(text, position)
        if token is None:
            return None, position
        sign = token["mark"] or ("s" if token["string"] is not None else "v")
        step = _step(sign, expect, closers)
        if step is None or len(closers) > _DEEPEST:
            return None, token.start(token.lastgroup or 0)
        position = token.end()
        if not closers:
            return position, position
        expect = step


# What may come next, by what is expected: k key or }, K key, c colon, v value, V value or ], e comma or end.
def _step(sign: str, expect: str, closers: list[str]) -> str | None:
    if sign in "{[" and expect in "{vV":
        if expect == "{" and sign != "{":
            return None
        closers.append("}" if sign == "{" else "]")
        return "k" if sign == "{" else "V"
    if sign in "}]":
        ends = expect == "e" or (expect == "k" and sign == "}") or (expect == "V" and sign == "]")
        if not ends or closers.pop() != sign:
            return None
        return "e"
    if sign == "s" and expect in "kK":
        return "c"
    if sign in "sv" and expect in "vV":
        return "e"
    if sign == ":" and expect == "c":
        return "v"
    if sign == "," and expect == "e":
        return "K" if closers[-1] == "}" else "v"
    return None
