"""`crab verify`: every line that crab ever wrote is live, superseded, archived, in the trash, undone, removed by a
person or purged; anything else is lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from crustacean.edits import files, journal, outside, trash
from crustacean.edits.store import Store
from crustacean.workspace import layout
from crustacean.workspace.document import parse

IN_FILES = ("live", "superseded", "archived")


@dataclass(slots=True)
class Account:
    """Counts of copies by where they are now; lost: [{"id", "path", "run", "why"}]; unexplained removals first noticed
    by this call are in `outside`."""

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
    """Hold the folds against the files. found: the outside changes as of now, whether or not they could be recorded."""
    account = Account(problems=list(store.ledger.problems))
    removed = Counter((r[0], r[1]) for r in found.removed)
    replaced = Counter((e[0], e[3]) for e in found.edited)
    moved = Counter((m[0], m[1]) for m in found.moved)
    by_path: dict[str, Counter[str]] = {}
    for ident, path, state, run in store.db.execute("SELECT id, path, state, run FROM copies ORDER BY seq"):
        account.entries += 1
        if state not in IN_FILES:
            setattr(account, state, getattr(account, state) + 1)
            continue
        held = by_path.setdefault(path, _held(store, path))
        if held[ident] > 0:
            held[ident] -= 1
            setattr(account, state, getattr(account, state) + 1)
        elif replaced[ident, path] or moved[ident, path]:
            account.live += 1
        elif removed[ident, path] > 0 and _was_there(store, path, ident):
            removed[ident, path] -= 1
            account.removed_outside += 1
        else:
            account.lost.append({"id": ident, "path": path, "run": run, "why": "no file holds it and no hand took it"})
    _check_trash(store, account)
    return account


def _held(store: Store, path: str) -> Counter[str]:
    data = files.read(layout.resolve(store.root, path)) if path else None
    return Counter() if data is None else Counter(e.id for e in parse(path, data, store.identify).entries)


def _was_there(store: Store, path: str, ident: str) -> bool:
    """Whether crab's own last image of the file held the entry. Where it did not, no hand can have taken it out; where
    the image is gone with `.crab`, the difference between the recorded and the found bytes must do."""
    row = store.db.execute("SELECT hash FROM posts WHERE path = ?", (path,)).fetchone()
    image = journal.image(store.root, row[0]) if row else None
    return image is None or any(e.id == ident for e in parse(path, image, store.identify).entries)


def _check_trash(store: Store, account: Account) -> None:
    """A trash file that a person edited is theirs to edit; one that can't be read is named."""
    for path in sorted((store.root / layout.TRASH_DIR).glob("*.md")):
        data = files.read(path) or b""
        if data and not any(trash.sections(data)) and b"<!-- trash: " in data:
            account.problems.append(f"{path.name}: its sections can't be read; `crab trash list` misses them")
