"""Where entries go when they leave their place: another file, or archive/superseded. Their ids and what they inherited
go with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused
from crustacean.workspace import daily, layout, rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry
from crustacean.workspace.gate import gate
from crustacean.workspace.meta import Meta
from crustacean.workspace.sections import entries_within
from crustacean.workspace.splice import Splice, spliced

Renamed = list[tuple[str, str, str]]
Word = Callable[[str], tuple[str, str] | None]
_OWN = ("archive/superseded/", "archive/retired/")


@dataclass(frozen=True, slots=True)
class Moved:
    """Where entries went. ids: what the ledger row gets: the ids moved, and [path, computed, id] for each that keeps an
    id which its new place would not give it."""

    path: str
    moved: list[str]
    renamed: Renamed

    @property
    def ids(self) -> dict[str, list[object]]:
        return {"ids": list(self.moved), "as": [list(r) for r in self.renamed]}


def has_children(document: Document, entry: Entry) -> bool:
    index = document.entries.index(entry)
    return any(e.parent == index for e in document.entries)


def family(document: Document, entry: Entry) -> list[Entry]:
    """The entry and all that stands below it, in order."""
    return [e for e in document.entries if entry.start <= e.start and e.stop <= entry.stop]


def made_by_crab(document: Document, entry: Entry) -> bool:
    """Whether the heading an entry stands under is of the kind that only crab writes, and goes when it is empty."""
    if layout.day_of(entry.path) is not None:
        heading = rewrite.find(document, entry.heading)
        return heading is not None and daily.clock_of(heading) is not None
    return entry.path.startswith(_OWN)


def ensure(tree: Tree, path: str, title: str) -> None:
    """Make an archive file where it is missing."""
    if tree.get(path) is None:
        tree.put(tree.parse(path, f"# {title}\n".encode()))


def bare(path: str) -> bool:
    """Files that agents load raw, where no comment is written."""
    return path == layout.MEMORY or path in layout.FOUNDATION


def shown(path: str, meta: Meta) -> Meta:
    """What an entry of a file shows of its meta."""
    return Meta() if bare(path) else meta


def alone(document: Document, entry: Entry) -> str:
    """An entry with its children as a block that says itself what it inherited where it stood."""
    block = rewrite.lift(document, entry)
    given = parse("block.md", b"\n" + block)
    first = next(iter(given.entries), None)
    if first is None or bare(entry.path) or entry.effective == entry.meta:
        return block.decode()
    try:
        return rewrite.annotate(given, first, entry.effective).data.decode().lstrip("\n")
    except EditRefused:
        return block.decode()  # nothing can be written beside it (an open fence, say): the words matter most


def carry(
    tree: Tree,
    document: Document,
    entry: Entry,
    path: str,
    heading: tuple[str, ...],
    word: Word = lambda _: None,
    below: str = "",
) -> Moved:
    """Move an entry with its children, bytes preserved, to the end of a heading of another file, or below the entry of
    an id there. What it inherited, or what the ledger has of one from a file without comments, is written onto it; ids
    stay."""
    old = family(document, entry)
    source, blocks = rewrite.remove(document, [entry], drop_headings=made_by_crab(document, entry))
    tree.put(source)
    target = tree.need(path)
    there = {(e.id, e.n) for e in target.entries}
    tree.put(put_in(target, "".join(blocks).encode(), heading, below))
    renamed: Renamed = []
    for was in old:
        new = _arrived(tree.need(path), was, there)
        renamed += same_id(tree, path, new, was, word)
        there.add((was.id, max(e.n for e in tree.need(path).entries if e.id == was.id)))
    return Moved(path, [e.id for e in old], renamed)


def put_in(
    document: Document, block: bytes, heading: tuple[str, ...], below: str, level: int | None = None
) -> Document:
    """The document with a block at the end of a heading's part, or as the last item below the entry of an id."""
    parent = next((e for e in document.entries if e.id == below), None) if below else None
    if parent is None:
        return rewrite.insert(document, block, under=heading, level=level)
    indent, end = b" " * parent.indent, document.newline.encode()
    rows = [(indent + line if line.strip() else b"") + end for line in block.splitlines()]
    splice = Splice(parent.stop, parent.stop, tuple(rows))
    after = spliced(document, [splice])
    added = entries_within(after, splice)
    gate(document, after, added=added)
    above = after.entries[added[0]].parent if added else None
    if above is None or after.entries[above].id != below:
        raise EditRefused(f"it would not stand below {below}")
    return after


def _arrived(target: Document, was: Entry, known: set[tuple[str, int]]) -> Entry:
    for entry in target.entries:
        if entry.text == was.text and (entry.id, entry.n) not in known:
            return entry
    raise EditRefused(f"{was.id} did not arrive unchanged")


def same_id(tree: Tree, path: str, new: Entry, was: Entry, word: Word = lambda _: None) -> Renamed:
    """Let the entry `new` at `path` go on as `was`: write onto it what that one inherited, and keep its id. Returns the
    ledger's [path, computed, id] where its place gives it another."""
    document = tree.need(path)
    if not bare(path):
        document, new = _dress(document, new, was, word)
        tree.put(document)
    if new.id == was.id:
        return []
    if sum(e.id == new.id for e in document.entries) > 1:
        raise EditRefused(f"{path} has an entry that could not be told from {was.id}")
    tree.keep_id(path, new.id, was.id)
    tree.put(tree.parse(path, document.data))
    return [(path, new.id, was.id)]


def _dress(document: Document, new: Entry, was: Entry, word: Word) -> tuple[Document, Entry]:
    meta = replace(was.effective, superseded=was.meta.superseded or new.meta.superseded, id=None)
    known = word(was.id) if bare(was.path) else None
    if known:
        meta = replace(meta, origin=known[0] or None, audience=known[1] or None)
    if was.birth != new.birth and was.birth:
        meta = replace(meta, observed=was.birth)
    for _ in range(2):
        document = rewrite.annotate(document, new, meta)
        new = next(e for e in document.entries if e.start == new.start and e.depth == new.depth)
        if new.id == was.id:
            break
        meta = replace(meta, id=was.id)
    return document, new


def superseded(tree: Tree, old: Entry, by: str, now: datetime, word: Word = lambda _: None) -> Moved:
    """Copy an entry's own text to archive/superseded/YYYY-MM.md under its old id; the entry itself is the caller's to
    replace or remove. by: the id that replaces it. word: as for `carry`."""
    home = layout.superseded(now.date())
    title = f"Superseded {now:%Y-%m}"
    ensure(tree, home, title)
    note = f"{now.date().isoformat()} by {by}"
    meta = replace(old.effective, observed=old.birth or old.effective.observed, superseded=note, id=None)
    under = (title, old.path)
    if old.kind in ("item", "paragraph"):
        target, entry = rewrite.append(tree.need(home), old.text, under=under, meta=meta)
    else:
        target, entry = _put_block(tree.need(home), old, under)
    tree.put(target)
    was = replace(old, effective=replace(meta, superseded=None), meta=replace(old.meta, superseded=note))
    return Moved(home, [old.id], same_id(tree, home, entry, was, word))


def _put_block(target: Document, old: Entry, under: tuple[str, ...]) -> tuple[Document, Entry]:
    there = {(e.id, e.n) for e in target.entries}
    target = rewrite.insert(target, f"{old.text}\n".encode(), under=under)
    return target, _arrived(target, old, there)


def split(tree: Tree, source: Document, heading: tuple[str, ...], path: str) -> tuple[Moved, str]:
    """Move a whole section to its own new file; returns where it went and the id of the pointer left under its
    heading's parent."""
    section = rewrite.find(source, heading)
    if section is None:
        raise EditRefused(f"{source.path} has no section {' > '.join(heading)}")
    old = [e for e in source.entries if section.line <= e.start and e.stop <= section.stop]
    rest, block = rewrite.take(source, section)
    tree.put(tree.parse(path, block))
    renamed: Renamed = []
    for k, was in enumerate(old):
        made = tree.need(path).entries
        if [e.text for e in made] != [e.text for e in old]:
            raise EditRefused("the section did not arrive unchanged")
        renamed += same_id(tree, path, made[k], was)
    rest, pointer = rewrite.append(rest, f"See [{section.text}]({path}).", under=heading[:-1])
    tree.put(rest)
    return Moved(path, [e.id for e in old], renamed), pointer.id


def whole_file(tree: Tree, document: Document, path: str) -> Moved:
    """Give a file another path, bytes preserved. Ids that come from the path stay, known to the ledger alone."""
    moved = tree.parse(path, document.data)
    renamed: Renamed = []
    for was, new in zip(document.entries, moved.entries, strict=True):
        if was.id != new.id and (path, new.id, was.id) not in renamed:
            tree.keep_id(path, new.id, was.id)
            renamed.append((path, new.id, was.id))
    tree.put(tree.parse(path, document.data))
    tree.delete(document.path)
    if [e.id for e in tree.need(path).entries] != [e.id for e in document.entries]:
        raise EditRefused(f"{document.path} has entries that could not be told apart in {path}")
    return Moved(path, [], renamed)


def below(tree: Tree, path: str, old: Sequence[Entry], new: Entry) -> Renamed:
    """After the text of an entry changed: what stands below it (`old`, in order) keeps ids and what it inherited."""
    renamed: Renamed = []
    for k, was in enumerate(old):
        document = tree.need(path)
        parent = next(e for e in document.entries if e.start == new.start and e.depth == new.depth)
        child = family(document, parent)[1 + k]
        if child.id != was.id or child.effective != was.effective:
            renamed += same_id(tree, path, child, was)
    return renamed
