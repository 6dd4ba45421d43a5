from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.text.language import language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("We settled it yesterday: the ledger service gets PostgreSQL.", "en"),
        ("Das Treffen ist am Freitag um 10, bitte nicht vergessen.", "de"),
        ("La reunión es el jueves, no se te olvide por favor.", "es"),
        ("La réunion est jeudi, ne l'oublie pas s'il te plaît.", "fr"),
        ("A reunião é na quinta, não se esqueça por favor.", "pt"),
        ("La riunione è giovedì, non dimenticarla per favore.", "it"),
        ("De vergadering is op donderdag, vergeet het niet.", "nl"),
        ("会議は木曜日です。忘れないでください。", "ja"),
        ("React 18 を使うことにしました", "ja"),
        ("会议在星期四，请不要忘记。", "zh"),
        ("회의는 목요일입니다", "ko"),
        ("Встреча в четверг", "ru"),
        ("Зустріч у четвер, її не переносимо", "uk"),
        ("Η συνάντηση είναι την Πέμπτη", "el"),
        ("الاجتماع يوم الخميس", "ar"),
    ],
)
def test_the_language_is_told_by_script_and_small_words(text: str, code: str) -> None:
    assert language(text) == code


@pytest.mark.parametrize(
    "text", ["", "ok", "42", "https://example.com/the/of/and", "```\nthe of and to\n```", "npm ERR! code ELIFECYCLE"]
)
def test_what_can_not_be_told_is_empty(text: str) -> None:
    assert language(text) == ""


@given(st.text())
def test_any_text_gives_a_code_or_nothing(text: str) -> None:
    assert len(language(text)) in (0, 2)
