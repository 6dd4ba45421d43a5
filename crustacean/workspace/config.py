"""crab.toml: the settings a person edits, read strictly and changed without touching their comments. The only place that
reads the environment."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from crustacean.errors import WorkspaceError
from crustacean.workspace import layout

STAGES = ("collect", "curate", "consolidate", "tend", "compile", "calibrate")


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose memory this is. ids: the person's own ids in chats; nobody else counts as the owner."""

    name: str = ""
    ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sources:
    """What may be read. include, exclude: rules (docs/sources.md). never: words whose turns are passed over.
    private: project directories whose memory stays among their own sessions. cron: "report" or "off"."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    cron: str = "report"


@dataclass(frozen=True, slots=True)
class Models:
    """default: a model's name; stages: one of their own for some. key_env, key_cmd, key_file, base_url: by provider.
    timeout_s: seconds for one answer. prices: dollars for a million tokens in and out."""

    default: str = "offline"
    stages: Mapping[str, str] = field(default_factory=dict)
    base_url: Mapping[str, str] = field(default_factory=dict)
    key_env: Mapping[str, str] = field(default_factory=dict)
    key_cmd: Mapping[str, str] = field(default_factory=dict)
    key_file: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 600.0
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    presets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run and a month may use; None: no limit. Tokens in and out, US dollars."""

    run_tokens: int | None = None
    run_cost: float | None = None
    month_cost: float | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. batch_tokens: about how many tokens of turns go into one call."""

    timezone: ZoneInfo
    owner: Owner = Owner()
    sources: Sources = Sources()
    models: Models = Models()
    budget: Limits = Limits()
    git_commit: str = "daily"
    apply: Mapping[str, str] = field(default_factory=dict)
    secret_patterns: tuple[str, ...] = ()
    batch_tokens: int = 12_000
    warnings: tuple[str, ...] = ()


def env() -> Mapping[str, str]:
    """The environment of this process."""
    return os.environ


def home() -> Path:
    """The person's home directory."""
    return Path(os.environ.get("HOME") or Path.home())


def find_workspace(option: str | None, cwd: Path) -> Path:
    """The workspace to use: the one named, else CRAB_WORKSPACE, else the nearest folder above with crab.toml, else
    ~/.openclaw/workspace if it has one. Raises WorkspaceError where there is none."""
    named = option or os.environ.get("CRAB_WORKSPACE")
    if named:
        root = Path(named).expanduser().absolute()
        if not (root / layout.SETTINGS).is_file():
            raise WorkspaceError(f"{root} is not a workspace (it has no crab.toml)", f"make it one with `crab init {named}`")
        return root
    for folder in (cwd, *cwd.parents):
        if (folder / layout.SETTINGS).is_file():
            return folder
    usual = home() / ".openclaw" / "workspace"
    if (usual / layout.SETTINGS).is_file():
        return usual
    raise WorkspaceError("there is no workspace here", "make one with `crab init DIR`, or name one with -w DIR")


def load(root: Path) -> Config:
    """The settings of a workspace. Raises WorkspaceError that names file, line or key."""
    path = root / layout.SETTINGS
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as err:
        raise WorkspaceError(f"{path} is missing", f"make it with `crab init {root}`") from err
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise WorkspaceError(f"{path}: {err}", "mend the line, or compare with docs/settings.md") from err
    except OSError as err:
        raise WorkspaceError(f"{path} can't be read: {err.strerror}", "check its permissions") from err
    return _Reader(path, data).config()


class _Reader:
    """Takes settings out of parsed TOML by type; what is left over is a warning."""

    def __init__(self, path: Path, data: dict[str, Any]) -> None:
        self.path = path
        self.data = data
        self.used: set[str] = set()

    def config(self) -> Config:
        git = self.choice("git.commit", "daily", ("daily", "run", "off"))
        return Config(
            timezone=self.zone(),
            owner=Owner(self.text("owner.name", ""), frozenset(self.texts("owner.ids"))),
            sources=Sources(
                self.texts("sources.include"),
                self.texts("sources.exclude"),
                self.texts("sources.never"),
                self.texts("sources.private"),
                self.choice("sources.cron", "report", ("report", "off")),
            ),
            models=Models(
                self.text("models.default", "offline"),
                self.table("models.stages", str),
                self.table("models.base_url", str),
                self.table("models.key_env", str),
                self.table("models.key_cmd", str),
                self.table("models.key_file", str),
                self.number("models.timeout_s", 600.0),
                self.table("models.prices", _price),
                self.table("models.presets", _argv),
            ),
            budget=Limits(
                self.whole("budget.run_tokens", None), self.amount("budget.run_cost"), self.amount("budget.month_cost")
            ),
            git_commit=git,
            apply=self.table("apply", _apply),
            secret_patterns=self.texts("secrets.patterns"),
            batch_tokens=self.whole("collect.batch_tokens", 12_000) or 12_000,
            warnings=tuple(self.unknown(self.data, "")),
        )

    def get(self, key: str) -> Any:
        self.used.add(key)
        value: Any = self.data
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def wrong(self, key: str, wanted: str) -> WorkspaceError:
        return WorkspaceError(f"{self.path}: {key} is not {wanted}", "see docs/settings.md")

    def text(self, key: str, default: str) -> str:
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, "a string")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(v, str | int) and not isinstance(v, bool) for v in value):
            raise self.wrong(key, "a list of strings")
        return tuple(str(v) for v in value)

    def choice(self, key: str, default: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key, default)
        if value not in allowed:
            raise self.wrong(key, " or ".join(allowed))
        return value

    def number(self, key: str, default: float) -> float:
        value = self.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise self.wrong(key, "a number above 0")
        return float(value)

    def amount(self, key: str) -> float | None:
        value = self.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise self.wrong(key, "an amount in dollars")
        return float(value)

    def whole(self, key: str, default: int | None) -> int | None:
        value = self.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise self.wrong(key, "a whole number above 0")
        return value

    def table(self, key: str, convert: Callable[[Any], Any]) -> dict[str, Any]:
        value = self.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.wrong(key, "a table")
        out = {}
        for name, item in value.items():
            try:
                if convert is str and not isinstance(item, str):
                    raise ValueError("a string")
                out[name] = convert(item)
            except (ValueError, TypeError) as err:
                raise self.wrong(f"{key}.{name}", str(err)) from err
        return out

    def zone(self) -> ZoneInfo:
        name = self.text("timezone", "") or system_zone()
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as err:
            raise WorkspaceError(f"{self.path}: timezone {name!r} is not known", "write one like Europe/Madrid") from err

    def unknown(self, data: dict[str, Any], prefix: str) -> list[str]:
        out = []
        for name, value in data.items():
            key = f"{prefix}{name}"
            if key in self.used:
                continue
            if isinstance(value, dict) and any(u.startswith(f"{key}.") for u in self.used):
                out += self.unknown(value, f"{key}.")
            else:
                out.append(f"{self.path.name}: {key} is not a setting of crab")
        return out


def _price(value: Any) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(v, int | float) for v in value):
        raise ValueError("two numbers, dollars for a million tokens in and out")
    return float(value[0]), float(value[1])


def _argv(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise ValueError("a list of strings, a program and its arguments")
    return tuple(value)


def _apply(value: Any) -> str:
    if value not in ("auto", "review"):
        raise ValueError("auto or review")
    return str(value)


def system_zone() -> str:
    """The name of this machine's time zone, "UTC" where it can't be told."""
    named = os.environ.get("TZ", "").lstrip(":")
    for name in (named, _linked_zone()):
        try:
            if name and ZoneInfo(name):
                return name
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return "UTC"


def _linked_zone() -> str:
    try:
        target = os.readlink("/etc/localtime")
    except OSError:
        return ""
    return target.partition("zoneinfo/")[2]
