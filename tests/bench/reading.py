"""Measures how fast sessions of Claude Code are read, against bare `json.loads` over the same lines in the same run.

usage: python tests/bench/reading.py [--megabytes N] [--files N]

Five cases: a long session of ordinary turns, one with more turns than are held (they are read twice), one of nothing
but short turns, one record of 50 MB, and many files with nothing new, which are only looked at by stat. Times are of
the processor; peak memory is what was allocated at most, measured apart from them.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from crustacean.transcripts.claude_code import READER
from crustacean.transcripts.session import Mark, Report, StoreFile

WORDS = "the oven bakes rye bread on friday morning while Ana checks ten orders and prices for the market".split()


def record(n: int, kind: str, uuid: str, parent: str | None, **fields: object) -> bytes:
    row = {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/ana/shop",
        "sessionId": "s",
    }
    row |= {"version": "2.1.332", "gitBranch": "main", "type": kind, **fields, "uuid": uuid}
    return (
        json.dumps(
            row | {"timestamp": f"2026-03-{2 + n // 86_400:02}T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}.000Z"}
        ).encode()
        + b"\n"
    )


def session(path: Path, size: int) -> None:
    """A session of at least `size` bytes: prompts, answers, calls with results of all lengths, and bookkeeping."""
    dice = random.Random(7)
    parent: str | None = None
    written = n = 0
    with path.open("wb") as file:
        while written < size:
            n += 1
            text = " ".join(dice.choices(WORDS, k=dice.choice((5, 20, 80))))
            output = "\n".join(" ".join(dice.choices(WORDS, k=9)) for _ in range(dice.choice((1, 5, 30, 200))))
            usage = {"input_tokens": n, "output_tokens": n, "cache": {"read": 1, "write": 2}}
            call = {"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": text}}
            result = {"type": "tool_result", "tool_use_id": f"t{n}", "content": output, "is_error": False}
            rows: list[tuple[str, dict[str, object]]] = [
                ("user", {"message": {"role": "user", "content": text}}),
                ("attachment", {"attachment": {"type": "file", "content": output}}),
                ("assistant", {"message": {"id": n, "content": [{"type": "text", "text": text}], "usage": usage}}),
                ("assistant", {"message": {"id": n, "content": [call], "usage": usage}}),
                ("user", {"message": {"role": "user", "content": [result]}, "toolUseResult": {"stdout": output}}),
            ]
            for at, (kind, fields) in enumerate(rows):
                uuid = f"{n:08x}-0000-4000-8000-{at:012x}"
                written += file.write(record(n, kind, uuid, parent, **fields))
                parent = uuid


def short(path: Path, size: int) -> None:
    """The worst there is for the reader: records of 400 bytes, each a turn."""
    written = n = 0
    with path.open("wb") as file:
        while written < size:
            kind = ("user", "assistant")[n % 2]
            content: object = f"message {n} about the bakery and its ovens"
            message = {"role": kind, "content": content if n % 2 == 0 else [{"type": "text", "text": content}]}
            written += file.write(record(n, kind, f"{n:036}", f"{n - 1:036}" if n else None, message=message))
            n += 1


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.write(record(1, "user", "u1", None, message={"role": "user", "content": "look"}))
        start, end = record(2, "user", "u2", "u1", message={"role": "user", "content": "#"}).split(b"#")
        file.write(start)
        for _ in range(50):
            file.write(b"x" * (1 << 20))
        file.write(end)


def stored(path: Path) -> StoreFile:
    (file,) = READER.files(path)
    return file


def timed(work: Callable[[], int]) -> tuple[float, int]:
    start = time.process_time()
    given = work()
    return time.process_time() - start, given


def bare(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if json.loads(line))


def turns(path: Path) -> int:
    return sum(1 for _ in READER.read(stored(path), None, Report()))


def peak(work: Callable[[], object]) -> str:
    """What a piece of work allocates at most."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return f"{most / 1e6:.0f} MB"


def compare(path: Path, runs: int = 5) -> str:
    pairs = [(timed(lambda: bare(path)), timed(lambda: turns(path))) for _ in range(runs)]
    plain = min(first[0] for first, _ in pairs)
    ours, given = min(second for _, second in pairs)
    size = path.stat().st_size / 1e6
    return f"{size:.0f} MB, {given} turns: json.loads {plain:.2f} s, reader {ours:.2f} s, ratio {plain / ours:.2f}"


def unchanged(folder: Path, count: int) -> str:
    """Files of 1 MB, of which none has anything new: what a run that finds nothing costs."""
    session(folder / "one.jsonl", 1 << 20)
    data = (folder / "one.jsonl").read_bytes()
    (folder / "one.jsonl").unlink()
    for n in range(count):
        place = folder / "projects" / f"-p{n % 20}" / f"{n}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    marks: dict[Path, Mark] = {}
    for file in READER.files(folder):
        marks[file.path] = Mark(file.size, file.mtime_ns, file.inode, {})

    def look() -> int:
        known = ((f, marks[f.path]) for f in READER.files(folder))
        return sum((m.size, m.mtime_ns, m.inode) == (f.size, f.mtime_ns, f.inode) for f, m in known)

    took, same = min(timed(look) for _ in range(5))
    return f"{same} of {count} files have nothing new: {took * 1000:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=20, help="size of the ordinary session")
    parser.add_argument("--files", type=int, default=2000, help="number of files with nothing new, 1 MB each")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, make in (
            ("ordinary", lambda p: session(p, args.megabytes << 20)),
            ("read twice", lambda p: session(p, args.megabytes * 5 << 20)),
            ("short turns", lambda p: short(p, args.megabytes << 20)),
            ("one record of 50 MB", huge),
        ):
            path = folder / "s.jsonl"
            make(path)
            memory = f"peak {peak(lambda: turns(path))}, of json.loads {peak(lambda: bare(path))}"  # noqa: B023
            print(f"{name}: {compare(path)}; {memory}")
            path.unlink()
        print(unchanged(folder, args.files))


if __name__ == "__main__":
    main()
