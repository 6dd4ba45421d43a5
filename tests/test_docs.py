"""What is written about crab is true of it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import typer

import crustacean
from crustacean.cli.main import app, run
from crustacean.workspace import shipped

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands() -> list[str]:
    names = [str(c.name) for c in app.registered_commands]
    return names + [str(g.name) for g in app.registered_groups]


@pytest.mark.parametrize("name", commands())
def test_every_command_is_in_the_readme_and_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"crab {name}" in (ROOT / "README.md").read_text()
    run([name, "--help"])
    assert len(capsys.readouterr().out.splitlines()) > 4


def test_every_command_that_a_page_names_exists() -> None:
    known = set(commands())
    for page in PAGES:
        for word in re.findall(r"`crab ([a-z]+)", page.read_text()):
            assert word in known, f"{page.name}: crab {word}"


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_setting_of_the_shipped_file_is_explained() -> None:
    text = (shipped.folder("templates") / "crab.toml").read_text()
    page = (ROOT / "docs/settings.md").read_text()
    for line in text.splitlines():
        found = re.match(r"(?:# )?([a-z_]+) = ", line)
        if found:
            assert found[1] in page or found[1] in ("collect", "anthropic", "openai", "mine"), found[1]
    tomllib.loads(text)


def test_the_public_names_are_those_of_the_package() -> None:
    for name in crustacean.__all__:
        assert getattr(crustacean, name)
    assert isinstance(app, typer.Typer)
