from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from crustacean.errors import ModelError
from crustacean.models.keys import find_key
from crustacean.models.settings import KeySource, ModelSettings
from tests.models.conftest import KEY

Make = Callable[..., ModelSettings]


def find(settings: ModelSettings, *, ours: bool = True) -> str | None:
    key = find_key("openai", "OPENAI_API_KEY", settings, ours=ours)
    return None if key is None else key.value


def printing(text: str, status: int = 0) -> KeySource:
    return KeySource(command=f"""'{sys.executable}' -c "print({text!r}); raise SystemExit({status})" """)


def test_without_a_source_the_usual_variable_counts(settings: Make) -> None:
    assert find(settings()) == KEY
    assert find(settings(env={"OPENAI_API_KEY": "  "})) is None
    assert find(settings(env={})) is None


def test_the_usual_variable_is_not_for_another_server(settings: Make) -> None:
    assert find(settings(), ours=False) is None


def test_a_named_source_is_for_any_server(settings: Make, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-file\n")
    for source, value in (
        (KeySource(env="MINE"), "sk-env"),
        (printing("sk-cmd"), "sk-cmd"),
        (KeySource(file=str(tmp_path / "key")), "sk-file"),
        (KeySource(file="~/key"), "sk-file"),
    ):
        given = settings(keys={"openai": source}, env={"MINE": "sk-env", "HOME": str(tmp_path)})
        assert find(given, ours=False) == value


def test_only_the_first_line_of_a_command_is_the_key(settings: Make) -> None:
    assert find(settings(keys={"openai": printing("sk-1\nlogin: ana")})) == "sk-1"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (KeySource(env="MINE"), "the environment variable MINE is not set"),
        (printing("sk-secret", 2), "key_cmd of openai in crab.toml ended with status 2"),
        (printing(""), "printed no key"),
        (KeySource(command="no-such-program-here"), "can't be started"),
        (KeySource(command="'"), "no closing quotation"),
        (KeySource(command=" "), "is empty"),
        (KeySource(command="sleep 30"), "did not end by itself"),
        (KeySource(file="/nowhere/key"), "/nowhere/key: No such file or directory"),
        (KeySource(file="/"), "/: Is a directory"),
        (KeySource(file="/dev/null"), "is empty"),
        (KeySource(file="a\0b"), "not a path"),
    ],
)
def test_a_named_source_without_a_key_is_an_error_and_no_other_is_tried(
    settings: Make, source: KeySource, words: str
) -> None:
    with pytest.raises(ModelError, match=words) as caught:
        find(settings(keys={"openai": source}, timeout=0.5))
    assert "sk-secret" not in caught.value.message + caught.value.hint
    assert "openai" in caught.value.message


@pytest.mark.parametrize("value", ["sk-a b", "sk-a\nX-Evil: 1", "sk-\u00e9", "sk-\x00", "sk-" + "x" * 5000])
def test_what_can_not_be_a_key_is_refused_without_being_shown(settings: Make, value: str) -> None:
    with pytest.raises(ModelError, match="is not a key") as caught:
        find(settings(env={"OPENAI_API_KEY": value}))
    assert "sk-" not in caught.value.message + caught.value.hint


def test_a_key_is_in_no_repr(settings: Make) -> None:
    assert KEY not in repr(find_key("openai", "OPENAI_API_KEY", settings()))
