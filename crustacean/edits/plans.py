"""Plans that wait in .crab/plans: kept, listed, applied in whole or in part, dropped."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from crustacean.edits import files, plan
from crustacean.edits.edit import Edit
from crustacean.edits.plan import Plan
from crustacean.edits.store import Store
from crustacean.errors import UsageError
from crustacean.workspace import layout


def folder(store: Store) -> Path:
    return store.root / layout.STATE_DIR / "plans"


def shown(edit: Edit) -> dict[str, Any]:
    """An edit as the JSON of a stage shows it."""
    row: dict[str, Any] = {"op": edit.op, "path": edit.path or (edit.entry.path if edit.entry else "")}
    if edit.heading:
        clock = f"[{edit.local:%H:%M}] " if edit.local else ""
        row["heading"] = clock + " > ".join(edit.heading)
    for name in ("text", "why", "said", "title", "reason", "by"):
        if getattr(edit, name):
            row[name] = getattr(edit, name)
    if edit.entry:
        row["entry"] = edit.entry.id
    if edit.text:
        row |= {"origin": edit.meta.origin or "unknown", "audience": edit.meta.audience or "main"}
        row |= {"src": edit.meta.src} if edit.meta.src else {}
    return row


def keep(store: Store, made: Plan, until: datetime) -> None:
    """Let a plan wait until `until`; its turns and entries count as taken for its stage meanwhile."""
    plan.save(made, folder(store) / f"{made.id}.json")
    turns: dict[str, list[str]] = {}
    entries: list[str] = []
    for batch in made.batches:
        for session, keys in batch.consumed.turns.items():
            turns.setdefault(session, []).extend(keys)
        entries += batch.consumed.entries
    consumed: dict[str, Any] = {"turns": ["".join(k) for k in turns.values()]}
    if entries:
        consumed["entries"] = entries
    store.ledger.append(
        "plan", plan=made.id, stage=made.stage, consumed=consumed, until=until.isoformat(timespec="seconds")
    )


def waiting(store: Store) -> list[Plan]:
    """The plans that wait, the oldest first; those whose time is over, or whose file is gone, are dropped."""
    out = []
    for name, until in store.db.execute("SELECT plan, until FROM waiting").fetchall():
        path = folder(store) / f"{name}.json"
        data = files.read(path)
        if data is not None and datetime.fromisoformat(until) > store.clock():
            with contextlib.suppress(UsageError):  # one that can't be read any more holds nothing: `expire` drops it
                out.append(plan.loads(data, str(path)))
    return sorted(out, key=lambda p: p.made)


def expire(store: Store) -> list[str]:
    """Drop the plans whose time is over, or whose file is gone: what they held is free again. Needs the lock; returns a
    sentence for each."""
    alive = {p.id for p in waiting(store)}
    gone = [name for (name,) in store.db.execute("SELECT plan FROM waiting").fetchall() if name not in alive]
    for name in gone:
        drop(store, name)
    return [f"plan {name} waited too long and was dropped; what it held is read again" for name in gone]


def taken(store: Store, stage: str) -> frozenset[str]:
    """Turn keys and entry ids that plans of a stage hold while they wait."""
    out: set[str] = set()
    alive = {p.id for p in waiting(store)}
    for name, keys in store.db.execute("SELECT plan, keys FROM waiting WHERE stage = ?", (stage,)):
        if name in alive:
            out.update(json.loads(keys))
    return frozenset(out)


def get(store: Store, name: str) -> Plan:
    """A waiting plan by its id or the start of it, the last one for "", or a plan file by its path. Raises
    UsageError."""
    plans = waiting(store)
    if not name:
        if not plans:
            raise UsageError("no plan is waiting", "make one with `crab collect --dry-run`")
        return plans[-1]
    found = [p for p in plans if p.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    data = files.read(Path(name))
    if data is None:
        raise UsageError(f"there is no plan {name}", "`crab plans list` shows those that wait")
    return plan.loads(data, name)


def drop(store: Store, name: str) -> None:
    """Let a plan go; what it would have consumed is free again. Needs the lock."""
    store.ledger.append("plan", plan=name, drop=True)
    (folder(store) / f"{name}.json").unlink(missing_ok=True)


def select(made: Plan, only: Collection[int]) -> Plan:
    """The plan with only the edits of these numbers (1-based, over all batches). Raises UsageError for a number that
    it does not have, or an edit that needs another one which is left out."""
    if not only:
        return made
    total = len(made.edits)
    wrong = [n for n in only if not 1 <= n <= total]
    if wrong:
        raise UsageError(f"the plan has no edit {wrong[0]}", f"it has edits 1 to {total}")
    creates = {e.path: n for n, e in enumerate(made.edits, 1) if e.op == "create"}
    for n in only:
        need = creates.get(made.edits[n - 1].path)
        if need is not None and need not in only:
            raise UsageError(f"edit {n} needs edit {need}, which makes its file", f"add {need} to --only")
    number = 0
    batches = []
    for batch in made.batches:
        chosen = []
        for edit in batch.edits:
            number += 1
            if number in only:
                chosen.append(edit)
        batches.append(replace(batch, edits=tuple(chosen)))
    return replace(made, batches=tuple(batches))
