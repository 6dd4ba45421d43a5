"""Two crab processes and an editor that saves in place and by rename, all on the same files at once: every line that
the editor had on its screen, or that crab has reported, is in a file or in the trash afterwards.

    python tests/bench/race.py [--count 200] [--seed 1]
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from crustacean.edits import store, writer
from crustacean.edits.edit import Edit
from crustacean.errors import WorkspaceError
from crustacean.workspace import layout
from tests.bench.ground import START, Ground, arguments, balanced, scratch, settled

ANA = "memory/contacts/ana.md"
TURNED_AWAY = "turned away"
DAY = layout.daily(START.date())
_COMMENT = re.compile(r" *<!-- .* -->$")


@dataclass
class Figures:
    rounds: int = 0
    reported: int = 0
    on_screen: int = 0
    turned_away: int = 0
    lost_lines: int = 0
    lost: int = 0
    unclean: int = 0
    failed: int = 0

    @property
    def good(self) -> bool:
        return not (self.lost_lines or self.lost or self.unclean or self.failed)

    def __str__(self) -> str:
        return (
            f"race: {self.rounds} saves, {self.on_screen} lines on the screen, {self.reported} lines reported by crab"
            f" ({self.turned_away} commands turned away); gone {self.lost_lines}, lost {self.lost}, not clean"
            f" {self.unclean}, processes that failed {self.failed}"
        )


def crab(root: Path, seed: int, report: Path, done: Path) -> None:
    """A crab process: one short command after the other until the editor is done. Every text is its own."""
    ground = Ground(root, random.Random(seed), number=seed * 1_000_000)
    with report.open("w") as told:
        while not done.exists():
            edits = []
            for _ in range(ground.dice.randrange(1, 4)):
                if ground.dice.random() < 0.5:
                    edits.append(
                        Edit("append", path=ANA, heading=("Ana", "Facts"), text=ground.text(), keys=(ground.key(),))
                    )
                else:
                    edits.append(ground.log(START, "Race"))
            try:
                with ground.opened() as opened, store.locked(opened, 30):
                    writer.settle(opened)
                    done_edits = ground.run(opened, "person", edits, [ground.key()]).done
            except WorkspaceError as err:
                if "keep changing" not in err.message:
                    raise
                done_edits = []
                told.write(f"{TURNED_AWAY}\n")
            told.writelines(f"{e.text}\n" for e in done_edits)
            told.flush()
            time.sleep(ground.dice.random() * 0.01)


def editor(root: Path, seed: int, report: Path, count: int) -> None:
    """Somebody who types: opens a file, adds lines, saves it in place or by rename, often from an old view."""
    dice = random.Random(seed)
    screens: dict[str, list[str]] = {}
    with report.open("w") as told:
        for number in range(count):
            path = dice.choice((ANA, DAY))
            if path not in screens or dice.random() < 0.6:
                screens[path] = (root / path).read_text().splitlines()
            time.sleep(dice.random() * 0.2)
            screen = screens[path]
            last = max(k for k, line in enumerate(screen) if line.startswith("- "))
            screen.insert(dice.randrange(last, last + 2), f"- Typed by hand, line {number} of {seed}.")
            _save(root / path, "\n".join(screen) + "\n", dice)
            told.writelines(f"{line}\n" for line in screen if line.strip())
            told.flush()


def _save(path: Path, text: str, dice: random.Random) -> None:
    data = text.encode()
    if dice.random() < 0.5:
        temp = path.with_name(f".{path.name}.swp")
        temp.write_bytes(data)
        temp.replace(path)
        return
    with path.open("wb", buffering=0) as out:
        size = max(1, len(data) // 3)
        for start in range(0, len(data), size):
            if dice.random() < 0.3:
                time.sleep(dice.random() * 0.005)
            out.write(data[start : start + size])


def _child(work: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def attack(count: int, seed: int) -> Figures:
    folder = scratch("race")
    try:
        return _race(folder, count, seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _race(folder: Path, count: int, seed: int) -> Figures:
    figures = Figures(count)
    ground = Ground(folder / "workspace", random.Random(seed))
    ground.build()
    with ground.opened() as opened, store.locked(opened):
        writer.settle(opened)
        ground.run(opened, "collect", [ground.log(START, "Race")], [ground.key()])
    root, done = ground.root, folder / "done"
    reports = [folder / "crab-1", folder / "crab-2"]
    crabs = [_child(lambda k=k, r=r: crab(root, seed * 10 + k, r, done)) for k, r in enumerate(reports, 1)]
    typist = _child(lambda: editor(root, seed, folder / "editor", count))
    figures.failed += os.waitpid(typist, 0)[1] != 0
    done.touch()
    figures.failed += sum(os.waitpid(child, 0)[1] != 0 for child in crabs)
    ground.clock.later(hours=1)
    with ground.opened() as opened:
        settled(opened)
        account = settled(opened)
    everything = "\n".join(p.read_text() for p in sorted(root.rglob("*.md")))
    told = [line for r in reports for line in r.read_text().splitlines()]
    figures.turned_away, said = told.count(TURNED_AWAY), set(told) - {TURNED_AWAY}
    seen = {_COMMENT.sub("", line).strip() for line in (folder / "editor").read_text().splitlines()}
    figures.reported, figures.on_screen = len(said), len(seen)
    gone = {line for line in said | seen if line.removeprefix("- ") not in everything}
    for line in sorted(gone):
        print(f"gone ({'reported' if line in said else 'on the screen'}): {line}", file=sys.stderr)
    figures.lost_lines = len(gone)
    figures.lost = len(account.lost)
    figures.unclean = bool(account.problems) + (not balanced(account))
    return figures


def main() -> None:
    options = arguments(200, __doc__)
    figures = attack(options.count, options.seed)
    print(figures)
    sys.exit(not figures.good)


if __name__ == "__main__":
    main()
