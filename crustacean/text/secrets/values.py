"""What a secret value may look like, what only stands in for one, and random strings that need no word beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crustacean.text.secrets.span import Span

_STAND_IN = re.compile(
    r"\[redacted|[<{(\[$%*•…]|\.\.\.|x{3,}|X{3,}|\*{3,}|_{4,}|-{4,}"
    r"|(?:your|my|the|some|new|old|a|insert|enter|put|dummy|sample|replace|change)[-_ ]?(?:\w{1,20}[-_ ])?"
    r"(?:api|key|token|secret|pass|pw|pin|code|here|me|this)",
    re.IGNORECASE,
)
_STAND_IN_WORDS = frozenset(
    """password passwort passwd pass pw pwd secret token key apikey api_key string str text bytes int integer
    number bool boolean true false none null nil undefined empty yes no on off required optional hidden
    redacted masked removed omitted unset todo tbd example changeme placeholder value default any object
    array input prompt env user username name email id type field file optional[str] ok error invalid valid
    wrong missing unknown n/a na set unset asdf foo bar baz test hunter hidden elided truncated censored
    contraseña senha clave""".split()
)
_REFERENCE = re.compile(
    r"(?:os|process|config|conf|cfg|settings|self|this|env|args|options|opts|req|request|ctx|context|params|props|state|data"
    r"|user|secrets|vault|var|local|module|import|import\.meta|System|ENV)\.[A-Za-z_]"
    r"|[A-Za-z_][\w.]*(?:[(\[]|::)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z|/|~/|\./|\.\./|[a-z]+://|@|[A-Za-z]:\\|--?[a-z]"
)
_HEX = re.compile(r"(?:0x)?[0-9a-f]+|[0-9A-F]+")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d")
_SEGMENT = re.compile(r"[A-Za-z0-9]+")
_WORDLIKE = re.compile(
    r"[A-Z]?[a-z]+\d{0,4}|[A-Z]+\d{0,4}|\d+|v?\d+[a-z]?|(?:[A-Z]?[a-z]++){1,6}+\d{0,2}|[0-9a-f]{1,5}"
)
_GROUPS = re.compile(r"[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){3,9}")
_RUN = re.compile(r"[A-Z]+|[a-z]+|[0-9]+")

_CANDIDATE = re.compile(r"[A-Za-z0-9+/_=-]{28,}")
_LONGEST = 128
_ID_PREFIX = re.compile(
    r"[A-Za-z]{2,12}_|_Z|[a-z]{2,10}-(?=[A-Za-z0-9]{20,}\Z)|sha\d{1,3}-|AAAA[BCE]3|[0-9A-HJKMNP-TV-Z]{26}\Z"
)
_LEAST_CHANGES = 0.42
_LEAST_RUNS = 14
_NAMED_HASH = re.compile(
    r"(?:hash|digest|checksum|etag|fingerprint|thumbprint|integrity|signature|id|ids|cursor|nonce|rev|revision|commit|oid)"
    r"\W{1,5}\Z",
    re.IGNORECASE,
)
_AROUND = re.compile(r"[A-Za-z0-9.~:%@&?#=+/\\_-]{0,256}\Z")


def is_placeholder(value: str) -> bool:
    """Whether a value stands for a secret but is none: "<token>", "${KEY}", "xxxx", "your-api-key", "password"."""
    bare = value.strip("\"'`.,;:!? ")
    return (
        len(set(bare)) < 2
        or bare.lower() in _STAND_IN_WORDS
        or _STAND_IN.match(bare) is not None
        or (len(bare) > 7 and len(set(bare)) < 4)
        or "xxxx" in bare.lower()
        or "***" in bare
        or "..." in bare
        or "…" in bare
        or "<" in bare
    )


def is_reference(value: str) -> bool:
    """Whether a value is code or a path rather than a value: "os.environ[...]", "config.token", "get()", "/etc/x"."""
    return _REFERENCE.match(value) is not None


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def is_generated(value: str) -> bool:
    """Whether some part of a value mixes letters and digits as words, versions and ids of words don't: at least six
    characters that change between capital, small letters and digits twice or more, sixteen hex digits, or groups as in
    a licence key."""
    if _DATE.search(value):
        return False
    if _GROUPS.fullmatch(value) and any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
        return True
    for segment in _SEGMENT.findall(value):
        if len(segment) >= 16 and _HEX.fullmatch(segment) and not segment.isalpha():
            return True
        if len(segment) < 6 or _WORDLIKE.fullmatch(segment) or segment.isalpha():
            continue
        if len(_RUN.findall(segment)) >= 3:
            return True
    return False


def find(text: str) -> Iterator[Span]:
    """Random strings of 28 to 128 characters, whatever stands beside them: small and capital letters and digits in
    quick change. Left alone: hex (hashes), UUIDs, ULIDs, ids with a word and an underscore ("toolu_01..."), integrity
    hashes, public keys, mangled names, whatever is a part of a URL, path or address, and longer runs (images)."""
    for m in _CANDIDATE.finditer(text):
        value = m[0].strip("=-_/+")
        if not 28 <= len(value) <= _LONGEST or m.end() - m.start() > _LONGEST:
            continue
        if _ID_PREFIX.match(value) or not _is_random(value) or _in_address(text, m.start(), m.end()):
            continue
        start = text.index(value, m.start())
        yield Span(start, start + len(value), "high-entropy", 9)


def _is_random(value: str) -> bool:
    runs = _RUN.findall(value)
    length = sum(map(len, runs))
    digits = sum(map(str.isdigit, value))
    if not 2 <= digits <= length * 0.6 or len(set(value)) < 14 or len(runs) < _LEAST_RUNS:
        return False
    if not any(map(str.isupper, value)) or not any(map(str.islower, value)):
        return False
    return len(runs) / length >= _LEAST_CHANGES and max(map(len, runs)) <= 8


def _in_address(text: str, start: int, stop: int) -> bool:
    """Whether the string is a part of a URL, a path, a dotted name, a data URI or an escape."""
    around = _AROUND.search(text, max(0, start - 256), start)
    before = around[0] if around else ""
    if "/" in before or before.endswith((".", "@", "\\", "%", "#", ":")):
        return True
    near = text[max(0, start - 32) : start]
    if near.rstrip().endswith(("base64,", "SHA256:", "sha256:", "sha512:")) or _NAMED_HASH.search(near):
        return True
    return text[stop : stop + 1] in (".", "@") and text[stop + 1 : stop + 2].isalnum()
