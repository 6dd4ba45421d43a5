"""crab log"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command


def add(app: typer.Typer) -> None:
    command(app, "log")(log)


def log(
    call: Call,
    limit: Annotated[int, typer.Option("-n", "--limit", help="How many runs, 0 for all.")] = 20,
) -> None:
    """List the runs, the latest first."""
    with call.open() as workspace:
        runs = workspace.log(limit)

    def show() -> None:
        if not runs:
            print("no run yet: `crab collect` makes the first")
        for info in runs:
            counts = ", ".join(f"{n} {word}" for word, n in info.balance.items() if n)
            if info.kind == "outside":
                counts = f"your own changes in {', '.join(info.files)}"
            extra = f" from {info.considered} turns" if info.considered else ""
            undone = f"  (undone by {info.undone})" if info.undone else ""
            when = info.at[:16].replace("T", " ")
            print(f"{info.run:<10} {when}  {info.stage:<10} {counts or 'nothing'}{extra}{undone}")

    call.out(runs, show)
