"""What crab ships is found beside the code, in a source tree and in an installed wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.workspace import shipped

SOURCE = Path(__file__).parents[2]
KINDS = ("pipeline", "templates")


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as a wheel installs it."""
    made = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
    subprocess.run(build, cwd=SOURCE, check=True, capture_output=True)
    (wheel,) = made.glob("crustacean-*.whl")
    target = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(target)
    return target


def test_a_source_tree_has_the_files_beside_the_package() -> None:
    for kind in KINDS:
        assert shipped.folder(kind) == SOURCE / kind
    assert {"COLLECT.md", "HOW-IT-WORKS.md"} <= set(shipped.documents())


def test_a_wheel_has_every_file_in_it(installed: Path) -> None:
    for kind in KINDS:
        held = files(installed / "crustacean" / "_shipped" / kind)
        assert held == files(SOURCE / kind)
    assert any(name.startswith("trial/home/.openclaw/") for name in files(SOURCE / "templates")), "hidden folders too"
    assert (installed / "crustacean" / "models" / "offline" / "tables" / "en.toml").is_file()


def test_an_installed_package_finds_its_own_files(installed: Path, tmp_path: Path) -> None:
    code = (
        "from crustacean.workspace import shipped, scaffold, edit_config\nfrom pathlib import Path\n"
        "print(*map(shipped.folder, ('pipeline', 'templates')), sep='\\n')\n"
        "report = scaffold.init(Path('ws'), edit_config.first_settings(timezone='UTC'))\nprint(len(report.made))"
    )
    env = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    pipeline, templates, made = done.stdout.split("\n")[:3]
    assert [pipeline, templates] == [str(installed / "crustacean/_shipped" / kind) for kind in KINDS]
    assert int(made) > 30 and (tmp_path / "ws/memory/.system/COLLECT.md").is_file()


def test_every_shipped_stage_document_is_crabs_own() -> None:
    for name in shipped.documents():
        assert shipped.is_ours(shipped.pipeline(name)), name
        assert f"crab: {name}" in shipped.pipeline(name)


OURS = "---\ncrab: COLLECT.md\nversion: 1\n---\n# Collect\n"


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        (OURS, True),
        (OURS.replace("\n", "\r\n"), True),
        (f"\ufeff{OURS}", True),
        ("---\nversion: 2\ncrab: COLLECT.md\n---\n", True),
        (OURS.replace("version: 1", "note: mine"), True),
        ("", False),
        ("# Collect\n", False),
        ("---\n---\ncrab: COLLECT.md\n", False),
        ("---\ntitle: mine\n---\ncrab: COLLECT.md\n---\n", False),
        ("---\ncrab: COLLECT.md\n", False),
        ("\n" + OURS, False),
        ("crab: COLLECT.md\n", False),
        ("---\n  crab: COLLECT.md\n---\n", False),
        ("---\nnot-crab: COLLECT.md\n---\n", False),
        ("---\ncrab: yes\n---\n", False),
        ("----\ncrab: COLLECT.md\n----\n", False),
    ],
)
def test_only_frontmatter_makes_a_document_crabs(text: str, ours: bool) -> None:
    assert shipped.is_ours(text) is ours


@given(st.text(alphabet="-\n crab:COLECT.md", max_size=80))
def test_any_document_can_be_asked_about(text: str) -> None:
    if shipped.is_ours(text):
        assert text.startswith("---") and "crab:" in text.partition("\n---")[0]


def test_a_long_document_is_asked_about_quickly() -> None:
    assert not shipped.is_ours("---\n" + "crab: " * 1_000_000)
    assert not shipped.is_ours("---\n" + "a: b\n" * 1_000_000 + "crab: COLLECT.md\n---\n")
