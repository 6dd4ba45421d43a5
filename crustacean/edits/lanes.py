"""Who may do what, where. Checked when a plan is made and again when it is applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from crustacean.edits.edit import Edit
from crustacean.errors import EditRefused
from crustacean.workspace import layout

Where = Callable[[str], bool]

PROMOTED: Final = ("memory/lessons/", "knowledge/procedures/")
"""Places that nothing of origin untrusted or system may reach by a stage, with MEMORY.md and USER.md."""
MEMORY_LINES: Final = 5
"""The most lines of an item that Curate puts into MEMORY.md."""


def _under(*folders: str, but: Iterable[str] = ()) -> Where:
    inside, outside = tuple(folders), tuple(but)
    return lambda path: path.startswith(inside) and not (outside and path.startswith(outside))


def _daily(path: str) -> bool:
    return layout.day_of(path) is not None


def _either(*places: Where) -> Where:
    return lambda path: any(place(path) for place in places)


def _is(*paths: str) -> Where:
    return lambda path: path in paths


def _not_daily(place: Where) -> Where:
    return lambda path: place(path) and not _daily(path)


_system = f"{layout.SYSTEM_DIR}/"
_closed = ("archive/trash/", "archive/manifests/", "archive/ledger/", _system)
_memory = _under("memory/", but=(_system, "memory/review.md"))
_knowledge = _under("knowledge/")
_archive = _under("archive/", but=_closed)
_tended = _not_daily(_either(_memory, _knowledge, _is(layout.MEMORY)))
_everywhere = _either(_memory, _knowledge, _archive, _is(layout.MEMORY))
_calibrated = _under("memory/lessons/", "knowledge/procedures/", "archive/audits/")
_learned = _under("knowledge/procedures/learned/")
_nodes = _either(
    _under("memory/contacts/", "memory/groups/", "memory/projects/"), _is("memory/self.md", "archive/LOG.md")
)
_proposed = _either(_is(*layout.FOUNDATION), _under(_system))


def _any(path: str) -> bool:
    return True


def _row(ops: str, where: Where) -> dict[str, Where]:
    return dict.fromkeys(ops.split(), where)


LANES: Final[Mapping[str, Mapping[str, Where]]] = {
    "collect": _row("append", _daily),
    "curate": {
        **_row("append create merge", _tended),
        "supersede": _either(_tended, _daily),
        **_row("flag", _any),
        "propose": _is("USER.md"),
    },
    "consolidate": {"move": _either(_memory, _knowledge, _is(layout.MEMORY)), "annotate": _is(layout.MEMORY)},
    "compile": {
        **_row("archive append create supersede merge move trash split", _everywhere),
        **_row("flag", _any),
    },
    "calibrate": {
        **_row("create supersede merge move archive append", _calibrated),
        "propose": _proposed,
        "flag": _any,
    },
    "tend": _row("merge archive append", _nodes),
    "procedures": _row("create supersede annotate", _learned),
    "person": {
        **_row("append create supersede merge move archive trash annotate split", _everywhere),
        **_row("flag propose", _any),
    },
}


def check(stage: str, edit: Edit) -> None:
    """Raise EditRefused unless `stage` may do `edit.op` at every path it touches.

    A path must be a plain one inside the workspace first; a daily log is never anyone's but Collect's to append to;
    entries of origin untrusted or system are not promoted.
    """
    lane = LANES.get(stage)
    if lane is None:
        raise EditRefused(f"no such stage: {stage}")
    where = lane.get(edit.op)
    if where is None:
        raise EditRefused(f"{edit.op} is not an operation of {stage}")
    paths = [p for p in (edit.path, *(place.path for place in edit.touched)) if p]
    if not paths and edit.op != "flag":
        raise EditRefused("it names no file")
    for path in paths:
        layout.safe(path)
        if edit.op != "propose" and not layout.may_hold_entries(path):
            raise EditRefused(f"{path} is not a file for entries")
        if not where(path):
            raise EditRefused(f"{path} is outside the lane of {stage}")
    where_to = edit.entry.path if edit.op == "supersede" and edit.entry else edit.path
    if edit.op in ("append", "create", "supersede", "merge"):
        promotion(stage, edit.meta.origin, where_to)
    if stage == "curate" and where_to == layout.MEMORY and edit.text.count("\n") >= MEMORY_LINES:
        raise EditRefused(f"an item of {layout.MEMORY} has at most {MEMORY_LINES} lines")
    _daily_logs(stage, edit)


def _daily_logs(stage: str, edit: Edit) -> None:
    day = layout.day_of(edit.path) if edit.op in ("append", "create", "merge", "move", "split") else None
    if day is None or stage == "person":
        return
    if stage != "collect":
        raise EditRefused(f"nobody but collect writes into {edit.path}")
    if edit.local is None or edit.local.date() != day:
        raise EditRefused(f"{edit.path} is not the log of the day on which it was said")


def promotion(stage: str, origin: str | None, path: str) -> None:
    """Raise EditRefused where a stage would bring what is untrusted to where it is believed."""
    high = path in (layout.MEMORY, "USER.md") or path.startswith(PROMOTED)
    if high and origin in ("untrusted", "system") and stage not in ("person", "consolidate"):
        raise EditRefused(f"what is {origin} is not promoted to {path}")
