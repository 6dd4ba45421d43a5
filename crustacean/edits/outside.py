"""A person's own changes between two runs: an editor, `git revert`, a checkout, the agent's own write tool.

What changed is recorded as an `outside` line: edits are linked to what they replace, removed lines are kept in the
trash. Only what the ledger knows is recorded; a person's own lines are theirs.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from crustacean.edits import files, journal, known, trash
from crustacean.edits.apply import commit
from crustacean.edits.store import Store
from crustacean.text.similar import similarity
from crustacean.workspace import layout
from crustacean.workspace.document import Document, parse

LIKE = 0.5
"""The least similarity at which a changed line counts as an edit of the line that stood in its place."""
BLOCK = 2
"""Fresh lines that vanish together from here on look like an editor that saved an old copy."""


@dataclass(slots=True)
class Outside:
    """What was found. files: path -> [known digest, found digest]. removed carries (id, path, text, heading)."""

    files: dict[str, list[str]] = field(default_factory=dict)
    edited: list[tuple[str, str, str, str]] = field(default_factory=list)
    removed: list[tuple[str, str, str, str]] = field(default_factory=list)
    moved: list[tuple[str, str, str]] = field(default_factory=list)
    returned: list[tuple[str, str]] = field(default_factory=list)
    added: int = 0
    notices: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.files)


def changed_files(store: Store) -> dict[str, tuple[str, bytes | None]]:
    """path -> (known digest, bytes now) of every file that is not as crab left it. A file seen for the first time with
    nothing of the ledger's in it is only remembered."""
    seen = {r[0]: r[1:] for r in store.db.execute("SELECT path, hash, size, mtime_ns, inode FROM known")}
    posts = dict(store.db.execute("SELECT path, hash FROM posts"))
    held = {
        r[0]
        for r in store.db.execute("SELECT DISTINCT path FROM copies WHERE state IN ('live', 'superseded', 'archived')")
    }
    out: dict[str, tuple[str, bytes | None]] = {}
    present = set()
    for path, stat in known.memory_files(store):
        present.add(path)
        old = seen.get(path)
        if old and old[1:] == (stat.st_size, stat.st_mtime_ns, stat.st_ino):
            continue
        data = files.read(layout.resolve(store.root, path))
        digest = files.digest(data)
        left = old[0] if old else posts.get(path, "")
        if digest == left or (not old and path not in posts and path not in held):
            known.remember(store, path)
        else:
            out[path] = (left, data)
    for path in sorted((set(seen) | held) - present):
        left = seen[path][0] if path in seen else posts.get(path, "")
        if left or path in held:
            out[path] = (left, None)
    return out


def find(store: Store) -> Outside:
    """Compare the files with what crab left. Changes nothing but caches."""
    changed = changed_files(store)
    result = Outside()
    vanished: list[tuple[str, str, str, str]] = []
    came: list[tuple[str, str, str]] = []
    for path, (left, data) in changed.items():
        result.files[path] = [left, files.digest(data)]
        now = _entries(store, path, data)
        before = _known(store, path, left)
        _compare(path, before, now, result, vanished, came)
    _moves(store, vanished, came, result)
    result.removed = [row for row in vanished if _ledger_knows(store.db, row[0], row[1])]
    result.edited = [row for row in result.edited if _ledger_knows(store.db, row[0], row[3])]
    result.notices = _stale_buffer(store, result)
    return result


def _entries(store: Store, path: str, data: bytes | None) -> list[tuple[str, str, str]]:
    if data is None:
        return []
    document: Document = parse(path, data, store.identify)
    return [(e.id, e.text, "\x1f".join(e.heading)) for e in document.entries]


def _known(store: Store, path: str, left: str) -> list[tuple[str, str, str]]:
    """The entries a file held when crab left it: from the cache, else from its image, else those the ledger places
    there (without their texts)."""
    rows = known.entries_of(store, path)
    if rows:
        return rows
    image = journal.image(store.root, left)
    if image is not None:
        return _entries(store, path, image)
    placed = store.db.execute(
        "SELECT id FROM copies WHERE path = ? AND state IN ('live', 'superseded', 'archived') ORDER BY seq", (path,)
    )
    return [(r[0], "", "") for r in placed]


def _compare(
    path: str,
    before: list[tuple[str, str, str]],
    now: list[tuple[str, str, str]],
    result: Outside,
    vanished: list[tuple[str, str, str, str]],
    came: list[tuple[str, str, str]],
) -> None:
    """Sort one file's entries into edited, vanished and come. An edit is a changed line in the same place, or with
    much the same words."""
    had, has = Counter(i for i, _, _ in before), Counter(i for i, _, _ in now)
    gone = _surplus(before, had - has)
    new = _surplus(now, has - had)
    for old, fresh, how in _pairs(before, now, gone, new):
        result.edited.append((before[old][0], now[fresh][0], how, path))
        gone.discard(old)
        new.discard(fresh)
    vanished += [(*_two(before[i]), before[i][2], path) for i in sorted(gone)]
    came += [(now[i][0], now[i][1], path) for i in sorted(new)]


def _two(row: tuple[str, str, str]) -> tuple[str, str]:
    return row[0], row[1]


def _surplus(rows: list[tuple[str, str, str]], extra: Counter[str]) -> set[int]:
    """Indices of the last `extra[id]` rows of each id."""
    left, out = Counter(extra), set()
    for i in range(len(rows) - 1, -1, -1):
        if left[rows[i][0]] > 0:
            left[rows[i][0]] -= 1
            out.add(i)
    return out


def _pairs(
    before: list[tuple[str, str, str]], now: list[tuple[str, str, str]], gone: set[int], new: set[int]
) -> list[tuple[int, int, str]]:
    out: list[tuple[int, int, str]] = []
    free = set(new)
    matcher = SequenceMatcher(None, [r[0] for r in before], [r[0] for r in now], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "replace":
            continue
        for i in range(i1, i2):
            if i not in gone:
                continue
            best = max((j for j in range(j1, j2) if j in free), key=lambda j: _like(before[i], now[j]), default=None)
            if best is not None and (
                _like(before[i], now[best]) >= LIKE or (i2 - i1 == j2 - j1 and best - j1 == i - i1)
            ):
                how = "text" if _like(before[i], now[best]) >= LIKE else "place"
                out.append((i, best, how))
                free.discard(best)
    return out


def _like(old: tuple[str, str, str], new: tuple[str, str, str]) -> float:
    return similarity(old[1], new[1]) if old[1] else 0.0


def _moves(
    store: Store, vanished: list[tuple[str, str, str, str]], came: list[tuple[str, str, str]], result: Outside
) -> None:
    """A line that left one file and came in another was moved; one that comes back is live again."""
    for ident, _, path in came:
        row = next((v for v in vanished if v[0] == ident), None)
        if row is not None:
            vanished.remove(row)
            result.moved.append((ident, row[3], path))
            continue
        back = store.db.execute(
            "SELECT 1 FROM copies WHERE id = ? AND state IN ('removed_outside', 'undone', 'trashed')", (ident,)
        ).fetchone()
        if back:
            result.returned.append((ident, path))
        else:
            result.added += 1
    vanished[:] = [(v[0], v[3], v[1], v[2]) for v in vanished]


def _ledger_knows(db: sqlite3.Connection, ident: str, path: str) -> bool:
    found = db.execute(
        "SELECT 1 FROM copies WHERE id = ? AND path = ? AND state IN ('live', 'superseded', 'archived')", (ident, path)
    )
    return bool(found.fetchone())


def _stale_buffer(store: Store, result: Outside) -> list[str]:
    """A sentence for every run whose fresh lines vanished from a file all at once."""
    out = []
    for path in dict.fromkeys(r[1] for r in result.removed):
        gone = Counter(r[0] for r in result.removed if r[1] == path)
        last = store.db.execute("SELECT run FROM posts WHERE path = ?", (path,)).fetchone()
        if not last or not last[0]:
            continue
        fresh = Counter(
            r[0]
            for r in store.db.execute(
                "SELECT id FROM copies WHERE run = ? AND path = ? AND state = 'live'", (last[0], path)
            )
        )
        if fresh and sum(fresh.values()) >= BLOCK and not fresh - gone:
            out.append(
                f"{path}: the {sum(fresh.values())} lines of run {last[0]} vanished at once (an editor saved an old copy?); "
                f"`crab trash restore {last[0]}` puts them back"
            )
    return out


def record(store: Store, result: Outside) -> None:
    """Write the `outside` line; removed texts go to the trash in the same step. Needs the lock."""
    if not result:
        return
    tree = store.tree()
    for ident, path, text, heading in result.removed:
        if text:
            under = tuple(heading.split("\x1f")) if heading else ()
            trash.text_to_trash(tree, trash.Gone(ident, path, under, text, "outside", "removed by hand"), store.clock())
    keys = {
        "files": result.files,
        "edited": [list(r) for r in result.edited],
        "removed": [[r[0], r[1]] for r in result.removed],
        "moved": [list(r) for r in result.moved],
        "returned": [list(r) for r in result.returned],
        "added": result.added,
    }
    if any(keys[k] for k in ("edited", "removed", "moved", "returned")) or _worth_a_line(store, result):
        commit(store, tree.changes(), tree.bases(), "outside", {k: v for k, v in keys.items() if v})
    for path in result.files:
        known.remember(store, path)


def _worth_a_line(store: Store, result: Outside) -> bool:
    """Whether a file that crab once wrote changed; a file that is only the person's own needs no line."""
    posts = {r[0] for r in store.db.execute("SELECT path FROM posts")}
    return any(path in posts for path in result.files)
