"""The files of a workspace as a plan sees them: what is on disk, and over it what earlier edits of the plan made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from crustacean.edits import files
from crustacean.errors import EditRefused
from crustacean.workspace import layout
from crustacean.workspace.document import Document, parse

Identify = Callable[[str, str, str | None], str]


@dataclass(frozen=True, slots=True)
class State:
    """A tree to come back to when an edit is refused half way."""

    before: dict[str, bytes | None]
    after: dict[str, Document | None]
    kept: dict[tuple[str, str], str]


class Tree:
    """A copy-on-write view of the markdown under `root`. Nothing reaches the disk from here.

    identify: how an entry's id is decided (see workspace.document.parse).
    """

    def __init__(self, root: Path, identify: Identify | None = None) -> None:
        self.root = root
        self._ids = identify
        self._kept: dict[tuple[str, str], str] = {}
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, Document | None] = {}
        self._peeked: dict[str, bytes | None] = {}

    def keep_id(self, path: str, computed: str, ident: str) -> None:
        """From here on the entry at `path` whose computed id is `computed` goes by `ident`. Raises EditRefused where
        that is another one's name there already."""
        if self._kept.get((path, computed), ident) != ident:
            raise EditRefused(f"{path} has an entry that could not be told from it")
        self._kept[path, computed] = ident

    def _identify(self, path: str, computed: str, claimed: str | None) -> str:
        if (path, computed) in self._kept:
            return self._kept[path, computed]
        return self._ids(path, computed, claimed) if self._ids else computed

    def get(self, path: str) -> Document | None:
        """The document at a workspace path, None where there is none. Raises EditRefused for a path that leaves the
        workspace, a link, or a file that is not readable markdown."""
        if path not in self._after:
            data = self._read(path)
            self._before[path] = data
            self._after[path] = None if data is None else self.parse(path, data)
        document = self._after[path]
        if document is not None and document.problem:
            raise EditRefused(f"{path}: {document.problem}")
        return document

    def _read(self, path: str) -> bytes | None:
        real = layout.resolve(self.root, path)
        home = self.root.resolve()
        if real != home / path:
            # The file has one name among the entries' places; by another one it would be counted as gone.
            raise EditRefused(f"{path} is a link: name {real.relative_to(home).as_posix()} itself")
        if real.is_dir():
            raise EditRefused(f"{path} is a folder")
        return files.read(real)

    def parse(self, path: str, data: bytes) -> Document:
        """The document of these bytes at that path; what is in the trash is nobody's entry."""
        if path.startswith(f"{layout.TRASH_DIR}/"):
            return Document(path, data, None, (), (), "\n", False)
        return parse(path, data, self._identify)

    def need(self, path: str) -> Document:
        """As `get`, but a missing file refuses the edit."""
        document = self.get(path)
        if document is None:
            raise EditRefused(f"{path} does not exist")
        return document

    def put(self, document: Document) -> None:
        self.get(document.path)
        self._after[document.path] = document

    def delete(self, path: str) -> None:
        self.get(path)
        self._after[path] = None

    def peek(self, path: str) -> bytes | None:
        """The bytes at a path, read once, without making them a base of the plan."""
        if path in self._after:
            document = self._after[path]
            return None if document is None else document.data
        if path not in self._peeked:
            self._peeked[path] = self._read(path)
        return self._peeked[path]

    def siblings(self, folder: str) -> Iterator[str]:
        """Workspace paths of the markdown files directly in a folder, those made by this plan included."""
        real = layout.resolve(self.root, folder)
        names = {f"{folder}/{p.name}" for p in real.glob("*.md") if not p.is_symlink()} if real.is_dir() else set()
        names |= {p for p, d in self._after.items() if d is not None and p.rpartition("/")[0] == folder}
        yield from sorted(p for p in names if p not in self._after or self._after[p] is not None)

    def changes(self) -> dict[str, tuple[bytes | None, bytes | None]]:
        """path -> (bytes before, bytes after) of every file that this plan changes, in the order of first touch."""
        out: dict[str, tuple[bytes | None, bytes | None]] = {}
        for path, before in self._before.items():
            document = self._after[path]
            after = None if document is None else document.data
            if after != before:
                out[path] = (before, after)
        return out

    def bases(self) -> dict[str, bytes | None]:
        """path -> bytes on disk as they were read, for every file this plan looked at."""
        return dict(self._before)

    def snapshot(self) -> State:
        return State(dict(self._before), dict(self._after), dict(self._kept))

    def rollback(self, state: State) -> None:
        # What was read meanwhile stays read; only the documents go back.
        self._kept = dict(state.kept)
        after = dict(state.after)
        for path in self._after:
            if path not in after:
                data = self._before[path]
                after[path] = None if data is None else self.parse(path, data)
        self._before = {**self._before, **state.before}
        self._after = after
