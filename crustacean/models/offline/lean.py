"""Sentences that lean on another one: what goes on, what only points back, what puts a value right."""

from __future__ import annotations

import re

from crustacean.models.offline import guard, refer, rewrite, words
from crustacean.models.offline.classify import Verdict
from crustacean.models.offline.english import PASSING, TROUBLE
from crustacean.models.offline.measure import length, structure
from crustacean.models.offline.memory import LONGEST, Heard, Reading, new
from crustacean.models.offline.statement import Statement
from crustacean.models.offline.values import values
from crustacean.models.offline.weigh import RANK

_BACK = re.compile(
    r"^(?:that'?s|that is|this is|it'?s) (?:a|the|our|my|final|important|decided|settled|an?)\b.{0,40}(?:rule"
    r"|standard|policy|decision|final|important|norm|know|remember|default|law|agreement)\b"
    r"|^(?:final|decided|settled|important|that'?s final|no discussion|remember (?:that|this)|that is decided)\W*$",
    re.IGNORECASE,
)
_SETTLES = re.compile(r"(?:that'?s |that is )?(?:final|decided|settled)", re.IGNORECASE)
_MENDS = re.compile(r"\b(?:i (?:mean|meant)|rather|wrong|correction)\b", re.IGNORECASE)


def points_back(text: str) -> bool:
    """ "That's a rule you should know", "Final.": it speaks of the sentence before."""
    return bool(_BACK.match(text))


def verdict_on(text: str) -> Verdict:
    """What a sentence that points back makes of the one before it."""
    return Verdict("decision" if _SETTLES.match(text) else "fact", 2.5, "said to hold")


def goes_on(heard: Heard, *, english: bool) -> bool:
    """Whether an unkept sentence is still part of the one kept before it: "Cursor only." or "It seats twelve." """
    text = heard.core.text
    if not english:
        return not (heard.empty or heard.verdict.task or heard.sentence.opens) and length(text) >= 3
    if heard.empty or heard.verdict.task or heard.sentence.opens or TROUBLE.search(text) or heard.verdict.weight < -1.5:
        return False
    about = len(words.content(text))
    return about > 0 and (not words.has_verb(text) or (refer.leans(text) and about >= 2))


def may_precede(before: Heard) -> bool:
    """Whether a sentence says something that another one can be added to."""
    return not before.empty and not TROUBLE.search(before.core.text)


def details(heard: Heard, before: Heard | None) -> bool:
    """Whether words without a verb tell enough to be kept with what was said before: "Six months, from January"."""
    text = heard.core.text
    if before is None or not may_precede(before):
        return False
    if heard.empty or heard.verdict.task or words.has_verb(text) or PASSING.search(text):
        return False
    return structure(text) >= 1 and len(words.content(text)) >= 2


def mends(heard: Heard) -> bool:
    """Whether a few words only put right a value said before: "sorry, the 23rd", "17:00 I mean"."""
    text = heard.core.text
    if heard.sentence.question or len(words.words(text)) > 10:
        return False
    return bool(heard.core.corrects or _MENDS.search(text)) and any(v.kind != "name" for v in values(text))


def mended(reading: Reading, heard: Heard) -> Statement:
    """A statement that is only there to correct another one."""
    verdict = Verdict("correction", 2.0, "something said before is corrected")
    statement = new(reading.said, heard.place, heard.core, verdict, heard.core.text)
    statement.correction = statement.fragment = True
    return statement


def with_before(reading: Reading, before: Heard, text: str) -> str:
    """The sentence before, as a statement, and `text` after it."""
    said = reading.said
    first = rewrite.statement(before.core, "fact", said.name, we=reading.we, task=before.verdict.task)
    return reading.spell(f"{first} {text}"[:LONGEST])


def with_turn_before(reading: Reading, statement: Statement) -> None:
    """Put what the turn before was about beside a statement that only points at it."""
    said, memory = reading.said, reading.memory
    earlier = [s for s in memory.statements if said.order - s.order <= 3 and not s.gone]
    told, label = memory.last_agent
    if earlier:
        statement.text = f"{statement.text} ({earlier[-1].text.rstrip('.')})"
        statement.cite(earlier[-1].labels)
    elif len(words.content(told)) >= 2 and len(told) <= 160 and not guard.injected(told, strict=True):
        statement.text = f"{statement.text} ({told.rstrip('.?')})"
        statement.cite([label])


def absorb(last: Statement, more: Statement) -> bool:
    """Make one statement of two that belong together; False where it would become too long."""
    if not join(last, more.text):
        return False
    last.tag = min(last.tag, more.tag, key=RANK.index)
    last.due = last.due or more.due
    last.weight = max(last.weight, more.weight)
    last.core += " " + more.core
    return True


def join(statement: Statement, text: str) -> bool:
    """Add a sentence to a statement; False where there is none or it would become too long."""
    text = text.strip()
    if not text or len(statement.text) + len(text) >= LONGEST:
        return False
    ending = "" if text[-1] in ".!?…" else "."
    statement.text = f"{statement.text} {text[0].upper() + text[1:] if text[:1].islower() else text}{ending}"
    return True
