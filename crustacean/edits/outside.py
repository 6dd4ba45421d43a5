"""A person's own changes between two runs: an editor, `git revert`, a checkout, the agent's own write tool.

What changed is recorded as an `outside` line: edits are linked to what they replace, removed lines are kept in the
trash. Only what the ledger knows is recorded; a person's own lines are theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from crustacean.edits import commits, files, journal, known, pairing, trash
from crustacean.edits.apply import commit
from crustacean.edits.fold import GONE, IN_FILES
from crustacean.edits.known import Found, Seen
from crustacean.edits.store import Store
from crustacean.text.normalise import normalise

BLOCK = 2
"""Fresh lines that vanish together from here on look like an editor that saved an old copy."""


@dataclass(slots=True)
class Outside:
    """What was found. edited: (old id, new id, "place" or "text", path); removed: the entry and its path; moved: (id,
    from, to); returned: (id, path) of one that had gone; added: how many are new. replaced: old entries of edits that
    left
    no word of theirs, and their path."""

    files: dict[str, Found] = field(default_factory=dict)
    edited: list[tuple[str, str, str, str]] = field(default_factory=list)
    replaced: list[tuple[Seen, str]] = field(default_factory=list)
    removed: list[tuple[Seen, str]] = field(default_factory=list)
    moved: list[tuple[str, str, str]] = field(default_factory=list)
    returned: list[tuple[str, str]] = field(default_factory=list)
    added: int = 0
    notices: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.files)


Rows = dict[str, list[Seen]]
"""path -> entries."""


def find(store: Store) -> Outside:
    """Compare the files with what crab left. Changes nothing but caches."""
    result = Outside(known.changed_files(store))
    if not result:
        return result
    gone: Rows = {}
    came: Rows = {}
    before = {path: _known(store, path, found.left) for path, found in result.files.items()}
    now = {path: known.entries(store, path, found.data) for path, found in result.files.items()}
    for path in result.files:
        had, has = Counter(e.id for e in before[path]), Counter(e.id for e in now[path])
        gone[path], came[path] = _surplus(before[path], had - has), _surplus(now[path], has - had)
    _moves(result, gone, came)
    _returns(store, result, came)
    for path in result.files:
        pairs = pairing.pairs(before[path], now[path], gone[path], came[path])
        result.edited += [(old.id, new.id, how, path) for old, new, how in pairs]
        result.replaced += [(old, path) for old, _, how in pairs if how == "place"]
    _moves_by_text(result, gone, came)
    result.removed = [(e, path) for path, rows in gone.items() for e in rows]
    result.added = sum(len(rows) for rows in came.values())
    _only_the_ledgers(store, result, now)
    result.notices = _stale_buffer(store, result)
    return result


def _known(store: Store, path: str, left: str) -> list[Seen]:
    """The entries a file held when crab left it: from the cache, else from its image or git's, else those the ledger
    places there (without their texts)."""
    rows = known.entries_of(store, path)
    if rows or not left:
        return rows or _placed(store, path)
    image = journal.image(store.root, left)
    if image is None:
        image = commits.past(store, path, left)
    return known.entries(store, path, image) if image is not None else _placed(store, path)


def _placed(store: Store, path: str) -> list[Seen]:
    rows = store.db.execute(f"SELECT id FROM copies WHERE path = ? AND state IN {IN_FILES} ORDER BY seq", (path,))
    return [Seen(r[0], "") for r in rows]


def _surplus(rows: list[Seen], extra: Counter[str]) -> list[Seen]:
    """The last `extra[id]` rows of each id, in order."""
    wanted, out = Counter(extra), []
    for row in reversed(rows):
        if wanted[row.id] > 0:
            wanted[row.id] -= 1
            out.append(row)
    return out[::-1]


def _moves(result: Outside, gone: Rows, came: Rows) -> None:
    """A line that left one file and came in another was moved."""
    for old, _, source, to in _matched(gone, came, lambda row: row.id):
        result.moved.append((old.id, source, to))


def _matched(gone: Rows, came: Rows, name: Callable[[Seen], str]) -> list[tuple[Seen, Seen, str, str]]:
    """(gone, come, from, to) of lines that go by the same name; they are taken out of both."""
    left: dict[str, list[tuple[str, Seen]]] = {}
    for path, rows in gone.items():
        for row in rows:
            left.setdefault(name(row), []).append((path, row))
    out = []
    from_here: Rows = {path: [] for path in gone}
    to_here: Rows = {path: [] for path in came}
    for to, rows in came.items():
        for row in rows:
            if name(row) and left.get(name(row)):
                source, old = left[name(row)].pop(0)
                out.append((old, row, source, to))
                from_here[source].append(old)
                to_here[to].append(row)
    for path in gone:
        pairing.drop(gone[path], from_here[path])
        pairing.drop(came[path], to_here[path])
    return out


def _returns(store: Store, result: Outside, came: Rows) -> None:
    """A line that the ledger knows as gone and that stands in a file is live again."""
    so_far: Counter[str] = Counter()
    for path, rows in came.items():
        for ident, count in Counter(r.id for r in rows).items():
            known_gone = store.db.execute(
                f"SELECT count(*) FROM copies WHERE id = ? AND state IN {GONE}", (ident,)
            ).fetchone()[0]
            back = min(count, known_gone - so_far[ident])
            so_far[ident] += back
            pairing.drop(rows, [r for r in rows if r.id == ident][:back])
            result.returned += [(ident, path)] * back


def _moves_by_text(result: Outside, gone: Rows, came: Rows) -> None:
    """A line whose id comes from its file (a person's, a day's) has another one where a hand moved it to: the same
    words, gone here and come there, are an edit and a move."""
    for old, new, source, to in _matched(gone, came, lambda row: normalise(row.text)):
        result.edited.append((old.id, new.id, "text", source))
        if source != to:
            result.moved.append((new.id, source, to))


def _only_the_ledgers(store: Store, result: Outside, now: Rows) -> None:
    """Leave out what the ledger does not know, and of twins those that still have a line for each that it knows."""
    renamed = {(new, path) for _, new, _, path in result.edited}
    result.edited = [row for row in result.edited if _copies(store, row[0], row[3])]
    result.replaced = [(row, path) for row, path in result.replaced if _copies(store, row.id, path)]
    kept = {(new, path) for _, new, _, path in result.edited}
    result.moved = [
        row
        for row in result.moved
        if (row[0], row[1]) in kept or ((row[0], row[1]) not in renamed and _copies(store, row[0], row[1]))
    ]
    room: Counter[tuple[str, str]] = Counter()
    removed = []
    for row, path in result.removed:
        key = (row.id, path)
        if key not in room:
            room[key] = _copies(store, *key) - sum(1 for e in now[path] if e.id == row.id)
        if room[key] > 0:
            room[key] -= 1
            removed.append((row, path))
    result.removed = removed


def _copies(store: Store, ident: str, path: str) -> int:
    row = store.db.execute(
        f"SELECT count(*) FROM copies WHERE id = ? AND path = ? AND state IN {IN_FILES}", (ident, path)
    ).fetchone()
    return int(row[0])


def _stale_buffer(store: Store, result: Outside) -> list[str]:
    """A sentence for every run whose fresh lines vanished from a file all at once."""
    out = []
    for path in dict.fromkeys(path for _, path in result.removed):
        gone = Counter(row.id for row, where in result.removed if where == path)
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
                f"{path}: the {sum(fresh.values())} lines of run {last[0]} vanished at once (an editor saved an old"
                f" copy?); `crab trash restore {last[0]}` puts them back"
            )
    return out


def record(store: Store, result: Outside) -> None:
    """Write the `outside` line; removed texts go to the trash in the same step. Needs the lock."""
    if not result:
        return
    tree = store.tree()
    for row, path, why in [
        *((row, path, "removed by hand") for row, path in result.removed),
        *((row, path, "replaced by hand") for row, path in result.replaced),
    ]:
        if row.text:
            made = store.db.execute(
                f"SELECT run FROM copies WHERE id = ? AND path = ? AND state IN {IN_FILES}", (row.id, path)
            ).fetchone()
            block = trash.block_of(replace(row, meta=row.meta or _word(store, row.id)))
            gone = trash.Gone(row.id, path, row.heading, block, made[0] if made else "", why)
            trash.text_to_trash(tree, gone, store.clock())
    posts = {r[0] for r in store.db.execute("SELECT path FROM posts")}
    moved_in = {path for row in result.moved for path in row[1:]} | {path for _, path in result.returned}
    keys = {
        "files": {
            path: [found.left, files.digest(found.data)]
            for path, found in result.files.items()
            if path in posts or path in moved_in or any(path == row[-1] for row in (*result.edited, *result.removed))
        },
        "edited": [list(r) for r in result.edited],
        "removed": [[row.id, path] for row, path in result.removed],
        "moved": [list(r) for r in result.moved],
        "returned": [list(r) for r in result.returned],
        "added": result.added,
    }
    if any(keys[k] for k in ("files", "edited", "removed", "moved", "returned")):
        commit(store, tree.changes(), tree.bases(), "outside", {k: v for k, v in keys.items() if v})
    for path, found in result.files.items():
        known.remember(store, path, found.data, found.stat)


def _word(store: Store, ident: str) -> str:
    """The comment that says what the ledger knows of an entry of a file that shows none."""
    return trash.comment(store.word(ident))
