from __future__ import annotations

from crustacean.models.offline.talk import SOMEONE, THE_USER, conversations, introduction
from crustacean.transcripts.session import Kind
from tests.models.offline.say import turns


def names(*lines: tuple[str, str], kind: Kind = "main") -> list[str]:
    return [s.name for s in conversations(turns(*lines, kind=kind))[0] if not s.agent]


def test_people_are_called_by_their_names() -> None:
    assert names(("Ana Roig", "hi")) == ["Ana Roig"]
    assert names(("", "hi")) == [THE_USER]


def test_a_nameless_person_who_says_their_name_has_it() -> None:
    assert names(("", "Good morning"), ("", "I'm Ruben, I run a vineyard.")) == ["Ruben", "Ruben"]
    assert names(("", "I'm tired")) == [THE_USER]
    assert names(("", "hi, Piet here. I'm vegan")) == ["Piet"]


def test_nobody_is_invented_in_a_group_without_senders() -> None:
    assert names(("", "hi, I'm Ruben."), kind="group") == [SOMEONE]


def test_the_prompt_of_a_job_is_nobodys_words() -> None:
    rows = turns(("", "Check the stock every day."), ("agent", "Rye flour is at 14 kg."), kind="cron")
    assert [(s.agent, s.report) for s in conversations(rows)[0]] == [(True, True)]


def test_tool_output_is_no_talk_but_is_remembered_as_having_been() -> None:
    rows = turns(("", "list it"), ("tool", "a b c"), ("agent", "There are three."))
    assert [(s.agent, s.tool_before) for s in conversations(rows)[0]] == [(False, False), (True, True)]


def test_sessions_are_read_apart() -> None:
    rows = turns(("Ana", "hi"), session="one") + turns(("Ben", "hi"), session="two")
    assert [[s.name for s in talk] for talk in conversations(rows)] == [["Ana"], ["Ben"]]


def test_short_turns_are_in_the_language_of_the_conversation() -> None:
    rows = turns(("", "Wir haben beschlossen, dass wir die Hochzeit im Garten feiern werden."), ("", "Im Juli"))
    assert [s.lang for s in conversations(rows)[0]] == ["de", "de"]


def test_an_introduction_and_what_else_it_says() -> None:
    assert introduction("I'm Ruben, I run a vineyard") == ("Ruben", "I run a vineyard")
    assert introduction("I run a vineyard") == ("", "I run a vineyard")
