"""A JSON text too long to hold, made short while it streams by: what is left parses and keeps its shape.

A string of more than 64 k characters becomes its beginning and its end with the number of characters between. Where
even that is too much (a million short strings), lists and inner objects end early; the members of the outermost
object stay, since ids and times stand among them.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator

STRING_LIMIT = 64 << 10
KEEP_START = 2_000
KEEP_END = 500
TEXT_LIMIT = 2 << 20
"""Characters of output from which lists and inner objects are ended; twice as much is given up."""

_STOP = re.compile(r'["\[\]{},]')
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def shorten(pieces: Iterable[bytes]) -> str | None:
    """The text of the pieces (bytes of one JSON value, cut anywhere) with long strings and long lists cut.

    Gives None where a string in it is broken or no cutting makes it short; the pieces are then still consumed.
    Whether the rest is JSON is for the parser to say. Bytes that are not UTF-8 become U+FFFD.
    """
    text = _Text(_decoded(pieces))
    out = _Out()
    good = True
    while good and text.more():
        found = _STOP.search(text.chunk, text.at)
        out.add(text.take(found.start() if found else len(text.chunk)))
        if found is None:
            continue
        sign = text.take(found.end())
        if sign == '"':
            string = _string(text)
            good = string is not None
            out.add(string or "")
        else:
            out.sign(sign)
        good = good and out.size <= 2 * TEXT_LIMIT
    while text.more():
        text.take(len(text.chunk))
    return "".join(out.parts) if good else None


def _decoded(pieces: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for piece in pieces:
        yield decoder.decode(piece)
    yield decoder.decode(b"", True)


class _Text:
    """A stream of text with one chunk of it in hand."""

    def __init__(self, chunks: Iterator[str]) -> None:
        self.chunk = ""
        self.at = 0
        self._chunks = chunks

    def more(self) -> bool:
        """Whether there is text in hand, after fetching some if need be."""
        while self.at >= len(self.chunk):
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self.chunk, self.at = chunk, 0
        return True

    def take(self, stop: int) -> str:
        taken = self.chunk[self.at : stop]
        self.at = stop
        return taken


class _Out:
    """What is kept. Over the limit, a comma inside a list or an inner object drops the rest of that one."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0
        self._depth = 0
        self._dropping = 0
        """The depth of the list or object whose rest is dropped, 0 for none."""

    def add(self, text: str) -> None:
        if text and not self._dropping:
            self.parts.append(text)
            self.size += len(text)

    def sign(self, sign: str) -> None:
        if sign in "[{":
            self._depth += 1
        elif sign in "]}":
            if self._depth == self._dropping:
                self._dropping = 0
            self._depth -= 1
        elif self._depth > 1 and self.size > TEXT_LIMIT and not self._dropping:
            self._dropping = self._depth
        self.add(sign)


def _string(text: _Text) -> str | None:
    """The string whose opening quote was just taken, as JSON with both quotes, short; None where it is broken."""
    raw: list[str] = []
    length = 0
    cut = _Cut()
    for part in _body(text):
        raw.append(part)
        length += len(part)
        if length > STRING_LIMIT and not cut.feed("".join(raw)):
            return None
        if length > STRING_LIMIT:
            raw.clear()
    if length <= STRING_LIMIT:
        return f'"{"".join(raw)}"'
    return json.dumps(cut.text()) if cut.feed("".join(raw)) else None


def _body(text: _Text) -> Iterator[str]:
    """The string's inside up to its closing quote, in parts that never end within an escape."""
    held = ""
    while text.more():
        stop = _closing(text, held)
        part = held + text.take(len(text.chunk) if stop is None else stop)
        if stop is not None:
            text.take(stop + 1)
            yield part
            return
        keep = _whole(part)
        held = part[keep:]
        yield part[:keep]


def _closing(text: _Text, held: str) -> int | None:
    """Where in the chunk the string ends, None where it goes on. `held`: an unfinished escape before the chunk."""
    at = text.at + (1 if held == "\\" else 0)
    while True:
        quote = text.chunk.find('"', at)
        if quote < 0:
            return None
        if not _odd(text.chunk, text.at + (1 if held == "\\" else 0), quote):
            return quote
        at = quote + 1


def _odd(text: str, start: int, stop: int) -> bool:
    """Whether an odd number of backslashes stands before `stop`."""
    at = stop
    while at > start and text[at - 1] == "\\":
        at -= 1
    return bool((stop - at) % 2)


def _whole(part: str) -> int:
    """How much of the part holds only whole escapes."""
    last = part.rfind("\\", max(0, len(part) - 6))
    if last < 0 or not _odd(part, 0, last + 1):
        return len(part)
    return last if len(part) - last < (6 if part[last + 1 : last + 2] == "u" else 2) else len(part)


class _Cut:
    """A long string, of which the beginning and the end stay."""

    def __init__(self) -> None:
        self._start = ""
        self._end = ""
        self._length = 0
        self._half = ""

    def feed(self, raw: str) -> bool:
        """Take a part, escapes and all, which ends within no escape; False where it is broken."""
        try:
            text = self._half + json.loads(f'"{raw}"')
        except ValueError:
            return False
        text = _PAIR.sub(lambda pair: _joined(pair[0]), text)
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        text = text[: len(text) - len(self._half)]
        self._length += len(text)
        self._start += text[: STRING_LIMIT - len(self._start)] if len(self._start) < STRING_LIMIT else ""
        self._end = (self._end + text[-KEEP_END:])[-KEEP_END:]
        return True

    def text(self) -> str:
        whole = self._length + len(self._half)
        if whole <= STRING_LIMIT:
            return self._start + self._half
        end = (self._end + self._half)[-KEEP_END:]
        return f"{self._start[:KEEP_START]}…[{whole - KEEP_START - KEEP_END} characters elided]…{end}"


def _joined(pair: str) -> str:
    return pair.encode("utf-16", "surrogatepass").decode("utf-16")
