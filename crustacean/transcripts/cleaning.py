"""What a person or the agent said, out of what the harness made of it.

Readers give what a store holds, in order and without what its own fields mark as noise. Here the texts are looked at:
wrappers are cut, and what nobody said is left out with a reason. Every step is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from crustacean.transcripts import memory_jobs
from crustacean.transcripts.session import Kind, Session, Turn
from crustacean.transcripts.wrappers import (
    CLIENTS,
    COMMON,
    CONTEXT_CLOSE,
    CONTEXT_OPEN,
    MEMORY_SERVERS,
    MEMORY_TOOLS,
    SENTINEL,
    SLOTS,
    Block,
    Wrappers,
)

__all__ = [
    "CONTEXT_CLOSE",
    "CONTEXT_OPEN",
    "SENTINEL",
    "clean",
    "is_ours",
    "memory_tool",
    "said_by_harness",
    "strip",
]

_REPLY_TAG = re.compile(r"\[\[ ?(?:reply_to_current|audio_as_voice|reply_to ?: ?[^\]\n]{1,64}) ?\]\]")
_MENTION = re.compile(r"@\w{0,32}bot\b[,:]? *", re.IGNORECASE)
_BLANKS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")
_SIGN = re.compile(r"[^A-Za-z0-9]")
_FIRST_LINE = 2_000
_TAIL = 200
_ACKNOWLEDGED = 300
"""OpenClaw takes HEARTBEAT_OK with at most so many characters beside it for "nothing to say"."""
_BEGINNINGS = {
    client: tuple(start for _, beginnings in rules.said_by_harness for start in beginnings)
    for client, rules in CLIENTS.items()
}
_LEFT_OUT: dict[Kind, str] = {
    "subagent": "subagent session",
    "heartbeat": "heartbeat",
    "hook": "session of a hook",
}


def clean(session: Session, turn: Turn, asked: Collection[Kind] = ()) -> tuple[Turn | None, str]:
    """The turn with only what was said, or None with the reason why it is left out.

    asked: kinds of session that are taken although they usually are not ("subagent", "heartbeat", "hook").
    Where a turn is given, the text names what was cut out of it, "" for nothing.
    """
    reason = _left_out(session, turn, asked)
    if reason:
        return None, reason
    rules = CLIENTS.get(session.client, COMMON)
    if turn.tool is None and turn.speaker.role == "person":
        if is_ours(turn.text):
            return None, "crab's own job"
        harness = said_by_harness(session.client, turn.text)
        if harness:
            return None, harness
    text, cut = strip(session.client, turn.text)
    if session.client == "openclaw" and turn.speaker.role == "person" and _MENTION.match(text):
        text, cut = _MENTION.sub("", text, count=1), [*cut, "mention"]
    if turn.tool is not None:
        return replace(turn, text=text, untrusted=turn.untrusted or "external content" in cut), ", ".join(cut)
    if not text:
        return None, cut[0] if cut else "no text"
    if turn.speaker.role == "person":
        harness = said_by_harness(session.client, text)
    else:
        text, harness = _agent_text(rules, session.kind, text)
    if harness:
        return None, harness
    return (turn if text == turn.text else replace(turn, text=text)), ", ".join(cut)


def _left_out(session: Session, turn: Turn, asked: Collection[Kind]) -> str:
    if session.ours:
        return "crab's own job"
    if session.kind in _LEFT_OUT and session.kind not in asked:
        return _LEFT_OUT[session.kind]
    if any(word in session.key for word in memory_jobs.KEYS):
        return "memory job"
    # A client names a project's folder by its path with a hyphen for each sign: "-home-ana--claude-mem-observer-..."
    if session.directory and _SIGN.sub("-", session.directory.rstrip("/\\")).endswith(memory_jobs.FOLDERS):
        return "memory job"
    if turn.tool is not None:
        return "memory tool" if memory_tool(turn.tool.name) else ""
    return "cron prompt" if session.kind == "cron" and turn.speaker.role == "person" else ""


def is_ours(text: str) -> bool:
    """Whether a prompt is one of crab's own: the sentinel stands in its first line."""
    start = text[:_FIRST_LINE]
    return SENTINEL in start and SENTINEL in start.lstrip().partition("\n")[0]


def said_by_harness(client: str, text: str) -> str:
    """The name of what a text in a person's place is, by its beginning; "" where a person may have said it."""
    start = text[:_FIRST_LINE].lstrip()
    if not start.startswith(_BEGINNINGS.get(client, ())):
        return ""
    return next(name for name, beginnings in CLIENTS[client].said_by_harness if start.startswith(beginnings))


def memory_tool(name: str) -> bool:
    """Whether a tool's output is some memory's own: "crab_recall", "mcp__mem0__search", "memory_get"."""
    parts = [part.replace("-", "_") for part in re.split(r"__|[.:/]", name.casefold()[:200]) if part]
    if not parts:
        return False
    last = parts[-1]
    if last in MEMORY_TOOLS or last.endswith("recall") or last.startswith(("crab_", "memory_")):
        return True
    return any(part in MEMORY_SERVERS for part in parts[:-1])


def strip(client: str, text: str) -> tuple[str, list[str]]:
    """The text without the client's wrappers, and the names of what was cut, each once."""
    rules = CLIENTS.get(client, COMMON)
    cut: list[str] = []
    for block in (*rules.blocks, *(COMMON.blocks if rules is not COMMON else ())):
        if block.start in text:
            text = _without_block(text, block, cut)
    for name, beginnings in rules.lines:
        text = _without_lines(text, name, beginnings, cut)
    for slot in SLOTS:
        if slot in text:
            text = _without_slot(text, slot, cut)
    for mark in rules.marks:
        if mark in text:
            text = text.replace(mark, "")
            cut.append("reply mark")
    if "[[" in text:
        text, count = _REPLY_TAG.subn("", text)
        cut += ["reply mark"] * bool(count)
    text = _BLANKS.sub("\n\n", text) if cut else text
    return text.strip(), list(dict.fromkeys(cut))


def _without_block(text: str, block: Block, cut: list[str]) -> str:
    """Cut the spans of one block; spans inside one another go as one where they balance, else up to the first end."""
    kept, at, nested = [], 0, True
    while True:
        start = text.find(block.start, at)
        if start < 0:
            break
        stop = _balanced_end(text, block, start) if nested else -1
        if stop < 0:
            nested = False  # looked for once: a text that never balances would cost a look at all of it each time
            stop = text.find(block.end, start + len(block.start))
            stop = stop if stop < 0 else stop + len(block.end)
        if stop < 0 and not block.open_end:
            break
        kept.append(text[at:start])
        cut.append(block.name)
        at = len(text) if stop < 0 else _tail_end(text, block, stop)
    kept.append(text[at:])
    return "".join(kept)


def _balanced_end(text: str, block: Block, start: int) -> int:
    """Where the block that starts here ends, those inside it counted; -1 where they do not balance."""
    depth, at = 1, start + len(block.start)
    opening = text.find(block.start, at)
    while depth:
        end = text.find(block.end, at)
        if end < 0:
            return -1
        while 0 <= opening < end:
            depth += 1
            opening = text.find(block.start, opening + len(block.start))
        depth -= 1
        at = end + len(block.end)
    return at


def _tail_end(text: str, block: Block, at: int) -> int:
    if not block.tail:
        return at
    tail = text.find(block.tail, at, at + _TAIL)
    return at if tail < 0 else tail + len(block.tail)


def _without_lines(text: str, name: str, beginnings: tuple[str, ...], cut: list[str]) -> str:
    if not any(beginning in text for beginning in beginnings):
        return text
    lines = text.split("\n")
    kept = [line for line in lines if not line.lstrip().startswith(beginnings)]
    cut += [name] * (len(kept) < len(lines))
    return "\n".join(kept)


def _without_slot(text: str, slot: str, cut: list[str]) -> str:
    """Cut a heading of crab's context and the lines below it, up to a blank one."""
    kept, within = [], False
    for line in text.split("\n"):
        if line.strip() == slot:
            within = True
            cut.append("memory context")
        elif within and not line.strip():
            within = False
        if not within:
            kept.append(line)
    return "\n".join(kept)


def _agent_text(rules: Wrappers, kind: Kind, text: str) -> tuple[str, str]:
    """An agent's answer without a silent mark at its edge, and the reason where nothing is left of it."""
    for name, beginnings in rules.agent_notes:
        if text.startswith(beginnings):
            return text, name
    bare = text.strip("*_~`.! \n")
    if bare in rules.silent or text in rules.silent:
        return text, "silent answer"
    for mark in rules.silent:
        if " " not in mark and (text.startswith(mark) or text.endswith(mark)):
            rest = text.removeprefix(mark).removesuffix(mark).strip()
            short = mark == "HEARTBEAT_OK" and len(rest) <= _ACKNOWLEDGED
            return rest, "silent answer" if not rest or (short and kind == "heartbeat") else ""
    return text, ""
