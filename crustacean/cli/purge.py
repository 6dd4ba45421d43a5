"""crab purge"""

from __future__ import annotations

from typing import Annotated

import typer

from crustacean.cli.command import Call, command
from crustacean.errors import UsageError


def add(app: typer.Typer) -> None:
    command(app, "purge")(purge)


def purge(
    call: Call,
    ids: Annotated[
        list[str] | None, typer.Argument(help="Entries by id (4 characters do).", metavar="[ID]...", show_default=False)
    ] = None,
    session: Annotated[str, typer.Option("--session", help="All that came from a session.", show_default=False)] = "",
    person: Annotated[
        str, typer.Option("--person", help="All that a person said, and their file.", show_default=False)
    ] = "",
    match: Annotated[str, typer.Option("--match", help="All that holds this text.", show_default=False)] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; reworded entries go too.")] = False,
) -> None:
    """Erase for good: every copy that crab holds, and stop its turns from being read again."""
    if not (ids or session or person or match):
        raise UsageError("purge needs an id, --session, --person or --match", "see `crab purge --help`")
    with call.open() as workspace:
        found = workspace.purge_find(tuple(ids or ()), session, person, match)
        if not found.places and not found.keys:
            raise UsageError("nothing that crab holds is meant by that", "`crab show` and the files tell ids")
        if not call.as_json and not call.quiet:
            _show(found.places, found.reworded)
        if dry_run:
            call.out({"places": found.places, "reworded": found.reworded, "purged": 0}, lambda: None)
            return
        extra = [i for i, path, text in found.reworded if call.ask(f"Also {path}: {text[:80]}?", yes)]
        if extra:
            found = workspace.purge_find((*(ids or ()), *extra), session, person, match)
        call.confirm(f"Erase {len(found.places)} places for good?", yes)
        history = workspace.git_history(sorted(found.texts))
        count = workspace.purge(found)

    def show() -> None:
        print(f"erased {count} places; {len(found.keys)} turns will not be read again")
        if history:
            print(
                f"git history still holds it in {len(history)} commits ({', '.join(history[:5])}): rewrite it with"
                " `git filter-repo --replace-text FILE`, then force-push and expire old clones"
            )

    call.out({"purged": count, "turns": len(found.keys), "git": history}, show)


def _show(places: list[tuple[str, int, str]], reworded: list[tuple[str, str, str]]) -> None:
    for path, line, text in places:
        print(f"  {path}:{line}  {' '.join(text.split())[:100]}")
    for _, path, text in reworded:
        print(f"  in other words: {path}  {' '.join(text.split())[:100]}")
