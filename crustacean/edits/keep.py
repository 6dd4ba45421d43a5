"""Where entries go when they leave their place: another file, or archive/superseded."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused
from crustacean.workspace import layout, rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry

Renamed = list[tuple[str, str, str]]


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


def ensure(tree: Tree, path: str, title: str) -> None:
    """Make an archive file where it is missing."""
    if tree.get(path) is None:
        tree.put(parse(path, f"# {title}\n".encode()))


def carry(tree: Tree, document: Document, entry: Entry, path: str, heading: tuple[str, ...]) -> Moved:
    """Move an entry with its children, bytes preserved, to the end of a heading of another file. What it inherited is
    written onto it, so that nobody's line becomes another's by being moved; ids stay."""
    old = family(document, entry)
    source, blocks = rewrite.remove(document, [entry])
    tree.put(source)
    target = tree.need(path)
    start = {(e.id, e.n) for e in target.entries}
    target = rewrite.insert(target, "".join(blocks).encode(), under=heading)
    tree.put(target)
    renamed: Renamed = []
    for was in old:
        target = tree.need(path)
        new = _arrived(target, was, start)
        if path not in (layout.MEMORY, *layout.FOUNDATION):
            target, new = _dress(tree, target, was, new)
        if new.id != was.id:
            renamed.append((path, new.id, was.id))
            tree.keep_id(path, new.id, was.id)
            tree.put(tree.parse(path, target.data))
        start.add((was.id, _n(tree.need(path), was.id)))
    return Moved(path, [e.id for e in old], renamed)


def _n(document: Document, ident: str) -> int:
    return max((e.n for e in document.entries if e.id == ident), default=1)


def _arrived(target: Document, was: Entry, known: set[tuple[str, int]]) -> Entry:
    for entry in target.entries:
        if entry.text == was.text and (entry.id, entry.n) not in known:
            return entry
    raise EditRefused(f"{was.id} did not arrive unchanged")


def _dress(tree: Tree, target: Document, was: Entry, new: Entry) -> tuple[Document, Entry]:
    """Write onto a moved entry what it inherited where it stood, and its birth."""
    meta = replace(was.effective, superseded=was.meta.superseded, id=None)
    birth = was.birth if was.birth and was.birth != new.birth else meta.observed
    meta = replace(meta, observed=birth or None)
    target = rewrite.annotate(target, new, meta)
    entry = next(e for e in target.entries if e.start == new.start)
    if entry.id != was.id:
        meta = replace(meta, id=was.id)
        target = rewrite.annotate(target, entry, meta)
        entry = next(e for e in target.entries if e.start == new.start)
    tree.put(target)
    return target, entry


def superseded(tree: Tree, document: Document, old: Entry, why: str, now: datetime) -> Moved:
    """Copy an entry's own text to archive/superseded/YYYY-MM.md under its old id; the entry itself stays for the
    caller to replace or remove."""
    home = layout.superseded(now.date())
    ensure(tree, home, f"Superseded {now:%Y-%m}")
    meta = replace(
        old.effective, observed=old.birth or old.effective.observed, superseded=now.date().isoformat(), id=None
    )
    target, entry = rewrite.append(tree.need(home), old.text, under=(f"Superseded {now:%Y-%m}", old.path), meta=meta)
    renamed: Renamed = []
    if entry.id != old.id:
        target = rewrite.annotate(target, entry, replace(meta, id=old.id))
        renamed.append((home, entry.id, old.id))
        tree.keep_id(home, entry.id, old.id)
        target = tree.parse(home, target.data)
    tree.put(target)
    return Moved(home, [old.id], renamed)


def split(tree: Tree, source: Document, heading: tuple[str, ...], path: str) -> Moved:
    """Move a whole section to its own new file, with a pointer under its heading's parent."""
    section = next((h for h in source.headings if h.path == heading), None)
    if section is None:
        raise EditRefused(f"{source.path} has no section {' > '.join(heading)}")
    ids = [e.id for e in source.entries if section.line <= e.start + 1 and e.stop <= section.stop]
    rest, block = rewrite.take(source, section)
    made = tree.parse(path, block)
    if [e.text for e in made.entries] != [e.text for e in source.entries if e.id in ids]:
        raise EditRefused("the section did not arrive unchanged")
    renamed: Renamed = []
    for was, new in zip(ids, [e.id for e in made.entries], strict=True):
        if was != new:
            renamed.append((path, new, was))
            tree.keep_id(path, new, was)
    tree.put(tree.parse(path, block))
    tree.put(rest)
    rest, _ = rewrite.append(rest, f"See [{section.text}]({path}).", under=heading[:-1])
    tree.put(rest)
    return Moved(path, ids, renamed)


def fold_name(name: str) -> str:
    """A name as names are compared: case, accents, spaces and hyphens away."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in plain if c.isalnum())


def names_of(document: Document) -> Iterator[str]:
    """Every name a file goes by: file name, title, aliases in its frontmatter; folded."""
    import frontmatter

    yield fold_name(document.path.rpartition("/")[2].removesuffix(".md"))
    if document.headings:
        yield fold_name(document.headings[0].text)
    try:
        meta = frontmatter.loads(document.data.decode("utf-8-sig")).metadata
    except Exception as err:
        # python-frontmatter lets any YAML error through; a file with broken frontmatter is not one to write beside.
        raise EditRefused(f"{document.path}: its frontmatter can't be read") from err
    aliases = meta.get("aliases")
    for name in [meta.get("title"), *(aliases if isinstance(aliases, list) else [])]:
        if isinstance(name, str):
            yield fold_name(name)


def new_file(title: str, aliases: tuple[str, ...]) -> bytes:
    """A new memory file: its title, and aliases in frontmatter where it has any."""
    import json

    head = ""
    if aliases:
        names = "".join(f"  - {json.dumps(a, ensure_ascii=False)}\n" for a in aliases)
        head = f"---\naliases:\n{names}---\n"
    return f"{head}# {' '.join(title.split()).lstrip('#').strip()}\n".encode()
