"""A short, seeded share of the long attacks, so that the suite notices when one would fail."""

from __future__ import annotations

from tests.bench import hostile, kills, ledger_size, race, sequences


def test_a_kill_anywhere_in_an_apply_leaves_all_of_it_or_none() -> None:
    assert kills.attack(8, seed=1).good


def test_two_crabs_and_an_editor_lose_no_line() -> None:
    assert race.attack(8, seed=1).good


def test_hostile_replies_stay_in_their_lane() -> None:
    assert hostile.attack(400, seed=1).good


def test_runs_hands_git_and_undo_in_any_order_are_accounted_for() -> None:
    assert sequences.attack(4, seed=1).good


def test_a_planted_loss_is_told() -> None:
    assert sequences.attack(2, seed=1, plant=True).good


def test_the_ledger_keeps_to_its_size() -> None:
    assert ledger_size.attack(60, seed=1).good
