from __future__ import annotations

import pytest

from crustacean.models.prices import Price, flat, price_of
from crustacean.models.protocol import Usage


def test_a_dated_name_costs_what_the_undated_one_does() -> None:
    assert price_of("anthropic", "claude-haiku-4-5-20251001", {}) == price_of("anthropic", "claude-haiku-4-5", {})
    assert price_of("openai", "gpt-5.4-mini-2026-03-17", {}) == price_of("openai", "gpt-5.4-mini", {})
    assert price_of("openai", "gpt-5.4-mini", {}) != price_of("openai", "gpt-5.4", {})


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("anthropic", "claude-next"),
        ("openai", "gpt-6-luna-2"),
        ("openai", ""),
        ("else", "gpt-6-luna"),
        ("anthropic", "gpt-6-luna"),
    ],
)
def test_an_unknown_price_is_none(provider: str, model: str) -> None:
    assert price_of(provider, model, {}) is None


def test_a_person_s_price_wins_by_full_name_then_by_model() -> None:
    own = {"gpt-6-luna": (1.0, 2.0), "openai:gpt-6-luna": (3.0, 4.0)}
    assert price_of("openai", "gpt-6-luna", own) == flat(3.0, 4.0)
    assert price_of("else", "gpt-6-luna", own) == flat(1.0, 2.0)


def test_cost_is_by_the_million_with_the_cache_apart() -> None:
    price = Price(2.0, 10.0, 0.1, 2.5)
    usage = Usage(1, 1_000_000, 100_000, 2_000_000, 400_000)
    assert price.cost(usage) == pytest.approx(2.0 + 1.0 + 0.2 + 1.0)
    assert price.cost(Usage()) == 0.0


def test_a_long_request_is_charged_at_the_long_price() -> None:
    price = price_of("anthropic", "claude-haiku-5-5", {})
    assert price is not None
    assert price.cost(Usage(1, 60_000, 0, 40_000)) == pytest.approx(0.06 * 0.1 + 0.04 * 0.01)
    assert price.cost(Usage(1, 60_000, 0, 40_001)) == pytest.approx(0.06 * 0.5 + 0.040001 * 0.05)


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-2"])
def test_reading_the_cache_is_cheaper_and_writing_it_dearer_than_input(model: str) -> None:
    price = price_of("anthropic", model, {})
    assert price is not None
    assert price.cache_read < price.input < price.cache_write < price.output
