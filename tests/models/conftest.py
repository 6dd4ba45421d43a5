from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import strategies as st

from crustacean.models.protocol import Request
from crustacean.models.retry import Retry
from crustacean.models.settings import ModelSettings
from tests.models.loopback import Loopback

KEY = "sk-test-0123456789abcdef"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "op": {"type": "string", "enum": ["append", "flag"]},
                    "text": {"type": "string", "maxLength": 2000},
                    "importance": {"type": "integer", "minimum": 1, "maximum": 10},
                },
                "required": ["op"],
                "additionalProperties": False,
            },
        },
        "notes": {"type": "string"},
    },
    "required": ["edits"],
    "additionalProperties": False,
}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
REPLY: dict[str, Any] = {"edits": [{"op": "append", "text": "Ana prefers short answers."}], "notes": ""}


@st.composite
def bent(draw: st.DrawFn, data: Any) -> Any:
    """The data with something else in one place."""
    if not isinstance(data, dict | list) or not data or draw(st.integers(0, 3)) == 0:
        return draw(JSON)
    copy = dict(data) if isinstance(data, dict) else list(data)
    place = draw(st.sampled_from(list(copy) if isinstance(copy, dict) else range(len(copy))))
    copy[place] = draw(bent(copy[place]))
    return copy


@dataclass
class Clock:
    """A clock that only sleeping moves."""

    at: float = 1000.0
    naps: list[float] = field(default_factory=list)
    start: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.at += seconds

    def monotonic(self) -> float:
        return self.at

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.at - 1000.0)


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def retry(clock: Clock) -> Retry:
    """Full-length pauses that take no time."""
    return Retry(sleep=clock.sleep, monotonic=clock.monotonic, now=clock.now, draw=lambda: 1.0)


@pytest.fixture
def ask() -> Callable[..., Request]:
    def make(prompt: str = "first line\nWhat is worth keeping?", **changes: Any) -> Request:
        return Request(**{"stage": "collect", "system": ("Be brief.",), "prompt": prompt, "schema": SCHEMA, **changes})

    return make


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or proxy of whoever runs the tests."""
    import os

    for name in list(os.environ):
        if name.upper().startswith(("ANTHROPIC_", "OPENAI_")) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)


@pytest.fixture
def settings(server: Loopback, retry: Retry) -> Callable[..., ModelSettings]:
    def make(**changes: Any) -> ModelSettings:
        env = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY, "PATH": "/usr/bin:/bin"}
        given = {"env": env, "timeout": 5.0, "retry": retry, **changes}
        return ModelSettings(**given)

    return make
