"""Turns what a person said of themselves into a statement about them: "I prefer tea" becomes "Ana prefers tea"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crustacean.models.offline import words
from crustacean.models.offline.lead import Core

_OPAQUE = re.compile(r"(`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»|\S+://\S+|\S*[/\\_=]\S*)")
_PIECE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?(?:-[^\W\d_]+)*|\s+|[^\w\s]|\d[\d.,:]*|\w")
_SUBJECT = {
    "i": "", "i'm": "am", "i've": "have", "i'll": "will", "i'd": "would", "im": "am", "ive": "have",
    "we": "", "we're": "are", "we've": "have", "we'll": "will", "we'd": "would",
}  # fmt: skip
_OWN = {"my": "their", "our": "their", "mine": "theirs", "ours": "theirs"}
_OBJECT = {"me": "them", "us": "them", "myself": "themselves", "ourselves": "themselves"}
_PLURAL = {"am": "are", "was": "were", "has": "have", "is": "are", "m": "are"}
_PARENTS = frozenset("dad mum mom mam mama papa grandma grandpa granny gran daddy mummy mommy".split())
_ELIDED = re.compile(
    r"^(?:couldn't|can't|cannot|won't|didn't|haven't|don't|wasn't|wouldn't|been|was|got|had|need|needed|want|wanted"
    r"|love|hate|prefer|like|moved|finished|kept|felt|started|bought|sold|booked|ordered|joined|signed|met|saw|spent"
    r"|spoke"
    r"|decided|agreed|passed|quit|lost|won|found|made|will|would love|(?:just|finally|already) (?=got|had|bought"
    r"|sold|met|saw|made|found|lost|won|\w+ed\b)|planning|thinking|looking forward|going"
    r"|feeling|working|learning|moving|training|hoping|trying|considering|expecting)\b",
    re.IGNORECASE,
)
_REMIND = re.compile(
    r"^(?:please |can you |could you )?remind (me|us)(?P<when>(?: (?:on|at|in|by|every|before|tomorrow|next"
    r"|again)\b.{0,40}?)?)"
    r",? (?P<link>to|about|that|of) (?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_DONT = re.compile(r"^(?:please )?(?:don't|do not|dont) (?:ever )?(.+)$", re.IGNORECASE | re.DOTALL)
_ALWAYS = re.compile(r"^(?:please )?(always|never) ([a-z]+\b.*)$", re.IGNORECASE | re.DOTALL)
_SCOPED = re.compile(
    rf"^(?:from now on|in future|going forward|for (?:this|the|all|any|every) [\w ]{{1,20}}|in (?:this|the|all"
    rf"|any) [\w ]{{1,20}}|by default|whenever [\w ]{{1,30}})[,:]? (?:please |always |never "
    rf"|don't )?(?:{'|'.join(sorted(words.TASK_VERBS))})\b",
    re.IGNORECASE,
)
_PROPOSED = re.compile(
    r"^(?P<scope>[\w '-]{1,30}: )?(?:and |so |but |or )?(?:what if (?:we |i )?|how about (?:we |i |if (?:we |i )?)?"
    r"|why (?:don't|not) we |(?:should|shouldn't) we |could we )(?:not )?(?:also )?",
    re.IGNORECASE,
)
_COULD_YOU = re.compile(r"^(?:can|could|would|will) you (?:please )?(?:also |maybe )?", re.IGNORECASE)
_PAST = "|".join(sorted(words.IRREGULAR_PAST - {"had", "was", "were", "did", "left", "made"}))
_ELIDED_PAST = re.compile(
    rf"^(?:{_PAST}|[a-z]{{2,}}ed) (?:the|a|an|my|our|in|to|with|from|at|on|for|it|him|her|them|up|out|off|back)\b",
    re.IGNORECASE,
)
_WISHES = frozenset("want need hope plan like love hate".split())
_LETS = re.compile(r"^let's\b", re.IGNORECASE)
_SUBJECTS = re.compile(r"\b(?:i|i'm|we|my|me|us|it|it's|that|this|he|she|they|you)\b", re.IGNORECASE)
_PLEASE = re.compile(r"^please,? ", re.IGNORECASE)


@dataclass(slots=True)
class _Voice:
    """Who speaks while a text is rewritten: named once, "they" after that."""

    i: str
    we: str
    named: bool
    start: bool = True

    def subject(self, plural: bool) -> tuple[str, bool]:
        """The subject to write, and whether its verb is in the singular."""
        if self.named and (not plural or self.we == self.i):
            return "they", False
        self.named = self.named or not plural or self.we == self.i
        return self._cased(self.we if plural else self.i), True

    def own(self, plural: bool) -> str:
        if self.named and (not plural or self.we == self.i):
            return "their"
        self.named = self.named or not plural or self.we == self.i
        return f"{self._cased(self.we if plural else self.i)}'s"

    def object(self, plural: bool) -> str:
        if self.named and (not plural or self.we == self.i):
            return "them"
        self.named = self.named or not plural or self.we == self.i
        return self._cased(self.we if plural else self.i)

    def _cased(self, name: str) -> str:
        return name if self.start or not name.startswith("The ") else "the " + name[4:]


def restate(text: str, who: str, *, we: str = "", named: bool = False) -> str:
    """English text with "I", "my", "me" and "we", "our", "us" replaced by `who` (and `we`, `who` where empty), verbs
    agreeing. named: `who` stands before the text already, so that "they" is enough."""
    voice = _Voice(who, we or who, named, start=not named)
    parts: list[str] = []
    for number, part in enumerate(_OPAQUE.split(text.replace("’", "'"))):
        parts.append(part if number % 2 else _spoken(part, voice))
        voice.start = voice.start and not part.strip()
    return "".join(parts)


def _spoken(text: str, voice: _Voice) -> str:
    pieces = _PIECE.findall(text)
    out: list[str] = []
    singular = agree = False
    for number, piece in enumerate(pieces):
        low = piece.lower()
        if low in _SUBJECT and not _after_digit(pieces, number):
            subject, singular = voice.subject(low.startswith("we"))
            out.append(subject)
            verb = _SUBJECT[low]
            if verb:
                out.append(" " + (words.third_person(verb) if singular else _PLURAL.get(verb, verb)))
                agree = False
            else:
                agree = True
        elif low in _OWN:
            out.append(voice.own(low.startswith("our")) if low in ("my", "our") else _OWN[low])
        elif low in _OBJECT and not (low == "us" and piece == "US"):
            out.append(voice.object(low in ("us", "ourselves")) if low in ("me", "us") else _OBJECT[low])
        elif low.removesuffix("'s") in _PARENTS and not _possessed(pieces, number):
            out.append(f"{voice.own(False)} {low}")
        elif agree and piece.strip() and piece[0].isalpha() and low not in words.ADVERBS:
            out.append(words.third_person(piece) if singular else _PLURAL.get(low, piece))
            agree = False
        elif singular and low in words.COMMON_VERBS and _joined(pieces, number):
            out.append(words.third_person(piece))
        else:
            out.append(piece)
            if piece in ".;:!?":
                singular = False
        voice.start = voice.start and not piece.strip()
    return "".join(out)


def _after_digit(pieces: list[str], number: int) -> bool:
    return number > 0 and pieces[number - 1][-1:].isdigit()


def _possessed(pieces: list[str], number: int) -> bool:
    before = [p.lower() for p in pieces[max(0, number - 4) : number] if p.strip()]
    return bool(before) and (
        before[-1] in _OWN
        or before[-1] in ("his", "her", "their", "your", "a", "the", "s", "old", "dear")
        or before[-1].endswith("'s")
    )


def _joined(pieces: list[str], number: int) -> bool:
    """Whether a verb is the second one of the same subject: "I work in Bonn and live in Köln"."""
    before = [p.lower() for p in pieces[:number] if p.strip()]
    while before and before[-1] in words.ADVERBS:
        before.pop()
    if before and before[-1] == "," and pieces[number].lower() in _WISHES:
        return True
    if not before or before[-1] not in ("and", "but", "or"):
        return False
    return not (
        set(before[-4:-1]) & {"to", "will", "can", "'ll", "should", "would", "could", "must", "not"}
    ) and _subject_last(before)


def _subject_last(before: list[str]) -> bool:
    """No other subject between the speaker and the verb."""
    return not any(
        w in ("he", "she", "it", "they", "you", "who", "which", "that", "to", "will", "can", "would", "if")
        for w in before
    )


def statement(core: Core, tag: str, who: str, *, we: str = "", task: bool = False) -> str:
    """What a person said as a statement about them that stands alone."""
    text = core.text.strip()
    remind = _REMIND.match(text)
    if remind:
        link = {"to": "to", "that": "that"}.get(remind["link"].lower(), "about")
        what = restate(remind["what"], who, we=we, named=True)
        return _finish(f"{who} wants to be reminded {remind['when'].strip()} {link} {what}")
    always = _ALWAYS.match(text)
    if _LETS.match(text):
        return _finish(f"{who}: {_low(text, always=True)}")
    if task or (always and words.words(always[2])[0] in words.TASK_VERBS | words.COMMON_VERBS):
        return _finish(f"{who} asks {_asked(text, who, we)}")
    if _SCOPED.match(text):
        return _finish(f"{who} asks: {_low(restate(text, who, we=we, named=True))}")
    proposed = _PROPOSED.match(text)
    if proposed:
        idea = (proposed["scope"] or "") + text[proposed.end() :].rstrip("? ")
        return _finish(f"{who}'s idea: {_low(restate(idea, who, we=we, named=True))}")
    if core.label == "idea" or (tag == "idea" and not re.search(r"\b(?:I|we|my|our)\b", text, re.IGNORECASE)):
        return _finish(f"{who}'s idea: {_low(restate(text, who, we=we, named=True))}")
    if tag != "person" and (_ELIDED.match(text) or _ELIDED_PAST.match(text)):
        doing = re.match(r"\w+ing\b|looking forward", text, re.IGNORECASE)
        text = f"I {'am ' if doing else ''}{_low(text)}"
    elif tag == "feeling" and not _SUBJECTS.search(text):
        return _finish(f"{who} feels {_low(restate(text, who, we=we, named=True), always=True)}")
    return _finish(restate(text, who, we=we))


def _asked(text: str, who: str, we: str) -> str:
    """A standing wish as what follows "Ana asks": "to always use metric units", "not to call in the morning"."""
    text = _COULD_YOU.sub("", _PLEASE.sub("", text))
    dont = _DONT.match(text)
    if dont:
        return "not to " + _low(restate(dont[1], who, we=we, named=True))
    always = _ALWAYS.match(text)
    if always and always[1].lower() == "never":
        return "never to " + restate(always[2], who, we=we, named=True)
    return "to " + _low(restate(text, who, we=we, named=True))


def _low(text: str, *, always: bool = False) -> str:
    """Lower case at the start, where the first word is an ordinary one (or always)."""
    if always:
        return text[:1].lower() + text[1:]
    first = text.split(" ", 1)[0]
    if (
        len(first) > 1
        and first[0].isupper()
        and first[1:].islower()
        and (first.lower() in words.STOPWORDS | words.TASK_VERBS | words.COMMON_VERBS or words.is_verb(first))
    ):
        return text[0].lower() + text[1:]
    return text


def _finish(text: str) -> str:
    """One space between words, a capital at the start, a stop at the end."""
    text = re.sub(r"[ \t]{2,}", " ", text).strip().rstrip(",;:–—- ")
    if not text:
        return ""
    if text[0].islower() and not re.match(r"\S*[/._=\d]\S*|[a-z]+[A-Z]", text):
        text = text[0].upper() + text[1:]
    return text if text[-1] in '.!?…。！？"”»)' else text + "."
