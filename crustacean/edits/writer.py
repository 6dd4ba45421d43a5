"""The way from rehearsed edits to the disk, for every kind of run: settle what was left open, notice a person's own
changes, then write, planning again where a file changed meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from crustacean.edits import apply, commits, journal, late, outside, plan, recovery, state
from crustacean.edits.edit import to_json
from crustacean.edits.ledger import Rows
from crustacean.edits.plan import Batch, Changes, Rehearsal
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.errors import WorkspaceError

T = TypeVar("T")

TRIES = 40


def settle(store: Store) -> list[str]:
    """What every writing command does first, under the lock: finish an interrupted run, put back ledger lines that
    vanished, look for late saves, record what a person changed. Returns sentences for the person."""
    try:
        notices = [recovery.recover(store), *commits.put_back(store)]
        notices += [f"{path}: what an editor saved late was merged in" for path in late.look(store)]
        notices += notice_outside(store)
        _prune_daily(store)
    except OSError as err:
        raise apply.refused(err) from err
    return [n for n in notices if n]


def _prune_daily(store: Store) -> None:
    today = store.clock().date().isoformat()
    if state.get(store.db, "pruned") != today:
        journal.prune(store)
        state.put(store.db, "pruned", today)


def notice_outside(store: Store) -> list[str]:
    """Record a person's own changes since crab last looked; returns sentences about lines that vanished in a block."""
    for _ in range(TRIES):
        found = outside.find(store)
        try:
            outside.record(store, found)
        except apply.Moved:
            continue
        return found.notices
    raise WorkspaceError("the files keep changing", "wait until whatever writes to them is done")


def again(store: Store, step: Callable[[], T]) -> T:
    """Do a writing step, anew where a file changed under it. Raises WorkspaceError where they keep changing."""
    for _ in range(TRIES):
        notice_outside(store)
        try:
            return step()
        except apply.Moved:
            continue
    raise WorkspaceError("the files keep changing", "wait until whatever writes to them is done")


def write(
    store: Store,
    stage: str,
    model: str,
    run: str,
    number: int,
    rehearse: Callable[[Tree], Rehearsal],
    describe: Callable[[Rehearsal, Tree], Batch],
) -> tuple[Rehearsal, Changes, Batch]:
    """Rehearse on the files as they are now and write the result as one apply with its ledger line. Needs the lock.

    A file that changes under our hands is read and rehearsed again. Raises WorkspaceError with everything as it was.
    """

    def step() -> tuple[Rehearsal, Changes, Batch]:
        tree = store.tree()
        rehearsal = rehearse(tree)
        changes = tree.changes()
        plan.check_nothing_lost(tree, changes, rehearsal.rows)
        batch = describe(rehearsal, tree)
        keys = _line(stage, model, run, number, rehearsal, batch)
        apply.commit(store, changes, tree.bases(), "apply", keys, lambda line: _also(stage, run, line, rehearsal))
        return rehearsal, changes, batch

    return again(store, step)


def _line(stage: str, model: str, run: str, number: int, rehearsal: Rehearsal, batch: Batch) -> dict[str, Any]:
    refused = [
        {k: v for k, v in {"op": r.op, "reason": r.reason, "text": r.text, "sources": list(r.sources)}.items() if v}
        for r in batch.refused
    ]
    keys: dict[str, Any] = {
        "run": run,
        "batch": number,
        "stage": stage,
        "model": model,
        "work": plan.work_hash(stage, batch.consumed),
        "consumed": batch.consumed.ledger(),
        "edits": rehearsal.rows,
        "refused": refused,
        "usage": dict(batch.usage),
        "left_out": dict(batch.left_out),
    }
    return {k: v for k, v in keys.items() if v not in ({}, [], "")}


def _also(stage: str, run: str, line: str, rehearsal: Rehearsal) -> Rows:
    """The lines that go with an apply: what was said again, what waits for a person."""
    rows: list[tuple[str, dict[str, Any]]] = []
    for ident, turns in rehearsal.observed:
        rows.append(("observe", {"id": ident, "turns": ["".join(turns)], "run": run}))
    for i, edit in enumerate(rehearsal.listed):
        body = to_json(edit) if edit.op == "propose" else {"text": edit.text, "entries": [p.id for p in edit.entries]}
        key = "edit" if edit.op == "propose" else "note"
        rows.append((edit.op, {"item": f"{line}.l{i}", "stage": stage, "run": run, key: body}))
    return rows
