from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.transcripts.memory_jobs import alike, tends


@pytest.mark.parametrize(
    "name", ["Collect", "nightly curate", "Daily 4C: consolidate", "collect 2", "half-hourly session reflect"]
)
def test_a_name_of_nothing_but_a_stage_is_a_memory_s_job(name: str) -> None:
    assert tends(name, "") and alike(name, "")


@pytest.mark.parametrize("name", ["", "nightly job", "compile the release", "collect rent", "2", "recollect"])
def test_other_names_say_nothing(name: str) -> None:
    assert not tends(name, "") and not alike(name, "")


@pytest.mark.parametrize(
    ("text", "ours", "others"),
    [
        ("crab collect", True, False),
        ("Read memory/.system/CURATE.md and do what it says", True, True),
        ("Follow COLLECT.md", True, True),
        ("Read RECOLLECT.md", False, False),
        ("Tidy MEMORY.md and drop what is old", False, True),
        ("Check the memory usage of the server", False, False),
        ("Send me the weather", False, False),
    ],
)
def test_what_a_job_is_told_to_run_shows_whose_it_is(text: str, ours: bool, others: bool) -> None:
    assert (tends("job", text), alike("job", text)) == (ours, others)


@pytest.mark.parametrize("name", ["crab-collect", "crab: all", "dreaming", "Memory upkeep"])
def test_a_memory_s_name_is_enough(name: str) -> None:
    assert tends(name, "")


@given(st.text(alphabet="colectmury .-/MEMORY\n", max_size=400))
def test_any_text_is_looked_at(text: str) -> None:
    for name, prompt in (("", text), (text, "")):
        tends(name, prompt)
        alike(name, prompt)
