from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.models.extract import find_object, parse_object
from tests.models.conftest import JSON, REPLY

OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)
LOUD = st.text(alphabet='{}[]",:\\ \nab1-.`tru\u00e9', max_size=200)
KEYS = frozenset({"edits"})


@given(OBJECTS, st.booleans(), st.sampled_from([None, 2]))
def test_an_object_alone_is_itself(data: dict[str, object], plain: bool, indent: int | None) -> None:
    assert find_object(json.dumps(data, ensure_ascii=plain, indent=indent)) == json.loads(json.dumps(data))


@given(LOUD, OBJECTS, st.sampled_from(["", "\n```", "\n```\n", "\nDone.", "\n} and }", "\n]"]))
def test_the_last_object_is_found_behind_any_prose(before: str, data: dict[str, object], after: str) -> None:
    data = {"edits": 1, **data}
    text = f"{before}\n{json.dumps(data)}{after}"
    found = find_object(text, KEYS)
    # A brace in the prose may honestly begin an object that swallows the rest ('{"a":'); then there is none.
    assert found == json.loads(json.dumps(data)) or (found is None and '"' in before)


@given(LOUD)
def test_any_text_gives_an_object_or_nothing(text: str) -> None:
    found = find_object(text)
    assert found is None or isinstance(found, dict)


@pytest.mark.parametrize(
    "text",
    [
        "I'll use { and } like this: {not json}.\n{R}",
        'An example: {"edits": [...]}\nNow for real:\n```json\n{R}\n```\nHope that helps :-}',
        'First {"edits": [1]} then\n{R}\nand an empty one: {}',
        '{R}\nI left the rest: {"op": "append"}',
        'He said "{" and left.\n{R}',
        'A stray {"quote\n\n{R}',
        "{\n{R}",
        "[1, 2]\n{R}",
        '{"a": NaN}\n{R}',
        '<think>{"edits": [</think>\n{R}',
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_what_surrounds_the_reply_does_not_matter(text: str, indent: int | None) -> None:
    assert find_object(text.replace("{R}", json.dumps(REPLY, indent=indent)), KEYS) == REPLY


def test_the_last_of_several_counts() -> None:
    assert find_object('{"edits": 1}\n{"edits": 2}', KEYS) == {"edits": 2}


def test_in_prose_only_an_object_with_a_wanted_key_counts_and_alone_any_does() -> None:
    assert find_object('{"x": 1} {"y": 2}', KEYS) is None
    assert find_object('{"x": 1} {"y": 2}') == {"y": 2}
    assert find_object('{"y": 2}', KEYS) == {"y": 2}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_reply_that_never_ends_is_no_object(indent: int | None) -> None:
    text = json.dumps({"edits": [{"op": "append"}, {"op": "append", "text": "x"}]}, indent=indent)
    for length in range(len(text)):
        assert find_object(text[:length], KEYS) is None


@pytest.mark.parametrize("text", ["", "   ", "null", "[]", "12", "{", "}", '{"a":1,}', "{'a': 1}", '{"a" 1}'])
def test_what_is_no_object_gives_nothing(text: str) -> None:
    assert find_object(text) is None


def test_a_line_break_inside_a_string_is_taken_as_meant() -> None:
    assert parse_object('{"text": "one\ntwo"}') == {"text": "one\ntwo"}


def test_lone_surrogates_are_replaced_and_pairs_are_not() -> None:
    found = find_object(r'{"a": "x\ud83dy", "\udc00": ["\ud83d\ude00"]}')
    assert found == {"a": "x\ufffdy", "\ufffd": ["😀"]}


def test_deep_nesting_is_no_reply() -> None:
    for deep in ('{"edits":' + '{"a":' * 100_000 + "1" + "}" * 100_001, '{"edits":' + "[" * 900 + "]" * 900 + "}"):
        assert find_object(deep, KEYS) is None


HOSTILE = {
    "braces": "{" * 2_000_000,
    "open objects": '{"a":' * 400_000,
    "open objects by line": '{"a":\n' * 330_000,
    "open lists by line": '{"a":[\n' * 280_000,
    "strings that never end": '{"a":"' * 330_000,
    "quoted lines": '{"\n' * 660_000,
    "escapes": '{"' + "\\" * 2_000_000,
    "escaped lines": '{"\\\n' * 500_000,
    "one string": '{"a":"' + "x" * 2_000_000,
    "blank": "{" + " \n" * 1_000_000,
    "blank lines with a brace": "{\n" * 1_000_000,
    "digits": '{"a":' + "1" * 2_000_000 + "x",
    "empty objects": "{}" * 400_000,
    "long lines that nest": ('{"a":["' + "y" * 20_000 + '",\n') * 100,
    "keys by line": '{"k":"v",\n' * 200_000,
    "nearly": '{"edits":[' + "{},\n" * 200_000 + "!",
    "fences": "```json\n" * 250_000,
    "closing": "}" * 2_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_megabytes_of_hostile_text_cost_no_more_than_their_length(name: str) -> None:
    text = HOSTILE[name] + '\n{"edits": []}'
    start = time.process_time()
    assert find_object(text, KEYS) in (None, {"edits": []})
    assert time.process_time() - start < 5e-6 * len(text) + 0.5
