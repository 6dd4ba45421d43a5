"""Setting a workspace up: what `crab init` and `crab sources` do, as plain functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from crustacean.edits.git import Git
from crustacean.errors import UsageError
from crustacean.models import select
from crustacean.models.settings import ModelSettings
from crustacean.transcripts import openclaw_jobs, sources
from crustacean.transcripts.openclaw_jobs import Job
from crustacean.transcripts.sources import Found
from crustacean.workspace import config, edit_config, layout, scaffold
from crustacean.workspace.config import Config


@dataclass(frozen=True, slots=True)
class Answers:
    """What init needs to know; what is empty is left for the person to fill in."""

    timezone: str = ""
    profile: str = "openclaw"
    owner: tuple[str, ...] = ()
    name: str = ""
    model: str = ""
    sources: tuple[str, ...] = ()
    git: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What setting up did. root to foreign, notices: see scaffold.Report. jobs: scheduled jobs that look like crab's
    stages; sources: what may be read."""

    root: Path
    made: list[str]
    kept: list[str]
    foreign: list[str]
    jobs: list[Job]
    sources: list[str]
    notices: list[str]


def default_root(cwd: Path) -> Path:
    """Where `crab init` without a folder goes: the workspace around, else OpenClaw's. Raises UsageError."""
    named = config.env().get("CRAB_WORKSPACE")
    if named:
        return config.person_path(named, config.home(), cwd)
    around = next((folder for folder in (cwd, *cwd.parents) if config.is_workspace(folder)), None)
    if around is not None:
        return around
    openclaw = config.home() / ".openclaw"
    if openclaw.is_dir():
        return openclaw / "workspace"
    raise UsageError("init needs a folder", "name one: `crab init ~/memory`")


def settings(root: Path) -> Config | None:
    """The settings of a folder that is a workspace already, None for any other. Raises WorkspaceError where they can't
    be read."""
    return config.load(root) if config.is_workspace(root) else None


def found_sources() -> list[Found]:
    """The session stores on this machine, by stat alone."""
    return sources.found(config.home(), config.env())


def chosen_rules(names: Iterable[str], found: Sequence[Found]) -> list[str]:
    """Include rules for what a person named: `all`, a client, or a path. Raises UsageError for what is none of them."""
    out: list[str] = []
    for name in names:
        if name == "all":
            out += [f.rule for f in found]
        else:
            out.append(sources.rule(name))
    return list(dict.fromkeys(out))


def init(root: Path, answers: Answers) -> Report:
    """Scaffold or adopt a workspace; may be run again at any time. What is wrong is found before anything is made:
    raises UsageError, WorkspaceError, and ModelError for a model that is none."""
    scaffold.check_root(root, config.home())
    _check_model(answers.model)
    zone = answers.timezone or config.system_zone()
    if config.known_zone(zone) is None:
        raise UsageError(f"--timezone {zone} is not known", "write one like Europe/Madrid")
    rules = chosen_rules(answers.sources, found_sources())
    had = settings(root)
    text = edit_config.first_settings(
        timezone=zone, owner=answers.owner, name=answers.name, model=answers.model, sources=rules
    )
    report = scaffold.init(root, text, profile=answers.profile)
    jobs, problems = openclaw_jobs.look_alike(config.home(), config.env())
    report.notices += problems
    if had is not None and rules:
        edit_config.change_sources(root, "include", lambda old: list(dict.fromkeys(old + rules)))
    if had is not None and (answers.timezone or answers.owner or answers.model or answers.name):
        report.notices.append("crab.toml was there already: its other settings stay; edit them there")
    if "all" in answers.sources and not rules:
        report.notices.append("--source all: no session store was found, so nothing is chosen")
    if answers.git:
        report.notices += _git(root, report.made)
    included = list(config.load(root).sources.include)
    return Report(root, report.made, report.kept, report.foreign, jobs, included, report.notices)


def _check_model(name: str) -> None:
    if name == "auto":
        raise UsageError("--model auto is for one run on a terminal", "name the model that the workspace is to use")
    if name:
        select.get(name, ModelSettings(env=config.env()))


def _git(root: Path, made: Sequence[str]) -> list[str]:
    """Put the workspace under git, with a first commit of what init made, so that `git diff` has something to hold the
    next run against. A repository that is there already keeps its history as it is."""
    git = Git(root)
    if git.is_repo():
        return []
    problem = git.init()
    if problem:
        return [f"git: {problem}"]
    files = [p for p in made if not p.endswith("/") and not p.startswith(f"{layout.STATE_DIR}/")]
    done = git.commit(files, "Set up the workspace", "init", when=datetime.now(UTC))
    return [f"git: {done.reason}"] if done.reason else []
