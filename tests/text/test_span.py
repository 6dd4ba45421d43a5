from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crustacean.text.span import when

NOW = datetime(2026, 3, 17, 14, 5, tzinfo=UTC)


def test_a_time_without_a_zone_is_on_the_clock_of_now() -> None:
    assert when("2026-03-01T10:00", NOW) == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert when("2026-03-01", NOW) == datetime(2026, 3, 1, tzinfo=UTC)


def test_a_zone_of_its_own_holds() -> None:
    assert when("2026-03-01T10:00+02:00", NOW) == datetime(2026, 3, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "0001-01-01", "0001-01-01T00:00Z"])
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        when(text, NOW)
