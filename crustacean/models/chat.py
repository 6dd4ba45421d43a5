"""What the models behind a provider's SDK have in common: where they are asked, how, and what their answer is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from crustacean.models.endpoint import Endpoint, Provider, find_endpoint, find_price
from crustacean.models.extract import find_object
from crustacean.models.failures import CostlyReply
from crustacean.models.prices import Price
from crustacean.models.protocol import Reply, Request, Usage
from crustacean.models.settings import ModelSettings
from crustacean.models.wire import Rejected
from crustacean.text.normalise import encodable

_CONNECT_TIMEOUT = 15.0


class ChatModel:
    """One model of a provider; see crustacean.models.protocol.Model. Its SDK is loaded when it is first needed."""

    offline = False

    def __init__(self, provider: Provider, model: str, settings: ModelSettings) -> None:
        self.name = f"{provider.name}:{model}"
        self._provider = provider
        self._model = model
        self._settings = settings

    def price(self) -> tuple[float, float] | None:
        return None if self._price is None else (self._price.input, self._price.output)

    @cached_property
    def _price(self) -> Price | None:
        return find_price(self._provider, self._model, self._settings)

    @cached_property
    def _endpoint(self) -> Endpoint:
        return find_endpoint(self._provider, self._model, self._settings)

    def _options(self, timeout: Callable[..., Any]) -> dict[str, Any]:
        """What an SDK's client is made with, but for the key. timeout: the SDK's type for it."""
        endpoint = self._endpoint
        options: dict[str, Any] = {
            "max_retries": 0,
            "timeout": timeout(endpoint.timeout, connect=min(_CONNECT_TIMEOUT, endpoint.timeout)),
        }
        if endpoint.url:
            options["base_url"] = endpoint.url
        return options


def adapting(ask: Callable[[], dict[str, Any]], adapt: Callable[[Rejected], bool]) -> dict[str, Any]:
    """What `ask` gives, asked anew as long as `adapt` finds another way after a rejection. Raises what `ask` does."""
    while True:
        try:
            return ask()
        except Rejected as error:
            if not adapt(error):
                raise


def messages(request: Request) -> list[dict[str, Any]]:
    """The prompt, and each earlier reply with what was wrong with it, as messages of a chat."""
    told = [{"role": "user", "content": encodable(request.prompt)}]
    for reply, reasons in request.messages:
        told.append({"role": "assistant", "content": encodable(reply)})
        told.append({"role": "user", "content": encodable(reasons)})
    return told


def cut_off(request: Request, usage: Usage, name: str) -> CostlyReply:
    """The error of a reply that ran into the limit of tokens."""
    return CostlyReply(
        f"the reply of {name} was cut off at {request.max_tokens} tokens", usage, "lower batch_tokens in crab.toml"
    )


def answer(text: str, request: Request, usage: Usage, name: str) -> Reply:
    """The reply that a model's text is. Raises CostlyReply where it is empty or holds no object of the request's
    schema."""
    if not text.strip():
        raise CostlyReply(f"the reply of {name} is empty", usage)
    found = find_object(text, frozenset(request.schema.get("properties", ())))
    if not found:
        raise CostlyReply(f"the reply of {name} is not the JSON object it was asked for", usage)
    return Reply(found, text, usage)
