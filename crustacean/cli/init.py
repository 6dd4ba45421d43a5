"""crab init"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crustacean.cli.command import Call, command

if TYPE_CHECKING:
    from crustacean.setup import Report
    from crustacean.transcripts.sources import Found


def add(app: typer.Typer) -> None:
    command(app, "init")(init)


def init(
    call: Call,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="The folder; OpenClaw's workspace without one.", show_default=False),
    ] = None,
    git: Annotated[bool, typer.Option("--git", help="Put it under git.")] = False,
    timezone: Annotated[
        str,
        typer.Option(
            "--timezone", help="Your time zone, like Europe/Madrid; this machine's without it.", show_default=False
        ),
    ] = "",
    profile: Annotated[
        str, typer.Option("--profile", help="openclaw, or plain: without SOUL.md and its kind.")
    ] = "openclaw",
    owner: Annotated[
        list[str] | None, typer.Option("--owner", help="Your own id in chats (repeatable).", show_default=False)
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="Your name, as the memory should call you.", show_default=False)
    ] = "",
    model: Annotated[
        str, typer.Option("--model", help="offline, anthropic:NAME, openai:NAME, command:ARGV.", show_default=False)
    ] = "",
    source: Annotated[
        list[str] | None,
        typer.Option("--source", help="What may be read: a client, a path, or all (repeatable).", show_default=False),
    ] = None,
) -> None:
    """Set up a workspace, or adopt an existing folder without changing a byte of it."""
    from crustacean import setup

    root = (
        (folder or (Path(call.workspace) if call.workspace else None) or setup.default_root(Path.cwd()))
        .expanduser()
        .absolute()
    )
    had = setup.settings(root)
    chosen = list(source or ())
    found = setup.found_sources()
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not call.as_json and not call.quiet
    if asks and not chosen and not (had and had.sources.include):
        chosen = _ask(found)
    if asks and not owner and not had:
        owner = _ask_owner()
    answers = setup.Answers(timezone, profile, tuple(owner or ()), name, model, tuple(chosen), git)
    report = setup.init(root, answers)

    call.out(report, lambda: _show(report, root, found))


def _show(report: Report, root: Path, found: list[Found]) -> None:
    """What was made and kept, what is the person's own, and what to do next."""
    print(f"{root}: {len(report.made)} files and folders made, {len(report.kept)} kept as they were")
    for path in report.foreign:
        print(f"  {path} is your own prompt: left as it is, and not used by crab")
    for job in report.jobs:
        print(f"  the scheduled job {job.name} looks like one of crab's stages; to stop it: {job.disable}")
    for notice in report.notices:
        print(f"  {notice}")
    if not report.sources:
        if found:
            print("  nothing will be read yet. Found here:")
            _list(found)
        print("  choose with: crab sources add NAME|PATH")
    print(f"next: crab collect --dry-run -w {shlex.quote(str(root))}")


def _list(found: list[Found]) -> None:
    for number, one in enumerate(found, 1):
        days = f", {one.first} to {one.last}" if one.first else ""
        print(f"    {number}  {one.client:<12} {one.sessions} files, {one.bytes / 1e6:.1f} MB{days}  {one.root}")


def _ask(found: list[Found]) -> list[str]:
    """Which of the stores found may be read."""
    if not found:
        return []
    print("These session stores are here. crab reads only what you choose:")
    _list(found)
    answer = typer.prompt("Read which (numbers, all, or none)", default="none")
    if answer.strip() == "all":
        return ["all"]
    words = [w for w in answer.replace(",", " ").split() if w != "none"]
    numbers = {int(w) for w in words if w.isdecimal() and 1 <= int(w) <= len(found)}
    wrong = [w for w in words if not w.isdecimal() or int(w) not in numbers]
    if wrong:
        print(f"There is no {', '.join(wrong)} in the list; `crab sources add` takes more later.")
    return [f.rule for n, f in enumerate(found, 1) if n in numbers]


def _ask_owner() -> list[str]:
    answer: str = typer.prompt(
        "Your own ids in chats (Telegram number and the like; empty for none)", default="", show_default=False
    )
    return answer.replace(",", " ").split()
