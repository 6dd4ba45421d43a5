"""Random SIGKILLs while a plan of forty files is applied: each time all of it is there after the next command, or
nothing; no entry is lost and `verify` is clean.

    python tests/bench/kills.py [--count 500] [--seed 1]
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from crustacean.edits import journal, store, writer
from crustacean.edits.edit import Edit
from tests.bench.ground import START, Ground, arguments, balanced, places, scratch, settled, snapshot

FRESH_EVERY = 20
"""Rounds after which the attack begins anew in a fresh workspace."""


@dataclass
class Figures:
    rounds: int = 0
    before: int = 0
    after: int = 0
    cut_off: int = 0
    half: int = 0
    lost: int = 0
    unclean: int = 0

    @property
    def good(self) -> bool:
        return not (self.half or self.lost or self.unclean)

    def __str__(self) -> str:
        return (
            f"kills: {self.rounds} rounds, {self.cut_off} cut off in the middle; nothing done {self.before}, all done"
            f" {self.after}, half-applied {self.half}; lost {self.lost}, not clean {self.unclean}"
        )


def plan_of_forty(ground: Ground) -> list[Edit]:
    """Appends, creations, moves, archivings and supersessions that touch about forty files."""
    with ground.opened() as opened:
        contacts = list(places(ground.root, opened, ["memory/contacts/"]))
    number = ground.number
    edits = [ground.log(START + timedelta(days=k), f"Topic {number}") for k in range(22)]
    for k in range(10):
        path, title = f"memory/ideas/idea-{number}-{k}.md", f"Idea {number} {k}"
        edits.append(Edit("create", path=path, title=title, text=ground.text(), keys=(ground.key(),)))
    for k, place in enumerate(ground.dice.sample(contacts, min(6, len(contacts)))):
        if k % 3 == 0:
            edits.append(Edit("supersede", entry=place, text=ground.text(), keys=(ground.key(),)))
        elif k % 3 == 1:
            edits.append(Edit("move", entry=place, path="knowledge/topics/bread.md", heading=("bread", "Facts")))
        else:
            edits.append(Edit("archive", entry=place, reason="done"))
    for name in ("ana", "ben", "chloe", "dmitri", "eva", "farid"):
        path = f"memory/contacts/{name}.md"
        edits.append(
            Edit("append", path=path, heading=(name.capitalize(), "Facts"), text=ground.text(), keys=(ground.key(),))
        )
    return edits


def apply(ground: Ground, root: Path, edits: Sequence[Edit], run: str) -> None:
    """What a command does: settle, then write the plan."""
    there = Ground(root, ground.dice, ground.clock)
    with there.opened() as opened, store.locked(opened, 10):
        writer.settle(opened)
        there.run(opened, "person", edits, [ground_key(run)], run)


def ground_key(run: str) -> str:
    return f"{run}{'0' * 12}"[:12]


def in_a_child(ground: Ground, root: Path, edits: Sequence[Edit], run: str, seconds: float | None) -> float:
    """Apply in a forked process, killed after so many seconds (None: never); returns how long it took."""
    start = time.perf_counter()
    child = os.fork()
    if not child:
        status = 1
        try:
            apply(ground, root, edits, run)
            status = 0
        finally:
            os._exit(status)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if seconds is None and status:
        raise RuntimeError("the plan can't be applied at all")
    return time.perf_counter() - start


def attack(count: int, seed: int) -> Figures:
    figures = Figures()
    dice = random.Random(seed)
    folder = scratch("kills")
    try:
        ground = Ground(folder / "0", dice)
        for number in range(count):
            if number % FRESH_EVERY == 0:
                ground = Ground(folder / str(number), dice)
                ground.build()
            round_(ground, f"{number:08x}", folder / "twin", figures)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return figures


def round_(ground: Ground, run: str, twin: Path, figures: Figures) -> None:
    """One plan, applied whole in a twin of the workspace to see what it makes, and killed in the workspace."""
    edits = plan_of_forty(ground)
    with ground.opened() as opened:
        settled(opened)
    before = snapshot(ground.root)
    shutil.copytree(ground.root, twin)
    seconds = in_a_child(ground, twin, edits, run, None)
    after = snapshot(twin)
    shutil.rmtree(twin)
    assert sum(before.get(p) != after.get(p) for p in before.keys() | after.keys()) >= 40
    in_a_child(ground, ground.root, edits, run, ground.dice.uniform(0, seconds * 1.05))
    figures.rounds += 1
    figures.cut_off += journal.pending(ground.root) is not None
    with ground.opened() as opened:
        account = settled(opened)
        told = bool(opened.ledger.lines(run))
    now = snapshot(ground.root)
    figures.before += now == before and not told
    figures.after += now == after and told
    figures.half += not ((now == before and not told) or (now == after and told))
    figures.lost += len(account.lost)
    figures.unclean += bool(account.problems) or not balanced(account) or bool(account.removed_outside)
    ground.clock.later(hours=3)


def main() -> None:
    options = arguments(500, __doc__)
    figures = attack(options.count, options.seed)
    print(figures)
    sys.exit(not figures.good)


if __name__ == "__main__":
    main()
