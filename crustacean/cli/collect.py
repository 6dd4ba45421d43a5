"""crab collect"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crustacean.cli.command import Call, command
from crustacean.cli.render import figures, prompt, stage_result


def add(app: typer.Typer) -> None:
    command(app, "collect")(collect)


def collect(
    call: Call,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the diff and keep the plan; calls and pays like the real run.")
    ] = False,
    save_plan: Annotated[
        Path | None,
        typer.Option("--save-plan", help="Write the plan to this file too (a dry run).", show_default=False),
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="A client, or a path to a store, for this run (repeatable).")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Also what was said since: 2d, 3w, 2026-03-01.", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Whatever its date.")] = False,
    redo: Annotated[
        str | None, typer.Option("--redo", help="Read a session, or what a run read, once more.", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="The model for this run: offline, anthropic:NAME, openai:NAME, command:ARGV.",
            show_default=False,
        ),
    ] = None,
    print_prompt: Annotated[
        bool, typer.Option("--print-prompt", help="Print exactly what would be sent; send nothing.")
    ] = False,
    estimate: Annotated[bool, typer.Option("--estimate", help="Print tokens and price; send nothing.")] = False,
) -> None:
    """Read what is new in the chosen session stores and keep what matters in the logs of its days."""
    with call.open() as workspace:
        options = workspace.options(
            dry_run=dry_run or save_plan is not None,
            only=tuple(source or ()),
            since=since,
            everything=everything,
            redo=redo,
            save_plan=save_plan,
        )
        if print_prompt:
            for request in workspace.requests("collect", options, model):
                prompt(request)
        elif estimate:
            figures(call, workspace.estimate("collect", options, model))
        else:
            stage_result(call, workspace.stage("collect", options, model, call.progress))
