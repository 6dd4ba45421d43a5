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
_NAME = re.compile(r"(?<=[\w,;:)] )(?!I\b)[A-ZÀ-ÖØ-Þ][\w’'&-]+|\b[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+|\b(?:Mr|Mrs|Ms|Dr)\.? [A-Z]\w+|\b[A-Z]{2,6}-?\d+")
_OWN = re.compile(r"\b(?:my|our|we|i)\b", re.IGNORECASE)
_HEDGE = re.compile(r"\b(?:maybe|perhaps|probably|i think|might|not sure|i guess|possibly|kind of|sort of)\b", re.IGNORECASE)
_PASSIVE_TASK = re.compile(r"^(?:can|could|would|will) (?:you|someone|somebody|anyone)\b|\bplease (?:somebody|someone|can)\b", re.IGNORECASE)
_STANDING = frozenset(("preference", "reminder", "decision"))
_DATED_TASK = re.compile(r"^(?:please )?(?:book|schedule|reserve|order|move|postpone|cancel|plan|buy)\b", re.IGNORECASE)
_ONE_OFF = re.compile(r"^(?:please )?\w+ (?:it|this|that|them|these|those)\b(?!.{0,60}\b(?:always|never|from now on|whenever|every|by default|anything|when)\b)", re.IGNORECASE)


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
    return not (second in words.FINITE or second not in words.STOPWORDS and third in words.FINITE or re.match(r"\w+(?: \w+){0,2}:", text))


def structure(text: str) -> float:
    """How much a sentence says that can be looked up later: a date, an amount, a name, something of one's own."""
    score = 1.0 if _DATE.search(text) else 0.0
    score += 1.0 if _QUANTITY.search(text) else 0.5 if _NUMBER.search(text) else 0.0
    score += 1.0 if _NAME.search(text) else 0.0
    return score + (0.5 if _OWN.search(text) else 0.0)


def _english(core: Core) -> Verdict:
    text = core.text
    if is_acknowledgement(text) and not english.CUES_FEELING_ALONE.search(text):
        return Verdict("", 0, "an acknowledgement")
    if not core.tag_question and english.WH.match(text) and not re.match(r"what i\b|how i\b|when (?:i|we|the|you)\b|who\w* \w+ \w+,", text, re.I):
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
    task = is_task(text) and not core.label
    if task:
        for tag in list(weights):
            if tag not in _STANDING and not (tag == "plan" and _DATED_TASK.match(text)):
                del weights[tag]
        if _ONE_OFF.match(text) and not core.to_keep and "plan" not in weights:
            weights.clear()
        if not weights:
            return Verdict("", 0, "a task of the moment", task=True)
    solid = structure(text)
    if not task and words.has_verb(text):
        weights["fact"] += min(solid, 2.5)
        reasons.setdefault("fact", "a statement with names or figures")
    penalty = _penalty(text, solid)
    tag = _best(weights)
    weight = (weights[tag] if tag else 0) + (min(1.0, solid / 2) if tag != "fact" else 0) - penalty
    if not tag or weight < english.KEEP:
        return Verdict("", weight, "passing talk" if penalty else "nothing to look up later", task)
    return Verdict(tag, weight, reasons.get(tag, "a statement"), task)


def _penalty(text: str, solid: float) -> float:
    penalty = 0.0
    if english.TROUBLE.search(text):
        penalty += 2.0
    if english.PASSING.search(text):
        penalty += 1.5
    if _HEDGE.search(text):
        penalty += 0.5
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
    number = bool(_NUMBER.search(text))
    named = bool(_NAME.search(text)) and lang != "de"
    if own is None:
        weight = number + named + (len(text) > 25) * 0.5
        return Verdict("fact", weight, "a statement with names or figures") if weight >= english.KEEP else Verdict("", weight, "nothing to look up later")
    weights, _ = _weigh(((tag, weight, pattern, "") for tag, weight, pattern in own.cues), text)
    if own.asks.search(text):
        return Verdict("", 0, "a question")
    dated = bool(own.date.search(text))
    task = bool(own.task.search(text))
    if task:
        weights = defaultdict(float, {t: w for t, w in weights.items() if t in _STANDING})
    elif dated and "plan" not in weights and "fact" in weights:
        weights["plan"] = weights["fact"]
    solid = dated + number + named
    penalty = 2.0 if own.passing.search(text) else 0.0
    tag = _best(weights)
    weight = (weights[tag] if tag else 0) + min(1.0, solid / 2) - penalty
    if not tag and solid >= 2 and not task and not penalty:
        return Verdict("fact", float(solid), "a statement with names or figures")
    if not tag or weight < english.KEEP:
        return Verdict("", weight, "a task of the moment" if task else "passing talk", task)
    return Verdict(tag, weight, f"marked as a {tag}", task)
