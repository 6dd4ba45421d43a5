"""`crab doctor`: what about a workspace needs a person, each with the one thing to do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from crustacean.api import Workspace
from crustacean.edits import journal, known, plans
from crustacean.edits.git import Git
from crustacean.errors import ModelError
from crustacean.stages import choose
from crustacean.transcripts import openclaw_jobs, registry, sources
from crustacean.workspace import config, layout, scaffold
from crustacean.workspace.document import parse


@dataclass(frozen=True, slots=True)
class Finding:
    """level: "problem" makes doctor end with status 1, "note" is worth knowing, "ok" is fine. do: what to do, "" for
    nothing."""

    level: Literal["problem", "note", "ok"]
    what: str
    do: str = ""


def examine(workspace: Workspace) -> list[Finding]:
    """All findings, problems first. Reads files and stats; changes nothing."""
    checks = (_settings, _files, _ledger, _runs, _sources, _model, _git, _prompts)
    found = [finding for check in checks for finding in check(workspace)]
    return sorted(found, key=lambda f: ("problem", "note", "ok").index(f.level))


def _settings(workspace: Workspace) -> Iterator[Finding]:
    for warning in workspace.config.warnings:
        yield Finding("note", warning, "see docs/settings.md for the names")
    if not workspace.config.owner.ids:
        yield Finding(
            "note",
            "no ids under [owner]: in chats nobody counts as the owner",
            "add your ids to `ids` there",
        )
    yield Finding("ok", f"crab.toml is read; times are {workspace.config.timezone.key}")


def _files(workspace: Workspace) -> Iterator[Finding]:
    count = 0
    for path, _ in known.memory_files(workspace.store):
        count += 1
        document = parse(path, layout.resolve(workspace.root, path).read_bytes())
        if document.problem:
            yield Finding("problem", f"{path}: {document.problem}; crab leaves it alone", "save it as UTF-8")
    for path, why in _left_alone(workspace.root):
        yield Finding("note", f"{path!r} {why}; crab leaves it alone", "rename or move it if it is memory")
    missing = [f for f in layout.FOLDERS if not (workspace.root / f).is_dir()]
    if missing:
        yield Finding(
            "note", f"{len(missing)} folders are missing ({missing[0]})", f"`crab init {workspace.root}` adds them"
        )
    yield Finding("ok", f"{count} files of memory")


def _left_alone(root: Path) -> Iterator[tuple[str, str]]:
    """Markdown in memory's places that is not read, and folders that are not, as (workspace path, why)."""
    for folder, inner, names in os.walk(root):
        above = Path(folder).relative_to(root)
        for name in [n for n in inner if Path(folder, n).is_symlink()]:
            if layout.may_descend((above / name).as_posix()):
                yield (above / name).as_posix(), "is a symlink"
        inner[:] = sorted(n for n in inner if layout.may_descend((above / n).as_posix()))
        for path in sorted((above / n).as_posix() for n in names):
            if layout.is_home_of_memory(path) and not layout.is_safe(path):
                yield path, "has a name that not every system can take"
            elif layout.is_home_of_memory(path) and (root / path).is_symlink():
                yield path, "is a symlink"


def _ledger(workspace: Workspace) -> Iterator[Finding]:
    for problem in workspace.store.ledger.problems:
        yield Finding("problem", problem, "look at the line; `git log -p` shows what it was")
    if journal.pending(workspace.root) is not None:
        yield Finding("note", "a run was interrupted", "the next writing command finishes it")
    lines = workspace.store.db.execute("SELECT count(*) FROM lines WHERE folded = 1").fetchone()[0]
    yield Finding("ok", f"the ledger has {lines} lines")


def _runs(workspace: Workspace) -> Iterator[Finding]:
    waits = plans.waiting(workspace.store)
    if waits:
        yield Finding("note", f"{len(waits)} plans wait", "`crab plans list`, then `crab apply` or `crab plans drop`")
    rows = workspace.store.db.execute("SELECT json FROM items WHERE open = 1 AND kind = 'refused'").fetchall()
    aside = sum(json.loads(r[0]).get("op") == "batch" for r in rows)
    if aside:
        yield Finding(
            "note",
            f"{aside} turns are set aside: no usable reply came for them",
            "`crab collect --redo` with another model",
        )
    if len(rows) > aside:
        yield Finding("note", f"{len(rows) - aside} edits were refused", "`crab show RUN` lists them with reasons")


def _sources(workspace: Workspace) -> Iterator[Finding]:
    for name, problem in registry.problems().items():
        yield Finding("problem", f"the reader {name} can't be loaded: {problem}", "reinstall or remove its package")
    chosen = list(sources.chosen(workspace.config.sources, ()))
    for _, root in chosen:
        if not root.exists():
            yield Finding("note", f"the source {sources.shown(root)} is not there", "`crab sources remove` it")
    if not chosen:
        yield Finding(
            "problem",
            "no source is chosen: nothing will be read",
            "`crab sources add NAME|PATH`; `crab sources list` shows what is here",
        )
    yield Finding("ok", f"{len(chosen)} sources are chosen")


def _model(workspace: Workspace) -> Iterator[Finding]:
    try:
        model = choose.model(workspace.store, workspace.config, "collect")
        yield Finding("ok", f"collect asks {model.name}")
    except ModelError as err:
        yield Finding("problem", err.message, err.hint)


def _git(workspace: Workspace) -> Iterator[Finding]:
    git = Git(workspace.root)
    if not git.is_repo():
        yield Finding(
            "note",
            "the workspace is not in git: runs can be undone, but there is no diff to review",
            "`crab init --git`",
        )
    else:
        yield Finding("ok", f"commits: {workspace.config.git_commit}")


def _prompts(workspace: Workspace) -> Iterator[Finding]:
    for path in scaffold.foreign_documents(workspace.root):
        yield Finding(
            "note",
            f"{path} is someone's own prompt: left as it is, and not used",
            "rename it, and `crab init` writes crab's",
        )
    jobs, problems = openclaw_jobs.look_alike(config.home(), config.env())
    for problem in problems:
        yield Finding("note", problem)
    for job in jobs:
        yield Finding("note", f"a scheduled job looks like one of crab's stages: {job.name}", job.disable)
