"""The trash: archive/trash/YYYY-MM.md, one section for each block, its bytes in a fence longer than any inside. It is
never indexed, and everything in it can be restored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, unquote

from crustacean.edits.apply import commit
from crustacean.edits.keep import ensure, family
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused, UsageError, WorkspaceError
from crustacean.text.normalise import neutralise
from crustacean.workspace import layout, rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry

SHORT = 4
"""The fewest characters of an id that a person may type."""
_HEAD = re.compile(
    r"### .* <!-- trash: (?P<id>[0-9a-f]*); from: (?P<path>\S*); run: (?P<run>\S*); why: (?P<why>\S*); under: (?P<under>\S*) -->\Z"
)


@dataclass(frozen=True, slots=True)
class Gone:
    """A block in the trash: its id, the file and heading it stood under, its text, and why it went."""

    id: str
    path: str
    heading: tuple[str, ...]
    block: str
    run: str
    why: str


def text_to_trash(tree: Tree, gone: Gone, now: datetime) -> str:
    """Append a block to the month's trash; returns the trash file's path."""
    home = layout.trash_entries(now.date())
    ensure(tree, home, f"Trash {now:%Y-%m}")
    ticks = "`" * max(3, 1 + max((len(m) for m in re.findall(r"`+", gone.block)), default=0))
    under = "/".join(quote(h, safe="") for h in gone.heading)
    head = (
        f"### {now:%Y-%m-%d %H:%M} {neutralise(gone.path)} <!-- trash: {gone.id}; from: {quote(gone.path)}; run: {gone.run};"
        f" why: {quote(gone.why, safe='')}; under: {under} -->"
    )
    data = tree.need(home).data
    block = gone.block if gone.block.endswith("\n") else gone.block + "\n"
    tree.put(parse(home, data + f"\n{head}\n{ticks}md\n{block}{ticks}\n".encode("utf-8", "replace")))
    return home


def to_trash(tree: Tree, document: Document, entry: Entry, run: str, why: str, now: datetime) -> tuple[str, list[str]]:
    """Move an entry with its children to the trash; returns the trash file and the ids that went."""
    ids = [e.id for e in family(document, entry)]
    source, blocks = rewrite.remove(document, [entry], drop_headings=True)
    tree.put(source)
    home = text_to_trash(tree, Gone(entry.id, entry.path, entry.heading, "".join(blocks), run, why), now)
    return home, ids


def sections(data: bytes) -> Iterator[tuple[Gone, int, int]]:
    """The blocks of a trash file with their line ranges (0-based, stop exclusive)."""
    lines = data.decode("utf-8", "replace").split("\n")
    i = 0
    while i < len(lines):
        match = _HEAD.match(lines[i].rstrip("\r"))
        if not match or i + 1 >= len(lines) or not lines[i + 1].startswith("```"):
            i += 1
            continue
        fence = lines[i + 1].rstrip("md\r")
        end = next((j for j in range(i + 2, len(lines)) if lines[j].rstrip("\r") == fence), len(lines))
        under = tuple(unquote(h) for h in match["under"].split("/") if h)
        block = "\n".join(lines[i + 2 : end]) + "\n"
        yield Gone(match["id"], unquote(match["path"]), under, block, match["run"], unquote(match["why"])), i, end + 1
        i = end + 1


def without_section(data: bytes, start: int, stop: int) -> bytes:
    """A trash file without one of its sections (and the blank line before it)."""
    lines = data.decode("utf-8", "replace").split("\n")
    if start and not lines[start - 1].strip():
        start -= 1
    return "\n".join(lines[:start] + lines[stop:]).encode()


def restore(tree: Tree, home: str, ident: str) -> str:
    """Put a block of the trash file `home` back under the heading it stood under; returns its file. Raises
    EditRefused where it is not there."""
    data = tree.need(home).data
    for gone, start, stop in sections(data):
        if gone.id != ident:
            continue
        target = tree.get(gone.path)
        if target is None:
            day = layout.day_of(gone.path)
            target = parse(gone.path, b"" if day is None else f"# {day.isoformat()}\n".encode())
        tree.put(rewrite.insert(target, gone.block.encode(), under=gone.heading))
        tree.put(parse(home, without_section(data, start, stop)))
        return gone.path
    raise EditRefused(f"{ident} is not in {home}")


def restore_named(store: Store, name: str, run: str) -> list[str]:
    """Put back one block by its id (or the start of it), or all blocks of a run, as run `run`; returns the files.
    Needs the lock. Raises UsageError where the trash has no such block."""
    tree = store.tree()
    wanted = [g for g in listing(store) if g.id.startswith(name) or (g.run and g.run == name)]
    if not wanted or len(name) < SHORT:
        raise UsageError(f"the trash has nothing called {name}", "`crab trash list` shows what it has")
    rows = []
    for gone in wanted:
        home = next(h for h in _homes(store) if gone.id in {g.id for g, _, _ in sections(tree.need(h).data)})
        try:
            path = restore(tree, home, gone.id)
        except EditRefused as err:
            raise WorkspaceError(
                f"{gone.id} can't be put back into {gone.path}: {err.reason}", "copy it by hand"
            ) from err
        rows.append({"op": "restore", "id": gone.id, "from": [home], "to": [path]})
    commit(store, tree.changes(), tree.bases(), "person", {"run": run, "command": "trash restore", "edits": rows})
    return sorted({r["to"][0] for r in rows})


def _homes(store: Store) -> list[str]:
    return [f"{layout.TRASH_DIR}/{p.name}" for p in sorted((store.root / layout.TRASH_DIR).glob("*.md"))]


def listing(store: Store) -> list[Gone]:
    """All blocks in the trash, the latest last."""
    folder = store.root / layout.TRASH_DIR
    return [gone for path in sorted(folder.glob("*.md")) for gone, _, _ in sections(path.read_bytes())]


def empty(store: Store, run: str) -> int:
    """Erase all trash files as run `run`; returns the number of blocks. Needs the lock."""
    tree = store.tree()
    count = len(listing(store))
    for path in sorted((store.root / layout.TRASH_DIR).glob("*.md")):
        tree.delete(f"{layout.TRASH_DIR}/{path.name}")
    if tree.changes():
        commit(store, tree.changes(), tree.bases(), "person", {"run": run, "command": "trash empty"})
    return count
