"""Writing a plan's files: journal, replace, read again, ledger. Either all of it is there or none.

The order is: images and journal, temporary files for every target, a last look at the base of each file, targets before
sources, the ledger's lines, the journal away. A crash anywhere is finished or taken back by `recovery`.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crustacean.edits import files, install, journal, known, late, state
from crustacean.edits.install import Step
from crustacean.edits.journal import Change, Journal
from crustacean.edits.ledger import Rows
from crustacean.edits.store import Store
from crustacean.errors import WorkspaceError
from crustacean.workspace import layout

Changes = Mapping[str, tuple[bytes | None, bytes | None]]


class Moved(Exception):
    """A file changed between planning and writing: plan again. `path` is the file."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def _nothing(line: str) -> Rows:
    return ()


def commit(
    store: Store,
    changes: Changes,
    bases: Mapping[str, bytes | None],
    kind: str,
    keys: dict[str, Any],
    also: Callable[[str], Rows] = _nothing,
) -> str:
    """Write the files of `changes` (path -> bytes before and after) and one ledger line of `kind` with `keys`; returns
    the line's id. Needs the lock.

    bases: the bytes that planning read, for every file it looked at. also: given that id, further lines (kind, keys)
    that are written with it or not at all. Raises Moved where a base is different on disk by now, WorkspaceError where
    the disk refuses; in both cases every file is as it was.
    """
    steps = [
        Step(path, store.real(path), before, after)
        for path, (before, after) in sorted(changes.items(), key=_targets_first)
    ]
    cut: Callable[[], None] | None = None
    try:
        ident = store.ledger.next_id()
        lines = store.ledger.compose([(kind, _with_files(keys, steps)), *also(ident)])
        _prepare(store, steps, str(keys.get("run", "")), lines)
        _check_bases(store, bases)
        _check_known(store, steps)
        for step in steps:
            install.install(step, keeper(store))
        with state.transaction(store.db):
            cut = store.ledger.append_raw(lines)
            left(store, steps, str(keys.get("run", "")))
    except (OSError, WorkspaceError, Moved, sqlite3.Error) as err:
        _give_up(store, steps, cut)
        if isinstance(err, OSError | sqlite3.Error):
            raise refused(err) from err
        raise
    settle(store, steps)
    return ident


def refused(err: OSError | sqlite3.Error) -> WorkspaceError:
    """What a person is told where the disk does not take what is to be written."""
    what = (err.strerror or str(err)) if isinstance(err, OSError) else str(err)
    where = f" ({err.filename})" if isinstance(err, OSError) and err.filename else ""
    return WorkspaceError(f"nothing was changed: {what}{where}", "free some space or check permissions")


def keeper(store: Store) -> Callable[[bytes], None]:
    """Keeps bytes that were found where others were expected."""
    return lambda data: journal.save_images(store.root, [data], store.clock().timestamp())


def _targets_first(item: tuple[str, tuple[bytes | None, bytes | None]]) -> tuple[int, str]:
    path, (before, after) = item
    if after is None:
        return 2, path
    grows = before is None or len(after) >= len(before)
    return (0 if grows else 1), path


def _with_files(keys: dict[str, Any], steps: Sequence[Step]) -> dict[str, Any]:
    """The line's keys with path -> [digest before, digest after] of what crab leaves there. Whatever else is found on
    the disk later, another hand did it."""
    left = {step.path: [files.digest(step.before), files.digest(step.after)] for step in steps}
    return keys | {"files": {**keys.get("files", {}), **left}} if left or "files" in keys else keys


def _prepare(store: Store, steps: Sequence[Step], run: str, lines: tuple[bytes, ...]) -> None:
    images = [data for step in steps for data in (step.before, step.after)]
    journal.save_images(store.root, images, store.clock().timestamp())
    changes = tuple(Change(s.path, files.digest(s.before), files.digest(s.after)) for s in steps)
    journal.write(store.root, Journal(run, lines, changes))
    for step in steps:
        install.prepare(step)


def _check_bases(store: Store, bases: Mapping[str, bytes | None]) -> None:
    for path, base in bases.items():
        if files.read(store.real(path)) != base:
            raise Moved(path)


def _check_known(store: Store, steps: Sequence[Step]) -> None:
    """A person's save that came after the last look at the files is to be recorded before anything is written on it."""
    for step in steps:
        row = store.db.execute("SELECT hash FROM known WHERE path = ?", (step.path,)).fetchone()
        if layout.is_memory(step.path) and files.digest(step.before) != (row[0] if row else ""):
            raise Moved(step.path)


def _give_up(store: Store, steps: list[Step], cut: Callable[[], None] | None) -> None:
    """Everything as it was. Where even that fails, the journal stays, and the next command finishes the run."""
    with contextlib.suppress(OSError):
        if cut is not None:
            cut()
        install.take_back(steps)
        for step in steps:
            if step.before is None:
                files.prune_folders(step.real.parent, store.root, layout.FOLDERS)
        journal.clear(store.root)
        if any(data != step.before for step in steps for _, data in step.old):
            late.look(store)  # somebody is saving just now


def left(store: Store, steps: Sequence[Step], run: str) -> None:
    """Remember each file as the run was to leave it, and that git does not have it yet."""
    day = store.clock().date().isoformat()
    for step in steps:
        found, stat = files.read_with_stat(step.real)
        known.remember(store, step.path, step.after, stat if found == step.after else None)
        store.db.execute("INSERT OR REPLACE INTO uncommitted VALUES (?, ?, ?)", (step.path, day, run))


def settle(store: Store, steps: Sequence[Step]) -> None:
    """After the ledger's lines: keep old inodes for a late look, drop emptied folders and the journal."""
    with contextlib.suppress(OSError, WorkspaceError):
        for step in steps:
            for aside, data in step.old:
                late.keep(store, aside, step.path, data)
            if step.after is None:
                files.prune_folders(step.real.parent, store.root, layout.FOLDERS)
        journal.clear(store.root)
        if any(data != step.before for step in steps for _, data in step.old):
            late.look(store)  # somebody is saving just now
