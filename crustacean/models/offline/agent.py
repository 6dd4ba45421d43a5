"""What is taken from the agent's own words: confirmations that say more than the person did, and results."""

from __future__ import annotations

import re

from crustacean.models.offline import english, guard, words
from crustacean.models.offline.statement import Said, Sentence
from crustacean.models.offline.words import DATE, QUANTITY

_CONFIRMS = re.compile(
    r"^(?:(?:ok|okay|great|good plan|perfect|sure|right)[,.!:]? )?(?:(?:[\w ]{1,30} )?noted|got it|saved|kept"
    r"|recorded|corrected|understood|agreed|updated|changed|remembered|added|written down|done|good plan"
    r"|apuntado|anotado|corregido|de acuerdo|entendido|guardado|notiert|gemerkt|vermerkt|korrigiert|verstanden|noté"
    r"|c'est noté|corrigé|compris|anotado|corrigido|entendido|combinado|annotato|corretto|genoteerd|aangepast"
    r"|メモしました|記録しました|訂正しました|承知しました|已记录|记下了|已更正|好的)(?: (?:for"
    r"|it for) you)?(?:,? (?-i:[A-ZÀ-Þ][\w-]+))?\s?[:,，：、.]\s?(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_OWN_WORK = re.compile(
    r"^(?:i\b|i'(?:ll|m|ve|d)|let me|let's|then i|so i|writing|checking|running|searching|reading|looking|fetching"
    r"|opening|building|adding|fixing|listing|trying|here(?:'s| is| are)|sorry|you(?:'re| are) welcome"
    r"|shall|should|would you|do you|want me|first question|next question|try\b|then (?:try|use|run)|maybe|probably"
    r"|it (?:failed|works|should)|please|congratulations|nice to|hello|hi\b|good (?:morning|evening))",
    re.IGNORECASE,
)
_RESULT_LABEL = re.compile(
    r"^(?:fixed|published|deployed|released|shipped|result|results|finding|findings|conclusion|report|in short"
    r"|measured|cause|root cause|solution|outcome|decision|comparison)\s?[:–—-]\s?\S"
    r"|^the (?:helper|report|subagent|check|search|review|audit|analysis)\b.{0,30}\b(?:reports?|says|found|shows?"
    r"|finds)\b"
    r"|\bthe (?:order that works|fix (?:is|was)|solution (?:is|was)|root cause (?:is|was)|cause (?:is|was))\b",
    re.IGNORECASE,
)
_RESULT_VERB = re.compile(
    r"\bnow (?:takes?|accepts?|treats?|handles?|supports?|uses?|returns?|prints?|reads?|works? with|includes?"
    r"|requires?|rejects?|stores?)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(
    rf"\b(?:moved|moves|starts?|ends?|opens?|closes?|due|arrives?|takes place|is on|are on|was postponed|was moved"
    rf"|visits?|expires?|cancel?led|begins?)\b.{{0,60}}(?:{DATE})",
    re.IGNORECASE,
)
_MEASURE = re.compile(QUANTITY, re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}:\d\d$")
_MACHINE = re.compile(
    r"\b(?:disk|memory|cpu|ram|process|pid|port|packages?|tests?|lines?|gb|mb|%|percent|temp|rain\w*|degrees"
    r"|results?|letters|files)\b",
    re.IGNORECASE,
)
YOURS = re.compile(r"^(?:you have|you've got|you own|your [\w ]{1,30} (?:is|are))\b", re.IGNORECASE)
_ASKS_OWN = re.compile(r"\b(?:do i have|have i|do we have|i have|my|our|did i|am i)\b", re.IGNORECASE)
_ASKS_RESULT = re.compile(
    r"\b(?:compare|report|find out|which|how (?:many|much)|what does|work out|calculate|list|check|summar\w+"
    r"|what'?s new|tell me)\b",
    re.IGNORECASE,
)
KEEP_REQUEST = re.compile(
    r"\b(?:note|keep|remember|write (?:this|that|it|them|these|those) down|write down|save|jot|store|record"
    r"|memori[sz]e|log)\b.{0,40}\b(?:that|this|these|those|both|it|them|what matters|down|for (?:me|us|the team"
    r"|later)|points|facts|details)\b"
    r"|\bnote\s?:|\b(?:apunta|anota|guarda|notier|merk dir|notiere|note[zr]?|retiens|anote|lembra)\w*\b"
    r"|メモ|覚えて|记住|记下",
    re.IGNORECASE,
)
"""A person's request to keep something: the agent's answer then tells what was kept."""


def confirmation(sentence: str) -> str:
    """What an agent's "Noted: ..." says, "" where a sentence confirms nothing."""
    match = _CONFIRMS.match(sentence.strip())
    return match["rest"].strip() if match else ""


def results(said: Said, asked: str) -> list[tuple[int, str, str, float]]:
    """Sentences of an agent's turn that state a result: (place, text, tag, weight).

    asked: the person's words that this turn answers. Talk about its own work, machine figures and offers are none.
    """
    found: list[tuple[int, str, str, float]] = []
    for place, sentence in enumerate(said.sentences):
        if not usable(sentence) or _OWN_WORK.match(sentence.text):
            continue
        tag = _result(sentence.text, asked, said.tool_before)
        if tag:
            found.append((place, sentence.text, tag, 2.0))
        elif found and found[-1][0] == place - 1 and found[-1][2] == "lesson":
            found.append((place, sentence.text, "lesson", 2.0))
    return found


def _result(text: str, asked: str, tool_before: bool) -> str:
    measures = [m.group() for m in _MEASURE.finditer(text) if not _CLOCK.match(m.group())]
    measures += [d for d in re.findall(r"(?<![\w.])\d+[.,]\d+(?![\w.]|:)", text) if not any(d in m for m in measures)]
    machine = bool(_MACHINE.search(text))
    if len(words.content(text)) < 3:
        return ""
    if _RESULT_LABEL.search(text):
        return "lesson" if re.search(r"\b(?:works|fix|fixed|cause|solution)\b", text, re.IGNORECASE) else "fact"
    if _RESULT_VERB.search(text):
        return "fact"
    if english.TROUBLE.search(text):
        return ""
    if tool_before and _EVENT.search(text):
        return "plan"
    if YOURS.match(text) and _ASKS_OWN.search(asked) and not machine:
        return "fact"
    if len(measures) >= 2 and not machine and (_ASKS_RESULT.search(asked) or tool_before) and words.has_verb(text):
        return "fact"
    return ""


def usable(sentence: Sentence) -> bool:
    """Whether a sentence of the agent may be kept at all: no question, no paste, no secret, no slipped-in order."""
    return not (
        sentence.question
        or sentence.pasted
        or guard.injected(sentence.text, strict=True)
        or guard.secret(sentence.text)
    )


def report(said: Said) -> str:
    """What an unattended run delivers: its sentences as one statement, "" where there is nothing to report."""
    parts = [
        s.text
        for s in said.sentences
        if usable(s) and not re.match(r"(?:let me|checking|running|i will have|i'll)\b", s.text, re.IGNORECASE)
    ]
    text = " ".join(parts)[:600].strip()
    if re.match(
        r"(?:no_reply|heartbeat_ok|nothing to (?:report|do)|all (?:good|fine|ok)|no (?:changes|news|issues))\b",
        text,
        re.IGNORECASE,
    ):
        return ""
    return text if re.search(r"\d", text) and len(words.content(text)) >= 4 else ""
