from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.models.offline.say import edits, turns


def topics(*lines: tuple[str, str]) -> list[str]:
    return [e["topic"] for e in edits(turns(*lines))]


def test_a_topic_names_the_thing() -> None:
    assert topics(("Ana", "Remind me to renew the oven service contract on 18 December.")) == ["Oven service contract"]


def test_statements_of_one_turn_share_a_topic() -> None:
    both = topics(("Ana", "Our flour supplier is Farinera Coll. Flour costs 0.79 EUR per kilo from 12 January."))
    assert len(both) == 2
    assert len(set(both)) == 1


def test_another_subject_is_another_topic() -> None:
    lines = [("Ana", "I never eat peppers."), *[("agent", "ok")] * 5, ("Ana", "The shop launch is on 14 September.")]
    assert len(set(topics(*lines))) == 2


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_a_topic_is_short_and_without_markup(text: str) -> None:
    for topic in topics(("Ana", f"I prefer {text} on Mondays from 3 May.")):
        assert topic.strip() == topic != ""
        assert len(topic) <= 80
        assert not re.search(r"[*`<>#|\[\]]", topic)
