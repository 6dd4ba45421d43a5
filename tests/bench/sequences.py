"""Runs of all kinds, hand edits, git revert, checkouts, deletion of .crab and undo in any order, in a workspace in git:
`verify` accounts for every entry, what it calls removed outside is just what hands removed, undo of everything gives
the bytes of the start where no hand came between, and no turn is read twice.

    python tests/bench/sequences.py [--count 300] [--seed 1] [--plant]

--plant makes one apply of each sequence drop an entry, and expects that `verify` says so.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from crustacean.edits import apply
from tests.bench.ground import arguments, balanced, scratch, settled, snapshot
from tests.bench.world import World, _texts

STEPS = 24


@dataclass
class Figures:
    sequences: int = 0
    steps: int = 0
    entries: int = 0
    removed: int = 0
    lost: int = 0
    unclean: int = 0
    removed_wrong: int = 0
    not_the_start: int = 0
    not_undone: int = 0
    read_twice: int = 0
    planted: int = 0
    seen: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        bad = self.unclean + self.removed_wrong + self.not_the_start + self.not_undone + self.read_twice
        return not bad and self.planted == self.seen and (self.planted > 0 or not self.lost)

    def __str__(self) -> str:
        planted = f"; planted {self.planted}, seen {self.seen}" if self.planted else ""
        return (
            f"sequences: {self.sequences} with {self.steps} steps, {self.entries} entries, {self.removed} removed by"
            f" hand; lost {self.lost}, not accounted {self.unclean}, removed outside wrongly told {self.removed_wrong},"
            f" undo without the bytes of the start {self.not_the_start}, refused {self.not_undone}, turns read twice"
            f" {self.read_twice}{planted}"
        )


def attack(count: int, seed: int, plant: bool = False) -> Figures:
    figures = Figures()
    for number in range(count):
        folder = scratch("sequences")
        try:
            world = World(folder / "workspace", random.Random(f"{seed}/{number}"))
            before = len(figures.wrong)
            if plant:
                _planted(world, figures)
            elif number % 2:
                _with_hands(world, figures)
            else:
                _runs_alone(world, figures)
            figures.wrong[before:] = [f"sequence {number}: {w}" for w in figures.wrong[before:]]
            figures.sequences += 1
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return figures


def _runs_alone(world: World, figures: Figures) -> None:
    world.begin()
    start = snapshot(world.root)
    acts = [world.collect] * 4 + [world.add] * 3 + [world.supersede] * 3 + [world.undo] * 3
    acts += [world.create, world.merge, world.merge, world.move, world.move, world.archive, world.archive, world.trash]
    for _ in range(STEPS):
        world.dice.choice(acts)()
        figures.steps += 1
        check(world, figures)
    if not world.undo_everything():
        figures.not_undone += 1
        figures.wrong.append("undo gets stuck: " + "\n  ".join(world.told[-12:]))
    elif snapshot(world.root) != start:
        figures.not_the_start += 1
        now = snapshot(world.root)
        apart = [p for p in start.keys() | now.keys() if start.get(p) != now.get(p)]
        figures.wrong.append(f"not the start: {[(p, start.get(p), now.get(p)) for p in apart[:2]]}")
    check(world, figures)


def _with_hands(world: World, figures: Figures) -> None:
    world.begin()
    runs: list[Callable[[], None]] = [world.collect] * 3 + [world.add, world.supersede, world.merge, world.move]
    runs += [world.archive, world.trash, world.undo, world.undo, world.create]
    hands = [world.hand_edit] * 3 + [world.hand_remove] * 3 + [world.hand_add, world.hand_move, world.hand_blank]
    hands += [world.revert, world.revert, world.old_file]
    marks: list[tuple[str, Counter[str], set[str], list[str]]] = []
    for _ in range(STEPS):
        dice = world.dice.random()
        if dice < 0.5:
            world.dice.choice(runs)()
        elif dice < 0.85:
            world.hand(world.dice.choice(hands))
        elif dice < 0.9:
            world.forget()
        elif dice < 0.95 or not marks:
            world.standing()
            marks.append((world.save(), Counter(world.taken), set(world.read), list(world.runs)))
        else:
            elsewhere(world, marks)
        figures.steps += 1
        check(world, figures)


def elsewhere(world: World, marks: list[tuple[str, Counter[str], set[str], list[str]]]) -> None:
    """Another branch, begun at a commit of before: what that commit's ledger says holds."""
    world.standing()
    marks.append((world.save(), Counter(world.taken), set(world.read), list(world.runs)))
    sha, taken, read, runs = world.dice.choice(marks)
    world.git("checkout", "-q", "-B", f"b{world.number}", sha)
    world.taken, world.read, world.runs = Counter(taken), set(read), list(runs)
    world.told.append(f"checkout {sha[:8]}")


def check(world: World, figures: Figures) -> None:
    """After each step: everything is accounted for, and hands took just what they took."""
    with world.opened() as opened:
        account = settled(opened)
        world.standing()
        told = Counter(_texts(world.texts, opened, "removed_outside"))
        read = {r[0] for r in opened.db.execute("SELECT key FROM considered")}
    figures.entries += account.entries
    figures.lost += len(account.lost)
    figures.removed += account.removed_outside
    if account.lost and not figures.planted:
        figures.wrong.append(f"lost {account.lost} after " + "\n  ".join(world.told[-4:]))
    if account.problems or not balanced(account):
        figures.unclean += 1
        figures.wrong.append(f"not accounted: {account}")
    if told != world.taken:
        figures.removed_wrong += 1
        figures.wrong.append(f"told {told - world.taken}, taken {world.taken - told}; " + "\n  ".join(world.told[-4:]))
        world.taken = told
    if not world.read <= read:
        figures.read_twice += 1
        figures.wrong.append(f"forgotten that it was read: {world.read - read}")


def _planted(world: World, figures: Figures) -> None:
    """A defect of ours: one apply leaves out a line that its plan has. Then life goes on, .crab goes too."""
    world.begin()
    world.collect()
    honest = apply.commit

    def forgetful(opened: apply.Store, changes: apply.Changes, *rest: Any) -> str:
        less = {}
        for path, (before, after) in changes.items():
            lines = (after or b"").splitlines(keepends=True)
            old = set((before or b"").splitlines(keepends=True))
            fresh = [k for k, line in enumerate(lines) if line.startswith(b"- ") and line not in old]
            if fresh and not path.startswith("archive/trash/"):
                del lines[fresh[0]]
            less[path] = (before, None if after is None else b"".join(lines))
        return honest(opened, less, *rest)

    apply.commit = forgetful
    try:
        world.collect()
    finally:
        apply.commit = honest
    figures.planted += 1
    for act in world.dice.sample([world.collect, world.forget, world.hand_edit, world.hand_remove, world.revert], 3):
        act()
    with world.opened() as opened:
        figures.seen += bool(settled(opened).lost)
        figures.lost += bool(settled(opened).lost)


def main() -> None:
    options = arguments(300, __doc__)
    figures = attack(options.count, options.seed, options.plant)
    for line in figures.wrong[:10]:
        print(line, file=sys.stderr)
    print(figures)
    sys.exit(not figures.good)


if __name__ == "__main__":
    main()
