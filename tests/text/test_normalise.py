"""What makes two texts the same for an id, and what makes a foreign text safe."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.text.normalise import encodable, neutralise, normalise

marks = st.text(alphabet="*_ ab`\\<!->\n", max_size=30)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("**bold** and *it* and __b__ and _i_", "bold and it and b and i"),
        ("***both*** **a *b* c**", "both a b c"),
        ("snake_case_name and __init__.py_", "snake_case_name and init.py_"),
        ("a*b*c 2 * 3 * 4", "abc 2 * 3 * 4"),
        ("*open and **open", "*open and **open"),
        (r"\*kept\* \_kept\_", r"\*kept\* \_kept\_"),
        ("`*args` and ``a_`_b`` *x*", "`*args` and ``a_`_b`` x"),
        ("* item", "* item"),
        ("a <!-- note --> b <!-- open", "a b <!-- open"),
        ("<!-- a <!-- b --> c -->", "c -->"),
        (" a\t b\n\nc\u00a0d ", "a b c d"),
        ("e\u0301", "é"),
        ("[x] ~~gone~~ *[text](http://a_b_c/*d* 'e')*", "[x] ~~gone~~ [text](http://a_b_c/*d* 'e')"),
        ("<https://a/_b_> _c_ <_d_>", "<https://a/_b_> c <d>"),
        ('(*it*), "**b**"', '(it), "b"'),
        ("", ""),
    ],
)
def test_normal_forms(text: str, normal: str) -> None:
    assert normalise(text) == normal


@given(st.text())
def test_normal_text_is_nfc_on_one_line(text: str) -> None:
    normal = normalise(text)
    assert " ".join(normal.split()) == normal
    assert unicodedata.is_normalized("NFC", normal) or any(mark in text for mark in "*_<")


@given(st.text(alphabet="abc é漢.,:;!?()[]~#"))
def test_text_without_markers_only_loses_white_space(text: str) -> None:
    assert normalise(text) == " ".join(text.split())


@given(marks)
def test_only_markers_comments_and_spaces_go(text: str) -> None:
    normal = normalise(text)
    left = iter(text)
    assert all(any(ch == other or (ch == " " and other.isspace()) for other in left) for ch in normal)


@given(st.text(alphabet="abc ", min_size=1).map(str.strip).filter(bool), st.sampled_from(["*", "_", "**", "__", "***"]))
def test_emphasis_makes_no_difference(text: str, mark: str) -> None:
    assert normalise(f"{mark}{text}{mark}") == normalise(text)


@given(st.text())
def test_neutral_text_opens_and_closes_no_comment(text: str) -> None:
    neutral = neutralise(text)
    assert "<!--" not in neutral and "-->" not in neutral
    assert neutralise(neutral) == neutral
    assert not any(unicodedata.category(ch) in ("Cc", "Cs") and ch not in "\n\t" for ch in neutral)


@given(marks)
def test_neutral_text_stays_readable(text: str) -> None:
    assert neutralise(text).replace("&lt;!--", "<!--").replace("--&gt;", "-->") == text


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("a 😀 é\n", "a 😀 é\n"),
        ("\ud83d alone", "\ufffd alone"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ufeffx\ud800", "\ufeffx\ufffd"),
        ("".join(("\ud83d", "\ude00 é")), "😀 é"),
    ],
)
def test_half_a_surrogate_pair_is_made_encodable(text: str, sound: str) -> None:
    assert encodable(text) == sound


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_can_be_made_encodable(text: str) -> None:
    sound = encodable(text)
    assert sound.encode().decode() == sound == encodable(sound)


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\0b\x1b[31m\x85\x7f\tc", "ab[31m\tc"),
        ("\ud83d alone", "\ufffd alone"),
        ("<!--x-->", "&lt;!--x--&gt;"),
        ("<!-->", "&lt;!--&gt;"),
        ("<!\0-- x --\x01>", "&lt;!-- x --&gt;"),
        ("🦀 漢字 a < b -> c", "🦀 漢字 a < b -> c"),
    ],
)
def test_neutral_forms(text: str, neutral: str) -> None:
    assert neutralise(text) == neutral


@pytest.mark.parametrize(
    "piece",
    [
        "*a **b_ ",
        "<!-- ",
        "`",
        "`a``",
        "_",
        "\\",
        "**",
        "a_b*",
        "<!-->",
        "-->",
        "*a* ",
        "a**b__c",
        "](",
        "<ab:_",
        "](`*",
    ],
)
def test_hostile_text_costs_linear_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()
    normalise(text)
    neutralise(text)
    assert time.process_time() - began < 8
