"""From the events of one OpenClaw session to turns; the same for a row in SQLite and a line of JSONL.

A turn's key is the event's own id where that is a UUID. The short ids of older versions are unique only within a
session, and a session's id is not kept by a fork, so there the id goes with the record's own time stamp: migration to
SQLite and forks copy both unchanged, and two records of different sessions never share both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from crustacean.text.time import moment
from crustacean.transcripts import cleaning, openclaw_people
from crustacean.transcripts.openclaw_carry import Carry, fingerprint
from crustacean.transcripts.openclaw_envelope import Unwrapped, unwrap
from crustacean.transcripts.openclaw_keys import Partner
from crustacean.transcripts.openclaw_text import text_of, text_or_none
from crustacean.transcripts.openclaw_tools import NESTED, Calls, Stamp, spoken
from crustacean.transcripts.session import Kind, Report, Session, Speaker, Turn, turn_key

Event = Mapping[str, object]
Pair = tuple[Session, Turn]

_BOOKKEEPING = frozenset(
    "session model_change thinking_level_change custom custom_message label session_info branch_summary leaf".split()
)
_SIDE_ROLES = frozenset({"custom", "system", "compactionSummary", "branchSummary", "bashExecution"})
_RUNS = {"heartbeat poll": "heartbeat", "cron prompt": "cron", "memory flush": "flush", "memory job": "flush"}
_RUN_KINDS: dict[str, Kind] = {"heartbeat": "heartbeat", "cron": "cron"}
_REMEMBERED = 24
_NEAR, _FAR = timedelta(minutes=2), timedelta(days=2)
"""An envelope says the minute at which something was sent. It holds where the record's time is another, but not at any
distance."""
_AGENT = Speaker("agent")
_NONE: list[Pair] = []


class Conversation:
    """Gives the turns of one session, event after event in order.

    session: as its row or index says. partner: who it is with, for messages that do not say. peers: the other person
    of each direct conversation by `conversation_id`. report: gets what is passed over.
    given, strange: how many turns came out so far, and how many events made no sense.
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
        kind = self.carry.kind
        self.session = replace(session, kind=kind) if kind and session.kind == "main" else session
        self.given = 0
        self.strange = 0
        self._report = report
        self._partner = partner or Partner()
        self._peers = peers or {}
        self._calls = Calls(self._pass)
        self._spoken_since = True
        self._last: object = None
        self._pending: Pair | None = None
        self._recent: deque[str] = deque(self.carry.answers, _REMEMBERED)
        self._out: list[Pair] = []

    def take(self, event: object, position: int, stored: int | None = None) -> list[Pair]:
        """The turns of one event. position: its place in the session. stored: its time in ms where it has none."""
        if not isinstance(event, dict):
            self._strange("not an object")
            return _NONE
        own = event.get("id")
        if own and own == self._last:
            self._pass("record again")
            return _NONE
        self._last = own
        kind = event.get("type")
        if kind == "message":
            self._message(event, event.get("message"), position, stored)
        elif kind == "compaction":
            self._pass("compaction summary")
        elif kind == "reset":
            self._flush()
            self.carry = Carry(ours=self.carry.ours, kind=self.carry.kind, wrapped=self.carry.wrapped)
        elif kind == "session":
            directory = text_or_none(event.get("cwd"))
            if directory and not self.session.directory:
                self.session = replace(self.session, directory=directory)
        elif not (isinstance(kind, str) and kind in _BOOKKEEPING):
            self._strange(f"event {kind}"[:60])
        return self._taken() if self._out else _NONE

    def finish(self) -> list[Pair]:
        """A scheduled run's report, known to be the last word only when nothing follows."""
        self.carry.answers = list(self._recent)
        self._flush()
        return self._taken()

    def _taken(self) -> list[Pair]:
        out, self._out = self._out, []
        self.given += len(out)
        return out

    def _flush(self) -> None:
        if self._pending is not None:
            self._out.append(self._pending)
            self._pending = None

    def _pass(self, reason: str) -> None:
        self._report.left_out[reason] += 1

    def _strange(self, name: str) -> None:
        self.strange += 1
        self._report.unknown[name] += 1

    def _message(self, event: Event, message: object, position: int, stored: int | None) -> None:
        if not isinstance(message, dict):
            self._strange("message without content")
            return
        role = message.get("role")
        time = moment(message.get("timestamp")) or moment(event.get("timestamp")) or moment(stored)
        if time is None:
            self._strange("message without a time")
            return
        at = (_key(event, message, time), position, time)
        if role == "assistant":
            self._assistant(message, at)
        elif role == "user":
            self._user(message, at)
        elif role == "toolResult" or (role == "custom" and message.get("customType") == NESTED):
            for turn in self._calls.results(message, at):
                self._give(turn)
        elif isinstance(role, str) and role in _SIDE_ROLES:
            self._pass(f"{role} message")
        else:
            self._strange(f"message of {role}"[:60])

    # people

    def _user(self, message: Event, at: Stamp) -> None:
        self._flush()
        raw = text_of(message.get("content"))
        if cleaning.is_ours(raw):
            self.carry.ours = True
        found = self._unwrapped(message, raw)
        text = found.text
        reason = openclaw_people.not_a_person(message, text, self.session) or ("" if text else "no text")
        if reason:
            self._begin(reason, text, openclaw_people.source_of(message)[1])
            self._pass(reason)
            return
        self.carry.run, self.carry.job = "", False
        if self._again(message, text):
            return
        key, position, time = at
        if found.time is not None and _NEAR < abs(found.time - time) < _FAR:
            time = found.time
        speaker = openclaw_people.speaker_of(message, found, self.session, self._partner, self._peers)
        foreign = found.forwarded or self.session.kind == "hook"
        self._spoken_since = True
        self._give(Turn(key, position, time, speaker, text, found.offset, None, foreign))

    def _unwrapped(self, message: Event, raw: str) -> Unwrapped:
        """The words without what older versions put around them. Records that name their sender have no envelope. Where
        a session's first words had none, a later one may have been typed: in a group it is taken for that, elsewhere
        it gives no id, on which trust is built."""
        typed = self.carry.wrapped is False
        if isinstance(message.get("__openclaw"), dict) or (typed and self.session.kind == "group"):
            return Unwrapped(raw.strip())
        found = unwrap(raw, self.session.kind == "group")
        if typed and found.id:
            return replace(found, id=None)
        if self.carry.wrapped is None and found.text and not cleaning.said_by_harness("openclaw", found.text):
            self.carry.wrapped = found.wrapped
        if found.group and self.session.kind == "main" and self.carry.kind is None:
            self._is("group")
        return found

    def _is(self, kind: Kind) -> None:
        self.carry.kind = kind
        self.session = replace(self.session, kind=kind)

    def _begin(self, reason: str, text: str, source: object) -> None:
        """Note who began a run that no person did."""
        self.carry.run = "agent" if source == "sessions_send" else _RUNS.get(reason, "")
        self.carry.job = reason == "cron prompt" and openclaw_people.is_memory_job(text)
        # An archive that no index names: only what it begins with tells what it is.
        unknown = self.session.kind == "main" and self.session.key == self.session.id and not self.given
        if unknown and reason == "cron prompt":
            self._is("cron")
        elif unknown and reason == "subagent task":
            self._is("subagent")

    def _again(self, message: Event, text: str) -> bool:
        """Whether the same words come again: sent again after a failure, or delivered twice."""
        carry, key, own = self.carry, message.get("idempotencyKey"), fingerprint(text)
        if key and key == carry.message:
            self._pass("message again")
            return True
        if carry.failed and own == carry.said:
            self._pass("sent again after an error")
            return True
        carry.message = key if isinstance(key, str) else ""
        carry.said, carry.failed = own, False
        return False

    # the agent

    def _assistant(self, message: Event, at: Stamp) -> None:
        content = message.get("content")
        text, aside, calling = spoken(content) if isinstance(content, list) else (text_of(content), "", False)
        calls = self._calls.calls(content, at, aside) if calling and isinstance(content, list) else []
        model, stop = message.get("model"), message.get("stopReason")
        if model == "gateway-injected":
            self._pass("gateway note")
            return
        text = text.strip()
        if not text and not calls:
            failed = bool(message.get("errorMessage")) or stop in ("error", "aborted")
            self.carry.failed = failed or self.carry.failed
            self._pass("failed answer" if failed else "no text")
            return
        self.carry.failed = False
        if text:
            copied = model == "delivery-mirror" or message.get("api") == "openclaw-transcript"
            turn = Turn(*at, _AGENT, text)
            self._answer(turn, final=not calls and stop != "toolUse", copied=copied)
        for turn in calls:
            self._give(turn)

    def _answer(self, turn: Turn, *, final: bool, copied: bool) -> None:
        own, recent = fingerprint(turn.text), self._recent
        if own in recent and (copied or (recent[-1] == own and not self._spoken_since)):
            self._pass("delivery copy" if copied else "answer again")
            return
        recent.append(own)
        self._spoken_since = False
        if self.carry.run != "cron" and self.session.kind != "cron":
            self._give(turn)
        elif self.carry.job:
            self._pass("memory job")
        elif final:
            if self._pending is not None:
                self._pass("cron step")
            self._pending = (self._as("cron"), turn)
        else:
            self._pass("cron step")

    def _give(self, turn: Turn) -> None:
        """A turn in the session it belongs to: what a heartbeat or a job makes the agent say is not the main talk."""
        run = self.carry.run
        if not run and not self.carry.ours and self.session.kind != "cron":
            self._out.append((self.session, turn))
        elif run == "flush":
            self._pass("memory flush")
        elif turn.tool is not None and (run == "cron" or self.session.kind == "cron"):
            self._pass("cron step")
        else:
            turn = replace(turn, untrusted=True) if run == "agent" else turn
            self._out.append((self._as(_RUN_KINDS.get(run)), turn))

    def _as(self, kind: Kind | None) -> Session:
        session, ours = self.session, self.carry.ours
        if (kind is None or kind == session.kind) and not ours:
            return session
        return replace(session, kind=kind or session.kind, ours=ours)


def _key(event: Event, message: Event, time: datetime) -> str:
    """See the module's docstring; without an id, what was said when."""
    own = event.get("id")
    if isinstance(own, str) and own:
        if len(own) == 36 and own[8] == own[13] == own[18] == own[23] == "-":
            return turn_key(f"openclaw|{own.lower()}")
        return turn_key(f"openclaw|{own}|{event.get('timestamp') or message.get('timestamp')}")
    return turn_key(f"openclaw|{time.isoformat()}|{message.get('role')}|{text_of(message.get('content'))}")
