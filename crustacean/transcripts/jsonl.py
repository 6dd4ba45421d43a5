"""Files of one JSON object a line: read by line in bounded memory, and known again when they have grown.

A client appends while it runs, so a last line without its newline is not given and stays unread. A line that does not
parse costs only itself: whole objects in it are given, the rest is reported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from crustacean.transcripts.elide import shorten
from crustacean.transcripts.session import Mark, StoreFile

Record = dict[str, Any]

LINE_LIMIT = 4 << 20
"""Bytes. A longer line is read in pieces, with its long strings cut (see `elide`)."""
_PIECE = 256 << 10
_PRINT = 4 << 10
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a line that could not be read, as one short clause."""

    reason: str


def records(path: Path, offset: int = 0, line: int = 1) -> Iterator[tuple[int, int, Record | Problem]]:
    """Each object of the file from byte `offset` on, which is the start of line number `line`.

    Gives (line number, offset of the byte after that line, object or problem); a line may give several. What to
    remember is the last line number + 1 and the last offset. Raises OSError where the file can't be opened or read.
    """
    with path.open("rb", buffering=_PIECE) as file:
        file.seek(offset)
        while data := file.readline(LINE_LIMIT):
            if data.endswith(b"\n"):
                offset += len(data)
                try:
                    text = data.decode()
                    record, stop = _DECODER.raw_decode(text)
                    record = record if stop + 1 == len(text) or text[stop:].isspace() else None
                except (ValueError, RecursionError):
                    record = None
                if type(record) is dict:
                    yield line, offset, record
                elif not data.isspace():
                    for found in salvage(data):
                        yield line, offset, found
            elif len(data) < LINE_LIMIT:
                return
            else:
                pieces = _Pieces(file, data)
                del data
                short = shorten(pieces)
                if not pieces.ended:
                    return
                offset += pieces.size
                yield line, offset, _long_record(short, pieces.size)
            line += 1


class _Pieces:
    """A long line piece by piece, through its newline, each piece a few hundred kB. `ended`: the newline was there."""

    def __init__(self, file: IO[bytes], start: bytes) -> None:
        self.size = 0
        self.ended = False
        self._file = file
        self._start = start

    def __iter__(self) -> Iterator[bytes]:
        start, self._start = self._start, b""
        for at in range(0, len(start), _PIECE):
            yield self._count(start[at : at + _PIECE])
        del start
        while not self.ended and (data := self._file.readline(_PIECE)):
            yield self._count(data)

    def _count(self, data: bytes) -> bytes:
        self.size += len(data)
        self.ended = data.endswith(b"\n")
        return data


def _long_record(text: str | None, size: int) -> Record | Problem:
    try:
        record = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        record = None
    if type(record) is dict:
        return record
    return Problem(f"a line of {size >> 20} MB is not a JSON object")


def salvage(data: bytes) -> list[Record | Problem]:
    """The whole objects in a line that is not one object, in order, and one problem for what is lost.

    Two records glued together are two objects. Behind half a record an object counts only where the line ends or the
    next object begins after it: a whole object inside the half one is not a record. Inside a JSON string every quote
    is escaped, so `{"` starts an object wherever it stands. The work is bounded by a few times the line's length.
    """
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").strip()
    found: list[Record | Problem] = []
    lost = False
    at = 0
    work = 8 * len(text) + _PRINT
    while 0 <= at < len(text) and work > 0:
        whole, stop, cost = _object(text, at)
        work -= cost
        if whole is None:
            lost = True
            at = text.find('{"', at + 1)
        elif not lost or stop == len(text) or text.startswith('{"', stop):
            found.append(whole)
            at = stop
        else:
            at = text.find('{"', stop)
    if lost or 0 <= at < len(text):
        found.append(Problem("a broken record"))
    elif "\ufffd" in text:
        found.append(Problem("a record with bytes that are not UTF-8"))
    return found


def _object(text: str, at: int) -> tuple[Record | None, int, int]:
    """The object that starts at `at`, or None; where the next thing begins; how many characters that took to see."""
    try:
        value, stop = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        seen = len(text) if error.msg.startswith("Unterminated") else error.pos
        return None, at, max(seen - at, 64) + error.pos // 50  # an error counts the lines before it
    except (ValueError, RecursionError):
        return None, at, len(text) - at
    cost = max(stop - at, 64)
    while stop < len(text) and text[stop].isspace():
        stop += 1
    return (value if type(value) is dict else None), stop, cost


@dataclass(frozen=True, slots=True)
class Place:
    """Where to read on: a byte offset, the number of the line that starts there, and the reader's own state."""

    offset: int = 0
    line: int = 1
    state: Mapping[str, object] | None = None


def resume(path: Path, mark: Mark | None) -> Place:
    """Where to read on after `mark`: the start of the file, without state, where there is none or the file is not the
    one it was made of (shorter, rotated, rewritten). Raises OSError where the file can't be opened."""
    if mark is None:
        return Place()
    offset, line = mark.state.get("offset"), mark.state.get("line")
    if type(offset) is not int or type(line) is not int or offset < 0 or line < 1:
        return Place()
    with path.open("rb") as file:
        same = _prints(file, offset) == (mark.state.get("head"), mark.state.get("tail"))
    return Place(offset, line, mark.state) if same else Place()


def mark_at(file: StoreFile, offset: int, line: int, **state: object) -> Mark | None:
    """A mark that the file is read up to byte `offset`, the start of line number `line`; `state` must be serialisable
    as JSON. None where another file stands there by now. Raises OSError where the file can't be opened."""
    with file.path.open("rb") as handle:
        if os.fstat(handle.fileno()).st_ino != file.inode:
            return None
        head, tail = _prints(handle, offset)
    own = {"offset": offset, "line": line, "head": head, "tail": tail}
    return Mark(file.size, file.mtime_ns, file.inode, {**state, **own})


def _prints(file: IO[bytes], offset: int) -> tuple[str, str]:
    """Fingerprints of the first 4 KB and of the 4 KB before `offset` (less where there is less), with their lengths."""
    start = max(0, offset - _PRINT)
    parts = []
    for at, length in ((0, min(_PRINT, offset)), (start, offset - start)):
        file.seek(at)
        data = file.read(length)
        parts.append(f"{len(data)}:{blake2b(data, digest_size=8).hexdigest()}")
    return parts[0], parts[1]
