"""crab undo"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command


def add(app: typer.Typer) -> None:
    command(app, "undo")(undo)


def undo(
    call: Call,
    run: Annotated[
        str, typer.Argument(help="The run; the last one that still stands without it.", show_default=False)
    ] = "",
    redo: Annotated[bool, typer.Option("--redo", help="What the run had read may be read again.")] = False,
) -> None:
    """Reverse a run, by entry; what it removes goes to the trash."""
    with call.open() as workspace:
        result = workspace.undo(run, redo)

    def show() -> None:
        print(
            f"undid run {result.of} as run {result.run}:"
            f" {len(result.rows)} edits reversed in {len(result.changes)} files"
        )
        for sentence in result.left:
            print(f"  left: {sentence}")

    call.out({"run": result.run, "of": result.of, "edits": result.rows, "left": result.left}, show)
