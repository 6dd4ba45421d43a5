from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from crustacean.transcripts import registry
from crustacean.transcripts.claude_code import READER


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.GROUP)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for modules of a package of others; what was imported from it is forgotten again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_our_readers_come_by_entry_points_and_nothing_is_wrong_with_them() -> None:
    assert list(registry.readers()) == ["claude-code", "openclaw", "openclaw-jsonl"]
    assert registry.problems() == {}
    assert registry.readers()["claude-code"] is READER


def test_a_reader_of_another_package_stands_beside_ours(package: Path) -> None:
    (package / "crab_notes.py").write_text(
        "class Notes:\n"
        "    client = 'notes'\n"
        "    def find(self, home, env): return []\n"
        "    def recognises(self, root): return False\n"
        "    def files(self, root): return iter(())\n"
        "    def read(self, file, mark, report): return iter(())\n"
        "READER = Notes()\n"
    )
    found, wrong = registry.load(
        [entry("a-notes", "crab_notes:READER"), entry("claude-code", "crustacean.transcripts.claude_code:READER")]
    )
    assert (list(found), wrong) == (["claude-code", "a-notes"], {})


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("raise ImportError('no licence\\nline two')", "ImportError: no licence"),
        ("def (", "SyntaxError"),
        ("import no_such_module_at_all", "No module named"),
        ("OTHER = 1", "AttributeError"),
        ("READER = 3", "it has no find"),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named_and_the_others_go_on(package: Path, code: str, problem: str) -> None:
    (package / "crab_broken.py").write_text(code)
    found, wrong = registry.load(
        [entry("broken", "crab_broken:READER"), entry("claude-code", "crustacean.transcripts.claude_code:READER")]
    )
    assert list(found) == ["claude-code"]
    assert problem in wrong["broken"] and "\n" not in wrong["broken"]


def test_the_name_of_one_of_ours_cannot_be_taken(package: Path) -> None:
    (package / "crab_thief.py").write_text("READER = None")
    ours = entry("claude-code", "crustacean.transcripts.claude_code:READER")
    found, wrong = registry.load([entry("claude-code", "crab_thief:READER"), ours])
    assert found == {"claude-code": READER}
    assert list(wrong) == ["claude-code (crab_thief:READER)"]
