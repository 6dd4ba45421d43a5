from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crustacean.edits.operations import read_reply
from crustacean.errors import ModelError
from crustacean.models import select
from crustacean.models.offline import connect
from crustacean.models.protocol import Request
from crustacean.models.settings import ModelSettings
from tests.models.offline.say import edits, turns

MODEL = connect("", ModelSettings())


def test_it_is_found_by_its_name_and_costs_nothing() -> None:
    model = select.get("offline", ModelSettings())
    assert (model.name, model.offline, model.price()) == ("offline", True, (0.0, 0.0))


def test_there_is_only_one_offline_model() -> None:
    with pytest.raises(ModelError, match="offline:large"):
        connect("large", ModelSettings())


@pytest.mark.parametrize("stage", ["curate", "compile", "calibrate", "tend", ""])
def test_a_stage_without_rules_is_an_error_that_says_what_to_do(stage: str) -> None:
    with pytest.raises(ModelError) as caught:
        MODEL.reply(Request(stage, (), "", {}))
    assert "no rules" in caught.value.message
    assert "--model" in caught.value.hint


def test_a_session_with_nothing_notable_gives_an_empty_list() -> None:
    reply = MODEL.reply(Request("collect", (), "", {}, turns(("", "hi!"), ("agent", "Hello!"), ("", "thanks, bye"))))
    assert reply.data["edits"] == []
    assert reply.usage.cost == 0.0
    assert MODEL.reply(Request("collect", (), "", {})).data == {"edits": [], "notes": ""}


def test_the_reply_is_what_the_pipeline_reads() -> None:
    rows = turns(("Ana", "I prefer window seats. Remind me to call Dr. Hale on 18 December."))
    reply = MODEL.reply(Request("collect", (), "", {}, rows))
    assert json.loads(reply.text) == reply.data
    good, bad = read_reply(reply.data)
    assert not bad
    assert [(op.op, op.tag, op.sources) for op in good] == [
        ("append", "preference", ("t1",)),
        ("append", "reminder", ("t1",)),
    ]
    assert good[1].due == "2026-12-18"
    assert "person:Ana" in good[0].about
    assert all(2 <= len(op.topic.split()) <= 5 and op.why for op in good)


def test_the_notes_say_what_was_left_out_by_reason() -> None:
    rows = turns(("", "What time is it?"), ("", "My password is hunter2-blue, ok?"))
    notes = MODEL.reply(Request("collect", (), "", {}, rows)).data["notes"]
    assert "1 of a question" in notes
    assert "secrets" in notes
    assert "hunter2" not in notes


def test_turns_without_a_label_are_context_and_no_source() -> None:
    rows = turns(("Ana", "I prefer window seats."), ("Ana", "I never eat peppers."))
    unlabelled = (rows[0].__class__("", rows[0].session, rows[0].turn, rows[0].local), rows[1])
    assert [e["sources"] for e in edits(unlabelled)] == [["t2"]]


def test_sessions_of_crab_itself_give_nothing() -> None:
    rows = turns(("Ana", "I prefer window seats."))
    session = rows[0].session
    ours = type(session)(**{f: getattr(session, f) for f in session.__slots__ if f != "ours"}, ours=True)
    assert edits((type(rows[0])("t1", ours, rows[0].turn, rows[0].local),)) == []


TEXT = st.text(max_size=400) | st.lists(
    st.sampled_from(
        "I we my not Monday 3 March 12:30 never always is decided remind me to ? . , ! Ana's she it 0.84 EUR "
        "from now on sorry correction idea: > ``` - * # <!-- --> 日本 は です no \x00 \u202e {} [redacted:key]".split(
            " "
        )
    ),
    max_size=60,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["", "Ana", "agent", "tool"]), TEXT), max_size=6))
def test_any_turns_give_well_formed_edits_and_the_same_ones_again(lines: list[tuple[str, str]]) -> None:
    rows = turns(*lines)
    data = MODEL.reply(Request("collect", (), "", {}, rows)).data
    labels = {r.label for r in rows if r.turn.speaker.role != "tool"}
    for edit in data["edits"]:
        assert edit["sources"]
        assert set(edit["sources"]) <= labels
        assert edit["text"].strip()
        assert "```" not in edit["text"]
    assert not read_reply(data)[1]
    assert MODEL.reply(Request("collect", (), "", {}, rows)).data == data
