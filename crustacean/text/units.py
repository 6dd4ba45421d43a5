"""Units, currencies and scales as people write them, and the one spelling that figures are compared in."""

from __future__ import annotations

from decimal import Decimal

_UNIT_NAMES = """
km: kilometre kilometres kilometer kilometers kilómetro kilómetros kilomètre kilomètres quilómetros quilômetros
m: metre metres meter meters metro metros mètre mètres
cm: centimetre centimetres centimeter centimeters zentimeter
mm: millimetre millimetres millimeter millimeters
mi: mile miles meile meilen
kg: kilo kilos kilogram kilograms kilogramm kilogramo kilogramos kilogramme kilogrammes
g: gram grams gramm gramo gramos gramme grammes grama gramas
mg: milligram milligrams milligramm
lb: lbs
l: litre litres liter liters litro litros
ml: millilitre millilitres milliliter milliliters
°c: ℃ °C
°f: °F
%: percent prozent
kwh:
kw: kilowatt
w: watt watts
gb: gigabyte gigabytes gib
mb: megabyte megabytes mib
kb: kilobyte kilobytes kib
tb: terabyte terabytes tib
px: pixel pixels
kcal:
bpm:
rpm:
hz: hertz
mph:
kmh: km/h kph
ms: millisecond milliseconds millisekunde millisekunden
"""
_CURRENCY_NAMES = """
EUR: € euro euros eur
USD: $ dollar dollars usd bucks
GBP: £ gbp quid
JPY: ¥ yen jpy 円
CNY: yuan rmb cny 元
CHF: franken francs chf
CENT: cent cents ct
"""
_DURATION_NAMES = """
s 1: s sec secs second seconds sekunde sekunden segundo segundos seconde secondes 秒
s 60: min mins minute minutes minuten minuto minutos 分
s 3600: h hr hrs hour hours stunde stunden std hora horas heure heures 時間 小时
d 1: day days tag tage tagen día días dia dias jour jours giorno giorni 天
d 7: week weeks woche wochen semana semanas semaine semaines settimana settimane
mo 1: month months monat monate monaten mes meses mois
y 1: year years jahr jahre jahren año años ano anos ans
"""


def _aliases(table: str) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in table.strip().splitlines())
    return {alias: name for name, words in pairs for alias in {name.lower(), *words.lower().split()}}


UNITS = _aliases(_UNIT_NAMES)
"""Lower-case unit -> its canonical spelling. No conversion between units of one kind."""
CURRENCIES = _aliases(_CURRENCY_NAMES)
"""Lower-case currency word, code or symbol -> ISO code ("CENT" where it isn't known of what)."""
DURATIONS: dict[str, tuple[str, Decimal]] = {
    alias: (name.split()[0], Decimal(name.split()[1]))
    for name, words in (line.split(":", 1) for line in _DURATION_NAMES.strip().splitlines())
    for alias in words.split()
}
"""Lower-case unit of time -> ("s" | "d" | "mo" | "y", how many of these it is)."""
SCALES: dict[str, Decimal] = {
    "k": Decimal(10**3),
    "thousand": Decimal(10**3),
    "tausend": Decimal(10**3),
    "mil": Decimal(10**3),
    "million": Decimal(10**6),
    "millions": Decimal(10**6),
    "mio": Decimal(10**6),
    "millionen": Decimal(10**6),
    "bn": Decimal(10**9),
    "billion": Decimal(10**9),
    "milliarden": Decimal(10**9),
    "mrd": Decimal(10**9),
    "万": Decimal(10**4),
}
"""Lower-case word or letter after a number -> what it multiplies by. A capital M is a million, a small one a metre."""
