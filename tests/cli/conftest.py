"""The command line on a workspace and the bundled session stores."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crustacean.cli.main import run
from crustacean.workspace import shipped


@dataclass
class Result:
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Crab = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory with the bundled stores, and nothing of this machine's."""
    home = tmp_path / "home"
    shutil.copytree(shipped.folder("templates") / "trial" / "home", home)
    files = sorted((p for p in home.rglob("*") if p.is_file()), key=lambda p: p.name)
    for number, path in enumerate(files):  # stores are read in the order of their last change
        os.utime(path, (1_773_900_000 + number, 1_773_900_000 + number))
    monkeypatch.setenv("HOME", str(home))
    for name in ("CRAB_WORKSPACE", "OPENCLAW_STATE_DIR", "OPENCLAW_HOME", "OPENCLAW_PROFILE", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def crab(capsys: pytest.CaptureFixture[str], home: Path) -> Crab:
    """Run `crab` and give status, stdout and stderr."""

    def call(*arguments: str | Path) -> Result:
        capsys.readouterr()
        status = run([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Result(status, out, err)

    return call


@pytest.fixture
def root(crab: Crab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new workspace that may read all bundled stores; it is the current folder."""
    root = tmp_path / "ws"
    done = crab("init", root, "--timezone", "Europe/Stockholm", "--owner", "7001", "--name", "Nora", "--source", "all")
    assert done.status == 0, done.err
    monkeypatch.chdir(root)
    return root


def snapshot(root: Path) -> dict[str, bytes]:
    """All files but git's and crab's own state."""
    return {
        p.relative_to(root).as_posix(): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file() and p.relative_to(root).parts[0] not in (".git", ".crab")
    }
