"""What the attacks share: a workspace of some weeks, runs of edits on it, and what a person counts afterwards."""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crustacean.edits import outside, plan, store, verify, writer
from crustacean.edits.context import Context
from crustacean.edits.edit import Edit, Place
from crustacean.edits.plan import Batch, Consumed, Rehearsal
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.edits.verify import Account
from crustacean.text.similar import same
from crustacean.workspace import layout
from crustacean.workspace.document import parse
from crustacean.workspace.meta import Meta

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PEOPLE = ("ana", "ben", "chloe", "dmitri", "eva", "farid")
TOPICS = ("ulid", "postgres", "bread", "cycling")
WORDS = (
    "release budget garden train letter coffee meeting ticket report kitchen invoice battery window contract lesson"
    " market bridge camera doctor engine flight guitar harbour island jacket ladder mirror needle orange pencil"
).split()


@dataclass
class Clock:
    """A clock that moves when it is told to."""

    time: datetime = START

    def __call__(self) -> datetime:
        return self.time

    def later(self, **by: float) -> None:
        self.time += timedelta(**by)


@dataclass
class Ground:
    """A workspace under attack. words: the source of all texts, so that no two are alike by chance."""

    root: Path
    dice: random.Random
    clock: Clock = field(default_factory=Clock)
    number: int = 0

    @contextmanager
    def opened(self) -> Iterator[Store]:
        with store.opened(self.root, self.clock) as it:
            yield it

    def text(self) -> str:
        """A sentence that nobody has said before."""
        self.number += 1
        some = self.dice.sample(WORDS, 4)
        one, two, three, four = some
        return f"{one.capitalize()} {self.number} goes with the {two}, the {three} and {self.number * 7} {four}s."

    def build(self) -> None:
        """The folders and files that a person and `init` made."""
        for folder in layout.FOLDERS:
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        self.put(
            layout.MEMORY, f"# Memory\n\n## Hot\n\n- {self.text()}\n- {self.text()}\n\n## Index\n\n- See contacts.\n"
        )
        self.put("USER.md", "# User\n\nSam lives by the sea.\n")
        for name in PEOPLE:
            lines = "".join(f"- {self.text()}\n" for _ in range(self.dice.randrange(2, 6)))
            self.put(f"memory/contacts/{name}.md", f"# {name.capitalize()}\n\n## Facts\n\n{lines}\n## Preferences\n")
        for name in TOPICS:
            self.put(
                f"knowledge/topics/{name}.md",
                f"# {name}\r\n\r\n## Facts\r\n\r\n- {self.text()}\r\n  - {self.text()}\r\n",
            )
        self.put("memory/lessons/one.md", f"# Lessons\n\n{self.text()}\n\n- {self.text()}")

    def put(self, path: str, text: str) -> None:
        real = self.root / path
        real.parent.mkdir(parents=True, exist_ok=True)
        real.write_bytes(text.encode())

    def files(self) -> dict[str, bytes]:
        """path -> bytes of everything but what runs leave behind as a record."""
        return snapshot(self.root)

    def key(self) -> str:
        return f"{self.dice.getrandbits(48):012x}"

    def log(self, day: datetime, topic: str, text: str | None = None) -> Edit:
        """An append as Collect makes it."""
        said = text or self.text()
        local = day.replace(hour=self.dice.randrange(8, 20), minute=self.dice.randrange(60))
        meta = Meta(src=f"openclaw:main/3f2a91c0#{self.number}", origin="owner", audience="main")
        return Edit(
            "append", path=layout.daily(day.date()), heading=(topic,), text=said, meta=meta, keys=(self.key(),),
            local=local, said=said, why="it was decided",
        )  # fmt: skip

    def run(
        self, opened: Store, stage: str, edits: Sequence[Edit], keys: Sequence[str] = (), name: str = ""
    ) -> Rehearsal:
        """Edits as one run of a stage, the whole way to the disk. Needs the lock."""
        run = name or f"{self.dice.getrandbits(32):08x}"
        consumed = Consumed({"openclaw:main/3f2a91c0": tuple(keys)} if keys else {})

        def rehearse(tree: Tree) -> Rehearsal:
            return plan.rehearse(edits, Context(tree, stage, run, opened.clock(), same, opened.word, opened.places))

        def describe(rehearsal: Rehearsal, tree: Tree) -> Batch:
            return Batch(tuple(edits), consumed, tuple(rehearsal.refused))

        return writer.write(opened, stage, "offline", run, 1, rehearse, describe)[0]


def snapshot(root: Path) -> dict[str, bytes]:
    """path -> bytes of the workspace's own files; the trash, the ledger and the machine's state are left out."""
    out = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.startswith((".git/", ".crab/", f"{layout.LEDGER_DIR}/", f"{layout.TRASH_DIR}/")):
            out[name] = path.read_bytes()
    return out


def settled(opened: Store) -> Account:
    """The account after a writing command has looked around."""
    with store.locked(opened, 30):
        writer.settle(opened)
        return verify.verify(opened, outside.Outside())


def balanced(account: Account) -> bool:
    """Whether every entry is accounted for once."""
    parts = (
        account.live, account.superseded, account.archived, account.trashed, account.undone, account.removed_outside,
        account.purged, len(account.lost),
    )  # fmt: skip
    return sum(parts) == account.entries


def places(root: Path, opened: Store, folders: Sequence[str]) -> list[Place]:
    """Every entry without children in files of these folders (or of these names)."""
    out = []
    for path, data in snapshot(root).items():
        if path.endswith(".md") and path.startswith(tuple(folders)):
            document = parse(path, data, opened.identify)
            parents = {e.parent for e in document.entries}
            out += [Place(e.id, path, e.n) for k, e in enumerate(document.entries) if k not in parents]
    return out


def scratch(name: str) -> Path:
    """A folder for an attack; in memory where the system has such a place, since it is killed and not unplugged."""
    shared = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix=f"crab-{name}-", dir=shared if shared.is_dir() else None))


def arguments(count: int, doc: str | None) -> argparse.Namespace:
    """--count and --seed."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", action="store_true", help="plant a defect and expect that it is seen")
    return parser.parse_args()
