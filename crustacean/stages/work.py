"""What a stage works on: batches of input, the options of a run, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from crustacean.edits.edit import Edit
from crustacean.edits.operations import Operation, Refused
from crustacean.edits.plan import Consumed
from crustacean.edits.store import Store
from crustacean.models.protocol import Model, PromptEntry, PromptTurn, Request
from crustacean.transcripts.session import Mark
from crustacean.workspace.config import Config


@dataclass(frozen=True, slots=True)
class Source:
    """What a label of a prompt stands for: whose word it is, who may see it, when it was said, and its place.

    last: whether this is the last part of its turn (a long one, or one that quotes, stands in several).
    """

    label: str
    session: str
    position: int
    key: str
    local: datetime
    origin: str
    audience: str
    said: str
    entry: str = ""
    last: bool = True


@dataclass(frozen=True, slots=True)
class Input:
    """One batch of input: what is shown, what the labels mean. marks: how far each file is read then."""

    turns: tuple[PromptTurn, ...] = ()
    entries: tuple[PromptEntry, ...] = ()
    sources: Mapping[str, Source] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    marks: tuple[tuple[str, Mark], ...] = ()

    @property
    def consumed(self) -> Consumed:
        turns: dict[str, dict[str, None]] = {}
        for source in self.sources.values():
            if source.key and source.last:
                turns.setdefault(source.session, {})[source.key] = None
        entries = tuple(s.entry for s in self.sources.values() if s.entry)
        return Consumed({s: tuple(k) for s, k in turns.items()}, entries)

    def halves(self) -> tuple[Input, Input]:
        """The same input in two parts; the marks and counts stay with the second, which is applied last."""
        labelled = [t.label for t in self.turns if t.label]
        first = set(labelled[: len(labelled) // 2])
        return self._part(first, last=False), self._part(set(labelled) - first, last=True)

    def _part(self, labels: set[str], *, last: bool) -> Input:
        return Input(
            tuple(t for t in self.turns if t.label in labels),
            self.entries if last else (),
            {k: s for k, s in self.sources.items() if k in labels or (last and s.entry)},
            self.left_out if last else {},
            self.marks if last else (),
        )


@dataclass(frozen=True, slots=True)
class Options:
    """How a stage is run. since: nothing said before it is read; everything: whatever its date; only: sources for this
    run; redo: a session or run whose turns are considered again, "" for all that the offline model considered, None for
    nothing."""

    dry_run: bool = False
    since: datetime | None = None
    everything: bool = False
    only: tuple[str, ...] = ()
    redo: str | None = None
    save_plan: Path | None = None
    review: bool = False


@dataclass(slots=True)
class Run:
    """One run of a stage and what it has to hand. progress: told what is being read or asked. seen: turn keys met in
    this run. waiting: keys and ids that plans hold. again: keys that `redo` opens. speaking_to: session id -> audience
    of who spoke last. shut_out: sessions in which an excluded person spoke last. answers,
    failures: usable and unusable replies so far. writes: False where nothing at all may be written."""

    id: str
    store: Store
    config: Config
    model: Model
    options: Options
    progress: Callable[[str], None] = lambda _: None
    redacted: list[dict[str, str]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    waiting: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    speaking_to: dict[str, str] = field(default_factory=dict)
    shut_out: set[str] = field(default_factory=set)
    answers: int = 0
    failures: int = 0
    writes: bool = True


Resolve = Callable[[Run, Input, list[Operation]], tuple[list[Edit], list[Refused]]]


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage is a value: its selection, its prompt, its lane (by name) and how its operations become edits."""

    name: str
    tier: str
    select: Callable[[Run], Any]
    request: Callable[[Run, Input], Request]
    resolve: Resolve
