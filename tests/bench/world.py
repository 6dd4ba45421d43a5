"""A workspace in git on which runs, hands and git act in turn, and what the one who does it knows of it."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from crustacean.edits import commits, history, store, undo, writer
from crustacean.edits.edit import Edit, Place
from crustacean.edits.store import Store
from crustacean.errors import UsageError
from crustacean.text.normalise import normalise
from crustacean.text.similar import similarity
from crustacean.workspace import layout
from crustacean.workspace.document import parse
from crustacean.workspace.entries import Entry
from tests.bench.ground import START, Ground, places, snapshot

KNOWN = ["memory/", "knowledge/", layout.MEMORY]
TENDED = ["memory/contacts/", "memory/lessons/", "knowledge/"]


@dataclass
class World(Ground):
    """taken: what the ledger knows and hands took out of the files. read: turn keys that runs considered. runs: those
    that wrote something."""

    taken: Counter[str] = field(default_factory=Counter)
    read: set[str] = field(default_factory=set)
    runs: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    blind: bool = False
    told: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Words that resemble no others."""
        self.number += 1
        return " ".join("".join(self.dice.choices("bcdfghjklmnprstvwz", k=5)) for _ in range(6)) + f" {self.number}."

    def begin(self) -> None:
        self.build()
        self.put(".gitignore", ".crab/\n")
        self.git("init", "-q", "-b", "main")
        for key, value in (("user.name", "Sam"), ("user.email", "sam@example.org"), ("commit.gpgsign", "false")):
            self.git("config", key, value)
        self.save()

    def git(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["git", *arguments], cwd=self.root, check=check, capture_output=True)

    def save(self) -> str:
        """The person commits all there is; returns the commit."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "by hand")
        return self.git("rev-parse", "HEAD").stdout.decode().strip()

    # Runs

    def stage(self, name: str, edits: list[Edit], command: str = "") -> None:
        """Edits as a run, with the commit that goes with it; reads the next two turns of the source."""
        run = f"{self.dice.getrandbits(32):08x}"
        with self.opened() as opened, store.locked(opened):
            writer.settle(opened)
            fresh = [k for k in self.source() if not _considered(opened, k)][:2]
            assert not set(fresh) & self.read, "a turn is read twice"
            if name == "collect":
                edits = [e for e in edits if e.op == "append"]
            done = self.run(opened, name, edits, fresh, run)
            self.read |= set(fresh)
            self.told.append(f"{name} {run}: {[(e.op, e.path or e.entry) for e in done.done]} {done.refused}")
            if done.rows:
                self.runs.append(run)
            commits.after_run(opened, "run", name, run)

    def source(self) -> list[str]:
        return [f"{k:012x}" for k in range(1, 400)]

    def collect(self) -> None:
        day = START.replace(day=self.dice.randrange(2, 9))
        self.stage("collect", [self.log(day, self.dice.choice("AB")) for _ in range(self.dice.randrange(1, 4))])

    def here(self, folders: list[str]) -> list[Place]:
        with self.opened() as opened:
            return places(self.root, opened, folders)

    def add(self) -> None:
        path = self.dice.choice([p for p in snapshot(self.root) if p.startswith(tuple(TENDED))])
        heading = parse(path, (self.root / path).read_bytes()).headings
        under = self.dice.choice(heading).path if heading else ()
        self.stage("curate", [Edit("append", path=path, heading=under, text=self.text(), keys=(self.key(),))])

    def create(self) -> None:
        path = f"memory/ideas/idea-{self.number}.md"
        title = f"Idea {self.number}"
        self.stage("curate", [Edit("create", path=path, title=title, text=self.text(), keys=(self.key(),))])

    def supersede(self) -> None:
        some = [p for p in self.here(KNOWN) if not p.path.startswith("memory/.system")]
        edits = []
        for place in self.dice.sample(some, min(2, len(some))):
            if layout.day_of(place.path):
                other = self.dice.choice(some)
                edits.append(Edit("supersede", entry=place, by=other.id))
            else:
                edits.append(Edit("supersede", entry=place, text=self.text(), keys=(self.key(),)))
        self.stage("curate", edits)

    def merge(self) -> None:
        some = self.here(TENDED)
        if len(some) > 1:
            two = self.dice.sample(some, 2)
            edit = Edit("merge", entries=tuple(two), path=two[0].path, text=self.text(), keys=(self.key(),))
            self.stage("curate", [edit])

    def move(self) -> None:
        some = self.here(KNOWN)
        place = self.dice.choice(some)
        to = self.dice.choice([p for p in snapshot(self.root) if p.startswith(tuple(TENDED)) and p != place.path])
        heading = parse(to, (self.root / to).read_bytes()).headings
        under = self.dice.choice(heading).path if heading else ()
        pointer = self.dice.random() < 0.2
        self.stage("compile", [Edit("move", entry=place, path=to, heading=under, pointer=pointer)])

    def archive(self) -> None:
        if self.dice.random() < 0.4:
            files = [p for p in snapshot(self.root) if p.startswith("memory/") and p.endswith(".md")]
            self.stage("compile", [Edit("archive", path=self.dice.choice(files), reason="done")])
        else:
            place = self.dice.choice(self.here(KNOWN))
            self.stage("compile", [Edit("archive", entry=place, reason=self.dice.choice(("done", "stale")))])

    def trash(self) -> None:
        place = self.dice.choice(self.here(KNOWN))
        self.stage("person", [Edit("trash", entry=place)])

    def undo(self) -> None:
        """Undo any run that stands, an undo too."""
        with self.opened() as opened, store.locked(opened):
            writer.settle(opened)
            standing = [r for r in self.runs if not history.undone_by(opened, r) and opened.ledger.lines(r)]
            if standing:
                self._undo(opened, self.dice.choice(standing))

    def _undo(self, opened: Store, run: str) -> list[str]:
        name = f"{self.dice.getrandbits(32):08x}"
        try:
            result = writer.again(opened, lambda: undo.undo(opened, run, name))
        except UsageError as err:
            return [err.message]
        self.told.append(f"undo {run} as {name}: left {result.left}")
        if opened.ledger.lines(name):
            self.runs.append(name)
            commits.after_run(opened, "run", "undo", name)
        return result.left

    def undo_everything(self) -> bool:
        """Undo what stands in any order until nothing does; False where that gets stuck."""
        with self.opened() as opened, store.locked(opened):
            writer.settle(opened)
            first = [r for r in self.runs if opened.ledger.lines(r)[0].kind != "undo"]
            while True:
                standing = [r for r in first if not history.undone_by(opened, r)]
                self.dice.shuffle(standing)
                if not standing:
                    return True
                left = {run: self._undo(opened, run) for run in standing}
                first = [r for r in first if left.get(r) != [] or history.undone_by(opened, r)]
                if all("undo that first" not in reason for reasons in left.values() for reason in reasons):
                    return True
                if not any(history.undone_by(opened, r) for r in standing):
                    return False

    # Hands

    def hand(self, act: Callable[[], None]) -> None:
        """Something that is done to the files behind crab's back, and what it took from what the ledger knew."""
        before = self.standing()
        act()
        after = self._in_files()
        with self.opened() as opened:
            gone = Counter(_texts(self.texts, opened, "removed_outside"))
        lost = before - after
        came = Counter({t: n for t, n in after.items() if n > self._seen[t]})
        for text in lost.elements():
            alike = [t for t in came if came[t] > self._seen[t] and similarity(t, text) >= 0.5]
            if not alike:
                self.taken[text] += 1
        for text in list(self.taken):
            back = min(self.taken[text], max(0, after[text] - before[text]), gone[text])
            self.taken[text] -= back
        self.taken = +self.taken

    def standing(self) -> Counter[str]:
        """Texts of the copies that the ledger has in files; what crab sees of hands until now is recorded first."""
        with self.opened() as opened, store.locked(opened):
            writer.settle(opened)
            self._seen = self._in_files()
            return Counter(_texts(self.texts, opened, "live", "superseded", "archived"))

    def _in_files(self) -> Counter[str]:
        with self.opened() as opened:
            found: Counter[str] = Counter()
            for path, data in snapshot(self.root).items():
                if layout.is_memory(path):
                    for entry in parse(path, data, opened.identify).entries:
                        self.texts[entry.id] = normalise(entry.text)
                        found[normalise(entry.text)] += 1
        return found

    def some_entry(self) -> tuple[str, Entry]:
        with self.opened() as opened:
            path = self.dice.choice([p for p in snapshot(self.root) if layout.is_memory(p)])
            entries = parse(path, (self.root / path).read_bytes(), opened.identify).entries
            return (path, self.dice.choice(entries)) if entries else self.some_entry()

    def _lines(self, path: str) -> list[str]:
        return (self.root / path).read_bytes().decode().splitlines(keepends=True)

    def _write(self, path: str, lines: list[str]) -> None:
        (self.root / path).write_bytes("".join(lines).encode())

    def hand_edit(self) -> None:
        path, entry = self.some_entry()
        lines = self._lines(path)
        low, _ = entry.own[0]
        word = entry.text.split()[0]
        lines[low] = lines[low].replace(word, "".join(self.dice.choices("aeiou", k=4)), 1)
        self._write(path, lines)

    def hand_remove(self) -> None:
        path, entry = self.some_entry()
        lines = self._lines(path)
        del lines[entry.start : entry.stop]
        self._write(path, lines)

    def hand_add(self) -> None:
        path, _ = self.some_entry()
        lines = self._lines(path)
        if not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        self._write(path, [*lines, f"\n- {self.text()}\n"])

    def hand_move(self) -> None:
        path, entry = self.some_entry()
        other, _ = self.some_entry()
        if other != path and entry.depth == 0:
            lines = self._lines(path)
            block = lines[entry.start : entry.stop]
            del lines[entry.start : entry.stop]
            self._write(path, lines)
            rest = self._lines(other)
            glue = "" if not rest or rest[-1].endswith("\n") else "\n"
            last = "" if block[-1].endswith("\n") else "\n"
            self._write(other, [*rest, glue, "\n", *block, last])

    def hand_blank(self) -> None:
        path, _ = self.some_entry()
        self._write(path, [*self._lines(path), "\n"])

    def revert(self) -> None:
        """git revert of any commit of crab's, given up where it conflicts."""
        log = self.git("log", "--format=%H", "--author=crab", "-30").stdout.decode().split()
        if log:
            self.save()
            if self.git("revert", "--no-edit", self.dice.choice(log), check=False).returncode:
                self.git("revert", "--abort", check=False)

    def old_file(self) -> None:
        """git checkout of one file as it was some commits ago."""
        shas = self.git("log", "--format=%H", "-12").stdout.decode().split()
        path = self.dice.choice([p for p in snapshot(self.root) if layout.is_memory(p)])
        self.git("checkout", "-q", self.dice.choice(shas), "--", path, check=False)

    def forget(self) -> None:
        """.crab goes; what a person did before is recorded."""
        self.standing()
        shutil.rmtree(self.root / ".crab")


def _considered(opened: Store, key: str) -> bool:
    return bool(opened.db.execute("SELECT 1 FROM considered WHERE key = ?", (key,)).fetchone())


def _texts(known: dict[str, str], opened: Store, *states: str) -> list[str]:
    rows = opened.db.execute("SELECT id, state FROM copies").fetchall()
    return [known.get(ident, f"? {ident}") for ident, state in rows if state in states]


__all__ = ["Path", "World"]
