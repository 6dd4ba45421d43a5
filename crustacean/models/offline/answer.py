"""Joins a question and its answer: neither says anything alone ("Which day?", "Thursday")."""

from __future__ import annotations

import re

from crustacean.models.offline import english, words
from crustacean.models.offline.lead import Core
from crustacean.models.offline.measure import is_acknowledgement, structure

_OFFER = re.compile(
    r"^(?:[\w' ]{1,30}[,.!] ){0,2}(?:(?:so|then) )?(?:shall|should|do you want me to|would you like me to|want me to"
    r"|can|may) (?:i|we)? ?(?P<what>.+)\?$",
    re.IGNORECASE,
)
_TO_THE_PERSON = re.compile(r"\b(?:you|your|we|our)\b", re.IGNORECASE)
_WH = re.compile(
    r"\b(?:which|what|when|where|who|whom|how (?:many|much|often|long|old|big|far)|at what)\b", re.IGNORECASE
)
_SMALL_TALK = re.compile(
    r"\b(?:how are you|what'?s up|anything else|all good|are you (?:ok|there)|what are we doing|what can i|how can i"
    r"|lunch|dinner tonight|coffee)\b",
    re.IGNORECASE,
)
_HERE_AND_NOW = re.compile(
    r"\b(?:who has|where(?:'s| is| are)|seen my|anyone|right now|(?:which|what) (?:line|page|step|option|version)"
    r"|error|output|file|folder|branch|button|browser|version do you see)\b",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"^(?!thing|something|nothing|evening|morning)[A-Za-z]{2,}ing (?:the|a|an|my|our|to|in|at|for|on|with|up|[a-z]+)\b"
)
_SPAN = re.compile(r"^\d+ ?min", re.IGNORECASE)


def joined(question: str, answer: Core, who: str, *, by_agent: bool) -> str:
    """One statement made of a question and the answer to it, "" where the two say nothing worth keeping.

    by_agent: the agent asked. Only answers with a day, an amount or a name count, or wishes to a question about them.
    """
    text = answer.text.rstrip(".! ")
    question = " ".join(question.split())
    if not text or len(question) > 200 or len(text) > 200 or _SMALL_TALK.search(question) or _SPAN.match(text):
        return ""
    if english.TROUBLE.search(text) or english.TROUBLE.search(question) or is_acknowledgement(text):
        return ""
    offer = _OFFER.match(question)
    if offer and by_agent:
        if structure(text) >= 1 and answer.affirms and not words.has_verb(text):
            return f"{_capital(offer['what'])}: {text}."
        return ""
    if words.has_verb(text) and len(words.words(text)) > 4:
        return ""
    if _HERE_AND_NOW.search(question) or not _tells(text):
        return ""
    asked = question.rstrip("? ")
    if (
        by_agent
        and len(words.content(asked)) < 2
        and not any(w in words.CALENDAR for w in words.words(text))
        and not re.search(r"\d:\d\d", text)
    ):
        return ""
    if len(words.words(asked)) <= 4 and not words.has_verb(asked) and not _WH.search(asked):
        return f"{_capital(asked)}: {text}."
    if by_agent and not (_TO_THE_PERSON.search(asked) or _WH.search(asked)):
        return ""
    if _DOING.match(text):
        return f"{who} is {text[0].lower()}{text[1:]}."
    return f'Asked "{asked}?", {who if not who.startswith("The ") else "the " + who[4:]} answered: {text}.'


def _tells(text: str) -> bool:
    """Whether a short answer holds something to look up: a figure, a day, a name."""
    if structure(text) >= 0.5 and re.search(r"\d", text):
        return True
    spoken = words.words(text)
    if any(w in words.CALENDAR for w in spoken):
        return True
    return (
        any(w[0].isupper() and w.lower() not in words.STOPWORDS for w in re.findall(r"[^\W\d_]{2,}", text))
        and bool(spoken)
        and spoken[0] not in english.ACKNOWLEDGED
    )


def _capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]
