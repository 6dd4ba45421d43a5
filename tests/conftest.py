from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


def shared_folder() -> Path:
    """The folder of shared stores: the one named by CRAB_SHARED, else `shared` beside the repository, else the small
    copies in tests/data, which lie in the same places."""
    named = os.environ.get("CRAB_SHARED")
    beside = Path(named) if named else Path(__file__).parents[2] / "shared"
    return beside if beside.is_dir() else DATA


@pytest.fixture(scope="session")
def shared() -> Path:
    return shared_folder()
