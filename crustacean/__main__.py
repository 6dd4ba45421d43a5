"""The `crab` command. `--version` is answered before anything is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its status."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from crustacean import __version__

        print(f"crab {__version__}")
        return
    from crustacean.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
