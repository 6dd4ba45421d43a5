"""Adds up the cues of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crustacean.models.offline.tables import Cue

RANK = (
    "correction", "reminder", "decision", "preference", "promise", "plan", "person", "idea", "lesson", "feeling",
    "quote", "joke", "fact",
)  # fmt: skip
"""Which tag wins where two weigh the same."""


def weigh(cues: Iterable[Cue], text: str) -> tuple[dict[str, float], dict[str, str]]:
    """The weight of each tag in a sentence (its strongest cue wholly, further ones by half), and why by tag."""
    found: dict[str, list[float]] = {}
    reasons: dict[str, tuple[float, str]] = {}
    for tag, weight, pattern, why in cues:
        if pattern.search(text):
            found.setdefault(tag, []).append(weight)
            if weight > reasons.get(tag, (0, ""))[0]:
                reasons[tag] = (weight, why)
    weights = {tag: (max(several) + sum(several)) / 2 for tag, several in found.items()}
    return weights, {tag: why for tag, (_, why) in reasons.items()}


def best(weights: Mapping[str, float]) -> str:
    """The tag that weighs most, "" where there is none."""
    return max(weights, key=lambda tag: (weights[tag], -RANK.index(tag)), default="")
