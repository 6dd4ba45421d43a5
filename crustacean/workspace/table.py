"""Typed settings out of parsed TOML: each is asked for by its dotted key, and what nobody asked for is left over."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from crustacean.errors import WorkspaceError
from crustacean.text.normalise import neutralise

HINT = "docs/settings.md tells what each setting takes"
T = TypeVar("T")
_LINE = re.compile(r"""\s*(?:\[\s*(?P<table>[^\[\]#]+?)\s*\]|(?P<key>(?:"[^"]*"|'[^']*'|[A-Za-z0-9_.-])+)\s*=)""")


class Table:
    """Settings of one file. Every method raises WorkspaceError, with file, line and key, for a value of another type.

    name: of the file, for messages. text: its text, to find lines in. data: what TOML makes of it.
    """

    def __init__(self, name: str, text: str, data: Mapping[str, Any]) -> None:
        self.name = name
        self._text = text
        self._data = data
        self._asked: set[str] = set()

    def text(self, key: str, default: str = "") -> str:
        value = self._get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, "a string")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; whole numbers count as such (ids of people in chats)."""
        value = self._get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(v, str) or _is_int(v) for v in value):
            raise self.wrong(key, "a list of strings")
        return tuple(str(v) for v in value)

    def choice(self, key: str, default: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key, default)
        if value not in allowed:
            raise self.wrong(key, " or ".join(allowed))
        return value

    def number(self, key: str) -> float | None:
        """A number above 0."""
        value = self._get(key)
        if value is None:
            return None
        if not _is_number(value) or value <= 0:
            raise self.wrong(key, "a number above 0")
        return float(value)

    def amount(self, key: str) -> float | None:
        """A number that is 0 or more."""
        value = self._get(key)
        if value is None:
            return None
        if not _is_number(value) or value < 0:
            raise self.wrong(key, "an amount in dollars")
        return float(value)

    def whole(self, key: str) -> int | None:
        """A whole number above 0."""
        value = self._get(key)
        if value is None:
            return None
        if not _is_int(value) or value <= 0:
            raise self.wrong(key, "a whole number above 0")
        return int(value)

    def mapping(self, key: str, convert: Callable[[Any], T]) -> dict[str, T]:
        """A table of names and values. convert: takes a value, raises ValueError that says what it should be."""
        value = self._get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.wrong(key, "a table")
        out = {}
        for name, item in value.items():
            try:
                out[name] = convert(item)
            except ValueError as err:
                raise self.wrong(f"{key}.{name}", str(err)) from err
        return out

    def left_over(self) -> Iterator[str]:
        """The dotted keys that nothing has asked for."""
        yield from self._left(self._data, "")

    def wrong(self, key: str, wanted: str) -> WorkspaceError:
        """The error of a value that is not what it should be."""
        line = self._line(key)
        return WorkspaceError(_one_line(f"{self.name}{f', line {line}' if line else ''}: {key} is not {wanted}"), HINT)

    def _get(self, key: str) -> Any:
        self._asked.add(key)
        value: Any = self._data
        *tables, last = key.split(".")
        for depth, part in enumerate(tables):
            value = value.get(part, {})
            if not isinstance(value, dict):
                raise self.wrong(".".join(tables[: depth + 1]), "a table")
        return value.get(last)

    def _left(self, data: Mapping[str, Any], prefix: str) -> Iterator[str]:
        for name, value in data.items():
            key = f"{prefix}{name}"
            if key in self._asked:
                continue
            if isinstance(value, dict) and any(asked.startswith(f"{key}.") for asked in self._asked):
                yield from self._left(value, f"{key}.")
            else:
                yield _one_line(key)

    def _line(self, key: str) -> int:
        """The line on which a key is set, 0 where it can't be told (a quoted name, an inline table)."""
        table = ""
        for number, line in enumerate(self._text.splitlines(), 1):
            found = _LINE.match(line)
            if found and found["table"]:
                table = f"{found['table']}."
            whole = table.removesuffix(".") if found and found["table"] else f"{table}{found['key']}" if found else ""
            if whole.replace('"', "").replace("'", "") == key:
                return number
        return 0


def _one_line(text: str) -> str:
    return " ".join(neutralise(text).split())


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value)


def string(value: Any) -> str:
    """For `mapping`: a string."""
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


def price(value: Any) -> tuple[float, float]:
    """For `mapping`: dollars for a million tokens in and out."""
    if not isinstance(value, list) or len(value) != 2 or not all(_is_number(v) and v >= 0 for v in value):
        raise ValueError("two numbers, dollars for a million tokens in and out")
    return float(value[0]), float(value[1])


def argv(value: Any) -> tuple[str, ...]:
    """For `mapping`: a program and its arguments."""
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise ValueError("a list of strings, a program and its arguments")
    return tuple(value)


def applying(value: Any) -> str:
    """For `mapping`: whether a plan is applied or waits."""
    if value not in ("auto", "review"):
        raise ValueError("auto or review")
    return str(value)
