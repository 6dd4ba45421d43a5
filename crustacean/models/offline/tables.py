"""The rules as data: one TOML file a language in the folder `tables`.

    [[cue]]      tag, weight, why (in a few words) and pattern: what marks a kind of statement; weights of a tag add up
    [pattern]    named patterns: passing talk, questions, tasks, dates, a first person's words
    [label]      by tag, what a person may put before a statement ("Decision: ...")
    [words]      word lists

Patterns are matched without regard to case. Line breaks in them are dropped; `<date>`, `<day>`, `<kin>` and the like
stand for the patterns of `words`. None may backtrack over more than a few words: what they read is hostile.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from crustacean.models.offline import words

_SHORT: Mapping[str, str] = {
    "<date>": words.DATE,
    "<day>": words.DAY,
    "<month>": words.MONTH,
    "<quantity>": words.QUANTITY,
    "<kin>": words.KIN,
    "<we>": r"(?:we|i|they|the (?:team|board|group|family|client|committee|council)|everyone|management)",
    "<have>": r"(?:'ve| have| has|'d| had)?(?: (?:just|finally|now|all|already|also|both|actually))?",
    "<named>": r"(?:[A-Z][\w'’&.-]+)",
}


class Cue(NamedTuple):
    tag: str
    weight: float
    pattern: re.Pattern[str]
    why: str


class Table(NamedTuple):
    """What a language's file holds, compiled."""

    cues: tuple[Cue, ...]
    patterns: Mapping[str, re.Pattern[str]]
    labels: tuple[tuple[str, re.Pattern[str]], ...]
    words: Mapping[str, frozenset[str]]


def of(language: str) -> Table | None:
    """The table of a language by ISO code, None where there is none."""
    return load(language) if language in languages() else None


@cache
def load(name: str) -> Table:
    """The table in the file NAME.toml."""
    raw = tomllib.loads(files(__package__).joinpath("tables", f"{name}.toml").read_text(encoding="utf-8"))
    return Table(
        tuple(
            Cue(row["tag"], float(row["weight"]), _compiled(row["pattern"]), row.get("why", ""))
            for row in raw.get("cue", ())
        ),
        {name: _compiled(pattern) for name, pattern in raw["pattern"].items()},
        tuple((tag, _compiled(rf"{pattern}\s?[:–—-]\s+")) for tag, pattern in _rows(raw, "label")),
        {name: frozenset(text.split()) for name, text in _rows(raw, "words")},
    )


@cache
def languages() -> frozenset[str]:
    """ISO codes of the languages that have a table."""
    folder = files(__package__).joinpath("tables")
    return frozenset(f.name.removesuffix(".toml") for f in folder.iterdir() if len(f.name) == len("en.toml"))


def _rows(raw: Mapping[str, Any], name: str) -> list[tuple[str, str]]:
    table: Mapping[str, str] = raw.get(name, {})
    return list(table.items())


def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.replace("\n", "")
    for short, full in _SHORT.items():
        pattern = pattern.replace(short, full)
    return re.compile(pattern, re.IGNORECASE)
