"""crab apply, crab plans"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command
from crustacean.cli.render import stage_result
from crustacean.errors import UsageError

_PLAN = typer.Argument(help="A plan's id or file; the last waiting one without it.", show_default=False)


def add(app: typer.Typer) -> None:
    command(app, "apply")(apply)
    group = typer.Typer(help="Plans that wait for you.", no_args_is_help=True, rich_markup_mode=None)
    command(group, "list")(listing)
    command(group, "drop")(drop)
    app.add_typer(group, name="plans")


def apply(
    call: Call,
    plan: Annotated[str, _PLAN] = "",
    only: Annotated[str | None, typer.Option("--only", help="Edits by number: 1,3,5-7.", show_default=False)] = None,
) -> None:
    """Apply a plan that a dry run made, without asking the model again."""
    with call.open() as workspace:
        result = workspace.apply(plan, numbers(only) if only is not None else ())
    stage_result(call, result)


def numbers(text: str) -> frozenset[int]:
    """ "1,3,5-7" as numbers. Raises UsageError."""
    out: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(part) > 12:
            raise UsageError(f"--only {text}: {part!r} is not a number", "write it like 1,3,5-7")
        if dash and int(last) < int(first):
            raise UsageError(f"--only {text}: {part!r} counts backwards", "write it like 1,3,5-7")
        out.update(range(int(first), min(int(last or first), int(first) + 10_000) + 1))
    return frozenset(out)


def listing(call: Call) -> None:
    """List the plans that wait, with their edits."""
    with call.open() as workspace:
        plans = workspace.plans()

    def show() -> None:
        if not plans:
            print("no plan is waiting")
        for plan in plans:
            print(f"{plan.id}  {plan.made[:16].replace('T', ' ')}  {plan.stage}  {plan.model}")
            for number, edit in enumerate(plan.edits, 1):
                print(f"  {number:>3}  {edit.op:<9} {edit.path}  {' '.join(edit.text.split())[:90]}")

    call.out(
        [{"plan": p.id, "made": p.made, "stage": p.stage, "model": p.model, "edits": len(p.edits)} for p in plans], show
    )


def drop(call: Call, plan: Annotated[str, _PLAN] = "") -> None:
    """Let a plan go; what it would have consumed is free again."""
    with call.open() as workspace:
        gone = workspace.drop_plan(plan)
    call.out({"plan": gone.id, "dropped": True}, lambda: print(f"dropped plan {gone.id}"))
