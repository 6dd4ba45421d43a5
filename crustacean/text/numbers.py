"""The figures of a text in one canonical form, with the place of each.

    number      "1200.5"  "-2.25"  "128/82"  "1.4.2"             amount    "88 EUR"  "5.2 km"  "120 s"  "14 d"
    day         "2027-05-03"  "12-09"  "2027-05"  "month 05"     weekday   "fri"           ordinal  "3."
    time        "16:00"  "27:10" (a duration spelt so, too)

"1.200,50" and "1,200.50", "4 pm" and "16:00", "9 December" and "Dec 9th", "€88" and "88 euros", "two minutes" and
"120 seconds" are equal. A group of exactly three digits after a point or comma is taken as thousands, but for "0.125".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal

from crustacean.text.calendar import (
    AMBIGUOUS_MONTHS,
    COUNTS,
    ENGLISH_SHORT_DAYS,
    MONTHS,
    ORDINALS,
    SHORT_DAYS,
    WEEKDAYS,
    alternation,
)
from crustacean.text.units import CURRENCIES, DURATIONS, SCALES, UNITS


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its canonical form and where it stands in the text. bare: a number without unit, day or time."""

    value: str
    start: int
    stop: int
    bare: bool = False


_LETTER = r"A-Za-z\u00c0-\u024f"
_END = rf"(?![{_LETTER}\d_])"
_NUMBER = r"(?:\d{1,3}(?:[.,'’]\d{3}){1,8}(?:[.,]\d++)?(?![.,]?\d)|\d++(?:[.,]\d++)?)"
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])"
_MONTH = alternation(MONTHS)
_MEASURE = alternation({*UNITS, *DURATIONS, *CURRENCIES})
_SCALE = alternation(SCALES)
_WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CJK_DAYS = {c: i for group in ("一二三四五六日", "月火水木金土天") for i, c in enumerate(group)}
_WIDE = str.maketrans("０１２３４５６７８９：．，％￥＄−", "0123456789:.,%¥$-")

# Where a figure may begin: a digit that no word or identifier leads into, a currency sign, a word.
_START = re.compile(
    rf"(?P<number>(?<![{_LETTER}\d_])(?<![{_LETTER}\d_][-./@#])(?<![{_LETTER}]:)\d)|(?P<sign>[€$£¥])"
    rf"|(?P<word>[{_LETTER}]+(?:-feira)?)|(?P<cjk>(?:星期|礼拜|周)[一二三四五六日天]|[月火水木金土日]曜)"
)
_BY_NUMBER = re.compile(
    rf"""
      (?P<iso>{_YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])(?:T\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?)
    | (?P<dotted>(?P<dt_a>\d\d?)(?P<dt_sign>[./])(?P<dt_b>\d\d?)(?P=dt_sign)(?P<dt_year>{_YEAR}|\d\d)(?![./]?\d))
    | (?P<day_month>(?P<dm_day>{_DAY})(?:st|nd|rd|th|er|\.|º)?\s(?:of\s|de\s)?(?P<dm_month>{_MONTH}){_END}
        (?:\.?,?\s(?:de\s|do\s)?(?P<dm_year>{_YEAR}){_END})?)
    | (?P<cjk_day>(?:(?P<cd_year>\d{{4}})年)?(?P<cd_month>1[0-2]|0?[1-9])月(?:(?P<cd_day>{_DAY})[日号])?)
    | (?P<half_day>(?P<hd_hour>1[0-2]|0?\d)(?:[:.](?P<hd_minute>[0-5]\d))?\s?(?P<hd_half>[ap])(?:\.m\.|m{_END}))
    | (?P<clock>(?P<ck_hour>\d{{1,3}}):(?P<ck_minute>[0-5]\d)(?::(?P<ck_second>[0-5]\d))?(?![:\d]))
    | (?P<hours>(?P<hr_hour>\d{{1,3}})(?:\s?h\s?(?P<hr_minute>[0-5]\d)|(?:\.(?P<hr_dot>[0-5]\d))?\sUhr){_END})
    | (?P<minutes>(?P<mn_minute>\d{{1,3}})\s?min\s(?P<mn_second>[0-5]\d){_END}(?![.,:]\d))
    | (?P<version>(?!\d{{1,3}}(?:\.\d{{3}}){{1,8}}(?![.\d]))\d+(?:\.\d+){{2,}}){_END}
    | (?P<ratio>\d+(?:[.,]\d+)?/\d+){_END}
    | (?P<place>\d+)(?:st|nd|rd|th|er|º|ª){_END}
    | (?P<amount>(?P<am_number>{_NUMBER})(?:[\s-]?(?P<am_scale>{_SCALE})(?![{_LETTER}]))?
        (?:[\s-]?(?P<am_unit>{_MEASURE}))?){_END}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AFTER_SIGN = re.compile(rf"[€$£¥]\s?(?P<number>{_NUMBER})(?:\s?(?P<scale>{_SCALE}))?{_END}", re.IGNORECASE)
_AFTER_MONTH = re.compile(
    rf"\.?(?:\s(?:the\s)?(?P<day>{_DAY})(?:st|nd|rd|th)?{_END}(?![.:]\d))?(?:,?\s(?:de\s)?(?P<year>{_YEAR}){_END})?",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(rf"[\s-](?P<unit>{_MEASURE}){_END}", re.IGNORECASE)
_MONTH_AFTER = re.compile(rf"\s(?:of\s)?(?P<month>{_MONTH}){_END}(?:,?\s(?P<year>{_YEAR}){_END})?", re.IGNORECASE)
_PART_OF_HOUR = re.compile(r"(?P<half>half an hour)|a quarter of an hour|quarter of an hour", re.IGNORECASE)
_SIGN_BEFORE = re.compile(r"(?:^|[\s(=:<>~])-$")


def scan(text: str) -> Iterator[Figure]:
    """The figures of a text in their order. Linear in its length."""
    if not text.isascii():
        text = text.translate(_WIDE)
    at = 0
    while m := _START.search(text, at):
        found = _HANDLERS[m.lastgroup or ""](text, m)
        if found:
            yield found
        at = found.stop if found else m.end()


def _number(raw: str, factor: Decimal = Decimal(1)) -> str:
    """Digits with separators -> plain digits with a point, no zeros at the end of the fraction."""
    groups = re.split(r"[.,'’]", raw)
    marks = re.sub(r"\d", "", raw)
    thousands = len(groups) > 1 and groups[0] != "0" and all(len(g) == 3 for g in groups[1:])
    if thousands and len(set(marks)) == 1:
        whole, fraction = "".join(groups), ""
    elif len(groups) > 1:
        whole, fraction = "".join(groups[:-1]), groups[-1].rstrip("0")
    else:
        whole, fraction = raw, ""
    plain = f"{whole}.{fraction}" if fraction else whole
    if factor == 1 or len(plain) > 40:
        return plain
    product = format(Context(prec=60).multiply(Decimal(plain), factor), "f")
    return product.rstrip("0").rstrip(".") if "." in product else product


def _day(year: str | None, month: int, day: str | int | None) -> str:
    head = f"{year}-" if year else ""
    if day is None:
        return f"{head}{month:02d}" if year else f"month {month:02d}"
    return f"{head}{month:02d}-{int(day):02d}"


def _measured(number: str, unit: str | None, factor: Decimal = Decimal(1)) -> str:
    """A number and its unit word in canonical form."""
    key = (unit or "").lower()
    if key in DURATIONS:
        name, times = DURATIONS[key]
        return f"{_number(number, factor * times)} {name}"
    if CURRENCIES.get(key) == "CENT":
        return f"{_number(number, factor)} CENT"
    name = CURRENCIES.get(key) or UNITS.get(key, "")
    return f"{_number(number, factor)} {name}".rstrip()


def _month_counts(word: str) -> bool:
    return word.lower() not in AMBIGUOUS_MONTHS or word[0].isupper()


def _from_number(text: str, start: re.Match[str]) -> Figure | None:
    return _numeric(text, start.start())


def _numeric(text: str, at: int) -> Figure | None:
    m = _BY_NUMBER.match(text, at)
    if not m:
        return None
    form = next(name for name in _FORMS if m[name] is not None)
    if form == "day_month" and not _month_counts(m["dm_month"]):
        return Figure(_number(m["dm_day"]), m.start(), m.end("dm_day"), bare=True)
    value = _FORMS[form](m)
    bare = form == "amount" and not m["am_unit"]
    if form == "amount" and _SIGN_BEFORE.search(text, max(0, m.start() - 2), m.start()):
        value = f"-{value}"
    return Figure(value, m.start(), m.end(), bare)


def _dotted(m: re.Match[str]) -> str:
    a, b, year = int(m["dt_a"]), int(m["dt_b"]), m["dt_year"]
    year = year if len(year) == 4 else f"20{year}"
    if m["dt_sign"] == "." and 1 <= a <= 31 and 1 <= b <= 12:
        return _day(year, b, a)
    if m["dt_sign"] == "/" and (a > 12 >= b > 0) and a <= 31:
        return _day(year, b, a)
    if m["dt_sign"] == "/" and (b > 12 >= a > 0) and b <= 31:
        return _day(year, a, b)
    return m[0]


def _half_day(m: re.Match[str]) -> str:
    hour = int(m["hd_hour"]) % 12 + (12 if m["hd_half"].lower() == "p" else 0)
    return f"{hour}:{m['hd_minute'] or '00'}"


def _amount(m: re.Match[str]) -> str:
    scale = m["am_scale"]
    unit = m["am_unit"]
    if unit == "M" and not scale:
        return _measured(m["am_number"], None, Decimal(10**6))
    return _measured(m["am_number"], unit, SCALES[scale.lower()] if scale else Decimal(1))


_FORMS: dict[str, Callable[[re.Match[str]], str]] = {
    "iso": lambda m: m[0],
    "dotted": _dotted,
    "day_month": lambda m: _day(m["dm_year"], MONTHS[m["dm_month"].lower()], m["dm_day"]),
    "cjk_day": lambda m: _day(m["cd_year"], int(m["cd_month"]), m["cd_day"]),
    "half_day": _half_day,
    "clock": lambda m: ":".join([str(int(m["ck_hour"])), *filter(None, (m["ck_minute"], m["ck_second"]))]),
    "hours": lambda m: f"{int(m['hr_hour'])}:{m['hr_minute'] or m['hr_dot'] or '00'}",
    "minutes": lambda m: f"{int(m['mn_minute']) * 60 + int(m['mn_second'])} s",
    "version": lambda m: m[0],
    "ratio": lambda m: m[0].replace(",", "."),
    "place": lambda m: f"{int(m['place'])}." if len(m["place"]) < 9 else f"{m['place']}.",
    "amount": _amount,
}


def _from_sign(text: str, start: re.Match[str]) -> Figure | None:
    m = _AFTER_SIGN.match(text, start.start())
    if not m:
        return None
    scale = m["scale"]
    value = _measured(m["number"], start[0], SCALES[scale.lower()] if scale else Decimal(1))
    return Figure(value, m.start(), m.end())


def _from_word(text: str, start: re.Match[str]) -> Figure | None:
    raw, (at, stop) = start[0], start.span()
    word = raw.lower()
    if len(raw) > 14:
        return None
    if word == "v" and text[stop : stop + 1].isdigit():
        return _numeric(text, stop)
    if word in MONTHS and _month_counts(raw):
        return _from_month(text, start)
    if word in WEEKDAYS and (word not in SHORT_DAYS or (word in ENGLISH_SHORT_DAYS and raw[0].isupper())):
        return Figure(_WEEKDAY_NAMES[WEEKDAYS[word]], at, stop)
    if word in ("noon", "midnight"):
        return Figure("12:00" if word == "noon" else "0:00", at, stop)
    if word in ("half", "a", "quarter") and (part := _PART_OF_HOUR.match(text, at)):
        return Figure("1800 s" if part["half"] else "900 s", at, part.end())
    if word in ORDINALS:
        m = _MONTH_AFTER.match(text, stop)
        if m and _month_counts(m["month"]):
            return Figure(_day(m["year"], MONTHS[m["month"].lower()], ORDINALS[word]), at, m.end())
        return Figure(f"{ORDINALS[word]}.", at, stop)
    if word in COUNTS:
        m = _UNIT_AFTER.match(text, stop)
        number = str(COUNTS[word])
        return Figure(_measured(number, m["unit"]), at, m.end()) if m else Figure(number, at, stop, bare=True)
    return None


def _from_month(text: str, start: re.Match[str]) -> Figure | None:
    month = MONTHS[start[0].lower()]
    m = _AFTER_MONTH.match(text, start.end())
    if m and (m["day"] or m["year"]):
        return Figure(_day(m["year"], month, m["day"]), start.start(), m.end())
    if len(start[0]) < 4 and start[0] != "May":
        return None
    if start[0].lower() in AMBIGUOUS_MONTHS and not text[max(0, start.start() - 3) : start.start()].strip(" -*[("):
        return None
    return Figure(_day(None, month, None), *start.span())


def _from_cjk(text: str, start: re.Match[str]) -> Figure | None:
    sign = start[0][0] if start[0].endswith("曜") else start[0][-1]
    return Figure(_WEEKDAY_NAMES[_CJK_DAYS[sign]], *start.span())


_HANDLERS: dict[str, Callable[[str, re.Match[str]], Figure | None]] = {
    "number": _from_number,
    "sign": _from_sign,
    "word": _from_word,
    "cjk": _from_cjk,
}
