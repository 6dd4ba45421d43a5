"""The readers there are: ours and those of other packages, all by the entry point group `crustacean.readers`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from crustacean.transcripts.session import Reader

GROUP = "crustacean.readers"
_OURS = "crustacean.transcripts."
_BROKEN = (ImportError, AttributeError, SyntaxError, RuntimeError)
"""What loading a package raises that is not there, lacks a part or is not of this Python; such a one is named, and the
others go on."""
_PARTS = ("find", "recognises", "files", "read")


def readers() -> Mapping[str, Reader]:
    """The readers by the name of their entry point, ours first."""
    return _loaded()[0]


def problems() -> Mapping[str, str]:
    """The entry points that give no reader, by name, each with what is wrong."""
    return _loaded()[1]


@cache
def _loaded() -> tuple[dict[str, Reader], dict[str, str]]:
    return load(entry_points(group=GROUP))


def load(entries: Iterable[EntryPoint]) -> tuple[dict[str, Reader], dict[str, str]]:
    """Readers and problems of these entry points. A name of ours can't be taken by another package."""
    found: dict[str, Reader] = {}
    wrong: dict[str, str] = {}
    for entry in sorted(entries, key=lambda e: (not e.value.startswith(_OURS), e.name, e.value)):
        if entry.name in found:
            wrong[f"{entry.name} ({entry.value})"] = "there is a reader of this name already"
            continue
        try:
            reader = entry.load()
        except _BROKEN as error:
            wrong[entry.name] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            continue
        lacking = [part for part in _PARTS if not callable(getattr(reader, part, None))]
        if lacking or not isinstance(getattr(reader, "client", None), str):
            wrong[entry.name] = f"{entry.value} is no reader: it has no {lacking[0] if lacking else 'client'}"
        else:
            found[entry.name] = reader
    return found, wrong
