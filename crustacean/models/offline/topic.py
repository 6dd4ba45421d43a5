"""A topic of two to five words for statements that belong together."""

from __future__ import annotations

import re
from collections import Counter

from crustacean.models.offline import words
from crustacean.models.offline.statement import Statement

_BREAK = re.compile(r"[.,;:!?()\[\]\"“”«»。、，！？：（）—–]|\s-\s")
_CLEAN = re.compile(r"[*`<>#|\[\]{}\\~^]")
_SKIP = (
    words.STOPWORDS
    | words.CALENDAR
    | frozenset(
        """wants asks reminded remind decided decides idea user's asked answered group someone preference decision plan
    correction starts new good keep use uses used also time thing things way going go goes eur usd gbp euros dollars kg
    km kwh cm litres hours hour day days weeks week months month years year minutes percent due against ones cheaper
    current next last first second instead each per honestly morning evening afternoon night""".split()
    )
)
_NOUNS = frozenset(
    """meeting wedding morning evening building training spring string thing watering parking housing clothing wing ring
    king bed shed family reply july""".split()
)
_NEAR_TURNS = 4
_GROUP = 8
_CJK_LENGTH = 12


def name_all(statements: list[Statement]) -> list[str]:
    """A topic for each statement. Neighbours in talk that share words share a topic."""
    groups: list[list[Statement]] = []
    for statement in statements:
        group = groups[-1] if groups else []
        if group and _belongs(group, statement):
            group.append(statement)
        else:
            groups.append([statement])
    return [name for group in groups for name in [_name(group)] * len(group)]


def _belongs(group: list[Statement], statement: Statement) -> bool:
    last = group[-1]
    if last.order == statement.order:
        return True
    if statement.order - last.order > _NEAR_TURNS or (statement.local - last.local).total_seconds() > 3600:
        return False
    about = {w for s in group[-_GROUP:] for w in words.content(s.text) if w not in _SKIP}
    own = {w for w in words.content(_without(statement)) if w not in _SKIP}
    return bool(about & own - words.content(statement.who))


def _without(statement: Statement) -> str:
    who = re.escape(statement.who)
    return re.sub(rf"\b{who}(?:'s)?(?!\w)", " ", statement.text, flags=re.IGNORECASE)


def _name(group: list[Statement]) -> str:
    """The best run of words: names first, then what is said most often; from the first statement that has one."""
    shared = Counter(w for s in group for w in words.content(s.text))
    ranked: list[tuple[float, int, list[str]]] = []
    for place, statement in enumerate(group):
        for at, run in enumerate(_runs(_without(statement), english=statement.lang in ("", "en"))):
            run = run[:5]
            score = sum(1 + (w[0].isupper()) * 0.5 + min(shared[words.stem(w.lower())], 3) * 0.4 for w in run[:3])
            ranked.append((score - 0.3 * place - 0.1 * at, -len(ranked), run))
    ranked.sort(key=lambda row: row[:2], reverse=True)
    run = ranked[0][2] if ranked else []
    if len(run) == 1 and not words.CJK.search(run[0]):
        run = next(
            (r for _, _, r in ranked if len(r) > 1 and run[0] in r),
            run + next((r[:3] for _, _, r in ranked[1:] if run[0] not in r), []),
        )
    text = " ".join(_CLEAN.sub("", " ".join(run)).split()).strip(" -'.")
    if len(text.split()) < 2 and not words.CJK.search(text):
        text = f"{text} {group[0].tag}".strip() if text else f"{group[0].tag.capitalize()} noted"
    return (text[:1].upper() + text[1:])[:80]


def _runs(text: str, *, english: bool) -> list[list[str]]:
    """Runs of words between stop words, verbs and punctuation: rough noun phrases. In other languages short words part
    them."""
    found: list[list[str]] = []
    for clause in _BREAK.split(text):
        if words.CJK.search(clause):
            found.append([clause.strip()[:_CJK_LENGTH]])
            continue
        run: list[str] = []
        for word in clause.split():
            low = word.lower().strip("'’\"")
            plain = low.removesuffix("'s").removesuffix("’s")
            if (
                plain in _SKIP
                or plain in words.FINITE
                or plain.isdigit()
                or ((words.is_verb(plain) or plain in words.TASK_VERBS or _participle(plain)) and word.islower())
                or len(plain) < 2
                or (not english and len(plain) < 4 and word.islower())
                or not re.search(r"[^\W\d_]", plain)
            ):
                if run:
                    found.append(run)
                run = []
            else:
                run.append(word.strip("'’"))
        if run:
            found.append(run)
    return found


def _participle(word: str) -> bool:
    """ "called", "starting": they end a noun phrase; "meeting" and "wedding" do not."""
    return word.endswith(("ed", "ing", "ly")) and len(word) > 4 and word not in _NOUNS
