"""Measures what the offline model collects: on the scored dialogues, and on genuine session stores.

usage: python tests/bench/collecting.py [--shared DIR] [--dialogues FILE] [--ids FIRST-LAST] [--show] [--stores]

The dialogues are scored by `score_collect.py` of the data set. A store's facts count as captured when all their keys
stand in the text collected for their session; superseded values and noise are looked for as they are written there.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from crustacean.models.offline import connect
from crustacean.models.protocol import PromptTurn, Request
from crustacean.models.settings import ModelSettings
from crustacean.transcripts.session import Reader, Report, Role, Session, Speaker, Turn

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ROLES: dict[str, Role] = {"assistant": "agent", "tool": "tool"}
NOISE = re.compile(r"\b988\b|lol ok|HEARTBEAT|CRAB-MARK|letters/2026|paper weights|cache-ttl|unattended scheduled run")


def turns_of(dialogue: dict[str, Any]) -> tuple[PromptTurn, ...]:
    """A dialogue of the data set as turns of one session, a minute apart. Turn n has the label "t{n + 1}"."""
    group = dialogue["form"] == "group"
    kind = "group" if group else "main"
    session = Session(
        "bench", "main", dialogue["id"], dialogue["id"], kind, Path("dialogue"), peer="g" if group else None
    )
    rows = []
    for n, row in enumerate(dialogue["turns"]):
        role = ROLES.get(row["speaker"], "person")
        name = row["speaker"] if role == "person" and row["speaker"] != "user" else None
        time = START + timedelta(minutes=n)
        turn = Turn(f"{dialogue['id']}-{n}", n, time, Speaker(role, name=name, local=not group), row["text"])
        rows.append(PromptTurn(f"t{n + 1}", session, turn, time))
    return tuple(rows)


def collected(turns: tuple[PromptTurn, ...]) -> list[dict[str, Any]]:
    """The edits of the offline model for these turns."""
    reply = connect("", ModelSettings()).reply(Request("collect", (), "", {}, turns))
    return list(reply.data["edits"])


def read_dialogues(file: Path, ids: str = "") -> list[dict[str, Any]]:
    """The dialogues of a file; ids: "3-7" for those with these numbers."""
    first, _, last = ids.partition("-")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    return [r for r in rows if not ids or int(first) <= int(re.sub(r"\D", "", r["id"])) <= int(last or first)]


def score(scorer: Path, rows: list[dict[str, Any]], *extra: str) -> str:
    """What the data set's scorer says of the offline model on these dialogues."""
    with tempfile.TemporaryDirectory() as scratch:
        gold, predictions = Path(scratch, "gold.jsonl"), Path(scratch, "predictions.jsonl")
        gold.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
        lines = [
            {"dialogue": row["id"], "text": e["text"], "turn": int(e["sources"][0][1:]) - 1, "kind": e["tag"]}
            for row in rows
            for e in collected(turns_of(row))
        ]
        predictions.write_text("\n".join(json.dumps(p) for p in lines), encoding="utf-8")
        call = [sys.executable, str(scorer), str(predictions), "--gold", str(gold), *extra]
        return subprocess.run(call, capture_output=True, text=True, check=True).stdout


def sessions_of(home: Path, client: str) -> dict[str, list[PromptTurn]]:
    """The turns of a store by session key (and id), labelled in order."""
    found: dict[str, list[PromptTurn]] = {}
    for entry in entry_points(group="crustacean.readers"):
        reader: Reader = entry.load()
        for root in reader.find(home, {}) if client.startswith(reader.client) else ():
            for file in reader.files(root):
                for session, turn in reader.read(file, None, Report()):
                    rows = found.setdefault(f"{session.key} {session.id}", [])
                    rows.append(PromptTurn(f"t{len(rows) + 1}", session, turn, turn.time))
    return found


def stores(folder: Path, show: bool) -> Iterator[str]:
    """One line for each session of expected.json that a reader can read, and for each thing that is wrong."""
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    hit = total = 0
    for store, told in expected.items():
        found = sessions_of(folder / store / "home", store)
        for session in told["sessions"] if found else ():
            edits = collected(tuple(turns_named(session["id"], found)))
            text = "\n".join(e["text"] for e in edits).lower()
            missed = [f["fact"] for f in session["facts"] if not all(k.lower() in text for k in f["keys"])]
            facts = len(session["facts"])
            hit, total = hit + facts - len(missed), total + facts
            yield f"{store} {session['id']}: {facts - len(missed)}/{facts}, {len(edits)} edits"
            yield from (f"   missed: {m}" for m in missed)
            yield from (f"   superseded: {s}" for s in session.get("superseded", ()) if s.lower() in text)
            yield from (f"   noise: {e['text'][:100]}" for e in edits if NOISE.search(e["text"]))
            if show:
                yield from (f"   {line(e)}" for e in edits)
    yield f"captured {hit}/{total}"


def turns_named(name: str, found: dict[str, list[PromptTurn]]) -> list[PromptTurn]:
    """The turns of the session that expected.json calls `name`: a key, "DIR/START-OF-ID…", or "all"."""
    key = re.sub(r"<.*|…", "", name.rsplit("/", 1)[-1])
    return [t for k, rows in found.items() if name == "all" or k.startswith(key) or f" {key}" in k for t in rows]


def line(edit: dict[str, Any]) -> str:
    about = " ".join(edit["about"])
    head = f"{','.join(edit['sources'])} [{edit['tag']} {edit['importance']}]"
    return f"{head} {edit['text']} <{edit['topic']}> {edit['due'] or ''} {about}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[3] / "shared")
    parser.add_argument("--dialogues", type=Path, help="another file of dialogues in the same format")
    parser.add_argument("--ids", default="", help="only dialogues with these numbers, 3-7")
    parser.add_argument("--show", action="store_true", help="print what was collected")
    parser.add_argument("--stores", action="store_true", help="the session stores instead of the dialogues")
    args = parser.parse_args()
    if args.stores:
        print("\n".join(stores(args.shared / "sessions", args.show)))
        return
    data = args.shared / "datasets"
    rows = read_dialogues(args.dialogues or data / "collect.jsonl", args.ids)
    for row in rows if args.show else ():
        print(f"## {row['id']}")
        print("\n".join(f"   {line(e)}" for e in collected(turns_of(row))))
    print(score(data / "score_collect.py", rows, "--misses"))


if __name__ == "__main__":
    main()
