from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.models.offline.lead import Core
from crustacean.models.offline.rewrite import restate, statement


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I prefer tea", "Ana prefers tea"),
        ("I'm vegan since May", "Ana is vegan since May"),
        ("I've moved to Leeds and I like it", "Ana has moved to Leeds and they like it"),
        ("I work in Bonn and live in Köln", "Ana works in Bonn and lives in Köln"),
        ("I don't eat fish", "Ana doesn't eat fish"),
        ("I really like rye", "Ana really likes rye"),
        ("I study law", "Ana studies law"),
        ("I was late, my train broke down", "Ana was late, their train broke down"),
        ("My sister Jana lives with me", "Ana's sister Jana lives with them"),
        ("I'll bring my own cup", "Ana will bring their own cup"),
        ("I can only join on Monday", "Ana can only join on Monday"),
        ("On 2 March I decide if it stays", "On 2 March Ana decides if it stays"),
        ("I sent it to the US office", "Ana sent it to the US office"),
        ("Dad's operation is on Tuesday", "Ana's dad's operation is on Tuesday"),
    ],
)
def test_the_speaker_stands_where_they_said_i(said: str, told: str) -> None:
    assert restate(said, "Ana") == told


def test_we_is_the_group_where_there_is_one() -> None:
    assert restate("we don't page by offset and I like that", "Samir", we="The group") == (
        "The group doesn't page by offset and Samir likes that"
    )


def test_words_in_quotes_code_and_paths_are_left_alone() -> None:
    assert restate('I call it "my own" in `my_dir` and ~/my/me.txt', "Ana") == (
        'Ana calls it "my own" in `my_dir` and ~/my/me.txt'
    )


def test_the_user_has_a_capital_only_at_the_start() -> None:
    assert restate("I like tea", "The user") == "The user likes tea"
    assert restate("For summaries I want bullets", "The user") == "For summaries the user wants bullets"


@pytest.mark.parametrize(
    ("said", "tag", "task", "told"),
    [
        ("please keep answers short, I read them on my phone", "preference", True,
         "Ana asks to keep answers short, they read them on their phone."),
        ("don't call me in the morning", "preference", True, "Ana asks not to call them in the morning."),
        ("never rhyme anything", "preference", True, "Ana asks never to rhyme anything."),
        ("Remind me to call Dr. Hale", "reminder", True, "Ana wants to be reminded to call Dr. Hale."),
        ("how about we ship it as a plug-in?", "idea", False, "Ana's idea: ship it as a plug-in."),
        ("couldn't sleep, kept thinking about it", "feeling", False, "Ana couldn't sleep, kept thinking about it."),
        ("relieved, a bit scared too", "feeling", False, "Ana feels relieved, a bit scared too."),
        ("handed in my notice", "fact", False, "Ana handed in their notice."),
        ("from now on always build the menu first", "decision", False,
         "Ana asks: from now on always build the menu first."),
        ("photosort takes both", "fact", False, "Photosort takes both."),
        ("publish.py needs SHOP_ENV", "fact", False, "publish.py needs SHOP_ENV."),
    ],
)  # fmt: skip
def test_statements_stand_alone(said: str, tag: str, task: bool, told: str) -> None:
    assert statement(Core(said), tag, "Ana", task=task) == told


@given(st.text(max_size=300))
def test_any_text_can_be_restated(text: str) -> None:
    assert isinstance(restate(text, "Ana"), str)
    assert "".join(restate(text, "X").split()) or not text.split()
