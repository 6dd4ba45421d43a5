"""The journal of one apply: images and intentions on disk before the first file changes, gone when all is done.

Images are content-addressed under .crab/runs/objects; they serve crash recovery, `undo` and `verify`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from crustacean.edits import files
from crustacean.edits.store import Store
from crustacean.errors import EditRefused
from crustacean.workspace import layout

KEEP_DAYS = 90
KEEP_RUNS = 50


@dataclass(frozen=True, slots=True)
class Change:
    """One file of an apply: digests of its bytes before and after ("" where it is not there)."""

    path: str
    pre: str
    post: str


@dataclass(frozen=True, slots=True)
class Journal:
    """run: the run, "" where a line has none. lines: the ledger's lines, to be written when the files are done."""

    run: str
    lines: tuple[bytes, ...]
    changes: tuple[Change, ...]


def _objects(root: Path) -> Path:
    return root / layout.STATE_DIR / "runs" / "objects"


def save_images(root: Path, images: Iterable[bytes | None], at: float) -> None:
    """Keep bytes under their digests, durable, as last needed at `at` (seconds since the epoch). Raises OSError."""
    folders = set()
    for data in images:
        if data is None:
            continue
        name = files.digest(data)
        path = _objects(root) / name[:2] / name
        if image(root, name) is None:
            files.write_beside(path, data).replace(path)
            folders.add(path.parent)
        os.utime(path, (at, at))
    for folder in folders:
        files.fsync_folder(folder)
    if folders:
        files.fsync_folder(_objects(root))


def image(root: Path, name: str) -> bytes | None:
    """The bytes kept under a digest; None where they are pruned, or damaged."""
    if not name:
        return None
    data = files.read(_objects(root) / name[:2] / name)
    return data if data is not None and files.digest(data) == name else None


def journal_path(root: Path) -> Path:
    return root / layout.STATE_DIR / "journal.json"


def write(root: Path, journal: Journal) -> None:
    """Make the intention durable. Raises OSError."""
    body = {
        "run": journal.run,
        "lines": [line.decode() for line in journal.lines],
        "changes": [[c.path, c.pre, c.post] for c in journal.changes],
    }
    path = journal_path(root)
    files.write_beside(path, json.dumps(body).encode()).replace(path)
    files.fsync_folder(path.parent)


def pending(root: Path) -> Journal | None:
    """The journal of an apply that did not end, None where there is none (or one that can't be read: it is moved into
    place whole, so that it is not one of ours)."""
    data = files.read(journal_path(root))
    if data is None:
        return None
    try:
        body = json.loads(data)
        changes = tuple(Change(layout.safe(p), str(pre), str(post)) for p, pre, post in body["changes"])
        return Journal(str(body["run"]), tuple(str(line).encode() for line in body["lines"]), changes)
    except (ValueError, KeyError, TypeError, RecursionError, EditRefused):
        return None


def clear(root: Path) -> None:
    """The apply is done, or was taken back."""
    path = journal_path(root)
    path.unlink(missing_ok=True)
    files.fsync_folder(path.parent)


def prune(store: Store) -> None:
    """Drop images older than 90 days that none of the last 50 runs needs, and what a crash left half written."""
    if not _objects(store.root).is_dir():
        return
    recent = store.db.execute(
        "SELECT raw FROM lines WHERE kind IN ('apply', 'undo', 'person', 'resolve') AND folded = 1"
        " ORDER BY at DESC, n DESC LIMIT ?",
        (KEEP_RUNS,),
    )
    needed = {h for (raw,) in recent for pair in json.loads(raw).get("files", {}).values() for h in pair}
    needed |= {row[0] for row in store.db.execute("SELECT hash FROM late UNION SELECT hash FROM known")}
    limit = (store.clock() - timedelta(days=KEEP_DAYS)).timestamp()
    for path in _objects(store.root).glob("*/*"):
        if path.name not in needed and (path.stat().st_mtime < limit or path.name.endswith(files.TEMPORARY)):
            path.unlink(missing_ok=True)
