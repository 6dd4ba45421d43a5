"""What stands before and after the thing said: greetings, "by the way", "Decision:", "keep that in mind"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crustacean.models.offline.english import LABELS, PATTERNS

_WRONG = re.compile(r"\b(?:wrong|mixed|messed|mistake|my bad|mis-?spoke|mis\w+ed)\b")
_CORRECTING = re.compile(rf"^(?:sorry|actually|no\b|oops|nope)|\bconfusion\b|{_WRONG.pattern}")


@dataclass(frozen=True, slots=True)
class Core:
    """A sentence without its lead-in and tail.

    label: the tag a person put before it ("Decision:"), "" without. to_keep: the person asks to keep it in mind.
    affirms: it begins with a yes. corrects: it begins with "sorry", "actually" or "no,". tag_question: it wants a nod.
    """

    text: str
    label: str = ""
    to_keep: bool = False
    affirms: bool = False
    corrects: bool = False
    tag_question: bool = False


def core(sentence: str) -> Core:
    """Take off what only leads in or tails off, and remember what it said about the sentence."""
    text = sentence.strip().replace("’", "'")
    asked = PATTERNS["tag_question"].search(text) if text.endswith("?") else None
    if asked and asked.start() >= 12:
        text = text[: asked.start()].rstrip(" ,;–—-")
    label, corrects = "", False
    recalled = PATTERNS["recalled"].match(text)
    if recalled and text.endswith("?"):
        text, asked = text[recalled.end() : -1] + ".", recalled
    text = PATTERNS["inner"].sub("", text)
    affirms = bool(PATTERNS["affirm"].match(text))
    to_keep = bool(PATTERNS["keep"].search(text))
    for _ in range(6):
        tagged = next(((tag, m) for tag, pattern in LABELS if (m := pattern.match(text))), None)
        match = tagged[1] if tagged else PATTERNS["lead"].match(text)
        if not match or not match.end():
            break
        taken = match.group().lower()
        if tagged:
            label = label or tagged[0]
            if re.search(r" (?:on|to|for) ", taken):
                break
        if _CORRECTING.search(taken):
            corrects = True
        if _WRONG.search(taken):
            label = label or "correction"
        if len(text) - match.end() < 2:
            break
        text = text[match.end() :]
    tail = PATTERNS["tail"].search(text[-80:])
    if tail and len(text) - len(tail.group()) >= 8:
        text = text[: len(text) - len(tail.group())] + tail.group(1)
    return Core(text.strip(), label, to_keep, affirms, corrects, bool(asked))
