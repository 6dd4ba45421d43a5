"""Collect by rules: from turns to the reply's edits."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from crustacean.models.offline import agent, correct, guard, merge, person, refer, rewrite, talk, topic
from crustacean.models.offline.lead import Core
from crustacean.models.offline.memory import Memory
from crustacean.models.offline.statement import Said, Statement
from crustacean.models.protocol import Request

MOST_EDITS = 150
"""Edits of one reply; a batch has fewer, unless its turns are pages."""

_IMPORTANCE = {
    "decision": 7, "correction": 7, "preference": 7, "reminder": 7, "promise": 6, "plan": 6, "person": 6, "lesson": 7,
    "fact": 5, "idea": 4, "feeling": 4, "quote": 3, "joke": 2,
}  # fmt: skip
_WEIGHTY = re.compile(
    r"\b(?:allerg\w+|once and for all|final|never|always|important|critical|urgent|deadline|surgery|operation"
    r"|pregnan\w+|died"
    r"|passed away|wedding|fired|diagnos\w+|legal|contract)\b",
    re.IGNORECASE,
)

_FENCE = re.compile(r"`{2,}|~{3,}")
"""Marks that would open a block; inside one sentence a single one says as much."""


def reply(request: Request) -> dict[str, Any]:
    """The reply to Collect's request, from its turns: appends and notes. Nothing notable: an empty list."""
    left_out: Counter[str] = Counter()
    edits: list[dict[str, Any]] = []
    for conversation in talk.conversations(request.turns):
        statements, passed = read(conversation)
        left_out += passed
        edits += [_edit(s, name) for s, name in zip(statements, topic.name_all(statements), strict=True)]
    return {"edits": edits[:MOST_EDITS], "notes": _notes(left_out)}


def read(conversation: list[Said]) -> tuple[list[Statement], Counter[str]]:
    """The statements of a conversation in order, corrections applied, repeats merged; what was left out, by reason."""
    memory = Memory()
    for said in conversation:
        if said.report:
            _report(said, memory)
        elif said.agent:
            _agent(said, memory)
        else:
            person.read(said, memory)
            own = " ".join(s.text for s in said.sentences if not s.pasted)
            memory.last_name = said.name
            memory.last_person, memory.keep_asked = own, bool(agent.KEEP_REQUEST.search(own)) and not said.untrusted
        _asked(said, memory)
    correct.resolve(memory.statements)
    kept = merge.repeats(memory.statements)
    return [s for s in kept if s.labels and s.text], memory.left_out


def _asked(said: Said, memory: Memory) -> None:
    last = said.sentences[-1] if said.sentences else None
    asks = last is not None and last.question and not last.pasted and not said.untrusted
    memory.asked = (last.text, said.agent) if asks and last is not None else None
    if said.agent:
        plain = [s.text for s in said.sentences if agent.usable(s)]
        memory.last_agent = (plain[0], said.label) if plain else ("", "")


def _agent(said: Said, memory: Memory) -> None:
    """The agent's turn: what confirms more than the person said, and results."""
    for place, sentence in enumerate(said.sentences):
        told = agent.confirmation(sentence.text) if agent.usable(sentence) else ""
        if told and _tells_more(told, said, memory):
            memory.statements.append(_from_agent(said, place, told, "fact", memory, "kept on request"))
    for place, text, tag, _ in agent.results(said, memory.last_person):
        if not any(s.order == said.order and s.place == place for s in memory.statements):
            memory.statements.append(_from_agent(said, place, text, tag, memory, "a result the agent stated"))


def _tells_more(told: str, said: Said, memory: Memory) -> bool:
    """Whether a confirmation holds what the person's own words, as kept, do not."""
    if guard.injected(told, strict=True) or re.match(r"(?:i|i'll|i will|we|shall|will)\b", told, re.IGNORECASE):
        return False
    recent = [s for s in memory.statements if said.order - s.order <= 4 and not s.agent]
    if any(merge.covers(s.text, told, s.who) for s in recent) or (
        recent and merge.covers(" ".join(s.text for s in recent), told, recent[-1].who)
    ):
        return False
    return memory.keep_asked and len(told) >= 12


def _from_agent(said: Said, place: int, text: str, tag: str, memory: Memory, why: str) -> Statement:
    person_name = memory.last_name or talk.THE_USER
    if said.english and agent.YOURS.match(text):
        text = re.sub(r"^you\b", "I", re.sub(r"\byour\b", "my", text, flags=re.IGNORECASE), flags=re.IGNORECASE)
        text = rewrite.statement(Core(text), "fact", person_name)
    statement = Statement(
        text=_sentence(text), tag=tag, weight=2.0, order=said.order, place=place, core=text, who=person_name,
        lang=said.lang, local=said.local, project=said.project, why=why, agent=True,
    )  # fmt: skip
    statement.cite([said.label])
    return statement


def _sentence(text: str) -> str:
    text = text.strip()
    if text[:1].islower() and not re.match(r"\S*[/._=\d]\S*|[a-z]+[A-Z]|[a-z]+ now\b", text):
        text = text[0].upper() + text[1:]
    return text if text[-1:] in ".!?。！？" else text + "."


def _report(said: Said, memory: Memory) -> None:
    text = agent.report(said)
    if text:
        statement = _from_agent(said, 0, text, "fact", memory, "the report of an unattended run")
        memory.statements.append(statement)


def _edit(statement: Statement, name: str) -> dict[str, Any]:
    importance = statement.importance if statement.pasted else _IMPORTANCE[statement.tag]
    if _WEIGHTY.search(statement.text):
        importance += 1
    if statement.agent:
        importance -= 2
    return {
        "op": "append",
        "topic": name,
        "tag": statement.tag,
        "text": _FENCE.sub("`", statement.text),
        "sources": statement.labels[:20],
        "importance": max(1, min(10, importance)),
        "due": statement.due or None,
        "about": _about(statement),
        "why": statement.why,
    }


def _about(statement: Statement) -> list[str]:
    """What a statement is about: its speaker where it tells of them, the people it names, the project."""
    found = [f"person:{name}" for name in refer.known(statement.text)]
    who = statement.who
    if who not in (talk.THE_USER, talk.SOMEONE) and who in statement.text:
        found.insert(0, f"person:{who}")
    if statement.project:
        found.append(f"project:{statement.project}")
    return list(dict.fromkeys(found))[:8]


def _notes(left_out: Counter[str]) -> str:
    if not left_out:
        return ""
    return "Left out: " + ", ".join(f"{number} of {reason}" for reason, number in sorted(left_out.items())) + "."
