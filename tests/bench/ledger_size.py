"""How large the ledger gets over a realistic mix: batches of many turns from which little is written, entries changed
and archived, edits refused. At most 700 bytes for each entry written and 16 for each turn considered.

    python tests/bench/ledger_size.py [--count 300] [--seed 1]

A turn costs what its packed key and its share of the session's name take; all else of a line is the entries'.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from crustacean.edits import store, writer
from crustacean.edits.edit import Edit, Place, excerpt
from crustacean.workspace.meta import Meta
from tests.bench.ground import START, Ground, arguments, places, scratch

ENTRY, TURN = 700, 16
WHY = "a decision that later work depends on, and the reason for it was given"


@dataclass
class Figures:
    entries: int = 0
    turns: int = 0
    entry_bytes: int = 0
    turn_bytes: int = 0

    @property
    def good(self) -> bool:
        return self.entry_bytes <= ENTRY * self.entries and self.turn_bytes <= TURN * self.turns

    def __str__(self) -> str:
        return (
            f"ledger: {self.entries} entries written, {self.turns} turns considered;"
            f" {self.entry_bytes / self.entries:.0f} bytes an entry (at most {ENTRY}),"
            f" {self.turn_bytes / self.turns:.1f} a turn (at most {TURN})"
        )


def _said(ground: Ground) -> str:
    return excerpt(" ".join(ground.text() for _ in range(ground.dice.choice((1, 1, 2, 3, 6)))))


def _batch(ground: Ground, number: int) -> list[Edit]:
    """What Collect makes of one batch: a few entries, now and then one that is refused."""
    day = START + timedelta(days=number // 12)
    path = f"memory/{day.date().isoformat()}.md"
    meta = Meta(src="openclaw:main/3f2a91c0#12-14,18", origin="owner", audience="dm:4002", importance=6)
    edits = []
    for _ in range(ground.dice.choice((0, 1, 1, 2, 3, 5, 8))):
        keys = tuple(ground.key() for _ in range(ground.dice.choice((1, 1, 2, 4))))
        local = day.replace(hour=ground.dice.randrange(8, 20), minute=ground.dice.randrange(60))
        shared: dict[str, Any] = {"meta": meta, "keys": keys, "local": local, "why": WHY, "said": _said(ground)}
        edits.append(Edit("append", path, (f"Topic {number}",), ground.text(), **shared))
    if ground.dice.random() < 0.1:
        edits.append(Edit("append", path="memory/nowhere.md", text=ground.text(), keys=(ground.key(),)))
    return edits


def _curated(ground: Ground, held: list[Place]) -> list[Edit]:
    """What later stages make of entries: promoted, replaced, archived."""
    edits = []
    for k, place in enumerate(ground.dice.sample(held, min(6, len(held)))):
        shared: dict[str, Any] = {"keys": (ground.key(),), "why": WHY, "said": _said(ground)}
        if k < 3:
            name = ground.dice.choice(("ana", "ben", "eva"))
            shared |= {"heading": (name.capitalize(), "Facts"), "sources": (place.id,), "meta": Meta(origin="owner")}
            edits.append(Edit("append", path=f"memory/contacts/{name}.md", text=ground.text(), **shared))
        elif place.path.startswith("memory/contacts/"):
            edits.append(Edit("supersede", entry=place, text=ground.text(), **shared))
        else:
            edits.append(Edit("archive", entry=place, reason="done", why=WHY))
    return edits


def attack(count: int, seed: int) -> Figures:
    """The figures of a ledger after `count` batches."""
    folder = scratch("ledger")
    try:
        return _write(Ground(folder / "workspace", random.Random(seed)), count)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write(ground: Ground, count: int) -> Figures:
    ground.build()
    for number in range(count):
        with ground.opened() as opened, store.locked(opened):
            writer.settle(opened)
            keys = [ground.key() for _ in range(ground.dice.randrange(10, 120))]
            ground.run(opened, "collect", _batch(ground, number), keys)
            if number % 12 == 11:
                ground.run(opened, "person", _curated(ground, list(places(ground.root, opened, ["memory/"]))))
        ground.clock.later(hours=2)
    figures = Figures()
    for path in sorted((ground.root / "archive/ledger").glob("*.jsonl")):
        for raw in path.read_bytes().splitlines():
            _weigh(raw, figures)
    return figures


def _weigh(raw: bytes, figures: Figures) -> None:
    line = json.loads(raw)
    consumed = line.get("consumed", {})
    keys = sum(len(packed) // 12 for packed in consumed.get("turns", []))
    turns = len(json.dumps(consumed, separators=(",", ":"))) if keys else 0
    figures.turns += keys
    figures.turn_bytes += turns
    figures.entries += sum(1 for e in line.get("edits", []) if e["op"] in ("append", "create", "supersede", "merge"))
    figures.entry_bytes += len(raw) + 1 - turns


def main() -> None:
    options = arguments(300, __doc__)
    figures = attack(options.count, options.seed)
    print(figures)
    sys.exit(not figures.good)


if __name__ == "__main__":
    main()
