"""From what a person said in one turn to statements."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from crustacean.models.offline import agent, answer, days, guard, paste, refer, rewrite, talk, words
from crustacean.models.offline.classify import Verdict, classify, is_acknowledgement, structure
from crustacean.models.offline.english import FORGET, PASSING, TROUBLE
from crustacean.models.offline.lead import Core, core
from crustacean.models.offline.statement import Said, Sentence, Statement
from crustacean.models.offline.values import values

_BACK = re.compile(
    r"^(?:that'?s|that is|this is|it'?s) (?:a|the|our|my|final|important|decided|settled|an?)\b.{0,40}(?:rule|standard|policy|decision|final|important|norm|know|remember|default|law|agreement)\b"
    r"|^(?:final|decided|settled|important|that'?s final|no discussion|remember (?:that|this)|that is decided)\W*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;–—]\s*(?:because |since |as )?(?=(?:she|he|it|they|that|we|i|my|our|this)(?:'s|'re|'m|'ve|'ll)?\b)",
    re.IGNORECASE,
)
_THING = re.compile(
    r"\b(?:my|our|the|a|an) (?:new |old |first |second )?[a-zà-ÿ-]+(?: in [A-ZÀ-Þ][\wà-ÿ]+| for [A-ZÀ-Þ][\wà-ÿ]+| [a-z]+)?",
    re.IGNORECASE,
)
_THIS_PROJECT = re.compile(r"\bthis (project|repo|repository|codebase)\b", re.IGNORECASE)
_LONGEST = 480
_TAG_RANK = (
    "correction",
    "decision",
    "preference",
    "reminder",
    "promise",
    "plan",
    "person",
    "lesson",
    "idea",
    "feeling",
    "quote",
    "joke",
    "fact",
)


@dataclass(slots=True)
class Memory:
    """What has been said so far in one conversation. asked: the question the last turn ended with, asker and agent."""

    statements: list[Statement] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    asked: tuple[str, str, bool] | None = None
    last_agent: str = ""
    last_person: str = ""
    keep_asked: bool = False
    month: str = ""
    left_out: Counter[str] = field(default_factory=Counter)


def read(said: Said, memory: Memory) -> list[Statement]:
    """The statements of one turn of a person; `memory` learns what was said."""
    if not said.untrusted:
        found = _own(said, memory)
    else:
        found = []
    found += _pasted(said, memory)
    memory.statements += found
    return found


def _own(said: Said, memory: Memory) -> list[Statement]:
    found: list[Statement] = []
    previous: tuple[Core, Verdict] | None = None
    joined = False
    for place, sentence in enumerate(said.sentences):
        if sentence.pasted:
            continue
        if guard.secret(sentence.text) or guard.injected(sentence.text, strict=False):
            memory.left_out["secrets and slipped-in orders"] += 1
            previous = None
            continue
        if FORGET.search(sentence.text):
            _forget(said, memory, sentence.text, found)
            previous = None
            continue
        spoken = core(sentence.text)
        verdict = classify(spoken, sentence.question, said.lang)
        length = len(found[-1].text) if found else 0
        if joined and previous is not None:
            previous = (previous[0], replace(previous[1], tag=found[-1].tag))
        statement = _statement(said, memory, place, sentence, spoken, verdict, previous, found)
        joined = statement is None and bool(found) and len(found[-1].text) > length
        if statement is not None:
            found.append(statement)
        elif not verdict.kept:
            memory.left_out[verdict.reason] += 1
        memory.texts.insert(0, spoken.text)
        del memory.texts[12:]
        memory.month = days.month_of(sentence.text) or memory.month
        previous = (spoken, verdict)
    return found


def _forget(said: Said, memory: Memory, text: str, found: list[Statement]) -> None:
    """A person does not want something kept: this sentence, what the turn said before it, else their last statement."""
    memory.left_out["what was not to be kept"] += 1
    if re.search(r"\b(?:this|these|any of)\b.{0,12}[,:]", text, re.IGNORECASE):
        return
    if found or said.sentences[0].text != text:
        found.clear()
    elif memory.statements and said.order - memory.statements[-1].order <= 3 and memory.statements[-1].who == said.name:
        memory.statements.pop()


def _statement(
    said: Said, memory: Memory, place: int, sentence: Sentence, spoken: Core, verdict: Verdict,
    previous: tuple[Core, Verdict] | None, found: list[Statement],
) -> Statement | None:  # fmt: skip
    """What one sentence adds: a new statement, more words for the one before it, or nothing."""
    last = found[-1] if found and previous is not None and previous[1].kept else None
    if said.english and _BACK.match(spoken.text):
        return _backed(said, memory, place, spoken.text, previous, last)
    if not verdict.kept:
        if (
            said.english
            and _tells_alone(spoken, verdict)
            and last is None
            and previous is not None
            and _may_precede(previous)
        ):
            before = rewrite.statement(previous[0], "fact", said.name, we=_we(said), task=previous[1].task)
            text = days.spell(f"{before} {spoken.text[0].upper()}{spoken.text[1:]}", said.local.date(), memory.month)
            return _new(
                said,
                place,
                spoken,
                Verdict("plan" if days.due(text, said.local.date()) else "fact", 2.0, "a detail of what was said"),
                text,
            )
        if last is not None and said.english and _goes_on(spoken, verdict, sentence):
            _join(last, rewrite.restate(spoken.text, said.name, we=_we(said), named=True))
            return None
        if said.english and not sentence.question and _mends(spoken):
            return _fragment(said, place, spoken)
        return _answered(said, memory, place, sentence, spoken, found) or _clause(said, memory, place, spoken, verdict)
    if not said.english:
        return _new(said, place, spoken, verdict, _foreign(said, sentence.text))
    name, rest = talk.introduction(spoken.text)
    if name and verdict.tag == "person":
        if len(words.content(rest)) < 2:
            return (
                None
                if said.name not in (talk.THE_USER, name)
                else _new(said, place, spoken, verdict, f"The user is called {name}.")
                if len(said.sentences) == 1
                else None
            )
        spoken = Core(rest, spoken.label, spoken.to_keep, spoken.affirms, spoken.corrects, spoken.tag_question)
    return _english(said, memory, place, spoken, verdict, previous, last)


def _english(
    said: Said, memory: Memory, place: int, spoken: Core, verdict: Verdict, previous: tuple[Core, Verdict] | None,
    last: Statement | None,
) -> Statement | None:  # fmt: skip
    resolved = refer.resolve(spoken.text, memory.texts[:6])
    spoken = Core(resolved, spoken.label, spoken.to_keep, spoken.affirms, spoken.corrects, spoken.tag_question)
    text = rewrite.statement(spoken, verdict.tag, said.name, we=_we(said), task=verdict.task)
    if said.project:
        text = _THIS_PROJECT.sub(lambda m: f"the {said.project} {m[1]}", text)
    text = days.spell(text, said.local.date(), memory.month)
    statement = _new(said, place, spoken, verdict, text)
    if spoken.to_keep and statement.tag == "reminder" and not statement.due:
        statement.due = days.due(spoken.text, said.local.date())
    if not refer.leans(spoken.text) or verdict.tag == "correction" and memory.statements:
        return statement
    if last is not None and len(last.text) + len(text) < _LONGEST:
        _join(last, text)
        last.tag = min(last.tag, statement.tag, key=_TAG_RANK.index)
        last.due, last.weight = last.due or statement.due, max(last.weight, statement.weight)
        last.core += " " + statement.core
        return None
    if verdict.tag == "fact" and structure(spoken.text) < 1:
        return None
    if previous is not None and not previous[1].kept and _may_precede(previous):
        before = rewrite.statement(previous[0], "fact", said.name, we=_we(said), task=previous[1].task)
        statement.text = days.spell(f"{before} {text}"[:_LONGEST], said.local.date(), memory.month)
    elif place == 0 or not any(not is_acknowledgement(s.text) for s in said.sentences[:place]):
        _lean_on_turn_before(said, memory, statement)
    return statement


def _lean_on_turn_before(said: Said, memory: Memory, statement: Statement) -> None:
    """Put what the turn before was about beside a statement that only points at it."""
    earlier = [s for s in memory.statements if said.order - s.order <= 3 and not s.gone]
    if earlier:
        statement.text = f"{statement.text} ({earlier[-1].text.rstrip('.')})"
        statement.cite(earlier[-1].labels)
    elif (
        len(words.content(memory.last_agent)) >= 2
        and len(memory.last_agent) <= 160
        and not guard.injected(memory.last_agent, strict=True)
    ):
        statement.text = f"{statement.text} ({memory.last_agent.rstrip('.?')})"


def _may_precede(previous: tuple[Core, Verdict]) -> bool:
    return previous[1].reason not in ("a question", "an acknowledgement") and not TROUBLE.search(previous[0].text)


def _tells_alone(spoken: Core, verdict: Verdict) -> bool:
    """Whether words without a verb hold enough to be kept with what was said before: "Six months, from January"."""
    if words.has_verb(spoken.text) or verdict.task or verdict.reason in ("a question", "an acknowledgement"):
        return False
    return structure(spoken.text) >= 1 and len(words.content(spoken.text)) >= 2 and not PASSING.search(spoken.text)


def _mends(spoken: Core) -> bool:
    """Whether a few words only put right a value said before: "sorry, the 23rd", "17:00 I mean"."""
    mends = spoken.corrects or re.search(
        r"\b(?:i (?:mean|meant)|rather|wrong|correction)\b", spoken.text, re.IGNORECASE
    )
    return bool(mends) and len(words.words(spoken.text)) <= 10 and any(v.kind != "name" for v in values(spoken.text))


def _fragment(said: Said, place: int, spoken: Core) -> Statement:
    statement = _new(said, place, spoken, Verdict("correction", 2.0, "something said before is corrected"), spoken.text)
    statement.correction = statement.fragment = True
    return statement


def _goes_on(spoken: Core, verdict: Verdict, sentence: Sentence) -> bool:
    """Whether an unkept sentence is still part of the one kept before it: "Cursor only." or "It seats twelve." """
    text = spoken.text
    if verdict.reason in ("a question", "an acknowledgement") or verdict.task or sentence.opens or TROUBLE.search(text):
        return False
    if not words.content(text) or verdict.weight < 0:
        return False
    return not words.has_verb(text) or refer.leans(text) and len(words.content(text)) >= 2


def _backed(
    said: Said, memory: Memory, place: int, text: str, previous: tuple[Core, Verdict] | None, last: Statement | None
) -> Statement | None:
    """ "That's a rule you should know": the sentence before it counts, even where it alone would not."""
    if last is not None:
        last.importance = min(10, last.importance + 1)
        return None
    if previous is None or previous[1].reason in ("a question", "an acknowledgement"):
        return None
    tag = "decision" if re.match(r"(?:that'?s |that is )?(?:final|decided|settled)", text, re.IGNORECASE) else "fact"
    return _english(said, memory, place - 1, previous[0], Verdict(tag, 2.5, "said to be a rule"), None, None)


def _answered(
    said: Said, memory: Memory, place: int, sentence: Sentence, spoken: Core, found: list[Statement]
) -> Statement | None:
    if memory.asked is None or found or sentence.question or place > 1 or not said.english:
        return None
    question, _asker, by_agent = memory.asked
    text = answer.joined(question, spoken, said.name, by_agent=by_agent)
    if not text:
        return None
    text = days.spell(text, said.local.date(), memory.month)
    tag = "reminder" if re.search(r"\bdue\b", text) else "fact"
    return _new(said, place, spoken, Verdict(tag, 2.0, "the answer to a question"), text)


def _clause(said: Said, memory: Memory, place: int, spoken: Core, verdict: Verdict) -> Statement | None:
    """What a sentence that is itself not kept says by the way: "Report it to Ms. Lund, she's our security person"."""
    if not said.english or not verdict.task:
        return None
    cut = _CLAUSE.search(spoken.text)
    if not cut:
        return None
    head, rest = spoken.text[: cut.start()], spoken.text[cut.end() :]
    inner = classify(Core(rest), False, said.lang)
    resolved = refer.resolve(rest, [head])
    thing = list(_THING.finditer(head))
    if resolved == rest and thing and re.match(r"(?:it|this|that)(?:'s)?\b", rest, re.IGNORECASE):
        resolved = re.sub(
            r"^(?:it|this|that)('s)?\b",
            lambda m: thing[-1].group() + (" is" if m[1] else ""),
            rest,
            flags=re.IGNORECASE,
        )
    if not inner.kept:
        inner = classify(Core(resolved), False, said.lang)
    if not inner.kept or resolved == rest and refer.leans(rest):
        return None
    text = rewrite.statement(Core(resolved), inner.tag, said.name, we=_we(said), task=inner.task)
    return _new(said, place, Core(resolved), inner, days.spell(text, said.local.date(), memory.month))


def _pasted(said: Said, memory: Memory) -> list[Statement]:
    alien = [s.text for s in said.sentences if s.pasted or said.untrusted]
    if not alien:
        return []
    own = " ".join(s.text for s in said.sentences if not s.pasted and not said.untrusted)
    asked = bool(agent.KEEP_REQUEST.search(own)) and not said.untrusted
    statements = []
    for text in paste.facts(alien, own, keep_asked=asked):
        statement = _new(said, len(said.sentences), Core(text), Verdict("fact", 2.0, "a labelled value"), text)
        statement.pasted, statement.importance, statement.due = True, 4, ""
        statements.append(statement)
    return statements


def _foreign(said: Said, sentence: str) -> str:
    """A sentence in another language as it was said, with the speaker's name before it where there is one."""
    text = sentence.strip()
    nameless = said.name in (talk.THE_USER, talk.SOMEONE)
    return text if nameless or said.name.lower() in text.lower() else f"{said.name}: {text}"


def _we(said: Said) -> str:
    return "The group" if said.group else said.name


def _new(said: Said, place: int, spoken: Core, verdict: Verdict, text: str) -> Statement:
    statement = Statement(
        text=text, tag=verdict.tag, weight=verdict.weight, order=said.order, place=place, core=spoken.text, who=said.name,
        lang=said.lang, local=said.local, why=verdict.reason,
        correction=verdict.tag == "correction" or spoken.corrects or spoken.label == "correction",
    )  # fmt: skip
    statement.cite([said.label])
    if verdict.tag in ("reminder", "plan", "promise"):
        repeated = re.search(r"\b(?:every|each|weekly|monthly|daily)\b", spoken.text, re.IGNORECASE)
        statement.due = "" if repeated else days.due(spoken.text, said.local.date())
    return statement


def _join(statement: Statement, text: str) -> None:
    text = text.strip()
    if text and len(statement.text) + len(text) < _LONGEST:
        ending = "" if text[-1] in ".!?…" else "."
        statement.text = f"{statement.text} {text[0].upper() + text[1:] if text[:1].islower() else text}{ending}"
