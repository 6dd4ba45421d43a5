"""Collect: turns that no run has considered become entries of the day on which they were said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from crustacean.edits.edit import Edit, excerpt
from crustacean.edits.operations import Operation, Refused, collect_schema
from crustacean.models.protocol import Request
from crustacean.stages import intake, prompt, whose
from crustacean.stages.work import Input, Run, Source, Stage
from crustacean.text.secrets import redact
from crustacean.workspace import audience, layout
from crustacean.workspace.meta import Meta

_WORD = re.compile(r"[^\W_]+")
_NO_BLANKS = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMON = frozenset(
    "the and that this for with from was were has have had not are will user owner agent said says asks wants"
    " que los las una para con por der die das und ist les des est pas".split()
)
"""Words that any two sentences of a language may share."""
_LANE = (
    "You may only append. Code puts each entry into the log of the day on which its first source was said, under a"
    " heading made of that time and your topic. Every entry names the turns it comes from in `sources`; an entry"
    " without sources, or with a turn that is not in this prompt, is dropped."
)


def select(run: Run) -> Iterator[Input]:
    """The new turns of the chosen sources, in batches of the configured size, oldest file first."""
    return intake.batches(run)


def request(run: Run, work: Input) -> Request:
    """The question about one batch."""
    now = run.store.clock()
    schema = collect_schema()
    own = prompt.accepted(run.store.root, "COLLECT.md")
    owner = run.config.owner.name or "the owner"
    return Request(
        "collect",
        prompt.system(prompt.document(own, "COLLECT.md"), _LANE, schema),
        f"Today is {now:%A, %Y-%m-%d}; times are {run.config.timezone.key}. The owner of this memory is {owner}.\n\n"
        f"<turns>\n{prompt.turns(work.turns, lambda row: whose.named(row, run.config))}\n</turns>\n",
        schema,
        turns=work.turns,
        max_tokens=16_384,
    )


def resolve(run: Run, work: Input, operations: list[Operation]) -> tuple[list[Edit], list[Refused]]:
    """Operations with labels become edits with real sources: code sets file, heading, origin and audience."""
    edits: list[Edit] = []
    refused: list[Refused] = []
    for op in operations:
        keys = tuple(work.sources[s].key for s in op.sources if s in work.sources)
        if op.op != "append":
            refused.append(Refused(op.op, f"{op.op} is not an operation of collect", op.text[:500], keys))
            continue
        unknown = [s for s in op.sources if s not in work.sources]
        if unknown:
            refused.append(Refused(op.op, f"{unknown[0]} is not a turn of this prompt", op.text[:500], keys))
            continue
        if not _said(op.text, [work.sources[s] for s in op.sources], work):
            refused.append(Refused(op.op, "it has no word or figure of its sources", op.text[:500], keys))
            continue
        edits.append(_edit(run, op, [work.sources[s] for s in op.sources]))
    return _one_heading_a_topic(edits), refused


def _said(text: str, sources: list[Source], work: Input) -> bool:
    """Whether a statement has anything of what its sources said: one word of three letters or more, one figure, or one
    character of a script without blanks. An echo of the prompt's own example has not."""
    labels = {s.label for s in sources}
    rows = [t for t in work.turns if t.label in labels]
    heard = " ".join(part for t in rows for part in (t.turn.text, t.turn.speaker.name or ""))
    return bool(_marks_of(text) & _marks_of(heard))


def _marks_of(text: str) -> set[str]:
    words = {w for w in _WORD.findall(text.casefold()) if len(w) > 2 or w.isdigit()}
    return words - _COMMON | set(_NO_BLANKS.findall(text))


def _edit(run: Run, op: Operation, sources: list[Source]) -> Edit:
    sources = sorted(sources, key=lambda s: (s.local, s.position))
    first = sources[0]
    day = first.local.date()
    text, kinds = redact(op.text, run.config.secret_patterns)
    topic, more = redact(op.topic or " ".join(op.text.split()[:4]), run.config.secret_patterns)
    why, _ = redact(op.why, run.config.secret_patterns)
    for kind in kinds + more:
        run.redacted.append({"kind": kind, "client": first.session.partition(":")[0], "session": first.session})
    if op.tag and not text.lstrip().startswith("["):
        text = f"[{op.tag}] {text}"
    project = next((a.partition(":")[2] for a in op.about if a.startswith("project:")), "")
    project, _ = redact(project, run.config.secret_patterns)
    meta = Meta(
        src=references(sources),
        origin=audience.least([s.origin for s in sources]),
        audience=audience.intersect(*(s.audience for s in sources)),
        importance=op.importance,
        due=op.due or None,
        expires=op.expires or None,
        project=project or None,
    )
    return Edit(
        "append",
        path=log_of(run, day),
        heading=(topic,),
        text=text,
        meta=meta,
        keys=tuple(dict.fromkeys(s.key for s in sources)),
        local=first.local,
        about=op.about,
        why=why,
        said=excerpt(first.said),
    )


def log_of(run: Run, day: date) -> str:
    """The day's log: where it is archived already, there."""
    live, archived = layout.daily(day), layout.archived_daily(day)
    there = (run.store.root / archived).exists() and not (run.store.root / live).exists()
    return archived if there else live


def references(sources: list[Source]) -> str:
    """ "openclaw:main/3f2a91c0#12-14,18": the sources by session and position, neighbours joined."""
    sessions: dict[str, list[int]] = {}
    for source in sources:
        sessions.setdefault(source.session, []).append(source.position)
    return ", ".join(f"{session}#{_ranges(sorted(set(places)))}" for session, places in sessions.items())


def _ranges(places: list[int]) -> str:
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def _one_heading_a_topic(edits: list[Edit]) -> list[Edit]:
    """Entries of one topic and day stand under one heading, at the time of the first of them."""
    first: dict[tuple[str, str, str], Edit] = {}
    for edit in edits:
        key = (edit.path, edit.heading[0].casefold(), edit.meta.audience or "")
        held = first.get(key)
        if held is None or (edit.local and held.local and edit.local < held.local):
            first[key] = edit
    out = []
    for edit in edits:
        lead = first[edit.path, edit.heading[0].casefold(), edit.meta.audience or ""]
        out.append(replace(edit, local=lead.local, heading=lead.heading))
    return sorted(out, key=lambda e: (e.path, e.local.timestamp() if e.local else 0.0))


COLLECT = Stage("collect", "small", select, request, resolve)
