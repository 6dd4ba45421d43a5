"""crab show"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command
from crustacean.cli.render import coloured


def add(app: typer.Typer) -> None:
    command(app, "show")(show)


def show(
    call: Call,
    run: Annotated[
        str, typer.Argument(help="The run, or the start of its id; the last one without it.", show_default=False)
    ] = "",
) -> None:
    """Show one run: what it wrote and why, what was refused, and its diff."""
    with call.open() as workspace:
        detail = workspace.show(run)

    def text() -> None:
        info = detail.info
        counts = ", ".join(f"{n} {word}" for word, n in info.balance.items() if n or word == "lost")
        print(f"run {info.run}  {info.at}  {info.stage}  {info.model}".rstrip())
        print(f"{counts}; {info.considered} turns considered")
        for edit in detail.edits:
            where = ", ".join(edit.get("to", []) or edit.get("from", []))
            print(f"  {edit['op']:<9} {edit.get('id', ''):<10} {where}  {edit.get('why', '')}".rstrip())
        for refused in detail.refused:
            print(f"  refused   {refused['op']}: {refused['reason']}: {refused.get('text', '')[:100]}")
        if detail.complete:
            print(coloured(detail.diff), end="")
        else:
            print("what its files held before and after is not kept any more")

    call.out(detail, text)
