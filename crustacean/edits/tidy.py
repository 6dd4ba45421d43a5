"""What an undo leaves tidy: headings that crab made and that are empty now, blank lines, files that say nothing."""

from __future__ import annotations

import json

from crustacean.edits import journal
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused
from crustacean.workspace import layout, rewrite
from crustacean.workspace.document import Document


def tidy(store: Store, tree: Tree) -> None:
    """Bring every file that the tree changes to what it once was, where only that tells them apart: undoing runs in any
    order then ends in the bytes of the start. A file that crab made and that says nothing any more goes."""
    for path in list(tree.changes()):
        document = tree.get(path)
        if document is not None and layout.is_memory(path):
            _tidy(store, tree, path, document)


def _tidy(store: Store, tree: Tree, path: str, document: Document) -> None:
    versions, made = _versions(store, path)
    document = _without_empty_headings(tree, document, versions)
    if made and not document.entries and len(document.headings) <= 1:
        tree.delete(path)
        return
    tree.put(document)
    wanted = _says(document.data)
    for image in (data for pair in versions for data in pair):
        if image is not None and image != document.data and _says(image) == wanted:
            tree.put(tree.parse(path, image))
            return


Version = tuple[bytes | None, bytes | None]


def _versions(store: Store, path: str) -> tuple[list[Version], bool]:
    """(bytes before, bytes after) of each run that wrote a file, the oldest first, as far as images are kept (None for
    no file); and whether it was a run that made it."""
    rows = store.db.execute(
        "SELECT raw FROM lines WHERE folded = 1 AND instr(raw, ?) ORDER BY at, m, n", (path.encode(),)
    )
    pairs = [pair for (raw,) in rows if (pair := json.loads(raw).get("files", {}).get(path))]
    versions = []
    for before, after in pairs:
        pre, post = journal.image(store.root, before), journal.image(store.root, after)
        if (pre is not None or not before) and (post is not None or not after):
            versions.append((pre, post))
    return versions, bool(pairs) and not pairs[0][0]


def _without_empty_headings(tree: Tree, document: Document, versions: list[Version]) -> Document:
    """Headings that a run made and under which nothing stands go; one that a person wrote stays."""
    made: set[tuple[str, ...]] = set()
    for pre, post in versions:
        if post is not None:
            old = set() if pre is None else {h.path for h in tree.parse(document.path, pre).headings}
            made |= {h.path for h in tree.parse(document.path, post).headings} - old
    first = versions[0][0] if versions else None
    if first is not None:
        made -= {h.path for h in tree.parse(document.path, first).headings}
    while True:
        empty = next(
            (h for h in reversed(document.headings) if h.path in made and _is_empty(document, h.line, h.stop)), None
        )
        if empty is None or (empty.level == 1 and len(document.headings) == 1):
            return document
        try:
            document = rewrite.take(document, empty)[0]
        except EditRefused:
            return document


def _is_empty(document: Document, start: int, stop: int) -> bool:
    return not any(start <= e.start < stop for e in document.entries) and not any(
        start < h.line < stop for h in document.headings
    )


def _says(data: bytes) -> list[bytes]:
    return [line.rstrip() for line in data.splitlines() if line.strip()]
