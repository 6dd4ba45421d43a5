"""What stands before and after the thing said: greetings, "yes, and", "by the way", "Decision:", "keep that in mind"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crustacean.models.offline.english import LABELS

_LEAD = re.compile(
    r"""(?:
    @\w{2,40}[,:]?\s+
    |(?:yes|yeah|yep|yup|no|nope|nah|ok(?:ay)?|sure|right|good|great|nice|perfect|fine|cool|awesome|lovely|excellent
        |exactly|correct|true|agreed|thanks|thank\ you|thx|ty|oh|ah|aha|oops|hm+|um+|well|so|anyway|anyways|btw|fyi|hey|hi|hello
        |morning|lol|haha+|ha|ugh|wow|alright|noted|understood|then|got\ it|works|fixed|done|sorry|actually|honestly|finally|later|also
        |plus|and|but|too|besides|meanwhile|first|second|lastly|one\ more|no\ worries|never\ mind|hooray|yay|phew|please\ note
        |good\ (?:morning|evening|news)|of\ course|for\ sure|to\ be\ (?:clear|honest|fair))
        (?:\s+(?:then|all|everyone|team|again|everybody|there|folks|guys))?\s*(?:[,.!:;…]+|\s[-–—]+)\s*
    |(?:and|but|also|so|plus|ok(?:ay)?\ so|yes\ and|well|btw|oh|hey|ok|anyway|hmm?)\s+
    |(?:by\ the\ way|one\ (?:more\ |last\ |other\ )?thing|another\ thing|while\ we(?:'|’)?re\ at\ it|in\ that\ case|for\ the\ record
        |just\ so\ you\ know|good\ to\ know|in\ case\ you\ (?:wonder|forgot)|before\ i\ forget|as\ i\ said|like\ i\ said|you\ know\ what
        |on\ another\ note|speaking\ of\ which|for\ what\ it(?:'|’)s\ worth|i\ (?:just\ )?wanted\ to\ (?:say|tell\ you)(?:\ that)?
        |(?:you\ )?(?:should|might\ want\ to|need\ to)\ know\ that|between\ us|good\ news|bad\ news|big\ news|guess\ what|fun\ fact|fyi|btw|ps|p\.s\.|oh\ and|ah\ yes|ach\ ja
        |please\ (?:note|remember|keep\ in\ mind)\ that|(?:please\ )?(?:note|remember|keep\ in\ mind)\ that|just\ to\ be\ clear
        |i\ should\ (?:mention|add|say)(?:\ that)?|quick\ (?:note|update)|update|heads[- ]up|small\ update|news)\s*[,:;–—-]?\s+
    |(?:(?:this|that)\ (?:one\ )?you\ (?:can|should|may|must)|(?:something|one\ thing|another\ thing|things?)\ (?:to|you\ (?:can|should|must)))\ (?:remember|know|note|keep|save)(?:\ though)?\s*[:,]\s*
    |re:?\ [\w\ -]{1,30}:\s*
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL = re.compile(
    r"""(?:[\s,;]*(?:
    (?:please|pls|plz|lol|haha+|thanks|thank\ you|thx|by\ the\ way|btw|ok|okay|though|fyi|you\ know|as\ usual|if\ you\ can|xx+|hehe)[.!]*
    |(?:\band\ |\bso\ |\bplease\ |,\s*)?(?:please\ )?(?:keep\ (?:that|this|it)\ in\ mind|remember\ (?:that|this|it)|don(?:'|’)?t\ forget(?:\ (?:that|it|this))?
        |note\ (?:that|this|it)(?:\ down)?|make\ a\ note(?:\ of\ (?:that|it))?|write\ (?:that|it|this)\ down)(?:,?\ please)?[.!]*
    |[:;]-?[)DP(]|<3
    |[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+
    ))+\s*([.!]*)$""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG_QUESTION = re.compile(
    r"[,;–—-]?\s*\b(?:(?:everyone|everybody|all)?\s?(?:agreed|ok|okay|right|yes|fine|deal|correct|good)(?: (?:with|for|by) (?:you|everyone|all|that))?"
    r"|isn'?t (?:it|she|he|that)|aren'?t (?:we|they)|don'?t (?:we|they|you)|doesn'?t (?:it|he|she)|remember|does that work(?: for \w+)?|sound good)\s?\?$",
    re.IGNORECASE,
)
_KEEP = re.compile(
    r"\b(?:you (?:can|should|may|must) (?:remember|note|save|keep)|keep (?:that|this|it) in mind|remember (?:that|this|it)|don'?t forget|note (?:that|this|it)(?: down)?|make a note|"
    r"write (?:that|it|this) down|for the record|please note|note that|keep in mind)\b",
    re.IGNORECASE,
)
_LABELS = tuple((tag, re.compile(rf"{pattern}\s?[:–—-]\s+", re.IGNORECASE)) for tag, pattern in LABELS)
_AFFIRM = re.compile(
    r"^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|agreed|correct|right|exactly|fine|deal|of course|absolutely|please do|do (?:it|that)"
    r"|perfect|good|great|sounds good|definitely|true)\b",
    re.IGNORECASE,
)


_RECALLED = re.compile(
    r"^(?:(?:do you )?remember (?:when |that )?(?:i (?:said|told you|mentioned) (?:that )?)?|did i (?:tell you|mention) (?:that )?|you know (?:that |how )?)(?=(?:i|my|our|we|the|he|she)\b)",
    re.IGNORECASE,
)
_INNER = re.compile(r",? \b(?:btw|by the way|fyi)\b(?=[,.!;]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Core:
    """A sentence without its lead-in and tail.

    label: the tag a person put before it ("Decision:"), "" without. to_keep: the person asks to keep it in mind.
    affirms: it begins with a yes. corrects: it begins with "sorry", "actually" or "no,". tag_question: it asks for a nod.
    """

    text: str
    label: str = ""
    to_keep: bool = False
    affirms: bool = False
    corrects: bool = False
    tag_question: bool = False


def core(sentence: str) -> Core:
    """Take off what only leads in or tails off, and remember what it said about the sentence."""
    text = sentence.strip().replace("’", "'")
    asked = _TAG_QUESTION.search(text) if text.endswith("?") else None
    if asked and asked.start() >= 12:
        text = text[: asked.start()].rstrip(" ,;–—-")
    label, corrects = "", False
    recalled = _RECALLED.match(text)
    if recalled and text.endswith("?"):
        text, asked = text[recalled.end() : -1] + ".", recalled
    text = _INNER.sub("", text)
    affirms = bool(_AFFIRM.match(text))
    to_keep = bool(_KEEP.search(text))
    for _ in range(6):
        tagged = next(((tag, m) for tag, pattern in _LABELS if (m := pattern.match(text))), None)
        match = tagged[1] if tagged else _LEAD.match(text)
        if not match or not match.end():
            break
        taken = match.group().lower()
        if tagged:
            label = label or tagged[0]
            if re.search(r" (?:on|to|for) ", taken):
                break
        if re.match(r"(?:sorry|actually|no\b|oops|nope)", taken):
            corrects = True
        if len(text) - match.end() < 2:
            break
        text = text[match.end() :]
    tail = _TAIL.search(text[-80:])
    if tail and len(text) - len(tail.group()) >= 8:
        text = text[: len(text) - len(tail.group())] + tail.group(1)
    return Core(text.strip(), label, to_keep, affirms, corrects, bool(asked))
