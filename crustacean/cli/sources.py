"""crab sources"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command
from crustacean.errors import UsageError

_RULE = Annotated[str, typer.Argument(help="A client, a path, or a rule (docs/sources.md).", metavar="NAME|PATH|RULE")]


def add(app: typer.Typer) -> None:
    group = typer.Typer(help="What may be read.", no_args_is_help=True, rich_markup_mode=None)
    command(group, "list")(listing)
    command(group, "add")(adding)
    command(group, "remove")(remove)
    command(group, "exclude")(exclude)
    app.add_typer(group, name="sources")


def listing(call: Call) -> None:
    """List what may be read, what may not, and what else is on this machine."""
    from crustacean import setup

    with call.open() as workspace:
        rules = workspace.config.sources
        read = workspace.last_read()
    found = setup.found_sources()
    data = {
        "include": rules.include,
        "exclude": rules.exclude,
        "never": rules.never,
        "private": rules.private,
        "found": found,
        "read": read,
    }

    def show() -> None:
        for rule in rules.include:
            print(f"read     {rule}")
        for rule in rules.exclude:
            print(f"exclude  {rule}")
        for one in found:
            chosen = one.rule in rules.include or one.client in rules.include
            last = read.get(str(one.root), "never")
            size = f"{one.sessions} files, {one.bytes / 1e6:.1f} MB"
            mark = "chosen" if chosen else "found"
            print(f"{mark:<8} {one.client:<12} {size}, last read {last}  {one.root}")
        if not rules.include:
            print("nothing is chosen yet: crab sources add NAME|PATH")

    call.out(data, show)


def adding(call: Call, name: _RULE) -> None:
    """Let a store be read."""
    with call.open() as workspace:
        rules = workspace.change_sources("include", add=name)
    call.out({"include": rules}, lambda: print(f"may be read: {', '.join(rules)}"))


def remove(call: Call, name: _RULE) -> None:
    """Take a rule away, from what may be read or from what may not."""
    with call.open() as workspace:
        before = workspace.config.sources
        rules = workspace.change_sources("include", remove=name)
        excluded = workspace.change_sources("exclude", remove=name)
    if [*rules, *excluded] == [*before.include, *before.exclude]:
        raise UsageError(f"{name} is not one of the rules", "`crab sources list` shows them")

    def show() -> None:
        print(f"may be read: {', '.join(rules) or 'nothing'}")
        print(f"is never read: {', '.join(excluded) or 'nothing'}")

    call.out({"include": rules, "exclude": excluded}, show)


def exclude(call: Call, name: _RULE) -> None:
    """Never read this: a client, a folder, a session, a person."""
    with call.open() as workspace:
        rules = workspace.change_sources("exclude", add=name)
    call.out({"exclude": rules}, lambda: print(f"is never read: {', '.join(rules)}"))
