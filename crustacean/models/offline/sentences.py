"""Cuts the text of a turn into sentences: figures, abbreviations, addresses and file names stay whole.

Code, listings and log lines are left out here, and pasted letters, mails and quotations are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crustacean.models.offline import listing
from crustacean.models.offline.statement import Sentence

MOST_CHARS = 20_000
"""Characters of one turn that are read: what lies beyond is a paste, not talk."""

LONGEST = 1_000
"""Characters of the longest sentence that is talk; a longer run is a listing or a paste without stops."""

_ABBREVIATIONS = frozenset(
    """dr mr mrs ms prof st sr jr vs etc e.g i.e eg ie approx no nr nos art fig p pp vol ca ext tel dept inc ltd co corp
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
    z.b d.h bzw usw ggf evtl str hr fr frl sra srta dña ud uds pág av núm mme mlle m me réf env""".split()
)
_STOP = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[」』”）]*|\s;\s(?=[A-Z])")
_TOKEN_BEFORE = re.compile(r"[^\s(\"'«“]{1,40}$")
_MONTHS = re.compile(
    r"\s*(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec|uhr|stock|klasse|etage)", re.IGNORECASE
)
_BULLET = re.compile(r"^\s{0,8}(?:[-*•+]|\d{1,3}[.)])\s+")
_QUOTED = re.compile(r"^\s{0,3}>")
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_INDENTED = re.compile(r"^(?: {4}|\t)\S")
_LETTER = re.compile(
    r"^\s*(?:dear\b.{1,60},\s*$|dear (?:mr|ms|mrs|dr|sir|madam|customer|all|team)\b"
    r"|sehr geehrte|estimad[oa]s?\b|querid[oa]s?\b.{1,40}[,:]\s*$|ch(?:er|ère)s?\b.{1,40},\s*$|madame, monsieur"
    r"|prezad[oa]|(?:from|von|de|subject|betreff|asunto|objet|assunto|sent|to|an|cc|date)\s?: ?\S"
    r"|-{2,}\s*(?:original|forwarded|weitergeleitete|mensaje|message)|begin forwarded message"
    r"|[^\n]{1,60}\bwrote:\s*$)",
    re.IGNORECASE,
)
_ODD = re.compile(r"[{}<>|\\=;$`]|::|->|=>|\(\)|/\w+/\w+/|\w\.\w{1,4}:\d+|\[\d+\]")
_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b|Traceback|File \"|at \S+\("
    r"|npm (?:ERR|WARN)|\$ |# ?\w+\(|>>> |\+\+\+ |--- |@@ |diff --git|PID\b|total \d+$|[-d][rwx-]{9}\s)",
)
_TAGGED = re.compile(r"\s*</?[a-z][\w-]*(?:\s[^>]*)?>", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def split(text: str) -> tuple[Sentence, ...]:
    """The sentences of a turn in order. Code blocks, listings and log lines give none."""
    found: list[Sentence] = []
    for block, pasted in _blocks(text[:MOST_CHARS]):
        for number, (sentence, question) in enumerate(_sentences(block)):
            if len(sentence) <= LONGEST and not _is_listing(sentence):
                found.append(Sentence(sentence, question, pasted, number == 0))
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs and list items, each with whether it is pasted. Lines that go on in lower case are one block."""
    fenced = pasted = False
    block: list[str] = []
    block_pasted = False
    for line in listing.spoken(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced or (_INDENTED.match(line) and _ODD.search(line)):
            continue
        if _LETTER.match(line):
            pasted = True
        quoted = bool(_QUOTED.match(line))
        fresh = not line.strip() or bool(_BULLET.match(line)) or quoted != (block_pasted and not pasted)
        if block and (fresh or not _goes_on(block[-1], line)):
            yield " ".join(block), block_pasted
            block = []
        line = _BULLET.sub("", line.lstrip(" >") if quoted else line).strip()
        if line and not _LOG.match(line):
            if not block:
                block_pasted = pasted or quoted
            block.append(line)
    if block:
        yield " ".join(block), block_pasted


def _goes_on(before: str, line: str) -> bool:
    """Whether a line is the rest of a sentence that was wrapped."""
    stripped = line.strip()
    if not stripped or before.endswith((".", "!", "?", "。", "！", "？", ":")):
        return False
    return len(before) >= 50 and (stripped[0].islower() or len(before) >= 66)


def _sentences(block: str) -> Iterator[tuple[str, bool]]:
    start = 0
    for match in _STOP.finditer(block):
        if match.group()[0] == "." and _is_inner_dot(block, match.start(), match.end()):
            continue
        sentence = block[start : match.end()].strip()
        if sentence:
            yield sentence, _asks(match.group())
        start = match.end()
    rest = block[start:].strip()
    if rest:
        yield rest, False


def _asks(stop: str) -> bool:
    return "?" in stop or "？" in stop


def _is_inner_dot(block: str, dot: int, after: int) -> bool:
    """Whether the dot belongs to an abbreviation, an initial or an ordinal, so that the sentence goes on."""
    before = _TOKEN_BEFORE.search(block, max(0, dot - 40), dot)
    word = before.group().lower() if before else ""
    following = block[after : after + 12].lstrip()
    if not following:
        return False
    if word in _ABBREVIATIONS:
        return word not in ("no", "etc", "m", "me") or not following[0].isupper()
    if len(word) == 1 and word.isalpha() and block[dot - 1].isupper():
        return True
    return bool(word.isdigit() and len(word) <= 2 and (following[0].islower() or _MONTHS.match(following)))


def _is_listing(sentence: str) -> bool:
    """Whether a run of text is code, a path list or tool output: more signs than words."""
    if _CJK.search(sentence):
        return False
    words = _WORDS.findall(sentence)
    odd = len(_ODD.findall(sentence))
    if _TAGGED.match(sentence):
        return True
    return (not words and not any(c.isdigit() for c in sentence)) or (odd >= 3 and odd * 3 > len(words))
