"""Any program that reads a prompt on stdin and prints a reply: `command:ARGV`, or `command:PRESET`."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from crustacean.errors import ModelError
from crustacean.models.chat import answer
from crustacean.models.estimate import estimate, estimate_text
from crustacean.models.failures import CostlyReply, one_line
from crustacean.models.prices import flat
from crustacean.models.process import Outcome, run
from crustacean.models.protocol import Reply, Request, Usage
from crustacean.models.render import as_text
from crustacean.models.settings import ModelSettings
from crustacean.workspace.config import person_path

# Agents get no tools, hooks, plugins and MCP servers and keep no session: what a transcript says must not be able to
# make them do anything but answer. `codex` has no one option for that, and so leaves the person's config.toml unread.
_CODEX_OFF = ("shell_tool", "unified_exec", "view_image", "multi_agent", "goals", "hooks", "apps", "plugins")
PRESETS: Mapping[str, tuple[str, ...]] = {
    "claude": ("claude", "-p", "--safe-mode", "--tools", "", "--no-session-persistence"),
    "codex": (
        *("codex", "exec", "--ephemeral", "--ignore-user-config", "--skip-git-repo-check"),
        *("--sandbox", "read-only", "--color", "never", "-c", 'web_search="disabled"'),
        *(word for feature in _CODEX_OFF for word in ("-c", f"features.{feature}=false")),
        "-",
    ),
    "llm": ("llm", "--no-stream", "--no-log"),
}
_OUTPUT_LIMIT = 4_000_000
# Set by Claude Code for what runs inside it; another claude refuses to start under it.
_NOT_PASSED_ON = ("CLAUDECODE",)


def connect(line: str, settings: ModelSettings) -> CommandModel:
    """The command of that line: a preset's name alone, or a program with arguments as a shell would split them.

    Raises ModelError for an empty or badly quoted line; whether the program can be had shows in `check` and `reply`.
    """
    name = line.strip()
    presets = {**PRESETS, **settings.presets}
    try:
        argv = list(presets[name]) if name in presets else shlex.split(line)
    except ValueError as error:
        raise ModelError(f"command: {one_line(line)}: {str(error).lower()}", "quote it as in a shell") from None
    if not argv or not argv[0]:
        known = ", ".join(f"command:{preset}" for preset in presets)
        raise ModelError("command: no program is named", f"write command:PROGRAM ARGUMENTS, or one of {known}")
    return CommandModel(name, argv, settings)


class CommandModel:
    """A model that is a program; see crustacean.models.protocol.Model. Its usage is an estimate, for nobody counts."""

    offline = False

    def __init__(self, line: str, argv: list[str], settings: ModelSettings) -> None:
        self.name = f"command:{line}"
        self._argv = argv
        self._settings = settings

    def check(self) -> None:
        """Raises ModelError where the program is not there. Runs nothing."""
        self._program()

    def price(self) -> tuple[float, float] | None:
        prices = self._settings.prices
        return prices.get(self.name) or prices.get(self.name.removeprefix("command:"))

    def reply(self, request: Request) -> Reply:
        argv = [self._program(), *self._argv[1:]]
        outcome = self._run(argv, as_text(request).encode("utf-8"))
        text = outcome.out.decode("utf-8", "replace")
        usage = self._usage(estimate(request), estimate_text(text[: 4 * _OUTPUT_LIMIT]))
        if outcome.end == "timeout":
            raise ModelError(
                f"{self._words} did not answer within {self._settings.timeout:g} s", "raise timeout_s in crab.toml"
            )
        if outcome.end == "overflow":
            raise CostlyReply(f"{self._words} printed more than {_OUTPUT_LIMIT // 1_000_000} MB", usage)
        if outcome.status != 0:
            raise ModelError(f"{self._words} {_ended(outcome)}", "run it by hand to see why")
        if not text.strip():
            raise CostlyReply(f"{self._words} printed nothing{_last_line(outcome.err)}", usage)
        return answer(text, request, usage, self._words)

    @property
    def _words(self) -> str:
        return f"command:{one_line(self._argv[0], limit=80)}"

    def _program(self) -> str:
        name = self._argv[0]
        home = self._settings.env.get("HOME", "")
        if name.startswith("~") and home:
            name = str(person_path(name, Path(home), Path()))
        found = shutil.which(name, path=self._settings.env.get("PATH", "/usr/bin:/bin"))
        if found is None or ("/" in name and not Path(name).is_absolute()):
            raise ModelError(
                f"{self._words}: there is no such program",
                "is it on PATH? a program elsewhere is named by its whole path",
            )
        return found

    def _run(self, argv: list[str], given: bytes) -> Outcome:
        env = {name: value for name, value in self._settings.env.items() if name not in _NOT_PASSED_ON}
        directory = self._settings.directory
        try:
            if directory is not None:
                directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            return run(
                argv,
                given,
                env={**env, "CRAB_JOB": "1"},
                directory=directory,
                timeout=self._settings.timeout,
                limit=_OUTPUT_LIMIT,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "an argument that can't be passed on"
            raise ModelError(f"{self._words} can't be started: {reason}", "check the command in crab.toml") from None

    def _usage(self, given: int, printed: int) -> Usage:
        price = self.price()
        usage = Usage(1, given, printed, cost=None)
        return usage if price is None else Usage(1, given, printed, cost=flat(*price).cost(usage))


def _ended(outcome: Outcome) -> str:
    how = f"was ended by signal {-outcome.status}" if outcome.status < 0 else f"ended with status {outcome.status}"
    return how + _last_line(outcome.err)


def _last_line(err: bytes) -> str:
    lines = [line for line in err.decode("utf-8", "replace").splitlines() if line.strip()]
    return f": {one_line(lines[-1])}" if lines else ""
