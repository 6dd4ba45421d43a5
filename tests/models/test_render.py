from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from crustacean.models.protocol import Request
from crustacean.models.render import as_text


@given(st.text(), st.text())
def test_what_is_sent_can_be_encoded(prompt: str, system: str) -> None:
    request = Request("collect", (system,), prompt + "\ud800", {})
    as_text(request).encode("utf-8")


def test_the_parts_stand_in_order_and_the_first_line_is_the_request_s_own(ask: Callable[..., Request]) -> None:
    text = as_text(ask(system=("mark\n\nstatic\n", ""), prompt="body\n", messages=(("old", "no such turn"),)))
    assert text == "mark\n\nstatic\n\nbody\n\nYour reply was:\nold\n\nno such turn\n"
