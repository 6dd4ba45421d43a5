from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crustacean.models.failures import one_line

SECRET = "sk-ant-0123456789"


@given(st.text(), st.text())
def test_someone_else_s_text_is_one_short_line_without_the_key(before: str, after: str) -> None:
    line = one_line(before + SECRET + after, SECRET)
    assert SECRET not in line
    assert len(line) <= 200
    assert len(line.splitlines()) <= 1
    line.encode("utf-8")


def test_a_key_that_is_cut_short_is_taken_out_too() -> None:
    assert one_line(f"bad key {SECRET[:12]}*** given", SECRET) == "bad key [key] given"
    assert one_line("x" * 3_995 + SECRET, SECRET, limit=5_000).endswith("x[key]")


def test_escape_sequences_do_not_reach_a_terminal() -> None:
    assert one_line("a\x1b[31mred\x9b0m\r\nb\u2028c") == "a [31mred 0m b c"
