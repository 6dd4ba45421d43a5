"""What the operations of a plan have in common: where they are performed, what they may know, what they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from crustacean.edits.edit import Edit, Place
from crustacean.edits.tree import Tree
from crustacean.errors import EditRefused
from crustacean.workspace import audience
from crustacean.workspace.document import Document
from crustacean.workspace.entries import Entry

Row = dict[str, Any]
Word = tuple[str, str]


def _nowhere(ident: str) -> Iterable[str]:
    return ()


@dataclass(slots=True)
class Context:
    """What performing needs to know beside the files.

    now: aware, in the person's zone. same: whether two texts state the same thing (section 7, same figures).
    word: (origin, audience) of an id as the ledger has it, None where it does not know the id.
    places: the files that hold an id, as far as is known.
    """

    tree: Tree
    stage: str
    run: str
    now: datetime
    same: Callable[[str, str], bool]
    word: Callable[[str], Word | None] = lambda _: None
    places: Callable[[str], Iterable[str]] = _nowhere
    observed: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    made: dict[str, Word] = field(default_factory=dict)

    def said_by(self, ident: str) -> Word:
        """Whose word an entry is and who may see it. Of a line that crab never wrote the comment is only the word of
        whoever edited the file: its origin is unknown, and nobody beside main sees it."""
        return self.made.get(ident) or self.word(ident) or ("unknown", audience.MAIN)


def find(tree: Tree, place: Place) -> tuple[Document, Entry]:
    """The entry at a place. Raises EditRefused where it no longer stands there."""
    document = tree.need(place.path)
    for entry in document.entries:
        if entry.id == place.id and entry.n == place.n:
            return document, entry
    raise EditRefused(f"the entry {place.id} is no longer in {place.path}")


def row(edit: Edit, **keys: Any) -> Row:
    """The ledger's EDIT, empty keys left out."""
    made: Row = {"op": edit.op, **keys}
    if keys.get("id") and edit.text:
        made |= {"origin": edit.meta.origin or "unknown", "audience": edit.meta.audience or "main"}
    made |= {"src": list(edit.keys), "by": list(edit.sources), "why": edit.why[:120], "said": edit.said}
    return {k: v for k, v in made.items() if v not in ("", [], None)}
