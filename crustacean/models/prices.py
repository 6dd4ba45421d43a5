"""What models cost: the providers' list prices, and what a person says in crab.toml.

Standard rates in US dollars for a million tokens, read from the providers' price pages on 1 December 2026. They go
stale; `[models.prices]` in crab.toml wins over them. Sources: platform.claude.com/docs (models and pricing),
developers.openai.com/api/docs/pricing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from crustacean.models.protocol import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. cache_read, cache_write: for input read from and written to the provider's
    prompt cache. A request with more than `long_from` input tokens is charged at `long` instead."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    long_from: int | None = None
    long: Price | None = None

    def cost(self, usage: Usage) -> float:
        """US dollars of one call."""
        if self.long is not None and self.long_from is not None:
            whole = usage.input + usage.cache_read + usage.cache_write
            if whole > self.long_from:
                return self.long.cost(usage)
        dollars = (
            usage.input * self.input
            + usage.output * self.output
            + usage.cache_read * self.cache_read
            + usage.cache_write * self.cache_write
        )
        return dollars / 1_000_000


FREE = Price(0.0, 0.0, 0.0, 0.0)


def flat(input: float, output: float) -> Price:
    """A price where only input and output are known: the cache at the providers' usual 0.1 and 1.25 of input."""
    return Price(input, output, input * 0.1, input * 1.25)


def _claude(input: float, output: float, read: float) -> Price:
    return Price(input, output, read, input * 1.25)


def _gpt(input: float, output: float, read: float, write: float | None = None) -> Price:
    write = input if write is None else write
    return Price(input, output, read, write, 272_000, Price(input * 2, output * 1.5, read * 2, write * 2))


_ANTHROPIC: Mapping[str, Price] = {
    "claude-fable-5-2": _claude(8.0, 40.0, 0.20),
    "claude-fable-5-1": _claude(10.0, 50.0, 0.25),
    "claude-mythos-5-1": _claude(10.0, 50.0, 0.25),
    "claude-fable-5": _claude(10.0, 50.0, 1.0),
    "claude-mythos-5": _claude(10.0, 50.0, 1.0),
    "claude-opus-5-5": _claude(4.0, 20.0, 0.20),
    "claude-opus-5": _claude(5.0, 25.0, 0.50),
    "claude-opus-4-8": _claude(5.0, 25.0, 0.50),
    "claude-opus-4-7": _claude(5.0, 25.0, 0.50),
    "claude-opus-4-6": _claude(5.0, 25.0, 0.50),
    "claude-opus-4-5": _claude(5.0, 25.0, 0.50),
    "claude-sonnet-5-5": _claude(2.0, 10.0, 0.10),
    "claude-sonnet-5": _claude(2.0, 10.0, 0.20),
    "claude-sonnet-4-6": _claude(3.0, 15.0, 0.30),
    "claude-haiku-5-5": replace(_claude(0.10, 0.50, 0.01), long_from=100_000, long=_claude(0.50, 2.50, 0.05)),
    "claude-haiku-4-5": _claude(1.0, 5.0, 0.10),
}
_OPENAI: Mapping[str, Price] = {
    "gpt-6.2-astra": _gpt(8.0, 40.0, 0.40, 10.0),
    "gpt-6.2-sol": _gpt(2.0, 10.0, 0.10, 2.5),
    "gpt-6.1-sol": _gpt(2.0, 10.0, 0.10, 2.5),
    "gpt-6.1-terra": _gpt(1.0, 5.0, 0.05, 1.25),
    "gpt-6-astra": _gpt(10.0, 50.0, 1.0, 12.5),
    "gpt-6-sol": _gpt(2.0, 10.0, 0.20, 2.5),
    "gpt-6-luna": _gpt(0.10, 0.50, 0.01, 0.125),
    "gpt-5.6-sol": _gpt(4.0, 20.0, 0.40),
    "gpt-5.6-terra": _gpt(2.0, 12.0, 0.20),
    "gpt-5.6-luna": _gpt(0.20, 1.20, 0.02),
    "gpt-5.5": _gpt(5.0, 30.0, 0.50),
    "gpt-5.4": _gpt(2.5, 15.0, 0.25),
    "gpt-5.4-mini": _gpt(0.75, 4.5, 0.075),
}
_LISTS: Mapping[str, Mapping[str, Price]] = {"anthropic": _ANTHROPIC, "openai": _OPENAI}
_DATED = re.compile(r"-(20\d{6}|20\d\d-\d\d-\d\d)$")


def price_of(provider: str, model: str, own: Mapping[str, tuple[float, float]]) -> Price | None:
    """The price of a provider's model, None where it is not known.

    own: a person's prices, by model or by "provider:model"; they win. A dated name ("claude-haiku-4-5-20251001") costs
    what the undated one does.
    """
    for name in (f"{provider}:{model}", model):
        if name in own:
            return flat(*own[name])
    prices = _LISTS.get(provider, {})
    return prices.get(model) or prices.get(_DATED.sub("", model))
