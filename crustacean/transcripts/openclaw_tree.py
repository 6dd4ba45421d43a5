"""Which records of an OpenClaw transcript are on its live branch.

Records form a tree by `parentId`; a rewind goes on from an earlier record and abandons what came after it. The rules
are those by which OpenClaw reads its own transcripts: a `leaf` record moves the end of the branch, a record with
`appendMode` "side" does not, one without a parent or with one that is unknown goes on from the end, and after a `reset`
everything belongs behind it. One rule is ours: a record whose parent is null goes on from the end as well (older
versions lost parents; to drop a whole conversation is worse than to keep a branch), unless a `leaf` record went back to
the beginning.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_MEMBERS = frozenset(
    "message thinking_level_change model_change compaction reset branch_summary custom custom_message label"
    " session_info".split()
)
_HEAD = re.compile(
    rb'\{"type": ?"([a-z_]{1,40})", ?"id": ?"([^"\\]{1,64})", ?"parentId": ?(null|"[^"\\]{1,64}")[,}]',
)
_LINK = re.compile(rb'"id": ?"([^"\\]{1,64})", ?"parentId": ?(null|"[^"\\]{1,64}")')
_NO_PARENT = "-"
_OVERLAP = 128


@dataclass(frozen=True, slots=True)
class Node:
    """A record as the tree sees it. parent: an id, None for null, "-" where the record names none."""

    position: int
    type: str
    id: str
    parent: str | None
    side: bool = False
    target: str | None = None
    cursor: str | None = None


@dataclass(slots=True)
class Branch:
    """What a survey found. leaf: the id of the end of the branch. dead: the abandoned positions, rising."""

    leaf: str | None = None
    linear: bool = True
    count: int = 0
    dead: Sequence[int] = ()

    def abandoned(self, position: int) -> bool:
        at = bisect_left(self.dead, position)
        return at < len(self.dead) and self.dead[at] == position


def node_of(position: int, event: object) -> Node | None:
    """The node of a record, None for one that is no part of the tree (the header, one without an id)."""
    if not isinstance(event, dict):
        return None
    kind, own = event.get("type"), event.get("id")
    if not isinstance(kind, str) or not isinstance(own, str) or not own or kind == "session":
        return None
    parent = event.get("parentId", _NO_PARENT)
    if parent is not None and not isinstance(parent, str):
        parent = _NO_PARENT
    if kind != "leaf":
        return Node(position, kind, own, parent, event.get("appendMode") == "side")
    target = event.get("targetId", _NO_PARENT)
    target = target if target is None or isinstance(target, str) else _NO_PARENT
    cursor = event.get("appendParentId", target)
    return Node(position, kind, own, parent, False, target, cursor if isinstance(cursor, str) else None)


def glance(position: int, raw: bytes) -> Node | None:
    """The node of a record by its first bytes where they tell, else by all of it. None also for what is not JSON."""
    found = _HEAD.match(raw)
    if found and found[1] != b"leaf" and b'"appendMode"' not in raw:
        parent = None if found[3] == b"null" else found[3][1:-1].decode("utf-8", "replace")
        return Node(position, found[1].decode(), found[2].decode("utf-8", "replace"), parent)
    try:
        return node_of(position, json.loads(raw))
    except (ValueError, RecursionError):
        return None


def survey(nodes: Callable[[], Iterable[Node]], leaf: str | None = None) -> Branch:
    """The live branch of a transcript.

    nodes: gives its nodes in order, positions rising; called a second time where the transcript is no plain line.
    leaf: the end of the branch before the first node, where only what came after a known place is given; then the
    branch is not `linear` as soon as a node does not go on from there, and says nothing about what is dead.
    """
    last, count = leaf, 0
    for node in nodes():
        count += 1
        if node.type == "leaf" or node.side or not (node.parent == last or node.parent == _NO_PARENT):
            first = count == 1 and leaf is None and node.type != "leaf" and not node.side
            if not first:
                return Branch(None, False, count) if leaf is not None else _Tree().follow(nodes())
        last = node.id
    return Branch(last, True, count)


class _Tree:
    """The whole tree of one transcript: ids as hashes, the rest as arrays, so that a million records fit."""

    def __init__(self) -> None:
        self._index: dict[int, int] = {}
        self._parent = array("q")
        self._reset = array("q")
        self._position = array("q")
        self._control = bytearray()
        self._leaf = -1
        self._cursor = -1
        self._latest_reset = -1
        self._from_start = False

    def follow(self, nodes: Iterable[Node]) -> Branch:
        ids: dict[int, str] = {}
        count = 0
        for node in nodes:
            count += 1
            before = self._leaf
            self._take(node)
            if self._leaf != before:
                ids = {self._leaf: node.id if node.type != "leaf" else (node.target or "")}
        branch = Branch(ids.get(self._leaf) or None, False, count)
        branch.dead = self._dead()
        return branch

    def _find(self, name: str | None) -> int:
        return self._index.get(hash(name), -1) if name is not None else -1

    def _take(self, node: Node) -> None:
        if node.type == "leaf":
            self._move(node)
            return
        member = node.type in _MEMBERS
        parent = self._parent_of(node) if member else self._find(node.parent)
        own = self._store(node, parent, control=False)
        if node.type == "reset":
            self._latest_reset = self._reset[own] = own
        self._cursor = own
        if member and not node.side:
            self._leaf = own
            self._from_start = False

    def _move(self, node: Node) -> None:
        """A leaf record: the branch goes on from its target; one whose target is unknown changes nothing."""
        target = self._find(node.target)
        if node.target == _NO_PARENT or (node.target is not None and target < 0):
            self._store(node, self._find(node.parent), control=True)
            return
        if self._latest_reset >= 0 and self._leaf >= 0 and self._reset_before(target) != self._latest_reset:
            target = self._leaf
        self._store(node, target, control=True)
        self._leaf, self._from_start = target, target < 0
        cursor = self._find(node.cursor)
        self._cursor = cursor if cursor >= 0 else target

    def _parent_of(self, node: Node) -> int:
        """Where a record hangs: its parent as it says, or the end of the branch where that can't be meant."""
        named = self._find(node.parent)
        if named < 0:
            return -1 if node.parent is None and self._from_start else self._leaf
        if node.side:
            return self._visible(named)
        if self._latest_reset >= 0 and self._reset_before(named) != self._latest_reset:
            return self._leaf
        if named == self._cursor and self._leaf != self._cursor:
            return self._leaf
        return self._visible(named)

    def _visible(self, at: int) -> int:
        """Through leaf records to what they point at; they only ever point back."""
        while at >= 0 and self._control[at] and self._parent[at] < at:
            at = self._parent[at]
        return at

    def _reset_before(self, at: int) -> int:
        return self._reset[at] if at >= 0 else -1

    def _store(self, node: Node, parent: int, *, control: bool) -> int:
        own = len(self._parent)
        self._index[hash(node.id)] = own
        self._parent.append(parent)
        self._reset.append(self._reset_before(parent))
        self._position.append(node.position)
        self._control.append(control)
        return own

    def _dead(self) -> Sequence[int]:
        live = bytearray(len(self._parent))
        at = self._leaf
        while at >= 0 and not live[at]:
            live[at] = 1
            at = self._parent[at]
        dead = (self._position[i] for i in range(len(live)) if not live[i] and not self._control[i])
        return array("q", sorted(dead))


def may_branch(pieces: Iterable[bytes]) -> bool:
    """Whether a transcript of JSON lines could be anything but a line of records, each with the one before it as its
    parent; cheap, and wrong only by saying yes.

    pieces: its bytes. In a string the quotes are escaped, so what looks like a member is one; a record says its id and
    then its parent. One line, the header, may do without.
    """
    last: bytes | None = None
    lines = links = 0
    rest = b""
    for piece in pieces:
        data = rest + piece
        end = data.rfind(b"\n") + 1
        # Of a line longer than a piece only a bit is kept: what is seen twice for that is looked at more closely.
        data, rest = (data[:end], data[end:]) if end else (data, data[-_OVERLAP:])
        if b'"appendMode"' in data or b'"type":"leaf"' in data or b'"type": "leaf"' in data:
            return True
        found = _LINK.findall(data)
        lines += data.count(b"\n")
        links += len(found)
        parents = [parent for _, parent in found]
        ids = [b'"%b"' % own for own, _ in found]
        if parents[1:] != ids[:-1] or (parents and parents[0] != last and not (last is None and parents[0] == b"null")):
            return True
        last = ids[-1] if ids else last
    return lines - links > 1
