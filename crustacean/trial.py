"""`crab try`: everything there is, in a throw-away workspace, on the bundled sessions, offline."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crustacean.api import STAGES, Workspace
from crustacean.stages.stage import Result
from crustacean.workspace import edit_config, scaffold, shipped

OWNER = "7001"


@contextmanager
def trial(*, keep: bool = False, now: str | None = None) -> Iterator[tuple[Workspace, list[Result]]]:
    """A workspace of its own with every stage run once, and their results. It is removed at the end unless `keep`."""
    root = Path(tempfile.mkdtemp(prefix="crab-try-"))
    home = shipped.folder("templates") / "trial" / "home"
    stores = [str(home / ".openclaw"), str(home / ".claude")]
    try:
        text = edit_config.first_settings(
            timezone="Europe/Stockholm", owner=[OWNER], name="Nora Lindqvist", sources=stores
        )
        scaffold.init(root, text)
        with Workspace(root, now=now) as workspace:
            results = [workspace.stage(name, workspace.options(everything=True), "offline") for name in STAGES]
            yield workspace, results
    finally:
        if not keep:
            shutil.rmtree(root, ignore_errors=True)
