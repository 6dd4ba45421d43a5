"""Plans that wait for a person: the same dry run shows the same plan, and applying one asks no model again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from crustacean.edits import diff, files, plan, plans, writer
from crustacean.edits.plan import Batch, Consumed, Plan, Rehearsal
from crustacean.edits.tree import Tree
from crustacean.errors import ModelError
from crustacean.models.protocol import Reply, Request
from crustacean.stages.stage import Result, context, join, numbered, refusals
from crustacean.stages.work import Run, Stage


@dataclass(frozen=True, slots=True)
class Made:
    """The model that made a plan, by name; it answers nothing any more."""

    name: str
    offline: bool = True

    def reply(self, request: Request) -> Reply:
        raise ModelError(f"{self.name} is not asked again for a plan that is made", "")

    def price(self) -> tuple[float, float] | None:
        return (0.0, 0.0)


def same_plan(run: Run, stage: Stage) -> Result | None:
    """The waiting plan that this dry run would make again, None where there is something new to consider."""
    waits = [p for p in plans.waiting(run.store) if p.stage == stage.name]
    if not waits:
        return None
    fresh = replace(run, waiting=plans.taken(run.store, stage.name), seen=set(), redacted=[], notices=[], unknown={})
    if any(work.sources for work in stage.select(fresh)):
        return None
    made = waits[-1]
    result = Result(run.id, stage.name, made.model, True, plan=made.id, waits=True)
    tree = run.store.tree()
    rows = []
    for batch in made.batches:
        rows += plan.rehearse(batch.edits, context(run, stage.name, tree)).rows
        result.refused += refusals(batch.refused)
    result.edits = numbered(made.batches)
    result.balance, result.diff = plan.balance(rows), diff.unified(tree.changes())
    said = (
        f"plan {made.id} of {made.made[:16].replace('T', ' ')} waits already; this is it: `crab plans drop` lets it go"
    )
    result.notices = [*run.notices, said]
    return result


def apply_plan(run: Run, made: Plan, only: Collection[int]) -> Result:
    """Apply a plan (or some of its edits) batch by batch on the files as they are now. Edits whose entry changed since
    are refused by name. Needs the lock."""
    chosen = plans.select(made, only)
    result = Result(run.id, made.stage, made.model, False, plan=made.id)
    changes: dict[str, tuple[bytes | None, bytes | None]] = {}
    rows = []
    for number, batch in enumerate(chosen.batches, 1):

        def rehearse(tree: Tree, batch: Batch = batch) -> Rehearsal:
            return plan.rehearse(batch.edits, context(run, made.stage, tree))

        def describe(rehearsal: Rehearsal, tree: Tree, batch: Batch = batch) -> Batch:
            return replace(batch, refused=batch.refused + tuple(rehearsal.refused))

        rehearsal, changed, _ = writer.write(run.store, made.stage, made.model, run.id, number, rehearse, describe)
        join(changes, changed)
        rows += rehearsal.rows
        result.observed += len(rehearsal.observed)
        result.edits += [plans.shown(e) for e in rehearsal.done + rehearsal.listed]
        result.refused += refusals(rehearsal.refused)
        result.notices += _moved_on(batch, changed)
    result.balance, result.diff = plan.balance(rows), diff.unified(changes)
    result.considered = sum(len(k) for b in made.batches for k in b.consumed.turns.values())
    _let_go(run, made, only)
    return result


def _moved_on(batch: Batch, changed: plan.Changes) -> list[str]:
    """Files that changed since the plan was made: it was applied on what they hold now."""
    return [
        f"{path} changed since the plan was made; its edits were applied to what it holds now"
        for path, (before, _) in changed.items()
        if path in batch.bases and batch.bases[path] != files.digest(before)
    ]


def _let_go(run: Run, made: Plan, only: Collection[int]) -> None:
    """A plan that is applied waits no longer; what was not chosen of it waits on, with nothing left to consume."""
    if not any(p.id == made.id for p in plans.waiting(run.store)):
        return
    left = [n for n in range(1, len(made.edits) + 1) if only and n not in only]
    if not left:
        plans.drop(run.store, made.id)
        return
    rest = plans.select(made, left)
    batches = tuple(replace(b, consumed=Consumed(), refused=(), usage={}) for b in rest.batches if b.edits)
    plan.save(replace(rest, batches=batches), plans.folder(run.store) / f"{made.id}.json")
