"""Three-way merge of lines, for a file that a person saved while crab wrote it: no line of either side is lost."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from difflib import SequenceMatcher
from typing import TypeVar

_WIDE = 2000
"""Lines of a changed stretch from which frequent lines (blank ones, most) are no longer matched: the time of an exact
comparison grows with the square of their number."""

T = TypeVar("T", bound=Hashable)
Hunk = tuple[int, int, list[bytes]]


def hunks(base: list[T], other: list[T]) -> list[tuple[int, int, list[T]]]:
    """The changed stretches: (start, stop in base, new lines), in order, not touching each other."""
    head = 0
    shortest = min(len(base), len(other))
    while head < shortest and base[head] == other[head]:
        head += 1
    tail = 0
    while tail < shortest - head and base[-1 - tail] == other[-1 - tail]:
        tail += 1
    a, b = base[head : len(base) - tail], other[head : len(other) - tail]
    codes = SequenceMatcher(None, a, b, autojunk=len(a) + len(b) > _WIDE).get_opcodes()
    return [(head + i1, head + i2, b[j1:j2]) for tag, i1, i2, j1, j2 in codes if tag != "equal"]


def merge(base: bytes, theirs: bytes, ours: bytes) -> bytes:
    """`theirs` with what changed from `base` to `ours`. Where both changed the same lines, theirs stands first and our
    new lines follow. Every line (blank ones apart) that one side wrote, or that both have, is in the result; a line
    that one side took out and the other left alone is not."""
    if theirs in (base, ours):
        return ours
    if ours == base:
        return theirs
    lines, left, right = (data.splitlines(keepends=True) for data in (base, theirs, ours))
    merged = _merge(lines, hunks(lines, left), hunks(lines, right))
    held = _said(merged)
    if (_said(left) | _said(right)) - _said(lines) <= held and _said(left) & _said(right) <= held:
        return _joined(merged)
    # Lines that stand more than once in the base were taken out here by one side and there by the other.
    known = _said(left)
    return _joined([*left, *(line for line in right if _bare(line) not in known)])


def revert(post: bytes, now: bytes, pre: bytes) -> bytes | None:
    """`now` without what changed from `pre` to `post`; None where a line that the change wrote is not there as it was
    written, or the lines beside it have gone."""
    lines, held, before = (data.splitlines(keepends=True) for data in (post, now, pre))
    if not held:
        return pre if post == now else None
    where: dict[int, int] = {}
    at = shift = 0
    for start, stop, new in hunks(lines, held):
        for k in range(at, start):
            where[k] = k + shift
        shift += len(new) - (stop - start)
        at = stop
    for k in range(at, len(lines)):
        where[k] = k + shift
    out = list(held)
    for start, stop, new in reversed(hunks(lines, before)):
        spot = _spot(where, start, stop, len(lines), len(held))
        if spot is None:
            return None
        out[spot : spot + stop - start] = new
    return _joined(out)


def _spot(where: dict[int, int], start: int, stop: int, end: int, now: int) -> int | None:
    """Where lines [start, stop) of the old text stand in the new one, whole and in a row; for none, where they go."""
    if start < stop:
        places = [where.get(k) for k in range(start, stop)]
        first = places[0]
        if first is None or places != list(range(first, first + stop - start)):
            return None
        return first
    if start - 1 in where:
        return where[start - 1] + 1
    if start in where:
        return where[start]
    return 0 if start == 0 else now if start == end else None


def _bare(line: bytes) -> bytes:
    return line.rstrip(b"\r\n")


def _said(lines: Iterable[bytes]) -> set[bytes]:
    return {_bare(line) for line in lines if line.strip()}


def _joined(lines: list[bytes]) -> bytes:
    """The lines as one text; a line without a line end that is not the last gains one."""
    end = b"\r\n" if sum(line.endswith(b"\r\n") for line in lines) * 2 > len(lines) else b"\n"
    return b"".join(
        line if k == len(lines) - 1 or line.endswith((b"\n", b"\r")) else line + end for k, line in enumerate(lines)
    )


def _merge(lines: list[bytes], a: list[Hunk], b: list[Hunk]) -> list[bytes]:
    out: list[bytes] = []
    at = 0
    while a or b:
        start = min(e[0][0] for e in (a, b) if e)
        out += lines[at:start]
        stop, hunk_a, hunk_b = _cluster(a, b, start)
        out += _resolve(lines, start, stop, hunk_a, hunk_b)
        at = stop
    return out + lines[at:]


def _cluster(a: list[Hunk], b: list[Hunk], start: int) -> tuple[int, list[Hunk], list[Hunk]]:
    """Take from both lists the hunks that touch each other, beginning at `start`."""
    stop = start
    taken: tuple[list[Hunk], list[Hunk]] = ([], [])
    grown = True
    while grown:
        grown = False
        for source, mine in zip((a, b), taken, strict=True):
            while source and (source[0][0] < stop or (source[0][0] <= stop and not mine)):
                hunk = source.pop(0)
                mine.append(hunk)
                stop = max(stop, hunk[1])
                grown = True
    return stop, taken[0], taken[1]


def _apply(lines: list[bytes], start: int, stop: int, changed: list[Hunk]) -> list[bytes]:
    out: list[bytes] = []
    at = start
    for begin, end, new in changed:
        out += lines[at:begin] + new
        at = end
    return out + lines[at:stop]


def _resolve(lines: list[bytes], start: int, stop: int, a: list[Hunk], b: list[Hunk]) -> list[bytes]:
    theirs, ours = _apply(lines, start, stop, a), _apply(lines, start, stop, b)
    if not b or theirs == ours:
        return theirs
    if not a:
        return ours
    seen = _said(theirs) | _said(lines[start:stop])
    added = [line for _, _, new in b for line in new if not line.strip() or _bare(line) not in seen]
    if not any(line.strip() for line in added):
        return theirs
    return [*theirs, *added]
