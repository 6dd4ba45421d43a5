"""The detectors of detect-secrets, used as a library on the stretches of text that could hold a token.

Its scanner (files, baselines, verification over the network) stays unused, and so do the detectors whose work
the other modules do better in prose: keywords, entropy, basic auth, private keys, public IP addresses. Several of its
expressions take quadratic time on long lines, so each sees at most a few hundred characters at once. The library is
imported with the first such stretch, since it brings an HTTP client along.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from crustacean.text.secrets.span import Span
from crustacean.text.secrets.values import is_placeholder

if TYPE_CHECKING:
    from detect_secrets.plugins.base import RegexBasedDetector

_BEFORE = 64
_PIECE = 512
_LONG = re.compile(r"[A-Za-z0-9_.:=+/-]{24,}")
_GROWS = re.compile(r"[A-Za-z0-9_-]{0,256}")

# What must occur (in small letters) in a stretch for a detector to be worth asking, and crab's name for its finding. A
# detector that isn't named here (a later version's) is always asked.
_DETECTORS: dict[str, tuple[str, tuple[str, ...]]] = {
    "ArtifactoryDetector": ("artifactory-token", ("akc",)),
    "AWSKeyDetector": ("aws-key", ("akia", "asia", "abia", "acca", "a3t", "aws")),
    "AzureStorageKeyDetector": ("azure-key", ("accountkey=",)),
    "CloudantDetector": ("cloudant-key", ("cloudant",)),
    "DiscordBotTokenDetector": ("discord-token", (".",)),
    "GitHubTokenDetector": ("github-token", ("gh",)),
    "GitLabTokenDetector": ("gitlab-token", ("gl", "gr1348941")),
    "IbmCloudIamDetector": ("ibm-key", ("ibm", "iam")),
    "IbmCosHmacDetector": ("ibm-key", ("hmac", "cos")),
    "JwtTokenDetector": ("jwt", ("eyj",)),
    "MailchimpDetector": ("mailchimp-key", ("-us",)),
    "NpmDetector": ("npm-token", (":_authtoken",)),
    "OpenAIDetector": ("openai-key", ("t3blbkfj",)),
    "PypiTokenDetector": ("pypi-token", ("pypi-",)),
    "SendGridDetector": ("sendgrid-key", ("sg.",)),
    "SlackDetector": ("slack-token", ("xox", "hooks.slack.com")),
    "SoftlayerDetector": ("softlayer-key", ("softlayer",)),
    "SquareOAuthDetector": ("square-secret", ("sq0csp-",)),
    "StripeDetector": ("stripe-key", ("k_live_",)),
    "TelegramBotTokenDetector": ("telegram-token", (":",)),
    "TwilioKeyDetector": ("twilio-key", ("ac", "sk")),
}
_OURS = frozenset(
    {
        "BasicAuthDetector",
        "PrivateKeyDetector",
        "IPPublicDetector",
        "KeywordDetector",
        "Base64HighEntropyString",
        "HexHighEntropyString",
    }
)


def find(text: str) -> Iterator[Span]:
    """What the library's detectors find. Linear in the text's length."""
    for start, stop in _stretches(text):
        piece = text[start:stop]
        low = piece.lower()
        for kind, triggers, detector in _detectors():
            if triggers and not any(trigger in low for trigger in triggers):
                continue
            for value in detector.analyze_string(piece):
                yield from _located(text, value, start, stop, kind)


def _located(text: str, value: str, start: int, stop: int, kind: str) -> Iterator[Span]:
    at = text.find(value, start, stop)
    if len(value) < 8 or at < 0 or text[at - 1 : at].isalnum() or is_placeholder(value):
        return
    if not any(map(str.isdigit, value)):
        return
    m = _GROWS.match(text, at + len(value))
    yield Span(at, m.end() if m else at + len(value), kind, 1)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """The long runs of token characters that hold a digit, each with some text before it, in pieces."""
    for m in _LONG.finditer(text):
        if not any(map(str.isdigit, m[0][:4096])):
            continue
        line = text.rfind("\n", max(0, m.start() - _BEFORE), m.start()) + 1
        first = max(line, m.start() - _BEFORE)
        for at in range(first, m.end(), _PIECE // 2):
            yield at, min(at + _PIECE, m.end() + 2)
            if at + _PIECE >= m.end():
                break


@lru_cache(maxsize=1)
def _detectors() -> tuple[tuple[str, tuple[str, ...], RegexBasedDetector], ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.plugins.base import RegexBasedDetector

    out = []
    classes: Iterable[Callable[[], object]] = get_mapping_from_secret_type_to_class().values()
    for cls in classes:
        name = getattr(cls, "__name__", "")
        detector = None if name in _OURS else cls()
        if isinstance(detector, RegexBasedDetector):
            kind = re.sub(r"[^a-z0-9]+", "-", str(detector.secret_type).lower()).strip("-")
            out.append((*_DETECTORS.get(name, (kind, ())), detector))
    return tuple(out)
