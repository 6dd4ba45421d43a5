from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from crustacean.errors import ModelError
from crustacean.models.anthropic import AnthropicModel
from crustacean.models.command import CommandModel
from crustacean.models.openai import OpenAIModel
from crustacean.models.select import auto, check, get
from crustacean.models.settings import KeySource, ModelSettings

Make = Callable[..., ModelSettings]
ROOT = Path(__file__).parents[2]
PLUGIN = """
class Model:
    offline = False
    def __init__(self, rest, settings): self.name = "mine:" + rest
    def price(self): return None
    def reply(self, request): raise NotImplementedError
connect = Model
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry points of pyproject.toml and of a plugin, as an installer would leave them."""
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["crustacean.models"]
    theirs = {"mine": "crab_plugin_for_tests:connect", "broken": "crab_no_such_module:connect", "gone": "json:nothing"}
    for package, entries in (("crab_ours", ours), ("crab_theirs", theirs)):
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {target}" for name, target in entries.items()]
        (info / "entry_points.txt").write_text("[crustacean.models]\n" + "\n".join(lines))
    (tmp_path / "crab_plugin_for_tests.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("anthropic:claude-sonnet-5-5", AnthropicModel),
        ("openai:qwen3:8b", OpenAIModel),
        (" openai:gpt-6-luna ", OpenAIModel),
        ("command:claude -p --model haiku", CommandModel),
    ],
)
def test_a_name_is_a_provider_and_the_rest(settings: Make, name: str, kind: type) -> None:
    model = get(name, settings())
    assert isinstance(model, kind)
    assert model.name == name.strip()
    assert model.offline is False


def test_a_plugin_is_a_provider_like_ours(settings: Make) -> None:
    assert get("mine:x:y", settings()).name == "mine:x:y"
    check(get("mine:x", settings()))


@pytest.mark.parametrize("name", ["", "gpt-6", "claude-sonnet-5-5", "nobody:model", ":", "a\nb:c", "ANTHROPIC:x"])
def test_an_unknown_provider_is_named_with_those_there_are(settings: Make, name: str) -> None:
    with pytest.raises(ModelError, match="there is no model") as caught:
        get(name, settings())
    assert caught.value.status == 4
    assert "anthropic" in caught.value.hint and "mine" in caught.value.hint
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("name", ["broken", "gone"])
def test_a_plugin_that_can_not_be_loaded_is_named(settings: Make, name: str) -> None:
    with pytest.raises(ModelError, match=f"the model provider {name} can't be loaded"):
        get(f"{name}:x", settings())


def test_check_says_beforehand_what_is_missing(settings: Make) -> None:
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        check(get("openai:gpt-6.2-sol", settings(env={})))
    with pytest.raises(ModelError, match="no such program"):
        check(get("command:no-such-program-here", settings()))
    check(get("openai:gpt-6.2-sol", settings()))


def test_auto_takes_a_key_before_a_program(settings: Make, tmp_path: Path) -> None:
    for program in ("codex", "llm"):
        (tmp_path / program).write_text("")
        (tmp_path / program).chmod(0o755)
    path = {"PATH": str(tmp_path)}
    assert auto(settings(env={**path, "ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"})).startswith("anthropic:claude-")
    assert auto(settings(env={**path, "OPENAI_API_KEY": "k"})).startswith("openai:gpt-")
    assert auto(settings(env=path, keys={"openai": KeySource(command="pass openai")})).startswith("openai:")
    assert auto(settings(env=path)) == "command:codex"
    assert get("auto", settings(env=path)).name == "command:codex"


def test_auto_never_falls_to_offline(settings: Make, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model is at hand"):
        auto(settings(env={"PATH": str(tmp_path), "ANTHROPIC_API_KEY": " "}))


def test_choosing_a_model_loads_no_sdk() -> None:
    code = """
import sys
from crustacean.models.budget import Budget
from crustacean.models.estimate import estimate
from crustacean.models.select import get
from crustacean.models.settings import ModelSettings
from crustacean.models import anthropic, command, openai
for module in (anthropic, command, openai):
    module.connect("x", ModelSettings()).price()
heavy = {"anthropic", "openai", "httpx", "httpx2", "pydantic", "anyio", "ssl"} & set(sys.modules)
sys.exit(f"loaded: {heavy}" if heavy else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
