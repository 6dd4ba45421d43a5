"""Measures what the offline model collects, on the scored dialogues and on genuine session stores.

usage: python tests/bench/collecting.py [--shared DIR] [--ids FIRST-LAST] [--show] [--stores]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from crustacean.models.offline import connect
from crustacean.models.protocol import PromptTurn, Request
from crustacean.models.settings import ModelSettings
from crustacean.transcripts.session import Session, Speaker, Turn

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TAG_OF_KIND = {"preference": "preference"}


def turns_of(dialogue: dict[str, Any]) -> tuple[PromptTurn, ...]:
    """A dialogue of the data set as turns of one session, a minute apart."""
    group = dialogue["form"] == "group"
    session = Session(
        "bench",
        "main",
        dialogue["id"],
        dialogue["id"],
        "group" if group else "main",
        Path("/nowhere"),
        peer="g" if group else None,
    )
    rows = []
    for n, row in enumerate(dialogue["turns"]):
        role = {"assistant": "agent", "tool": "tool"}.get(row["speaker"], "person")
        name = row["speaker"] if role == "person" and row["speaker"] != "user" else None
        time = START + timedelta(minutes=n)
        turn = Turn(f"{dialogue['id']}-{n}", n, time, Speaker(role, name=name, local=not group), row["text"])  # noqa
        rows.append(PromptTurn(f"t{n + 1}", session, turn, time))
    return tuple(rows)


def collected(turns: tuple[PromptTurn, ...]) -> list[dict[str, Any]]:
    """The edits of the offline model for these turns."""
    model = connect("", ModelSettings())
    edits = model.reply(Request("collect", (), "", {}, turns)).data["edits"]
    return list(edits)


def dialogues(folder: Path, ids: str) -> Iterator[dict[str, Any]]:
    first, _, last = ids.partition("-")
    for line in (folder / "collect.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if not ids or int(first) <= int(row["id"][2:]) <= int(last or first):
            yield row


def score_dialogues(folder: Path, ids: str, show: bool) -> None:
    rows = list(dialogues(folder, ids))
    with tempfile.TemporaryDirectory() as scratch:
        gold, predictions = Path(scratch, "gold.jsonl"), Path(scratch, "predictions.jsonl")
        gold.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
        out = []
        for row in rows:
            edits = collected(turns_of(row))
            if show:
                print(f"## {row['id']}")
            for e in edits:
                if show:
                    print(
                        f"   {','.join(e['sources'])} [{e['tag']} {e['importance']}] {e['text']} <{e['topic']}> {e['due'] or ''}"
                    )
                out.append(
                    {"dialogue": row["id"], "text": e["text"], "turn": int(e["sources"][-1][1:]) - 1, "kind": e["tag"]}
                )
        predictions.write_text("\n".join(json.dumps(p) for p in out), encoding="utf-8")
        script = [sys.executable, str(folder / "score_collect.py"), str(predictions), "--gold", str(gold), "--misses"]
        print(subprocess.run(script, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[3] / "shared")
    parser.add_argument("--ids", default="")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    score_dialogues(args.shared / "datasets", args.ids, args.show)


if __name__ == "__main__":
    main()
