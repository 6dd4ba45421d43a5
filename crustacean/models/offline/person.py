"""From what a person said in one turn to statements."""

from __future__ import annotations

import re
from dataclasses import replace

from crustacean.models.offline import agent, answer, correct, days, guard, lean, paste, refer, rewrite, talk, words
from crustacean.models.offline.classify import Verdict, classify
from crustacean.models.offline.english import FORGET
from crustacean.models.offline.lead import Core, core
from crustacean.models.offline.measure import is_acknowledgement, structure
from crustacean.models.offline.memory import Heard, Memory, Reading, new
from crustacean.models.offline.statement import Said, Statement

_CLAUSE = re.compile(
    r"[,;–—]\s*(?:because |since |as )?(?=(?-i:[A-ZÀ-Þ][a-zà-ÿ]+) [a-z]+s\b"
    r"|(?:she|he|it|they|that|we|i|my|our|this)(?:'s|'re|'m|'ve|'ll)?\b)",
    re.IGNORECASE,
)
_THING = re.compile(
    r"\b(?:my|our|the|a|an) (?:new |old |first |second )?[a-zà-ÿ-]+(?: in [A-ZÀ-Þ][\wà-ÿ]+| for [A-ZÀ-Þ][\wà-ÿ]+"
    r"| [a-z]+)?",
    re.IGNORECASE,
)
_IT = re.compile(r"^(?:it|this|that)('s)?\b", re.IGNORECASE)
_POINTER = re.compile(r"\b(?:it|them|those|that one)\b")
_THIS_PROJECT = re.compile(r"\bthis (project|repo|repository|codebase)\b", re.IGNORECASE)
_NOT_THIS = re.compile(r"\b(?:this|these|any of)\b.{0,12}[,:]", re.IGNORECASE)
_NEAR = 4
_RECENT = 12


def read(said: Said, memory: Memory) -> list[Statement]:
    """The statements of one turn of a person; `memory` learns what was said.

    Of an untrusted turn only labelled values are taken, and what is pasted into a turn is read apart.
    """
    found = [] if said.untrusted else _own(said, memory)
    found += _pasted(said)
    memory.statements += found
    return found


def _own(said: Said, memory: Memory) -> list[Statement]:
    reading = Reading(said, memory)
    for place, sentence in enumerate(said.sentences):
        if sentence.pasted:
            continue
        if guard.secret(sentence.text) or guard.injected(sentence.text, strict=False):
            memory.left_out["secrets and slipped-in orders"] += 1
            reading.before = reading.last = None
            continue
        if FORGET.search(sentence.text):
            _forget(reading, sentence.text)
            reading.before = reading.last = None
            continue
        spoken = core(sentence.text)
        heard = Heard(place, sentence, spoken, classify(spoken, sentence.question, said.lang))
        _take(reading, heard)
        memory.texts.insert(0, (said.name, spoken.text))
        del memory.texts[_RECENT:]
        memory.month = days.month_of(sentence.text) or memory.month
    return reading.found


def _take(reading: Reading, heard: Heard) -> None:
    """Make of one sentence a new statement, more words for the one before it, or nothing."""
    length = len(reading.last.text) if reading.last else 0
    statement = _statement(reading, heard)
    if statement is not None:
        reading.found.append(statement)
        reading.last = statement
    elif reading.last is None or len(reading.last.text) == length:
        reading.last = None
        if not heard.verdict.kept:
            reading.memory.left_out[heard.verdict.reason] += 1
    reading.before = heard


def _forget(reading: Reading, text: str) -> None:
    """A person wants something not kept: this sentence, what the turn said before it, else their last statement."""
    said, memory = reading.said, reading.memory
    memory.left_out["what was not to be kept"] += 1
    if _NOT_THIS.search(text):
        return
    if reading.found or said.sentences[0].text != text:
        reading.found.clear()
    elif memory.statements and said.order - memory.statements[-1].order <= 3 and memory.statements[-1].who == said.name:
        memory.statements.pop()


def _statement(reading: Reading, heard: Heard) -> Statement | None:
    said, spoken = reading.said, heard.core
    if not said.english:
        if heard.verdict.kept:
            return new(said, heard.place, spoken, heard.verdict, _foreign(said, heard.sentence.text))
        if reading.last is not None and lean.goes_on(heard, english=False):
            lean.join(reading.last, heard.sentence.text)
        return None
    if lean.points_back(spoken.text):
        return _backed(reading, spoken.text)
    if not heard.verdict.kept:
        return _unkept(reading, heard)
    name, rest = talk.introduction(spoken.text)
    if name and heard.verdict.tag == "person":
        if len(words.content(rest)) < 2:
            alone = len(said.sentences) == 1 and said.name in (talk.THE_USER, name)
            return new(said, heard.place, spoken, heard.verdict, f"The user is called {name}.") if alone else None
        heard = replace(heard, core=replace(spoken, text=rest))
    if spoken.affirms and not words.has_verb(spoken.text):
        answered = _answered(reading, heard)
        if answered is not None:
            return answered
    return _english(reading, heard)


def _unkept(reading: Reading, heard: Heard) -> Statement | None:
    """What a sentence gives that the rules would not keep for itself."""
    said, last, before = reading.said, reading.last, reading.before
    if last is None and before is not None and lean.details(heard, before):
        detail = heard.core.text
        text = lean.with_before(reading, before, detail[0].upper() + detail[1:])
        verdict = Verdict("plan" if days.due(text, reading.day) else "fact", 2.0, "a detail of what was said")
        return new(said, heard.place, heard.core, verdict, text)
    if last is not None and lean.goes_on(heard, english=True):
        lean.join(last, rewrite.restate(heard.core.text, said.name, we=reading.we, named=True))
        return None
    if lean.mends(heard):
        return lean.mended(reading, heard)
    return _answered(reading, heard) or _clause(reading, heard)


def _english(reading: Reading, heard: Heard) -> Statement | None:
    """A kept sentence as a statement that stands alone, with the sentence or the turn it leans on."""
    said, last, before, verdict = reading.said, reading.last, reading.before, heard.verdict
    spoken = replace(
        heard.core, text=refer.resolve(correct.self_corrected(heard.core.text), reading.memory.texts[:_NEAR])
    )
    text = rewrite.statement(spoken, verdict.tag, said.name, we=reading.we, task=verdict.task)
    if said.project:
        text = _THIS_PROJECT.sub(lambda m: f"the {said.project} {m[1]}", text)
    statement = new(said, heard.place, spoken, verdict, reading.spell(text))
    if not refer.leans(spoken.text) or (verdict.tag == "correction" and reading.memory.statements):
        return statement
    if last is not None and lean.absorb(last, statement):
        return None
    if verdict.tag == "fact" and structure(spoken.text) < 1:
        return None
    if before is not None and lean.may_precede(before) and not before.verdict.kept:
        statement.text = lean.with_before(reading, before, text)
    elif all(is_acknowledgement(s.text) for s in said.sentences[: heard.place]):
        lean.with_turn_before(reading, statement)
    return statement


def _backed(reading: Reading, text: str) -> Statement | None:
    """ "That's a rule you should know": the sentence before it counts, even where it alone would not."""
    before = reading.before
    if reading.last is not None:
        reading.last.importance = min(10, reading.last.importance + 1)
        return None
    if before is None or before.empty:
        return None
    reading.before = None
    return _english(reading, replace(before, verdict=lean.verdict_on(text)))


def _answered(reading: Reading, heard: Heard) -> Statement | None:
    """The answer to a question of the turn before, joined with it."""
    asked = reading.memory.asked
    if asked is None or reading.found or heard.sentence.question or heard.place > 1:
        return None
    text = answer.joined(asked[0], heard.core, reading.said.name, by_agent=asked[1])
    if not text:
        return None
    verdict = Verdict("reminder" if re.search(r"\bdue\b", text) else "fact", 2.0, "the answer to a question")
    return new(reading.said, heard.place, heard.core, verdict, reading.spell(text))


def _clause(reading: Reading, heard: Heard) -> Statement | None:
    """What a task says by the way: "Report it to Ms. Lund, she's our security person"."""
    cut = _CLAUSE.search(heard.core.text)
    if not heard.verdict.task or not cut:
        return None
    head, rest = heard.core.text[: cut.start()], heard.core.text[cut.end() :]
    resolved = _with_thing(refer.resolve(rest, [("", head)]), head)
    verdict = classify(Core(rest), False, reading.said.lang)
    if not verdict.kept:
        verdict = classify(Core(resolved), False, reading.said.lang)
    if not verdict.kept or (resolved == rest and refer.leans(rest)):
        return None
    if _POINTER.search(resolved):
        text = rewrite.statement(heard.core, verdict.tag, reading.said.name, we=reading.we, task=True)
        return new(reading.said, heard.place, heard.core, verdict, reading.spell(text))
    text = rewrite.statement(Core(resolved), verdict.tag, reading.said.name, we=reading.we, task=verdict.task)
    return new(reading.said, heard.place, Core(resolved), verdict, reading.spell(text))


def _with_thing(text: str, head: str) -> str:
    """ "it has 12 rooms" with the last thing that `head` named in the place of "it"."""
    things = _THING.findall(head)
    return _IT.sub(lambda m: things[-1] + (" is" if m[1] else ""), text) if things else text


def _pasted(said: Said) -> list[Statement]:
    """What a paste or an untrusted turn states plainly."""
    alien = [s.text for s in said.sentences if s.pasted or said.untrusted]
    if not alien:
        return []
    own = " ".join(s.text for s in said.sentences if not s.pasted and not said.untrusted)
    asked = bool(agent.KEEP_REQUEST.search(own)) and not said.untrusted
    statements = []
    for text in paste.facts(alien, own, keep_asked=asked):
        statement = new(said, len(said.sentences), Core(text), Verdict("fact", 2.0, "a value in a pasted text"), text)
        statement.pasted, statement.importance = True, 4
        statements.append(statement)
    return statements


def _foreign(said: Said, sentence: str) -> str:
    """A sentence in another language as it was said, with the speaker's name before it where there is one."""
    text = sentence.strip()
    nameless = said.name in (talk.THE_USER, talk.SOMEONE)
    return text if nameless or said.name.lower() in text.lower() else f"{said.name}: {text}"
