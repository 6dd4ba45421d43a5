"""A workspace on disk and the shortest way to run edits on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crustacean.edits import plan, store, writer
from crustacean.edits.context import Context
from crustacean.edits.edit import Edit
from crustacean.edits.plan import Batch, Consumed, Rehearsal
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.text.similar import same
from crustacean.workspace.meta import Meta

DAY = "memory/2026-03-17.md"


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 17, 14, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def later(self, **by: float) -> None:
        self.time += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for folder in ("memory/contacts", "memory/lessons", "knowledge/topics", "archive"):
        (root / folder).mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n\n## Hot\n\n- The launch is on 3 April.\n")
    return root


@pytest.fixture
def opened(root: Path, clock: Clock) -> Iterator[Store]:
    with store.opened(root, clock) as it:
        yield it


Write = Callable[..., Rehearsal]


@pytest.fixture
def write(opened: Store) -> Write:
    """Run edits as one run of a stage; returns what came of them."""

    def run(*edits: Edit, stage: str = "person", name: str = "", keys: tuple[str, ...] = ()) -> Rehearsal:
        run_id = name or plan.new_id()
        consumed = Consumed({"openclaw:main/3f2a": keys} if keys else {})

        def rehearse(tree: Tree) -> Rehearsal:
            return plan.rehearse(edits, Context(tree, stage, run_id, opened.clock(), same, opened.word, opened.places))

        def describe(rehearsal: Rehearsal, tree: Tree) -> Batch:
            return Batch(edits, consumed, tuple(rehearsal.refused))

        with store.locked(opened):
            writer.settle(opened)
            return writer.write(opened, stage, "offline", run_id, 1, rehearse, describe)[0]

    return run


def log_line(text: str, *, topic: str = "Topic", path: str = DAY, **meta: str) -> Edit:
    """An append to a daily log as Collect makes it."""
    return Edit(
        "append",
        path=path,
        heading=(topic,),
        text=text,
        meta=Meta(
            src="openclaw:main/3f2a#12", origin=meta.get("origin", "owner"), audience=meta.get("audience", "main")
        ),
        keys=("0123456789ab",),
        local=datetime(2026, 3, 17, 14, 5, tzinfo=UTC),
        said=text,
    )
