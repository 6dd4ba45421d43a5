"""From the events of one OpenClaw session to turns; the same for a row in SQLite and a line of JSONL.

A turn's key is the event's own id where that is a UUID. The short ids of older versions are unique only within a
session, and a session's id is not kept by a fork, so there the id goes with the record's own time stamp: migration to
SQLite and forks copy both unchanged, and two records of different sessions never share both.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from crustacean.transcripts import cleaning, openclaw_tools
from crustacean.transcripts.openclaw_carry import Carry, fingerprint
from crustacean.transcripts.openclaw_envelope import Unwrapped, unwrap
from crustacean.transcripts.openclaw_keys import Partner
from crustacean.transcripts.session import Kind, Report, Session, Speaker, Turn, turn_key

Event = Mapping[str, object]

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_CRON = re.compile(r"\[cron:(\S{1,100}) ?([^\]\n]{0,200})\]")
_OPERATORS = frozenset({"openclaw-control-ui", "openclaw-tui", "webchat", "webchat-ui", "gateway-client", "cli"})
_BOOKKEEPING = frozenset(
    "session model_change thinking_level_change custom custom_message label session_info branch_summary leaf".split()
)
_REMEMBERED = 24
_INTERNAL = {"heartbeat": "heartbeat poll", "cron": "cron prompt"}
_ANSWER_KINDS: dict[str, Kind] = {"heartbeat": "heartbeat", "cron": "cron"}


def text_of(content: object) -> str:
    """The text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [b["text"] for b in content if isinstance(b, dict) and b.get("type") == "text" and _is_text(b.get("text"))]
    return "\n\n".join(texts)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


class Conversation:
    """Gives the turns of one session, event after event in order.

    session: as its row or index says. partner: who it is with, for messages that do not say. peers: the other person
    of each direct conversation by `conversation_id`. report: gets what is passed over.
    """

    def __init__(
        self,
        session: Session,
        report: Report,
        carry: Carry | None = None,
        partner: Partner | None = None,
        peers: Mapping[str, str] | None = None,
    ) -> None:
        self.carry = carry or Carry()
        self.session = self._with_kind(session)
        self.given = 0
        self.strange = 0
        self._report = report
        self._partner = partner or Partner()
        self._peers = peers or {}
        self._calls = openclaw_tools.Calls(self._pass)
        self._spoken_since = True
        self._last: str | None = None
        self._pending: tuple[Session, Turn] | None = None
        self._recent: deque[str] = deque(self.carry.answers, _REMEMBERED)

    def take(self, event: object, position: int, stored: int | None = None) -> Iterator[tuple[Session, Turn]]:
        """The turns of one event. position: its place in the session. stored: its time in ms, where it has none itself."""
        if not isinstance(event, dict):
            self._strange("not an object")
            return
        own = event.get("id")
        if isinstance(own, str) and own and own == self._last:
            self._pass("record again")
            return
        self._last = own if isinstance(own, str) else None
        kind = event.get("type")
        message = event.get("message")
        if kind == "message" and isinstance(message, dict):
            for pair in self._message(event, message, position, stored):
                self.given += 1
                yield pair
        elif kind == "compaction":
            self._pass("compaction summary")
        elif kind == "reset":
            yield from self.finish()
            self.carry = Carry(ours=self.carry.ours, kind=self.carry.kind, wrapped=self.carry.wrapped)
        elif kind == "session":
            if _is_text(event.get("cwd")) and not self.session.directory:
                self.session = replace(self.session, directory=str(event["cwd"]))
        elif not (isinstance(kind, str) and kind in _BOOKKEEPING):
            self._strange(f"event {kind}"[:60])

    def finish(self) -> Iterator[tuple[Session, Turn]]:
        """A scheduled run's report, known to be the last word only when nothing follows."""
        self.carry.answers = list(self._recent)
        if self._pending is not None:
            pending, self._pending = self._pending, None
            self.given += 1
            yield pending

    def _with_kind(self, session: Session) -> Session:
        kind = self.carry.kind
        return replace(session, kind=kind) if kind and session.kind == "main" else session

    def _pass(self, reason: str) -> None:
        self._report.left_out[reason] += 1

    def _strange(self, name: str) -> None:
        self.strange += 1
        self._report.unknown[name] += 1

    def _message(
        self, event: Event, message: Event, position: int, stored: int | None
    ) -> Iterator[tuple[Session, Turn]]:
        role = message.get("role")
        time = _moment(message.get("timestamp")) or _moment(event.get("timestamp")) or _moment(stored)
        if time is None:
            self._strange("message without a time")
            return
        base = Turn(_key(event, message, time), position, time, Speaker("agent"), "")
        if role == "user":
            yield from self._user(message, base)
        elif role == "assistant":
            yield from self._assistant(message, base)
        elif role == "toolResult" or (role == "custom" and message.get("customType") == openclaw_tools.NESTED):
            for turn in self._calls.results(message, base):
                yield from self._give(turn)
        elif role in ("custom", "system", "compactionSummary", "branchSummary", "bashExecution"):
            self._pass(f"{role} message")
        else:
            self._strange(f"message of {role}"[:60])

    # people

    def _user(self, message: Event, base: Turn) -> Iterator[tuple[Session, Turn]]:
        yield from self.finish()
        raw = text_of(message.get("content"))
        if cleaning.is_ours(raw):
            self.carry.ours = True
        found = self._unwrapped(message, raw)
        reason = self._not_a_person(message, found.text)
        if reason:
            self._pass(reason)
            return
        self.carry.run, self.carry.job = "", False
        if not found.text:
            self._pass("no text")
            return
        if self._again(message, found.text):
            return
        speaker = self._speaker(message, found)
        foreign = found.forwarded or self.session.kind == "hook"
        turn = replace(base, speaker=speaker, text=found.text, untrusted=foreign)
        if found.time is not None and abs((found.time - base.time).total_seconds()) < 172_800:
            turn = replace(turn, time=found.time if found.time != _minute(base.time) else base.time)
        yield from self._give(replace(turn, offset=found.offset))

    def _unwrapped(self, message: Event, raw: str) -> Unwrapped:
        """The words without what older versions put around them. Records that name their sender have no envelope, and
        where a session's first words had none, later ones that look like one were typed."""
        if isinstance(message.get("__openclaw"), dict) or self.carry.wrapped is False:
            return Unwrapped(raw.strip())
        found = unwrap(raw, self.session.kind == "group")
        if self.carry.wrapped is None and found.text and not cleaning.said_by_harness("openclaw", found.text):
            self.carry.wrapped = found.wrapped
        if found.group and self.session.kind == "main" and self.carry.kind is None:
            self._is(kind="group")
        return found

    def _is(self, kind: Kind) -> None:
        self.carry.kind = kind
        self.session = replace(self.session, kind=kind)

    def _not_a_person(self, message: Event, text: str) -> str:
        """What a message in a person's place is, "" where a person wrote it; notes who began the run."""
        provenance = message.get("provenance")
        origin: Event = provenance if isinstance(provenance, dict) else {}
        reason = cleaning.said_by_harness("openclaw", text)
        source = origin.get("sourceTool")
        if origin.get("kind") == "internal_system":
            reason = {"heartbeat": "heartbeat poll", "cron": "cron prompt"}.get(
                str(source), reason or "internal prompt"
            )
        elif origin.get("kind") == "inter_session":
            reason = "message of another session"
        elif self.session.kind == "cron":
            reason = "cron prompt"
        elif self.session.kind == "subagent":
            reason = "subagent task"
        elif not text.strip() or not cleaning.strip("openclaw", text)[0]:
            reason = reason or ("internal prompt" if text.strip() else "")
        if reason:
            self._begin(reason, text, str(source or ""))
        return reason

    def _begin(self, reason: str, text: str, source: str) -> None:
        runs = {"heartbeat poll": "heartbeat", "cron prompt": "cron", "memory flush": "flush", "memory job": "flush"}
        self.carry.run = runs.get(reason, "")
        self.carry.job = False
        if reason == "message of another session" and source == "sessions_send":
            self.carry.run = "agent"
        if reason == "cron prompt":
            named = _CRON.match(text.lstrip())
            self.carry.job = cleaning.memory_job(named[2] if named else "", text)
            if self.carry.kind is None and self.session.kind == "main" and self._alone():
                self._is(kind="cron")
        if reason == "subagent task" and self.session.kind == "main" and self._alone():
            self._is(kind="subagent")

    def _alone(self) -> bool:
        """Whether nothing but its key's absence says that this is a main session: an archive that no index names."""
        return self.session.key == self.session.id and not self.given

    def _again(self, message: Event, text: str) -> bool:
        """Whether the same words come again: sent again after a failure, or delivered twice."""
        key = message.get("idempotencyKey")
        own = fingerprint(text)
        if isinstance(key, str) and key and key == self.carry.message:
            self._pass("message again")
            return True
        if self.carry.failed and own == self.carry.said:
            self._pass("sent again after an error")
            return True
        self.carry.message = key if isinstance(key, str) else ""
        self.carry.said, self.carry.failed = own, False
        return False

    def _speaker(self, message: Event, found: Unwrapped) -> Speaker:
        native = message.get("__openclaw")
        if not isinstance(native, dict):
            if found.id in _OPERATORS or found.name in _OPERATORS:
                return Speaker("person")
            if found.id or found.name:
                return Speaker("person", found.id, found.name, found.handle)
            return self._partner_speaker()
        transport = native.get("transport")
        route: Event = transport if isinstance(transport, dict) else {}
        owner = native.get("senderIsOwner") is True
        sender = _text(native.get("senderId")) or self._peers.get(str(route.get("conversationRef")))
        local = owner and not route and not sender and self.session.kind in ("main", "dm")
        if not sender and not local and self.session.kind == "dm":
            sender = self.session.peer
        name, handle = _text(native.get("senderName")), _text(native.get("senderUsername"))
        return Speaker("person", sender, name, handle, local, owner)

    def _partner_speaker(self) -> Speaker:
        """The session's direct partner. In a session that several people may share the name is a guess, so there it
        goes without the id, on which trust is built."""
        if self.session.kind == "dm":
            return Speaker("person", self._partner.id or self.session.peer, self._partner.name, self._partner.handle)
        if self.session.kind == "main":
            return Speaker("person", None, self._partner.name, self._partner.handle)
        return Speaker("person")

    # the agent

    def _assistant(self, message: Event, base: Turn) -> Iterator[tuple[Session, Turn]]:
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        text, aside = openclaw_tools.spoken(blocks)
        calls = self._calls.calls(blocks, base, aside)
        model = message.get("model")
        if model == "gateway-injected":
            self._pass("gateway note")
            return
        copied = model == "delivery-mirror" or message.get("api") == "openclaw-transcript"
        if not text.strip() and not calls:
            failed = bool(message.get("errorMessage")) or message.get("stopReason") in ("error", "aborted")
            self.carry.failed = failed or self.carry.failed
            self._pass("failed answer" if failed else "no text")
            return
        self.carry.failed = False
        final = message.get("stopReason") != "toolUse" and not calls
        if text.strip():
            yield from self._answer(replace(base, text=text.strip()), final=final, copied=copied)
        for turn in calls:
            yield from self._give(turn)

    def _answer(self, turn: Turn, *, final: bool, copied: bool) -> Iterator[tuple[Session, Turn]]:
        own = fingerprint(turn.text)
        if own in self._recent and (copied or (self._recent[-1] == own and not self._spoken_since)):
            self._pass("delivery copy" if copied else "answer again")
            return
        self._recent.append(own)
        self._spoken_since = False
        if self.carry.run != "cron" and self.session.kind != "cron":
            yield from self._give(turn)
        elif self.carry.job:
            self._pass("memory job")
        elif final:
            if self._pending is not None:
                self._pass("cron step")
            self._pending = (self._as("cron"), turn)
        else:
            self._pass("cron step")

    def _give(self, turn: Turn) -> Iterator[tuple[Session, Turn]]:
        """A turn in the session it belongs to: what a heartbeat or a job makes the agent say is not the main talk."""
        run = self.carry.run
        if turn.speaker.role == "person":
            self._spoken_since = True
        if run == "flush":
            self._pass("memory flush")
        elif turn.tool is not None and (run == "cron" or self.session.kind == "cron"):
            self._pass("cron step")
        else:
            yield self._as(_ANSWER_KINDS.get(run)), replace(turn, untrusted=True) if run == "agent" else turn

    def _as(self, kind: Kind | None) -> Session:
        session = replace(self.session, ours=True) if self.carry.ours else self.session
        return session if kind is None or kind == session.kind else replace(session, kind=kind)


def _key(event: Event, message: Event, time: datetime) -> str:
    """See the module's docstring; without an id, what was said when."""
    own = event.get("id")
    if isinstance(own, str) and _UUID.fullmatch(own):
        return turn_key(f"openclaw|{own.lower()}")
    if isinstance(own, str) and own:
        return turn_key(f"openclaw|{own}|{event.get('timestamp') or message.get('timestamp')}")
    return turn_key(f"openclaw|{time.isoformat()}|{message.get('role')}|{text_of(message.get('content'))}")


def _moment(value: object) -> datetime | None:
    """A time in UTC from ISO text or from milliseconds (seconds where the number is small)."""
    try:
        if isinstance(value, str):
            time = datetime.fromisoformat(value)
            return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _minute(time: datetime) -> datetime:
    return time.replace(second=0, microsecond=0)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
