"""What can be seen of a sentence without knowing what it means: how much it tells, whether it is a task or a nod."""

from __future__ import annotations

import re

from crustacean.models.offline import english, tables, words
from crustacean.models.offline.words import DATE, QUANTITY

_DATE = re.compile(DATE, re.IGNORECASE)
_QUANTITY = re.compile(QUANTITY, re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(
    r"(?<=[\w,;:)] )(?!I\b)[A-ZÀ-ÖØ-Þ][\w’'&-]+|\b[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+|\b(?:Mr|Mrs|Ms|Dr)\.? [A-Z]\w+"
    r"|\b[A-Z]{2,6}-?\d+"
)
_OWN = re.compile(r"\b(?:my|our|we|i|us|me|he|she)\b", re.IGNORECASE)
_PASSIVE_TASK = re.compile(
    r"^(?:can|could|would|will) (?:you|someone|somebody|anyone)\b|\bplease (?:somebody|someone|can)\b", re.IGNORECASE
)


def is_acknowledgement(text: str, lang: str = "en") -> bool:
    """Whether a sentence has nothing but words like "ok, thanks"."""
    own = tables.of(lang)
    if words.CJK.search(text):
        parts = re.findall(r"[^\s、，。！!？?,.~〜ー…]+", text)
        return own is not None and all(p in own.words["acknowledged"] for p in parts)
    spoken = words.words(text)
    known = own.words["acknowledged"] if own else english.ACKNOWLEDGED
    return all(w in known or (w in english.ACKNOWLEDGED and lang in ("", "en")) or len(w) == 1 for w in spoken)


def is_task(text: str) -> bool:
    """Whether an English sentence tells the agent to do something: it starts with such a verb and has no subject."""
    spoken = words.words(text)
    while spoken and spoken[0] in ("please", "now", "then", "just", "first", "next", "so", "and", "kindly"):
        spoken = spoken[1:]
    if not spoken or spoken[0] not in words.TASK_VERBS:
        return bool(_PASSIVE_TASK.search(text))
    second = spoken[1] if len(spoken) > 1 else ""
    third = spoken[2] if len(spoken) > 2 else ""
    if second in ("if", "whether", "that", "what", "why", "how", "the", "my", "our", "me", "a"):
        return True
    return not (
        second in words.FINITE
        or (second not in words.STOPWORDS and third in words.FINITE)
        or re.match(r"\w+(?: \w+){0,2}:", text)
    )


def structure(text: str) -> float:
    """How much a sentence says that can be looked up later: a date, an amount, a name, something of one's own."""
    score = 1.0 if _DATE.search(text) else 0.0
    score += 1.0 if _QUANTITY.search(text) else 0.5 if _NUMBER.search(text) else 0.0
    score += 1.0 if _NAME.search(text) else 0.5 if starts_with_name(text) else 0.0
    return score + (0.5 if _OWN.search(text) else 0.0)


def starts_with_name(text: str) -> bool:
    """ "Ruth gets the room": a capital, then a verb in the third person."""
    match = re.match(r"([A-ZÀ-Þ][a-zà-ÿ]+) ([a-z]+s)\b", text)
    return bool(
        match and words.is_verb(match[2]) and match[1].lower() not in words.STOPWORDS and not match[1].endswith("s")
    )


def dated(text: str) -> bool:
    """Whether an English text names a day."""
    return bool(_DATE.search(text))


def named(text: str) -> bool:
    """Whether a name or an identifier stands in a text, other than as its first word."""
    return bool(_NAME.search(text))


def names_a_thing(text: str) -> bool:
    """Whether a text names anything: a content word that is no verb, day or number."""
    for word in words.words(text):
        if word in words.STOPWORDS or word in words.CALENDAR or word.isdigit() or words.is_verb(word) or len(word) < 3:
            continue
        if words.stem(word) not in ("decid", "tell", "promis", "remind", "tomorrow", "today"):
            return True
    return False


def numbered(text: str) -> bool:
    """Whether a figure stands in a text."""
    return bool(_NUMBER.search(text))


def length(text: str) -> int:
    """Words of a sentence; two signs of Chinese or Japanese are about one."""
    cjk = len(words.CJK.findall(text))
    return cjk // 2 if cjk else len(words.words(text))
