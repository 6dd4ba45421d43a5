"""What the rules pass along: sentences as they were said, and statements on their way into memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of one turn.

    pasted: it stands in a quotation, a letter or a forwarded mail, so nobody present said it.
    opens: it begins a paragraph, list item or line.
    """

    text: str
    question: bool = False
    pasted: bool = False
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """One turn, cut into sentences.

    order: its place among all turns of the request. label: "" where it is context only. name: how the speaker is
    called in a statement. agent: said by the agent, not by a person. lang: ISO code, "" where unknown.
    tool_before: a tool answered between this turn and the one before it. report: said in an unattended run.
    project: the name of the directory it was said in, "" without one.
    """

    order: int
    label: str
    name: str
    agent: bool
    untrusted: bool
    group: bool
    report: bool
    local: datetime
    lang: str
    sentences: tuple[Sentence, ...]
    tool_before: bool = False
    project: str = ""

    @property
    def english(self) -> bool:
        return self.lang in ("", "en")


@dataclass(slots=True)
class Statement:
    """One thing worth keeping.

    text: stands alone. core: the words as said, without lead-ins. who: the speaker's name in statements.
    project: the name of the directory it was said in, "" without one.
    fragment: "sorry, the 23rd": worth nothing unless it corrects something. gone: overturned, or said elsewhere.
    order: the turn it was said in, `place` its sentence there. weight: how sure the rules are (2 is enough).
    """

    text: str
    tag: str
    weight: float
    order: int
    place: int
    core: str
    who: str
    lang: str
    local: datetime
    labels: list[str] = field(default_factory=list)
    importance: int = 5
    due: str = ""
    why: str = ""
    agent: bool = False
    pasted: bool = False
    correction: bool = False
    project: str = ""
    fragment: bool = False
    gone: bool = False

    def cite(self, labels: Iterable[str]) -> None:
        """Name further turns as sources, once each; context turns ("") can't be one."""
        self.labels.extend(label for label in dict.fromkeys(labels) if label and label not in self.labels)
