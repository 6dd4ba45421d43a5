"""How alike two texts are, and whether they say the same thing in nearly the same words."""

from __future__ import annotations

import re
from collections import Counter

from crustacean.text import numbers
from crustacean.text.figures import bare_word, same_figures
from crustacean.text.normalise import normalise

_WORD = re.compile(r"[^\W_]+(?:[’'][^\W\d_]+)?|_")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SIGNIFICANT = re.compile(r"[^\W_]+(?:[’'][^\W\d_]+)?|[^\w\s.,;:!'’\"“”„«»‘*_`()–—-]|(?<!\S)[-_](?!\S)")
_SHINGLE = 3

# Words that may come and go without changing what is said: articles, copulas, the prepositions that English swaps
# freely, and words of emphasis. Nothing that limits, denies, compares, dates or points to a person.
_LIGHT = frozenset(
    """a an the is are am be it's at on in of for to very really also just please actually basically ok okay
    der die das dem ein eine einen ist sind auch sehr el la los las un es también muy le une du est sont aussi
    très o é são também muito""".split()
)


def similarity(a: str, b: str) -> float:
    """How alike two texts read, 0.0 to 1.0: the mean of the Dice coefficients of their words and of their character
    trigrams, case-folded and normalised. 1.0 for equal texts (also two empty ones). Symmetric, linear in the lengths.
    """
    left, right = normalise(a).casefold(), normalise(b).casefold()
    if left == right:
        return 1.0
    words = _dice(Counter(_words(left)), Counter(_words(right)))
    return (words + _dice(_shingles(left), _shingles(right))) / 2


def same(a: str, b: str) -> bool:
    """Whether two texts are near-duplicates that state the same figures, names and polarity.

    Near-duplicates: the same words in the same order, but for light words (articles, emphasis), plural s, punctuation,
    emphasis markers, case, and figures in another spelling ("4 pm", "16:00"). The order counts, since "Ana owes Ben"
    and "Ben owes Ana" have the same words. Check boxes, strike-through and question marks count.
    Symmetric and reflexive.
    """
    left, right = normalise(a), normalise(b)
    if left.casefold() == right.casefold():
        return True
    meaning = _meaning(left)
    return bool(meaning) and meaning == _meaning(right) and same_figures(left, right)


def _words(text: str) -> list[str]:
    out: list[str] = []
    for m in _WORD.finditer(text):
        word = m[0]
        if _CJK.search(word):
            out += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        else:
            out.append(bare_word(word))
    return out


def _shingles(text: str) -> Counter[str]:
    padded = f" {text} "
    return Counter(padded[i : i + _SHINGLE] for i in range(len(padded) - _SHINGLE + 1))


def _dice(a: Counter[str], b: Counter[str]) -> float:
    total = a.total() + b.total()
    if not total:
        return 1.0
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    return 2 * sum(min(n, large[key]) for key, n in small.items() if key in large) / total


def _meaning(text: str) -> list[str]:
    """The words that carry meaning in their order, figures in canonical form."""
    out: list[str] = []
    at = 0
    for figure in numbers.scan(text):
        out += _plain_words(text, at, figure.start)
        out.append(f"={figure.value}")
        at = figure.stop
    return out + _plain_words(text, at, len(text))


def _plain_words(text: str, start: int, stop: int) -> list[str]:
    words = (bare_word(m[0]) for m in _SIGNIFICANT.finditer(text, start, stop))
    return [w.removesuffix("s") if len(w) > 3 else w for w in words if w not in _LIGHT]
