"""The shipped prompts teach what code accepts."""

from __future__ import annotations

import json
import re
from datetime import date

from crustacean.edits.operations import collect_schema, read_reply
from crustacean.workspace import shipped
from crustacean.workspace.entries import TAGS

COLLECT = shipped.pipeline("COLLECT.md")
TURNS = [json.loads(line) for line in COLLECT.splitlines() if line.startswith(('{"t"', '{"session"', '{"context"'))]
REPLY = json.loads(COLLECT.partition("```json\n")[2].partition("```")[0])


def test_every_edit_of_the_example_is_accepted() -> None:
    good, bad = read_reply(REPLY)
    assert good and not bad
    known = set(collect_schema()["properties"]["edits"]["items"]["properties"])
    assert all(set(edit) <= known for edit in REPLY["edits"])


def test_the_example_follows_its_own_rules() -> None:
    turns = {t["t"]: t for t in TURNS if "t" in t}
    for edit in REPLY["edits"]:
        assert set(edit["sources"]) <= set(turns)
        assert not any(turns[s]["who"].startswith("quoted") for s in edit["sources"])
        assert 2 <= len(edit["topic"].split()) <= 6
        assert not re.search(r"\b(?:tomorrow|today|mañana|hoy|he|she|it)\b", edit["text"])
        if "due" in edit:
            assert str(date.fromisoformat(edit["due"]).day) in edit["text"]


def test_every_tag_is_explained_and_no_other() -> None:
    assert set(re.findall(r"\*\*([a-z]+)\*\*:", COLLECT)) == set(TAGS)


def test_every_field_of_the_schema_is_explained() -> None:
    for name in collect_schema()["properties"]["edits"]["items"]["properties"]:
        assert name in ("op", "tag", "text") or f"`{name}`" in COLLECT, name
