"""The journal of one apply: images and intentions on disk before the first file changes, gone when all is done.

Images are content-addressed under .crab/runs/objects; they serve crash recovery, `undo` and `verify`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from crustacean.edits import files
from crustacean.edits.store import Store
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
    """kind, keys: the ledger line to write when the files are done (its `files` are read from the disk then)."""

    kind: str
    keys: dict[str, Any]
    changes: tuple[Change, ...]


def _objects(root: Path) -> Path:
    return root / layout.STATE_DIR / "runs" / "objects"


def save_image(root: Path, data: bytes, at: float) -> str:
    """Keep bytes under their digest, durable, as last needed at `at` (seconds since the epoch); returns the digest."""
    name = files.digest(data)
    path = _objects(root) / name[:2] / name
    if image(root, name) is None:
        os.replace(files.write_beside(path, data), path)
    os.utime(path, (at, at))
    return name


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
        "kind": journal.kind,
        "keys": journal.keys,
        "changes": [[c.path, c.pre, c.post] for c in journal.changes],
    }
    path = journal_path(root)
    os.replace(files.write_beside(path, json.dumps(body).encode()), path)
    files.fsync_folder(path.parent)


def pending(root: Path) -> Journal | None:
    """The journal of an apply that did not end, None where there is none (or only half of one was written: then no
    file had been touched)."""
    data = files.read(journal_path(root))
    if data is None:
        return None
    try:
        body = json.loads(data)
        changes = tuple(Change(layout.safe(p), str(pre), str(post)) for p, pre, post in body["changes"])
        return Journal(str(body["kind"]), dict(body["keys"]), changes)
    except (ValueError, KeyError, TypeError):
        clear(root)
        return None


def clear(root: Path) -> None:
    journal_path(root).unlink(missing_ok=True)
    files.fsync_folder(journal_path(root).parent)


def prune(store: Store) -> None:
    """Drop images older than 90 days that none of the last 50 runs needs."""
    if not _objects(store.root).is_dir():
        return
    recent = store.db.execute(
        "SELECT raw FROM lines WHERE kind IN ('apply', 'undo', 'person', 'resolve') AND folded = 1"
        " ORDER BY at DESC, n DESC LIMIT ?",
        (KEEP_RUNS,),
    )
    needed = {h for (raw,) in recent for pair in json.loads(raw).get("files", {}).values() for h in pair}
    limit = (store.clock() - timedelta(days=KEEP_DAYS)).timestamp()
    for path in _objects(store.root).glob("*/*"):
        if path.name not in needed and path.stat().st_mtime < limit:
            path.unlink(missing_ok=True)
