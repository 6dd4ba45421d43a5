"""`crab verify`: every line that crab ever wrote is live, superseded, archived, in the trash, undone, removed by a
person or purged; anything else is lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from crustacean.edits import commits, files, journal, outside, trash
from crustacean.edits.fold import FROM
from crustacean.edits.store import Store
from crustacean.workspace import layout
from crustacean.workspace.document import parse


@dataclass(slots=True)
class Account:
    """Counts of copies by where they are now; lost: [{"id", "path", "run", "why"}]; problems: sentences about files
    and ledger lines that can't be read."""

    entries: int = 0
    live: int = 0
    superseded: int = 0
    archived: int = 0
    trashed: int = 0
    undone: int = 0
    removed_outside: int = 0
    purged: int = 0
    lost: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def verify(store: Store, found: outside.Outside) -> Account:
    """Hold the folds against the files. found: what a person changed that the ledger does not have yet."""
    account = Account(problems=list(store.ledger.problems))
    removed = Counter((row.id, path) for row, path in found.removed)
    elsewhere = Counter((old, path) for old, _, _, path in found.edited)
    elsewhere += Counter((ident, source) for ident, source, _ in found.moved)
    by_path: dict[str, Counter[str] | None] = {}
    for ident, path, state, run in store.db.execute("SELECT id, path, state, run FROM copies ORDER BY seq").fetchall():
        account.entries += 1
        if state not in FROM:
            setattr(account, state, getattr(account, state) + 1)
            continue
        if path not in by_path:
            by_path[path] = _held(store, path, account)
        held = by_path[path]
        if held is None:
            setattr(account, state, getattr(account, state) + 1)
        elif held[ident] > 0:
            held[ident] -= 1
            setattr(account, state, getattr(account, state) + 1)
        elif elsewhere[ident, path] > 0:
            elsewhere[ident, path] -= 1
            setattr(account, state, getattr(account, state) + 1)
        elif removed[ident, path] > 0 and _was_there(store, path, ident):
            removed[ident, path] -= 1
            account.removed_outside += 1
        else:
            account.lost.append({"id": ident, "path": path, "run": run, "why": "no file holds it and no hand took it"})
    _check_trash(store, account)
    return account


def _held(store: Store, path: str, account: Account) -> Counter[str] | None:
    """The ids in a file; None for one that can't be read, which is named and given the benefit of the doubt."""
    data = files.read(store.real(path)) if path else None
    if data is None:
        return Counter()
    document = parse(path, data, store.identify)
    if document.problem:
        account.problems.append(f"{path} can't be read: {document.problem}")
        return None
    return Counter(e.id for e in document.entries)


def _was_there(store: Store, path: str, ident: str) -> bool:
    """Whether crab's own last image of the file held the entry. Where it did not, no hand can have taken it out; where
    the image is gone with `.crab` and git does not have it, the recorded and the found bytes must do."""
    row = store.db.execute("SELECT hash FROM posts WHERE path = ?", (path,)).fetchone()
    if row is None:
        return True
    image = journal.image(store.root, row[0])
    if image is None:
        image = commits.past(store, path, row[0])
    return image is None or any(e.id == ident for e in parse(path, image, store.identify).entries)


def _check_trash(store: Store, account: Account) -> None:
    """A trash file that a person edited is theirs to edit; one that can't be read is named."""
    for path in sorted((store.root / layout.TRASH_DIR).glob("*.md")):
        data = files.read(path) or b""
        if trash.unreadable(data):
            account.problems.append(f"{path.name}: its sections can't be read; `crab trash list` misses them")
