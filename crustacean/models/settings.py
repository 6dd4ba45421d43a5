"""What a model needs to know beyond its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from crustacean.models.retry import Retry


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where a person said a key is; the first that is set counts, and only that one.

    env: name of an environment variable. command: a command line that prints the key on its first line (run without
    a shell). file: a path; `~/` is the home directory.
    """

    env: str = ""
    command: str = ""
    file: str = ""

    def __bool__(self) -> bool:
        return bool(self.env or self.command or self.file)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Settings of all providers; `base_url` and `keys` are by provider ("anthropic", "openai", a plugin's own name).

    env: the environment, as config read it. timeout: seconds to wait for one answer.
    prices: US dollars for a million input and output tokens, by model as the provider calls it or by full name.
    presets: argument lists of `command:NAME`, beside those crab knows.
    directory: where commands run, made when first needed; nothing else is kept in it.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    base_url: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, KeySource] = field(default_factory=dict)
    timeout: float = 600.0
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    presets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    directory: Path | None = None
    retry: Retry = field(default_factory=Retry)
