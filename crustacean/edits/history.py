"""What the ledger tells of runs: the list, and one run's edits, balance and diff."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from crustacean.edits import diff, journal, plan
from crustacean.edits.lines import unpack
from crustacean.edits.store import Store
from crustacean.errors import UsageError

KINDS = ("apply", "undo", "person", "resolve", "outside", "purge")


@dataclass(slots=True)
class RunInfo:
    """One run as `crab log` lists it. at: ISO with offset. undone: the run that undid it, "" where none did."""

    run: str
    at: str
    kind: str
    stage: str
    model: str
    batches: int
    considered: int
    balance: dict[str, int]
    refused: int
    files: list[str]
    undone: str = ""
    usage: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class RunDetail:
    """One run in full: its EDITs, what was refused, and the diff where its images are still kept."""

    info: RunInfo
    edits: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    diff: str
    complete: bool


def runs(store: Store, limit: int = 0) -> list[RunInfo]:
    """Runs, the latest first. A person's own changes are listed too, under the id of their line."""
    marks = ",".join("?" * len(KINDS))
    rows = store.db.execute(
        f"SELECT run, id, raw FROM lines WHERE folded = 1 AND kind IN ({marks}) ORDER BY at DESC, m DESC, n DESC", KINDS
    )
    grouped: dict[str, list[dict[str, Any]]] = {}
    for run, ident, raw in rows:
        name = run or ident
        if name not in grouped and limit and len(grouped) == limit:
            break
        grouped.setdefault(name, []).insert(0, json.loads(raw))
    undone = dict(_undone(store))
    return [_info(run, lines, undone.get(run, "")) for run, lines in grouped.items()]


def undone_by(store: Store, run: str) -> str:
    """The run that undid `run` and still stands, "" where none did."""
    return dict(_undone(store)).get(run, "")


def undone_in_part(store: Store, run: str) -> frozenset[int]:
    """The numbers of the edits of a run that undos have reversed which had to leave others."""
    return frozenset(n for line in _undos(store) if line.get("of") == run and line.get("left") for n in line["done"])


def _undone(store: Store) -> Iterator[tuple[str, str]]:
    """(run, the undo that stands for it). One that left something for later does not count."""
    return ((str(line.get("of", "")), str(line.get("run", ""))) for line in _undos(store) if not line.get("left"))


def _undos(store: Store) -> list[dict[str, Any]]:
    """The undo lines that stand, the latest first: one that was itself undone counts no more."""
    rows = store.db.execute("SELECT raw FROM lines WHERE folded = 1 AND kind = 'undo' ORDER BY at, m, n")
    gone: set[str] = set()
    out = []
    for line in reversed([json.loads(raw) for (raw,) in rows]):
        if str(line.get("run", "")) not in gone:
            if not line.get("left"):
                gone.add(str(line.get("of", "")))
            out.append(line)
    return out


def _info(run: str, lines: list[dict[str, Any]], undone: str) -> RunInfo:
    edits = [e for line in lines for e in line.get("edits", [])]
    usage: dict[str, Any] = {}
    for line in lines:
        for key, value in (line.get("usage") or {}).items():
            usage[key] = usage.get(key, 0) + (value or 0)
    return RunInfo(
        run,
        lines[0]["at"],
        lines[0]["kind"],
        lines[0].get("stage") or lines[0].get("command") or lines[0]["kind"],
        lines[0].get("model", ""),
        len(lines),
        sum(len(list(unpack(line.get("consumed", {}).get("turns", [])))) for line in lines),
        plan.balance(edits),
        sum(len(line.get("refused", [])) for line in lines),
        sorted({path for line in lines for path in line.get("files", {})}),
        undone,
        usage,
    )


def find(store: Store, name: str) -> str:
    """The full id of a run from its id or the start of it; the last one for "". Raises UsageError."""
    known = [r.run for r in runs(store)]
    if not name:
        real = [r.run for r in runs(store) if r.kind != "outside"]
        if real:
            return real[0]
        raise UsageError("no run is in the ledger yet", "`crab collect` makes the first")
    found = [r for r in known if r.startswith(name)]
    if len(found) != 1:
        many = "several runs start with" if found else "there is no run"
        raise UsageError(f"{many} {name}", "`crab log` lists them")
    return found[0]


def detail(store: Store, run: str) -> RunDetail:
    """All of one run. Raises UsageError where there is no such run."""
    rows = store.db.execute(
        "SELECT raw FROM lines WHERE folded = 1 AND (run = ? OR (run = '' AND id = ?)) ORDER BY at, m, n", (run, run)
    )
    lines = [json.loads(raw) for (raw,) in rows]
    lines = [line for line in lines if line["kind"] in KINDS]
    if not lines:
        raise UsageError(f"there is no run {run}", "`crab log` lists the runs")
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for line in lines:
        for path, (pre, post) in line.get("files", {}).items():
            first.setdefault(path, pre)
            last[path] = post
    changes = {p: (journal.image(store.root, first[p]), journal.image(store.root, last[p])) for p in first}
    complete = all(
        bool(first[p]) == (b is not None) and bool(last[p]) == (a is not None) for p, (b, a) in changes.items()
    )
    refused = [r for line in lines for r in line.get("refused", [])]
    info = _info(run, lines, dict(_undone(store)).get(run, ""))
    edits = [e for line in lines for e in line.get("edits", [])]
    return RunDetail(info, edits, refused, diff.unified(changes) if complete else "", complete)


def last_standing(store: Store) -> str:
    """The last run that wrote something and is not undone; emptying the trash is for good. Raises UsageError where
    there is none."""
    for info in runs(store):
        stands = info.files and not info.undone and info.stage != "trash empty"
        if stands and info.kind in ("apply", "person", "resolve"):
            return info.run
    raise UsageError("there is no run to undo", "`crab log` lists the runs")


def considered_by(store: Store, run: str) -> frozenset[str]:
    """Turn keys that a run considered (its id, or at least six characters of it), or for "" all that the offline model
    did; empty where no run is called so."""
    out: set[str] = set()
    for (raw,) in store.db.execute("SELECT raw FROM lines WHERE folded = 1 AND kind = 'apply'"):
        data = json.loads(raw)
        named = data["run"].startswith(run) if len(run) >= 6 else not run and data.get("model") == "offline"
        if named:
            out.update(unpack(data.get("consumed", {}).get("turns", [])))
    return frozenset(out)
