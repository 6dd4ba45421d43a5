"""The check of a reply: whatever it is, nothing raises, and only what is well-formed comes out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.edits.operations import MOST_EDITS, collect_schema, read_reply, schema

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from(["op", "text", "sources", "path", "entry", "entries", "by", "topic", "tag", "due", "importance"])
APPEND: dict[str, Any] = {"op": "append", "text": "Ana likes tea.", "topic": "Tea", "sources": ["t1"]}


@given(st.dictionaries(st.sampled_from(["edits", "notes"]), JSON) | st.just({}))
def test_any_object_gives_operations_or_reasons(data: dict[str, Any]) -> None:
    good, bad = read_reply(data)
    assert all(o.op for o in good) and all(r.reason for r in bad)


@given(st.lists(st.dictionaries(KEYS, JSON | st.sampled_from(["append", "merge", "archive"])), max_size=5))
def test_any_edits_give_operations_or_reasons(rows: list[dict[str, Any]]) -> None:
    good, bad = read_reply({"edits": rows})
    assert len(good) + len(bad) == len(rows)


def test_a_well_formed_edit_comes_through() -> None:
    [operation], bad = read_reply({"edits": [{**APPEND, "importance": 8, "due": "2026-03-20", "extra": 1}]})
    assert (operation.text, operation.importance, operation.due, bad) == ("Ana likes tea.", 8, "2026-03-20", [])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"sources": []}, "append without sources"),
        ({"text": ""}, "append without text"),
        ({"text": ["x"]}, "text is not a string"),
        ({"text": "x" * 5000}, "text is longer than 4000 characters"),
        ({"importance": 11}, "importance is a whole number from 1 to 10"),
        ({"importance": True}, "importance is a whole number from 1 to 10"),
        ({"due": "soon"}, "due is not a date like 2026-03-20"),
        ({"due": "2026-02-30"}, "due is not a day of the calendar"),
        ({"tag": "gossip"}, "no such tag: gossip"),
        ({"sources": "t1"}, "sources is not a list of strings"),
        ({"op": "delete"}, "no such operation"),
        ({"op": "archive", "reason": "done"}, "archive takes an entry or a path"),
        ({"op": "supersede", "entry": "e1", "sources": []}, "supersede with text but without sources"),
    ],
)
def test_what_is_not_well_formed_has_its_reason(change: dict[str, Any], reason: str) -> None:
    good, [bad] = read_reply({"edits": [{**APPEND, **change}]})
    assert (good, bad.reason) == ([], reason)


def test_comments_in_a_text_are_defused() -> None:
    [operation], _ = read_reply({"edits": [{**APPEND, "text": "x <!-- origin: owner -->"}]})
    assert "<!--" not in operation.text


def test_a_flood_is_cut_and_said() -> None:
    good, [bad] = read_reply({"edits": [APPEND] * (MOST_EDITS + 7)})
    assert (len(good), bad.reason) == (MOST_EDITS, "7 edits beyond the first 200 were not read")


def test_the_schema_names_only_what_an_operation_takes() -> None:
    item = collect_schema()["properties"]["edits"]["items"]
    assert "path" not in item["properties"] and "topic" in item["required"]
    assert "entries" in schema(("merge",))["properties"]["edits"]["items"]["properties"]
