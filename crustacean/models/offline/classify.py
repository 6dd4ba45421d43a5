"""Says what a sentence is: a decision, a wish, a plan, ... or talk that is not kept, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crustacean.models.offline import english, words
from crustacean.models.offline.foreign import judge
from crustacean.models.offline.lead import Core
from crustacean.models.offline.measure import dated, is_acknowledgement, is_task, named, names_a_thing, structure
from crustacean.models.offline.weigh import best, weigh

_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|probably|i think|might|not sure|i guess|possibly|kind of|sort of)\b", re.IGNORECASE
)
_LABEL = re.compile(r"^[^\W\d_][\w' -]{1,40}:\s")
_SUBJECT = re.compile(
    r"^(?:(?:then|now|today|tomorrow|yesterday|last \w+|next \w+|for \w+|in \w+|on \w+|at \w+|since \w+|after \w+"
    r"|before \w+),? )?(?:(?:i|we|he|she)\b|(?:my|our|his|her|the|all|every|each|no|both) \w)"
    r"|^(?-i:[A-ZÀ-Þ][a-zà-ÿ]+)'?s? [a-z]"
    r"|^(?!this|that|it|there|these|those)[a-z]+(?: [a-z]+){0,3} (?:is|are|has|have|costs?|needs?|wants?)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"^(?:that|this|it|these|those|there|they)(?:'s|'re| is| are| was| were| looks?| sounds?| works?| worked| makes?"
    r"| did| does| should| will| helps?| feels?| seems?)\b",
    re.IGNORECASE,
)
_STANDING = frozenset(("preference", "reminder", "decision"))
_DATED_TASK = re.compile(r"^(?:please )?(?:book|schedule|reserve|order|move|postpone|cancel|plan|buy)\b", re.IGNORECASE)
_POINTS = re.compile(
    r"^(?:please )?(?:note|remember|keep|save|store|record|write down|add|put)\b(?: \w+)? (?:that|this|these|those"
    r"|both|it|them|all|what)\b(?! (?:i|we|my|our|the|he|she)\b)",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:what|how|when|where|why|whatever|whoever|wherever) (?:i|we|they|he|she|you|the|my|our|it)\b.{8,}\.$|(?:when"
    r"|whenever|wherever) (?:i|we|the|you|it)\b|(?:is|are|was|were|do|does|have|has) \w+ing\b",
    re.IGNORECASE,
)
_CHORES = "|".join(sorted(words.TASK_VERBS - words.COMMON_VERBS | {"adapt", "send", "add"}))
_WILL_DO = re.compile(rf"^(?:i|we)(?:'ll| will) (?:just |also |then )?(?:{_CHORES})\b", re.IGNORECASE)
_LETS = re.compile(r"^let'?s\b", re.IGNORECASE)
_ONE_OFF = re.compile(
    r"^(?:please )?\w+ (?:it|this|that|them|these|those)\b(?!.{0,60}\b(?:always|never|from now on|whenever|every"
    r"|by default|anything|when)\b)",
    re.IGNORECASE,
)
_DONT = re.compile(r"(?:please )?(?:don't|do not|never)\b", re.IGNORECASE)
_STATES_VALUE = re.compile(r", not\b|\bit'?s\b|\bis\b|\bare\b")


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
    tag, weight, reason = judge(core.text, lang)
    return Verdict(tag, weight, reason)


def _english(core: Core) -> Verdict:
    text = core.text
    if is_acknowledgement(text) and not english.FEELS.search(text):
        return Verdict("", 0, "an acknowledgement")
    if not core.tag_question and english.ASKS.match(text) and not _STATES.match(text):
        return Verdict("", 0, "a question", task=is_task(text))
    weights, reasons = weigh(english.CUES, text)
    solid = structure(text)
    _add_marks(core, solid, weights, reasons)
    task = (is_task(text) or bool(_LETS.match(text))) and not core.label
    if task:
        _of_a_task(core, weights)
        if not weights or (_POINTS.match(text) and solid < 1):
            return Verdict("", 0, "a task of the moment", task=True)
    elif base := _declares(core, solid):
        weights["fact"] = weights.get("fact", 0.0) + base
        reasons.setdefault("fact", "a statement about something of their own")
    marked = {t for t, w in weights.items() if t != "fact" and w >= 2}
    penalty = _penalty(text, cued=bool(marked), telling=bool(marked - {"plan", "decision", "promise"}))
    tag = best({t: w for t, w in weights.items() if t != "fact" and w >= 2}) or best(weights)
    weight = max((weights[tag] if tag else 0) + min(1.0, solid / 2), weights.get("fact", 0.0)) - penalty
    if not tag or weight < english.KEEP:
        return Verdict("", weight, "passing talk" if penalty else "nothing to look up later", task)
    return Verdict(tag, weight, reasons.get(tag, "a statement"), task)


def _add_marks(core: Core, solid: float, weights: dict[str, float], reasons: dict[str, str]) -> None:
    """What stood before or after the sentence counts as well: "Decision:", "keep that in mind", "sorry,"."""
    marks = (
        (core.label, 3.0, "a person named it so"),
        ("reminder" if core.to_keep else "", 2.5, "it is to be kept in mind"),
        (
            "correction" if core.corrects and solid >= 1 and _STATES_VALUE.search(core.text) else "",
            2.5,
            "something said before is corrected",
        ),
    )
    for tag, weight, why in marks:
        if tag:
            weights[tag] = weights.get(tag, 0.0) + weight
            reasons.setdefault(tag, why)


def _of_a_task(core: Core, weights: dict[str, float]) -> None:
    """Leave of a task's weights only what outlives it: a standing wish, something to remember, a dated booking."""
    for tag in list(weights):
        if tag not in _STANDING and not (tag == "plan" and _DATED_TASK.match(core.text)):
            del weights[tag]
    if _ONE_OFF.match(core.text) and not (_DONT.match(core.text) or core.to_keep or "plan" in weights):
        weights.clear()


def _declares(core: Core, solid: float) -> float:
    """How much a plain statement says without any cue: it has a verb or a label, a subject, enough words."""
    text = core.text
    labelled = bool(_LABEL.match(text))
    if not (words.has_verb(text) or labelled):
        return 0.0
    about = len(words.content(text))
    if about < 2:
        return 0.0
    base = (1.2 if about >= 3 else 0.5) + core.tag_question
    if _SUBJECT.match(text):
        base += 0.5
    if _REMARK.match(text) and solid < 1.5:
        base -= 1.0
    return base + min(solid, 2.5)


def _penalty(text: str, *, cued: bool, telling: bool) -> float:
    """What weighs against a sentence. cued: it has another mark than being a statement; telling: and that mark needs no
    thing beside it ("I can't wait")."""
    penalty = 0.0
    if english.TROUBLE.search(text):
        penalty += 2.0 if cued else 3.5
    if english.PASSING.search(text):
        penalty += 1.5
    if _HEDGE.search(text):
        penalty += 0.5
    if not (names_a_thing(text) or named(text)) and not telling:
        penalty += 1.5
    if _WILL_DO.match(text) and not dated(text):
        penalty += 1.0
    if english.PROGRESS.search(text) and not cued and not dated(text):
        penalty += 1.0
    if len(words.content(text)) < 2:
        penalty += 1.0
    return penalty
