"""Start-up cost against `python -c "import typer"`, in turn, by the children's CPU time.

python tests/bench/startup.py [--count 10]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys


def cpu(*arguments: str) -> float:
    """Seconds of CPU (user and system) of one run of this Python with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10)
    count = parser.parse_args().count
    rows = [
        (cpu("-c", "import typer"), cpu("-m", "crustacean", "--version"), cpu("-m", "crustacean", "--help"))
        for _ in range(count + 1)
    ][1:]
    base, version, helped = (statistics.median(column) for column in zip(*rows, strict=True))
    print(f"import typer {base:.3f} s")
    print(f"--version {version / base:.2f}x (at most 2.0); --help {helped / base:.2f}x (at most 3)")


if __name__ == "__main__":
    main()
