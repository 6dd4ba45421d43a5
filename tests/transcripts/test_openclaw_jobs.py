"""A scheduled job that already does a stage's work is pointed out, with the command that stops it; no other job is."""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.transcripts.openclaw_jobs import look_alike

# The columns of OpenClaw's own table that matter here, as its schema has them.
TABLE = """CREATE TABLE cron_jobs (
  store_key TEXT NOT NULL, job_id TEXT NOT NULL, display_name TEXT, name TEXT NOT NULL, description TEXT,
  enabled INTEGER NOT NULL, created_at_ms INTEGER NOT NULL, agent_id TEXT, schedule_kind TEXT NOT NULL,
  schedule_expr TEXT, schedule_tz TEXT, session_target TEXT NOT NULL, wake_mode TEXT NOT NULL,
  payload_kind TEXT NOT NULL, payload_message TEXT, delivery_mode TEXT, last_error TEXT, job_json TEXT NOT NULL,
  state_json TEXT NOT NULL DEFAULT '{}', sort_order INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL,
  PRIMARY KEY (store_key, job_id))"""


def job(ident: str, name: str, message: str = "", enabled: bool = True, **more: Any) -> dict[str, Any]:
    payload = {"kind": "agentTurn", "message": message}
    return {
        "id": ident,
        "name": name,
        "enabled": enabled,
        "schedule": {"kind": "cron", "expr": "0 4 * * *"},
        "payload": payload,
    } | more


def store(state: Path, *jobs: dict[str, Any], wal: bool = False) -> sqlite3.Connection:
    """OpenClaw's state database with these jobs; still open, as by a gateway that runs."""
    path = state / "state" / "openclaw.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"PRAGMA journal_mode = {'wal' if wal else 'delete'}")
    db.execute(TABLE)
    for one in jobs:
        payload = one["payload"]
        message = payload.get("message") or payload.get("text") or json.dumps({"argv": payload.get("argv")})
        db.execute(
            "INSERT INTO cron_jobs (store_key, job_id, name, description, enabled, created_at_ms, schedule_kind,"
            " schedule_expr, session_target, wake_mode, payload_kind, payload_message, last_error, job_json,"
            " updated_at) VALUES ('s', ?, ?, ?, ?, 0, 'cron', '0 4 * * *', 'isolated', 'now', ?, ?, ?, ?, 0)",
            (
                one["id"],
                one["name"],
                one.get("description"),
                one["enabled"],
                payload["kind"],
                message,
                one.get("error"),
                json.dumps(one),
            ),
        )
    return db


def written(state: Path, data: object) -> None:
    path = state / "cron" / "jobs.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data))


def found(home: Path, env: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    jobs, problems = look_alike(home, env or {})
    assert problems == []
    return [(j.name, j.disable) for j in jobs]


ALIKE = [
    ("Memory collect", ""),
    ("memory-curation", ""),
    ("Nightly", "Read memory/.system/COLLECT.md and do what it says."),
    ("4C", "Follow COMPILE.md"),
    ("Daily wrap-up", "Review today's sessions and update MEMORY.md with what matters."),
    ("Sunday", "Consolidate the daily logs of the week into long-term memory"),
    ("tidy", "Tidy up memory: merge duplicates, archive what is old."),
    ("distill", "Distill important facts from the daily notes into MEMORY.md"),
    ("Memory maintenance", ""),
    ("end of day", "Summarize the session transcripts into memory/YYYY-MM-DD.md"),
    ("weekly compile", ""),
    ("diary", "Write today's decisions into memory/YYYY-MM-DD.md"),
]

OTHERS = [
    ("Collect the daily sales figures", "Collect yesterday's sales from the shop and post the sum."),
    ("Compile weekly digest", "Compile the five best articles about sailing of this week."),
    ("Calibrate thermostat", "Calibrate the sensor in the greenhouse."),
    ("disk", "Check memory usage of the server and clean up temporary files"),
    ("build", "Compile the firmware, look out for memory leaks"),
    ("Morning", "Say good morning and tell today's weather, with one good memory of the summer."),
    ("standup", "Review open pull requests and update the board"),
    ("reminder", "Remind me to collect the parcel"),
    ("mattress", "Review memory foam offers"),
    ("compile firmware", ""),
    ("quiz", "Ask me three questions, my memory is bad"),
    ("photos", "Update the slide show of last summer"),
    ("crab-collect", ""),
    ("tend", "Run `crab collect -q` and report the exit status of memory collection"),
]


@pytest.mark.parametrize(("name", "message"), ALIKE)
def test_jobs_that_do_a_stages_work_are_found(tmp_path: Path, name: str, message: str) -> None:
    store(tmp_path / ".openclaw", job("0f1e-22", name, message)).close()
    assert found(tmp_path) == [(name, "openclaw cron disable 0f1e-22")]


@pytest.mark.parametrize(("name", "message"), OTHERS)
def test_other_jobs_are_not(tmp_path: Path, name: str, message: str) -> None:
    store(tmp_path / ".openclaw", job("0f1e-22", name, message)).close()
    written(tmp_path / ".openclaw", {"version": 1, "jobs": [job("old", name, message)]})
    assert found(tmp_path) == []


def test_only_what_a_job_does_counts_and_not_what_it_did_last(tmp_path: Path) -> None:
    store(
        tmp_path / ".openclaw",
        job("1", "backup", "Copy the photographs", error="could not review memory/2026-03-20.md"),
        job("2", "Memory collect", "", enabled=False),
        job("3", "weather", "Tell the weather", description="runs before the memory review"),
    ).close()
    assert found(tmp_path) == [("weather", "openclaw cron disable 3")]


def test_a_shell_command_of_crab_is_crabs_own(tmp_path: Path) -> None:
    mine = job("1", "memory collect", payload={"kind": "command", "argv": ["sh", "-lc", "crab collect -q"]})
    other = job("2", "memory collect", payload={"kind": "command", "argv": ["sh", "-lc", "scrabble --memory review"]})
    store(tmp_path / ".openclaw", mine, other).close()
    assert found(tmp_path) == [("memory collect", "openclaw cron disable 2")]


def test_the_clients_own_dreaming_is_switched_off_where_it_is_set(tmp_path: Path) -> None:
    dreaming = job(
        "d", "Memory Dreaming Promotion", description="[managed-by=memory-core.short-term-promotion] Promote recalls"
    )
    store(tmp_path / ".openclaw", dreaming).close()
    assert found(tmp_path) == [
        ("Memory Dreaming Promotion", "openclaw config set plugins.entries.memory-core.config.dreaming.enabled false")
    ]


def test_the_database_is_read_while_the_gateway_writes_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    state = tmp_path / ".openclaw"
    with closing(store(state, job("1", "Memory collect"), wal=True)) as db:
        db.execute("BEGIN IMMEDIATE")
        before = sorted(p.name for p in (state / "state").iterdir())
        assert "openclaw.sqlite-wal" in before
        assert found(tmp_path) == [("Memory collect", "openclaw cron disable 1")]
        assert sorted(p.name for p in (state / "state").iterdir()) == before
    store_bytes = (state / "state" / "openclaw.sqlite").read_bytes()
    found(tmp_path)
    assert [p.name for p in (state / "state").iterdir()] == ["openclaw.sqlite"]
    assert (state / "state" / "openclaw.sqlite").read_bytes() == store_bytes


def test_the_file_of_older_versions(tmp_path: Path) -> None:
    written(
        tmp_path / ".clawdbot",
        {
            "version": 1,
            "jobs": [job("a b;c", "Review memory"), job("2", "Review memory", enabled=False), "junk", {"id": "3"}],
        },
    )
    assert found(tmp_path) == [("Review memory", "clawdbot cron disable 'a b;c'")]
    written(
        tmp_path / ".clawdbot",
        [{"id": "9", "name": "x", "payload": {"kind": "systemEvent", "text": "update MEMORY.md"}}],
    )
    assert found(tmp_path) == [("x", "clawdbot cron disable 9")]


def test_the_database_counts_more_than_the_file_that_it_took_over(tmp_path: Path) -> None:
    state = tmp_path / ".openclaw"
    store(state, job("1", "Review memory", enabled=False)).close()
    written(state, {"jobs": [job("1", "Review memory"), job("2", "Curate memories")]})
    assert found(tmp_path) == [("Curate memories", "openclaw cron disable 2")]


def test_a_profile_is_named_in_the_command_unless_the_environment_names_it(tmp_path: Path) -> None:
    store(tmp_path / ".openclaw-work", job("1", "Memory review")).close()
    assert found(tmp_path) == [("Memory review", "openclaw --profile work cron disable 1")]
    assert found(tmp_path, {"OPENCLAW_PROFILE": "work"}) == [("Memory review", "openclaw cron disable 1")]
    assert found(tmp_path, {"OPENCLAW_STATE_DIR": str(tmp_path / ".openclaw-work")}) == [
        ("Memory review", "openclaw cron disable 1")
    ]
    assert found(tmp_path / "elsewhere", {"OPENCLAW_HOME": str(tmp_path)})


def test_versions_that_keep_all_of_a_job_in_one_column(tmp_path: Path) -> None:
    path = tmp_path / ".openclaw/state/openclaw.sqlite"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE cron_jobs (store_key TEXT, job_id TEXT, job_json TEXT, state_json TEXT)")
        rows = [job("1", "n", "Compile memories"), job("2", "n", "Compile memories", enabled=False)]
        db.executemany("INSERT INTO cron_jobs VALUES ('s', ?, ?, '{}')", [(j["id"], json.dumps(j)) for j in rows])
        db.execute("INSERT INTO cron_jobs VALUES ('s', '3', '{broken', '{}')")
    assert found(tmp_path) == [("n", "openclaw cron disable 1")]


def test_no_openclaw_no_jobs_and_none_in_an_empty_one(tmp_path: Path) -> None:
    assert look_alike(tmp_path, {}) == ([], [])
    path = tmp_path / ".openclaw/state/openclaw.sqlite"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE other (x)")
    assert look_alike(tmp_path, {}) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '"x"',
        "null",
        '{"jobs": 3}',
        '{"jobs": [[]]}',
        '{"jobs": [{"id": null, "payload": [1]}]}',
    ],
)
def test_a_file_that_is_damaged(tmp_path: Path, text: str) -> None:
    written(tmp_path / ".openclaw", text)
    jobs, problems = look_alike(tmp_path, {})
    assert jobs == []
    assert all("jobs.json can't be read" in p and p.isprintable() for p in problems)
    assert bool(problems) == (text in ("", "{") or text.startswith("[["))


def test_a_database_that_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / ".openclaw/state/openclaw.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    jobs, problems = look_alike(tmp_path, {})
    assert jobs == [] and len(problems) == 1 and "openclaw.sqlite can't be read" in problems[0]


@given(name=st.text(max_size=60), ident=st.text(min_size=1, max_size=60))
def test_names_and_ids_can_not_speak_to_the_terminal_or_the_shell(
    tmp_path_factory: pytest.TempPathFactory, name: str, ident: str
) -> None:
    home = tmp_path_factory.mktemp("home")
    written(home / ".openclaw", {"jobs": [job(ident, f"{name} memory review")]})
    for shown, command in found(home):
        words = shlex.split(command)
        assert words[:3] == ["openclaw", "cron", "disable"] and len(words) == 4
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in shown + command)


def test_a_long_text_is_looked_at_quickly(tmp_path: Path) -> None:
    for text in (
        "collect " * 200_000,
        "collect" * 200_000,
        "memory collect"[:-1] * 100_000,
        "review a b c d e " * 100_000,
    ):
        written(tmp_path / ".openclaw", {"jobs": [job("1", "n", text)]})
        look_alike(tmp_path, {})
