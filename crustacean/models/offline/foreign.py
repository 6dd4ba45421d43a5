"""Judges sentences in other languages than English: by the language's cue table, else by names and figures alone."""

from __future__ import annotations

import re

from crustacean.models.offline import tables
from crustacean.models.offline.english import KEEP
from crustacean.models.offline.measure import is_acknowledgement, length, named, numbered
from crustacean.models.offline.weigh import best, weigh

_FIRST = re.compile(r"[¡¿]?([^\W\d_]+)[,.!:]* ")
_STANDING = frozenset(("preference", "reminder", "decision"))


def judge(text: str, lang: str) -> tuple[str, float, str]:
    """(tag, weight, reason) of one sentence; the tag is "" where it is not kept."""
    if is_acknowledgement(text, lang):
        return "", 0.0, "an acknowledgement"
    table = tables.of(lang)
    solid = numbered(text) + float(named(text) and lang != "de")
    if table is None:
        return _kept("fact", solid + 0.5 * (len(text) > 25), "a statement with names or figures")
    patterns, bare = table.patterns, _bare(text, table.words["acknowledged"])
    if patterns["asks"].search(bare):
        return "", 0.0, "a question"
    weights, _ = weigh(table.cues, text)
    dated = bool(patterns["date"].search(text))
    task = bool(patterns["task"].search(bare))
    if task:
        weights = {t: w for t, w in weights.items() if t in _STANDING}
    elif dated:
        weights.setdefault("plan", 1.5)
    cued = any(w >= 2.5 for w in weights.values())
    penalty = (0.5 if cued else 2.0) if patterns["passing"].search(text) else 0.0
    penalty += 1.5 if length(text) < 3 else 0.0
    solid += dated
    base = 0.0 if task or length(text) < 4 else 1.2 + 0.8 * bool(patterns["own"].search(text)) + min(solid, 2.0)
    tag = (
        best({t: w for t, w in weights.items() if t != "fact" and w >= 2}) or best(weights) or ("fact" if base else "")
    )
    weight = max(weights.get(tag, 0.0) + min(1.0, solid / 2), base) - penalty
    reason = f"marked as a {tag}" if tag in weights else "a statement with names or figures"
    return _kept(tag, weight, reason) if not task or weights else ("", 0.0, "a task of the moment")


def _bare(text: str, acknowledged: frozenset[str]) -> str:
    """A sentence without its greeting or nod: "Salut, corrige ..." is "corrige ..."."""
    while (match := _FIRST.match(text)) and match[1].lower() in acknowledged and match.end() < len(text):
        text = text[match.end() :]
    return text


def _kept(tag: str, weight: float, reason: str) -> tuple[str, float, str]:
    return (tag, weight, reason) if tag and weight >= KEEP else ("", weight, "nothing to look up later")
