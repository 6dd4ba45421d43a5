"""What is taken from text that nobody present said: a pasted letter, a forwarded mail, a quotation.

Only values whose label is plain ("Customer number: FC-77120"), never what it asks for; and, where the person asked to
keep what matters in it, its sentences with figures, as the sender's words.
"""

from __future__ import annotations

import re

from crustacean.models.offline import guard, words
from crustacean.models.offline.words import DATE, QUANTITY

MOST = 8
"""Facts of one paste."""

_LABELLED = re.compile(r"^(?P<label>[^\W\d_][\w .'/-]{2,40})\s?[:：]\s(?P<value>[^\s].{0,100})$")
_IS = re.compile(
    r"\b(?:your|the|our|ihre?|ihr|unsere?|su|nuestr[oa]|votre|notre|seu|sua)\s(?P<label>[\w' -]{3,45}?)\s(?:is|are"
    r"|ist|es|est|é|lautet)\s(?P<value>[^.;]{2,80})",
    re.IGNORECASE,
)
_MAIL_HEADER = re.compile(
    r"^(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|de|para|asunto|objet|à|assunto|http"
    r"|https|re|fw|fwd)$",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    rf"{DATE}|{QUANTITY}|\b[A-Z]{{2,6}}-?\d{{2,}}\b|\b(?:within|before|after|at least) \d", re.IGNORECASE
)
_SENDER = re.compile(
    r"\b(?:(?P<kind>letter|mail|e-?mail|message|note|text|offer|invoice|quote|reply|answer)s? (?:i got |we got "
    r"|we received )?(?:from|by)|(?:from|by)) (?P<who>(?:the )?[A-ZÀ-Þ][\w&'’-]*(?: [A-ZÀ-Þ][\w&'’-]*){0,3})"
)
_GREETING = re.compile(
    r"^(?:dear|kind regards|best regards|sincerely|regards|yours|hi|hello|thank you|thanks|best|cheers|sehr geehrte"
    r"|mit freundlichen|estimad|un saludo|cordialement)\b",
    re.IGNORECASE,
)


def labelled(sentence: str) -> tuple[str, str] | None:
    """("Customer number", "FC-77120") of a sentence that says so plainly, None of any other."""
    sentence = sentence.strip()
    if guard.injected(sentence, strict=True) or guard.secret(sentence):
        return None
    plain = _LABELLED.match(sentence.rstrip("."))
    match = plain or _IS.search(sentence)
    if not match or _MAIL_HEADER.match(match["label"].strip()):
        return None
    label, value = match["label"].strip(), match["value"].strip().rstrip(".")
    telling = re.search(r"\d", value) or re.search(r"(?:^|[ .])[A-ZÀ-Þ][a-zà-ÿ]", value)
    if (
        not telling
        or len(words.words(label)) > 6
        or len(words.words(value)) > 12
        or (words.has_verb(value) and not re.search(r"\d", value))
    ):
        return None
    return f"{label[0].upper()}{label[1:]}", value


def source(own_words: str) -> str:
    """What a paste is called: "Letter from Farinera Coll", by the words that lead it in; "Pasted text" without."""
    match = _SENDER.search(own_words)
    if not match:
        return "Pasted text"
    return f"{(match['kind'] or 'text').capitalize()} from {match['who']}"


def facts(sentences: list[str], own_words: str, *, keep_asked: bool) -> list[str]:
    """The statements a paste gives, at most MOST, each naming its source."""
    name = source(own_words)
    found: list[str] = []
    bags: list[frozenset[str]] = []
    for sentence in sentences:
        text = _fact(sentence.strip(), name, keep_asked=keep_asked)
        bag = words.content(sentence)
        if not text or any(len(bag & other) * 4 >= 3 * len(bag) for other in bags):
            continue
        bags.append(bag)
        found.append(text)
    return found[:MOST]


def _fact(sentence: str, name: str, *, keep_asked: bool) -> str:
    pair = labelled(sentence)
    whole = keep_asked and _keepable(sentence)
    if pair and not (whole and len(" ".join(pair)) * 2 < len(sentence)):
        return f"{pair[0]} ({name[0].lower() + name[1:]}): {pair[1]}."
    return f'{name}: "{sentence.rstrip(".")}."' if whole else ""


def _keepable(sentence: str) -> bool:
    if guard.injected(sentence, strict=True) or guard.secret(sentence) or _GREETING.match(sentence):
        return False
    return bool(_FIGURE.search(sentence)) and len(sentence) <= 300
