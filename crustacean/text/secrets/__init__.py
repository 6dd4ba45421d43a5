"""Finds passwords, keys and codes in text and takes them out before a model or the disk sees them.

tokens.py    what shows by its form alone: provider tokens, private keys, passwords in URLs, cards
library.py   the detectors of detect-secrets, on the stretches of text that could hold a token
cues.py      what shows by the words around it: "the wifi password is ...", "gate code 4711#", API_KEY=...
values.py    what a value after such words may look like, and random strings without any word
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from crustacean.errors import WorkspaceError
from crustacean.text.secrets import cues, library, tokens, values
from crustacean.text.secrets.span import Span

__all__ = ["Secret", "find", "redact"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret's kind ("password", "github-token", "pattern", ...) and where it stands: text[start:stop]."""

    kind: str
    start: int
    stop: int


_MARK = re.compile(r"\[redacted:[a-z0-9-]{1,40}\]")
_WINDOW = 8_192
_OVERLAP = 1_024


def find(text: str, patterns: Sequence[str] = ()) -> list[Secret]:
    """The secrets of a text, in order, none overlapping another.

    patterns: regular expressions of the person's own; each is tried on every line, and on lines over 8,192 characters
    piece by piece with 1,024 characters of overlap, so that a greedy one costs no more than the text is long. Raises
    WorkspaceError for one that can't be compiled. What stands as `[redacted:KIND]` is left alone.
    """
    marks = [m.span() for m in _MARK.finditer(text)]
    plain = _MARK.sub(_blank, text) if marks else text
    found: list[Span] = [*tokens.find(plain), *library.find(plain), *cues.find(plain), *values.find(plain)]
    for pattern in patterns:
        found += _own(plain, _compiled(pattern))
    return list(_outside(marks, plain, _merged(found)))


def redact(text: str, patterns: Sequence[str] = ()) -> tuple[str, list[str]]:
    """The text with each secret as `[redacted:KIND]`, and the kinds in their order (one for each). See find.

    Redacting what was redacted changes nothing: what only shows once its neighbour is gone is taken out as well.
    """
    kinds: list[str] = []
    while secrets := find(text, patterns):
        out: list[str] = []
        at = 0
        for secret in secrets:
            out += [text[at : secret.start], f"[redacted:{secret.kind}]"]
            at = secret.stop
        out.append(text[at:])
        text = "".join(out)
        kinds += [secret.kind for secret in secrets]
    return text, kinds


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as err:
        raise WorkspaceError(
            f"secret_patterns: {pattern!r} is not a regular expression: {err}", "correct it in crab.toml"
        ) from err


def _own(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    at = 0
    for line in text.splitlines(keepends=True):
        for start in range(0, max(1, len(line) - _OVERLAP), _WINDOW - _OVERLAP):
            for m in pattern.finditer(line[start : start + _WINDOW]):
                if m.end() > m.start():
                    yield Span(at + start + m.start(), at + start + m.end(), "pattern", 0)
        at += len(line)


def _merged(found: Iterable[Span]) -> Iterator[Span]:
    """Spans that overlap become one, with the kind of the one that is surest (then first)."""
    current: Span | None = None
    for span in sorted(found):
        if current is None or span.start >= current.stop:
            if current:
                yield current
            current = span
            continue
        best = min(current, span, key=lambda s: s.rank)
        current = Span(current.start, max(current.stop, span.stop), best.kind, best.rank)
    if current:
        yield current


def _blank(mark: re.Match[str]) -> str:
    """A stand-in of the same length: the words in a mark ("password") must not announce anything."""
    return f"[{'…' * (len(mark[0]) - 2)}]"


def _outside(marks: list[tuple[int, int]], text: str, spans: Iterable[Span]) -> Iterator[Secret]:
    """The parts of the spans that are no mark already."""
    k = 0
    for span in spans:
        start = span.start
        while k < len(marks) and marks[k][1] <= start:
            k += 1
        pieces = []
        j = k  # the last mark may reach into the next span too
        while j < len(marks) and marks[j][0] < span.stop:
            pieces.append((start, marks[j][0]))
            start = marks[j][1]
            j += 1
        for first, last in [*pieces, (start, span.stop)]:
            if text[first:last].strip():
                yield Secret(span.kind, first, last)
