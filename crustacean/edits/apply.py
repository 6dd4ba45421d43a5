"""Writing a plan's files: journal, replace, read again, ledger. Either all of it is there or none (DESIGN section 4).

The order is: images and journal, temporary files for every target, a last look at the base of each file, targets before
sources, the ledger line, the journal away. A crash anywhere is finished or taken back by `recover`.
"""

from __future__ import annotations

import glob
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crustacean.edits import files, journal, known, merge3
from crustacean.edits.journal import Change, Journal
from crustacean.edits.store import Store
from crustacean.errors import WorkspaceError
from crustacean.workspace import layout

Changes = Mapping[str, tuple[bytes | None, bytes | None]]


class Moved(Exception):
    """A file changed between planning and writing: plan again. `path` is the file."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


@dataclass(slots=True)
class _Step:
    """One file on its way: `temp` holds the new bytes, later the old inode; `done` once it is in place."""

    path: str
    real: Path
    before: bytes | None
    after: bytes | None
    temp: Path | None = None
    done: bool = False


def commit(store: Store, changes: Changes, bases: Mapping[str, bytes | None], kind: str, keys: dict[str, Any]) -> str:
    """Write the files of `changes` (path -> bytes before and after) and one ledger line of `kind` with `keys`; returns
    the line's id. Needs the lock.

    bases: the bytes that planning read, for every file it looked at. Raises Moved where one is different on disk now,
    WorkspaceError where the disk refuses; in both cases every file is as it was.
    """
    steps = [
        _Step(path, layout.resolve(store.root, path), before, after)
        for path, (before, after) in sorted(changes.items(), key=_targets_first)
    ]
    try:
        plan = _prepare(store, steps, kind, keys)
        _check_bases(store, bases)
        for step in steps:
            _install(store, step)
        line = store.ledger.append_raw(store.ledger.compose(kind, _with_files(keys, plan, steps)))
    except (OSError, WorkspaceError, Moved) as err:
        _take_back(steps)
        journal.clear(store.root)
        if isinstance(err, OSError):
            where = f" ({err.filename})" if err.filename else ""
            raise WorkspaceError(
                f"nothing was changed: {err.strerror or err}{where}", "free some space or check permissions"
            ) from err
        raise
    _settle(store, steps, str(keys.get("run", "")))
    return line


def _targets_first(item: tuple[str, tuple[bytes | None, bytes | None]]) -> tuple[int, str]:
    path, (before, after) = item
    if after is None:
        return 2, path
    grows = before is None or len(after) >= len(before)
    return (0 if grows else 1), path


def _prepare(store: Store, steps: list[_Step], kind: str, keys: dict[str, Any]) -> Journal:
    at = store.clock().timestamp()
    changes = []
    for step in steps:
        pre = journal.save_image(store.root, step.before, at) if step.before is not None else ""
        post = journal.save_image(store.root, step.after, at) if step.after is not None else ""
        changes.append(Change(step.path, pre, post))
    plan = Journal(kind, keys, tuple(changes))
    if steps:
        journal.write(store.root, plan)
    for step in steps:
        if step.after is not None:
            step.temp = files.write_beside(step.real, step.after)
    return plan


def _check_bases(store: Store, bases: Mapping[str, bytes | None]) -> None:
    for path, base in bases.items():
        if files.read(layout.resolve(store.root, path)) != base:
            raise Moved(path)


def _install(store: Store, step: _Step) -> None:
    """Put one file in place. What an editor saved in the last moment is merged in, never overwritten."""
    if step.after is None:
        aside = step.real.with_name(f".{step.real.name[:100]}.{secrets.token_hex(4)}{files.TEMPORARY}")
        found = files.take_away(step.real, aside)
        step.temp = aside if found is not None else None
        if found != step.before and found is not None:
            os.link(aside, step.real)  # somebody still writes here: the file stays, its moved lines with it
    else:
        assert step.temp is not None
        found = files.install(step.temp, step.real)
        step.done = True
        expected = step.before
        while found != expected:
            merged = merge3.merge(expected or b"", found or b"", step.after)
            expected, step.after = step.after, merged
            again = files.write_beside(step.real, merged)
            found = files.install(again, step.real)
            again.unlink(missing_ok=True)
    step.done = True
    files.fsync_folder(step.real.parent)


def _with_files(keys: dict[str, Any], plan: Journal, steps: list[_Step]) -> dict[str, Any]:
    """The line's keys with path -> [digest before, digest of what is really on the disk]: `verify` holds these against
    the entries."""
    pre = {c.path: c.pre for c in plan.changes}
    found = {step.path: [pre[step.path], files.digest(files.read(step.real))] for step in steps}
    return keys | {"files": {**keys.get("files", {}), **found}}


def _take_back(steps: list[_Step]) -> None:
    """Undo what was installed, without needing space: the old inodes are still beside the files."""
    for step in reversed(steps):
        if step.done and step.temp is not None and step.temp.exists():
            if step.after is None:
                if not step.real.exists():
                    os.rename(step.temp, step.real)
            elif files.read(step.real) == step.after:
                os.replace(step.temp, step.real)
        elif step.done and step.before is None and files.read(step.real) == step.after:
            step.real.unlink(missing_ok=True)
        if step.temp is not None:
            step.temp.unlink(missing_ok=True)


def _settle(store: Store, steps: list[_Step], run: str) -> None:
    """After the ledger line: remember what was left, keep old inodes for a late look, drop the journal."""
    late = store.root / layout.STATE_DIR / "late"
    for step in steps:
        if step.temp is not None and step.temp.exists():
            late.mkdir(exist_ok=True)
            kept = late / secrets.token_hex(6)
            try:
                os.rename(step.temp, kept)
            except OSError:  # another file system: the look a moment ago was the last
                step.temp.unlink(missing_ok=True)
            else:
                store.db.execute(
                    "INSERT INTO late VALUES (?, ?, ?, ?)",
                    (kept.name, step.path, files.digest(step.before), store.clock().timestamp()),
                )
        if step.after is None:
            files.prune_folders(step.real.parent, store.root)
        known.remember(store, step.path)
        store.db.execute(
            "INSERT OR REPLACE INTO uncommitted VALUES (?, ?, ?)", (step.path, store.clock().date().isoformat(), run)
        )
    journal.clear(store.root)


def recover(store: Store) -> str:
    """Finish what a crash left half done, forward. Needs the lock; returns a sentence for the person, "" where there
    was nothing to do. A file is touched only where its bytes are the recorded image before or after, else the planned
    change is merged into what it holds now."""
    plan = journal.pending(store.root)
    if plan is None:
        return ""
    run = str(plan.keys.get("run", ""))
    batch = plan.keys.get("batch")
    written = any(line.kind == plan.kind and line.data.get("batch") == batch for line in store.ledger.lines(run))
    steps = []
    for change in plan.changes:
        real = layout.resolve(store.root, change.path)
        now = files.read(real)
        before, after = journal.image(store.root, change.pre), journal.image(store.root, change.post)
        if (change.pre and before is None) or (change.post and after is None):
            raise WorkspaceError(
                f"{change.path}: the images of an interrupted run are damaged",
                "see `crab doctor`; git has the last commit",
            )
        goal = _forward(now, before, after, written)
        for late in _sweep(real, before, after):
            goal = merge3.merge(before or b"", late, goal or b"")
        steps.append(_Step(change.path, real, now, goal))
    todo = [s for s in steps if s.after != s.before]
    try:
        for step in todo:
            if step.after is not None:
                step.temp = files.write_beside(step.real, step.after)
        for step in todo:
            _install(store, step)
        if not written:
            store.ledger.append_raw(store.ledger.compose(plan.kind, _with_files(plan.keys, plan, steps)))
    except OSError as err:
        raise WorkspaceError(f"an interrupted run can't be finished: {err.strerror}", "free some space") from err
    _settle(store, steps, run)
    return f"finished run {run}, which had been interrupted"


def _forward(now: bytes | None, before: bytes | None, after: bytes | None, written: bool) -> bytes | None:
    """What a file of an interrupted run should hold."""
    if written or now == after:
        return now
    if now == before:
        return after
    if after is None:
        return now
    return merge3.merge(before or b"", now or b"", after)


def _sweep(real: Path, before: bytes | None, after: bytes | None) -> list[bytes]:
    """Remove the temporary files of an interrupted run beside a target; returns what an editor had saved into the old
    inode among them."""
    late = []
    for temp in real.parent.glob(f".{glob.escape(real.name[:100])}.*{files.TEMPORARY}"):
        data = files.read(temp)
        half_written = after is not None and data is not None and after.startswith(data)
        if data is not None and data != before and not half_written:
            late.append(data)
        temp.unlink(missing_ok=True)
    return late


def late_saves(store: Store) -> list[str]:
    """Look once more at old inodes that an editor may have had open; merge what was saved into them since. Needs the
    lock; returns the paths that were mended."""
    mended = []
    folder = store.root / layout.STATE_DIR / "late"
    rows = store.db.execute("SELECT kept, path, hash FROM late").fetchall()
    for kept, path, pre in rows:
        data = files.read(folder / kept)
        if data is not None and files.digest(data) != pre and _fold_in(store, path, pre, data):
            mended.append(path)
        (folder / kept).unlink(missing_ok=True)
        store.db.execute("DELETE FROM late WHERE kept = ?", (kept,))
    return mended


def _fold_in(store: Store, path: str, pre: str, late: bytes) -> bool:
    """Merge bytes saved into a replaced inode into the file that took its place."""
    real = layout.resolve(store.root, path)
    base, now = journal.image(store.root, pre), files.read(real)
    if base is None or now is None:
        return False
    merged = merge3.merge(base, late, now)
    if merged == now:
        return False
    step = _Step(path, real, now, merged)
    step.temp = files.write_beside(real, merged)
    _install(store, step)
    if step.temp is not None:
        step.temp.unlink(missing_ok=True)
    return True
