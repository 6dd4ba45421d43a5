"""Who "he" and "she" are, and whether a sentence leans on the one before it."""

from __future__ import annotations

import re

from crustacean.models.offline import words
from crustacean.models.offline.measure import names_a_thing

_NOT_NAMES = words.CALENDAR | words.STOPWORDS | words.COMMON_VERBS | words.TASK_VERBS | frozenset(
    """hi hello hey dear great good nice perfect noted done corrected idea decision plan correction reminder note
    english german french spanish japanese italian dutch portuguese chinese welsh european american british
    christmas easter internet api sql eur usd gbp vat faq pdf json html css http url ok morning evening contact
    contract order price budget sure sorry thanks the user group""".split()
)  # fmt: skip
_CAPITALISED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof)\.? )?(?<![\w/.@#_-])[A-ZÀ-ÖØ-Þ][a-zà-ÿ'’]+(?:-[A-ZÀ-Þ][a-zà-ÿ]+)?(?: (?:de|da|van"
    r"|von|del|di|la|le|el|den|der) [A-ZÀ-Þ][a-zà-ÿ]+| [A-ZÀ-ÖØ-Þ][a-zà-ÿ]+){0,2}"
)
_DOES = re.compile(
    r"^,? (?:is|was|has|does|can|can't|doesn't|will|wants?|likes?|hates?|prefers?|lives?|works?|says|said|takes?"
    r"|comes?|arrives?|visits?"
    r"|reviews?|approves?|supplies|delivers?|installs?|runs?|owns?|joins?|leads?|turns?|annotates?|becomes?|calls?"
    r"|buys?|handles?|needs?|my|our)\b"
)
_HUMAN = re.compile(
    rf"'?s?,? (?:(?:is|was) (?:\w+ )?(?:allergic|vegan|vegetarian|pregnant|diabetic|retired|born|married|sick|ill"
    rf"|away|on (?:\w+ )?leave|my|our|their|his|her|\w+'s {words.KIN})\b|(?:lives|lived|likes|hates|loves|prefers"
    rf"|turns|annotates|reviews"
    rf"|takes (?:over|the)|stands in|doesn't (?:eat|drink)|has (?:two|three|a) (?:kids|child|son|daughter|baby)"
    rf"|moved to|retires|calls|says|thinks|speaks)\b|(?:my|our|(?:the )?\w+'s) (?:\w+ ){{0,2}}{words.KIN}\b)",
    re.IGNORECASE,
)
_PERSON = re.compile(
    rf"(?:\b(?:my|our)|(?:[A-Z][\w-]+ ){{0,2}}[A-Z][\w-]+'s|\b[Tt]he user's) (?:\w+ ){{0,2}}{words.KIN}\b"
)
_PRONOUN = re.compile(r"\b(he|she)('s|'ll|'d)?\b", re.IGNORECASE)
_POSSESSIVE = re.compile(
    r"\b(his)\b(?= \w)|\b(her|him)\b(?= (?:on|in|at|to|for|from|with|by|and|or|if|when|about|as|before|after|until"
    r"|tomorrow|today|again|every|that|because)\b|\s*[.,;:!?]|$)"
    r"|\b(her)\b(?= \w)",
    re.IGNORECASE,
)
_NAMED_BEFORE = re.compile(
    r"(?:^|\s)(?!(?:I|The|My|Our|On|In|At|From|And|But|So|If|When|Since|Because|Also|Then|Yes|No)\b)[A-ZÀ-Þ][a-zà-ÿ]+"
)
_NAMES_ANEW = re.compile(r"\b[Hh](?:is|er) name\b|\b[Cc]all(?:ed)? (?:him|her) [A-ZÀ-Þ]")
_WOMAN = re.compile(
    r"\b(?:mrs|ms|frau|sister|mother|mum|mom|wife|daughter|girlfriend|aunt|niece|grand(?:ma|mother|daughter)|landlady)\b"
)
_MAN = re.compile(
    r"\b(?:mr|herr|brother|father|dad|husband|son|boyfriend|uncle|nephew|grand(?:pa|father|son)|landlord)\b"
)
_LEANS = re.compile(
    r"^(?:(?:and|but|so|then|also|because|since|as|if|when|where|which|who|whether|that way|on [\w ]{2,14}"
    r"|from [\w ]{2,14}|until [\w ]{2,14}),? )?"
    r"(?:it|it's|its|they|they're|them|that's|this one|that one|he|he's|she|she's|his|her|both|"
    r"neither|the (?:same|other|latter|former|first|second|whole thing|rest)|one of (?:them|those)|such"
    r"|(?:this|that|these|those)(?= (?:is|are|was|were|will|would|can|could|has|have|had|means?|makes?|made|needs?"
    r"|goes|way)\b|,))\b",
    re.IGNORECASE,
)
_LATER_IT = re.compile(
    r"\b(?:it|them|that one|this one)\b(?! (?:is|was|'s|seems|takes|looks|would be|rains?|has) )", re.IGNORECASE
)


def people(text: str) -> list[str]:
    """Names of people that a text makes plain, in order: a title, a role beside it, or something only people do."""
    found: list[str] = []
    for match in _CAPITALISED.finditer(text.replace("’", "'")):
        name = match.group().removesuffix("'s")
        first = name.split()[0].rstrip(".").lower()
        if first in _NOT_NAMES and not re.match(r"(?:Mr|Mrs|Ms|Dr|Prof)\b", name):
            rest = name.split(" ", 1)
            if (
                len(rest) == 1
                or rest[1].split()[0].lower() in _NOT_NAMES
                or (match.start() > 0 and text[match.start() - 2 : match.start()] not in (". ", "! ", "? "))
            ):
                continue
            name = rest[1]
        before = text[max(0, match.start() - 30) : match.start()]
        titled = re.match(r"(?:Mr|Mrs|Ms|Dr|Prof)\b", name) is not None
        role = (
            re.search(rf"(?:{words.KIN}|contact|surgeon|named|called)\b,?(?: is| was|:)? $", before, re.IGNORECASE)
            is not None
        )
        if (
            titled
            or role
            or _DOES.match(text[match.end() : match.end() + 24])
            or (" " in name and name.replace(" ", "").isalpha())
        ):
            found.append(name)
    return list(dict.fromkeys(found))


def known(text: str) -> list[str]:
    """Names that surely are a person's, not a firm's: by a title, a role, or what only people do and have."""
    found = []
    for name in people(text):
        at = text.find(name)
        before, after = text[max(0, at - 40) : at], text[at + len(name) : at + len(name) + 40]
        if (
            re.match(r"(?:Mr|Mrs|Ms|Dr|Prof)\b", name)
            or re.search(rf"\b(?:{words.KIN}|surgeon)\b,?(?: is| was| called| named)? $", before, re.IGNORECASE)
            or _HUMAN.match(after)
        ):
            found.append(name)
    return found


def someone(text: str, speaker: str = "") -> list[str]:
    """People named or described ("Ana's sister", where the speaker Ana says "my sister"): whom "she" may mean."""
    named = people(text)
    if named:
        return named
    described = [m.group() for m in _PERSON.finditer(text)]
    if len(described) != 1:
        return []
    return [re.sub(r"^(?:my|our)\b", f"{speaker}'s", described[0], flags=re.IGNORECASE) if speaker else described[0]]


def resolve(text: str, before: list[tuple[str, str]]) -> str:
    """Put a name for a leading "he" or "she" where exactly one person is plain in the nearest text that names any.

    before: earlier texts with their speakers, nearest first. The text comes back unchanged where nobody or more than
    one is plain, where a name stands before the pronoun already, and where the person is known to be of the other sex.
    """
    match = _PRONOUN.search(text)
    possessive = _POSSESSIVE.search(text)
    first = min((m for m in (match, possessive) if m), key=lambda m: m.start(), default=None)
    if (
        not first
        or _NAMES_ANEW.search(text)
        or someone(text[: first.start()])
        or _NAMED_BEFORE.search(text[: first.start()])
    ):
        return text
    for speaker, earlier in before:
        candidates = someone(earlier, speaker)
        if len(candidates) > 1:
            return text
        if candidates:
            meant = "m" if re.match(r"h(?:e|is|im)\b", first.group(), re.IGNORECASE) else "f"
            return _put(text, first, candidates[0]) if _sex(candidates[0], earlier) in ("", meant) else text
    return text


def _sex(name: str, text: str) -> str:
    """ "f" or "m" where a title or the family word beside a name tells, else ""."""
    at = text.find(name)
    near = text[max(0, at - 24) : at + len(name) + 24].lower()
    female, male = _WOMAN.search(near), _MAN.search(near)
    return "f" if female and not male else "m" if male and not female else ""


def _put(text: str, match: re.Match[str], name: str) -> str:
    if match.start() > 0 and name.startswith("The "):
        name = "the " + name[4:]
    if match.re is _POSSESSIVE and match.group(2):
        return f"{text[: match.start()]}{name}{text[match.end() :]}"
    if match.re is _POSSESSIVE:
        return f"{text[: match.start()]}{name}'s{text[match.end() :]}"
    ending = {"'s": " is", "'ll": " will", "'d": " would"}.get(match.group(2) or "", "")
    if match.group(2) == "'s" and re.match(r" (?:been|got|had|\w+ed)\b", text[match.end() :]):
        ending = " has"
    return f"{text[: match.start()]}{name}{ending}{text[match.end() :]}"


def leans(text: str) -> bool:
    """Whether a sentence needs the one before it: it starts with "it", "they", "that", or its only thing is an "it"."""
    if (
        _LEANS.match(text)
        or re.match(r"\w+ there (?:is|are|was)\b", text, re.IGNORECASE)
        or re.search(r"\binstead[.!]?$", text)
    ):
        return True
    it = _LATER_IT.search(text)
    return bool(it and not names_a_thing(text[: it.start()]))
