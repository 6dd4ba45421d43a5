"""The bytes of ledger files: what a line is, how one is added, and what half a line at the end means."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from crustacean.edits import files

KEY = 12
"""Hex digits of a turn key; keys of one session that follow each other are packed into one string."""

Order = tuple[datetime, str, int]


@dataclass(frozen=True, slots=True)
class Line:
    """One ledger line. id = machine + number."""

    at: str
    m: str
    n: int
    kind: str
    data: dict[str, Any]

    @property
    def id(self) -> str:
        return f"{self.m}{self.n}"

    @property
    def order(self) -> Order:
        return datetime.fromisoformat(self.at), self.m, self.n


def parse_line(raw: bytes) -> Line | None:
    """The line, None where it is not a ledger line."""
    try:
        data = json.loads(raw)
        line = Line(data["at"], data["m"], data["n"], data["kind"], data)
        right = isinstance(line.n, int) and isinstance(line.m, str) and isinstance(line.kind, str)
        return line if right and line.order[0].tzinfo is not None else None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def unpack(packed: Iterable[str]) -> Iterator[str]:
    """The turn keys in a list that may hold several keys in one string."""
    for keys in packed:
        for i in range(0, len(keys) - KEY + 1, KEY):
            yield keys[i : i + KEY]


def stamp(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


def whole_lines(data: bytes) -> bytes:
    """What was read, without a last line that is only half written. One that lacks nothing but its line end counts."""
    head, newline, tail = data.rpartition(b"\n")
    return data if not tail or parse_line(tail) is not None else head + newline


def tail(path: Path, size: int) -> str:
    """A fingerprint of the last 256 bytes before `size`."""
    if size == 0:
        return ""
    with path.open("rb") as file:
        file.seek(max(0, size - 256))
        return hashlib.blake2b(file.read(min(size, 256)), digest_size=8).hexdigest()


def write_end(path: Path, data: bytes) -> int:
    """Append with one write and fsync; on failure the file is cut back to what it was. Returns its size before (-1
    where it was not there). Half a line that a crash left at the end was never told to anyone and goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = not path.exists()
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        size = os.fstat(fd).st_size
        if size and os.pread(fd, 1, size - 1) != b"\n":
            size, data = _mend(path, fd, size, data)
        try:
            if os.write(fd, data) != len(data):
                raise OSError(28, "no space left on the disk")
            os.fsync(fd)
        except OSError:
            cut(path, -1 if fresh else size)
            raise
    finally:
        os.close(fd)
    if fresh:
        files.fsync_folder(path.parent)
    return -1 if fresh else size


def _mend(path: Path, fd: int, size: int, data: bytes) -> tuple[int, bytes]:
    last = path.read_bytes().rpartition(b"\n")[2]
    if parse_line(last) is None and last.startswith(b'{"v":1,"at":"'[: len(last)]):
        os.ftruncate(fd, size - len(last))
        return size - len(last), data
    return size, b"\n" + data


def cut(path: Path, size: int) -> None:
    """Take the lines behind `size` away again."""
    if size < 0:
        path.unlink(missing_ok=True)
    else:
        os.truncate(path, size)
