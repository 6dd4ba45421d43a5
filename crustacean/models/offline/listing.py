"""Finds code, diffs, logs and test output that were pasted without a fence."""

from __future__ import annotations

import re

FEW = 3
"""Lines that must look like a listing before a turn is taken to hold one."""

_GAP = 6
"""Lines between two lines of a listing that belong to it as well: comments, blank lines, messages."""

_LINE = re.compile(
    r"^\s{4,}(?![-*•]\s|\d+[.)]\s)\S"
    r"|^[-+]\s{2,}\S|^(?:diff |index [0-9a-f]{6,}|@@ |--- \S|\+\+\+ |commit [0-9a-f]{7,}|Traceback\b"
    r"|\s*File \"|E {2,}|>\s{2,}\S|\$ |>>> |\.\.\. |#include|#!|platform \w+ --|rootdir:|plugins:|collected \d"
    r"|npm |\s*at \S+\(\S*:\d+)"
    r"|[=_~-]{5,}|^\s*(?:def|class|import|from|return|if|else|elif|for|while|try|except|with|async|function"
    r"|const|let|var|public"
    r"|private|static|export|func|fn|SELECT|INSERT|UPDATE|CREATE)\b.*[:;{(=)]\s*$|^\s*[}\])]+[;,]?\s*$"
    r"|\S\.\w{1,5}:\d+\b"
    r"|[;{]\s*$|[=!<>]=|=>|->|:=|&&|\|\||\[\s*\d+%\]|^\s*</?\w+[^>]*>"
)


def spoken(lines: list[str]) -> list[str]:
    """The lines of a turn without its listings; a lone line that only looks like code stays."""
    marked = [n for n, line in enumerate(lines) if _LINE.search(line[:400])]
    if len(marked) < FEW:
        return lines
    dropped: set[int] = set()
    start = before = marked[0]
    count = 1
    for n in [*marked[1:], len(lines) + _GAP + 1]:
        if n - before - 1 <= _GAP:
            count += 1
        else:
            if count >= FEW:
                dropped.update(range(start, before + 1))
            start, count = n, 1
        before = n
    return [line for n, line in enumerate(lines) if n not in dropped]
