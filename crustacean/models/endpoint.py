"""Where a model is asked, and with which key."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from crustacean.errors import ModelError
from crustacean.models.failures import one_line
from crustacean.models.keys import Key, find_key
from crustacean.models.prices import FREE, Price, price_of
from crustacean.models.settings import ModelSettings

_LOOPBACK = ("localhost", "::1")


@dataclass(frozen=True, slots=True)
class Provider:
    """What is peculiar to a provider: its name, the environment variables of its key and address, and its hosts."""

    name: str
    key_variable: str
    url_variable: str
    host: str

    def owns(self, host: str) -> bool:
        return host == self.host or host.endswith("." + self.host)

    def url(self, settings: ModelSettings) -> tuple[str, str]:
        """The base URL and the option that says it; "" for the provider's own address."""
        configured = settings.base_url.get(self.name, "").strip()
        if configured:
            return configured, f"base_url of {self.name} in crab.toml"
        return settings.env.get(self.url_variable, "").strip(), f"the environment variable {self.url_variable}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked. url: "" for the provider's own address. key: None where none is needed or known.
    timeout: seconds."""

    provider: str
    model: str
    url: str
    key: Key | None
    timeout: float

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"

    @property
    def local(self) -> bool:
        return is_local(host_of(self.url))

    @property
    def place(self) -> str:
        """The server in words: never with a path, a user or a password."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if self.url else self.provider

    def clean(self, text: str) -> str:
        """Someone else's words as one short line, without the key."""
        return one_line(text, self.key.value if self.key else "")


def find_endpoint(provider: Provider, model: str, settings: ModelSettings) -> Endpoint:
    """Raises ModelError where the base URL is none, or the key's source gives no key.

    A base URL in crab.toml that is not the provider's own gets only a key that crab.toml names, so that nobody's key
    goes to a server it was not made for.
    """
    url, option = provider.url(settings)
    if url:
        _check(provider.name, url, option)
    configured = bool(settings.base_url.get(provider.name, "").strip())
    ours = not configured or provider.owns(host_of(url))
    key = find_key(provider.name, provider.key_variable, settings, ours=ours)
    return Endpoint(provider.name, model, url, key, settings.timeout)


def find_price(provider: Provider, model: str, settings: ModelSettings) -> Price | None:
    """What a model costs there; nothing on this machine, unless its name is one of the provider's."""
    price = price_of(provider.name, model, settings.prices)
    if price is None and is_local(host_of(provider.url(settings)[0])):
        return FREE
    return price


def host_of(url: str) -> str:
    """The host of a URL in lower case, "" where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_local(host: str) -> bool:
    """Whether a host is this machine."""
    return host in _LOOPBACK or host.endswith(".localhost") or host.startswith("127.")


def _check(provider: str, url: str, option: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not url.isprintable() or " " in url:
        shown = one_line(url.rpartition("@")[2])
        raise ModelError(f"{provider}: {option} is not an address: {shown}", "write it as http://HOST:PORT/v1")
