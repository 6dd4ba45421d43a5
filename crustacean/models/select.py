"""From a model's name to a model."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, runtime_checkable

from crustacean.errors import ModelError
from crustacean.models.failures import one_line
from crustacean.models.protocol import Model
from crustacean.models.settings import ModelSettings

GROUP = "crustacean.models"
# What `auto` takes, in this order: a provider whose key is there, then a program that is there.
_BY_KEY = (
    ("anthropic", ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"), "anthropic:claude-sonnet-5-5"),
    ("openai", ("OPENAI_API_KEY",), "openai:gpt-6.2-sol"),
)
_BY_PROGRAM = ("claude", "codex", "llm")


@runtime_checkable
class Checkable(Protocol):
    """A model that can say beforehand whether it can be had."""

    def check(self) -> None:
        """Raises ModelError where it can't. Sends nothing and costs nothing."""


def get(name: str, settings: ModelSettings) -> Model:
    """The model of a name: "offline", "auto", or "PROVIDER:REST" with an entry point PROVIDER in the group
    `crustacean.models`, which is a callable `(rest, settings) -> Model`.

    Nothing is sent, and no SDK is loaded. Raises ModelError for a name that is none, an unknown provider, and a plugin
    that can't be loaded.
    """
    if name.strip() == "auto":
        name = auto(settings)
    provider, _, rest = name.strip().partition(":")
    known = providers()
    if provider not in known:
        raise ModelError(
            f"there is no model {one_line(name) or '(empty)'}: no provider of that name",
            f"write PROVIDER:NAME, or offline; the providers are {', '.join(sorted(known))}",
        )
    try:
        connect = known[provider].load()
    except (ImportError, AttributeError) as error:
        raise ModelError(
            f"the model provider {provider} can't be loaded: {one_line(str(error))}",
            f"reinstall or remove the package that brings {known[provider].value}",
        ) from error
    model: Model = connect(rest.strip(), settings)
    return model


def check(model: Model) -> None:
    """Raises ModelError where a model is known not to be there, before anything is read or sent."""
    if isinstance(model, Checkable):
        model.check()


def providers() -> Mapping[str, EntryPoint]:
    """The providers by name, plugins too."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def auto(settings: ModelSettings) -> str:
    """The name of a model that is at hand. Raises ModelError where none is: never offline instead."""
    for provider, variables, name in _BY_KEY:
        if settings.keys.get(provider) or any(settings.env.get(variable, "").strip() for variable in variables):
            return name
    for program in _BY_PROGRAM:
        if shutil.which(program, path=settings.env.get("PATH", "")):
            return f"command:{program}"
    raise ModelError(
        "--model auto: no model is at hand: no key in ANTHROPIC_API_KEY or OPENAI_API_KEY, and no claude, codex or llm",
        "set a key, name a model with --model, or use --model offline",
    )
