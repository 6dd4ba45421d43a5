"""A run over given turns with a model that answers from a list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from crustacean.edits import store
from crustacean.errors import BadReply
from crustacean.models.protocol import PromptTurn, Reply, Request, Usage
from crustacean.stages.collect import COLLECT
from crustacean.stages.stage import Result, run_stage
from crustacean.stages.work import Input, Options, Run, Source, Stage
from crustacean.transcripts.session import Session, Speaker, Turn
from crustacean.workspace.config import Config, Owner

START = datetime(2026, 3, 17, 13, 5, tzinfo=UTC)


@dataclass
class Scripted:
    """A model that gives the next reply of a list; an exception in it is raised."""

    replies: list[Any]
    name: str = "test:scripted"
    offline: bool = False
    asked: list[Request] = field(default_factory=list)

    def reply(self, request: Request) -> Reply:
        self.asked.append(request)
        answer = self.replies.pop(0) if self.replies else {"edits": []}
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, json.dumps(answer), Usage(1, 100, 10))

    def price(self) -> tuple[float, float] | None:
        return None


def says(number: int, text: str, *, who: str = "owner", audience: str = "main") -> tuple[PromptTurn, Source]:
    """A turn of one session, a minute after the one before."""
    session = Session("openclaw", "main", "3f2a91c0-0000", "agent:main:main", "main", Path("store"))
    speaker = Speaker("agent") if who == "agent" else Speaker("person", "1001", "Sam", local=who == "owner")
    time = START + timedelta(minutes=number)
    key = f"{number:012x}"
    local = time.astimezone(ZoneInfo("Europe/Madrid"))
    turn = PromptTurn(f"t{number}", session, Turn(key, number, time, speaker, text), local)
    return turn, Source(f"t{number}", session.ref, number, key, local, who, audience, text)


def batch(*turns: tuple[PromptTurn, Source]) -> Input:
    return Input(tuple(t for t, _ in turns), (), {s.label: s for _, s in turns})


def append(text: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {
        "op": "append",
        "topic": "Choosing the id format",
        "text": text,
        "sources": list(sources),
        "why": "w",
        **more,
    }


def failure(text: str = "the reply was cut off") -> BadReply:
    return BadReply(text, "try again")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    return tmp_path


Collect = Callable[..., Result]


@pytest.fixture
def collect(root: Path) -> Iterator[Collect]:
    """Collect given batches with a scripted model."""
    zone = ZoneInfo("Europe/Madrid")
    config = Config(zone, Owner("Sam", frozenset({"1001"})))
    with store.opened(root, lambda: datetime(2026, 3, 17, 18, 0, tzinfo=zone)) as opened:

        def run(model: Scripted, *batches: Input, options: Options | None = None, name: str = "run00001") -> Result:
            stage: Stage = replace(COLLECT, select=lambda run: iter(batches))
            with store.locked(opened):
                return run_stage(Run(name, opened, config, model, options or Options()), stage)

        yield run
