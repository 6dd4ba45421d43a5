from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.transcripts import jsonl
from crustacean.transcripts.jsonl import Place, Problem, mark_at, records, resume, salvage
from crustacean.transcripts.session import Mark, StoreFile

RECORDS = st.lists(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.integers() | st.lists(st.integers(), max_size=3))
)


def read(path: Path, offset: int = 0, line: int = 1) -> list[Any]:
    return [record for _, _, record in records(path, offset, line)]


def written(path: Path, *lines: object, end: bytes = b"") -> Path:
    path.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in lines) + end)
    return path


def stored(path: Path) -> StoreFile:
    stat = path.stat()
    return StoreFile("a-client", path, stat.st_size, stat.st_mtime_ns, stat.st_ino)


def marked(path: Path) -> Mark:
    """A mark at the end of what can be read."""
    *_, (line, offset, _) = records(path)
    mark = mark_at(stored(path), offset, line + 1, leaf="x")
    assert mark is not None
    return mark


def test_each_line_comes_with_its_number_and_the_place_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}\n\r\n  \n{"b":2}\r\n')
    assert list(records(path)) == [(1, 8, {"a": 1}), (4, 22, {"b": 2})]


def test_a_last_line_without_its_newline_waits_until_it_has_one(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"a": 1}, end=b'{"b": 2}')
    assert list(records(path)) == [(1, 9, {"a": 1})]
    with path.open("ab") as file:
        file.write(b"\n")
    assert list(records(path, 9, 2)) == [(2, 18, {"b": 2})]


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.jsonl")) == []


@given(RECORDS, st.data())
def test_a_file_read_in_two_parts_gives_every_record_once(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("grows") / "a.jsonl"
    whole = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    now = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:now])
    first = list(records(path))
    line, offset = (first[-1][0] + 1, first[-1][1]) if first else (1, 0)
    path.write_bytes(whole)
    assert [r for _, _, r in first] + read(path, offset, line) == rows


@pytest.mark.parametrize(
    ("line", "whole", "problems"),
    [
        (b'{"a":1}{"b":2}', [{"a": 1}, {"b": 2}], 0),
        (b'{"a":1} \t {"b":{"c":"}{"}}', [{"a": 1}, {"b": {"c": "}{"}}], 0),
        (b'{"type":"us{"type":"user","n":1}', [{"type": "user", "n": 1}], 1),
        (b'{"message":{"text":"x"},"le{"b":2}', [{"b": 2}], 1),
        (b'{"message":{"role":"us{"b":2}{"c":3}', [{"b": 2}, {"c": 3}], 1),
        (b'{"a":1}{"b":', [{"a": 1}], 1),
        (b'{"a":1} and more', [{"a": 1}], 1),
        (b'{"a":"caf\xe9"}', [{"a": "caf\ufffd"}], 1),
        (b"[1,2]", [], 1),
        (b"12", [], 1),
        (b"\x00\x00\x00\x00", [], 1),
        (b"[" * 100_000, [], 1),
        (b'{"a":' * 100_000, [], 1),
        (b'{"a":' + b"9" * 10_000 + b"}", [], 1),
    ],
)
def test_a_broken_line_gives_the_whole_records_in_it_and_costs_only_itself(
    tmp_path: Path, line: bytes, whole: list[dict[str, Any]], problems: int
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"first":1}\n' + line + b'\n{"last":1}\n')
    given = read(path)
    assert [r for r in given if not isinstance(r, Problem)] == [{"first": 1}, *whole, {"last": 1}]
    assert sum(isinstance(r, Problem) for r in given) == problems


@given(st.binary(max_size=200))
def test_no_line_of_bytes_is_too_strange(data: bytes) -> None:
    assert all(isinstance(found, dict | Problem) for found in salvage(data))


@pytest.mark.parametrize(
    "line",
    [b'{"a":' * 400_000, b'{"' * 900_000, b'{"a":[1,' * 200_000, b'{"a":{"b":"' * 100_000, b'{"k":0}x' * 200_000],
)
def test_a_hostile_line_takes_no_longer_than_its_length_allows(line: bytes) -> None:
    start = time.perf_counter()
    salvage(line)
    assert time.perf_counter() - start < 5


def test_a_record_of_fifty_megabytes_is_given_short_and_costs_far_less(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.write(b'{"n":1}\n{"type":"user","text":"start')
        for _ in range(50):
            file.write(b"x" * (1 << 20))
        file.write(b'end","uuid":"u"}\n{"n":3}\n')
    tracemalloc.start()
    first, (line, offset, long), last = records(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (first[2], last[2]) == ({"n": 1}, {"n": 3})
    assert isinstance(long, dict)
    assert (line, offset) == (2, path.stat().st_size - 8)
    assert long["uuid"] == "u"
    assert long["text"] == f"start{'x' * 1995}…[{(50 << 20) + 8 - 2500} characters elided]…{'x' * 497}end"
    assert peak < 20 << 20


def test_a_long_line_that_is_not_finished_waits(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n":1}\n{"text":"' + b"x" * (jsonl.LINE_LIMIT + 5))
    assert read(path) == [{"n": 1}]
    with path.open("ab") as file:
        file.write(b'"}\n')
    assert len(read(path)) == 2


def test_a_line_of_nothing_but_noise_is_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\x00" * (jsonl.LINE_LIMIT + 100) + b'\n{"n":1}\n')
    problem, good = read(path)
    assert (isinstance(problem, Problem), good) == (True, {"n": 1})


def test_a_file_that_grew_is_read_on_from_its_mark(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"a": 1}, {"b": 2})
    mark = marked(path)
    assert json.loads(json.dumps(mark.state)) == mark.state
    with path.open("ab") as file:
        file.write(b'{"c":3}\n')
    place = resume(path, mark)
    assert (place.line, place.state) == (3, mark.state)
    assert read(path, place.offset, place.line) == [{"c": 3}]


def test_a_copy_in_another_place_of_the_disk_is_the_same_file(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"a": 1})
    mark = marked(path)
    copy = tmp_path / "copy"
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    assert resume(path, mark).line == 2


@pytest.mark.parametrize(
    "now",
    [
        b"",
        b'{"a": 1}\n',
        b'{"other": 1}\n{"b": 2}\n{"c": 3}\n{"d": 4}\n',
        b'{"a": 1}\n{"B": 2}\n{"c": 3}\n',
    ],
    ids=["emptied", "cut off", "rotated", "rewritten"],
)
def test_a_file_that_is_not_what_it_was_is_read_anew(tmp_path: Path, now: bytes) -> None:
    path = written(tmp_path / "a.jsonl", {"a": 1}, {"b": 2})
    mark = marked(path)
    path.write_bytes(now)
    assert resume(path, mark) == Place()


def test_a_change_in_the_middle_of_the_last_part_is_seen(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", *({"n": n, "text": "x" * 100} for n in range(200)))
    mark = marked(path)
    path.write_bytes(path.read_bytes().replace(b'"n": 190,', b'"n": 991,'))
    assert resume(path, mark) == Place()


@pytest.mark.parametrize(
    "state", [{}, {"offset": "9", "line": 2}, {"offset": 9, "line": True}, {"offset": -1, "line": 1}]
)
def test_a_mark_of_another_shape_is_no_mark(tmp_path: Path, state: dict[str, object]) -> None:
    path = written(tmp_path / "a.jsonl", {"a": 1})
    assert resume(path, Mark(9, 0, 0, state)) == Place()
    assert resume(path, None) == Place()


def test_no_mark_is_made_of_another_file_that_took_its_place(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"a": 1})
    before = stored(path)
    written(tmp_path / "new", {"a": 1})
    (tmp_path / "new").replace(path)
    assert mark_at(before, 9, 2) is None


def test_a_file_that_is_gone_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "gone.jsonl")
