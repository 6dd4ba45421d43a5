"""The words for months, weekdays and small numbers in the languages that dates are read in (en, de, es, fr, pt, it)."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MONTH_NAMES = """
january jan januar jänner enero ene janvier janv janeiro gennaio gen
february feb februar febrero février fevrier févr fevereiro fev febbraio febr
march mar märz maerz marzo mars março marco
april apr abril abr avril avr aprile
may mai mayo maio maggio
june jun juni junio juin junho giugno giu
july jul juli julio juillet juil julho luglio lug
august aug agosto ago août aout
september sep sept septiembre septembre setembro settembre set
october oct oktober okt octubre octobre outubro out ottobre ott
november nov noviembre novembre novembro
december dec dezember dez diciembre dic décembre decembre déc dezembro dicembre
"""
_DAY_NAMES = """
monday mon mondays montag montags mo lunes lundi lundis segunda-feira lunedì
tuesday tue tues tuesdays dienstag dienstags di martes mardi mardis terça-feira martedì
wednesday wed wednesdays mittwoch mittwochs mi miércoles mercredi mercredis quarta-feira mercoledì
thursday thu thur thurs thursdays donnerstag donnerstags do jueves jeudi jeudis quinta-feira giovedì
friday fri fridays freitag freitags fr viernes vendredi vendredis sexta-feira venerdì
saturday sat saturdays samstag samstags sonnabend sonnabends sa sábado sábados samedi samedis sabato
sunday sun sundays sonntag sonntags so domingo domingos dimanche dimanches domenica
"""
_COUNT_NAMES = """
two zwei dos deux dois duas
three drei tres trois três tre
four vier cuatro quatre quatro quattro
five fünf cinco cinq cinque
six sechs seis
seven sieben siete sept sete sette
eight acht ocho huit oito otto
nine neun nueve nove
ten zehn diez dix dez dieci
eleven elf onze undici
twelve zwölf doce douze doze dodici dozen dutzend docena douzaine dúzia
thirteen dreizehn trece treize treze
fourteen vierzehn catorce quatorze
fifteen fünfzehn quince quinze quindici
sixteen sechzehn dieciséis seize
seventeen siebzehn diecisiete
eighteen achtzehn dieciocho
nineteen neunzehn diecinueve
twenty zwanzig veinte vingt vinte venti
"""
_ORDINAL_NAMES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"


def _table(names: str, start: int) -> dict[str, int]:
    return {word: n for n, line in enumerate(names.strip().splitlines(), start) for word in line.split()}


MONTHS = _table(_MONTH_NAMES, 1)
"""Lower-case month name or short form -> 1 to 12."""
WEEKDAYS = _table(_DAY_NAMES, 0)
"""Lower-case weekday name or short form -> 0 (Monday) to 6."""
COUNTS = _table(_COUNT_NAMES, 2)
"""Lower-case number word -> 2 to 20. Words that are other words as well (one, once, due, neuf, sei) are left out."""
ORDINALS = {word: n for n, word in enumerate(_ORDINAL_NAMES.split(), 1)}
"""English ordinals -> 1 to 12."""
AMBIGUOUS_MONTHS = frozenset("may march mar jan gen ago set out dec mars dic ene abr".split())
"""Month words that mean something else too: they count only when they are capitalised."""
SHORT_DAYS = frozenset("mon mo tue tues di wed mi thu thur thurs do fri fr sat sa sun so".split())
"""Weekday words that are other words too: of these only the English ones count, and only capitalised."""
ENGLISH_SHORT_DAYS = frozenset("mon tue tues wed thu thur thurs fri sat sun".split())


def alternation(words: Iterable[str]) -> str:
    """A regular-expression alternation of the words, longest first."""
    return "|".join(map(re.escape, sorted(words, key=lambda w: (-len(w), w))))
