"""What is known while a conversation is read: what has been said, what has been kept, what was asked."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from crustacean.models.offline import days
from crustacean.models.offline.classify import Verdict
from crustacean.models.offline.lead import Core
from crustacean.models.offline.statement import Said, Sentence, Statement

LONGEST = 480
"""Characters of the longest statement that is made of several sentences."""

_REPEATS = re.compile(r"\b(?:every|each|weekly|monthly|daily)\b", re.IGNORECASE)
_CORRECTS = re.compile(
    r"\b(?:no,? wait|wait,? no|scratch that|make (?:it|that) (?:the )?\S{0,3}\d"
    r"|correct(?:ion|ed)|wrong|mistaken?|mixed|i mean|i meant|changed to|no longer|not \w+ any ?more"
    r"|korrektur|geirrt|sondern"
    r"|equivocad[oa]|equivoqu|corrección|erreur|trompée?|errei|enganei|sbagliat[oa]|vergist)\b|訂正|間違|更正|说错|搞错|记错",
    re.IGNORECASE,
)
_DATED = ("reminder", "plan", "promise")


@dataclass(slots=True)
class Memory:
    """One conversation so far.

    texts: the latest sentences with their speakers, nearest first. asked: the question the last turn ended with, and
    whether it was the agent's. last_agent: what the agent said last, and the label of that turn. last_person,
    last_name: what a person said last, and who. keep_asked: they asked to keep something. month: the one last named.
    left_out: sentences that were not kept, by reason.
    """

    statements: list[Statement] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    asked: tuple[str, bool] | None = None
    last_agent: tuple[str, str] = ("", "")
    last_person: str = ""
    last_name: str = ""
    keep_asked: bool = False
    month: str = ""
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Heard:
    """One sentence of a turn with what was made of it."""

    place: int
    sentence: Sentence
    core: Core
    verdict: Verdict

    @property
    def empty(self) -> bool:
        """A question or a nod: nothing that another sentence could go on from."""
        return self.verdict.reason in ("a question", "an acknowledgement")


@dataclass(slots=True)
class Reading:
    """The reading of one turn: what it gave so far, the sentence before, and the statement that sentence went into."""

    said: Said
    memory: Memory
    found: list[Statement] = field(default_factory=list)
    before: Heard | None = None
    last: Statement | None = None

    @property
    def day(self) -> date:
        return self.said.local.date()

    @property
    def we(self) -> str:
        """Who "we" are."""
        return "The group" if self.said.group else self.said.name

    def spell(self, text: str) -> str:
        """English text with relative days put as days."""
        return days.spell(text, self.day, self.memory.month)


def new(said: Said, place: int, core: Core, verdict: Verdict, text: str) -> Statement:
    """A statement of one turn, with its source, and the day it is due where it is something to come."""
    statement = Statement(
        text=text,
        tag=verdict.tag,
        weight=verdict.weight,
        order=said.order,
        place=place,
        core=core.text,
        who=said.name,
        lang=said.lang,
        local=said.local,
        project=said.project,
        why=verdict.reason,
        correction=core.corrects or core.label == "correction" or bool(_CORRECTS.search(core.text)),
    )
    statement.cite([said.label])
    if verdict.tag in _DATED and not _REPEATS.search(core.text):
        statement.due = days.due(text if said.english else core.text, said.local.date())
    return statement
