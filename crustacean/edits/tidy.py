"""What an undo leaves tidy: headings that crab made and that are empty now, blank lines, files that say nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass

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
    for version in versions:
        for image in (version.pre, version.post):
            if image is None:
                continue
            # What came back stands at the end of its heading. Unless a hand was here, it goes where it was.
            if _says(image) == wanted or (version.untouched and sorted(_says(image)) == sorted(wanted)):
                tree.put(tree.parse(path, image))
                return


@dataclass(frozen=True, slots=True)
class Version:
    """The bytes of a file before and after a run (None for no file). untouched: no hand has changed it since."""

    pre: bytes | None
    post: bytes | None
    untouched: bool


def _versions(store: Store, path: str) -> tuple[list[Version], bool]:
    """What runs made of a file, the oldest first, as far as images are kept; and whether it was a run that made it."""
    rows = store.db.execute(
        "SELECT kind, raw FROM lines WHERE folded = 1 AND instr(raw, ?) ORDER BY at, m, n", (path.encode(),)
    )
    pairs = [(kind, pair) for kind, raw in rows if (pair := json.loads(raw).get("files", {}).get(path))]
    hands = max((k for k, (kind, _) in enumerate(pairs) if kind == "outside"), default=-1)
    versions = []
    for k, (_, (before, after)) in enumerate(pairs):
        pre, post = journal.image(store.root, before), journal.image(store.root, after)
        if (pre is not None or not before) and (post is not None or not after):
            versions.append(Version(pre, post, k > hands))
    return versions, bool(pairs) and not pairs[0][1][0]


def _without_empty_headings(tree: Tree, document: Document, versions: list[Version]) -> Document:
    """Headings that a run made and under which nothing stands go; one that a person wrote stays."""
    made: set[tuple[str, ...]] = set()
    for version in versions:
        if version.post is not None:
            old = set() if version.pre is None else {h.path for h in tree.parse(document.path, version.pre).headings}
            made |= {h.path for h in tree.parse(document.path, version.post).headings} - old
    first = versions[0].pre if versions else None
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
