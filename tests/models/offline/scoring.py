"""Holds what was collected from a dialogue against its gold items, by their keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from crustacean.models.protocol import PromptTurn
from crustacean.transcripts.session import Kind
from tests.models.offline.say import edits, turns


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def turns_of(dialogue: dict[str, Any]) -> tuple[PromptTurn, ...]:
    who = {"user": "", "assistant": "agent"}
    kind: Kind = "group" if dialogue["form"] == "group" else "main"
    return turns(*((who.get(t["speaker"], t["speaker"]), t["text"]) for t in dialogue["turns"]), kind=kind)


def met(item: dict[str, Any], text: str) -> int:
    """How many keys of a gold item stand in a text ("a|b" is met by either)."""
    return sum(any(k.strip().lower() in text.lower() for k in key.split("|")) for key in item["keys"])


def score(dialogues: list[dict[str, Any]]) -> tuple[float, float]:
    """(share of gold items whose keys all stand in one statement or one turn's statements, share of statements that
    meet not even half of the keys of any item)."""
    found = items = noise = statements = 0
    for dialogue in dialogues:
        told = [e["text"] for e in edits(turns_of(dialogue))]
        gold = dialogue["gold"]
        items += len(gold)
        statements += len(told)
        found += sum(any(met(g, text) == len(g["keys"]) for text in told) for g in gold)
        noise += sum(not any(met(g, text) * 2 >= len(g["keys"]) for g in gold) for text in told)
    return found / items, noise / max(1, statements)
