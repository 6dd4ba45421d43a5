"""Text as it is compared (for ids), and text of others made safe to stand inside markdown that crab writes."""

from __future__ import annotations

import re
import unicodedata

_SPECIAL = re.compile(r"[*_]|<!--")
_RUN = re.compile(r"\\.|\*+|_+", re.DOTALL)
_TICKS = re.compile(r"\\.|`+", re.DOTALL)
_TARGET = re.compile(r"\]\([^()\s]*|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def normalise(text: str) -> str:
    """The form of a text that its id is made from: NFC, without HTML comments and emphasis markers, each run of white
    space one space, none at the ends. Check boxes, strike-through and link targets stay. Linear in the text's length.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if _SPECIAL.search(text):
        text = _without_emphasis(_without_comments(text))
    return " ".join(text.split())


def neutralise(text: str) -> str:
    """Text of others that can stand inside markdown: no HTML comment opens or closes in it, line ends are `\\n`,
    control characters (but `\\n` and `\\t`) are gone, half surrogate pairs are U+FFFD. Idempotent."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROL.sub("", text)
    return encodable(text).replace("<!--", "&lt;!--").replace("-->", "--&gt;")


def encodable(text: str) -> str:
    """Text that can be encoded: half a surrogate pair, which JSON can hold, becomes U+FFFD; a pair is its character."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _without_comments(text: str) -> str:
    # A lazy regular expression would look for the end of the text once for each comment left open.
    out: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        stop = text.find("-->", start + 4)
        if stop < 0:
            break
        out.append(text[at:start])
        at = stop + 3
    out.append(text[at:])
    return "".join(out)


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Where code spans stand: a run of backticks up to the next run of the same length."""
    if "`" not in text:
        return []
    runs = [(m.start(), m.end()) for m in _TICKS.finditer(text) if m[0][0] == "`"]
    following: list[int] = [-1] * len(runs)
    seen: dict[int, int] = {}
    for k in range(len(runs) - 1, -1, -1):
        length = runs[k][1] - runs[k][0]
        following[k] = seen.get(length, -1)
        seen[length] = k
    spans: list[tuple[int, int]] = []
    k = 0
    while k < len(runs):
        close = following[k]
        if close < 0:
            k += 1
            continue
        spans.append((runs[k][0], runs[close][1]))
        k = close + 1
    return spans


def _kept(text: str) -> list[tuple[int, int]]:
    """What emphasis does not reach into: code spans and the targets of links, in order and without overlap."""
    spans = _code_spans(text)
    if "](" in text or ("<" in text and ":" in text):
        spans = sorted([*spans, *(m.span() for m in _TARGET.finditer(text))])
    out: list[tuple[int, int]] = []
    for start, stop in spans:
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(stop, out[-1][1]))
        else:
            out.append((start, stop))
    return out


def _flanks(text: str, start: int, stop: int) -> tuple[bool, bool]:
    """Whether a run of markers may open and may close emphasis (CommonMark 0.31, section 6.2)."""
    before = text[start - 1] if start else " "
    after = text[stop] if stop < len(text) else " "
    space_before, space_after = before.isspace(), after.isspace()
    sign_before = not space_before and not before.isalnum()
    sign_after = not space_after and not after.isalnum()
    left = not space_after and (not sign_after or space_before or sign_before)
    right = not space_before and (not sign_before or space_after or sign_after)
    if text[start] == "_":
        return left and (not right or sign_before), right and (not left or sign_after)
    return left, right


def _without_emphasis(text: str) -> str:
    spans = _kept(text)
    drop: list[tuple[int, int]] = []
    open_runs: dict[str, list[list[int]]] = {"*": [], "_": []}
    k = 0
    for m in _RUN.finditer(text):
        start, stop = m.span()
        while k < len(spans) and spans[k][1] <= start:
            k += 1
        if text[start] == "\\" or (k < len(spans) and spans[k][0] <= start):
            continue
        opens, closes = _flanks(text, start, stop)
        stack = open_runs[text[start]]
        while closes and start < stop and stack:
            first, last = stack[-1]
            n = min(last - first, stop - start)
            drop += [(last - n, last), (start, start + n)]
            start += n
            if last - n == first:
                stack.pop()
            else:
                stack[-1][1] = last - n
        if opens and start < stop:
            stack.append([start, stop])
    if not drop:
        return text
    out: list[str] = []
    at = 0
    for start, stop in sorted(drop):
        out.append(text[at:start])
        at = stop
    out.append(text[at:])
    return "".join(out)
