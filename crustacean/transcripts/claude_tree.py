"""Which records of a Claude Code session were abandoned by a rewind.

Records form a tree by `parentUuid`. Its forks are mostly not rewinds: parallel tool calls, hooks, attachments and
progress records hang beside the trunk, and records that were never written leave children without a parent. To drop
what is not on the trunk would lose whole conversations. A rewind puts a person's prompt where another prompt stood, so
only that counts: of the prompts that follow the same record, one is live, and what hangs below the others is dead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import IntEnum
from itertools import islice

TRAIL = 64
"""So many records of the live branch are remembered for the next reading."""
_SHORT = 8


class Part(IntEnum):
    """What a record is to the tree. ASIDE: hooks, attachments, commands, notices. BREAK: where a compaction begins."""

    ASIDE = 0
    PROMPT = 1
    AGENT = 2
    RESULT = 3
    BREAK = 4


class Tree:
    """The records of one reading of a file, in the order in which they stand there.

    trail: the ends of the ids of the live branch that an earlier reading saw, oldest first.
    """

    def __init__(self, trail: Sequence[str] = ()) -> None:
        self.known: dict[str, int] = {}
        self.parts: list[Part] = []
        self._links: list[str | None] = []
        self._trail = {short: at for at, short in enumerate(trail)}
        self._named: str | None = None
        self._named_at = 0
        self._last: str | None = None
        self._forked = False

    def add(self, uuid: str, parent: str | None, part: Part) -> int:
        """Add a record; its number is given. It must not be known. parent: an id, None where the record says that it
        has none, "" where it says nothing or starts anew after a compaction."""
        number = len(self.parts)
        if parent != self._last and number and parent != "":
            self._forked = True
        self._last = uuid
        self.known[uuid] = number
        self._links.append(parent)
        self.parts.append(part)
        return number

    def name_leaf(self, uuid: str) -> None:
        """The client's own word for where the live branch ends, as of now; it may name a record that follows soon."""
        self._named = uuid
        self._named_at = len(self.parts)

    def dead(self) -> set[int]:
        """The numbers of the records on abandoned branches."""
        if not self._forked and self._leaf() == len(self.parts) - 1:
            return set()
        prompts = [n for n, part in enumerate(self.parts) if part is Part.PROMPT]
        if not prompts:
            return set()
        parents, missing = self._parents()
        children = _children(parents)
        anchors = self._anchors(prompts, parents)
        trunk = set(_upwards(self._leaf(), parents))
        losers = list(self._rivals(prompts, anchors, trunk, _latest(children, parents, len(self.parts))))
        losers += self._rewound_over(prompts, anchors, missing)
        if self._at_rest():
            losers += self._left_below(children)
        return _below(losers, children) - trunk

    def trail(self) -> list[str]:
        """The ends of the ids of the live branch, oldest first, for the next reading."""
        before = sorted(self._trail, key=self._trail.__getitem__)
        line: Iterable[int] = range(len(self.parts) - 1, -1, -1)
        if self._forked or self._at_rest():
            line = (n for n in _upwards(self._leaf(), self._parents()[0]) if n < len(self.parts))
        last = list(islice(line, TRAIL))[::-1]
        wanted = set(last)
        names = {number: uuid for uuid, number in self.known.items() if number in wanted}
        return [*before, *(names[number][-_SHORT:] for number in last)][-TRAIL:]

    def _at_rest(self) -> bool:
        """Whether the client's word came after all records: nothing was said since."""
        return self._named in self.known and self._named_at == len(self.parts)

    def _leaf(self) -> int | None:
        if self._at_rest() and self._named is not None:
            return self.known[self._named]
        return len(self.parts) - 1 if self.parts else None

    def _parents(self) -> tuple[list[int | None], dict[int, str]]:
        """The parent of each record, by number. An id that no record has gets a number of its own behind the records,
        so that its children stay together; it follows what stood before the first of them, or an earlier reading."""
        parents: list[int | None] = []
        missing: dict[str, int] = {}
        follows: list[int | None] = []
        before: int | None = None
        for number, link in enumerate(self._links):
            if link is None or not link:
                parents.append(None if link is None and self._named else before)
            elif (known := self.known.get(link)) is not None:
                parents.append(known)
            else:
                if link not in missing:
                    missing[link] = len(self.parts) + len(missing)
                    follows.append(None if link[-_SHORT:] in self._trail else before)
                parents.append(missing[link])
            if self.parts[number] is not Part.ASIDE:
                before = number
        return parents + follows, {number: uuid for uuid, number in missing.items()}

    def _anchors(self, prompts: Sequence[int], parents: Sequence[int | None]) -> dict[int, int | None]:
        """The record that each prompt follows, what stands aside passed over."""
        passed: dict[int, int | None] = {}
        anchors: dict[int, int | None] = {}
        for prompt in prompts:
            walked: list[int] = []
            at = parents[prompt]
            while at is not None and at not in passed and at < len(self.parts) and self.parts[at] is Part.ASIDE:
                passed[at] = None  # ends a ring
                walked.append(at)
                at = parents[at]
            found = at if at is None else passed.get(at, at)
            passed.update(dict.fromkeys(walked, found))
            anchors[prompt] = found
        return anchors

    def _rivals(
        self,
        prompts: Sequence[int],
        anchors: Mapping[int, int | None],
        trunk: Set[int],
        latest: Sequence[int],
    ) -> Iterator[int]:
        """Of the prompts that follow the same record, all but the live one: that on the trunk, else the latest."""
        groups: dict[int | None, list[int]] = {}
        for prompt in prompts:
            groups.setdefault(anchors[prompt], []).append(prompt)
        for group in groups.values():
            live = max(group, key=lambda n: (n in trunk, latest[n]))
            yield from (n for n in group if n != live)

    def _left_below(self, children: Sequence[Sequence[int]]) -> Iterator[int]:
        """Answered prompts below the leaf: the person went back over them and said nothing more."""
        leaf = self._leaf()
        left = list(children[leaf]) if leaf is not None else []
        seen: set[int] = set()
        while left:
            number = left.pop()
            if number in seen or number >= len(self.parts):
                continue
            seen.add(number)
            if self.parts[number] is not Part.PROMPT:
                left.extend(children[number])
            elif any(n < len(self.parts) and self.parts[n] is Part.AGENT for n in _below([number], children)):
                yield number

    def _rewound_over(
        self, prompts: Sequence[int], anchors: Mapping[int, int | None], missing: Mapping[int, str]
    ) -> Iterator[int]:
        """Prompts that a later one went back over, both behind records of an earlier reading."""
        back = len(self._trail)
        for prompt in reversed(prompts):
            anchor = anchors[prompt]
            place = None if anchor is None else self._trail.get(missing.get(anchor, "")[-_SHORT:])
            if place is None:
                continue
            if place >= back:
                yield prompt
            back = min(back, place)


def _children(parents: Sequence[int | None]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in parents]
    for number, parent in enumerate(parents):
        if parent is not None:
            children[parent].append(number)
    return children


def _upwards(number: int | None, parents: Sequence[int | None]) -> Iterator[int]:
    """A record and all above it; a ring, which only a damaged file has, is walked once."""
    seen: set[int] = set()
    while number is not None and number not in seen:
        seen.add(number)
        yield number
        number = parents[number]


def _below(numbers: Iterable[int], children: Sequence[Sequence[int]]) -> set[int]:
    """Some records and all below them."""
    found: set[int] = set()
    left = list(numbers)
    while left:
        at = left.pop()
        if at not in found:
            found.add(at)
            left.extend(children[at])
    return found


def _latest(children: Sequence[Sequence[int]], parents: Sequence[int | None], records: int) -> list[int]:
    """For each number the last record of the file that hangs below it."""
    latest = [n if n < records else -1 for n in range(len(parents))]
    waiting = [len(c) for c in children]
    ready = [n for n, count in enumerate(waiting) if not count]
    while ready:
        number = ready.pop()
        parent = parents[number]
        if parent is None:
            continue
        latest[parent] = max(latest[parent], latest[number])
        waiting[parent] -= 1
        if not waiting[parent]:
            ready.append(parent)
    return latest
