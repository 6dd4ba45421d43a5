"""From stores to batches."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from crustacean.stages.intake import pieces
from tests.cli.conftest import Crab, crab, home, root

__all__ = ["crab", "home", "root"]


@given(st.text(max_size=300), st.integers(min_value=2, max_value=50))
def test_a_long_text_is_cut_and_nothing_of_it_is_lost(text: str, limit: int) -> None:
    parts = pieces(text, limit)
    assert "".join(parts) == text
    assert all(len(part) <= limit for part in parts)


def test_a_turn_longer_than_a_batch_takes_several_calls_and_is_considered_once(crab: Crab, root: Path) -> None:
    settings = root / "crab.toml"
    settings.write_text(
        settings.read_text().replace("# [collect]\n# batch_tokens = 12000", "[collect]\nbatch_tokens = 40")
    )
    data = crab("collect", "--all", "--json").data

    assert len(crab("show", data["run"], "--json").data["info"]) > 0
    assert data["considered"] == 31
    assert crab("collect", "--all", "--json").data["considered"] == 0


def test_a_file_that_grew_gives_only_what_is_new(crab: Crab, root: Path, home: Path) -> None:
    crab("collect", "--all")
    [path] = (home / ".claude/projects/-home-nora-shop").glob("*.jsonl")
    last = path.read_text().splitlines()[-1]
    fresh = last.replace("Go-live is 19 April.", "The shop needs 12 photos by 2 April.").replace(
        '"uuid": "c3000000', '"uuid": "d4000000'
    )
    with path.open("a") as file:
        file.write(fresh + "\n" + fresh[:100])

    data = crab("collect", "--since", "2026-01-01", "--json").data
    assert data["considered"] == 1


def test_an_excluded_session_is_not_read_until_the_rule_goes(crab: Crab, root: Path) -> None:
    crab("sources", "exclude", "dir:/home/nora/shop")
    crab("collect", "--now", "2026-03-18T20:00+01:00")
    assert not (root / "memory/2026-03-18.md").exists()

    crab("sources", "remove", "dir:/home/nora/shop")
    assert crab("collect", "--now", "2026-03-18T20:05+01:00", "--json").data["considered"] > 0
    assert (root / "memory/2026-03-18.md").exists()


def test_what_is_not_said_yet_by_the_clock_is_read_when_its_time_has_come(crab: Crab, root: Path) -> None:
    first = crab("collect", "--now", "2026-03-16T20:00", "--json").data
    assert sorted(p.name for p in (root / "memory").glob("2026-*.md")) == ["2026-03-16.md"]

    later = crab("collect", "--now", "2026-03-18T21:00", "--json").data
    assert first["considered"] + later["considered"] == 31
    assert (root / "memory/2026-03-18.md").exists()
