"""What crab ships beside its code: the stage documents (pipeline/) and what `init` writes (templates/)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HEAD_BYTES = 16_384
"""What `is_ours` needs of a document: frontmatter longer than this is none of crab's."""
_PACKAGE = Path(__file__).resolve().parents[1]
_OURS = re.compile(r"crab:[ \t]*[A-Z-]{1,40}\.md[ \t]*\Z")


@cache
def folder(name: str) -> Path:
    """The folder of shipped files: inside the installed package, or beside it in a source tree."""
    inside = _PACKAGE / "_shipped" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def pipeline(name: str) -> str:
    """The shipped text of a stage document, frontmatter included."""
    return (folder("pipeline") / name).read_text(encoding="utf-8")


def documents() -> list[str]:
    """The names of the shipped stage documents."""
    return sorted(p.name for p in folder("pipeline").glob("*.md"))


def is_ours(text: str) -> bool:
    """Whether a stage document carries crab's frontmatter (`crab: COLLECT.md`): whoever wrote it accepted it as a
    prompt of crab. What stands below the frontmatter does not count."""
    lines = text[:HEAD_BYTES].removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != "---":
        return False
    for at, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return any(_OURS.match(row) for row in lines[1:at])
    return False
