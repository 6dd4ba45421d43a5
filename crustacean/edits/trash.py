"""The trash: archive/trash/YYYY-MM.md, one section for each block, its bytes in a fence longer than any inside. It is
never indexed, and everything in it can be restored."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, unquote

from crustacean.edits import keep
from crustacean.edits.apply import commit
from crustacean.edits.known import Seen
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused, UsageError, WorkspaceError
from crustacean.text.normalise import neutralise
from crustacean.workspace import daily, layout, rewrite
from crustacean.workspace.document import Document
from crustacean.workspace.entries import Entry
from crustacean.workspace.meta import Meta
from crustacean.workspace.splice import encoded, with_comment

SHORT = 4
"""The fewest characters of an id that a person may type."""
_HEAD = re.compile(
    r"### [^\n]* <!-- trash: (?P<id>[0-9a-f]*); from: (?P<path>\S*); run: (?P<run>\S*); why: (?P<why>\S*);"
    r" under: (?P<under>\S*) -->\Z"
)
_FENCE = re.compile(r"(`{3,})md\Z")


@dataclass(frozen=True, slots=True)
class Gone:
    """A block in the trash: its id, the file and heading it stood under, its text, the run that it belongs to (it took
    the block, or made the line that a person took), and why it went."""

    id: str
    path: str
    heading: tuple[str, ...]
    block: str
    run: str
    why: str


def text_to_trash(tree: Tree, gone: Gone, now: datetime) -> str:
    """Append a block to the month's trash; returns the trash file's path."""
    home = layout.trash_entries(now.date())
    keep.ensure(tree, home, f"Trash {now:%Y-%m}")
    ticks = "`" * max(3, 1 + max((len(m) for m in re.findall(r"`+", gone.block)), default=0))
    facts = {
        "trash": gone.id,
        "from": quote(gone.path),
        "run": quote(gone.run, safe=""),
        "why": quote(gone.why, safe=""),
        "under": quote(json.dumps(gone.heading, ensure_ascii=False, separators=(",", ":")), safe=""),
    }
    comment = "; ".join(f"{key}: {value}" for key, value in facts.items())
    data = tree.need(home).data
    gap = b"" if data.endswith(b"\n") else b"\n"
    block = gone.block if gone.block.endswith("\n") else gone.block + "\n"
    where = " ".join(neutralise(gone.path).split())
    section = f"\n### {now:%Y-%m-%d %H:%M} {where} <!-- {comment} -->\n{ticks}md\n{block}{ticks}\n"
    tree.put(tree.parse(home, data + gap + section.encode("utf-8", "replace")))
    return home


def to_trash(tree: Tree, document: Document, entry: Entry, run: str, why: str, now: datetime) -> tuple[str, list[str]]:
    """Move an entry with its children to the trash; returns the trash file and the ids that went."""
    ids = [e.id for e in keep.family(document, entry)]
    block = keep.alone(document, entry)
    source, _ = rewrite.remove(document, [entry], drop_headings=keep.made_by_crab(document, entry))
    tree.put(source)
    home = text_to_trash(tree, Gone(entry.id, entry.path, entry.heading, block, run, why), now)
    return home, ids


def block_of(seen: Seen) -> str:
    """An entry that is known by its text alone as a block that can be put back."""
    rows = with_comment(seen.text, seen.meta)
    first, others = ("- ", "  ") if seen.kind == "item" else ("", "")
    return b"".join(encoded(rows, first, others, "\n")).decode()


def comment(word: tuple[str, str] | None) -> str:
    """The comment that says whose word an entry is and who may see it."""
    return Meta(origin=word[0] or None, audience=word[1] or None).render() if word else ""


def sections(data: bytes) -> Iterator[tuple[Gone, int, int]]:
    """The blocks of a trash file with their line ranges (0-based, stop exclusive)."""
    lines = data.decode("utf-8", "replace").split("\n")
    i = 0
    while i < len(lines):
        match = _HEAD.match(lines[i].rstrip("\r"))
        fence = _FENCE.match(lines[i + 1].rstrip("\r")) if match and i + 1 < len(lines) else None
        end = fence and next((j for j in range(i + 2, len(lines)) if lines[j].rstrip("\r") == fence[1]), None)
        if not match or not end:
            i += 1
            continue
        block = "".join(f"{line}\n" for line in lines[i + 2 : end])
        under = _heading(unquote(match["under"]))
        run, why = unquote(match["run"]), unquote(match["why"])
        yield Gone(match["id"], unquote(match["path"]), under, block, run, why), i, end + 1
        i = end + 1


def _heading(under: str) -> tuple[str, ...]:
    try:
        found = json.loads(under)
    except ValueError:
        return ()
    return tuple(str(h) for h in found) if isinstance(found, list) else ()


def unreadable(data: bytes) -> bool:
    """Whether a trash file has a block whose beginning or end can't be told any more."""
    rest = data
    for _, start, stop in reversed(list(sections(data))):
        rest = without_section(rest, start, stop)
    return b"<!-- trash: " in rest


def without_section(data: bytes, start: int, stop: int) -> bytes:
    """A trash file without one of its sections (and the blank line before it)."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    if start and not lines[start - 1].strip():
        start -= 1
    return "\n".join(lines[:start] + lines[stop:]).encode("utf-8", "surrogateescape")


def restore(tree: Tree, home: str, ident: str, below: str = "") -> dict[str, object]:
    """Put the last block of that id in the trash file `home` back under the heading it stood under, or below the entry
    of an id there; returns the ledger row. Raises EditRefused where it is not there or can't stand there."""
    data = tree.need(home).data
    found = [(gone, start, stop) for gone, start, stop in sections(data) if gone.id == ident]
    if not found:
        raise EditRefused(f"{ident} is not in {home}")
    gone, start, stop = found[-1]
    row = _back(tree, home, gone, below)
    tree.put(tree.parse(home, without_section(data, start, stop)))
    return row


def _back(tree: Tree, home: str, gone: Gone, below: str) -> dict[str, object]:
    if not layout.is_memory(gone.path):
        raise EditRefused(f"{gone.path} is not a file of memory")
    day = layout.day_of(gone.path)
    target = tree.get(gone.path)
    if target is None:
        title = daily.title(day) if day else f"# {gone.path.rpartition('/')[2].removesuffix('.md')}"
        target = tree.parse(gone.path, f"{title}\n".encode())
    before = Counter(e.id for e in target.entries)
    level = daily.LEVEL if day and len(gone.heading) > 1 else None
    after = keep.put_in(target, gone.block.encode(), gone.heading, below, level)
    tree.put(after)
    ids = list((Counter(e.id for e in after.entries) - before).elements())
    row: dict[str, object] = {"op": "restore", "id": gone.id, "from": [home], "to": [gone.path], "ids": ids}
    if gone.id not in ids:
        # Its id came from a place (a parent, a comment) that it does not have any more.
        fresh = next((e for e in after.entries if e.id in ids), None)
        if fresh is None:
            raise EditRefused(f"{gone.id} did not come back")
        tree.keep_id(gone.path, fresh.id, gone.id)
        tree.put(tree.parse(gone.path, after.data))
        row |= {"ids": [gone.id if i == fresh.id else i for i in ids], "as": [[gone.path, fresh.id, gone.id]]}
    return row


def restore_named(store: Store, name: str, run: str) -> list[str]:
    """Put back the last block of an id (or the start of it), or all blocks of a run, as run `run`; returns the files.
    Needs the lock. Raises UsageError where the trash has no such block, WorkspaceError where one can't be put back."""
    tree = store.tree()
    blocks = [(home, gone) for home in _homes(store) for gone, _, _ in sections(tree.need(home).data)]
    wanted = [(home, gone) for home, gone in blocks if gone.run and gone.run == name]
    if not wanted and len(name) >= SHORT:
        wanted = [(home, gone) for home, gone in blocks if gone.id.startswith(name)][-1:]
    if not wanted:
        raise UsageError(f"the trash has nothing called {name}", "`crab trash list` shows what it has")
    if all(gone.why == "undone" for _, gone in wanted):
        wanted.reverse()  # an undo takes the last entry out first
    rows = []
    for home, gone in wanted:
        try:
            rows.append(restore(tree, home, gone.id))
        except EditRefused as err:
            raise WorkspaceError(
                f"{gone.id} can't be put back into {gone.path}: {err.reason}", "copy it by hand"
            ) from err
    commit(store, tree.changes(), tree.bases(), "person", {"run": run, "command": "trash restore", "edits": rows})
    return sorted({gone.path for _, gone in wanted})


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
    for home in _homes(store):
        tree.delete(home)
    if tree.changes():
        commit(store, tree.changes(), tree.bases(), "person", {"run": run, "command": "trash empty"})
    return count
