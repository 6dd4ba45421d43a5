from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.errors import UsageError
from crustacean.transcripts import rules
from crustacean.transcripts.rules import Rule
from crustacean.transcripts.session import Session, Speaker

CLIENTS = ("claude-code", "openclaw", "openclaw-jsonl")
HOME = Path("/home/ana")
CWD = Path("/home/ana/here")
CODE = Session(
    "claude-code",
    "main",
    "3f2a91c0-aaaa",
    "3f2a91c0-aaaa",
    "main",
    Path("/home/ana/.claude/projects/-x/3f2a91c0-aaaa.jsonl"),
    directory="/home/ana/work/shop/api",
)
CHAT = Session(
    "openclaw",
    "home",
    "9b-1",
    "agent:home:telegram:direct:1001",
    "dm",
    Path("/home/ana/.openclaw/agents/home/agent/openclaw-agent.sqlite"),
    channel="telegram",
    peer="1001",
)


def parse(text: str) -> Rule:
    return rules.parse(text, CLIENTS, HOME, CWD)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("claude-code", "claude-code"),
        (" openclaw:home ", "openclaw:home"),
        ("openclaw:home/9b", "openclaw:home/9b"),
        ("~/.claude", "~/.claude"),
        ("/home/ana/.claude/", "~/.claude"),
        ("./backup/../store", "~/here/store"),
        ("/mnt/x", "/mnt/x"),
        ("/../..", "/"),
        ("~", "~"),
        ("dir:~/work/**", "dir:~/work/**"),
        ("dir:/srv/*", "dir:/srv/*"),
        ("session:agent:main:cron:*", "session:agent:main:cron:*"),
        ("peer:-1004200", "peer:-1004200"),
    ],
)
def test_a_rule_is_kept_so_that_it_holds_on_another_machine(text: str, kept: str) -> None:
    assert rules.written(parse(text), HOME) == kept
    assert parse(kept) == parse(text)


@pytest.mark.parametrize("text", ["", "  ", "claude", "opnclaw:home", "dir:", "session: ", "peer:"])
def test_a_text_that_is_no_rule_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(text)
    assert error.value.hint


@given(st.text(max_size=30))
def test_every_rule_means_the_same_when_it_is_read_again(text: str) -> None:
    try:
        rule = parse(text)
    except UsageError:
        return
    assert parse(rules.written(rule, HOME)) == rule


@pytest.mark.parametrize(
    ("text", "session", "expected"),
    [
        ("claude-code", CODE, True),
        ("openclaw", CODE, False),
        ("openclaw", CHAT, True),
        ("openclaw-jsonl", CHAT, False),
        ("openclaw-jsonl", replace(CHAT, path=Path("/x/9b-1.jsonl.reset.2026")), True),
        ("openclaw:home", CHAT, True),
        ("openclaw:h*", CHAT, True),
        ("openclaw:work", CHAT, False),
        ("claude-code:main/3f2a", CODE, True),
        ("claude-code:main/4f", CODE, False),
        ("~/.claude", CODE, True),
        ("~/.clau", CODE, False),
        ("~/work/shop", CODE, True),
        ("~/work/sho", CODE, False),
        ("dir:~/work/**", CODE, True),
        ("dir:~/work", CODE, True),
        ("dir:~/work/*/api", CODE, True),
        ("dir:~/w*", CODE, True),
        ("dir:**/api", CODE, True),
        ("dir:~/work/api", CODE, False),
        ("dir:~/.claude", CODE, False),
        ("dir:~/work", CHAT, False),
        ("session:3f2a*", CODE, True),
        ("session:claude-code:main/3f2a91c0-aaaa", CODE, True),
        ("session:agent:*:direct:*", CHAT, True),
        ("session:agent:*:group:*", CHAT, False),
        ("peer:1001", CHAT, True),
        ("peer:telegram:1001", CHAT, True),
        ("peer:signal:1001", CHAT, False),
        ("peer:100", CHAT, False),
        ("peer:1001", CODE, False),
    ],
)
def test_a_rule_means_the_sessions_it_names(text: str, session: Session, expected: bool) -> None:
    assert parse(text).matches(session) is expected


def test_a_peer_is_meant_wherever_they_speak() -> None:
    shared_chat = replace(CHAT, peer=None, kind="main")
    assert parse("peer:4002").matches(shared_chat, Speaker("person", "4002"))
    assert not parse("peer:4002").matches(shared_chat, Speaker("person", "4001"))
    assert not parse("peer:4002").matches(shared_chat)
    assert not parse("peer:*").matches(shared_chat, Speaker("agent"))


@pytest.mark.parametrize(
    ("directory", "pattern", "part"),
    [
        ("/a/b/c", "/a", "/a"),
        ("/a/b/c", "/a/*", "/a/b"),
        ("/a/b/c", "/a/**", "/a"),
        ("/a/b/c/d", "/**/c", "/a/b/c"),
        ("/a/b", "/a/b/c", None),
        ("/ab", "/a", None),
        ("/a/b", "/", "/"),
        ("/a/[b]", "/a/[b]", None),
    ],
)
def test_a_pattern_names_a_part_of_a_directory(directory: str, pattern: str, part: str | None) -> None:
    assert rules.matched(directory, pattern) == part
