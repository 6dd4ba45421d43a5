"""Tool calls and their results in OpenClaw's events, each once and under the tool's real name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from crustacean.text.normalise import encodable
from crustacean.transcripts.openclaw_text import text_of
from crustacean.transcripts.session import Speaker, ToolUse, Turn, turn_key

NESTED = "openclaw.nested-tool.v1"
"""The custom type of the call behind a `tool_call`; the same result follows once more, wrapped, as its toolResult."""
_SEARCHED = "tool_call"
_EXIT = re.compile(r"\(Command exited with code (-?\d{1,6})\)\s*")
_NAME = re.compile(r'"name": ?"([^"\\\n]{1,200})"')
_TOOL = Speaker("tool")
_REMEMBERED = 512
_FAILED = ("failed", "error", "timeout", "killed", "denied", "blocked")
_OPEN = ("running", "accepted", "pending")
_NOTHING: Mapping[str, object] = {}

_AGENT = Speaker("agent")
_encoded = json.JSONEncoder(ensure_ascii=False).encode

Fields = Mapping[str, object]


Stamp = tuple[str, int, datetime]
"""What the turns of one event have in common: key, position, time."""


def spoken(blocks: Sequence[object]) -> tuple[str, str, bool]:
    """What an answer says, the chatter before its calls ("Let me look."), which belongs to the first of them, and
    whether it calls at all."""
    texts: list[tuple[str, bool]] = []
    calling = chatty = False
    for block in blocks:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text":
            text, signature = block.get("text"), block.get("textSignature")
            if isinstance(text, str):
                chatter = isinstance(signature, str) and '"phase":"commentary"' in signature.replace(" ", "")
                chatty = chatty or chatter
                texts.append((text, chatter))
        elif kind == "toolCall":
            calling = True
    if not (calling and chatty):
        return encodable("\n\n".join([text for text, _ in texts])), "", calling
    said = [text for text, chatter in texts if not chatter]
    aside = [text for text, chatter in texts if chatter]
    return encodable("\n\n".join(said)), encodable("\n\n".join(aside)), calling


def failed(is_error: object, details: object, text: str) -> bool | None:
    """Whether a call failed. A shell command that failed is no error to OpenClaw: its exit code tells, in the details
    or in the last line. None while it still runs."""
    fields: Fields = details if isinstance(details, dict) else _NOTHING
    inner = fields.get("result")
    if isinstance(inner, dict) and isinstance(inner.get("details"), dict):
        fields = {**inner["details"], **{name: value for name, value in fields.items() if name != "result"}}
    code, status = fields.get("exitCode"), fields.get("status")
    if is_error is True or status in _FAILED:
        return True
    if isinstance(code, int):
        return code != 0
    if status in _OPEN:
        return None
    last = text.rfind("(Command exited with code")
    found = _EXIT.fullmatch(text, last) if last >= 0 else None
    return found is not None and int(found[1]) != 0


class Calls:
    """The calls of one session, so that results get their tool's real name.

    passed: told the reason for each result that is left out.
    """

    def __init__(self, passed: Callable[[str], None]) -> None:
        self._passed = passed
        self._names: dict[str, str] = {}
        self._given: dict[str, str] = {}

    def calls(self, blocks: Sequence[object], at: Stamp, aside: str) -> list[Turn]:
        """A turn for each call in an answer; the first has the chatter as its text."""
        turns: list[Turn] = []
        for block in blocks:
            if not isinstance(block, dict) or block.get("type") != "toolCall":
                continue
            call, name, arguments = (
                _name(block.get("id")),
                _name(block.get("name")),
                block.get("arguments"),
            )
            if name == _SEARCHED and isinstance(arguments, dict):
                name = _name(arguments.get("id") or arguments.get("name")) or name
                arguments = arguments.get("args", arguments.get("arguments"))
            _remember(self._names, call, name)
            turns.append(self._call(at, call, name, arguments, "" if turns else aside))
        return turns

    def results(self, message: Fields, at: Stamp) -> list[Turn]:
        """The turns of a result: one, two for a nested call of its own, none for one that was given already."""
        if message.get("role") == "custom":
            return self._nested(message, at)
        call, name = _name(message.get("toolCallId")), _name(message.get("toolName"))
        if call in self._given:
            self._passed("tool result again")
            return []
        text = text_of(message.get("content"), "\n")
        if name == _SEARCHED:
            name = self._names.get(call) or _named(message.get("details"), text)
            if name == _SEARCHED:
                text = ""
        use = ToolUse(name, call, None, failed(message.get("isError"), message.get("details"), text))
        return [Turn(*at, _TOOL, text, None, use)]

    def _nested(self, message: Fields, at: Stamp) -> list[Turn]:
        details = message.get("details")
        if not isinstance(details, dict):
            return []
        name, parent = _name(details.get("toolName")), _name(details.get("parentToolCallId"))
        result = details.get("result")
        fields: Fields = result if isinstance(result, dict) else {}
        text = text_of(fields.get("content"), "\n")
        bad = failed(details.get("isError"), fields.get("details"), text)
        behind = self._names.get(parent) == name and parent not in self._given
        _remember(self._given, parent, name)
        call = parent if behind else _name(details.get("toolCallId"))
        turn = Turn(*at, _TOOL, text, None, ToolUse(name, call, None, bad))
        return [turn] if behind else [self._call(at, call, name, details.get("input"), ""), turn]

    def _call(self, at: Stamp, call: str, name: str, arguments: object, text: str) -> Turn:
        try:
            given = encodable(_encoded(arguments))
        except RecursionError:
            given = ""
        use = ToolUse(name, call, given)
        return Turn(turn_key(f"{at[0]}|{call}"), at[1], at[2], _AGENT, text, None, use)


def _name(value: object) -> str:
    return encodable(str(value)) if value else ""


def _remember(known: dict[str, str], key: str, value: str) -> None:
    """The oldest goes where there are too many: a result follows its call soon."""
    known[key] = value
    if len(known) > _REMEMBERED:
        del known[next(iter(known))]


def _named(details: object, text: str) -> str:
    """The tool behind a `tool_call` whose call is not known, by what wraps its result."""
    tool = details.get("tool") if isinstance(details, dict) else None
    if isinstance(tool, dict) and isinstance(tool.get("name"), str):
        return encodable(tool["name"])
    found = _NAME.search(text[:4_000])
    return found[1] if found else _SEARCHED
