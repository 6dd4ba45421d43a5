"""Secrets that show by their form alone: provider tokens, private keys, passwords in URLs, card numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crustacean.text.secrets.span import Span
from crustacean.text.secrets.values import is_generated, is_placeholder

# prefix, kind, form after the prefix. Open-ended forms take the whole run, so the scan stays linear.
_TABLE = r"""
sk-ant-                     anthropic-key       [\w-]{16,}
sk-or-                      openrouter-key      [\w-]{16,}
sk-                         api-key             [\w-]{16,}
ghp_                        github-token        \w{16,}
gho_                        github-token        \w{16,}
ghu_                        github-token        \w{16,}
ghs_                        github-token        [\w.-]{16,}
ghr_                        github-token        \w{16,}
github_pat_                 github-token        \w{16,}
glpat-                      gitlab-token        [\w.-]{16,}
gldt-                       gitlab-token        [\w-]{16,}
glrt-                       gitlab-token        [\w.-]{16,}
glptt-                      gitlab-token        [\w-]{16,}
glsa_                       grafana-token       \w{24,}
xoxb-                       slack-token         [\w-]{10,}
xoxp-                       slack-token         [\w-]{10,}
xoxa-                       slack-token         [\w-]{10,}
xoxs-                       slack-token         [\w-]{10,}
xoxr-                       slack-token         [\w-]{10,}
xoxe-                       slack-token         [\w-]{10,}
xoxc-                       slack-token         [\w-]{10,}
xoxd-                       slack-token         [\w%+/=-]{10,}
xapp-                       slack-token         [\w-]{10,}
hooks.slack.com/services/   slack-webhook       [\w/]{16,}
discord.com/api/webhooks/   discord-webhook     [\w/-]{40,}
sk_live_                    stripe-key          \w{16,}
rk_live_                    stripe-key          \w{16,}
sk_test_                    stripe-key          \w{16,}
rk_test_                    stripe-key          \w{16,}
whsec_                      webhook-secret      [\w+/=-]{16,}
AIza                        google-key          [\w-]{30,}
GOCSPX-                     google-key          [\w-]{20,}
ya29.                       google-token        [\w.-]{20,}
AKIA                        aws-key             [A-Z0-9]{16,}
ASIA                        aws-key             [A-Z0-9]{16,}
npm_                        npm-token           [A-Za-z0-9]{24,}
pypi-                       pypi-token          [\w-]{32,}
hf_                         huggingface-token   [A-Za-z0-9]{16,}
gsk_                        groq-key            [A-Za-z0-9]{24,}
xai-                        xai-key             [A-Za-z0-9]{24,}
r8_                         replicate-token     [A-Za-z0-9]{24,}
pplx-                       perplexity-key      [A-Za-z0-9]{24,}
nvapi-                      nvidia-key          [\w-]{24,}
tvly-                       tavily-key          [\w-]{20,}
dop_v1_                     digitalocean-token  [a-f0-9]{32,}
shpat_                      shopify-token       [A-Fa-f0-9]{24,}
shpss_                      shopify-token       [A-Fa-f0-9]{24,}
lin_api_                    linear-key          [A-Za-z0-9]{24,}
ntn_                        notion-token        [A-Za-z0-9]{24,}
secret_                     notion-token        [A-Za-z0-9]{32,}
figd_                       figma-token         [\w-]{24,}
dckr_pat_                   docker-token        [\w-]{16,}
rubygems_                   rubygems-token      [a-f0-9]{32,}
sntrys_                     sentry-token        [\w=+/-]{24,}
sntryu_                     sentry-token        [a-f0-9]{32,}
sbp_                        supabase-token      [a-f0-9]{24,}
sb_secret_                  supabase-token      [\w-]{16,}
tskey-                      tailscale-key       [\w-]{16,}
hvs.                        vault-token         [\w-]{16,}
ATATT3                      atlassian-token     [\w=-]{24,}
ATBB                        atlassian-token     [A-Za-z0-9]{24,}
PMAK-                       postman-key         [a-f0-9-]{32,}
dapi                        databricks-token    [a-f0-9]{32,}
AGE-SECRET-KEY-             age-key             [A-Z0-9]{32,}
EAACEdEose0cBA              facebook-token      [A-Za-z0-9]{16,}
"""
_FORMS = [
    (prefix, kind, re.compile(form, re.ASCII))
    for prefix, kind, form in (line.split() for line in _TABLE.split("\n") if line)
]
_SURE = frozenset({"aws-key", "google-key"})
_LOOSE = frozenset({"api-key", "pypi-token", "tailscale-key", "webhook-secret"})
_JWT_PART = re.compile(r"[\w-]*+", re.ASCII)

_BOT = re.compile(r"\d{8,10}\Z")
_BOT_REST = re.compile(r":AA[\w-]{28,40}(?![\w-])", re.ASCII)
_IN_URL = re.compile(r"://[^\s:/?#@\[\]\"'<>`]{0,256}:([^\s/\"'<>`]{1,256})@(?=[\w\[.-])")
_AZURE = re.compile(r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{20,})")
_SIGNED = re.compile(
    r"[?&](?:sig|X-Amz-Signature|X-Amz-Security-Token|access_token|auth|apikey|api_key|key|token)=([\w%+/.~-]{20,})"
)
_BEARER = re.compile(r"\b(?:Bearer|Basic)\s{1,4}([\w.~+/-]{12,}={0,2})", re.IGNORECASE)
_CURL_USER = re.compile(r"\s(?:-u|--user)[\s=]{1,2}[\"']?[\w.@+-]{1,64}:([^\s\"']{3,128})")
_MYSQL = re.compile(r"\b(?:(?:mysql\w{0,8}|mariadb)\b[^\n|;&]{0,120}?\s-p|sshpass\s-p\s?)[\"']?([^\s\"']{4,64})")
_BITLOCKER = re.compile(r"(?<!\d)\d{6}(?:-\d{6}){7}(?!\d)")
_PEM = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_TEXT = re.compile(r"(?:\\n|\s)[A-Za-z0-9+/=]{16,}+(?:(?:\\n|\\r|\s){1,4}+[A-Za-z0-9+/=]{8,}+)*+")
_PUTTY = re.compile(r"Private-Lines: \d{1,4}\s++(?:[A-Za-z0-9+/=]{1,80}+(?:\r?\n|\Z))++")
_CARD = re.compile(
    r"(?<![\w.,+/#=-])(?:\d{15,16}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -])\d{6}\2\d{5})(?![\w-]|[.,]\d)"
)
_CARD_START = re.compile(r"4|5[1-5]|2[2-7]|3[47]|6(?:011|5|4[4-9])|35")


def find(text: str) -> Iterator[Span]:
    """Secrets by form. Linear in the text's length."""
    yield from _provider_tokens(text)
    yield from _bot_tokens(text)
    yield from _jwts(text)
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    if "Private-Lines: " in text:
        yield from (Span(m.start(), m.end(), "private-key", 0) for m in _PUTTY.finditer(text))
    if "://" in text:
        yield from _grouped(_IN_URL, text, "url-password", 1)
    if "AccessKey=" in text or "AccountKey=" in text:
        yield from _grouped(_AZURE, text, "azure-key", 1)
    yield from _grouped(_SIGNED, text, "url-token", 4, generated=True)
    yield from _grouped(_BEARER, text, "token", 4, generated=True)
    if " -u" in text or " --user" in text:
        yield from _grouped(_CURL_USER, text, "password", 4)
    if " -p" in text:
        yield from _grouped(_MYSQL, text, "password", 4)
    yield from (Span(*m.span(), "recovery-key", 1) for m in _BITLOCKER.finditer(text))
    yield from _cards(text)


def _grouped(pattern: re.Pattern[str], text: str, kind: str, rank: int, generated: bool = False) -> Iterator[Span]:
    """The first group of each match that is no stand-in (and looks generated, where that is asked for)."""
    for m in pattern.finditer(text):
        value = m[1]
        if not is_placeholder(value) and (not generated or is_generated(value)):
            yield Span(*m.span(1), kind, rank)


def _provider_tokens(text: str) -> Iterator[Span]:
    for prefix, kind, form in _FORMS:
        at = text.find(prefix)
        while at >= 0:
            m = form.match(text, at + len(prefix))
            if m and not text[at - 1 : at].isalnum() and _is_token(kind, m[0]):
                stop = m.end() - len(m[0]) + len(m[0].rstrip("."))
                yield Span(at, stop, kind, 0 if kind != "api-key" else 1)
            at = text.find(prefix, m.end() if m else at + len(prefix))


def _is_token(kind: str, body: str) -> bool:
    if len(set(body)) < 6 or is_placeholder(body):
        return False
    return kind in _SURE or (any(map(str.isdigit, body)) and (kind not in _LOOSE or is_generated(body)))


def _jwts(text: str) -> Iterator[Span]:
    """Three parts (five in an encrypted one) with a point between. Each run of characters is read at most twice."""
    at = text.find("eyJ")
    while at >= 0:
        stops = [m.end() for m in _parts(text, at)]
        whole = len(stops) > 2 and stops[0] - at > 12 and stops[1] - stops[0] > 10 and not text[at - 1 : at].isalnum()
        if whole:
            yield Span(at, stops[-1], "jwt", 0)
        at = text.find("eyJ", stops[-1] if whole else stops[0])


def _parts(text: str, at: int) -> Iterator[re.Match[str]]:
    for _ in range(5):
        m = _JWT_PART.match(text, at)
        if not m or (not m[0] and at == len(text)):
            return
        yield m
        if text[m.end() : m.end() + 1] != ".":
            return
        at = m.end() + 1


def _bot_tokens(text: str) -> Iterator[Span]:
    at = text.find(":AA")
    while at >= 0:
        number = _BOT.search(text, max(0, at - 12), at)
        rest = _BOT_REST.match(text, at)
        if number and rest and len(set(rest[0])) > 8:
            yield Span(number.start(), rest.end(), "telegram-token", 0)
        at = text.find(":AA", at + 3)


def _private_keys(text: str) -> Iterator[Span]:
    """From BEGIN to END where key text stands between; without an END (cut off) as far as lines of key text go."""
    edges = list(_PEM.finditer(text))
    for k, edge in enumerate(edges):
        if edge[1] != "BEGIN":
            continue
        following = edges[k + 1] if k + 1 < len(edges) else None
        stop = following.start() if following else len(text)
        lines = _KEY_TEXT.search(text, edge.end(), stop)
        if following and following[1] == "END" and lines:
            yield Span(edge.start(), following.end(), "private-key", 0)
        elif lines and lines.start() < edge.end() + 200:
            yield Span(edge.start(), lines.end(), "private-key", 0)


def _cards(text: str) -> Iterator[Span]:
    for m in _CARD.finditer(text):
        digits = [int(d) for d in m[0] if d.isdigit()]
        if not _CARD_START.match(m[0]) or len(set(digits)) < 2:
            continue
        doubled = [d * 2 - 9 * (d > 4) for d in digits[-2::-2]]
        if (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0:
            yield Span(m.start(), m.end(), "card", 2)
