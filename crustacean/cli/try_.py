"""crab try"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command
from crustacean.cli.render import coloured, summary, warnings


def add(app: typer.Typer) -> None:
    command(app, "try")(try_it)


def try_it(
    call: Call,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the workspace to look around in it.")] = False,
) -> None:
    """Try everything in a throw-away workspace, on bundled sessions, offline, with every step's diff."""
    from crustacean.trial import trial

    with trial(keep=keep, now=call.now) as (workspace, results):

        def show() -> None:
            for result in results:
                print(f"== crab {result.stage} (offline, on the bundled sessions) ==\n")
                print(coloured(result.diff))
                print(summary(result))
                for text in warnings(result):
                    print(text)
                print()
            account = workspace.verify()
            print(f"== crab verify ==\n\n{account.entries} entries, {account.live} live, {len(account.lost)} lost\n")
            last = f"It is in {workspace.root}." if keep else "It is gone again; --keep leaves it."
            print(f"That was a throw-away workspace. {last}\nYour own: `crab init`, then `crab collect --dry-run`.")

        call.out({"workspace": str(workspace.root) if keep else None, "stages": results}, show)
