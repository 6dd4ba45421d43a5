"""Stopping before the call that would cost too much."""

from __future__ import annotations

from dataclasses import dataclass, field

from crustacean.errors import BudgetReached
from crustacean.models.estimate import estimate
from crustacean.models.failures import CostlyReply
from crustacean.models.prices import flat
from crustacean.models.protocol import Model, Reply, Request, Usage


@dataclass(slots=True)
class Budget:
    """What a run may use. None: no limit.

    run_tokens: tokens in and out, cached ones too. run_cost, month_cost: US dollars. month_spent: US dollars that the
    month's runs before this one have spent.
    """

    run_tokens: int | None = None
    run_cost: float | None = None
    month_cost: float | None = None
    month_spent: float = 0.0
    _settled: Usage = field(default_factory=Usage)
    _booked: Usage = field(default_factory=Usage)

    @property
    def used(self) -> Usage:
        """What this run has used; a call that is under way, or that failed without saying what it used, counts with
        its estimate."""
        return self._settled + self._booked

    def ask(self, name: str, input: int, output: int, price: tuple[float, float] | None) -> None:
        """Book a call of model `name` with at most `input` and `output` tokens, `price` dollars for a million of each.

        Raises BudgetReached when the call could pass a limit, or when a limit in dollars is set and the price is not
        known; nothing is booked then.
        """
        cost = None if price is None else flat(*price).cost(Usage(input=input, output=output))
        self._check_tokens(input + output)
        for option, limit, before in (
            ("budget.run_cost", self.run_cost, 0.0),
            ("budget.month_cost", self.month_cost, self.month_spent),
        ):
            if limit is not None:
                self._check_cost(option, limit, before, cost, name)
        self._settled = self.used
        self._booked = Usage(1, input, output, cost=cost)

    def settle(self, usage: Usage) -> None:
        """Put what the booked call really used in place of its estimate."""
        self._settled = self._settled + usage
        self._booked = Usage()

    def _check_tokens(self, wanted: int) -> None:
        if self.run_tokens is None:
            return
        left = max(0, self.run_tokens - tokens(self.used))
        if wanted > left:
            raise BudgetReached(
                f"budget.run_tokens: the next call may need {wanted:,} tokens, {left:,} are left",
                "run again to go on, or raise budget.run_tokens in crab.toml",
            )

    def _check_cost(self, option: str, limit: float, before: float, cost: float | None, name: str) -> None:
        used = self.used.cost
        if cost is None or used is None:
            raise BudgetReached(
                f"{option} is set, but the price of {name} is not known",
                f'say it in crab.toml under [models.prices]: "{name}" = [dollars for a million input tokens, output]',
            )
        if before + used + cost > limit:
            left = max(0.0, limit - before - used)
            raise BudgetReached(
                f"{option}: the next call may cost ${cost:.4f}, ${left:.4f} of ${limit:.2f} are left",
                f"raise {option} in crab.toml, or use a cheaper model",
            )


def tokens(usage: Usage) -> int:
    """All tokens of a usage, cached ones too."""
    return usage.input + usage.output + usage.cache_read + usage.cache_write


class Metered:
    """A model that asks the budget before each call. It is a Model itself; an offline one is never asked for."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self.name = model.name
        self.offline = model.offline
        self.model = model
        self.budget = budget

    def price(self) -> tuple[float, float] | None:
        return self.model.price()

    def reply(self, request: Request) -> Reply:
        """As Model.reply; raises BudgetReached before a call that could pass a limit."""
        if self.offline:
            return self.model.reply(request)
        self.budget.ask(self.model.name, estimate(request), request.max_tokens, self.model.price())
        try:
            reply = self.model.reply(request)
        except CostlyReply as error:
            self.budget.settle(error.usage)
            raise
        self.budget.settle(reply.usage)
        return reply
