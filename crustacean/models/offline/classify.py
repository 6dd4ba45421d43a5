"""Says what a sentence is: a decision, a wish, a plan, ... or talk that is not kept, and why."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from crustacean.models.offline import cues, english, words
from crustacean.models.offline.lead import Core
from crustacean.models.offline.words import DATE, QUANTITY

_ORDER = (
    "correction", "reminder", "decision", "preference", "promise", "plan", "person", "idea", "lesson", "feeling",
    "quote", "joke", "fact",
)  # fmt: skip
"""Which tag wins where two weigh the same."""

_DATE = re.compile(DATE, re.IGNORECASE)
_QUANTITY = re.compile(QUANTITY, re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(
    r"(?<=[\w,;:)] )(?!I\b)[A-ZÀ-ÖØ-Þ][\w’'&-]+|\b[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+|\b(?:Mr|Mrs|Ms|Dr)\.? [A-Z]\w+|\b[A-Z]{2,6}-?\d+"
)
_OWN = re.compile(r"\b(?:my|our|we|i|us|me|he|she)\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|probably|i think|might|not sure|i guess|possibly|kind of|sort of)\b", re.IGNORECASE
)
_PASSIVE_TASK = re.compile(
    r"^(?:can|could|would|will) (?:you|someone|somebody|anyone)\b|\bplease (?:somebody|someone|can)\b", re.IGNORECASE
)
_LABEL = re.compile(r"^[^\W\d_][\w' -]{1,40}:\s")
_SUBJECT = re.compile(
    r"^(?:(?:then|now|today|tomorrow|yesterday|last \w+|next \w+|for \w+|in \w+|on \w+|at \w+|since \w+|after \w+|before \w+),? )?(?:(?:i|we|he|she)\b|(?:my|our|his|her|the|all|every|each|no|both) \w)|^(?-i:[A-ZÀ-Þ][a-zà-ÿ]+)'?s? [a-z]",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"^(?:that|this|it|these|those|there|they)(?:'s|'re| is| are| was| were| looks?| sounds?| works?| worked| makes?| did| does| should| will| helps?| feels?| seems?)\b",
    re.IGNORECASE,
)
_STANDING = frozenset(("preference", "reminder", "decision"))
_DATED_TASK = re.compile(r"^(?:please )?(?:book|schedule|reserve|order|move|postpone|cancel|plan|buy)\b", re.IGNORECASE)
_POINTS = re.compile(
    r"^(?:please )?(?:note|remember|keep|save|store|record|write down|add|put)\b(?: \w+)? (?:that|this|these|those|both|it|them|all|what)\b(?! (?:i|we|my|our|the|he|she)\b)",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:what|how|when|where|why|whatever|whoever|wherever) (?:i|we|they|he|she|you|the|my|our|it)\b.{8,}\.$|(?:when|whenever|wherever) (?:i|we|the|you|it)\b|(?:is|are|was|were|do|does|have|has) \w+ing\b",
    re.IGNORECASE,
)
_LETS = re.compile(r"^let'?s\b", re.IGNORECASE)
_ONE_OFF = re.compile(
    r"^(?:please )?\w+ (?:it|this|that|them|these|those)\b(?!.{0,60}\b(?:always|never|from now on|whenever|every|by default|anything|when)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """tag: "" where the sentence is not kept. weight: the sum of cues and penalties. reason: in a few words."""

    tag: str
    weight: float
    reason: str
    task: bool = False

    @property
    def kept(self) -> bool:
        return bool(self.tag)


def classify(core: Core, question: bool, lang: str) -> Verdict:
    """Judge one sentence (without its lead-in). Pure: the same words give the same verdict."""
    if lang in ("", "en") and english.PROPOSES.match(core.text) and len(words.content(core.text)) >= 2:
        return Verdict("idea", 3.0, "an idea is put forward")
    if question and not core.tag_question:
        return Verdict("", 0, "a question")
    if lang in ("", "en"):
        return _english(core)
    return _other(core, lang)


def is_acknowledgement(text: str, lang: str = "en") -> bool:
    """Whether a sentence has nothing but words like "ok, thanks"."""
    own = cues.LANGUAGES.get(lang)
    if words.CJK.search(text):
        parts = re.findall(r"[^\s、，。！!？?,.~〜ー…]+", text)
        return own is not None and all(p in own.acknowledged for p in parts)
    spoken = words.words(text)
    known = own.acknowledged if own else english.ACKNOWLEDGED
    return all(w in known or w in english.ACKNOWLEDGED and lang in ("", "en") or len(w) == 1 for w in spoken)


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
        or second not in words.STOPWORDS
        and third in words.FINITE
        or re.match(r"\w+(?: \w+){0,2}:", text)
    )


def structure(text: str) -> float:
    """How much a sentence says that can be looked up later: a date, an amount, a name, something of one's own."""
    score = 1.0 if _DATE.search(text) else 0.0
    score += 1.0 if _QUANTITY.search(text) else 0.5 if _NUMBER.search(text) else 0.0
    score += 1.0 if _NAME.search(text) else 0.5 if _starts_with_name(text) else 0.0
    return score + (0.5 if _OWN.search(text) else 0.0)


def _starts_with_name(text: str) -> bool:
    """ "Ruth gets the room": a capital, then a verb in the third person."""
    match = re.match(r"([A-ZÀ-Þ][a-zà-ÿ]+) ([a-z]+s)\b", text)
    return bool(
        match and words.is_verb(match[2]) and match[1].lower() not in words.STOPWORDS and not match[1].endswith("s")
    )


def _english(core: Core) -> Verdict:
    text = core.text
    if is_acknowledgement(text) and not english.CUES_FEELING_ALONE.search(text):
        return Verdict("", 0, "an acknowledgement")
    if not core.tag_question and english.WH.match(text) and not _STATES.match(text):
        return Verdict("", 0, "a question")
    weights, reasons = _weigh(((c.tag, c.weight, c.pattern, c.why) for c in english.CUES), text)
    if core.label:
        weights[core.label] += 3
        reasons.setdefault(core.label, "a person named it so")
    if core.to_keep:
        weights["reminder"] += 2.5
        reasons.setdefault("reminder", "it is to be kept in mind")
    if core.corrects and re.search(r", not\b|\bit'?s\b|\bis\b|\bare\b", text) and structure(text) >= 1:
        weights["correction"] += 2.5
        reasons.setdefault("correction", "something said before is corrected")
    task = (is_task(text) or bool(_LETS.match(text))) and not core.label
    if task:
        for tag in list(weights):
            if tag not in _STANDING and not (tag == "plan" and _DATED_TASK.match(text)):
                del weights[tag]
        if (
            _ONE_OFF.match(text)
            and not re.match(r"(?:please )?(?:don't|do not|never)\b", text, re.IGNORECASE)
            and not core.to_keep
            and "plan" not in weights
        ):
            weights.clear()
        if not weights or _POINTS.match(text) and structure(text) < 1:
            return Verdict("", 0, "a task of the moment", task=True)
    solid = structure(text)
    if not task:
        base = _declares(core, solid)
        if base:
            weights["fact"] += base
            reasons.setdefault("fact", "a statement about something of their own")
    penalty = _penalty(text, cued=any(t != "fact" and w >= 2 for t, w in weights.items()))
    tag = _best({t: w for t, w in weights.items() if t != "fact" and w >= 2}) or _best(weights)
    weight = max((weights[tag] if tag else 0) + min(1.0, solid / 2), weights.get("fact", 0.0)) - penalty
    if not tag or weight < english.KEEP:
        return Verdict("", weight, "passing talk" if penalty else "nothing to look up later", task)
    return Verdict(tag, weight, reasons.get(tag, "a statement"), task)


def _declares(core: Core, solid: float) -> float:
    """How much a plain statement says, without any cue: it has a verb or a label, a subject of one's own, enough words."""
    text = core.text
    labelled = bool(_LABEL.match(text))
    if not (words.has_verb(text) or labelled):
        return 0.0
    about = len(words.content(text))
    if about < 2:
        return 0.0
    base = 1.2 if about >= 3 else 0.5
    if _SUBJECT.match(text):
        base += 0.5
    if _REMARK.match(text) and solid < 1.5:
        base -= 1.0
    return base + min(solid, 2.5)


def _penalty(text: str, *, cued: bool) -> float:
    """What weighs against a sentence. cued: it has another mark than being a statement."""
    penalty = 0.0
    if english.TROUBLE.search(text):
        penalty += 2.0 if cued else 3.5
    if english.PASSING.search(text):
        penalty += 1.5
    if _HEDGE.search(text):
        penalty += 0.5
    if english.PROGRESS.search(text) and not cued and not _DATE.search(text):
        penalty += 1.0
    if len(words.content(text)) < 2:
        penalty += 1.0
    return penalty


def _weigh(
    rows: Iterable[tuple[str, float, re.Pattern[str], str]], text: str
) -> tuple[defaultdict[str, float], dict[str, str]]:
    """The cues of a sentence by tag: the strongest counts wholly, further ones by half."""
    found: dict[str, list[float]] = defaultdict(list)
    reasons: dict[str, tuple[float, str]] = {}
    for tag, weight, pattern, why in rows:
        if pattern.search(text):
            found[tag].append(weight)
            if weight > reasons.get(tag, (0, ""))[0]:
                reasons[tag] = (weight, why)
    weights: defaultdict[str, float] = defaultdict(float)
    for tag, several in found.items():
        weights[tag] = max(several) + (sum(several) - max(several)) / 2
    return weights, {tag: why for tag, (_, why) in reasons.items()}


def _best(weights: dict[str, float]) -> str:
    return max(weights, key=lambda tag: (weights[tag], -_ORDER.index(tag)), default="")


def _other(core: Core, lang: str) -> Verdict:
    """A sentence in another language, by its cue table; without a table by names, dates and figures alone."""
    text = core.text
    if is_acknowledgement(text, lang):
        return Verdict("", 0, "an acknowledgement")
    own = cues.LANGUAGES.get(lang)
    solid = bool(_NUMBER.search(text)) + (bool(_NAME.search(text)) and lang != "de") * 1.0
    if own is None:
        return _plain(solid + (len(text) > 25) * 0.5)
    if own.asks.search(text):
        return Verdict("", 0, "a question")
    weights, _ = _weigh(((tag, weight, pattern, "") for tag, weight, pattern in own.cues), text)
    dated = bool(own.date.search(text))
    task = bool(own.task.search(text))
    if task:
        weights = defaultdict(float, {t: w for t, w in weights.items() if t in _STANDING})
    elif dated and "plan" not in weights:
        weights["plan"] = 1.5
    cued = any(w >= 2.5 for w in weights.values())
    penalty = (0.5 if cued else 2.0) if own.passing.search(text) else 0.0
    if _length(text) < 3:
        penalty += 1.5
    solid += dated
    base = 0.0 if task or _length(text) < 4 else 1.2 + 0.8 * bool(own.own.search(text)) + min(solid, 2)
    tag = (
        _best({t: w for t, w in weights.items() if t != "fact" and w >= 2})
        or _best(weights)
        or ("fact" if base else "")
    )
    weight = max((weights[tag] if tag else 0) + min(1.0, solid / 2), base) - penalty
    if not tag or weight < english.KEEP:
        return Verdict("", weight, "a task of the moment" if task else "passing talk", task)
    return Verdict(tag, weight, f"marked as a {tag}" if weights.get(tag) else "a statement with names or figures", task)


def _plain(weight: float) -> Verdict:
    if weight < english.KEEP:
        return Verdict("", weight, "nothing to look up later")
    return Verdict("fact", weight, "a statement with names or figures")


def _length(text: str) -> int:
    """Words of a sentence; two signs of Chinese or Japanese are about one."""
    cjk = len(words.CJK.findall(text))
    return cjk // 2 if cjk else len(words.words(text))
