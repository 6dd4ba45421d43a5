"""After a crash: the next writing command finishes the run that was cut off, or takes it back."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from crustacean.edits import apply, files, install, journal, merge3, state
from crustacean.edits.install import Step
from crustacean.edits.journal import Change, Journal
from crustacean.edits.lines import parse_line
from crustacean.edits.store import Store
from crustacean.errors import WorkspaceError

Images = Mapping[str, tuple[bytes | None, bytes | None]]


class _Lost(Exception):
    """An image that is needed is not there any more."""


def recover(store: Store) -> str:
    """Finish what a crash left half done: forward, or back where the images for that are gone. A file is touched only
    where its bytes are the recorded ones before or after, else the change is merged into what it holds. Needs the lock;
    returns a sentence for the person, "" where there was nothing to do. Raises WorkspaceError."""
    plan = journal.pending(store.root)
    if plan is None:
        return ""
    missing = [raw for raw in plan.lines if (line := parse_line(raw)) and not store.ledger.has(line.id)]
    written = len(missing) < len(plan.lines)
    name = f"run {plan.run}" if plan.run else "a command"
    try:
        goals = {c.path: _forward(store, c, written) for c in plan.changes}
    except _Lost:
        goals, missing = _back(store, plan), []
        _write(store, plan, goals, missing)
        return f"took {name} back, which had been interrupted"
    _write(store, plan, goals, missing)
    return f"finished {name}, which had been interrupted"


def _forward(store: Store, change: Change, written: bool) -> bytes | None:
    """What a file should hold once the run is done."""
    now = files.read(store.real(change.path))
    if written or files.digest(now) == change.post:
        return now
    if files.digest(now) == change.pre:
        return _image(store, change.post)
    if not change.post:
        return now  # somebody writes here: the file stays, what moved stands in both
    return merge3.merge(_image(store, change.pre) or b"", now or b"", _image(store, change.post) or b"")


def _back(store: Store, plan: Journal) -> dict[str, bytes | None]:
    goals: dict[str, bytes | None] = {}
    for change in plan.changes:
        now = files.read(store.real(change.path))
        try:
            if files.digest(now) == change.pre:
                goals[change.path] = now
            elif files.digest(now) == change.post:
                goals[change.path] = _image(store, change.pre)
            else:
                pre, post = _image(store, change.pre), _image(store, change.post)
                goals[change.path] = merge3.merge(post or b"", now or b"", pre or b"")
        except _Lost:
            raise WorkspaceError(
                f"{change.path}: an interrupted run can be neither finished nor taken back, its images are damaged",
                "compare the file with git's, then delete .crab/journal.json",
            ) from None
    return goals


def _image(store: Store, digest: str) -> bytes | None:
    data = journal.image(store.root, digest)
    if digest and data is None:
        raise _Lost
    return data


def _write(store: Store, plan: Journal, goals: dict[str, bytes | None], missing: list[bytes]) -> None:
    steps = []
    for change in plan.changes:
        real = store.real(change.path)
        now, goal = files.read(real), goals[change.path]
        step = Step(change.path, real, now, goal)
        before, after = journal.image(store.root, change.pre), journal.image(store.root, change.post)
        step.after = _sweep(step, before, after)
        steps.append(step)
    try:
        for step in steps:
            if step.after != step.before:
                install.prepare(step)
                install.install(step, apply.keeper(store))
        with state.transaction(store.db):
            if missing:
                store.ledger.append_raw(missing)
            if missing or any(store.ledger.has(line.id) for raw in plan.lines if (line := parse_line(raw))):
                _left(store, plan, steps)
    except (OSError, sqlite3.Error) as err:
        raise WorkspaceError(f"an interrupted run can't be finished: {err}", "free some space") from err
    apply.settle(store, steps)


def _left(store: Store, plan: Journal, steps: list[Step]) -> None:
    """What crab left is what was planned; where a file holds more, a person did that."""
    for change, step in zip(plan.changes, steps, strict=True):
        planned = journal.image(store.root, change.post)
        if planned is not None or not change.post:
            apply.left(store, [Step(step.path, step.real, step.before, planned)], plan.run)


def _sweep(step: Step, before: bytes | None, after: bytes | None) -> bytes | None:
    """Clear the temporary files of the interrupted run beside a target: half-written new ones go, old inodes are kept,
    what an editor had saved into one of them is merged. Returns what the file should hold then."""
    goal = step.after
    for temp in files.temporaries(step.real):
        data = files.read(temp)
        ours = after is not None and data is not None and after.startswith(data)
        if data is None or (ours and data != before):
            temp.unlink(missing_ok=True)
            continue
        if data != before:
            goal = merge3.merge(before or b"", data, goal or b"")
        step.old.append((temp, data))
    return goal
