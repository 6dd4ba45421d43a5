"""The unified diff of a plan, as git would print it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping


def unified(changes: Mapping[str, tuple[bytes | None, bytes | None]]) -> str:
    """A unified diff of path -> (bytes before, bytes after), files in path order. A last line without a newline is
    marked as git marks it; bytes that are not UTF-8 show as replacement characters."""
    out: list[str] = []
    for path in sorted(changes):
        before, after = changes[path]
        lines = difflib.unified_diff(
            _lines(before),
            _lines(after),
            "/dev/null" if before is None else f"a/{path}",
            "/dev/null" if after is None else f"b/{path}",
        )
        for line in lines:
            out.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(out)


def _lines(data: bytes | None) -> list[str]:
    if not data:
        return []
    *whole, tail = data.decode("utf-8", "replace").split("\n")
    return [line + "\n" for line in whole] + ([tail] if tail else [])
