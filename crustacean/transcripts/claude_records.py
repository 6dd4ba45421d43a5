"""From one record of a Claude Code session to its turns, without what its own fields mark as no one's words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from crustacean.transcripts.claude_tree import Part
from crustacean.transcripts.session import Report, Role, Speaker, ToolUse, Turn, turn_key

Record = Mapping[str, Any]

BOOKKEEPING = frozenset(
    "summary custom-title ai-title task-summary tag agent-name agent-color agent-setting pr-link last-prompt mode"
    " permission-mode queue-operation file-history-snapshot attribution-snapshot content-replacement worktree-state"
    " cost-state tools-used atis-latch speculation-accept progress system attachment api-request api-request-shape"
    " api-request-blob marble-origami-commit marble-origami-snapshot bridge-session".split()
)
"""Record types that hold no one's words (of attachments, queued prompts are the exception)."""
_LOCAL = Speaker("person", local=True)
_REMOTE = Speaker("person")
_AGENT = Speaker("agent")
_TOOL = Speaker("tool")
_PROGRAMS = ("sdk-py", "sdk-ts", "mcp", "claude-code-github-action", "remote")
"""Entry points behind which a program, and whoever talks to it, writes the prompts."""
_COMMANDS = (
    "<command-",
    "<local-command-",
    "<bash-",
    "<task-notification",
    "Caveat: The messages below were generated",
)
_INTERRUPTED = "[Request interrupted by user"
_EXIT = re.compile(r"(?:Error: )?Exit code (-?\d{1,6})\b")
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_NO_WORDS = {
    "thinking": "thinking",
    "redacted_thinking": "thinking",
    "image": "image or document",
    "document": "image or document",
    "container_upload": "image or document",
}
_REFUSED = "The user doesn't want to proceed with this tool use."
_FEEDBACK = "the user said:\n"
_BUILT_IN = ("Bash", "Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode")
_QUESTION = "AskUserQuestion"
_FROM_OUTSIDE = ("mcp__", "WebFetch", "WebSearch", "web_search", "web_fetch")
_REMEMBERED = 512


@dataclass(slots=True)
class Calls:
    """The names of the tools that were called, so that a result has one. The oldest go: a result follows soon."""

    names: dict[str, str] = field(default_factory=dict)

    def note(self, call: str, name: str) -> None:
        self.names[call] = name
        if len(self.names) > _REMEMBERED:
            del self.names[next(iter(self.names))]


@dataclass(slots=True)
class Reading:
    """A record that is being read. kind: its type. blocks: of `blocks_of`. line: its line. time: when it was written.
    calls: the tools called before it; its own are added. report: counts what is passed over."""

    record: Record
    kind: str
    blocks: list[Record]
    line: int
    time: datetime
    calls: Calls
    report: Report
    turns: list[Turn] = field(default_factory=list)

    def add(self, speaker: Speaker, text: str, tool: ToolUse | None = None, untrusted: bool = False) -> None:
        key = self._key(speaker.role, tool.call if tool else text)
        self.turns.append(Turn(key, self.line, self.time, speaker, text, None, tool, untrusted))

    def _key(self, role: Role, content: str) -> str:
        """The first turn of a record has the record's own key, each further one a key with its number."""
        uuid = self.record.get("uuid")
        if not isinstance(uuid, str) or not uuid:
            return turn_key(f"{self.time.isoformat()}|{role}|{content}")
        return turn_key(f"{uuid}#{len(self.turns) + 1}" if self.turns else uuid)


def blocks_of(record: Record, kind: str) -> list[Record]:
    """The content blocks of a record of type `kind`: of its message, or of the prompt that it queued."""
    if kind == "attachment":
        queued = _queued(record)
        return _as_blocks(queued.get("prompt")) if queued is not None else []
    message = record.get("message")
    return _as_blocks(message.get("content")) if isinstance(message, dict) else []


def part_of(record: Record, kind: str, blocks: list[Record]) -> Part:
    """What a record is to the tree of the conversation."""
    if kind == "assistant":
        return Part.AGENT
    if kind == "system":
        return Part.BREAK if record.get("subtype") == "compact_boundary" else Part.ASIDE
    if kind == "attachment":
        return Part.RESULT if blocks else Part.ASIDE
    if kind != "user" or record.get("isMeta"):
        return Part.ASIDE
    if record.get("isCompactSummary"):
        return Part.BREAK
    if _holds(blocks, "tool_result"):
        return Part.RESULT
    text = _said(blocks).lstrip()
    if text.startswith(_INTERRUPTED):
        return Part.RESULT
    return Part.ASIDE if text.startswith(_COMMANDS) or not _by_person(record) else Part.PROMPT


def turns_of(reading: Reading) -> list[Turn]:
    """The turns of a record of type user, assistant or attachment."""
    if reading.kind == "assistant":
        _answer(reading)
    elif reading.kind == "attachment":
        _attachment(reading)
    else:
        _user(reading)
    return reading.turns


def _user(reading: Reading) -> None:
    record, left_out = reading.record, reading.report.left_out
    if record.get("isCompactSummary"):
        left_out["compaction summary"] += 1
        return
    if _holds(reading.blocks, "tool_result"):
        for block in reading.blocks:
            if block.get("type") == "tool_result":
                _result(reading, block)
                _answered(reading)
    elif record.get("isMeta") or record.get("isVisibleInTranscriptOnly") or not _by_person(record):
        left_out["harness text"] += 1
    else:
        _words(reading, _person(record))


def _answer(reading: Reading) -> None:
    record, left_out = reading.record, reading.report.left_out
    message = record.get("message")
    if record.get("isApiErrorMessage") or (isinstance(message, dict) and message.get("model") == "<synthetic>"):
        left_out["error of the client"] += 1
        return
    _words(reading, _AGENT)
    for block in reading.blocks:
        kind = _type(block)
        if kind == "text":
            continue
        if kind in _CALLS:
            call, name = word(block.get("id")), word(block.get("name"))
            reading.calls.note(call, name)
            reading.add(_AGENT, "", ToolUse(name, call, _arguments(block.get("input"))))
        elif kind.endswith("_tool_result"):
            _result(reading, block)


def _attachment(reading: Reading) -> None:
    if reading.blocks:
        _words(reading, _person(reading.record))
    else:
        reading.report.left_out["attachment"] += 1


def _queued(record: Record) -> Record | None:
    """What a person typed while the agent was at work; notices of background tasks are queued in the same way."""
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return None
    typed = attachment.get("commandMode", "prompt") == "prompt" and not attachment.get("isMeta")
    return attachment if typed and _kind(attachment.get("origin")) == "human" else None


def _words(reading: Reading, speaker: Speaker) -> None:
    """The text blocks of a record as one turn; what else stands there is counted, calls and results apart."""
    text = _said(reading.blocks)
    if text and not text.isspace():
        reading.add(speaker, clean(text))
    report = reading.report
    for block in reading.blocks:
        kind = _type(block)
        if kind == "text" or kind in _CALLS or kind.endswith("tool_result"):
            continue
        if kind in _NO_WORDS:
            report.left_out[_NO_WORDS[kind]] += 1
        else:
            report.unknown[f"{reading.kind} with {kind or 'something'}"[:80]] += 1
    if not reading.blocks:
        report.unknown[f"{reading.kind} without content"] += 1


def _result(reading: Reading, block: Record) -> None:
    call = word(block.get("tool_use_id"))
    name = reading.calls.names.get(call, "")
    content = block.get("content")
    text = clean(content if isinstance(content, str) else _said(_as_blocks(content), "\n"))
    found = _EXIT.match(text)
    failed = block.get("is_error") is True or bool(found and int(found[1]))
    reading.add(_TOOL, text, ToolUse(name, call, None, failed), untrusted=name.startswith(_FROM_OUTSIDE))


def _answered(reading: Reading) -> None:
    """What the person said by the result just read: answers to the agent's questions, or why a step was refused.

    The refusal is text in a tool's place, which a program can print as well: so it is nobody's by name.
    """
    turn = reading.turns[-1]
    tool = turn.tool
    if tool is None:
        return
    if tool.name == _QUESTION:
        given = reading.record.get("toolUseResult")
        answers = given.get("answers") if isinstance(given, dict) else None
        rows = answers.items() if isinstance(answers, dict) else ()
        words = "\n".join(f"{question} {answer}" for question, answer in rows if isinstance(answer, str))
        if words:
            reading.add(_person(reading.record), clean(words))
    elif tool.failed and tool.name in _BUILT_IN and turn.text.startswith(_REFUSED):
        words = turn.text.partition(_FEEDBACK)[2].strip()
        if words:
            reading.add(_REMOTE, words)


def _as_blocks(content: object) -> list[Record]:
    """The content blocks of a message; a string is one text block; [] where there is nothing of that shape."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def _type(block: Record) -> str:
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""


def _holds(blocks: list[Record], kind: str) -> bool:
    return any([block.get("type") == kind for block in blocks])


def _said(blocks: list[Record], between: str = "\n\n") -> str:
    texts = [b["text"] for b in blocks if b.get("type") == "text" and isinstance(b.get("text"), str)]
    return texts[0] if len(texts) == 1 else between.join(texts)


def _arguments(given: object) -> str:
    try:
        return clean(json.dumps(given, ensure_ascii=False))
    except RecursionError:
        return "{}"


def _person(record: Record) -> Speaker:
    strange = record.get("entrypoint") in _PROGRAMS or _kind(record.get("origin")) == "channel"
    return _REMOTE if strange else _LOCAL


def _by_person(record: Record) -> bool:
    """Whether a user record without results may be a person's: the client marks what it wrote itself."""
    if record.get("promptSource") == "system" or record.get("rowSource") == "harness":
        return False
    return _kind(record.get("origin")) in ("human", "channel") and not record.get("repeatsCompactSummary")


def _kind(origin: object) -> str:
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return kind if isinstance(kind, str) else "human"


def time_of(stamp: object) -> datetime | None:
    """A time in UTC from an ISO string (UTC where it names no zone) or from milliseconds; None where it is neither."""
    try:
        if isinstance(stamp, str):
            time = datetime.fromisoformat(stamp)
            return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
        if isinstance(stamp, int | float) and not isinstance(stamp, bool):
            return datetime.fromtimestamp(stamp / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def clean(text: str) -> str:
    """Text that can be encoded: half a surrogate pair, which JSON can hold, becomes a question mark."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def word(value: object, limit: int = 200) -> str:
    """An id or a name as the client gave it, of a length that can be kept; "" where it is none."""
    return clean(value[:limit]) if isinstance(value, str) else ""
