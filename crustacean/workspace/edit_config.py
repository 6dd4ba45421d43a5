"""Changing crab.toml without touching a person's comments and order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Array

from crustacean.errors import WorkspaceError
from crustacean.workspace import layout, shipped


def first_settings(
    *, timezone: str, owner: Iterable[str] = (), name: str = "", model: str = "", sources: Iterable[str] = ()
) -> str:
    """The text of a new crab.toml: the shipped one with these values."""
    document = tomlkit.parse((shipped.folder("templates") / layout.SETTINGS).read_text(encoding="utf-8"))
    document["timezone"] = timezone
    _table(document, "owner")["name"] = name
    _table(document, "owner")["ids"] = list(owner)
    _table(document, "sources")["include"] = list(sources)
    if model:
        _table(document, "models")["default"] = model
    return tomlkit.dumps(document)


def _table(document: tomlkit.TOMLDocument, name: str) -> tomlkit.items.Table:
    table = document.get(name)
    if not isinstance(table, tomlkit.items.Table):
        table = tomlkit.table()
        document[name] = table
    return table


def change_sources(root: Path, key: str, change: Callable[[list[str]], list[str]]) -> list[str]:
    """Change the list `sources.KEY` ("include" or "exclude"); returns it. Raises WorkspaceError."""
    path = root / layout.SETTINGS
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, TOMLKitError) as err:
        raise WorkspaceError(f"{path} can't be read: {err}", "mend it by hand") from err
    table = _table(document, "sources")
    held = table.get(key)
    old = [str(v) for v in held] if isinstance(held, list) else []
    new = change(list(old))
    if new != old:
        array: Array = tomlkit.array()
        array.extend(new)
        table[key] = array.multiline(len(new) > 2)
        temp = path.with_name(f".{path.name}.crab-tmp")
        try:
            temp.write_text(tomlkit.dumps(document), encoding="utf-8", newline="")
            os.chmod(temp, path.stat().st_mode & 0o7777)
            os.replace(temp, path)
        except OSError as err:
            temp.unlink(missing_ok=True)
            raise WorkspaceError(f"{path} can't be written: {err.strerror}", "check permissions and space") from err
    return new
