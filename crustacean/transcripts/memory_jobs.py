"""Which sessions and scheduled jobs tend some memory: nothing of them is taken in, and two that tend one memory get in
each other's way."""

from __future__ import annotations

import re

TEXT = 8_000
"""Characters of a job's text that are looked at for `alike`."""
KEYS = ("dreaming-narrative-", ":active-memory:", ":memory-flush")
"""In the session keys of jobs that tend some memory."""
FOLDERS = ("claude-mem-observer-sessions",)
"""Ends of the directories in which such jobs run."""

_NAME = 200
_DOCUMENTED = ("collect", "curate", "consolidate", "compile", "calibrate")
_STAGES = frozenset((*_DOCUMENTED, "tend", "reflect"))
_FILLERS = frozenset(
    "4c daily nightly weekly monthly hourly half job cron run the my auto agent stage system session sessions".split()
)
_NAMES = frozenset({"memory", "memories", "dreaming", "crustacean"})
_ORDERS = (*(f"crab {stage}" for stage in (*sorted(_STAGES), "run")), "memory/.system/", "HOW-IT-WORKS.md")
_WORDS = re.compile(r"[^\W_]+")
_DOCUMENT = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(_DOCUMENTED).upper()})\.md(?![A-Za-z])")
_CRAB = re.compile(r"(?:\A|[\s\"'`;&(/=])crab(?: [a-z]|-[a-z]|\Z)")
DREAMING = "managed-by=memory-core"
"""In the description of the job that OpenClaw's own memory plugin keeps."""
_DOES = (
    r"(?:collect|curat|consolidat|compil|calibrat|compact|distil|extract|flush|dream|prun|tid[iy]|clean|maint|groom"
    r"|organi[sz]|updat|promot|review|reflect|merg|archiv|summar|writ|append|sav|record)"
)
# Memory as a person means it, not that of a computer.
_MEMORY = (
    r"(?:memory\.md|memory/|memor(?:y|ies)\b"
    r"(?! ?-?(?:usage|use\b|leak|limit|pressure|consumption|footprint|card|foam|alert|load|bank|stick|dump|profil))"
    r"|daily (?:log|note)s?\b|session (?:log|transcript)s?\b|session history)"
)
_ABOUT_MEMORY = re.compile(
    rf"\b{_DOES}[a-z]{{0,12}}\W{{1,3}}(?:[\w'-]{{1,20}}\W{{1,3}}){{0,5}}{_MEMORY}|\b{_MEMORY}[ _:-]{{1,3}}{_DOES}"
)


def tends(name: str, prompt: str) -> bool:
    """Whether a scheduled job is one of a memory's stages, crab's or another's: by its name (a name that begins with
    "crab-", a memory's name in it, or nothing but a stage's) or by what its prompt tells it to run."""
    name = name.strip().casefold()[:_NAME]
    named = name.startswith(("crab-", "crab:")) or not _NAMES.isdisjoint(_WORDS.findall(name)) or _is_stage(name)
    return named or any(order in prompt for order in _ORDERS) or _DOCUMENT.search(prompt) is not None


def alike(name: str, text: str) -> bool:
    """Whether a job of that name and text (description, message, command) looks like one that keeps memory and is not
    crab's own."""
    whole = f"{name}\n{text}"[:TEXT]
    low = whole.casefold()
    if _CRAB.search(low):
        return False
    return bool(_is_stage(name) or DREAMING in whole or _DOCUMENT.search(whole) or _ABOUT_MEMORY.search(low))


def _is_stage(name: str) -> bool:
    """Whether a name is that of a stage, with nothing beside it but fillers and numbers."""
    words = {word for word in _WORDS.findall(name[:_NAME].casefold()) if not word.isdecimal()} - _FILLERS
    return bool(words) and words <= _STAGES
