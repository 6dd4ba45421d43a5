"""An opened workspace: its root, state, ledger and clock, and the one lock for whoever writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from crustacean.edits import state
from crustacean.edits.fold import IN_FILES
from crustacean.edits.ledger import Ledger
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused, LockedError, WorkspaceError
from crustacean.workspace import layout


@dataclass(slots=True)
class Store:
    """root: the workspace. db: the folds and caches. clock: the current time, aware, in the person's zone."""

    root: Path
    db: sqlite3.Connection
    ledger: Ledger
    clock: Callable[[], datetime]

    def identify(self, path: str, computed: str, claimed: str | None) -> str:
        """An entry's id: the one that the ledger kept for it when crab moved it, else the computed one. A claimed
        `id:` is believed only where the ledger gave that id to an entry of just these words, and never in MEMORY.md."""
        kept = self.db.execute("SELECT id FROM kept_ids WHERE path = ? AND computed = ?", (path, computed)).fetchone()
        if kept:
            return str(kept[0])
        if claimed and path != layout.MEMORY:
            known = self.db.execute(
                "SELECT 1 FROM kept_ids WHERE id = ? AND computed = ? LIMIT 1", (claimed, computed)
            ).fetchone()
            if known:
                return claimed
        return computed

    def tree(self) -> Tree:
        return Tree(self.root, self.identify)

    def word(self, ident: str) -> tuple[str, str] | None:
        """(origin, audience) of an id as the ledger has it, None for a line that crab never wrote."""
        row = self.db.execute("SELECT origin, audience FROM provenance WHERE id = ?", (ident,)).fetchone()
        return (row[0], row[1]) if row else None

    def places(self, ident: str) -> list[str]:
        """The files that hold an id, as far as the ledger or the last look at them tells."""
        rows = self.db.execute(
            f"SELECT path FROM copies WHERE id = ? AND state IN {IN_FILES}"
            " UNION SELECT path FROM known_entries WHERE id = ? ORDER BY path",
            (ident, ident),
        )
        return [r[0] for r in rows]

    def real(self, path: str) -> Path:
        """The file of a workspace path. Raises WorkspaceError where it leads out of the workspace by now."""
        try:
            return layout.resolve(self.root, path)
        except EditRefused as err:
            raise WorkspaceError(f"nothing was changed: {err.reason}", "see what has become of that path") from err


@contextmanager
def opened(root: Path, clock: Callable[[], datetime]) -> Iterator[Store]:
    """Open the state and ledger of a workspace and bring the folds up to date."""
    db = state.open_state(root)
    try:
        ledger = Ledger(root, db, clock)
        ledger.sync()
        yield Store(root, db, ledger, clock)
    except sqlite3.OperationalError as err:
        raise WorkspaceError(f"{root / layout.STATE_DIR}: {err}", "free some space or check permissions") from err
    finally:
        state.close(db)


@contextmanager
def locked(store: Store, wait: float = 0.0) -> Iterator[None]:
    """Hold the workspace's lock. wait: seconds to wait for it. Raises LockedError while another run holds it, and
    WorkspaceError where the folder can't be written."""
    from filelock import FileLock, Timeout

    path = store.root / layout.STATE_DIR / "lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=wait)
        lock.acquire()
    except Timeout as err:
        raise LockedError("another run holds the lock", "wait until it ends") from err
    except OSError as err:
        raise WorkspaceError(f"{path} can't be written: {err.strerror}", "check the folder's permissions") from err
    try:
        # What another process appended between our opening and the lock belongs into the folds first.
        store.ledger.sync()
        yield
    finally:
        lock.release()
