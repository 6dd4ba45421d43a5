"""`crab init`: a new workspace, or an existing one adopted without changing a byte of it."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from crustacean.errors import UsageError, WorkspaceError
from crustacean.workspace import layout, shipped

PROFILES = ("openclaw", "plain")
_ALIKE = re.compile(
    r"memor(?:y|ies)[ -]?(?:collect|curat|consolidat|compil|calibrat|maint|distil|flush|review|dream|tidy|sync)"
    r"|(?:^|[^a-z])(?:collect|curate|consolidate|compile|calibrate)[ .,:-]*(?:the )?(?:memor|daily|sessions|conversations)"
    r"|(?:COLLECT|CURATE|CONSOLIDATE|COMPILE|CALIBRATE)\.md",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Job:
    """A scheduled job of a client that looks like one of crab's stages, and the command that disables it."""

    name: str
    id: str
    disable: str


@dataclass(slots=True)
class Report:
    """What `init` did. made, kept: workspace paths; foreign: stage documents that are someone's own."""

    root: Path
    made: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def check_root(root: Path, home: Path) -> None:
    """Raise UsageError where a folder can't sensibly be a workspace."""
    if root.exists() and not root.is_dir():
        raise UsageError(f"{root} is a file", "name a folder")
    if root.resolve() in (home.resolve(), Path("/")) or root.resolve() in home.resolve().parents:
        raise UsageError(f"{root} is not a place for a workspace", f"name a folder in it: `crab init {root}/workspace`")


def init(root: Path, settings: str, *, profile: str = "openclaw") -> Report:
    """Make what is missing of a workspace; nothing that exists is changed, so it can be run again at any time.

    settings: the text of crab.toml where there is none yet. Raises UsageError for an unknown profile, WorkspaceError
    where the folder can't be written.
    """
    if profile not in PROFILES:
        raise UsageError(f"--profile {profile} is not known", f"it is one of {', '.join(PROFILES)}")
    report = Report(root, foreign=foreign_documents(root))
    try:
        for folder in layout.FOLDERS:
            _folder(root, folder, report)
        for path, data in _files(profile):
            _file(root, path, data, report)
        _file(root, f"{layout.STATE_DIR}/.gitignore", b"*\n", report)
        # Last, so that an init which was interrupted is seen as one and run again.
        _file(root, layout.SETTINGS, settings.encode(), report)
    except OSError as err:
        raise WorkspaceError(f"{err.filename or root} can't be made: {err.strerror}", "check permissions and space") from err
    return report


def _folder(root: Path, path: str, report: Report) -> None:
    real = root / path
    if real.is_dir():
        return
    if os.path.lexists(real):
        report.notices.append(f"{path} is in the way: it is not a folder; left as it is")
        return
    if not _inside(root, real):
        report.notices.append(f"{path} leads out of the workspace; left as it is")
        return
    real.mkdir(parents=True, exist_ok=True)
    report.made.append(f"{path}/")


def _inside(root: Path, real: Path) -> bool:
    parent = real.parent
    while not parent.exists():
        parent = parent.parent
    return parent.resolve() == root.resolve() or root.resolve() in parent.resolve().parents or parent in root.parents


def _file(root: Path, path: str, data: bytes, report: Report) -> None:
    real = root / path
    if os.path.lexists(real):
        report.kept.append(path)
        return
    if not _inside(root, real) or (real.parent.exists() and not real.parent.is_dir()):
        report.notices.append(f"{path} could not be made: its folder leads elsewhere")
        return
    real.parent.mkdir(parents=True, exist_ok=True)
    temp = real.with_name(f".{real.name}.crab-tmp")
    temp.write_bytes(data)
    try:
        os.link(temp, real)  # never over a file that appeared meanwhile
    except FileExistsError:
        report.kept.append(path)
    except OSError:
        os.rename(temp, real)
        report.made.append(path)
    else:
        report.made.append(path)
    temp.unlink(missing_ok=True)


def _files(profile: str) -> Iterator[tuple[str, bytes]]:
    """(workspace path, bytes) of every shipped template, and of the stage documents."""
    base = shipped.folder("templates") / "workspace"
    for real in sorted(base.rglob("*.md")):
        path = real.relative_to(base).as_posix()
        if profile == "plain" and path in layout.FOUNDATION:
            continue
        yield path, real.read_bytes()
    for name in shipped.documents():
        yield f"{layout.SYSTEM_DIR}/{name}", shipped.pipeline(name).encode()


def foreign_documents(root: Path) -> list[str]:
    """Stage documents without crab's frontmatter: someone's own prompts."""
    out = []
    for name in shipped.documents():
        path = root / layout.SYSTEM_DIR / name
        if path.is_file() and not shipped.is_ours(path.read_text(encoding="utf-8", errors="replace")):
            out.append(f"{layout.SYSTEM_DIR}/{name}")
    return out


def look_alike_jobs(home: Path, env: Mapping[str, str]) -> list[Job]:
    """Scheduled OpenClaw jobs that look like crab's stages, read without writing anything."""
    state = Path(env.get("OPENCLAW_STATE_DIR") or Path(env.get("OPENCLAW_HOME") or home) / ".openclaw")
    database, legacy = state / "state" / "openclaw.sqlite", state / "cron" / "jobs.json"
    found = [*_jobs_in(database), *_jobs_in_json(legacy)]
    return [
        Job(name, ident, f"openclaw cron disable {ident}")
        for ident, name, text in dict.fromkeys(found)
        if _ALIKE.search(f"{name} {text}") and "crab" not in name.casefold().split("-")
    ]


def _jobs_in(database: Path) -> list[tuple[str, str, str]]:
    if not database.is_file():
        return []
    wal = database.with_name(database.name + "-wal")
    mode = "mode=ro" if wal.exists() and wal.stat().st_size else "immutable=1"
    try:
        with sqlite3.connect(f"file:{database}?{mode}", uri=True) as db:
            columns = [r[1] for r in db.execute("PRAGMA table_info(cron_jobs)")]
            rows = db.execute("SELECT * FROM cron_jobs").fetchall() if columns else []
        db.close()
    except sqlite3.Error:
        return []
    out = []
    for row in rows:
        data = {c: v for c, v in zip(columns, row, strict=True) if isinstance(v, str)}
        ident = data.get("job_id") or data.get("id") or ""
        out.append((ident, data.get("name", ident), " ".join(data.values())[:20_000]))
    return out


def _jobs_in_json(path: Path) -> list[tuple[str, str, str]]:
    import json

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    rows = data.get("jobs", []) if isinstance(data, dict) else data
    jobs = [r for r in rows if isinstance(r, dict)] if isinstance(rows, list) else []
    return [
        (str(r.get("id", "")), str(r.get("name", r.get("id", ""))), json.dumps(r)[:20_000])
        for r in jobs
        if r.get("enabled", True)
    ]
