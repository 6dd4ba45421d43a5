"""Which changed line of a file is which: an edit has much the same words, or stands alone where the old one was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from crustacean.edits.known import Seen
from crustacean.edits.merge3 import hunks
from crustacean.text.normalise import normalise
from crustacean.text.similar import similarity

LIKE = 0.5
"""The least similarity at which a changed line counts as an edit of the line that stood in its place."""
MOST = 2500
"""Pairs of lines compared in one changed stretch; in a longer one each line is compared with its neighbours only."""
NEAR = 8

Pair = tuple[Seen, Seen, str]


def pairs(before: list[Seen], now: list[Seen], gone: list[Seen], came: list[Seen]) -> list[Pair]:
    """(old, new, "text" or "place") of each edit; what is paired is taken out of `gone` and `came`."""
    if not gone or not came:
        return []
    out: list[Pair] = []
    old_left, new_left = _marks(before, gone), _marks(now, came)
    shift = 0
    for start, stop, new in hunks([e.id for e in before], [e.id for e in now]):
        first = start + shift
        shift += len(new) - (stop - start)
        old = [i for i in range(start, stop) if i in old_left]
        fresh = [j for j in range(first, first + len(new)) if j in new_left]
        for i, j, how in _of_stretch(before, now, old, fresh, start - first, stop - start == len(new) == 1):
            out.append((before[i], now[j], how))
    drop(gone, [old for old, _, _ in out])
    drop(came, [new for _, new, _ in out])
    return out


def drop(rows: list[Seen], some: Iterable[Seen]) -> None:
    """Take each of `some` out of `rows`, of equal ones the first."""
    left = Counter(some)
    kept = []
    for row in rows:
        if left[row] > 0:
            left[row] -= 1
        else:
            kept.append(row)
    rows[:] = kept


def _marks(rows: list[Seen], some: list[Seen]) -> set[int]:
    """Indices in `rows` of its last rows that are `some`."""
    left = Counter(some)
    out = set()
    for i in range(len(rows) - 1, -1, -1):
        if left[rows[i]] > 0:
            left[rows[i]] -= 1
            out.add(i)
    return out


def _of_stretch(
    before: list[Seen], now: list[Seen], old: list[int], new: list[int], offset: int, alone: bool
) -> list[tuple[int, int, str]]:
    out: list[tuple[int, int, str]] = []
    free = dict.fromkeys(new)
    by_text: dict[str, list[int]] = {}
    for j in new:
        by_text.setdefault(normalise(now[j].text), []).append(j)
    rest = []
    for i in old:
        twins = by_text.get(normalise(before[i].text)) if before[i].text else None
        if twins:
            j = twins.pop(0)
            del free[j]
            out.append((i, j, "text"))
        elif before[i].text:
            rest.append(i)
    narrow = len(rest) * len(free) > MOST
    for i in rest:
        around = range(i - offset - NEAR, i - offset + NEAR + 1)
        near = [j for j in around if j in free] if narrow else list(free)
        scored = [(similarity(before[i].text, now[j].text), -abs(i - offset - j), j) for j in near]
        like, _, best = max(scored, default=(0.0, 0, -1))
        if like >= LIKE:
            del free[best]
            out.append((i, best, "text"))
        elif alone and i - offset in free:
            del free[i - offset]
            out.append((i, i - offset, "place"))
    return out
