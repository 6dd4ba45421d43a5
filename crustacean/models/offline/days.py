"""Days that are said relative to the day of talking: put into words that hold later, and the day something is due."""

from __future__ import annotations

import re
from datetime import date, timedelta

from crustacean.models.offline.words import DAY, MONTH, MONTHS
from crustacean.text.time import resolve_day

_NEAR = re.compile(
    rf"\b(?P<phrase>the day after tomorrow|the day before yesterday|tomorrow|yesterday|last night|tonight|(?:this"
    rf"|next|last|coming) {DAY})"
    rf"(?P<part> (?:morning|afternoon|evening|night))?\b(?! ?\()(?!'s?\b)",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    rf"\b(?P<link>on|by|until|before|from|this|since|after|for|due) (?P<day>{DAY})\b(?!s)(?! ?\(|,? (?:on|at the|\d"
    rf"|the \d|{MONTH}))",
    re.IGNORECASE,
)
_HABIT = re.compile(rf"\b(?:every|each|always|usually|{DAY}s|weekly|never|from now on|any)\b", re.IGNORECASE)
_FROM_TO = re.compile(rf"\bfrom {DAY}s? to {DAY}s?\b|\b{DAY} (?:and|or|to|through|until) {DAY}\b", re.IGNORECASE)
_ORDINAL = re.compile(
    r"\b(?P<link>on|by|until|from|before|for|to) the (?P<day>\d{1,2})(?:st|nd|rd|th)\b(?! of\b| \w+(?:ing|er|or"
    r"|ion|floor|time|birthday|edition|attempt)\b)(?=\s*(?:[.,;:!)]|$|and\b|at\b|if\b|because\b|so\b))",
    re.IGNORECASE,
)
_DATED = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b|\b(?P<month2>{MONTH}) (?P<day2>\d{{1,2}})\b",
    re.IGNORECASE,
)
_DUE = re.compile(
    rf"\d{{4}}-\d\d-\d\d|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}(?: \d{{4}})?\b|\b{MONTH} \d{{1,2}}(?:st|nd|rd"
    rf"|th)?(?:,? \d{{4}})?\b"
    rf"|\bthe day after tomorrow\b|\btomorrow\b|\btonight\b|\btoday\b|\b(?:next |this |coming )?{DAY}\b(?!s)"
    rf"|\bin (?:a|one|two|three|four|five|six|\d{{1,2}}) (?:days?|weeks?|months?)\b|\b(?:on|by|until"
    rf"|before) the \d{{1,2}}(?:st|nd|rd|th)\b(?! of\b| {MONTH})",
    re.IGNORECASE,
)


def in_words(day: date, said_on: date) -> str:
    """ "18 December", with the year where it is not the one of the day of talking or the next months'."""
    name = f"{day.day} {MONTHS[day.month - 1].capitalize()}"
    return name if abs((day - said_on).days) < 300 else f"{name} {day.year}"


def spell(text: str, said_on: date, month: str = "") -> str:
    """English text with "tomorrow", "on Friday", "on the 3rd" put as days. month: the month the talk is about (a date
    named shortly before), which a bare "the 3rd" belongs to; habits ("every Friday") stay."""

    def near(match: re.Match[str]) -> str:
        phrase = match["phrase"].lower()
        day = _near_day(phrase, said_on)
        if day is None:
            return match.group()
        part = match["part"] or (" evening" if phrase == "tonight" else " night" if phrase == "last night" else "")
        link = "" if _preposed(text, match.start()) else "on "
        return f"{link}{in_words(day, said_on)}{' in the' + part if part else ''}"

    def weekday(match: re.Match[str]) -> str:
        backwards = match["link"].lower() == "since"
        day = resolve_day(match["day"], said_on)
        if day is None or backwards:
            return match.group()
        return f"{match.group()} ({in_words(day, said_on)})"

    def ordinal(match: re.Match[str]) -> str:
        if not month:
            return match.group()
        return f"{match['link']} {int(match['day'])} {month}"

    text = _NEAR.sub(near, text)
    if not (_HABIT.search(text) or _FROM_TO.search(text)):
        text = _WEEKDAY.sub(weekday, text)
    if not re.search(r"\b(?:every|each|monthly|of the month)\b", text, re.IGNORECASE):
        text = _ORDINAL.sub(ordinal, text)
    return text


def _preposed(text: str, start: int) -> bool:
    return bool(
        re.search(
            r"\b(?:on|by|until|till|before|from|after|for|since|to|of|due) $",
            text[max(0, start - 8) : start],
            re.IGNORECASE,
        )
    )


def _near_day(phrase: str, said_on: date) -> date | None:
    fixed = {"tonight": 0, "yesterday": -1, "last night": -1, "the day before yesterday": -2}
    if phrase in fixed:
        return said_on + timedelta(days=fixed[phrase])
    if phrase.startswith("last "):
        weekday = next(
            n for n, d in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun")) if phrase[5:].startswith(d)
        )
        return said_on - timedelta(days=(said_on.weekday() - weekday - 1) % 7 + 1)
    return resolve_day(phrase, said_on)


def month_of(text: str) -> str:
    """The month of the last full date in a text, as a word, "" without one."""
    name = ""
    for match in _DATED.finditer(text):
        short = (match["month"] or match["month2"]).lower()[:3]
        name = next(m for m in MONTHS if m.startswith(short)).capitalize()
    return name


def due(text: str, said_on: date) -> str:
    """The ISO day that a reminder or plan is for: the last one named that has not passed, "" where none is plain."""
    found = ""
    for match in _DUE.finditer(text):
        day = resolve_day(match.group(), said_on)
        if day is not None and day >= said_on:
            found = day.isoformat()
    return found
