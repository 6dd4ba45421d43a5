"""What a text states: its figures, its names, and whether it denies something. Two texts may be one memory only when
all three agree (same_figures)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crustacean.text import numbers
from crustacean.text.calendar import MONTHS, WEEKDAYS

_TOKEN = re.compile(r"[\w@/~](?:[\w@/~.:#+’'-]*[\w#+/])?")
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
_IDENTIFIER = re.compile(r"(?=[^\W\d_][\w-]*\d|\d++[^\W\d_]|\w*_\w|[^\W\d_]*[a-z][A-Z])|[\w.-]+@[\w-]|(?:~|\.{0,2})/\w")
_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w*")
_SENTENCE_END = re.compile(r"(?:^|[.!?:;\n•…。！？\]—–]|(?:^|\s)[-*>])[\s\"'“”„«»‘’(\[*_]*$")
_NEGATION = re.compile(
    r"\b(?:no(?!\.?\s*\d)|not|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|nicht|kein\w{0,2}|nie|niemals"
    r"|niemand\w{0,2}|nichts|ohne|weder|nunca|jam[aá]s|nadie|nada|ning[uú]n\w{0,2}|sin|tampoco|pas|jamais|aucune?|rien"
    r"|sans|não|nenhum\w{0,2}|ningu[eé]m|sem|non|nessun\w{0,2}|senza|niente)\b|n[’']t\b"
    r"|ない|なく|ません|なし|不|没|無|无|别",
    re.IGNORECASE,
)
_EVERYDAY = frozenset(
    """a an the this that these those there here it its it's i i'm i've i'd i'll we we're you your he she they them his
    her their our my me us who what when where why how which if then so and or but as at by for from in into of off on
    onto out over per to up with about after again all also always any are be because been before both can could did
    do does don't each either every few had has have having is just let like may might more most much must need new
    next now old once one only other please should since some still such than thanks though too until very was were
    while will would yes yet no not never none without ok okay today tomorrow yesterday tonight user user's decided
    decision note remember der die das den dem des ein eine einen einem einer es er sie wir ihr ich du man und oder
    aber ist sind war waren hat haben wird werden im am um zu zum zur von vom mit bei nach aus auf für ab bis seit
    wenn dass nicht kein keine nutzer el la los las lo un una unos unas es son está están fue hay y o pero de del al
    en con por para que se su sus mi mis no si sí cuando le les un une des du est sont était et ou mais au aux dans
    avec pour par sur que qui ce cette il elle on nous vous je ne si os as um uma uns umas é são foi e do da dos das
    no na nos nas com por para que se seu sua não il lo gli i della del di che è sono e""".split()
)


def figures(text: str) -> frozenset[str]:
    """The numbers, dates, times, weekdays and amounts of a text in the canonical form of text/numbers.py."""
    return frozenset(f.value for f in numbers.scan(text))


def names(text: str) -> frozenset[str]:
    """Proper names and identifiers of a text, case-folded, without a possessive s: words with a capital letter (but
    months, weekdays and everyday words), words with digits or capitals inside, snake_case, paths, addresses."""
    return frozenset(name for name, _ in _named(text))


def polarity(text: str) -> bool:
    """Whether the text denies something: it holds a word of negation (en, de, es, fr, pt, it, ja, zh)."""
    return _NEGATION.search(text) is not None


def same_figures(a: str, b: str) -> bool:
    """Whether two texts state the same figures, names and polarity.

    Names count as shared when the other text has the word in any case, since the first word of a sentence is
    capitalised anyway. A number must not stand beside the word that another number has beside it in the other text
    ("12 cats and 3 dogs", "3 cats and 12 dogs"). Reflexive and symmetric.
    """
    if a == b:
        return True
    if polarity(a) != polarity(b) or figures(a) != figures(b) or _swapped(a, b):
        return False
    return names(a) <= _words(b) and names(b) <= _words(a)


def bare_word(word: str) -> str:
    """A word as it is compared: case-folded, without a possessive s and quotes."""
    word = word.casefold().replace("’", "'").strip("'")
    return word.removesuffix("'s")


def _named(text: str) -> Iterator[tuple[str, int]]:
    """(name, where it starts) in the order of the text."""
    taken = [(f.start, f.stop) for f in numbers.scan(text)]
    k = 0
    for m in _TOKEN.finditer(text):
        while k < len(taken) and taken[k][1] <= m.start():
            k += 1
        if k < len(taken) and taken[k][0] <= m.start() and m.end() <= taken[k][1] + 1:
            continue
        token = m[0].rstrip(":'’")
        if _IDENTIFIER.match(token) or (_DOTTED.fullmatch(token) and not token[0].isdigit()):
            yield bare_word(token), m.start()
        else:
            yield from _capitalised(text, m)


def _capitalised(text: str, token: re.Match[str]) -> Iterator[tuple[str, int]]:
    for m in _WORD.finditer(text, token.start(), token.end()):
        word = bare_word(m[0])
        if not m[0][0].isupper() or word.endswith("n't"):
            continue
        if len(word) == 1:
            everyday = word == "i" or bool(_SENTENCE_END.search(text, max(0, m.start() - 8), m.start()))
        else:
            everyday = word in _EVERYDAY or word in WEEKDAYS or word in MONTHS
        if not everyday:
            yield word, m.start()


def _words(text: str) -> frozenset[str]:
    """Everything a name of another text may be equal to: tokens and the words in them, in the form of bare_word, each
    also without a plural s."""
    found = set()
    for m in _TOKEN.finditer(text):
        found.add(bare_word(m[0].rstrip(":'’")))
        found.update(bare_word(w) for w in _WORD.findall(m[0]))
    return frozenset(found | {w[:-1] for w in found if w.endswith("s")} | {f"{w}s" for w in found})


def _swapped(a: str, b: str) -> bool:
    """Whether a word has one bare number beside it in `a` and another one in `b`."""
    return any(
        near_a[word] != near_b[word]
        for near_a, near_b in zip(_beside(a), _beside(b), strict=True)
        for word in near_a.keys() & near_b.keys()
    )


def _beside(text: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The word before each bare number -> the numbers, and the same for the word after."""
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for figure in numbers.scan(text):
        if not figure.bare:
            continue
        left = _WORD.findall(text, max(0, figure.start - 40), figure.start)
        right = _WORD.search(text, figure.stop, figure.stop + 40)
        if left:
            before.setdefault(bare_word(left[-1]), set()).add(figure.value)
        if right:
            after.setdefault(bare_word(right[0]), set()).add(figure.value)
    return before, after
