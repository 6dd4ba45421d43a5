"""Three-way merge of lines, for a file that a person saved while crab was writing it. No line of either side is lost."""

from __future__ import annotations

from difflib import SequenceMatcher


def _edits(base: list[bytes], other: list[bytes]) -> list[tuple[int, int, list[bytes]]]:
    """The changed stretches (start, stop in base, new lines)."""
    codes = SequenceMatcher(None, base, other, autojunk=False).get_opcodes()
    return [(i1, i2, other[j1:j2]) for tag, i1, i2, j1, j2 in codes if tag != "equal"]


def _with_newline(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1] + b"\n"] if lines and not lines[-1].endswith(b"\n") else lines


def merge(base: bytes, theirs: bytes, ours: bytes) -> bytes:
    """`theirs` with what changed from `base` to `ours`. Where both changed the same lines, theirs stands first and our
    new lines follow, so that nothing written by either is dropped."""
    if theirs == base or theirs == ours:
        return ours
    if ours == base:
        return theirs
    lines = base.splitlines(keepends=True)
    a = _edits(lines, theirs.splitlines(keepends=True))
    b = _edits(lines, ours.splitlines(keepends=True))
    out: list[bytes] = []
    at = 0
    while a or b:
        start = min(e[0][0] for e in (a, b) if e)
        out += lines[at:start]
        stop, hunk_a, hunk_b = _cluster(a, b, start)
        out += _resolve(lines, start, stop, hunk_a, hunk_b)
        at = stop
    return b"".join(out + lines[at:])


Hunks = list[tuple[int, int, list[bytes]]]


def _cluster(a: Hunks, b: Hunks, start: int) -> tuple[int, Hunks, Hunks]:
    """Take from both lists the hunks that touch each other, beginning at `start`."""
    stop, taken_a, taken_b = start, Hunks(), Hunks()
    grown = True
    while grown:
        grown = False
        for source, taken in ((a, taken_a), (b, taken_b)):
            while source and source[0][0] <= stop and (source[0][0] < stop or not taken or source[0][0] == start):
                hunk = source.pop(0)
                taken.append(hunk)
                stop = max(stop, hunk[1])
                grown = True
    return stop, taken_a, taken_b


def _apply(lines: list[bytes], start: int, stop: int, hunks: Hunks) -> list[bytes]:
    out: list[bytes] = []
    at = start
    for begin, end, new in hunks:
        out += lines[at:begin] + new
        at = end
    return out + lines[at:stop]


def _resolve(lines: list[bytes], start: int, stop: int, a: Hunks, b: Hunks) -> list[bytes]:
    theirs, ours = _apply(lines, start, stop, a), _apply(lines, start, stop, b)
    if not b or theirs == ours:
        return theirs
    if not a:
        return ours
    seen = set(theirs) | set(lines[start:stop])
    added = [line for line in ours if line not in seen or not line.strip()]
    if not any(line.strip() for line in added):
        return theirs
    return _with_newline(theirs) + added
