"""Measures how fast sessions of Claude Code are read, against bare `json.loads` over the same lines in the same run.

usage: python tests/bench/reading.py [--megabytes N] [--files N]

Four cases: a long session of ordinary turns, one with more turns than are held (they are read twice), one record of
50 MB, and many files with nothing new, which are only looked at by stat. Peak memory is that of the process, measured
in a process of its own for each case.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
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
    return json.dumps(row | {"timestamp": f"2026-03-02T09:{n // 60 % 60:02}:{n % 60:02}.000Z"}).encode() + b"\n"


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


def timed(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    given = work()
    return time.perf_counter() - start, given


def bare(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if json.loads(line))


def turns(path: Path) -> int:
    return sum(1 for _ in READER.read(stored(path), None, Report()))


def peak() -> float:
    """MB of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def compare(path: Path, runs: int = 3) -> str:
    plain = min(timed(lambda: bare(path))[0] for _ in range(runs))
    ours, given = min((timed(lambda: turns(path)) for _ in range(runs)), key=lambda t: t[0])
    size = path.stat().st_size / 1e6
    return f"{size:.0f} MB, {given} turns: json.loads {plain:.2f} s, reader {ours:.2f} s, ratio {plain / ours:.2f}"


def in_process(case: str, path: Path) -> str:
    """Peak memory of reading one file, beyond that of the program itself."""
    call = [sys.executable, __file__, "--peak", case, str(path)]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()


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

    took, same = min((timed(look) for _ in range(5)), key=lambda t: t[0])
    return f"{same} of {count} files have nothing new: {took * 1000:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=20, help="size of the ordinary session")
    parser.add_argument("--files", type=int, default=2000, help="number of files with nothing new, 1 MB each")
    parser.add_argument("--peak", nargs=2, metavar=("CASE", "FILE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peak:
        before = peak()
        (bare if args.peak[0] == "bare" else turns)(Path(args.peak[1]))
        print(f"{peak() - before:.0f} MB")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, make in (
            ("ordinary", lambda p: session(p, args.megabytes << 20)),
            ("read twice", lambda p: session(p, args.megabytes * 5 << 20)),
            ("one record of 50 MB", huge),
        ):
            path = folder / "s.jsonl"
            make(path)
            memory = f"peak {in_process('reader', path)}, of json.loads {in_process('bare', path)}"
            print(f"{name}: {compare(path)}; {memory}")
            path.unlink()
        print(unchanged(folder, args.files))


if __name__ == "__main__":
    main()
