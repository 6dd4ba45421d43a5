"""The values a statement carries, which a correction may replace: days, times, amounts, names, paths."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from crustacean.models.offline.words import DAY, MONTH

_MONTHS_ABROAD = (
    r"(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|enero|febrero|marzo"
    r"|abril|mayo|junio|julio|agosto"
    r"|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre"
    r"|novembre|décembre|janeiro|fevereiro"
    r"|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio"
    r"|settembre|ottobre|dicembre)"
)
_DAYS_ABROAD = (
    r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado"
    r"|domingo|lundi|mardi|mercredi"
    r"|jeudi|vendredi|samedi|dimanche|segunda|terça|quarta|quinta|sexta)"
)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE if kind != "name" else 0))
    for kind, pattern in (
        (
            "path",
            r"(?<![\w/])(?:~?/)?(?:[\w.-]+/)+[\w.*-]*|(?<![\w/])[\w-]+\.(?:py|js|ts|md|txt|json|csv|pgn|toml|yaml"
            r"|yml|html|pdf|go|rs|db|sqlite|xlsx?|docx?)\b",
        ),
        (
            "day",
            rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}\b|\b{MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b"
            rf"|\b\d{{1,2}}\.? (?:de )?{_MONTHS_ABROAD}\b|\b\d{{4}}-\d\d-\d\d\b"
            r"|\d{1,2}月\d{1,2}[日号]",
        ),
        ("day", r"\b(?:the|on|by|from) \d{1,2}(?:st|nd|rd|th)\b|\b(?:el|dia|le|am) \d{1,2}\b\.?"),
        ("weekday", rf"\b(?:{DAY}|{_DAYS_ABROAD})s?\b|[月火水木金土日]曜日?|(?:周|星期|礼拜)[一二三四五六日天]"),
        (
            "time",
            r"\b\d{1,2}[:h]\d\d(?: ?[ap]m)?\b|\b\d{1,2}\.\d\d ?(?:am|pm|uhr)\b|\b\d{1,2} ?(?:am|pm|uhr|h)\b"
            r"|\d{1,2}時|\d{1,2}点",
        ),
        ("amount", r"[€$£]\s?\d[\d.,]*\d|[€$£]\s?\d|(?<![\w.-])\d+(?:[.,]\d+)*k?(?![\w:/-]|[.,]\d)"),
        ("name", r"(?<![\w.@/-])[A-ZÀ-ÖØ-Þ][\w’'-]*[a-zà-ÿ][\w-]*(?: [A-ZÀ-ÖØ-Þ][\w’'-]+)*"),
    )
)
_UNIT_AFTER = re.compile(r"\s?([^\W\d_]+|[%€$£°])")


@dataclass(frozen=True, slots=True)
class Value:
    """kind: path, day, weekday, time, amount or name. unit: the word after an amount, "" without."""

    kind: str
    text: str
    start: int
    stop: int
    unit: str = ""

    @property
    def plain(self) -> str:
        """What is compared: "the 3rd" and "3 March" by their digits, names by their letters."""
        low = self.text.lower().removeprefix("the ").removeprefix("on ").removeprefix("by ").removeprefix("from ")
        return low.rstrip("s.") if self.kind == "weekday" else low.strip(".€$£ ")


@lru_cache(maxsize=4096)
def values(text: str) -> tuple[Value, ...]:
    """The values of a text in order; a value inside another (the 14 of "14 January") is not given again."""
    found: list[Value] = []
    for kind, pattern in _KINDS:
        for match in pattern.finditer(text):
            if any(v.start < match.end() and match.start() < v.stop for v in found):
                continue
            unit = ""
            if kind == "amount":
                after = _UNIT_AFTER.match(text, match.end())
                unit = after.group(1).lower().rstrip("s") if after else ""
            found.append(Value(kind, match.group(), match.start(), match.end(), unit))
    return tuple(sorted(found, key=lambda v: v.start))


def renewed(old: Value, new: Value) -> str:
    """How a new value is written in the place of an old one: "the 3rd" in the place of "2 October" is "3 October"."""
    if old.kind != "day":
        prefix = old.text[0] if old.text[:1] in "€$£" and new.text[:1] not in "€$£" else ""
        return prefix + new.text
    digits = re.search(r"\d{1,2}", new.text)
    if digits and not re.search(rf"{MONTH}|{_MONTHS_ABROAD}|\d{{4}}-|月", new.text, re.IGNORECASE):
        return re.sub(r"\d{1,2}(?:st|nd|rd|th)?", digits.group(), old.text, count=1)
    bare = re.sub(r"^(?:the|on|by|from) ", "", new.text)
    link = re.match(r"^(?:on|by|from) ", old.text)
    return (link.group() if link else "") + bare
