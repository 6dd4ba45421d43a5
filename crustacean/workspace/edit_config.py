"""Changing crab.toml without touching a person's comments, order and line ends."""

from __future__ import annotations

import contextlib
import os
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Array, Table

from crustacean.errors import UsageError, WorkspaceError
from crustacean.workspace import layout, shipped

LONG = 2
"""A list with more items than this is written one item a line."""
_BOM = "\ufeff"


def first_settings(
    *, timezone: str, owner: Iterable[str] = (), name: str = "", model: str = "", sources: Iterable[str] = ()
) -> str:
    """The text of a new crab.toml: the shipped one with these values. Raises UsageError for a value that is no text."""
    document = tomlkit.parse((shipped.folder("templates") / layout.SETTINGS).read_text(encoding="utf-8"))
    document["timezone"] = _plain("--timezone", timezone)
    _table(document, "owner")["name"] = _plain("--name", name)
    _fill(_table(document, "owner"), "ids", [_plain("--owner", o) for o in owner])
    _fill(_table(document, "sources"), "include", [_plain("--source", s) for s in sources])
    if model:
        _table(document, "models")["default"] = _plain("--model", model)
    return tomlkit.dumps(document)


def _plain(option: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as err:
        raise UsageError(f"{option} {value!a} is not UTF-8", "write it in UTF-8") from err
    return value


def change_sources(root: Path, key: str, change: Callable[[list[str]], list[str]]) -> list[str]:
    """Change the list `sources.KEY` ("include" or "exclude") of crab.toml; returns it.

    Only what comes or goes is touched; a list that stays the same leaves the file as it is. Raises WorkspaceError where
    the file can't be read or written, or is a symlink (its target may be shared with other workspaces).
    """
    path = root / layout.SETTINGS
    before, document = _read(path)
    held = _table(document, "sources").get(key, [])
    if not isinstance(held, list):
        raise WorkspaceError(f"{path}: sources.{key} is not a list of strings", "mend it by hand")
    old = [str(v) for v in held]
    new = change(list(old))
    if new == old:
        return new
    _fill(_table(document, "sources"), key, new)
    after = tomlkit.dumps(document)
    if not _only_that(before, after, key, new):
        raise WorkspaceError(f"{path}: sources.{key} can't be changed without touching the rest", "change it by hand")
    _write(path, after)
    return new


def _read(path: Path) -> tuple[dict[str, Any], tomlkit.TOMLDocument]:
    """What the file says, and the file as it can be changed."""
    try:
        text = path.read_bytes().decode("utf-8").removeprefix(_BOM)
        return tomllib.loads(text), tomlkit.parse(text)
    except OSError as err:
        raise WorkspaceError(f"{path} can't be read: {err.strerror}", "check its permissions") from err
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError, TOMLKitError) as err:
        raise WorkspaceError(f"{path}: {err}", "mend it by hand") from err


def _table(document: tomlkit.TOMLDocument, name: str) -> Table:
    held = document.get(name)
    if isinstance(held, Table):
        return held
    if held is not None:
        raise WorkspaceError(f"{layout.SETTINGS}: {name} is not a table of its own", f"write it as [{name}]")
    table = tomlkit.table()
    document[name] = table
    return table


def _fill(table: Table, key: str, new: Sequence[str]) -> None:
    """Make a list hold these items. What stays keeps its place and its comment."""
    held = table.get(key)
    if not isinstance(held, Array):
        held = tomlkit.array()
        table[key] = held
    wanted = list(new)
    for at in range(len(held) - 1, -1, -1):
        if str(held[at]) not in wanted:
            del held[at]
    if [str(v) for v in held] != wanted[: len(held)]:
        held.clear()
    fresh = not held
    for item in wanted[len(held) :]:
        held.append(item)
    if fresh and len(held) > LONG:
        held.multiline(True)


def _only_that(before: dict[str, Any], after: str, key: str, new: list[str]) -> bool:
    """Whether a new text differs in that list alone from what the file said."""
    try:
        return tomllib.loads(after) == before | {"sources": before.get("sources", {}) | {key: new}}
    except tomllib.TOMLDecodeError:
        return False


def _write(path: Path, text: str) -> None:
    if path.is_symlink():
        raise WorkspaceError(f"{path} is a symlink; crab does not write through it", f"change {path.resolve()} by hand")
    temp = path.with_name(f".{path.name}.crab-tmp")
    try:
        temp.unlink(missing_ok=True)
        with temp.open("xb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        temp.chmod(path.stat().st_mode & 0o7777)
        temp.replace(path)
    except OSError as err:
        with contextlib.suppress(OSError):  # the folder that refused the file may refuse this too
            temp.unlink(missing_ok=True)
        raise WorkspaceError(f"{path} can't be written: {err.strerror}", "check permissions and space") from err
