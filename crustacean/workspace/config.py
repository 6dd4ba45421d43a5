"""crab.toml: the settings a person edits, read strictly. The only place that reads the environment."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from crustacean.errors import WorkspaceError
from crustacean.workspace import layout, table
from crustacean.workspace.table import Table

STAGES = ("collect",)


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


def person_path(text: str, home: Path, cwd: Path) -> Path:
    """The path that a person wrote: `~` is their home, and what is relative lies in `cwd`."""
    if text == "~" or text.startswith("~/"):
        return home / text[1:].lstrip("/")
    return cwd / text


def find_workspace(option: str | None, cwd: Path) -> Path:
    """The workspace to use: the one named, else CRAB_WORKSPACE, else the nearest folder above with crab.toml, else
    ~/.openclaw/workspace if it has one. Raises WorkspaceError where there is none."""
    named = option or os.environ.get("CRAB_WORKSPACE")
    if named:
        root = person_path(named, home(), cwd)
        if not is_workspace(root):
            raise WorkspaceError(
                f"{root} is not a workspace (it has no crab.toml)", f"make it one with `crab init {named}`"
            )
        return root
    for folder in (cwd, *cwd.parents, home() / ".openclaw" / "workspace"):
        if is_workspace(folder):
            return folder
    raise WorkspaceError("there is no workspace here", "make one with `crab init DIR`, or name one with -w DIR")


def is_workspace(folder: Path) -> bool:
    """Whether a folder has a crab.toml that can be seen."""
    try:
        return (folder / layout.SETTINGS).is_file()
    except OSError:
        return False


def load(root: Path) -> Config:
    """The settings of a workspace. Raises WorkspaceError that names file, line and key."""
    path = root / layout.SETTINGS
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text)
    except FileNotFoundError as err:
        raise WorkspaceError(f"{path} is missing", f"make it with `crab init {root}`") from err
    except UnicodeDecodeError as err:
        raise WorkspaceError(f"{path} is not UTF-8 at byte {err.start}", "save it as UTF-8") from err
    except tomllib.TOMLDecodeError as err:
        raise WorkspaceError(f"{path}: {err}", f"mend that line; {table.HINT}") from err
    except RecursionError as err:
        raise WorkspaceError(f"{path} is nested too deep", table.HINT) from err
    except OSError as err:
        raise WorkspaceError(f"{path} can't be read: {err.strerror}", "check its permissions") from err
    return _config(Table(str(path), text, data))


def _config(from_: Table) -> Config:
    stages, apply = from_.mapping("models.stages", table.string), from_.mapping("apply", table.applying)
    return Config(
        timezone=_zone(from_),
        owner=Owner(from_.text("owner.name"), frozenset(from_.texts("owner.ids"))),
        sources=Sources(
            from_.texts("sources.include"),
            from_.texts("sources.exclude"),
            from_.texts("sources.never"),
            from_.texts("sources.private"),
            from_.choice("sources.cron", "report", ("report", "off")),
        ),
        models=Models(
            from_.text("models.default", "offline"),
            stages,
            from_.mapping("models.base_url", table.string),
            from_.mapping("models.key_env", table.string),
            from_.mapping("models.key_cmd", table.string),
            from_.mapping("models.key_file", table.string),
            from_.number("models.timeout_s") or Models().timeout_s,
            from_.mapping("models.prices", table.price),
            from_.mapping("models.presets", table.argv),
        ),
        budget=Limits(
            from_.whole("budget.run_tokens"), from_.amount("budget.run_cost"), from_.amount("budget.month_cost")
        ),
        git_commit=from_.choice("git.commit", "daily", ("daily", "run", "off")),
        apply=apply,
        secret_patterns=_patterns(from_),
        batch_tokens=from_.whole("collect.batch_tokens") or 12_000,
        warnings=tuple(_warnings(from_, {"models.stages": stages, "apply": apply})),
    )


def _zone(from_: Table) -> ZoneInfo:
    name = from_.text("timezone") or system_zone()
    zone = known_zone(name)
    if zone is None:
        raise from_.wrong("timezone", f"a time zone that is known ({name[:60]}); write one like Europe/Madrid")
    return zone


def _patterns(from_: Table) -> tuple[str, ...]:
    patterns = from_.texts("secrets.patterns")
    for pattern in patterns:
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as err:
            raise from_.wrong("secrets.patterns", f"a list of regular expressions ({pattern[:60]}: {err})") from err
    return patterns


def _warnings(from_: Table, by_stage: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for key in from_.left_over():
        yield f"{layout.SETTINGS}: {key} is not a setting of crab"
    for key, stages in by_stage.items():
        for name in stages:
            if name not in STAGES:
                yield f"{layout.SETTINGS}: {key}.{name!r} is of no effect: there is no such stage"


def known_zone(name: str) -> ZoneInfo | None:
    """The time zone of that name, None where there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def system_zone() -> str:
    """The name of this machine's time zone (TZ, else /etc/localtime, else /etc/timezone), "UTC" where none tells."""
    for place in (os.environ.get("TZ", "").lstrip(":"), _linked_zone(), _written_zone()):
        name = _ZONE_PATH.sub("", place)
        if name and known_zone(name):
            return name
    return "UTC"


# "/usr/share/zoneinfo/", "/var/db/timezone/zoneinfo.default/", "posix/".
_ZONE_PATH = re.compile(r"\A(?:.*/zoneinfo[^/]*/)?(?:posix/|right/)?")


def _linked_zone() -> str:
    try:
        return str(Path("/etc/localtime").readlink())
    except OSError:
        return ""


def _written_zone() -> str:
    try:
        return Path("/etc/timezone").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
