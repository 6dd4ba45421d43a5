"""Replies of a real model to exactly the prompts that `--print-prompt` gave, replayed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Crab, crab, home, root

__all__ = ["crab", "home", "root"]

REPLIES = Path(__file__).parents[1] / "data" / "replies"


def logs(root: Path) -> str:
    return "".join(p.read_text() for p in sorted((root / "memory").glob("2026-*.md")))


def test_a_real_reply_lands_whole_with_what_code_decides(crab: Crab, root: Path) -> None:
    reply = REPLIES / "collect-trial.json"
    data = crab("collect", "--all", "--model", f"command:cat {reply}", "--json").data
    text = logs(root)

    assert (data["refused"], data["balance"]["lost"]) == ([], 0)
    assert data["balance"]["added"] == len(json.loads(reply.read_text())["edits"])
    assert "13.90" in text and "19 April" in text
    assert "Gr0nska" not in text
    assert "audience: group:-7700" in text and "Saturday" in text
    assert crab("verify", "--json").data["lost"] == []


STORES = (
    ("openclaw", "collect-openclaw.json", ("agent:main:",), "1001", "Nuria Valls"),
    ("claude-code", "collect-claude.json", ("-home",), "", ""),
)


@pytest.mark.parametrize(("store", "reply", "ids", "owner", "name"), STORES, ids=[s[0] for s in STORES])
def test_a_real_model_captures_what_the_genuine_stores_hold(
    crab: Crab, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str, reply: str,
    ids: tuple[str, ...], owner: str, name: str,
) -> None:  # fmt: skip
    if not (shared / "sessions" / "expected.json").exists():
        # Without the genuine stores the recorded reply can still be held against the reply's own shape.
        edits = json.loads((REPLIES / reply).read_text())["edits"]
        assert all({"op", "topic", "text", "sources"} <= set(e) for e in edits)
        return
    monkeypatch.setenv("HOME", str(shared / "sessions" / store / "home"))
    root = tmp_path / "workspace"
    extra = ["--owner", owner, "--name", name] if owner else []
    assert crab("init", root, "--timezone", "Europe/Madrid", "--source", "all", *extra).status == 0
    data = crab("collect", "-w", root, "--all", "--model", f"command:cat {REPLIES / reply}", "--json").data

    assert data["refused"] == []
    held = logs(root).casefold()
    expected = json.loads((shared / "sessions" / "expected.json").read_text())[store]["sessions"]
    facts = [f for s in expected if s["id"].startswith(ids) for f in s["facts"]]
    missed = [f["fact"] for f in facts if not all(k.casefold() in held for k in f["keys"])]
    assert len(missed) <= 0.05 * len(facts), missed
