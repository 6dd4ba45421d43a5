"""`crab purge`: erase for good. Every copy that crab holds goes, ids become random ones, and a tombstone without text
keeps the turns from being collected again."""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crustacean.edits import files, journal, keep, known, names, trash
from crustacean.edits.apply import commit
from crustacean.edits.lines import unpack
from crustacean.edits.store import Store
from crustacean.edits.tree import Tree
from crustacean.errors import UsageError
from crustacean.text.normalise import normalise
from crustacean.workspace import layout, rewrite
from crustacean.workspace.document import parse
from crustacean.workspace.entries import Entry


@dataclass(slots=True)
class Found:
    """What a purge would remove. places: (path, line, text) of each; texts: their whole texts, normalised; match: what
    was asked for by text; keys: turns whose re-collection stops."""

    ids: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    match: re.Pattern[str] | None = None
    places: list[tuple[str, int, str]] = field(default_factory=list)
    reworded: list[tuple[str, str, str]] = field(default_factory=list)

    def means(self, text: str) -> bool:
        """Whether a text is a copy of something wanted, or holds the text asked for."""
        plain = normalise(text)
        return bool(plain) and (plain in self.texts or (self.match is not None and bool(self.match.search(plain))))


Wanted = Callable[[Entry], bool]
WORDS = ("said", "why", "text", "reason", "note", "notes", "new", "old")
"""Keys of a ledger line that may hold words of what is purged; nothing else in a line is looked at."""


def whole(text: str) -> re.Pattern[str]:
    """Finds a text as whole words, whatever its case: "Ines" is not in "lines"."""
    plain = normalise(text)
    before = r"(?<!\w)" if plain[:1].isascii() and plain[:1].isalnum() else ""
    after = r"(?!\w)" if plain[-1:].isascii() and plain[-1:].isalnum() else ""
    return re.compile(before + re.escape(plain) + after, re.IGNORECASE)


def find(store: Store, wanted: Wanted, ids: Iterable[str] = (), keys: Iterable[str] = (), text: str = "") -> Found:
    """Every copy of what is wanted: entries by predicate, by id, by the turns they come from, by a text they hold as
    whole words; with the entries that replaced them or were made from them. Those whose words are others are in
    `reworded`, for a question each; the caller adds the ids that a person confirms and calls again."""
    found = Found(set(ids), match=whole(text) if normalise(text) else None)
    asked = set(keys)
    for edit in _edits(store):
        if edit.get("id") and (asked & set(edit.get("src", [])) or found.means(edit.get("said", ""))):
            found.ids.add(edit["id"])
    entries = list(_entries(store))
    for _, entry in entries:
        if entry.id in found.ids or wanted(entry) or found.means(entry.text):
            found.ids.add(entry.id)
            found.texts |= {normalise(entry.text)} - {""}
    for gone in trash.listing(store):
        if gone.id in found.ids or found.means(gone.block):
            found.ids.add(gone.id)
            found.places.append((f"{layout.TRASH_DIR}/", 0, gone.block.strip()))
    for path, entry in entries:
        if entry.id in found.ids or found.means(entry.text):
            found.ids.add(entry.id)
            found.places.append((path, entry.line, entry.text))
    _related(store, found)
    found.keys = asked | {k for e in _edits(store) if e.get("id") in found.ids for k in e.get("src", [])}
    return found


def _entries(store: Store) -> Iterable[tuple[str, Entry]]:
    for path, _ in known.memory_files(store):
        data = files.read(layout.resolve(store.root, path))
        if data is not None:
            for entry in parse(path, data, store.identify).entries:
                yield path, entry


def _edits(store: Store) -> Iterable[dict[str, Any]]:
    for (raw,) in store.db.execute("SELECT raw FROM lines WHERE folded = 1"):
        yield from json.loads(raw).get("edits", [])


def _related(store: Store, found: Found) -> None:
    """What replaced a wanted entry, was replaced by it, or was made from it."""
    linked = {(old, new) for old, new in store.db.execute("SELECT old, new FROM chain")}
    linked |= {(i, e.get("id", "")) for e in _edits(store) for i in e.get("by", [])}
    near = {new for old, new in linked if old in found.ids} | {old for old, new in linked if new in found.ids}
    for path, entry in _entries(store):
        if entry.id in near - found.ids:
            found.reworded.append((entry.id, path, entry.text))


def purge(store: Store, found: Found, run: str) -> int:
    """Remove it all; returns the number of places. Needs the lock. The state is to be forgotten afterwards."""
    tree = store.tree()
    renamed: keep.Renamed = []
    for path in sorted({p for p, _, _ in found.places if not p.endswith("/")}):
        renamed += _free_children(tree, path, [e for e in tree.need(path).entries if e.id in found.ids])
        document = tree.need(path)
        chosen = [e for e in document.entries if e.id in found.ids]
        document, _ = rewrite.remove(document, chosen, drop_headings=True)
        tree.put(document)
    _from_trash(tree, store, found)
    fresh = {ident: secrets.token_hex(5) for ident in found.ids}
    body: dict[str, Any] = {
        "run": run,
        "turns": ["".join(sorted(found.keys))],
        "ids": list(fresh.values()),
        "places": len(found.places),
    }
    body["as"] = [list(r) for r in renamed]
    commit(store, tree.changes(), tree.bases(), "purge", body)
    for ledger in store.ledger.files():
        _rewrite(ledger, fresh, found)
    _images(store.root, found)
    for plan in (store.root / layout.STATE_DIR / "plans").glob("*"):
        if _holds(plan.read_bytes(), found):
            plan.unlink(missing_ok=True)
    shutil.rmtree(store.root / layout.STATE_DIR / "late", ignore_errors=True)
    return len(found.places)


def _free_children(tree: Tree, path: str, chosen: list[Entry]) -> keep.Renamed:
    """Children of a purged entry that are not purged themselves become entries of the same heading; their ids stay."""
    document = tree.need(path)
    going = {(e.id, e.n) for e in chosen}
    renamed: keep.Renamed = []
    for entry in chosen:
        for child in keep.family(document, entry)[1:]:
            if (child.id, child.n) in going:
                continue
            document, free = rewrite.append(document, child.text, under=child.heading, meta=child.effective)
            tree.put(document)
            renamed += keep.same_id(tree, path, free, child)
            document = tree.need(path)
    return renamed


def _from_trash(tree: Tree, store: Store, found: Found) -> None:
    for real in sorted((store.root / layout.TRASH_DIR).glob("*.md")):
        path = f"{layout.TRASH_DIR}/{real.name}"
        data = tree.need(path).data
        for gone, start, stop in reversed(list(trash.sections(data))):
            if gone.id in found.ids or found.means(gone.block):
                data = trash.without_section(data, start, stop)
        tree.put(parse(path, data))


def _rewrite(path: Path, fresh: dict[str, str], found: Found) -> None:
    """A ledger file without excerpts, reasons, refused texts and ids of what is purged. A line that does not parse is
    dropped where it holds one of the texts."""
    out = []
    for raw in (files.read(path) or b"").split(b"\n"):
        try:
            data = json.loads(raw)
        except ValueError:
            if raw.strip() and not _holds(raw, found):
                out.append(raw)
            continue
        out.append(json.dumps(_clean(data, fresh, found), ensure_ascii=False, separators=(",", ":")).encode())
    files.write_beside(path, b"\n".join(out) + b"\n").replace(path)


def _holds(raw: bytes, found: Found) -> bool:
    """Whether bytes of crab's own state may hold any of it; better one image too many than one too few."""
    text = normalise(raw.decode("utf-8", "replace"))
    told = any(t in text for t in found.texts) or (found.match is not None and bool(found.match.search(text)))
    return told or any(i.encode() in raw for i in found.ids)


def _clean(data: Any, fresh: dict[str, str], found: Found) -> Any:
    """A part of a ledger line without the words and the name of what is purged; ids become their random ones."""
    if isinstance(data, list):
        return [_clean(v, fresh, found) for v in data]
    if isinstance(data, str):
        return fresh.get(data, data)
    if not isinstance(data, dict):
        return data
    keys = set(unpack(_strings(data.get("src")) + _strings(data.get("sources"))))
    mine = data.get("id") in fresh or bool(found.keys & keys)
    gone = {k for k in WORDS if isinstance(data.get(k), str) and (mine or found.means(data[k]))}
    out = {k: _clean(v, fresh, found) for k, v in data.items() if k not in gone}
    if data.get("id") in fresh and "origin" in out:
        out["origin"] = "unknown"
    return out


def _strings(value: Any) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def _images(root: Path, found: Found) -> None:
    """Pre- and post-images that hold a purged text; undo of their runs then works entry by entry."""
    for path in (root / layout.STATE_DIR / "runs" / "objects").glob("*/*"):
        if _holds(path.read_bytes(), found):
            path.unlink(missing_ok=True)
    journal.clear(root)


def search(store: Store, ids: Iterable[str] = (), session: str = "", person: str = "", match: str = "") -> Found:
    """What `crab purge ID|--session|--person|--match` means. session: a reference or the start of the client's id;
    person: a name, as in an origin or a contact's file. Raises UsageError for an id that nothing has."""
    keys: set[str] = set()
    if session:
        for (raw,) in store.db.execute("SELECT raw FROM lines WHERE folded = 1 AND kind = 'apply'"):
            consumed = json.loads(raw).get("consumed", {})
            for ref, packed in zip(consumed.get("sessions", []), consumed.get("turns", []), strict=False):
                if session in (ref, ref.rpartition("/")[2]) or ref.rpartition("/")[2].startswith(session):
                    keys |= set(unpack([packed]))
        if not keys:
            raise UsageError(
                f"nothing was read from a session {session}", "`crab show RUN` names the sessions of a run"
            )

    def by_person(entry: Entry) -> bool:
        home = layout.subject_of(entry.path)
        return bool(person) and (
            entry.effective.origin == f"person:{person}"
            or home == f"person:{names.fold_name(person)}"
            or home == f"person:{person.casefold()}"
        )

    return find(store, by_person, [_full_id(store, i) for i in ids], keys, match)


def _full_id(store: Store, name: str) -> str:
    known = {e.id for _, e in _entries(store) if e.id.startswith(name)}
    known |= {r[0] for r in store.db.execute("SELECT id FROM copies WHERE substr(id, 1, ?) = ?", (len(name), name))}
    if len(name) < trash.SHORT or len(known) != 1:
        many = "several entries are" if len(known) > 1 else "no entry is"
        raise UsageError(f"{many} called {name}", "give more of the id")
    return known.pop()


def forget_state(store: Store) -> None:
    """Remove the state database, which holds texts; it is made again from the files and the ledger."""
    store.db.close()
    for suffix in ("", "-wal", "-shm"):
        (store.root / layout.STATE_DIR / f"state.sqlite{suffix}").unlink(missing_ok=True)
