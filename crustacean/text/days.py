"""The day that a text names, seen from the day on which it was said: "tomorrow", "next Friday", "9 December"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from crustacean.text import numbers
from crustacean.text.calendar import COUNTS, alternation
from crustacean.text.units import DURATIONS


def resolve_day(text: str, said_on: date) -> date | None:
    """The first day that the text names, as a date, or None where it names none (or only a span such as "next week").

    Without a year a date means its next occurrence, today included; a weekday its next one after today; both mean the
    latest one before where the words say that it is past ("last", "we met on"). "next Friday" is the Friday of the next
    calendar week (Monday to Sunday), "this Friday" that of the running one. What recurs ("every Friday", "Fridays")
    names no day. Best in English; the usual phrases of German, Spanish, French and Portuguese, and 今日 明日 今天 明天.
    """
    text = text[:_LONGEST]
    found = sorted([*_explicit(text), *_relative(text)], key=lambda phrase: phrase.at)
    for phrase in found:
        try:
            day = _resolve(phrase, said_on)
        except (ValueError, OverflowError):  # 30 February, the year 0 or 10000
            continue
        if day:
            return day
    return None


_LONGEST = 5_000
_WEEKDAYS = {"mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6}


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words that name a day. kind: a name in _WORDS, "ahead" or "back" with a span in value and unit, or "full",
    "yearly", "monthly", "weekday" with `value` in the form of text/numbers.py; before and after: the words around."""

    at: int
    kind: str
    value: str = ""
    unit: str = ""
    before: str = ""
    after: str = ""


_COUNT = rf"(?:\d{{1,4}}|{alternation(COUNTS)}|a\scouple\sof|an?|one|eine[mnr]?|ein|un[ae]?|uma?)"
_SPAN = rf"(?P<count>{_COUNT})\s(?P<unit>{alternation([w for w, (u, _) in DURATIONS.items() if u != 's'])}|fortnight)\b"
_AHEAD = re.compile(rf"\b(?:in|en|dentro\sde|dans|em|daqui\sa)\s{_SPAN}(?!\sago)", re.IGNORECASE)
_FROM_NOW = re.compile(rf"\b{_SPAN}\sfrom\s(?:now|today)\b", re.IGNORECASE)
_AGO = re.compile(rf"\b{_SPAN}\sago\b", re.IGNORECASE)
_BACK = re.compile(rf"\b(?:vor|hace|il\sy\sa|há)\s{_SPAN}", re.IGNORECASE)
_WORDS = re.compile(
    r"""\b(?:
      (?P<plus2>(?:the\s)?day\safter\stomorrow|übermorgen|pasado\smañana|après-demain|depois\sde\samanhã)
    | (?P<minus2>(?:the\s)?day\sbefore\syesterday|vorgestern|anteayer|avant-hier|anteontem)
    | (?P<plus0>today|tonight|this\s(?:morning|afternoon|evening)|heute|hoy|aujourd['’]hui|hoje)
    | (?P<plus1>tomorrow|(?<!am\s)(?<!guten\s)(?-i:morgen)|(?<!la\s)(?<!cada\s)mañana|demain|amanhã)
    | (?P<minus1>yesterday|last\snight|gestern|ayer|ontem)
    | (?P<month_end>end\sof\s(?:the|this)\smonth|month['’]s\send|ende\sdes\smonats|monatsende|fin\sde\smes|fin\sdu\smois
        |fim\sdo\smês)
    | (?P<year_end>end\sof\s(?:the|this)\syear|year['’]s\send|jahresende|fin\sde\saño|fin\sd['’]année|fim\sdo\sano)
    | (?P<weekend>(?:this|at\sthe|on\sthe|over\sthe|am)\s(?:weekend|wochenende))
    )\b
    | (?P<cjk_plus2>明後日|后天) | (?P<cjk_plus0>今日|今天) | (?P<cjk_plus1>明日|明天) | (?P<cjk_minus1>昨日|昨天)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DAY_ALONE = re.compile(
    r"\b(?:am|zum|el\sdía|dia|le)\s(?P<day>[12]?\d|3[01])(?:\.(?=\s|$)|(?=[.,;!]|$))", re.IGNORECASE
)

_EVERY = re.compile(r"\b(?:every|each|every\sother|jeden?|cada|los|chaque|tous\sles|toda)\s(?:\w+\s)?$", re.IGNORECASE)
_NEXT = re.compile(r"\b(?:next|nächste[nrms]?)\s$", re.IGNORECASE)
_THIS = re.compile(r"\b(?:this|diese[nrms]?|este|ce|nesta)\s$", re.IGNORECASE)
_LAST = re.compile(r"\b(?:last|past|letzte[nrms]?|vergangene[nrms]?|última)\s$", re.IGNORECASE)
_NEXT_WEEK = re.compile(r"\s(?:next\sweek|nächste\swoche)\b", re.IGNORECASE)
_GONE_AFTER = re.compile(r"\s(?:pasado|dernier|passada|last\sweek)\b", re.IGNORECASE)
_DUE = re.compile(
    r"\b(?:by|until|till|for|to|before|due|bis|für|para|pour|coming|kommende[nrms]?)\s(?:\w+\s)?$", re.IGNORECASE
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|met|came|saw|paid|got|bought|sent|told|said|made|took|spoke|been|since|last|gestern|war"
    r"|hatte|wurde|ayer|fue|hemos|était|ontem|foi)\b|(?<!\bis\s)(?<!\bare\s)(?<!\bbe\s)\b\w{2,12}ed\b",
    re.IGNORECASE,
)
_THE = re.compile(r"\bthe\s$", re.IGNORECASE)
_AFTER_ORDINAL = re.compile(
    r"\s*(?:$|[.,;:!?)]|\s(?:of\s(?:this|next|the)\smonth|next\smonth|at|for|to|in|and|or|is|if|we|i|with|so|but|because)\b)",
    re.IGNORECASE,
)
_NEXT_MONTH = re.compile(r"\s(?:of\s)?next\smonth\b", re.IGNORECASE)


def _explicit(text: str) -> Iterator[_Phrase]:
    """Dates, weekdays and days of the month."""
    for figure in numbers.scan(text):
        value = figure.value
        before, after = text[max(0, figure.start - 80) : figure.start], text[figure.stop : figure.stop + 20]
        if value in _WEEKDAYS:
            kind = "weekday"
            if text[figure.start : figure.stop].lower().endswith("days") or _EVERY.search(before):
                continue
        elif re.match(r"\d{4}-\d\d-\d\d", value):
            kind = "full"
        elif re.fullmatch(r"\d\d-\d\d", value):
            kind = "yearly"
        elif re.fullmatch(r"\d{1,2}\.", value) and _THE.search(before) and _AFTER_ORDINAL.match(after):
            kind = "monthly"
        else:
            continue
        yield _Phrase(figure.start, kind, value, before=before, after=after)


def _relative(text: str) -> Iterator[_Phrase]:
    for m in _WORDS.finditer(text):
        yield _Phrase(m.start(), (m.lastgroup or "").removeprefix("cjk_"))
    for pattern, kind in ((_AHEAD, "ahead"), (_FROM_NOW, "ahead"), (_AGO, "back"), (_BACK, "back")):
        for m in pattern.finditer(text):
            yield _Phrase(m.start(), kind, m["count"].lower(), m["unit"].lower())
    dated = {f.start for f in numbers.scan(text) if not f.bare}
    for m in _DAY_ALONE.finditer(text):
        if m.start("day") in dated:
            continue
        yield _Phrase(m.start(), "monthly", f"{m['day']}.", before=text[: m.start()][-80:], after=text[m.end() :][:20])


def _resolve(phrase: _Phrase, said_on: date) -> date | None:
    kind = phrase.kind
    if kind in ("ahead", "back"):
        return _shifted(said_on, phrase, 1 if kind == "ahead" else -1)
    if kind.startswith(("plus", "minus")):
        return said_on + timedelta(days=int(kind[-1]) * (1 if kind.startswith("plus") else -1))
    if kind == "month_end":
        return said_on.replace(day=calendar.monthrange(said_on.year, said_on.month)[1])
    if kind == "year_end":
        return date(said_on.year, 12, 31)
    if kind == "weekend":
        return said_on + timedelta(days=max(0, 5 - said_on.weekday()))
    if kind == "weekday":
        return _weekday(phrase, said_on)
    if kind == "full":
        return date.fromisoformat(phrase.value[:10])
    return _occurrence(phrase, said_on)


def _shifted(said_on: date, phrase: _Phrase, sign: int) -> date:
    count = _count(phrase.value) * sign
    unit, times = DURATIONS.get(phrase.unit, ("d", 14))
    if unit == "d":
        return said_on + timedelta(days=count * int(times))
    months = said_on.year * 12 + said_on.month - 1 + count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(said_on.day, calendar.monthrange(year, month + 1)[1]))


def _count(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return 2 if word.startswith("a couple") else COUNTS.get(word, 1)


def _is_past(phrase: _Phrase) -> bool:
    if _LAST.search(phrase.before) or _GONE_AFTER.match(phrase.after):
        return True
    sentence = re.split(r"[.!?]\s", phrase.before)[-1]
    return not _DUE.search(phrase.before) and _PAST.search(sentence) is not None


def _weekday(phrase: _Phrase, said_on: date) -> date:
    wanted = _WEEKDAYS[phrase.value]
    monday = said_on - timedelta(days=said_on.weekday())
    if _NEXT.search(phrase.before) or _NEXT_WEEK.match(phrase.after):
        return monday + timedelta(days=7 + wanted)
    if _THIS.search(phrase.before):
        return monday + timedelta(days=wanted)
    if _is_past(phrase):
        return said_on - timedelta(days=(said_on.weekday() - wanted - 1) % 7 + 1)
    return said_on + timedelta(days=(wanted - said_on.weekday() - 1) % 7 + 1)


def _occurrence(phrase: _Phrase, said_on: date) -> date | None:
    """The next (or the latest) day that has this day and month, or this day of the month."""
    if phrase.kind == "yearly":
        month, day = map(int, phrase.value.split("-"))
        months = [(said_on.year + k, month) for k in range(-8, 9)]
    else:
        day = int(phrase.value.rstrip("."))
        first = said_on.year * 12 + said_on.month - 1
        months = [divmod(first + k, 12) for k in range(-3, 4)]
        months = [(year, month + 1) for year, month in months]
        if _NEXT_MONTH.match(phrase.after):
            return date(*months[4], day)
    days = [date(y, m, day) for y, m in months if 1 <= y <= 9999 and 1 <= day <= calendar.monthrange(y, m)[1]]
    if _is_past(phrase):
        return max((d for d in days if d <= said_on), default=None)
    return min((d for d in days if d >= said_on), default=None)
