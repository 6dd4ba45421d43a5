from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.errors import BudgetReached, ModelError
from crustacean.models.budget import Budget, Metered, tokens
from crustacean.models.estimate import estimate
from crustacean.models.failures import CostlyReply
from crustacean.models.protocol import Reply, Request, Usage
from tests.models.conftest import REPLY, SCHEMA

PRICE = (1.0, 10.0)
REQUEST = Request("collect", ("Static.",), "Prompt.", SCHEMA, max_tokens=1000)


class Scripted:
    """A model that uses what it is told to."""

    name = "test:model"
    offline = False

    def __init__(self, *outcomes: Usage | Exception) -> None:
        self.outcomes = list(outcomes)
        self.calls = 0

    def price(self) -> tuple[float, float] | None:
        return PRICE

    def reply(self, request: Request) -> Reply:
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return Reply(REPLY, "{}", outcome)


def test_without_limits_nothing_is_refused() -> None:
    budget = Budget()
    budget.ask("m", 10**9, 10**9, None)
    assert budget.used.cost is None


def test_a_call_that_could_pass_the_tokens_is_refused_before_it_is_made() -> None:
    budget = Budget(run_tokens=1000)
    budget.ask("m", 600, 400, PRICE)
    budget.settle(Usage(1, 500, 100, 50, 50, 0.01))
    budget.ask("m", 200, 100, PRICE)
    budget.settle(Usage(1, 200, 50))
    with pytest.raises(BudgetReached, match=r"may need 51 tokens, 50 are left") as caught:
        budget.ask("m", 50, 1, PRICE)
    assert caught.value.status == 4
    assert "budget.run_tokens" in caught.value.hint
    assert tokens(budget.used) == 950


def test_a_call_that_could_pass_the_run_s_cost_is_refused() -> None:
    budget = Budget(run_cost=0.02)
    budget.ask("m", 1000, 1000, PRICE)
    budget.settle(Usage(1, 1000, 1000, cost=0.011))
    with pytest.raises(BudgetReached, match=r"budget.run_cost: the next call may cost \$0.0110, \$0.0090 of \$0.02"):
        budget.ask("m", 1000, 1000, PRICE)


def test_the_month_counts_what_was_spent_before() -> None:
    Budget(month_cost=5.0, month_spent=4.9).ask("m", 1000, 1000, PRICE)
    with pytest.raises(BudgetReached, match=r"budget\.month_cost"):
        Budget(month_cost=5.0, month_spent=4.99).ask("m", 1000, 1000, PRICE)


def test_a_limit_in_dollars_wants_a_price() -> None:
    for budget in (Budget(run_cost=1.0), Budget(month_cost=1.0)):
        with pytest.raises(BudgetReached, match="the price of command:claude is not known") as caught:
            budget.ask("command:claude", 1, 1, None)
        assert '"command:claude" = [' in caught.value.hint
        assert budget.used == Usage()


def test_a_price_of_nothing_passes_any_limit() -> None:
    Budget(run_cost=0.0, month_cost=0.0).ask("m", 10**6, 10**6, (0.0, 0.0))


def test_a_call_that_was_never_settled_stays_counted_with_its_estimate() -> None:
    budget = Budget(run_tokens=1000)
    budget.ask("m", 400, 100, PRICE)
    budget.ask("m", 300, 100, PRICE)
    budget.settle(Usage(1, 10, 10, cost=0.0))
    assert tokens(budget.used) == 520
    assert budget.used.calls == 2


def test_a_metered_model_asks_before_and_settles_after() -> None:
    model = Scripted(Usage(1, 100, 50, cost=0.5), CostlyReply("cut off", Usage(1, 100, 1000, cost=0.25)))
    metered = Metered(model, Budget(run_tokens=100_000))
    assert metered.reply(REQUEST).data == REPLY
    with pytest.raises(CostlyReply):
        metered.reply(REQUEST)
    assert metered.budget.used == Usage(2, 200, 1050, cost=0.75)
    assert (metered.name, metered.offline, metered.price()) == ("test:model", False, PRICE)


def test_a_metered_model_is_not_called_past_the_budget() -> None:
    model = Scripted()
    with pytest.raises(BudgetReached):
        Metered(model, Budget(run_tokens=500)).reply(REQUEST)
    assert model.calls == 0


def test_a_call_that_failed_without_an_answer_counts_with_its_estimate() -> None:
    metered = Metered(Scripted(ModelError("timed out")), Budget())
    with pytest.raises(ModelError):
        metered.reply(REQUEST)
    assert tokens(metered.budget.used) == estimate(REQUEST) + 1000


def test_an_offline_model_is_never_refused() -> None:
    model = Scripted(Usage())
    model.offline = True
    assert Metered(model, Budget(run_tokens=0, run_cost=0.0)).reply(REQUEST).data == REPLY


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500), st.floats(0, 1)), max_size=30))
def test_no_sequence_of_calls_passes_a_limit(calls: list[tuple[int, int, float]]) -> None:
    budget = Budget(run_tokens=3000, run_cost=0.004, month_cost=0.01, month_spent=0.007)
    for sent, output, share in calls:
        try:
            budget.ask("m", sent, output, PRICE)
        except BudgetReached:
            continue
        used = Usage(1, int(sent * share), int(output * share))
        budget.settle(Usage(1, used.input, used.output, cost=(used.input + 10 * used.output) / 1e6))
    assert tokens(budget.used) <= 3000
    assert budget.used.cost is not None and budget.used.cost <= 0.003 + 1e-9
