"""Reads the turns of a request: who speaks, in which language, sentence by sentence, conversation by conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from crustacean.models.offline import words
from crustacean.models.offline.sentences import split
from crustacean.models.offline.statement import Said
from crustacean.models.protocol import PromptTurn
from crustacean.text.language import language

THE_USER = "The user"
SOMEONE = "Someone in the group"

_INTRODUCES = re.compile(
    r"(?:^|[.!,;]\s*|\bhi,? |\bhello,? |\bhey,? )(?:i'm|i am|i’m|my name is|my name's"
    r"|this is) (?P<a>(?-i:[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+)?))(?=[,.!]|\s(?:and|from|by|here)\b|\s*$)"
    r"|(?:^|[.!,;]\s*)(?:hi,? |hello,? |hey,? )?(?P<b>(?-i:[A-ZÀ-Þ][a-zà-ÿ]+)) here(?=[.,!]|\s*$)"
    r"|\b(?:ich heiße|mein name ist|me llamo|je m'appelle|me chamo|meu nome é|mi chiamo"
    r"|ik heet) (?P<c>(?-i:[A-ZÀ-Þ][a-zà-ÿ]+))"
    r"|(?:我叫|我的名字是)(?P<d>[\u4e00-\u9fff]{2,4})(?=[，。,.!！]|$)",
    re.IGNORECASE,
)
_ENOUGH = 5
"""Words from which a turn's own language counts; shorter ones are in that of the conversation."""

_NO_NAME = frozenset("sorry sure fine good great back here happy tired sick done ready ok vegan new".split())


def conversations(turns: Sequence[PromptTurn]) -> list[list[Said]]:
    """The turns of people and of the agent, one list a session, in order. Tool output and the words that a job or a
    parent agent put into an unattended session are left out."""
    by_session: dict[tuple[str, str, str], list[tuple[int, PromptTurn]]] = {}
    for order, turn in enumerate(turns):
        session = turn.session
        if not session.ours:
            by_session.setdefault((session.client, session.agent, session.id), []).append((order, turn))
    return [_read(rows) for rows in by_session.values()]


def _read(rows: Iterable[tuple[int, PromptTurn]]) -> list[Said]:
    rows = list(rows)
    names = _introduced([t for _, t in rows])
    said: list[Said] = []
    tool_before = False
    tongue = language(" ".join(t.turn.text[:500] for _, t in rows if t.turn.speaker.role == "person")[:5000])
    for order, row in rows:
        turn, session = row.turn, row.session
        unattended = session.kind in ("cron", "heartbeat", "subagent", "hook")
        if turn.speaker.role == "tool":
            tool_before = True
            continue
        if (turn.speaker.role == "person" and unattended) or not turn.text.strip():
            continue
        spoken = language(turn.text) if len(words.words(turn.text)) >= _ENOUGH else ""
        said.append(
            Said(
                order=order,
                label=row.label,
                name=_name(row, names),
                agent=turn.speaker.role == "agent",
                untrusted=turn.untrusted,
                group=session.kind == "group",
                report=unattended,
                local=row.local,
                lang=_script(turn.text) or spoken or tongue,
                sentences=split(turn.text),
                tool_before=tool_before,
                project=_project(row),
            )
        )
        tool_before = False
    return said


def _project(row: PromptTurn) -> str:
    """The name of the project directory a session ran in; "" without one, or where it is a home or a workspace."""
    directory = row.session.directory or ""
    parts = [p for p in re.split(r"[\\/]+", directory) if p]
    return parts[-1] if len(parts) >= 3 and parts[-1] not in ("workspace", "Desktop", "Documents", "Downloads") else ""


def _script(text: str) -> str:
    """The language that a text's signs alone tell, "" for Latin letters."""
    if re.search(r"[\u3040-\u30ff]", text):
        return "ja"
    return (
        "zh" if re.search(r"[\u4e00-\u9fff]{2}", text) and len(words.CJK.findall(text)) * 3 > len(text.strip()) else ""
    )


def _introduced(rows: list[PromptTurn]) -> dict[str | None, str]:
    """The name that a nameless speaker gave for themselves, by the client's id of the speaker."""
    found: dict[str | None, str] = {}
    for row in rows:
        speaker = row.turn.speaker
        if speaker.role != "person" or speaker.name or row.turn.untrusted or row.session.kind == "group":
            continue
        for sentence in split(row.turn.text)[:4]:
            match = None if sentence.pasted else _INTRODUCES.search(sentence.text)
            name = next((g for g in match.groups() if g), "") if match else ""
            if name and name.lower() not in _NO_NAME and name.split()[0].lower() not in words.STOPWORDS:
                found.setdefault(speaker.id, name)
    return found


def _name(row: PromptTurn, introduced: dict[str | None, str]) -> str:
    speaker = row.turn.speaker
    if speaker.role == "agent":
        return "The agent"
    if speaker.name and speaker.name.strip():
        return " ".join(speaker.name.split())[:60]
    if row.session.kind == "group":
        return SOMEONE
    return introduced.get(speaker.id, THE_USER)


def introduction(text: str) -> tuple[str, str]:
    """A sentence "I'm Ruben, I run a vineyard" as (name, what else it says); ("", text) where nobody is introduced."""
    match = _INTRODUCES.search(text)
    name = next((g for g in match.groups() if g), "") if match else ""
    if not match or not name or name.lower() in _NO_NAME:
        return "", text
    rest = (text[: match.start()].strip(" ,.!") + " " + text[match.end() :].strip(" ,.!;")).strip()
    rest = re.sub(r"^(?:and|from|here|hi|hello|hey)\b[ ,]*", "", rest, flags=re.IGNORECASE)
    return name, rest
