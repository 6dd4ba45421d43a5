"""crab collect and what belongs to it, as a person meets it."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Crab, snapshot


def test_collect_keeps_what_matters_on_the_day_it_was_said(crab: Crab, root: Path) -> None:
    done = crab("collect", "--all", "--json")

    assert done.status == 0
    assert done.data["balance"]["added"] >= 8
    log = (root / "memory/2026-03-16.md").read_text()
    assert "allergic to latex" in log
    assert "audience: main; origin: owner" in log


def test_the_json_of_a_stage_has_the_promised_keys(crab: Crab, root: Path) -> None:
    data = crab("collect", "--all", "--dry-run", "--json").data
    assert {
        "run",
        "stage",
        "model",
        "dry_run",
        "plan",
        "edits",
        "refused",
        "balance",
        "redacted",
        "usage",
        "diff",
    } <= set(data)
    assert set(data["balance"]) == {"added", "moved", "superseded", "archived", "trashed", "lost"}
    assert {"op", "path"} <= set(data["edits"][0])


def test_a_secret_is_reported_and_nowhere_on_the_disk(crab: Crab, root: Path) -> None:
    data = crab("collect", "--all", "--json").data

    assert data["redacted"][0].keys() == {"kind", "client", "session"}
    held = b"".join(p.read_bytes() for p in root.rglob("*") if p.is_file())
    assert b"Gr0nska-Lera-4711" not in held


def test_collecting_again_reads_and_writes_nothing(crab: Crab, root: Path) -> None:
    crab("collect", "--all")
    before = snapshot(root)
    again = crab("collect", "--all", "--json").data

    assert (again["considered"], again["edits"]) == (0, [])
    assert snapshot(root) == before


def test_nothing_is_doubled_after_the_state_is_deleted_or_the_store_copied(crab: Crab, root: Path, home: Path) -> None:
    crab("collect", "--all")
    before = snapshot(root)
    shutil.rmtree(root / ".crab")
    shutil.copytree(home / ".openclaw", home / "copy" / ".openclaw")
    again = crab("collect", "--all", "--source", home / "copy" / ".openclaw", "--json").data

    assert (again["considered"], again["edits"]) == (0, [])
    assert snapshot(root) == before


def test_a_dry_run_writes_nothing_and_apply_writes_exactly_it(crab: Crab, root: Path) -> None:
    before = snapshot(root)
    dry = crab("collect", "--all", "--dry-run", "--json").data
    after_dry = {p: d for p, d in snapshot(root).items() if not p.endswith(".jsonl")}
    assert after_dry == before

    done = crab("apply", "--json").data
    assert done["diff"] == dry["diff"]
    assert crab("collect", "--all", "--json").data["considered"] == 0


def test_the_same_dry_run_shows_the_same_plan(crab: Crab, root: Path) -> None:
    first = crab("collect", "--all", "--dry-run", "--json").data
    second = crab("collect", "--all", "--dry-run", "--json").data
    assert (first["plan"], first["diff"]) == (second["plan"], second["diff"])


def test_some_edits_of_a_plan_can_be_applied_and_the_rest_waits(crab: Crab, root: Path) -> None:
    dry = crab("collect", "--all", "--dry-run", "--json").data
    crab("apply", "--only", "1")
    assert len(crab("plans", "list", "--json").data) == 1
    rest = crab("apply", "--json").data
    assert rest["balance"]["added"] == len(dry["edits"]) - 1
    assert crab("plans", "list", "--json").data == []


def test_a_dropped_plan_frees_its_turns(crab: Crab, root: Path) -> None:
    dry = crab("collect", "--all", "--dry-run", "--json").data
    crab("plans", "drop")
    assert crab("collect", "--all", "--json").data["balance"] == dry["balance"]


def test_a_saved_plan_is_applied_where_its_lines_still_fit(crab: Crab, root: Path, tmp_path: Path) -> None:
    crab("collect", "--all", "--save-plan", tmp_path / "plan.json")
    (root / "memory/2026-03-16.md").write_text("# 2026-03-16\n\nMy own line.\n")
    done = crab("apply", tmp_path / "plan.json", "--json")

    assert done.status == 0
    text = (root / "memory/2026-03-16.md").read_text()
    assert "My own line." in text and "allergic to latex" in text


def test_undo_gives_back_the_bytes_and_verify_accounts_for_everything(crab: Crab, root: Path) -> None:
    before = snapshot(root)
    written = crab("collect", "--all", "--json").data["balance"]["added"]
    assert crab("verify", "--json").data["live"] == written
    assert crab("undo").status == 0

    after = {p: d for p, d in snapshot(root).items() if not p.endswith(".jsonl") and not p.startswith("archive/trash/")}
    assert after == before
    account = crab("verify", "--json").data
    assert (account["undone"], account["lost"]) == (written, [])
    assert crab("collect", "--all", "--json").data["considered"] == 0


def test_undo_with_redo_opens_what_was_read(crab: Crab, root: Path) -> None:
    first = crab("collect", "--all", "--json").data
    crab("undo", "--redo")
    assert crab("collect", "--all", "--json").data["balance"] == first["balance"]


def test_an_undo_can_be_undone(crab: Crab, root: Path) -> None:
    run = crab("collect", "--all", "--json").data["run"]
    written = {p: d for p, d in snapshot(root).items() if p.startswith("memory/")}
    undo = crab("undo", run, "--json").data["run"]
    assert crab("undo", undo).status == 0

    assert {p: d for p, d in snapshot(root).items() if p.startswith("memory/")} == written
    assert crab("verify", "--json").data["lost"] == []


def test_without_a_date_only_the_last_two_days_are_read(crab: Crab, root: Path) -> None:
    assert crab("collect", "--now", "2026-03-18T20:00+01:00", "--json").data["considered"] > 0
    assert not (root / "memory/2026-03-15.md").exists()


def test_the_model_may_be_a_program(crab: Crab, root: Path, tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    reply = {
        "edits": [{"op": "append", "topic": "Glaze", "text": "The glaze supplier is Keramikhuset.", "sources": ["t3"]}]
    }
    program.write_text(f"import sys\nsys.stdin.read()\nprint('thinking...')\nprint({json.dumps(reply)!r})\n")
    data = crab("collect", "--all", "--model", f"command:{sys.executable} {program}", "--json").data

    assert data["balance"]["added"] >= 1
    assert data["model"].startswith("command:")


def test_a_model_that_cannot_be_had_is_status_4_and_reads_nothing(crab: Crab, root: Path) -> None:
    before = snapshot(root)
    done = crab("collect", "--all", "--model", "command:/nowhere/model")

    assert done.status == 4
    assert done.err.count("\n") == 1
    assert {p: d for p, d in snapshot(root).items() if not p.endswith(".jsonl")} == before
    assert crab("collect", "--all", "--json").data["considered"] > 0


def test_a_reply_of_nonsense_writes_nothing_and_is_status_5(crab: Crab, root: Path, tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    reply = {"edits": [{"op": "create", "path": "../evil.md", "title": "x", "text": "x", "sources": ["t1"]}]}
    program.write_text(f"print({json.dumps(reply)!r})\n")
    done = crab("collect", "--all", "--model", f"command:{sys.executable} {program}", "--json")

    assert done.status == 5
    assert done.data["refused"]
    assert not (root.parent / "evil.md").exists()


def test_the_prompt_is_printed_exactly_and_nothing_is_sent(crab: Crab, root: Path) -> None:
    out = crab("collect", "--all", "--print-prompt").out
    assert out.startswith("crab-job:")
    assert '"text": "Morning! I\'m Nora Lindqvist' in out
    assert "Gr0nska" not in out


def test_an_estimate_sends_nothing_and_says_the_price(crab: Crab, root: Path) -> None:
    data = crab("collect", "--all", "--estimate", "--model", "offline", "--json").data
    assert (data["calls"] >= 1, data["cost"]) == (True, 0)


def test_bad_input_is_one_line_with_what_to_do(crab: Crab, root: Path) -> None:
    for arguments in (
        ("collect", "--since", "soon"),
        ("collect", "--source", "nowhere"),
        ("collect", "--model", "gpt"),
        ("collect", "--nope"),
        ("apply",),
        ("apply", "--only", "x"),
        ("undo",),
        ("undo", "ffff"),
        ("show", "ffff"),
        ("trash", "restore", "ffff"),
        ("purge",),
        ("nonsense",),
        ("collect", "--now", "yesterday"),
    ):
        done = crab(*arguments)
        assert done.status in (2, 4), arguments
        assert done.err.count("\n") == 1, (arguments, done.err)
        assert "Traceback" not in done.err


def test_an_error_in_json_is_an_object(crab: Crab, root: Path) -> None:
    done = crab("show", "ffff", "--json")
    assert done.data["error"]["status"] == done.status == 2


def test_a_workspace_that_is_none_is_status_3(crab: Crab, tmp_path: Path) -> None:
    done = crab("collect", "-w", tmp_path)
    assert (done.status, done.err.count("\n")) == (3, 1)


def test_settings_that_cannot_be_read_name_the_line(crab: Crab, root: Path) -> None:
    (root / "crab.toml").write_text("timezone = \n")
    done = crab("collect")
    assert done.status == 3
    assert "line 1" in done.err


def test_purge_erases_every_copy(crab: Crab, root: Path) -> None:
    crab("collect", "--all")
    done = crab("purge", "--match", "latex", "--yes", "--json")
    assert done.data["purged"] >= 1

    held = b"".join(p.read_bytes() for p in root.rglob("*") if p.is_file())
    assert b"latex" not in held
    account = crab("verify", "--json").data
    assert (account["purged"] >= 1, account["lost"]) == (True, [])
    assert crab("collect", "--all", "--json").data["considered"] == 0


def test_a_line_in_the_trash_comes_back(crab: Crab, root: Path) -> None:
    run = crab("collect", "--all", "--json").data["run"]
    written = snapshot(root)
    crab("undo", run)
    gone = crab("trash", "list", "--json").data
    assert crab("trash", "restore", gone[0]["id"]).status == 0
    assert gone[0]["block"].strip() in (root / gone[0]["path"]).read_text()
    assert crab("verify", "--json").data["lost"] == []
    assert written


def test_doctor_is_content_with_a_new_workspace(crab: Crab, root: Path) -> None:
    done = crab("doctor", "--json")
    assert done.status == 0, done.out


def test_the_trial_shows_it_all(crab: Crab) -> None:
    done = crab("try")
    assert done.status == 0
    assert "allergic to latex" in done.out
    assert "0 lost" in done.out


def test_quiet_still_says_what_needs_a_person(crab: Crab, root: Path) -> None:
    done = crab("collect", "--all", "-q")
    assert done.out == ""
    assert "a secret (password)" in done.err


def test_a_model_that_fails_half_way_is_one_json_document_and_status_4(crab: Crab, root: Path, tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    program.write_text(
        "import pathlib, sys\n"
        f"seen = pathlib.Path({str(tmp_path / 'seen')!r})\n"
        "if seen.exists(): sys.exit('gone')\n"
        "seen.touch()\n"
        'print(\'{"edits": [{"op": "append", "topic": "x", "text": "Nora runs a studio.", "sources": ["t1"]}]}\')\n'
    )
    settings = root / "crab.toml"
    text = settings.read_text()
    settings.write_text(
        text.replace("# [collect]", "[collect]").replace("# batch_tokens = 12000", "batch_tokens = 300")
    )
    done = crab("collect", "--all", "--model", f"command:{sys.executable} {program}", "--json")

    assert done.status == 4
    assert done.data["stopped"]["status"] == 4
    assert done.data["balance"]["added"] == 1


def test_a_scheduled_job_is_left_out_where_the_person_says_so(crab: Crab, root: Path, home: Path) -> None:
    index = home / ".openclaw/agents/main/sessions/sessions.json"
    index.write_text(index.read_text().replace("agent:main:main", "agent:main:cron:job-1"))
    settings = root / "crab.toml"
    settings.write_text(settings.read_text().replace('# cron = "report"', 'cron = "off"'))
    crab("collect", "--all")
    assert not (root / "memory/2026-03-16.md").exists()


def test_an_estimate_leaves_the_state_as_it_is(crab: Crab, root: Path) -> None:
    crab("collect", "--all")
    crab("sources", "exclude", "peer:1")
    crab("collect", "--estimate")
    assert crab("sources", "list", "--json").data["read"]


def test_what_is_freed_is_read_again_without_being_asked_for(crab: Crab, root: Path) -> None:
    now = ("--now", "2026-03-18T21:00")
    first = crab("collect", *now, "--json").data["considered"]
    crab("undo", "--redo", *now)
    assert crab("collect", *now, "--json").data["considered"] == first

    crab("undo", "--redo", *now)
    crab("collect", "--dry-run", *now)
    assert crab("collect", *now, "--json").data["held"] > 0
    crab("plans", "drop", *now)
    assert crab("collect", *now, "--json").data["considered"] == first


def test_a_plan_that_waited_too_long_frees_its_turns_and_says_so(crab: Crab, root: Path) -> None:
    crab("collect", "--now", "2026-03-15T21:00")
    first = crab("collect", "--dry-run", "--now", "2026-03-18T21:00", "--json").data["considered"]
    later = crab("collect", "--now", "2026-04-05T21:00", "--json").data
    assert later["considered"] == first
    assert "waited too long" in later["notices"][0]


def test_a_stage_in_review_says_that_its_plan_waits(crab: Crab, root: Path) -> None:
    settings = root / "crab.toml"
    settings.write_text(settings.read_text() + '\n[apply]\ncollect = "review"\n')
    done = crab("collect", "--all")
    assert "Nothing was written" in done.err
    assert crab("apply").status == 0
    assert (root / "memory/2026-03-16.md").exists()


def test_the_price_of_a_model_is_told_without_its_key(crab: Crab, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    data = crab("collect", "--all", "--estimate", "--model", "anthropic:claude-haiku-5-5", "--json").data
    assert data["cost"] > 0
    assert crab("collect", "--all", "--print-prompt", "--model", "anthropic:claude-haiku-5-5").status == 0


def test_crab_alone_and_a_group_alone_show_their_help(crab: Crab, root: Path) -> None:
    for arguments in ((), ("sources",), ("plans",), ("trash",)):
        done = crab(*arguments)
        assert done.out.startswith("Usage:") and done.out.count("\n") > 5


def test_purge_takes_whole_words_and_leaves_the_rest_alone(crab: Crab, root: Path) -> None:
    (root / "memory/lists").mkdir(exist_ok=True)
    (root / "memory/lists/todo.md").write_text("# Todo\n\n- apply\n- reapply the glaze\n")
    crab("collect", "--all")
    before = snapshot(root)
    written = crab("verify", "--json").data["entries"]
    crab("purge", "--match", "apply", "--yes")

    after = snapshot(root)
    assert after["memory/lists/todo.md"] == b"# Todo\n\n- reapply the glaze\n"
    assert {p: d for p, d in after.items() if p.endswith(".md") and "lists" not in p} == {
        p: d for p, d in before.items() if p.endswith(".md") and "lists" not in p
    }
    assert crab("verify", "--json").data["live"] == written
    assert len(crab("log", "--json").data) == 2


def test_what_a_person_said_is_purged_with_its_turns_and_their_name(crab: Crab, root: Path) -> None:
    crab("collect", "--all")
    done = crab("purge", "--person", "Jonas", "--yes", "--json")
    assert (done.data["purged"], done.data["turns"]) >= (1, 1)
    assert b"person:Jonas" not in b"".join(p.read_bytes() for p in root.rglob("*") if p.is_file())
    assert crab("collect", "--all", "--redo", "--json").data["balance"]["added"] == 0


def test_a_model_that_prints_no_reply_consumes_nothing(crab: Crab, root: Path, tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    program.write_text("print('You have hit your usage limit')\n")
    done = crab("collect", "--all", "--model", f"command:{sys.executable} {program}")
    assert done.status == 4 and "no usable reply" in done.err
    assert crab("collect", "--all", "--json").data["considered"] == 31


def test_a_secret_in_a_refused_edit_is_not_kept_either(crab: Crab, root: Path, tmp_path: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"
    reply = {"edits": [{"op": "append", "topic": "x", "text": f"The key is {key}.", "sources": ["t999"]}]}
    program = tmp_path / "model.py"
    program.write_text(f"print({json.dumps(reply)!r})\n")
    crab("collect", "--all", "--model", f"command:{sys.executable} {program}")
    assert key.encode() not in b"".join(p.read_bytes() for p in root.rglob("*") if p.is_file())


def test_only_counts_forwards(crab: Crab, root: Path) -> None:
    crab("collect", "--all", "--dry-run")
    assert crab("apply", "--only", "3-1").status == 2


def test_a_plan_that_cannot_be_read_stops_nothing(crab: Crab, root: Path) -> None:
    crab("collect", "--all", "--dry-run")
    [path] = (root / ".crab/plans").glob("*.json")
    path.write_text("x")
    assert crab("plans", "list", "--json").data == []
    assert crab("collect", "--all", "--json").data["considered"] == 31


def test_a_run_comes_back_from_the_trash_in_its_order_with_its_provenance(crab: Crab, root: Path) -> None:
    crab("collect", "--all")
    first = [line.partition(" <!--")[0] for line in (root / "memory/2026-03-16.md").read_text().splitlines()]
    undo = crab("undo", "--json").data["run"]
    crab("trash", "restore", undo)

    text = (root / "memory/2026-03-16.md").read_text()
    assert [line.partition(" <!--")[0] for line in text.splitlines()] == first
    assert "allergic to latex, so they only buy nitrile gloves. <!-- src: openclaw:main/a1000000-0000#10;" in text
    assert crab("undo").status == 0
    assert crab("verify", "--json").data["lost"] == []


def test_emptying_the_trash_is_not_what_undo_takes_back(crab: Crab, root: Path) -> None:
    crab("collect", "--all")
    crab("undo")
    assert crab("trash", "empty", "--yes", "--json").data["erased"] > 0
    done = crab("undo")
    assert (done.status, done.err) == (2, "crab: there is no run to undo: `crab log` lists the runs\n")
    assert crab("verify", "--json").data["lost"] == []
