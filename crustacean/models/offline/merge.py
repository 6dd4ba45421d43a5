"""Makes one of statements that say the same: the fuller wording stays, with the sources of both."""

from __future__ import annotations

from crustacean.models.offline import words
from crustacean.models.offline.statement import Statement
from crustacean.text import figures, similar

CAP = 6
"""Statements kept of one turn: more than that is a document, not talk."""


def repeats(statements: list[Statement]) -> list[Statement]:
    """Statements without those that another one says as well; a person's words win over the agent's."""
    kept: list[Statement] = []
    for statement in statements:
        if statement.gone:
            continue
        twin = next((k for k in kept if _says_the_same(k, statement)), None)
        if twin is None:
            kept.append(statement)
            continue
        if _fuller(statement, twin):
            statement.labels, theirs = list(twin.labels) if twin.agent == statement.agent else [], statement.labels
            statement.cite(theirs)
            kept[kept.index(twin)] = statement
            statement.importance = max(statement.importance, twin.importance)
            statement.due = statement.due or twin.due
        elif statement.agent == twin.agent:
            twin.cite(statement.labels)
            twin.due = twin.due or statement.due
    return _capped(kept)


def _fuller(new: Statement, old: Statement) -> bool:
    if new.agent != old.agent:
        return old.agent
    if old.correction:
        return False
    more, fewer = figures.figures(new.text), figures.figures(old.text)
    return more > fewer or (more == fewer and len(new.text) > len(old.text))


def _says_the_same(a: Statement, b: Statement) -> bool:
    if a.agent != b.agent:
        agent, person = (a, b) if a.agent else (b, a)
        return covers(person.text, agent.text, person.who)
    one, two = words.content(a.text), words.content(b.text)
    shared, fewer = len(one & two), min(len(one), len(two))
    if shared * 2 < fewer:
        return False
    return similar.same(a.text, b.text) or (shared * 10 >= 8 * fewer >= 24 and _figures_within(a.text, b.text))


def _figures_within(a: str, b: str) -> bool:
    one, two = figures.figures(a), figures.figures(b)
    return one <= two or two <= one


def covers(person: str, agent: str, who: str) -> bool:
    """Whether what a person (`who`) said holds all that the agent repeats: its figures, and most of its words."""
    new_figures = figures.figures(agent) - figures.figures(person)
    theirs, its = words.content(agent) - words.content(who), words.content(person)
    extra = theirs - its
    return not new_figures and len(extra) * 10 <= 6 * max(1, len(theirs)) and bool(theirs & its)


def _capped(statements: list[Statement]) -> list[Statement]:
    by_turn: dict[int, list[Statement]] = {}
    for statement in statements:
        by_turn.setdefault(statement.order, []).append(statement)
    dropped = {
        id(s) for several in by_turn.values() for s in sorted(several, key=lambda s: -s.weight)[CAP:] if not s.pasted
    }
    return [s for s in statements if id(s) not in dropped]
