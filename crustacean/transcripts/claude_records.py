"""From one record of a Claude Code session to its turns, without what its own fields mark as no one's words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from crustacean.text.normalise import encodable
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
    if kind != "user":
        return Part.ASIDE
    if record.get("isCompactSummary"):
        return Part.BREAK
    if record.get("isMeta") or record.get("isVisibleInTranscriptOnly"):
        return Part.ASIDE
    if _holds(blocks, "tool_result"):
        return Part.RESULT
    text = _said(blocks).lstrip()
    if text.startswith(_INTERRUPTED):
        return Part.RESULT
    return Part.ASIDE if text.startswith(_COMMANDS) or not _by_person(record) else Part.PROMPT


class Speech:
    """From records to turns. calls: the tools called so far, to which theirs are added. report: counts what is passed
    over."""

    def __init__(self, calls: Calls, report: Report) -> None:
        self._calls = calls
        self._report = report

    def turns(self, record: Record, part: Part, blocks: list[Record], line: int, time: datetime) -> list[Turn]:
        """The turns of a record of type user, assistant or attachment. part, blocks: of `part_of` and `blocks_of`.
        line: its line. time: when it was written."""
        if part is Part.PROMPT:
            return self._words(record, blocks, line, time, _person(record))
        if part is Part.AGENT:
            return self._answer(record, blocks, line, time)
        if part is Part.RESULT and record.get("type") == "attachment":
            return self._words(record, blocks, line, time, _person(record))
        if part is Part.RESULT and _holds(blocks, "tool_result"):
            turns: list[Turn] = []
            for block in blocks:
                if block.get("type") == "tool_result":
                    self._result(turns, record, block, line, time)
                    _answered(turns, record)
            return turns
        return self._other(record, blocks, line, time)

    def _other(self, record: Record, blocks: list[Record], line: int, time: datetime) -> list[Turn]:
        """What stands in a person's place and is mostly none's word; text that only looks so is left to cleaning."""
        left_out = self._report.left_out
        if record.get("type") == "attachment":
            left_out["attachment"] += 1
        elif record.get("isCompactSummary"):
            left_out["compaction summary"] += 1
        elif record.get("isMeta") or record.get("isVisibleInTranscriptOnly") or not _by_person(record):
            left_out["harness text"] += 1
        else:
            return self._words(record, blocks, line, time, _person(record))
        return []

    def _answer(self, record: Record, blocks: list[Record], line: int, time: datetime) -> list[Turn]:
        message = record.get("message")
        if record.get("isApiErrorMessage") or (isinstance(message, dict) and message.get("model") == "<synthetic>"):
            self._report.left_out["error of the client"] += 1
            return []
        turns = self._words(record, blocks, line, time, _AGENT)
        for block in blocks:
            kind = block.get("type")
            if kind == "text" or not isinstance(kind, str):
                continue
            if kind in _CALLS:
                call, name = word(block.get("id")), word(block.get("name"))
                self._calls.note(call, name)
                use = ToolUse(name, call, _arguments(block.get("input")))
                turns.append(Turn(_key(record, turns, time, "agent", call), line, time, _AGENT, "", None, use))
            elif kind.endswith("_tool_result"):
                self._result(turns, record, block, line, time)
        return turns

    def _words(self, record: Record, blocks: list[Record], line: int, time: datetime, speaker: Speaker) -> list[Turn]:
        """The text blocks of a record as one turn; what else stands there is counted, calls and results apart."""
        turns: list[Turn] = []
        text = _said(blocks)
        if text and not text.isspace():
            text = encodable(text)
            turns.append(Turn(_key(record, turns, time, speaker.role, text), line, time, speaker, text))
        if len(blocks) == 1 and turns:
            return turns
        who = word(record.get("type"))
        if not blocks:
            self._report.unknown[f"{who} without content"] += 1
        for block in blocks:
            kind = word(block.get("type"), 60)
            if kind in _NO_WORDS:
                self._report.left_out[_NO_WORDS[kind]] += 1
            elif kind != "text" and kind not in _CALLS and not kind.endswith("tool_result"):
                self._report.unknown[f"{who} with {kind or 'something'}"] += 1
        return turns

    def _result(self, turns: list[Turn], record: Record, block: Record, line: int, time: datetime) -> None:
        call = word(block.get("tool_use_id"))
        name = self._calls.names.get(call, "")
        content = block.get("content")
        text = encodable(content if isinstance(content, str) else _said(_as_blocks(content), "\n"))
        found = _EXIT.match(text)
        failed = block.get("is_error") is True or bool(found and int(found[1]))
        use = ToolUse(name, call, None, failed)
        outside = name.startswith(_FROM_OUTSIDE)
        turns.append(Turn(_key(record, turns, time, "tool", call), line, time, _TOOL, text, None, use, outside))


def _answered(turns: list[Turn], record: Record) -> None:
    """Add what the person said by the result just read: answers to the agent's questions, or why a step was refused.

    The refusal is text in a tool's place, which a program can print as well: so it is nobody's by name.
    """
    turn = turns[-1]
    if turn.tool is None:
        return
    words, speaker = "", _REMOTE
    if turn.tool.name == _QUESTION:
        given = record.get("toolUseResult")
        answers = given.get("answers") if isinstance(given, dict) else None
        rows = answers.items() if isinstance(answers, dict) else ()
        words = encodable("\n".join(f"{question} {answer}" for question, answer in rows if isinstance(answer, str)))
        speaker = _person(record)
    elif turn.tool.failed and turn.tool.name in _BUILT_IN and turn.text.startswith(_REFUSED):
        words = turn.text.partition(_FEEDBACK)[2].strip()
    if words:
        turns.append(Turn(_key(record, turns, turn.time, "person", words), turn.position, turn.time, speaker, words))


def _key(record: Record, before: list[Turn], time: datetime, role: Role, content: str) -> str:
    """The first turn of a record has the record's own key, each further one a key with its number."""
    uuid = record.get("uuid")
    if not isinstance(uuid, str) or not uuid:
        return turn_key(f"{time.isoformat()}|{role}|{content}")
    return turn_key(f"{uuid}#{len(before) + 1}" if before else uuid)


def _queued(record: Record) -> Record | None:
    """What a person typed while the agent was at work; notices of background tasks are queued in the same way."""
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return None
    typed = attachment.get("commandMode", "prompt") == "prompt" and not attachment.get("isMeta")
    return attachment if typed and _kind(attachment.get("origin")) == "human" else None


def _as_blocks(content: object) -> list[Record]:
    """The content blocks of a message; a string is one text block; [] where there is nothing of that shape."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def _holds(blocks: list[Record], kind: str) -> bool:
    return kind in [block.get("type") for block in blocks]


def _said(blocks: list[Record], between: str = "\n\n") -> str:
    texts = [text for b in blocks if b.get("type") == "text" and isinstance(text := b.get("text"), str)]
    return texts[0] if len(texts) == 1 else between.join(texts)


def _arguments(given: object) -> str:
    try:
        return encodable(json.dumps(given, ensure_ascii=False))
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


def word(value: object, limit: int = 200) -> str:
    """An id or a name as the client gave it, of a length that can be kept; "" where it is none."""
    return encodable(value[:limit]) if isinstance(value, str) else ""
