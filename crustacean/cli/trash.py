"""crab trash"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command


def add(app: typer.Typer) -> None:
    group = typer.Typer(help="What was removed, and can be put back.", no_args_is_help=True, rich_markup_mode=None)
    command(group, "list")(listing)
    command(group, "restore")(restore)
    command(group, "empty")(empty)
    app.add_typer(group, name="trash")


def listing(call: Call) -> None:
    """List what is in the trash, the latest last."""
    with call.open() as workspace:
        blocks = workspace.trash()

    def show() -> None:
        if not blocks:
            print("the trash is empty")
        for gone in blocks:
            print(f"{gone.id}  {gone.path}  ({gone.why})  {' '.join(gone.block.split())[:90]}")

    call.out(blocks, show)


def restore(
    call: Call,
    name: Annotated[str, typer.Argument(help="The id of a block (4 characters do), or a run.", metavar="ID")],
) -> None:
    """Put a block back where it was, or all that a run took away."""
    with call.open() as workspace:
        paths = workspace.restore(name)
    call.out({"restored": paths}, lambda: print(f"put back into {', '.join(paths)}"))


def empty(call: Call, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Erase what is in the trash."""
    with call.open() as workspace:
        call.confirm(f"Erase {len(workspace.trash())} blocks for good?", yes)
        count = workspace.empty_trash()
    call.out({"erased": count}, lambda: print(f"erased {count} blocks"))
