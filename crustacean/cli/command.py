"""What every command shares: its common options, opening the workspace, and showing the result."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crustacean.errors import UsageError

if TYPE_CHECKING:
    from crustacean.api import Workspace


@dataclass(slots=True)
class Call:
    """The common options of one call and the means to answer it."""

    workspace: str | None
    as_json: bool
    now: str | None
    quiet: bool
    verbose: bool
    _opened: Workspace | None = None

    def open(self) -> Workspace:
        """The workspace of this call. Raises WorkspaceError where there is none."""
        from crustacean.api import Workspace

        self._opened = Workspace.find(self.workspace, now=self.now)
        return self._opened

    def out(self, data: Any, show: Callable[[], None]) -> None:
        """The result: as JSON on stdout, or shown by `show`."""
        if self.as_json:
            print(json.dumps(plain(data), ensure_ascii=False))
        elif not self.quiet:
            show()

    def say(self, text: str) -> None:
        """Prose about what happened: beside the result where stdout is not a terminal."""
        if not self.quiet and not self.as_json:
            print(text, file=sys.stdout if sys.stdout.isatty() else sys.stderr)

    def warn(self, text: str) -> None:
        """One line about something that needs a person."""
        print(f"crab: {text}", file=sys.stderr)

    def progress(self, text: str) -> None:
        """What is being done right now."""
        if self.verbose:
            print(text, file=sys.stderr)

    def ask(self, question: str, yes: bool) -> bool:
        """Ask a person; --yes answers. Raises UsageError where there is no terminal to ask on."""
        if yes:
            return True
        if self.as_json or not sys.stdin.isatty():
            raise UsageError(f"{question} can't be asked here", "say --yes")
        return typer.confirm(question)

    def confirm(self, question: str, yes: bool) -> None:
        """Ask before something that can't be taken back; a no ends the command with status 1."""
        if not self.ask(question, yes):
            raise typer.Exit(1)

    def close(self) -> None:
        """At the end of a command: what its workspace has to tell the person."""
        for notice in self._opened.notices if self._opened else ():
            self.warn(notice)


def plain(data: Any) -> Any:
    """Dataclasses, paths and times as JSON data."""
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {f.name: plain(getattr(data, f.name)) for f in dataclasses.fields(data)}
    if isinstance(data, dict):
        return {str(k): plain(v) for k, v in data.items()}
    if isinstance(data, list | tuple | set | frozenset):
        return [plain(v) for v in data]
    if isinstance(data, str | int | float | bool | None):
        return data
    return str(data)


_COMMON: dict[str, tuple[Any, Any]] = {
    "workspace": (
        Annotated[str | None, typer.Option("-w", "--workspace", help="The workspace folder.", show_default=False)],
        None,
    ),
    "as_json": (Annotated[bool, typer.Option("--json", help="JSON on stdout and nothing else there.")], False),
    "now": (
        Annotated[str | None, typer.Option("--now", help="A fixed clock, ISO 8601.", show_default=False)],
        None,
    ),
    "quiet": (Annotated[bool, typer.Option("-q", "--quiet", help="Say nothing but what needs you.")], False),
    "verbose": (
        Annotated[bool, typer.Option("-v", "--verbose", help="Say what is done and what was left out.")],
        False,
    ),
}


def command(app: typer.Typer, name: str, **settings: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function (call, its own options) as a command with the common options at the end."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        common = [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            for key, (kind, default) in _COMMON.items()
        ]
        own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]

        @functools.wraps(function)
        def wrapper(**values: Any) -> None:
            call = Call(*(values.pop(key) for key in _COMMON))
            try:
                function(call, **values)
            finally:
                call.close()

        parameters = own + common
        wrapper.__dict__["__signature__"] = inspect.Signature(parameters)
        wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
        app.command(name, **settings)(wrapper)
        return wrapper

    return register
