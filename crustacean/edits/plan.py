"""A plan: batches of edits with what each consumes, made once and applied as it is, now or later.

`rehearse` performs a batch on a Tree: the dry run shows the result, `apply` writes it, review reads it.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crustacean.edits import edit as edits
from crustacean.edits import files, perform
from crustacean.edits.context import Context
from crustacean.edits.edit import Edit
from crustacean.edits.operations import Refused
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused, UsageError, WorkspaceError
from crustacean.workspace import layout

Row = dict[str, Any]
Changes = Mapping[str, tuple[bytes | None, bytes | None]]


@dataclass(frozen=True, slots=True)
class Consumed:
    """What a batch has considered: session reference -> turn keys, in order; and entry ids."""

    turns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entries: tuple[str, ...] = ()

    def ledger(self) -> dict[str, Any]:
        """Keys of one session packed into one string."""
        out: dict[str, Any] = {}
        if self.turns:
            out["turns"] = ["".join(keys) for keys in self.turns.values()]
            out["sessions"] = list(self.turns)
        if self.entries:
            out["entries"] = list(self.entries)
        return out


@dataclass(frozen=True, slots=True)
class Batch:
    """One call's worth: applied as a whole. bases: path -> digest of the files as planning read them."""

    edits: tuple[Edit, ...]
    consumed: Consumed
    refused: tuple[Refused, ...] = ()
    usage: Mapping[str, Any] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    bases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    id: str
    stage: str
    model: str
    made: str
    batches: tuple[Batch, ...]

    @property
    def edits(self) -> list[Edit]:
        return [e for batch in self.batches for e in batch.edits]


@dataclass(slots=True)
class Rehearsal:
    """What performing a batch gave. rows: ledger EDITs; refused: edits that did not hold; observed: said again."""

    rows: list[Row] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    observed: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    done: list[Edit] = field(default_factory=list)
    listed: list[Edit] = field(default_factory=list)


def rehearse(batch: Iterable[Edit], context: Context) -> Rehearsal:
    """Perform edits in order on the context's tree. A refused one leaves no trace in the tree and its reason in the
    result. Creates go first, so that an append may need a file that the same plan makes."""
    result = Rehearsal()
    changed: set[tuple[str, str, int]] = set()
    for edit in sorted(batch, key=lambda e: e.op != "create"):
        state = context.tree.snapshot()
        observed = len(context.observed)
        try:
            touched = {(p.id, p.path, p.n) for p in edit.touched} if edit.op != "flag" else set()
            if touched & changed:
                raise EditRefused("another edit of this plan changes the same entry")
            rows = perform.perform(edit, context)
        except EditRefused as err:
            context.tree.rollback(state)
            del context.observed[observed:]
            result.refused.append(Refused(edit.op, err.reason, edit.text[:500], edit.keys or edit.sources))
            continue
        changed |= touched
        result.rows += rows
        if rows:
            result.done.append(edit)
        elif edit.op in ("propose", "flag"):
            result.listed.append(edit)
    result.observed = list(context.observed)
    context.observed.clear()
    return result


def balance(rows: Iterable[Row], lost: int = 0) -> dict[str, int]:
    """Counts of what a plan or run does to entries."""
    count: Counter[str] = Counter()
    for row in rows:
        op, many = row["op"], len(row.get("ids", [])) or 1
        if op in ("append", "create", "merge", "supersede") and row.get("to"):
            count["added"] += 1
        if op in ("supersede", "merge"):
            count["superseded"] += len(row.get("old", []))
        if op in ("move", "restore"):
            count["moved"] += many
        if op == "archive":
            count["archived"] += many
        if op in ("trash", "undo"):
            count["trashed"] += many
    names = ("added", "moved", "superseded", "archived", "trashed")
    return {name: count[name] for name in names} | {"lost": lost}


def check_nothing_lost(tree: Tree, changes: Changes, rows: Iterable[Row]) -> None:
    """The last gate before the disk: every entry that stood in a changed file is in a changed file afterwards, or the
    rows say that it went to the trash; and what the rows bring is there. Raises WorkspaceError; nothing has been
    written then."""
    before, after = Counter[str](), Counter[str]()
    for path, (old, new) in changes.items():
        if old is not None:
            before.update(e.id for e in tree.parse(path, old).entries)
        if new is not None:
            after.update(e.id for e in tree.parse(path, new).entries)
    gone, come = Counter[str](), Counter[str]()
    for row in rows:
        ids = row.get("ids") or [row["id"]] if row.get("id") else []
        if row["op"] in ("trash", "undo"):
            gone.update(ids)
        elif row["op"] == "restore" and str(row["from"][0]).startswith(f"{layout.TRASH_DIR}/"):
            come.update(ids)
        elif row["op"] in ("append", "create", "supersede", "merge") and row.get("to"):
            come[row["id"]] += 1
    lost = before + come - after - gone
    if lost:
        raise WorkspaceError(
            f"the plan would lose {lost.total()} entries ({', '.join(sorted(lost))}); nothing was changed",
            "this is a defect of crab: please report it with the plan",
        )


def work_hash(stage: str, consumed: Consumed) -> str:
    """The same for the same work on two machines (the ledger's `work`)."""
    keys = sorted(k for keys in consumed.turns.values() for k in keys) + sorted(consumed.entries)
    return hashlib.blake2b("\n".join([stage, *keys]).encode(), digest_size=6).hexdigest()


def new_id() -> str:
    """The id of a run or plan: 8 hex digits, enough for any one workspace's life."""
    return secrets.token_hex(4)


def dumps(plan: Plan) -> str:
    body = {
        "v": 1, "plan": plan.id, "stage": plan.stage, "model": plan.model, "made": plan.made,
        "batches": [
            {
                "edits": [edits.to_json(e) for e in b.edits],
                "consumed": {
                    "turns": {s: list(k) for s, k in b.consumed.turns.items()}, "entries": list(b.consumed.entries),
                },
                "refused": [[r.op, r.reason, r.text, list(r.sources)] for r in b.refused],
                "usage": dict(b.usage), "left_out": dict(b.left_out), "bases": dict(b.bases),
            }
            for b in plan.batches
        ],
    }  # fmt: skip
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def loads(data: bytes, name: str) -> Plan:
    """Read a plan file. Raises UsageError that names the file: whatever stands in it, only edits come out, and those
    are checked against the lane again when they are performed."""
    try:
        body = json.loads(data)
        batches = []
        for row in body["batches"]:
            turns = {str(s): tuple(str(k) for k in keys) for s, keys in row["consumed"]["turns"].items()}
            consumed = Consumed(turns, tuple(str(e) for e in row["consumed"]["entries"]))
            refused = tuple(Refused(str(o), str(r), str(t), tuple(map(str, s))) for o, r, t, s in row["refused"])
            usage, left_out = dict(row["usage"]), {str(k): int(v) for k, v in row["left_out"].items()}
            bases = {str(k): str(v) for k, v in row["bases"].items()}
            made = tuple(edits.from_json(e) for e in row["edits"])
            batches.append(Batch(made, consumed, refused, usage, left_out, bases))
        return Plan(str(body["plan"]), str(body["stage"]), str(body["model"]), str(body["made"]), tuple(batches))
    except (ValueError, KeyError, TypeError, AttributeError) as err:
        raise UsageError(
            f"{name} is not a plan: {err}", "make one with `crab collect --dry-run --save-plan FILE`"
        ) from err


def save(plan: Plan, path: Path) -> None:
    """Write a plan file, whole or not at all. Raises WorkspaceError."""
    try:
        files.write_beside(path, dumps(plan).encode()).replace(path)
    except OSError as err:
        raise WorkspaceError(f"{path} can't be written: {err.strerror}", "choose another place") from err
