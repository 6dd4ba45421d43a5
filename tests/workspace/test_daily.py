"""A day's log is kept in the order of its hours."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.workspace import daily, rewrite
from crustacean.workspace.document import Document, parse

LOG = "memory/2026-03-20.md"
DAY = date(2026, 3, 20)


def put(document: Document, heading: str, text: str) -> Document:
    slot = daily.slot(document, heading)
    return rewrite.append(document, text, under=slot.under, level=slot.level, at=slot.at)[0]


def test_a_new_day() -> None:
    assert daily.new_day(DAY) == b"# 2026-03-20\n"
    document = put(parse(LOG, daily.new_day(DAY)), daily.heading(time(14, 5), "Choosing  the\nid format"), "x")
    assert document.data == b"# 2026-03-20\n\n### [14:05] Choosing the id format\n\n- x\n"


@given(st.lists(st.times(), max_size=8))
def test_topics_stand_in_order_of_time(times: list[time]) -> None:
    document = parse(LOG, daily.new_day(DAY))
    for n, when in enumerate(times):
        document = put(document, daily.heading(when, f"Topic {n}"), f"text {n}")
    clocks = [daily.clock_of(h) for h in document.headings[1:]]
    assert clocks == sorted(f"{t:%H:%M}" for t in times)
    assert len(document.entries) == len(times)
    assert all(h.path[0] == "2026-03-20" and h.level == 3 for h in document.headings[1:])


def test_a_topic_that_is_there_is_gone_on_with() -> None:
    document = put(parse(LOG, b"# 2026-03-20\n\n## [09:00] A\n- a\n\n## [10:00] B\n- b\n"), "[09:00] A", "x")
    assert document.data == b"# 2026-03-20\n\n## [09:00] A\n- a\n- x\n\n## [10:00] B\n- b\n"


@pytest.mark.parametrize(
    ("source", "level", "path"),
    [
        ("", 3, ()),
        ("loose text\n", 3, ()),
        ("# 2026-03-20\n\n## Notes\n\n- a\n", 2, ("2026-03-20",)),
        ("## Morning\n\n- a\n", 2, ()),
        ("# One\n\n# Two\n", 1, ()),
        ("# 2026-03-20\n\n## [09:00] A\n\n- a\n\n## [16:00] C\n", 2, ("2026-03-20",)),
    ],
)
def test_logs_of_other_tools_keep_their_shape(source: str, level: int, path: tuple[str, ...]) -> None:
    before = parse(LOG, source.encode())
    after = put(before, "[14:05] B", "x")
    new = next(h for h in after.headings if h.text == "[14:05] B")
    assert (new.level, new.path[:-1]) == (level, path)
    assert after.entries[[e.text for e in after.entries].index("x")].heading == new.path


@given(st.text(max_size=200), st.datetimes())
def test_any_topic_can_be_a_heading(topic: str, when: datetime) -> None:
    heading = daily.heading(when, topic)
    document = put(parse(LOG, daily.new_day(DAY)), heading, "x")
    assert document.headings[1].text == heading and daily.clock_of(document.headings[1]) == f"{when:%H:%M}"
    assert document.headings[1].meta.render() == ""


@pytest.mark.parametrize("text", ["Topic", "[25:00] x", "[9:00] x", "14:05 x", "[14:05]x"])
def test_headings_without_a_time(text: str) -> None:
    assert daily.clock_of(parse(LOG, f"# {text}\n".encode()).headings[0]) is None
