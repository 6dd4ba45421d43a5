"""A person's own words and what they only passed on: fenced, quoted and forwarded blocks inside a turn are nobody's
word."""

from __future__ import annotations

import re
from dataclasses import replace

from crustacean.transcripts.session import Turn

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FORWARDED = re.compile(
    r"-{2,} ?(?:forwarded message|original message|weitergeleitete nachricht|ursprüngliche nachricht|mensaje reenviado"
    r"|mensaje original|message transféré|message d'origine|mensagem encaminhada) ?-{2,}|begin forwarded message:",
    re.IGNORECASE,
)


def parts(turn: Turn) -> list[Turn]:
    """The turn as its own words and, marked untrusted, what is quoted in it; both keep the key and position. A turn
    without such blocks, or that is no person's, comes back as it is."""
    if turn.speaker.role != "person" or turn.untrusted:
        return [turn]
    own, passed_on = split(turn.text)
    if not passed_on:
        return [turn]
    quoted = replace(turn, text=passed_on, untrusted=True)
    return [replace(turn, text=own), quoted] if own else [quoted]


def split(text: str) -> tuple[str, str]:
    """(own words, quoted text). Linear in the text; a fence that is never closed quotes the rest."""
    own: list[str] = []
    passed_on: list[str] = []
    fence = ""
    forwarded = False
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            passed_on.append(line)
            if opening and opening[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif opening:
            fence = opening[1]
            passed_on.append(line)
        elif forwarded or line.lstrip().startswith(">"):
            passed_on.append(line)
        elif _FORWARDED.match(line.strip()):
            forwarded = True
            passed_on.append(line)
        else:
            own.append(line)
    return "\n".join(own).strip(), "\n".join(passed_on).strip()
