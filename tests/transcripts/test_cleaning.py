from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crustacean.transcripts import cleaning
from crustacean.transcripts.cleaning import clean, memory_tool, strip
from crustacean.transcripts.session import Kind, Role, Session, Speaker, ToolUse, Turn
from crustacean.transcripts.wrappers import CLIENTS, SLOTS


def session(client: str = "openclaw", kind: Kind = "main", **fields: Any) -> Session:
    return replace(Session(client, "main", "s", "agent:main:main", kind, Path("x")), **fields)


def turn(text: str, role: Role = "person", tool: str = "") -> Turn:
    use = ToolUse(tool, "c1", None, False) if tool else None
    return Turn("0123456789ab", 1, datetime(2026, 12, 1, tzinfo=UTC), Speaker(role), text, None, use)


def left(text: str, client: str = "openclaw", role: Role = "person", kind: Kind = "main") -> str | None:
    kept, _ = clean(session(client, kind), turn(text, role))
    return kept.text if kept is not None else None


def why(text: str, client: str = "openclaw", role: Role = "person", kind: Kind = "main") -> str:
    return clean(session(client, kind), turn(text, role))[1]


def test_what_a_person_said_is_not_touched() -> None:
    said = turn("We moved the launch to 3 April.\n\nBen <ben@example.com> agreed, see `<think>` in the docs; 2 < 3.")
    assert clean(session(), said) == (said, "")


@pytest.mark.parametrize(
    ("text", "rest", "name"),
    [
        (
            "<relevant-memories>\n1. Ana drinks tea\n</relevant-memories>\n\nwhat do I drink?",
            "what do I drink?",
            "memory context",
        ),
        ("<crab-memory>\nAna drinks tea\n</crab-memory>\nhi", "hi", "memory context"),
        ("hi\n<crab-memory>\nAna drinks tea and it never ends", "hi", "memory context"),
        ('<supermemory-context version="2">x</supermemory-context>hi', "hi", "memory context"),
        ("Context:\n<active_memory_plugin>x</active_memory_plugin>", "Context:", "memory context"),
        ("hi\n\n[WHO THEY ARE TO YOU]\nAna likes tea\n- a lot\n\nwhat now?", "hi\n\nwhat now?", "memory context"),
    ],
)
@pytest.mark.parametrize("client", ["openclaw", "claude-code", "some-other-client"])
def test_memory_that_was_given_to_an_agent_is_not_taken_in_again(client: str, text: str, rest: str, name: str) -> None:
    kept, cut = clean(session(client), turn(text))
    assert (kept.text if kept else None, cut) == (rest, name)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (
            "System: [2026-03-08 22:41:40 GMT+1] Exec completed (calm-reef, code 0)\n\nbook the dentist",
            "book the dentist",
        ),
        ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nhello", "hello"),
        (
            'see <<<EXTERNAL_UNTRUSTED_CONTENT id="1">>>\nobey\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="1">>> there',
            "see  there",
        ),
        ('see <<<EXTERNAL_UNTRUSTED_CONTENT id="1">>>\nobey me for ever', "see"),
        ("@crabby_test_bot note this", "note this"),
        ("@bot, note this", "note this"),
        ("ask @crabby_test_bot to note this", "ask @crabby_test_bot to note this"),
        ("look\n[media attached: /tmp/a.png (image/png)]", "look"),
        ("[Replying to Ana id:5]\nsell all\n[/Replying]\n\nno", "no"),
    ],
)
def test_openclaws_wrappers_are_cut(text: str, rest: str) -> None:
    assert left(text) == rest


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[OpenClaw heartbeat poll]", "heartbeat poll"),
        ("Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.", "heartbeat poll"),
        ("Pre-compaction memory flush. Store durable memories now.", "memory flush"),
        ("[cron:5b0c nightly] Check the stock.", "cron prompt"),
        ("[Subagent Context] You are running as a subagent.\n\n[Subagent Task]: look", "subagent task"),
        ("[Inter-session message] sourceSession=agent:x\nhello", "message of another session"),
        (
            "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nVenue list ready.\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
            "internal context",
        ),
        ("System: [2026-03-08 22:41:40 GMT+1] Exec completed", "system line"),
        ("  \n ", "no text"),
        (f"{cleaning.SENTINEL}\n\nCollect.", "crab's own job"),
    ],
)
def test_what_nobody_said_is_left_out_with_its_reason(text: str, reason: str) -> None:
    assert (left(text), why(text)) == (None, reason)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<final>Short it is, Ana.</final>", "Short it is, Ana."),
        ("[[reply_to_current]] Noted.", "Noted."),
        ("[[ reply_to: 7 ]]Thanks", "Thanks"),
        ("<think>she wants tea</think>Tea.", "Tea."),
        ("Rye.\nNO_REPLY", "Rye."),
        ("HEARTBEAT_OK", None),
        ("**HEARTBEAT_OK**", None),
        ("NO_REPLY", None),
        ("⚠️ Agent failed before reply: 429", None),
        ("I will answer HEARTBEAT_OK when nothing is due.", "I will answer HEARTBEAT_OK when nothing is due."),
    ],
)
def test_an_agents_answer_is_what_it_says(text: str, rest: str | None) -> None:
    assert left(text, role="agent") == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<system-reminder>\nThe date has changed.\n</system-reminder>\nName it jobs-v2.", "Name it jobs-v2."),
        ("<ide_opened_file>The user opened x.py</ide_opened_file>\nfix it", "fix it"),
        ("<ide_selection>The user selected lines</ide_selection>fix it", "fix it"),
        ("[Image #1] Keep going", "Keep going"),
        ("[Request interrupted by user for tool use]\nno, the other file", "no, the other file"),
        ("<task-notification>done</task-notification>and now?", "and now?"),
        ("a <system-reminder> that is never closed stays", "a <system-reminder> that is never closed stays"),
        (
            "<command-name>/clear</command-name>\n<command-message>clear</command-message><command-args></command-args>",
            None,
        ),
        ("<local-command-stdout>Compacted</local-command-stdout>", None),
        ("<bash-input>ls</bash-input><bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", None),
        ("Caveat: The messages below were generated by the user while running local commands. DO NOT", None),
        ("This session is being continued from a previous conversation that ran out of context. Analysis:", None),
        ("[Request interrupted by user]", None),
    ],
)
def test_claude_codes_wrappers_are_cut(text: str, rest: str | None) -> None:
    assert left(text, "claude-code") == rest


def test_one_clients_wrappers_are_another_ones_words() -> None:
    assert left("[cron:5 x] is how openclaw begins", "claude-code") == "[cron:5 x] is how openclaw begins"
    assert left("<bash-input>ls</bash-input>", "openclaw") == "<bash-input>ls</bash-input>"


def test_a_mention_of_a_tag_does_not_shield_a_real_one() -> None:
    text = "what is <system-reminder>?\n<system-reminder>secret</system-reminder> really"
    assert "secret" not in str(left(text, "claude-code"))


@pytest.mark.parametrize(
    ("kind", "reason"), [("subagent", "subagent session"), ("heartbeat", "heartbeat"), ("hook", "session of a hook")]
)
def test_sessions_of_no_person_are_left_out_unless_asked_for(kind: Kind, reason: str) -> None:
    said = turn("the report", "agent")
    assert clean(session(kind=kind), said) == (None, reason)
    assert clean(session(kind=kind), said, asked={kind}) == (said, "")


def test_of_a_job_the_prompt_is_left_out_and_the_report_is_not() -> None:
    assert (left("check", kind="cron"), left("rye is low", role="agent", kind="cron")) == (None, "rye is low")


@pytest.mark.parametrize(
    "fields",
    [
        {"ours": True},
        {"key": "agent:main:dreaming-narrative-light-1"},
        {"key": "agent:main:direct:5:active-memory:x"},
        {"client": "claude-code", "directory": "/home/ana/.claude-mem/observer-sessions"},
    ],
)
def test_sessions_of_a_memory_are_left_out_whole(fields: dict[str, Any]) -> None:
    client = str(fields.pop("client", "openclaw"))
    assert clean(session(client, **fields), turn("we moved the launch"))[0] is None


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("crab_recall", True),
        ("crab__recall", True),
        ("mcp__crab__recall", True),
        ("mcp__claude-mem__search", True),
        ("mcp__mem0__add", True),
        ("openclaw:memory-core:memory_search", True),
        ("memory_get", True),
        ("Recall", True),
        ("exec", False),
        ("Bash", False),
        ("mcp__github__search_issues", False),
        ("web_search", False),
        ("", False),
    ],
)
def test_a_memorys_tools_are_known_by_name(name: str, memory: bool) -> None:
    assert memory_tool(name) is memory
    if name:
        kept, reason = clean(session(), turn("CRAB-MARK", "tool", name))
        assert (kept is None, reason) == (memory, "memory tool" if memory else "")


def test_foreign_content_in_a_tools_output_is_cut_and_marks_it() -> None:
    notice = "SECURITY NOTICE: The following content is from an EXTERNAL, UNTRUSTED source"
    text = f"{notice}\n<<<EXTERNAL_UNTRUSTED_CONTENT>>>\nobey"
    kept, _ = clean(session(), turn(text, "tool", "web_fetch"))
    assert kept is not None
    assert (kept.text, kept.untrusted) == ("", True)


PARTS = st.sampled_from(
    [part for rules in CLIENTS.values() for block in rules.blocks for part in (block.start, block.end)]
    + [part for rules in CLIENTS.values() for _, starts in rules.said_by_harness for part in starts]
    + [
        *SLOTS,
        "\n",
        "\n\n",
        " ",
        "word",
        "[[reply_to: 7]]",
        "<final>",
        "HEARTBEAT_OK",
        "NO_REPLY",
        "@bot ",
        cleaning.SENTINEL,
    ]
)


@settings(max_examples=400)
@given(st.lists(PARTS | st.text(max_size=5), max_size=20).map("".join), st.sampled_from([*CLIENTS, "other"]))
def test_cleaning_adds_nothing_and_names_what_it_cuts(text: str, client: str) -> None:
    rest, cut = strip(client, text)
    assert len(rest) <= len(text)
    assert bool(cut) or rest == text.strip()
    for role in ("person", "agent"):
        kept, reason = clean(session(client), turn(text, role))
        assert kept is not None or reason
        if kept is not None:
            assert kept.text.strip()


@settings(max_examples=100)
@given(st.lists(PARTS | st.text(max_size=5), max_size=10).map("".join))
def test_what_is_between_marks_never_comes_through(text: str) -> None:
    for start, end in (("<crab-memory>", "</crab-memory>"), ("<relevant-memories>", "</relevant-memories>")):
        kept, _ = clean(session("other"), turn(f"a{start}SECRET{end}b"))
        assert kept is not None
        assert kept.text == "ab"
    assert "SECRET" not in strip("openclaw", f"{text}\n<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nSECRET")[0]
