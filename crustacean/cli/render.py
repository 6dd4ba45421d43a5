"""Results as text for a person."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import TYPE_CHECKING

import typer

from crustacean.cli.command import Call

if TYPE_CHECKING:
    from crustacean.api import Estimate
    from crustacean.models.protocol import Request
    from crustacean.stages.stage import Result


def coloured(diff: str) -> str:
    """A diff with git's colours on a terminal, plain elsewhere."""
    if not sys.stdout.isatty():
        return diff
    paint = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
    out = []
    for line in diff.splitlines(keepends=True):
        code = "\x1b[1m" if line.startswith(("+++", "---")) else paint.get(line[:1], "")
        out.append(f"{code}{line.rstrip(chr(10))}\x1b[0m\n" if code else line)
    return "".join(out)


def stage_result(call: Call, result: Result) -> None:
    """What a stage did: the diff of a dry run, else a sentence; then what needs a person, whatever the options. Ends
    with status 5 where all edits were refused, 4 where the model failed half way."""
    failure = result.stopped
    shown = {f.name: getattr(result, f.name) for f in fields(result)}
    shown["stopped"] = {"message": failure.message, "hint": failure.hint, "status": failure.status} if failure else None
    call.out(shown, lambda: _stage_text(call, result))
    for text in () if call.as_json else warnings(result):
        call.warn(text)
    if failure is not None:
        if call.as_json:
            raise typer.Exit(failure.status)
        raise failure
    if result.refused and not any(result.balance.values()) and not result.observed:
        if not call.as_json:
            call.warn(f"all edits were refused: {result.refused[0]['reason']}: `crab show` lists them")
        raise typer.Exit(5)


def _stage_text(call: Call, result: Result) -> None:
    if result.dry_run and result.diff:
        print(coloured(result.diff), end="")
    call.say(summary(result))
    if call.verbose:
        for reason, count in sorted(result.left_out.items()):
            call.say(f"  left out: {count} {reason}")
        for kind, count in sorted(result.unknown.items()):
            call.say(f"  not understood: {count} records of {kind}")
        for refused in result.refused:
            call.say(f"  refused: {refused['op']}: {refused['reason']}: {refused['text'][:80]}")
        for note in result.notes:
            call.say(f"  the model: {note}")


def warnings(result: Result) -> list[str]:
    """What needs a person: secrets that were met, and notices."""
    return [
        f"a secret ({entry['kind']}) in {entry['session']} was left out: rotate it if it is still in use"
        for entry in result.redacted
    ] + result.notices


def summary(result: Result) -> str:
    """One sentence about a stage's result."""
    if not result.considered and not result.edits:
        waits = f"; {result.held} edits of a plan wait: `crab apply`, or `crab plans drop`" if result.held else ""
        return f"{result.stage}: nothing new{waits}"
    names = [f"{n} {word}" for word, n in result.balance.items() if n and word != "lost"]
    text = f"{result.stage} ({result.model}): {', '.join(names) or 'nothing worth keeping'}"
    if result.considered:
        text += f" from {result.considered} turns"
    if result.observed:
        text += f", {result.observed} said again"
    if result.refused:
        text += f", {len(result.refused)} refused"
    if result.waits:
        return (
            f"{text}. Nothing was written: `crab apply` applies this plan, `crab plans drop {result.plan}` lets it go."
        )
    return f"{text}. `crab show {result.run}` shows it, `crab undo {result.run}` takes it back."


def prompt(request: Request) -> None:
    """A prompt exactly as it would be sent."""
    print("\n".join([*request.system, request.prompt]))


def figures(call: Call, estimate: Estimate) -> None:
    """What a run would cost."""

    def show() -> None:
        price = (
            "free"
            if estimate.cost == 0
            else "price not known"
            if estimate.cost is None
            else f"at most ${estimate.cost:.2f}"
        )
        print(
            f"{estimate.model}: {estimate.calls} calls for {estimate.turns} turns, up to {estimate.input:,} tokens in"
            f" and {estimate.output:,} out, {price}; nothing was sent"
        )

    call.out(estimate, show)
