"""Asking a model about one batch: once, once more with the reasons where edits were refused, and in halves where no
usable reply comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from crustacean.edits.edit import Edit
from crustacean.edits.operations import Refused, read_reply, reasons
from crustacean.errors import BadReply, ModelError
from crustacean.models.failures import CostlyReply
from crustacean.models.protocol import Request, Usage
from crustacean.stages.work import Input, Run, Stage
from crustacean.text.secrets import redact


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model made of one batch of input. notes: what it left out and why. failed: why a
    turn is set aside, "" for an answer."""

    work: Input
    edits: tuple[Edit, ...]
    refused: tuple[Refused, ...]
    usage: Usage
    notes: str = ""
    failed: str = ""


Trial = Callable[[tuple[Edit, ...]], tuple[Refused, ...]]
"""Performs edits on a throw-away tree and returns what was refused."""


def ask(run: Run, stage: Stage, work: Input, trial: Trial) -> Iterator[Answer]:
    """One answer for the whole batch; after two failures one for each half, down to the single turn that is set aside.

    Raises ModelError (not BadReply) where the model can't be had, or gives nothing usable at all: then what is not
    answered counts as not considered. A turn is set aside only by a model that has answered something.
    """
    aside: list[Answer] = []
    turns = sum(bool(t.label) for t in work.turns) + len(work.entries)
    patience = 2 * (turns.bit_length() + 1)
    for answer in _halving(run, stage, work, trial, patience):
        if answer.failed:
            aside.append(answer)
        else:
            run.answers += 1
            yield answer
    if aside and not run.answers:
        raise ModelError(
            f"{run.model.name} gave no usable reply: {aside[0].failed}", "see what it prints, or choose another model"
        )
    yield from aside


def _halving(run: Run, stage: Stage, work: Input, trial: Trial, patience: int) -> Iterator[Answer]:
    """patience: calls without a usable reply, of a model that never gave one, after which no more is asked."""
    request = stage.request(run, work)
    spent = Usage()
    for attempt in (1, 2):
        try:
            yield _once(run, stage, work, request, trial, spent)
            return
        except BadReply as err:
            spent = spent + _cost(err)
            failure = err.message
            run.failures += 1
            if not run.answers and run.failures >= patience:
                raise ModelError(
                    f"{run.model.name} gave no usable reply in {run.failures} calls: {failure}",
                    "see what it prints, or choose another model",
                ) from err
            if attempt == 1:
                run.progress(f"asking again: {failure}")
    if len([t for t in work.turns if t.label]) + len(work.entries) <= 1:
        yield _set_aside(work, failure, spent)
        return
    run.progress(f"halving the batch: {failure}")
    for half in work.halves():
        yield from _halving(run, stage, half, trial, patience)


def _once(run: Run, stage: Stage, work: Input, request: Request, trial: Trial, spent: Usage) -> Answer:
    reply = run.model.reply(request)
    edits, refused = _read(run, stage, work, reply.data)
    usage = spent + reply.usage
    bad = refused + list(trial(tuple(edits)))
    if bad and not run.model.offline:
        try:
            second = run.model.reply(replace(request, messages=((reply.text, reasons(bad)),)))
        except BadReply as err:
            # The first reply stands with what was good in it.
            return Answer(work, tuple(edits), tuple(refused), usage + _cost(err))
        usage = usage + second.usage
        edits, refused = _read(run, stage, work, second.data)
        reply = second
    notes = reply.data.get("notes")
    return Answer(work, tuple(edits), tuple(refused), usage, notes if isinstance(notes, str) else "")


def _cost(failure: BadReply) -> Usage:
    return failure.usage if isinstance(failure, CostlyReply) else Usage()


def _read(run: Run, stage: Stage, work: Input, data: Any) -> tuple[list[Edit], list[Refused]]:
    operations, malformed = read_reply(data)
    edits, refused = stage.resolve(run, work, operations)
    return edits, [_without_secrets(run, r) for r in malformed + refused]


def _without_secrets(run: Run, refused: Refused) -> Refused:
    """What is refused is kept for a person to see, on the disk: no secret in it either."""
    patterns = run.config.secret_patterns
    return replace(refused, reason=redact(refused.reason, patterns)[0], text=redact(refused.text, patterns)[0])


def _set_aside(work: Input, failure: str, usage: Usage) -> Answer:
    keys = tuple(s.key for s in work.sources.values())
    return Answer(work, (), (Refused("batch", f"set aside: {failure}", "", keys),), usage, failed=failure)
