"""The key of a provider: where it comes from, and what may be said about it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path

from crustacean.errors import ModelError
from crustacean.models.process import run
from crustacean.models.settings import ModelSettings
from crustacean.workspace.config import person_path

_LONGEST = 16_384
_COMMAND_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Key:
    """A key and the words for its source: "the environment variable X", "key_cmd", "key_file". The value is in no
    repr and in no message."""

    value: str = field(repr=False)
    source: str


def find_key(provider: str, variable: str, settings: ModelSettings, *, ours: bool = True) -> Key | None:
    """The key for a provider, from the source that crab.toml names, else from the provider's usual `variable`.

    ours: whether the address is the provider's own; the usual variable is not sent anywhere else. None where there
    is no source at all. Raises ModelError where the source that is named gives no key.
    """
    source = settings.keys.get(provider)
    if source is None or not source:
        value = settings.env.get(variable, "").strip() if ours else ""
        return _checked(value, f"the environment variable {variable}", provider) if value else None
    if source.env:
        value, words = settings.env.get(source.env, ""), f"the environment variable {source.env}"
        if not value.strip():
            raise ModelError(f"{provider}: {words} is not set", f"set it, or change key_env of {provider} in crab.toml")
        return _checked(value, words, provider)
    if source.command:
        return _checked(_printed(provider, source.command, settings), "key_cmd", provider)
    return _checked(_filed(provider, source.file, settings), "key_file", provider)


def _printed(provider: str, command: str, settings: ModelSettings) -> str:
    option = f"key_cmd of {provider} in crab.toml"
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise ModelError(f"{option}: {str(error).lower()}", "quote it as in a shell") from None
    if not argv:
        raise ModelError(f"{option} is empty", "give it a command that prints the key")
    try:
        outcome = run(
            argv, b"", env=settings.env, directory=None, timeout=min(_COMMAND_TIMEOUT, settings.timeout), limit=_LONGEST
        )
    except (OSError, ValueError):
        raise ModelError(f"{option}: its program can't be started", "is it installed, and on PATH?") from None
    if outcome.end != "exit" or outcome.status != 0:
        said = f"ended with status {outcome.status}" if outcome.end == "exit" else "did not end by itself"
        raise ModelError(f"{option} {said}", "run it by hand to see why")
    lines = outcome.out.decode("utf-8", "replace").split("\n", 1)
    if not lines[0].strip():
        raise ModelError(f"{option} printed no key", "it must print the key on its first line")
    return lines[0]


def _filed(provider: str, name: str, settings: ModelSettings) -> str:
    option = f"key_file of {provider} in crab.toml"
    path = person_path(name, Path(settings.env.get("HOME", "~")), Path())
    try:
        with path.open("rb") as file:
            content = file.read(_LONGEST)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a path"
        raise ModelError(f"{option}: {name}: {reason}", "name a file that holds nothing but the key") from None
    if not content.strip():
        raise ModelError(f"{option}: {name} is empty", "name a file that holds nothing but the key")
    return content.decode("utf-8", "replace")


def _checked(value: str, source: str, provider: str) -> Key:
    value = value.strip()
    if not value.isascii() or not value.isprintable() or " " in value or len(value) > 4096:
        raise ModelError(
            f"{provider}: what {source} gives is not a key: it has blanks, line breaks or letters no key has",
            f"check {source}",
        )
    return Key(value, source)
