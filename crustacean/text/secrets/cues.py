"""Secrets that show by the words around them, in prose and in settings: "the wifi password is ...", API_KEY=..., "gate
code 4711#", "PIN lautet 4471", "hunter2 is the password"."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crustacean.text.secrets import codes, passwords, words
from crustacean.text.secrets.span import Span


def find(text: str) -> Iterator[Span]:
    """Secrets by cue words. Linear in the text's length: a bounded look at each place where a cue stands."""
    low = text.lower() if "İ" not in text else text.replace("İ", "I").lower()
    for cues, look in _FAMILIES:
        for cue in cues:
            at = low.find(cue)
            while at >= 0:
                stop = at + len(cue)
                yield from look(text, low, at, stop)
                at = low.find(cue, stop)


def _spelt(cues: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for cue in cues for form in (cue, cue.replace("_", " "))))


_FAMILIES: tuple[tuple[tuple[str, ...], Callable[[str, str, int, int], Iterator[Span]]], ...] = (
    (_spelt(words.PASSWORD), passwords.password),
    (_spelt(words.SHORT_PASSWORD), passwords.short_password),
    (_spelt(words.KEY), codes.key),
    (_spelt(words.LOGIN), passwords.login),
    (_spelt(words.PIN), codes.pin),
    (_spelt(words.CODE), codes.code),
    (words.OPENS, codes.opens),
    (_spelt(words.SEED), codes.seed),
)
