"""From session stores to batches: what is new, allowed, clean and free of secrets, with whose word each turn is."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from crustacean.edits.edit import excerpt
from crustacean.models.protocol import PromptTurn
from crustacean.stages import marks, whose
from crustacean.stages.work import Input, Run, Source
from crustacean.text.secrets import redact
from crustacean.text.time import local_time
from crustacean.transcripts import cleaning, quoted, sources
from crustacean.transcripts.session import Mark, Reader, Report, Session, StoreFile, Turn

AHEAD = timedelta(minutes=10)
"""How far a client's clock may be ahead of ours."""
_LATER = "later"
CHARS_PER_TOKEN = 3.5
CONTEXT = 4
"""How many turns before a new one are shown with it."""
WHOLE, PART = "t", "part"
"""Labels of turns on their way into a batch: the last or only part of a turn, and an earlier one."""


@dataclass(slots=True)
class _Batch:
    """A batch being filled."""

    turns: list[PromptTurn] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    size: float = 0.0
    marks: list[tuple[str, Mark]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def close(self) -> Input:
        return Input(tuple(self.turns), (), dict(self.sources), dict(self.left_out), tuple(self.marks))


def batches(run: Run) -> Iterator[Input]:
    """Batches of new turns. A file that has not changed since it was read to its end is not opened.

    Turns below a source's floor, before `since`, of sessions or peers that are excluded, or considered before, are
    passed over; everything else that is left out is counted by reason.
    """
    batch = _Batch()
    for reader, root, file in _files(run):
        mark = marks.get(run, file)
        if mark is not None and (mark.size, mark.mtime_ns, mark.inode) == (file.size, file.mtime_ns, file.inode):
            continue
        run.progress(f"reading {marks.name_of(file.path)}")
        report = Report()
        start, to_the_floor = marks.start(run, reader, root)
        for session, row in _new_turns(run, reader, file, mark, report, start, batch):
            if batch.size + _size(row) > run.config.batch_tokens and batch.sources:
                yield batch.close()
                batch = _Batch()
            _add(run, batch, session, row)
        _note(run, file, report)
        later = report.left_out.pop(_LATER, 0)
        batch.left_out.update(report.left_out)
        if report.mark is not None and to_the_floor and not later:
            batch.marks.append((marks.name_of(file.path), report.mark))
    if batch.sources or batch.marks:
        yield batch.close()


def _files(run: Run) -> Iterator[tuple[Reader, Path, StoreFile]]:
    """The files of all chosen sources, the longest unchanged first, each path once."""
    found: dict[Path, tuple[Reader, Path, StoreFile]] = {}
    for reader, root in sources.chosen(run.config.sources, run.options.only):
        for file in reader.files(root):
            found.setdefault(file.path, (reader, root, file))
    yield from sorted(found.values(), key=lambda f: (f[2].mtime_ns, str(f[2].path)))


def _new_turns(
    run: Run, reader: Reader, file: StoreFile, mark: Mark | None, report: Report, start: datetime, batch: _Batch
) -> Iterator[tuple[Session, PromptTurn]]:
    """The turns of one file that this run may consider, with a little of what went before each as context.

    The cheap questions come first: a turn that is too old or considered is not even cleaned.
    """
    before: dict[str, deque[Turn]] = {}
    for session, turn in reader.read(file, mark, report):
        if session.kind == "cron" and run.config.sources.cron == "off":
            batch.left_out["cron"] += 1
            continue
        if _excluded(run, session, turn):
            batch.left_out["excluded"] += 1
            continue
        context = before.setdefault(session.id, deque(maxlen=CONTEXT))
        if turn.time > run.store.clock() + AHEAD:
            # By this run's clock nobody has said it: the file stays unread, and a later run takes it.
            batch.left_out["not said yet"] += 1
            report.left_out[_LATER] += 1
            continue
        if turn.time < start and not _wanted_again(run, session, turn):
            batch.left_out["before the floor"] += 1
            context.append(turn)
            continue
        if _taken(run, session, turn):
            context.append(turn)
            continue
        rows = _rows(run, session, turn, batch.left_out)
        if rows:
            for earlier in context:
                yield from ((session, replace(row, label="")) for row in _rows(run, session, earlier, Counter()))
            context.clear()
        yield from ((session, row) for row in rows)


def _excluded(run: Run, session: Session, turn: Turn) -> bool:
    """Whether a rule shuts a turn out; what the agent answers to a person who is shut out goes with them."""
    if session.ours or not sources.allowed(session, run.config.sources):
        return True
    if turn.speaker.role == "person":
        shut = not sources.allowed(session, run.config.sources, turn.speaker)
        (run.shut_out.add if shut else run.shut_out.discard)(session.id)
    return session.id in run.shut_out


def _rows(run: Run, session: Session, raw: Turn, left_out: Counter[str]) -> list[PromptTurn]:
    """A turn as it may stand in a prompt: cleaned, its quoted parts apart, without secrets; [] with the reason counted
    where nobody said it."""
    turn, reason = cleaning.clean(session, raw)
    if turn is None:
        left_out[reason] += 1
        return []
    if turn.tool is not None or not turn.text.strip():
        return []
    if any(word and word.casefold() in turn.text.casefold() for word in run.config.sources.never):
        left_out["never"] += 1
        return []
    limit = int(run.config.batch_tokens * CHARS_PER_TOKEN)
    parts = [replace(p, text=text) for p in quoted.parts(turn) for text in pieces(p.text, limit)]
    rows = [_prompt_turn(run, session, part) for part in parts]
    return [replace(row, label=PART) for row in rows[:-1]] + rows[-1:]


def pieces(text: str, limit: int) -> list[str]:
    """A text in parts of at most `limit` characters, cut at line ends or blanks where there are any: more input means
    more calls, never truncation."""
    out = []
    start = 0
    while len(text) - start > limit:
        cut = max(
            text.rfind("\n", start + limit // 2, start + limit), text.rfind(" ", start + limit // 2, start + limit)
        )
        cut = cut if cut > start else start + limit
        out.append(text[start:cut])
        start = cut
    out.append(text[start:])
    return out


def _wanted_again(run: Run, session: Session, turn: Turn) -> bool:
    """Whether `--redo` names this turn: by its session, or by the run (or model) that considered it."""
    redo = run.options.redo
    return turn.key in run.again or bool(redo and (session.id.startswith(redo) or redo in (session.key, session.ref)))


def _taken(run: Run, session: Session, turn: Turn) -> bool:
    """Considered by an earlier run, waiting in a plan, or seen twice in this run's own reading."""
    if turn.key in run.seen:
        return True
    run.seen.add(turn.key)
    db = run.store.db
    if db.execute("SELECT 1 FROM tombstones WHERE key = ?", (turn.key,)).fetchone():
        return True
    if _wanted_again(run, session, turn):
        return False
    if turn.key in run.waiting:
        return True
    return bool(db.execute("SELECT 1 FROM considered WHERE key = ?", (turn.key,)).fetchone())


def _prompt_turn(run: Run, session: Session, turn: Turn) -> PromptTurn:
    text, kinds = redact(turn.text, run.config.secret_patterns)
    for kind in kinds:
        run.redacted.append({"kind": kind, "client": session.client, "session": session.ref})
    local = local_time(turn.time, run.config.timezone, turn.offset)
    speaker = turn.speaker
    if speaker.local and not speaker.name and run.config.owner.name:
        speaker = replace(speaker, name=run.config.owner.name)
    return PromptTurn(WHOLE, session, replace(turn, text=text, speaker=speaker), local)


def _size(row: PromptTurn) -> float:
    return len(row.turn.text) / CHARS_PER_TOKEN + 25


def _add(run: Run, batch: _Batch, session: Session, row: PromptTurn) -> None:
    if not row.label:
        batch.turns.append(row)
        return
    last = row.label == WHOLE
    label = f"t{len(batch.sources) + 1}"
    batch.turns.append(replace(row, label=label))
    batch.size += _size(row)
    batch.sources[label] = Source(
        label,
        session.ref,
        row.turn.position,
        row.turn.key,
        row.local,
        whose.origin_of(session, row.turn, run.config),
        whose.audience_of(run, session, row.turn),
        excerpt(row.turn.text),
        last=last,
    )


def _note(run: Run, file: StoreFile, report: Report) -> None:
    """What went wrong or was not understood, for the person: by file, once a run."""
    for path, problem in report.problems:
        run.notices.append(f"{path}: {problem}")
    for name in report.silent:
        run.notices.append(f"{name}: it is not empty, but nothing in it could be read as a turn")
    for kind, count in report.unknown.items():
        run.unknown[f"{file.client}:{kind}"] = run.unknown.get(f"{file.client}:{kind}", 0) + count
