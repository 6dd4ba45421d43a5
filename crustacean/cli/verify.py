"""crab verify"""

from __future__ import annotations

import typer

from crustacean.cli.command import Call, command


def add(app: typer.Typer) -> None:
    command(app, "verify")(verify)


def verify(call: Call) -> None:
    """Prove that no line which crab wrote is lost; status 1 if one is."""
    with call.open() as workspace:
        account = workspace.verify()

    def show() -> None:
        print(
            f"{account.entries} entries: {account.live} live, {account.superseded} superseded,"
            f" {account.archived} archived, {account.trashed} trashed, {account.undone} undone (both in the trash),"
            f" {account.removed_outside} removed by hand, {account.purged} purged, {len(account.lost)} lost"
        )
        for lost in account.lost:
            print(f"  lost: {lost['id']} from {lost['path']} (run {lost['run']})")
        for problem in account.problems:
            print(f"  {problem}")

    call.out(account, show)
    if account.lost:
        raise typer.Exit(1)
