"""`doctor` names what crab leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from crustacean.api import Workspace
from crustacean.doctor import examine
from crustacean.workspace import edit_config, scaffold


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    scaffold.init(tmp_path / "w", edit_config.first_settings(timezone="UTC"))
    return tmp_path / "w"


def said(root: Path) -> list[str]:
    with Workspace(root) as workspace:
        return [f.what for f in examine(workspace)]


def test_files_that_are_not_read_are_named_and_do_no_harm(root: Path, tmp_path: Path) -> None:
    for name in ("10:30 call.md", "aux.md", "cafe\u0301.md", "bad\udcff.md", "plain.md"):
        (root / "memory" / "notes" / name).write_text("- a thing\n")
    (root / "projects" / "what?.md").write_text("- not memory\n")
    (root / "memory" / "link.md").symlink_to(tmp_path / "elsewhere.md")
    (root / "knowledge" / "vault").symlink_to(tmp_path)
    found = [line for line in said(root) if line.endswith("crab leaves it alone")]
    assert found == [
        "'knowledge/vault' is a symlink; crab leaves it alone",
        "'memory/link.md' is a symlink; crab leaves it alone",
        *(
            f"{f'memory/notes/{name}'!r} has a name that not every system can take; crab leaves it alone"
            for name in ("10:30 call.md", "aux.md", "bad\udcff.md", "cafe\u0301.md")
        ),
    ]
    with Workspace(root) as workspace:
        assert workspace.verify().problems == []


def test_a_workspace_fresh_from_init_has_nothing_left_alone(root: Path) -> None:
    assert not [line for line in said(root) if "leaves it alone" in line]
