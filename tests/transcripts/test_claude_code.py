from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crustacean.transcripts import claude_scan
from crustacean.transcripts.claude_code import READER
from crustacean.transcripts.cleaning import SENTINEL
from crustacean.transcripts.session import Report, turn_key
from tests.conftest import DATA, shared_folder
from tests.transcripts.claude_files import SESSION, Log, call, read, result, stored

COPIES = DATA / "transcripts" / "claude-code"
GENUINE = [f.path for f in READER.files(shared_folder() / "sessions" / "claude-code" / "home" / ".claude")]


def talk() -> Log:
    log = Log()
    log.user("u1", "We bake on Fridays.")
    log.agent("a1", "Noted.")
    return log


# Who said what


def test_a_person_and_the_agent_speak_in_turn(tmp_path: Path) -> None:
    seen = read(talk().write(tmp_path))
    person, agent = seen.turns
    assert (person.text, person.position, person.time.isoformat()) == (
        "We bake on Fridays.",
        1,
        "2026-03-02T09:00:00+00:00",
    )
    assert (person.speaker.role, person.speaker.local, agent.speaker.role) == ("person", True, "agent")
    assert [t.key for t in seen.turns] == [turn_key("u1"), turn_key("a1")]
    assert (seen.session.client, seen.session.kind, seen.session.id) == ("claude-code", "main", SESSION)
    assert (seen.session.directory, seen.session.ours, seen.session.ref) == (
        "/home/a/work",
        False,
        "claude-code:main/0a1b2c3d-0000",
    )


def test_text_blocks_of_one_record_are_one_turn(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", [{"type": "text", "text": "one"}, {"type": "image", "source": {}}, {"type": "text", "text": "two"}])
    seen = read(log.write(tmp_path))
    assert seen.texts == ["one\n\ntwo"]
    assert seen.report.left_out["image or document"] == 1


def test_calls_and_results_are_turns_with_the_tool(tmp_path: Path) -> None:
    log = talk()
    log.agent("a2", "Running.", call("t1", command="make"), call("t2", "Read", file_path="x"))
    log.user("r1", result("t1", "Exit code 2\nno rule", is_error=True))
    log.user("r2", result("t2", [{"type": "text", "text": "line"}, {"type": "text", "text": "more"}]))
    _, _, said, first, second, failed, fine = read(log.write(tmp_path)).turns
    assert (said.text, said.tool) == ("Running.", None)
    assert first.tool and (first.tool.name, first.tool.call, first.tool.failed) == ("Bash", "t1", None)
    assert json.loads(first.tool.arguments or "") == {"command": "make"}
    assert second.tool and second.speaker.role == "agent"
    assert failed.tool and (failed.speaker.role, failed.tool.name, failed.tool.failed) == ("tool", "Bash", True)
    assert fine.tool and (fine.text, fine.tool.name, fine.tool.failed) == ("line\nmore", "Read", False)
    assert len({t.key for t in (said, first, second)}) == 3


@pytest.mark.parametrize(
    ("content", "fields", "failed"),
    [
        ("Exit code 1\nno", {}, True),
        ("Error: Exit code 127\nno", {}, True),
        ("Exit code 0", {}, False),
        ("the text says Exit code 1", {}, False),
        ("no such file", {"is_error": True}, True),
        ("", {}, False),
    ],
)
def test_a_call_failed_by_its_flag_or_its_exit_code(
    tmp_path: Path, content: str, fields: dict[str, Any], failed: bool
) -> None:
    log = talk()
    log.agent("a2", call("t1"))
    log.user("r1", result("t1", content, **fields))
    tool = read(log.write(tmp_path)).turns[-1].tool
    assert tool and tool.failed is failed


def test_what_comes_from_outside_is_untrusted_and_a_memory_tools_output_is_cleaned_away(tmp_path: Path) -> None:
    log = talk()
    log.agent("a2", call("t1", "WebFetch"), call("t2", "mcp__crab__recall"))
    log.user("r1", result("t1", "a page"))
    log.user("r2", result("t2", [{"type": "text", "text": "likes tea"}]))
    seen = read(log.write(tmp_path))
    assert [t.untrusted for t in seen.turns[-2:]] == [True, True]
    assert seen.turns[-1].tool and seen.turns[-1].tool.name == "mcp__crab__recall"
    assert not any("tea" in text for _, text in seen.cleaned)


def test_an_answer_to_the_agents_question_is_the_persons(tmp_path: Path) -> None:
    log = talk()
    log.agent("a2", call("t1", "AskUserQuestion"))
    log.user("r1", result("t1", "User has answered"), toolUseResult={"answers": {"Which day?": "Friday"}})
    last = read(log.write(tmp_path)).turns[-1]
    assert (last.text, last.speaker.role, last.speaker.local, last.tool) == ("Which day? Friday", "person", True, None)


def test_why_a_step_was_refused_is_kept_but_is_not_the_owners_word(tmp_path: Path) -> None:
    refusal = "The user doesn't want to proceed with this tool use. (...) the user said:\nuse pnpm"
    log = talk()
    log.agent("a2", call("t1", "Bash"), call("t2", "mcp__x__y"))
    log.user("r1", result("t1", refusal, is_error=True))
    log.user("r2", result("t2", refusal, is_error=True))
    spoken = [t for t in read(log.write(tmp_path)).turns if t.speaker.role == "person"]
    assert [(t.text, t.speaker.local) for t in spoken[1:]] == [("use pnpm", False)]


def test_prompts_that_a_program_sends_are_not_typed_here(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", "hello", entrypoint="sdk-cli", promptSource="sdk")
    log.user("u2", "hello there", entrypoint="sdk-py")
    log.user("u3", "from a channel", origin={"kind": "channel"})
    assert [t.speaker.local for t in read(log.write(tmp_path)).turns] == [True, False, False]


# What is no one's word


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"isMeta": True}, "harness text"),
        ({"isCompactSummary": True, "isVisibleInTranscriptOnly": True}, "compaction summary"),
        ({"isVisibleInTranscriptOnly": True}, "harness text"),
        ({"promptSource": "system"}, "harness text"),
        ({"rowSource": "harness"}, "harness text"),
        ({"repeatsCompactSummary": True}, "harness text"),
        ({"origin": {"kind": "task-notification"}}, "harness text"),
        ({"isSidechain": True}, "sidechain"),
    ],
)
def test_user_records_that_no_person_wrote_are_counted(tmp_path: Path, fields: dict[str, Any], reason: str) -> None:
    log = talk()
    log.user("x", "I am not here", **fields)
    seen = read(log.write(tmp_path))
    assert (len(seen.turns), seen.report.left_out[reason]) == (2, 1)


def test_errors_of_the_client_and_thoughts_are_not_the_agents_words(tmp_path: Path) -> None:
    log = talk()
    log.agent("a2", "API Error: overloaded", isApiErrorMessage=True)
    log.add("assistant", "a3", message={"model": "<synthetic>", "content": [{"type": "text", "text": "No response"}]})
    log.agent("a4", {"type": "thinking", "thinking": "secret"})
    seen = read(log.write(tmp_path))
    assert len(seen.turns) == 2
    assert (seen.report.left_out["error of the client"], seen.report.left_out["thinking"]) == (2, 1)


def test_copies_of_a_prompt_in_other_records_are_left_out_by_name(tmp_path: Path) -> None:
    log = talk()
    message = {"role": "user", "content": "We bake on Fridays."}
    for kind in ("api-request-blob", "api-request", "api-request-shape", "queue-operation", "last-prompt", "progress"):
        log.add(kind, message=message, content="We bake on Fridays.", data={"message": {"message": message}})
    log.attach("h1", type="hook_additional_context", content=["CRAB-MARK"])
    log.add("system", "s1", subtype="turn_duration", content="x")
    seen = read(log.write(tmp_path))
    assert len(seen.turns) == 2
    assert seen.report.left_out["api-request-blob"] == seen.report.left_out["attachment"] == 1
    assert not seen.report.unknown


def test_of_attachments_only_a_queued_prompt_is_a_persons(tmp_path: Path) -> None:
    log = talk()
    log.attach("q1", type="queued_command", prompt="and on Mondays", commandMode="prompt")
    log.attach("q2", type="queued_command", prompt=[{"type": "text", "text": "and rye"}])
    log.attach("q3", type="queued_command", prompt="<task-notification>", commandMode="task-notification")
    log.attach("q4", type="queued_command", prompt="done", origin={"kind": "task-notification"})
    log.attach("q5", type="file", prompt="no")
    assert read(log.write(tmp_path)).texts[2:] == ["and on Mondays", "and rye"]


def test_commands_and_reminders_inside_a_persons_text_are_cleaned_away(tmp_path: Path) -> None:
    log = talk()
    log.user("c1", "<command-name>/compact</command-name>\n<command-args></command-args>")
    log.user("c2", "<local-command-stdout>Compacted CRAB-MARK</local-command-stdout>")
    log.user("c3", "[Request interrupted by user]")
    log.user("u2", "<system-reminder>\nToday is Monday.\n</system-reminder>\nBuy flour.")
    assert [text for role, text in read(log.write(tmp_path)).cleaned if role == "person"][1:] == ["Buy flour."]


# Branches, copies, order


def test_an_abandoned_branch_is_not_told(tmp_path: Path) -> None:
    log = talk()
    log.user("u2", "Use RabbitMQ.")
    log.agent("a2", "RabbitMQ it is.", call("t1"))
    log.user("r2", result("t1", "installed"))
    log.user("u3", "Use Redis.", parent="a1")
    log.agent("a3", "Redis it is.")
    seen = read(log.write(tmp_path))
    assert seen.texts[2:] == ["Use Redis.", "Redis it is."]
    assert seen.report.left_out["abandoned branch"] == 4


def test_parallel_calls_are_no_branches(tmp_path: Path) -> None:
    log = talk()
    log.agent("b1", call("t1"))
    log.agent("b2", call("t2"))
    log.user("r1", result("t1", "one"), parent="b1")
    log.user("r2", result("t2", "two"), parent="b2")
    log.agent("a2", "Both done.")
    log.user("u2", "Thanks.")
    assert read(log.write(tmp_path)).texts[2:] == ["", "", "one", "two", "Both done.", "Thanks."]


def test_what_was_said_before_a_compaction_is_told_and_its_summary_is_not(tmp_path: Path) -> None:
    log = talk()
    log.add("system", "b1", None, subtype="compact_boundary", logicalParentUuid="a1")
    log.user("s1", "This session is being continued from a previous conversation", isCompactSummary=True)
    log.user("u2", "And on Mondays?")
    log.add("last-prompt", leafUuid="u2")
    assert read(log.write(tmp_path)).texts == ["We bake on Fridays.", "Noted.", "And on Mondays?"]


def test_a_record_that_stands_twice_is_told_once(tmp_path: Path) -> None:
    log = talk()
    log.records.append(log.records[-1])
    seen = read(log.write(tmp_path))
    assert (len(seen.turns), seen.report.left_out["repeated record"]) == (2, 1)


def test_a_forks_copies_have_the_keys_of_the_originals(tmp_path: Path) -> None:
    other = "0a1b2c3d-0000-4000-8000-000000000002"
    fork = Log(other)
    fork.records = [{**r, "sessionId": other} for r in talk().records]
    fork.last = "a1"
    fork.user("u9", "Only here.")
    first = read(talk().write(tmp_path))
    second = read(fork.write(tmp_path, f"{other}.jsonl"))
    assert [t.key for t in first.turns] == [t.key for t in second.turns][:2]
    assert second.session.id == other


def test_turns_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    log = talk()
    log.user("u2", "third")
    log.records.append(log.records.pop(1) | {"parentUuid": "u1"})
    assert [t.position for t in read(log.write(tmp_path)).turns] == [1, 3, 2]


def test_a_record_without_a_usable_time_takes_that_before_it(tmp_path: Path) -> None:
    log = talk()
    log.user("u2", "x", timestamp="yesterday")
    log.user("u3", "y", timestamp=datetime(2026, 3, 2, 10, tzinfo=UTC).timestamp() * 1000)
    log.user("u4", "z", timestamp="2026-03-02T11:00:00")
    times = [t.time for t in read(log.write(tmp_path)).turns]
    assert [f"{t:%H:%M}" for t in times] == ["09:00", "09:01", "09:01", "10:00", "11:00"]
    assert all(t.tzinfo is UTC for t in times)


# Subagents, other memories, crab itself


@pytest.mark.parametrize("name", ["agent-ab12.jsonl", f"{SESSION}/subagents/agent-ab12.jsonl"])
def test_a_subagents_file_is_a_session_of_its_own_whose_task_no_person_wrote(tmp_path: Path, name: str) -> None:
    log = Log()
    log.user("u1", "Find all the places.", isSidechain=True, agentId="ab12")
    log.agent("a1", "Two places.", isSidechain=True, agentId="ab12")
    seen = read(log.write(tmp_path, name))
    assert (seen.session.kind, seen.session.id, seen.texts) == ("subagent", "agent-ab12", ["Two places."])
    assert seen.report.left_out["task of a subagent"] == 1
    assert seen.cleaned == []


def test_sidechains_inside_the_main_file_are_left_out(tmp_path: Path) -> None:
    log = talk()
    log.user("x1", "Find all the places.", None, isSidechain=True)
    log.agent("x2", "Two places.", isSidechain=True)
    log.user("u2", "And?", "a1")
    seen = read(log.write(tmp_path))
    assert seen.texts == ["We bake on Fridays.", "Noted.", "And?"]
    assert seen.report.left_out["sidechain"] == 2


def test_a_memory_tool_watching_itself_is_left_out_unopened(tmp_path: Path) -> None:
    file = talk().write(tmp_path / "-home-a--claude-mem-observer-sessions")
    seen = read(file)
    assert seen.turns == []
    assert seen.report.left_out == {"session of another memory tool": 1}
    assert seen.report.mark is not None


def test_crabs_own_sessions_are_known_by_their_first_line_forks_too(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", f"{SENTINEL}\n\nTurns:\nt1 We bake.")
    log.agent("a1", "{}")
    seen = read(log.write(tmp_path))
    assert all(s.ours for s in seen.sessions)
    with (tmp_path / f"{SESSION}.jsonl").open("ab") as file:
        file.write(json.dumps({**log.records[1], "uuid": "a2", "parentUuid": "a1"}).encode() + b"\n")
    assert read(stored(tmp_path / f"{SESSION}.jsonl"), seen.report.mark).session.ours
    assert not read(talk().write(tmp_path)).session.ours


# Titles


def test_a_title_is_the_persons_else_the_clients_and_a_summary_only_where_it_is_of_this_session(tmp_path: Path) -> None:
    log = talk()
    log.add("summary", summary="Of another session", leafUuid="elsewhere")
    assert read(log.write(tmp_path)).session.title is None
    log.add("summary", summary="Baking days", leafUuid="a1")
    assert read(log.write(tmp_path)).session.title == "Baking days"
    log.add("custom-title", customTitle="Bread")
    log.add("ai-title", aiTitle="About bread")
    assert read(log.write(tmp_path)).session.title == "Bread"


# Growing files


def test_a_file_that_grew_gives_only_what_is_new(tmp_path: Path) -> None:
    log = talk()
    log.agent("a2", call("t1"))
    first = read(log.write(tmp_path))
    log.user("r1", result("t1", "Exit code 1"))
    log.user("u2", "Why?")
    del log.records[-1]["cwd"]
    file = log.write(tmp_path)
    mark = first.report.mark
    assert mark and json.loads(json.dumps(dict(mark.state))) == mark.state
    second = read(file, mark)
    assert [t.key for t in second.turns] == [turn_key("r1"), turn_key("u2")]
    assert [t.position for t in second.turns] == [4, 5]
    assert second.turns[0].tool and second.turns[0].tool.name == "Bash"
    assert second.session.directory == "/home/a/work"
    third = read(file, second.report.mark)
    assert (third.turns, third.report.silent) == ([], [])


def test_half_a_line_is_read_when_it_is_whole(tmp_path: Path) -> None:
    log = talk()
    last = json.dumps({**log.records[1], "uuid": "a2", "parentUuid": "a1"}).encode()
    file = log.write(tmp_path, end=last[:50])
    first = read(file)
    assert (len(first.turns), first.report.problems) == (2, [])
    with file.path.open("ab") as handle:
        handle.write(last[50:] + b"\n")
    assert [t.key for t in read(stored(file.path), first.report.mark).turns] == [turn_key("a2")]


def test_a_file_that_was_rewritten_is_read_anew_with_the_same_keys(tmp_path: Path) -> None:
    log = talk()
    first = read(log.write(tmp_path))
    log.records.insert(0, {"type": "mode", "mode": "normal"})
    again = read(log.write(tmp_path), first.report.mark)
    assert [t.key for t in again.turns] == [t.key for t in first.turns]


def test_going_back_behind_what_was_read_before_drops_what_was_asked_since(tmp_path: Path) -> None:
    log = talk()
    log.user("u2", "Rye?")
    log.agent("a2", "Rye.")
    first = read(log.write(tmp_path))
    log.user("u3", "Spelt?")
    log.agent("a3", "Spelt.")
    log.user("u4", "No, wheat?", parent="a1")
    log.agent("a4", "Wheat.")
    assert read(log.write(tmp_path), first.report.mark).texts == ["No, wheat?", "Wheat."]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.integers(1, 2000), max_size=6))
def test_a_session_read_as_it_grows_gives_what_it_gives_at_once(tmp_path: Path, steps: list[int]) -> None:
    whole = (COPIES / "5ed31c36-bca8-40fd-8d24-f1a1f0af7901.jsonl").read_bytes()
    path = tmp_path / f"{SESSION}.jsonl"
    mark, keys, at = None, [], 0
    for step in [*steps, len(whole)]:
        at += step
        path.write_bytes(whole[:at])
        seen = read(stored(path), mark)
        keys += [t.key for t in seen.turns]
        mark = seen.report.mark
    path.write_bytes(whole)
    assert keys == [t.key for t in read(stored(path)).turns]


def test_turns_that_are_too_many_to_hold_are_read_a_second_time_and_come_out_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = talk()
    for n in range(40):
        log.user(f"p{n}", f"question {n} " * 5)
        log.agent(f"q{n}", f"answer {n}", call(f"t{n}"))
        log.user(f"r{n}", result(f"t{n}", f"output {n}"))
        log.records.append(log.records[-1])
    log.user("u2", "back to the start", parent="q20")
    file = log.write(tmp_path)
    whole = read(file)
    for limit in (0, 500, 1500):
        monkeypatch.setattr(claude_scan, "HELD", limit)
        again = read(file)
        assert again.turns == whole.turns
        assert again.report.left_out == whole.report.left_out


def test_what_is_appended_while_a_file_is_read_waits_for_the_next_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_scan, "HELD", 0)
    log = talk()
    file = log.write(tmp_path)
    report = Report()
    turns = READER.read(file, None, report)
    keys = [next(turns)[1].key]
    log.user("u2", "And rye?")
    log.write(tmp_path)
    keys += [turn.key for _, turn in turns]
    assert keys == [turn_key("u1"), turn_key("a1")]
    assert [t.key for t in read(stored(file.path), report.mark).turns] == [turn_key("u2")]


def test_records_glued_together_stay_together_where_the_room_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_scan, "HELD", 0)
    file = talk().write(tmp_path)
    file.path.write_bytes(file.path.read_bytes().replace(b"}\n{", b"}{"))
    assert read(stored(file.path)).texts == ["We bake on Fridays.", "Noted."]


def test_a_session_that_was_understood_before_is_not_named_for_one_strange_record(tmp_path: Path) -> None:
    log = talk()
    first = read(log.write(tmp_path))
    log.add("utterance", "x1")
    second = read(log.write(tmp_path), first.report.mark)
    assert (second.report.unknown, second.report.silent) == ({"utterance": 1}, [])


# Damage


def test_a_damaged_file_is_reported_and_the_rest_of_it_told(tmp_path: Path) -> None:
    log = talk()
    data = b"".join(json.dumps(r).encode() + b"\n" for r in log.records)
    path = tmp_path / f"{SESSION}.jsonl"
    first, second = data.splitlines(keepends=True)
    path.write_bytes(first + b'{"type":"user","mess' + second + b"\x00\x00\n" + b"not json\n")
    seen = read(stored(path))
    assert seen.texts == ["We bake on Fridays.", "Noted."]
    assert [p for p, _ in seen.report.problems] == [path] * 3
    assert seen.report.problems[0][1].startswith("line 2:")


def test_a_file_of_garbage_gives_a_few_problems_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(b"garbage\n" * 10_000)
    report = read(stored(path)).report
    assert (len(report.problems), report.silent) == (21, [str(path)])
    assert "9980 more" in report.problems[-1][1]


def test_a_file_that_vanished_is_a_problem(tmp_path: Path) -> None:
    file = talk().write(tmp_path)
    file.path.unlink()
    seen = read(file)
    assert (seen.turns, len(seen.report.problems), seen.report.mark) == ([], 1, None)


def test_an_empty_file_is_nothing_to_speak_of(tmp_path: Path) -> None:
    report = read(Log().write(tmp_path)).report
    assert (report.problems, report.silent) == ([], [])
    assert report.mark is not None


def test_unknown_records_are_counted_by_name_and_a_session_of_nothing_else_is_named(tmp_path: Path) -> None:
    log = Log()
    log.add("utterance", "x1", body="We bake on Fridays.")
    log.add("utterance", "x2", body="Noted.")
    log.records.append({"no": "type"})
    file = log.write(tmp_path)
    report = read(file).report
    assert report.unknown == {"utterance": 2, "a record without a type": 1}
    assert report.silent == [str(file.path)]


def test_known_records_of_an_unknown_shape_are_counted_too(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", {"text": "an object"})
    log.agent("a1", {"type": "hologram", "text": "x"})
    seen = read(log.write(tmp_path))
    assert seen.report.unknown == {"user without content": 1, "assistant with hologram": 1}
    assert len(seen.report.silent) == 1


def test_a_session_in_which_nothing_was_said_is_not_named(tmp_path: Path) -> None:
    log = Log()
    log.add("mode", mode="normal")
    log.add("file-history-snapshot", snapshot={})
    log.user("u1", "Caveat", isMeta=True)
    assert read(log.write(tmp_path)).report.silent == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "type uuid parentUuid logicalParentUuid timestamp sessionId cwd message isSidechain isMeta attachment origin"
    " entrypoint promptSource leafUuid summary aiTitle toolUseResult subtype isCompactSummary"
).split()
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "thinking", "x"]) | JSON},
    optional=dict.fromkeys(("text", "id", "name", "input", "tool_use_id", "content", "is_error"), JSON),
)
MESSAGE = JSON | st.fixed_dictionaries({"content": JSON | st.lists(BLOCK | JSON, max_size=3)}, optional={"model": JSON})
KINDS = st.sampled_from(["user", "assistant", "attachment", "system", "summary", "ai-title", "last-prompt"])
STRANGE = st.fixed_dictionaries(
    {"type": KINDS | JSON},
    optional={name: JSON for name in FIELDS if name not in ("type", "message", "uuid", "parentUuid")}
    | {"message": MESSAGE, "uuid": st.sampled_from("abcd") | JSON, "parentUuid": st.sampled_from("abcd") | JSON}
    | {"attachment": JSON | st.just({"type": "queued_command", "prompt": ["x", {"type": "text", "text": 3}]})},
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.lists(STRANGE, max_size=6))
def test_no_record_is_too_strange(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in rows))
    seen = read(stored(path))
    assert seen.report.problems == []
    for turn in seen.turns:
        assert turn.text.encode() is not None and turn.time.tzinfo is UTC
    assert seen.report.mark is not None
    json.dumps(dict(seen.report.mark.state)).encode()


def test_half_a_surrogate_pair_is_made_harmless(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(
        b'{"type":"user","uuid":"u\\ud800","parentUuid":null,"cwd":"/a\\udfff","message":{"content":"a\\ud83d b"}}\n'
    )
    seen = read(stored(path))
    assert (seen.texts, seen.session.directory) == (["a\ufffd b"], "/a\ufffd")


def test_a_huge_record_costs_little(tmp_path: Path) -> None:
    log = talk()
    log.agent("a2", call("t1"))
    path = log.write(tmp_path).path
    with path.open("ab") as file:
        file.write(b'{"type":"user","uuid":"r1","parentUuid":"a2","message":{"content":[{"type":"tool_result",')
        file.write(b'"tool_use_id":"t1","content":"')
        for _ in range(50):
            file.write(b"y" * (1 << 20))
        file.write(b'"}]}}\n')
    tracemalloc.start()
    turn = read(stored(path)).turns[-1]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert turn.tool and turn.tool.name == "Bash" and "characters elided" in turn.text and len(turn.text) < 3_000
    assert peak < 20 << 20


# Where the sessions are


def test_the_store_is_found_in_the_home_or_where_the_environment_says(tmp_path: Path) -> None:
    talk().write(tmp_path / ".claude" / "projects" / "-home-a")
    talk().write(tmp_path / "moved" / "projects" / "-home-a")
    assert READER.find(tmp_path, {}) == [tmp_path / ".claude"]
    assert READER.find(tmp_path, {"CLAUDE_CONFIG_DIR": str(tmp_path / "moved")}) == [tmp_path / "moved"]
    assert READER.find(tmp_path, {"CLAUDE_CONFIG_DIR": "~/moved"}) == [tmp_path / "moved"]
    assert READER.find(tmp_path / "elsewhere", {}) == []


def test_the_files_are_sessions_and_subagents_and_nothing_else(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    talk().write(projects / "-home-a")
    talk().write(projects / "-home-a", f"{SESSION}/subagents/agent-ab.jsonl")
    talk().write(projects / "-home-a", f"{SESSION}/tool-results/x.jsonl")
    talk().write(projects / "-home-a" / "memory")
    (projects / "-home-a" / "notes.txt").write_text("x")
    (projects / "-home-a" / f"{SESSION}.meta.json").write_text("{}")
    (projects / "loop").symlink_to(projects)
    talk().write(tmp_path, "history.jsonl")
    names = {f.path.relative_to(projects).as_posix() for f in READER.files(tmp_path)}
    assert names == {f"-home-a/{SESSION}.jsonl", f"-home-a/{SESSION}/subagents/agent-ab.jsonl"}
    (file,) = READER.files(projects / "-home-a" / f"{SESSION}.jsonl")
    stat = file.path.stat()
    assert (file.size, file.mtime_ns, file.inode) == (stat.st_size, stat.st_mtime_ns, stat.st_ino)
    assert list(READER.files(tmp_path / "gone")) == []


def test_a_path_that_a_person_names_is_recognised_by_what_lies_there(tmp_path: Path) -> None:
    file = talk().write(tmp_path / "backup" / "-home-a")
    assert READER.recognises(tmp_path / "backup")
    assert READER.recognises(file.path.parent)
    assert READER.recognises(file.path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "pi.jsonl").write_text('{"type":"session","version":3,"id":"x","cwd":"/"}\n{"type":"message","id":"1"}\n')
    (other / "notes.jsonl").write_text('{"a":1}\nnot json\n')
    assert not READER.recognises(other)
    assert not READER.recognises(other / "pi.jsonl")
    assert not READER.recognises(tmp_path / "gone")


# Sessions of others


def test_the_rewound_and_compacted_session_gives_what_was_really_said() -> None:
    assert read(stored(COPIES / "compact-after-rewind.jsonl")).cleaned == [
        ("person", "We need a queue. Start."),
        ("agent", "Ready."),
        ("person", "Use Redis streams, we already run Redis."),
        ("agent", "Redis streams set up."),
        ("person", "Keep going"),
        ("agent", "Kept going."),
        ("person", "also: never touch the staging database"),
        ("person", "Name the stream jobs-v2."),
        ("agent", "Named jobs-v2."),
    ]


def test_a_session_with_shell_commands_beside_it_gives_the_conversation() -> None:
    seen = read(stored(COPIES / "71c9afe9-d9cc-4583-86b3-e62ba682b83a.jsonl"))
    assert [(role, text[:40]) for role, text in seen.cleaned] == [
        ("person", "Please have a look at this patch diff, I"),
        ("agent", "I'll analyze this patch and help you imp"),
        ("agent", "Now I'll implement the combined logic th"),
        ("agent", "The implementation now combines both cri"),
    ]
    assert [t.tool.name for t in seen.turns if t.tool and t.speaker.role == "agent"] == ["Read", "Edit"]


def test_a_session_in_an_editor_gives_the_prompt_without_what_the_editor_added() -> None:
    (first, *rest) = read(stored(COPIES / "5ed31c36-bca8-40fd-8d24-f1a1f0af7901.jsonl")).cleaned
    assert first[0] == "person" and first[1].startswith("I keep getting mysterious build errors when MDX files")
    assert [role for role, _ in rest] == ["agent"] * 3


@pytest.mark.parametrize("path", [*sorted(COPIES.glob("*.jsonl")), *GENUINE], ids=lambda p: p.stem[:24])
def test_nothing_in_a_genuine_session_is_unknown(path: Path) -> None:
    report = read(stored(path)).report
    assert (report.unknown, report.problems, report.silent) == ({}, [], [])
    assert report.mark is not None and report.mark.state["offset"] == path.stat().st_size


def test_the_facts_of_the_shared_sessions_are_in_what_is_told_and_the_noise_is_not(shared: Path) -> None:
    store = shared / "sessions" / "claude-code" / "home" / ".claude"
    told: dict[str, str] = {}
    for file in READER.files(store):
        seen = read(file)
        if seen.turns:
            told[file.path.stem] = "\n".join(text for _, text in seen.cleaned).casefold()
    expected = (
        json.loads((shared / "sessions" / "expected.json").read_text()) if told else {"claude-code": {"sessions": []}}
    )
    for session in expected["claude-code"]["sessions"]:
        start = session["id"].rpartition("/")[2].rstrip("…")
        (text,) = [t for name, t in told.items() if name.startswith(start)]
        for fact in session["facts"]:
            assert all(key.casefold() in text for key in fact["keys"]), fact
    for text in told.values():
        for noise in ("crab-mark", "this session is being continued", "list them.", "hand-back", "/compact"):
            assert noise not in text
