"""Scheduled OpenClaw jobs that look like crab's own stages: two that tidy one memory get in each other's way."""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crustacean.text.normalise import neutralise
from crustacean.transcripts import openclaw_homes
from crustacean.transcripts.memory_jobs import DREAMING, TEXT, alike
from crustacean.transcripts.openclaw_db import Busy, Database

FILE = 16 << 20
"""Bytes of a jobs.json that are read."""

_COLUMNS = ("job_id", "name", "description", "payload_message", "enabled", "job_json")
_NO_DREAMING = "config set plugins.entries.memory-core.config.dreaming.enabled false"


@dataclass(frozen=True, slots=True)
class Job:
    """A scheduled job of a client that looks like one of crab's stages, and the command that disables it."""

    name: str
    id: str
    disable: str


@dataclass(frozen=True, slots=True)
class _Row:
    """A job as its store has it. text: its description, and what it tells the agent or the shell to do."""

    id: str
    name: str
    text: str
    enabled: bool


def look_alike(home: Path, env: Mapping[str, str]) -> tuple[list[Job], list[str]]:
    """The enabled jobs that collect or tend memory, crab's own left out, and what could not be read. The stores are
    opened for reading only, and nothing is left beside them."""
    jobs: list[Job] = []
    problems: list[str] = []
    for state in openclaw_homes.state_dirs(home, env):
        rows: dict[str, _Row] = {}
        for path, read in (
            (state / "state" / "openclaw.sqlite", _in_database),
            (state / "cron" / "jobs.json", _in_file),
        ):
            try:
                # Newer versions take the jobs of the file over into the database, and may leave the file behind.
                rows = {row.id: row for row in read(path) if row.id} | rows
            except (sqlite3.Error, OSError, Busy, ValueError, RecursionError) as err:
                problems.append(f"the scheduled jobs in {path} can't be read: {_shown(str(err))}")
        jobs += [_job(state, env, row) for row in rows.values() if row.enabled and alike(row.name, row.text)]
    return jobs, problems


def _job(state: Path, env: Mapping[str, str], row: _Row) -> Job:
    does = _NO_DREAMING if DREAMING in row.text else f"cron disable {shlex.quote(_shown(row.id))}"
    return Job(_shown(row.name or row.id), row.id, f"{_command(state, env)} {does}")


def _command(state: Path, env: Mapping[str, str]) -> str:
    """How the client of a state directory is called: by its name then, and with the profile that the environment does
    not name."""
    if state.name in openclaw_homes.OLD_HOMES:
        return state.name[1:]
    profile = state.name.removeprefix(".openclaw-")
    named = env.get("OPENCLAW_STATE_DIR", "").strip() or env.get("OPENCLAW_PROFILE", "").strip()
    return "openclaw" if named or profile == state.name else f"openclaw --profile {shlex.quote(profile)}"


def _in_database(path: Path) -> Iterator[_Row]:
    """The jobs in the shared database. Versions differ in their columns; job_json has all in each of them."""
    if not path.is_file():
        return
    with Database(path) as opened:
        found = opened.ask(_rows)
    for row in found:
        whole = _parsed(row.get("job_json"))
        texts = [row.get("description"), row.get("payload_message"), whole.get("description"), _payload(whole)]
        enabled = row["enabled"] != 0 if "enabled" in row else whole.get("enabled") is not False
        yield _Row(str(row["job_id"]), str(row.get("name") or whole.get("name") or ""), _joined(texts), enabled)


def _rows(db: sqlite3.Connection) -> list[dict[str, Any]]:
    known = [str(row[1]) for row in db.execute("PRAGMA table_info(cron_jobs)")]
    if "job_id" not in known:
        return []
    wanted = [c for c in _COLUMNS if c in known]
    rows = db.execute(f"SELECT {', '.join(wanted)} FROM cron_jobs ORDER BY job_id")
    return [dict(zip(wanted, row, strict=True)) for row in rows]


def _in_file(path: Path) -> Iterator[_Row]:
    """The jobs in the file of older versions."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        data = json.loads(file.read(FILE))
    listed = data.get("jobs") if isinstance(data, dict) else data
    for row in listed if isinstance(listed, list) else []:
        if isinstance(row, dict):
            text = _joined([row.get("description"), _payload(row)])
            yield _Row(str(row.get("id") or ""), str(row.get("name") or ""), text, row.get("enabled") is not False)


def _payload(job: Mapping[str, Any]) -> str:
    payload = job.get("payload")
    if not isinstance(payload, dict):
        return ""
    argv = payload.get("argv")
    texts = [payload.get(key) for key in ("message", "text", "script")]
    return _joined([*texts, " ".join(map(str, argv)) if isinstance(argv, list) else None])


def _parsed(text: object) -> dict[str, Any]:
    try:
        data = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _joined(texts: list[Any]) -> str:
    return "\n".join(dict.fromkeys(t for t in texts if isinstance(t, str)))[:TEXT]


def _shown(text: str) -> str:
    return " ".join(neutralise(text).split())[:80]
