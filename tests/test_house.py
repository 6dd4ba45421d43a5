"""The house: imports run downwards only, starting costs little, every module stays a room and not a hall."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "crustacean"
ROOMS = (
    {"cli"}, {"serve", "connect"}, {"trial", "doctor", "setup"}, {"api"}, {"stages"}, {"context"},
    {"relations", "procedures"}, {"attention"}, {"recall"}, {"index"}, {"models"}, {"transcripts"}, {"edits"},
    {"workspace"}, {"text"}, {"errors"},
)  # fmt: skip
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            if node.module == "crustacean":
                found |= {f"crustacean.{a.name}" for a in node.names}
    return {n.split(".")[1] for n in found if n.startswith("crustacean.")} - {"__version__"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_imports_run_downwards_only(path: Path) -> None:
    room = room_of(path)
    if room in ("__init__", "__main__"):
        return
    for other in imported(path) & set(FLOOR):
        assert other == room or FLOOR[other] > FLOOR[room], f"{room} imports {other}"


def test_every_module_belongs_to_a_room() -> None:
    assert {room_of(p) for p in MODULES} - {"__init__", "__main__"} <= set(FLOOR)


def test_nothing_below_the_command_line_prints_or_reads_the_environment() -> None:
    for path in MODULES:
        if room_of(path) in ("cli", "__main__"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", path
            if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv"):
                assert path.name == "config.py", path


def loaded_by(*arguments: str) -> set[str]:
    code = (
        "import sys, io, contextlib\n"
        "from crustacean.__main__ import main\n"
        f"sys.argv = ['crab', *{list(arguments)!r}]\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n    main()\n"
        "print(' '.join(sorted(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_version_is_told_without_importing_anything_of_weight() -> None:
    assert not {m for m in loaded_by("--version") if m.split(".")[0] in ("typer", "rich", "sqlite3", "json")}


def test_help_loads_no_sdk_no_parser_and_no_database() -> None:
    heavy = {
        "anthropic",
        "openai",
        "numpy",
        "markdown_it",
        "frontmatter",
        "yaml",
        "detect_secrets",
        "sqlite3",
        "tomlkit",
    }
    assert not {m for m in loaded_by("--help") if m.split(".")[0] in heavy}


def lengths(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{path.name}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_room_that_grows_gets_a_wall(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 320
    assert [name for name, size in lengths(path) if size > 60] == []
