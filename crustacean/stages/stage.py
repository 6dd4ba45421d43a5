"""The one pipeline: selection, prompt, model, edits, lanes, plan, balance, diff; then apply, or wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from crustacean.edits import diff, files, plan, plans, writer
from crustacean.edits.context import Context
from crustacean.edits.operations import Refused
from crustacean.edits.plan import Batch, Changes, Plan, Rehearsal
from crustacean.edits.tree import Tree
from crustacean.errors import ModelError
from crustacean.models.protocol import Usage
from crustacean.stages import marks
from crustacean.stages.ask import Answer, ask
from crustacean.stages.work import Input, Run, Stage
from crustacean.text.similar import same

WAIT = timedelta(days=14)
"""How long a plan waits before its turns are free again."""


@dataclass(slots=True)
class Result:
    """What a stage did, as its JSON says it. waits: the plan is not applied yet. held: edits in plans that wait.
    stopped: the error that ended it early, None when it went through."""

    run: str
    stage: str
    model: str
    dry_run: bool
    plan: str = ""
    edits: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    balance: dict[str, int] = field(default_factory=dict)
    redacted: list[dict[str, str]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    diff: str = ""
    considered: int = 0
    observed: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    waits: bool = False
    held: int = 0
    stopped: ModelError | None = None


@dataclass(slots=True)
class _Total:
    """What adds up over the batches of a run."""

    result: Result
    changes: dict[str, tuple[bytes | None, bytes | None]] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    batches: list[Batch] = field(default_factory=list)


def run_stage(run: Run, stage: Stage) -> Result:
    """Run a stage to its end. Needs the lock. A model that fails in the middle keeps what was applied before; the error
    stands in `stopped`, and what was not applied counts as not considered."""
    total = _Total(Result(run.id, stage.name, run.model.name, run.options.dry_run))
    waits = run.options.dry_run or run.options.review
    tree = run.store.tree()
    number = 0
    try:
        for work in stage.select(run):
            for answer in _answers(run, stage, work, tree if waits else None):
                number += 1
                if waits:
                    _show(run, stage, answer, tree, total)
                else:
                    _apply(run, stage, answer, number, total)
            if not waits:
                marks.save(run, work.marks)
    except ModelError as err:
        total.result.stopped = err
    return _finish(run, stage, total, waits)


def _answers(run: Run, stage: Stage, work: Input, shared: Tree | None) -> Iterator[Answer]:
    """The model's answers for one batch; none is asked where nothing in it is a source."""
    if not work.sources:
        return

    def trial(edits: Any) -> tuple[Refused, ...]:
        tree = shared or run.store.tree()
        state = tree.snapshot()
        rehearsal = plan.rehearse(edits, context(run, stage.name, tree))
        tree.rollback(state)
        return tuple(rehearsal.refused)

    yield from ask(run, stage, work, trial)


def context(run: Run, stage: str, tree: Tree) -> Context:
    """What performing the edits of this run needs to know."""
    return Context(tree, stage, run.id, run.store.clock(), same, run.store.word, run.store.places)


def _batch(answer: Answer, rehearsal: Rehearsal, tree: Tree) -> Batch:
    used = {k: v for k, v in asdict(answer.usage).items() if v} if answer.usage.calls else {}
    return Batch(
        answer.edits,
        answer.work.consumed,
        answer.refused + tuple(rehearsal.refused),
        used,
        {k: v for k, v in answer.work.left_out.items() if v},
        {path: files.digest(data) for path, data in tree.bases().items()},
    )


def _show(run: Run, stage: Stage, answer: Answer, tree: Tree, total: _Total) -> None:
    """A dry run, or a stage in review: on one tree that grows with each batch."""
    rehearsal = plan.rehearse(answer.edits, context(run, stage.name, tree))
    total.changes = tree.changes()
    total.batches.append(_batch(answer, rehearsal, tree))
    _count(total, answer, rehearsal)


def _apply(run: Run, stage: Stage, answer: Answer, number: int, total: _Total) -> None:
    def rehearse(tree: Tree) -> Rehearsal:
        return plan.rehearse(answer.edits, context(run, stage.name, tree))

    rehearsal, changes, batch = writer.write(
        run.store, stage.name, run.model.name, run.id, number, rehearse, lambda r, t: _batch(answer, r, t)
    )
    join(total.changes, changes)
    total.batches.append(batch)
    _count(total, answer, rehearsal)


def _count(total: _Total, answer: Answer, rehearsal: Rehearsal) -> None:
    total.rows += rehearsal.rows
    total.usage = total.usage + answer.usage
    total.result.observed += len(rehearsal.observed)
    total.result.considered += sum(len(k) for k in answer.work.consumed.turns.values())
    if answer.notes:
        total.result.notes.append(answer.notes)


def join(changes: dict[str, tuple[bytes | None, bytes | None]], more: Changes) -> None:
    """Add what a later batch changed: what stood before the first stays before."""
    for path, (before, after) in more.items():
        changes[path] = (changes[path][0] if path in changes else before, after)


def numbered(batches: Iterable[Batch]) -> list[dict[str, Any]]:
    """The edits of a plan as JSON, with the numbers that `apply --only` takes."""
    edits = (edit for batch in batches for edit in batch.edits)
    return [{"n": number, **plans.shown(edit)} for number, edit in enumerate(edits, 1)]


def refusals(refused: Iterable[Refused]) -> list[dict[str, Any]]:
    """Refused edits as JSON."""
    return [{"op": r.op, "reason": r.reason, "text": r.text} for r in refused]


def _nothing(run: Run, result: Result) -> list[str]:
    """Why nothing was considered, where it is the call's or the settings' doing."""
    if result.considered or result.stopped:
        return []
    if not run.config.sources.include and not run.options.only:
        return ["no source is chosen, so nothing is read: `crab sources add NAME|PATH`"]
    if run.options.redo:
        return [f"--redo {run.options.redo}: no session or run of that name was found"]
    return []


def _finish(run: Run, stage: Stage, total: _Total, waits: bool) -> Result:
    result = total.result
    result.edits = numbered(total.batches)
    for batch in total.batches:
        result.refused += refusals(batch.refused)
        for reason, count in batch.left_out.items():
            result.left_out[reason] = result.left_out.get(reason, 0) + count
    result.balance = plan.balance(total.rows)
    result.diff = diff.unified(total.changes)
    result.usage = asdict(total.usage)
    result.redacted = list({tuple(sorted(r.items())): r for r in run.redacted}.values())
    result.unknown, result.notices = run.unknown, run.notices + _nothing(run, result)
    if waits and any(b.consumed.turns or b.consumed.entries for b in total.batches):
        made = Plan(
            plan.new_id(),
            stage.name,
            run.model.name,
            run.store.clock().isoformat(timespec="seconds"),
            tuple(total.batches),
        )
        plans.keep(run.store, made, run.store.clock() + WAIT)
        result.plan, result.waits = made.id, True
    result.held = sum(len(p.edits) for p in plans.waiting(run.store) if p.stage == stage.name)
    return result
