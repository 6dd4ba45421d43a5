"""The one HTML comment that may end a heading or an entry: `<!-- src: ...; audience: main; importance: 8 -->`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

TEXT_KEYS: Final = ("src", "audience", "origin", "observed", "due", "expires", "superseded", "id", "trigger", "project")
INHERITED: Final = ("src", "origin", "audience", "observed", "project")
"""Keys that an entry takes from its parent or heading where it has none of its own."""

_ORDER: Final = (
    "src", "audience", "origin", "observed", "importance", "due", "expires", "pinned", "from", "superseded", "id",
    "trigger", "project",
)  # fmt: skip
_KNOWN: Final = frozenset(_ORDER)
_KEY = re.compile(r"[a-z][a-z0-9_-]*\Z")
_RANK = re.compile(r"(?:[1-9]|10)\Z")
_UNSAFE = re.compile(r"[;\x00-\x1f\x7f-\x9f\u2028\u2029]|%(?=[0-9A-Fa-f]{2})|(?<=-)-|-(?=>)|\A\s|\s\Z|\A>")
_ESCAPED = re.compile(r"((?:%[0-9A-F]{2})+)")


@dataclass(frozen=True, slots=True)
class Meta:
    """What a comment says. All optional; an empty string counts as absent.

    src: where it was said. origin: who said it. audience: who may see it beside main. observed: ISO day or time of what
    it tells. importance: 1-10. due, expires: ISO days. from_: ids it was promoted from. superseded: "DATE by ID".
    id: the id it had before crab moved it. trigger: words that bring it up. other: keys crab does not know, in order,
    and known keys with a value that can't be theirs.
    """

    src: str | None = None
    audience: str | None = None
    origin: str | None = None
    observed: str | None = None
    importance: int | None = None
    due: str | None = None
    expires: str | None = None
    pinned: bool = False
    from_: tuple[str, ...] = ()
    superseded: str | None = None
    id: str | None = None
    trigger: str | None = None
    project: str | None = None
    other: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for key in TEXT_KEYS:
            if getattr(self, key) == "":
                object.__setattr__(self, key, None)

    def render(self) -> str:
        """The comment, "" when there is nothing to say. `parse_meta(m.render()) == m` for every Meta with a known key;
        what a comment can't hold (`;`, `--`, line ends) is percent-encoded."""
        parts: list[str] = []
        for key in _ORDER:
            value = self._written(key)
            if value:
                parts.append(f"{key}: {value}")
        parts += [f"{key}: {_escape(value)}" for key, value in self.other if _KEY.match(key)]
        return f"<!-- {'; '.join(parts)} -->" if parts else ""

    def _written(self, key: str) -> str:
        if key == "importance":
            return "" if self.importance is None else str(self.importance)
        if key == "pinned":
            return "true" if self.pinned else ""
        if key == "from":
            return ", ".join(_escape(v).replace(",", "%2C") for v in self.from_ if v)
        value: str | None = getattr(self, key)
        return _escape(value) if value else ""

    def over(self, inherited: Meta) -> Meta:
        """The effective meta: own values, and the inheritable ones of `inherited` where it has none."""
        missing: dict[str, Any] = {k: getattr(inherited, k) for k in INHERITED if getattr(self, k) is None}
        return replace(self, **missing) if missing else self

    def beyond(self, inherited: Meta) -> Meta:
        """What has to be written where `inherited` holds anyway."""
        same: dict[str, Any] = {
            k: None for k in INHERITED if getattr(self, k) is not None and getattr(self, k) == getattr(inherited, k)
        }
        return replace(self, **same) if same else self


EMPTY: Final = Meta()


def parse_meta(comment: str) -> Meta | None:
    """The meta of a comment (with or without `<!--` and `-->`), None where it is an ordinary comment: not of the form
    `key: value; key: value`, or without any key that crab knows. Never raises."""
    inner = comment.strip()
    if inner.startswith("<!--") and inner.endswith("-->") and len(inner) >= 7:
        inner = inner[4:-3]
    if "-->" in inner or "<!--" in inner or "\n" in inner:
        return None
    values: dict[str, Any] = {}
    other: list[tuple[str, str]] = []
    known = False
    for part in inner.split(";"):
        if not part.strip():
            continue
        key, colon, raw = part.partition(":")
        key, raw = key.strip().lower(), raw.strip()
        if not colon or not _KEY.match(key):
            return None
        known = known or key in _KNOWN
        name = "from_" if key == "from" else key
        value = _value(key, raw) if key in _KNOWN and name not in values else None
        if value is None:
            other.append((key, _unescape(raw)))
        else:
            values[name] = value
    return Meta(**values, other=tuple(other)) if known else None


def _value(key: str, raw: str) -> Any:
    if key == "importance":
        return int(raw) if _RANK.match(raw) else None
    if key == "pinned":
        return True if raw.lower() == "true" else None
    if key == "from":
        return tuple(_unescape(v.strip()) for v in raw.split(",") if v.strip()) or None
    return _unescape(raw) or None


def _escape(value: str) -> str:
    return _UNSAFE.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode("utf-8", "replace")), value)


def _unescape(raw: str) -> str:
    if "%" not in raw:
        return raw
    return _ESCAPED.sub(lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "replace"), raw)
