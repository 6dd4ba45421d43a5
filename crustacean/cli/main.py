"""The list of commands, and the one place where errors become a line and an exit status."""

from __future__ import annotations

import json
import os
import sys
from typing import Annotated

import typer

from crustacean import __version__
from crustacean.cli import (
    collect,
    doctor,
    init,
    log,
    plans,
    purge,
    show,
    sources,
    trash,
    try_,
    undo,
    verify,
)  # fmt: skip
from crustacean.errors import CrabError

_USAGE: type[Exception] = typer.BadParameter.__bases__[0]
"""What the command-line library raises for a wrong call; it keeps that class itself private."""

app = typer.Typer(
    name="crab",
    help="Keep an AI agent's memory as a folder of markdown that you can read, edit and review in git.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for part in (init, try_, sources, collect, plans, log, show, undo, verify, trash, purge, doctor):
    part.add(app)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"crab {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Keep an AI agent's memory as a folder of markdown that you can read, edit and review in git."""


def run(arguments: list[str]) -> int:
    """Run one command; returns its exit status: 0 done, 1 a check found something, 2 usage, 3 workspace,
    4 model, 5 all edits refused, 75 locked. Expected errors are one line, never a traceback."""
    try:
        status = app(_expanded(arguments), standalone_mode=False)
        return status if isinstance(status, int) else 0
    except CrabError as err:
        return _fail(arguments, err.message, err.hint, err.status)
    except typer.Exit as stop:
        return stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        print("crab: stopped; what was not written stays as it was", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as err:
        where = f"{err.filename}: " if err.filename else ""
        return _fail(arguments, f"{where}{err.strerror or err}", "check its permissions and the space on the disk", 3)
    except _USAGE as err:
        message = err.format_message() if isinstance(err, typer.BadParameter) else str(err)
        if message.startswith("Usage:"):  # a group without a command: its help is the answer
            print(message)
            return 2
        return _fail(arguments, message, "see `crab --help`", 2)


def _expanded(arguments: list[str]) -> list[str]:
    """`--redo` may stand alone: then it means all that the offline model did."""
    out: list[str] = []
    for at, word in enumerate(arguments):
        out.append(word)
        follows = arguments[at + 1 : at + 2]
        if word == "--redo" and arguments[:1] == ["collect"] and (not follows or follows[0].startswith("-")):
            out.append("")
    return out


def _fail(arguments: list[str], message: str, hint: str, status: int) -> int:
    if "--json" in arguments:
        print(json.dumps({"error": {"message": message, "hint": hint, "status": status}}, ensure_ascii=False))
    else:
        line = " ".join(f"{message}: {hint}".split()) if hint else " ".join(message.split())
        print(f"crab: {line}", file=sys.stderr)
    return status
