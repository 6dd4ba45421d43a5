"""Models through OpenAI's SDK: `openai:NAME`, at OpenAI or at any server that speaks its chat completions
(Ollama, llama.cpp, vLLM, OpenRouter)."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from crustacean.errors import ModelError
from crustacean.models.chat import ChatModel, adapting, answer, cut_off, messages
from crustacean.models.endpoint import Provider, host_of
from crustacean.models.estimate import estimate, estimate_text
from crustacean.models.failures import CostlyReply, one_line
from crustacean.models.prices import Price
from crustacean.models.protocol import Reply, Request, Usage
from crustacean.models.schema import NotStrict, strict, without_nulls
from crustacean.models.settings import ModelSettings
from crustacean.models.wire import Rejected, count, exchange
from crustacean.text.normalise import encodable

OPENAI = Provider("openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "api.openai.com")

_KEY_HINT = "set it, or key_env, key_cmd or key_file of openai in crab.toml"
_FORMAT_SIGNS = ("response_format", "json_schema", "json_object", "schema", "grammar", "structured", "guided")
_UNKNOWN_SIGNS = ("unsupported", "unrecognized", "not supported", "unknown", "extra", "not permitted", "instead")

Way = Literal["schema", "object", "words"]
_LOWER: dict[Way, Way] = {"schema": "object", "object": "words"}


def connect(model: str, settings: ModelSettings) -> OpenAIModel:
    """The model of that name. Raises ModelError for no name; whether it can be had shows in `check` and `reply`."""
    if not model:
        raise ModelError("openai: no model is named", "write openai:NAME, such as openai:gpt-6.2-sol")
    return OpenAIModel(model, settings)


class OpenAIModel(ChatModel):
    """One model behind chat completions.

    What a server turns out not to know (a schema, a format, the name of the token limit) is not asked of it again.
    """

    def __init__(self, model: str, settings: ModelSettings) -> None:
        super().__init__(OPENAI, model, settings)
        self._way: Way = "schema"
        host = host_of(OPENAI.url(settings)[0])
        self._limit = "max_completion_tokens" if not host or OPENAI.owns(host) else "max_tokens"
        self._limit_changed = False

    def check(self) -> None:
        """Raises ModelError where no key or no proper address is at hand. Sends nothing."""
        _ = self._client

    def reply(self, request: Request) -> Reply:
        import openai

        client = self._client

        def ask() -> dict[str, Any]:
            return exchange(
                openai,
                openai.OpenAIError,
                lambda: client.chat.completions.with_raw_response.create(**self._body(request)),
                self._endpoint,
                self._settings.retry,
            )

        return read(adapting(ask, self._adapt), request, self.name, self._price)

    @cached_property
    def _client(self) -> Any:
        import openai

        endpoint = self._endpoint
        options = self._options(openai.Timeout)
        if endpoint.key is not None:
            options["api_key"] = endpoint.key.value
        elif self._settings.base_url.get("openai") or endpoint.local:
            options["api_key"] = "none"
        else:
            raise ModelError("openai: there is no key: the environment variable OPENAI_API_KEY is not set", _KEY_HINT)
        try:
            return openai.OpenAI(**options)
        except openai.OpenAIError as error:
            raise ModelError(f"openai: {endpoint.clean(str(error))}", _KEY_HINT) from None

    def _adapt(self, error: Rejected) -> bool:
        """Ask in another way after this answer. False: there is none."""
        if error.status not in (400, 422, 501):
            return False
        if self._limit in error.said and any(sign in error.said for sign in _UNKNOWN_SIGNS) and not self._limit_changed:
            self._limit = "max_tokens" if self._limit == "max_completion_tokens" else "max_completion_tokens"
            self._limit_changed = True
            return True
        if self._way in _LOWER and any(sign in error.said for sign in _FORMAT_SIGNS):
            self._way = _LOWER[self._way]
            return True
        return False

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, self._limit: request.max_tokens}
        if self._way == "schema":
            body["response_format"] = {"type": "json_schema", "json_schema": _named(request)}
        elif self._way == "object":
            body["response_format"] = {"type": "json_object"}
        text = "\n\n".join(part for part in request.system if part.strip())
        system = [{"role": "system", "content": encodable(text)}] if text else []
        body["messages"] = system + messages(request)
        return body


def read(data: dict[str, Any], request: Request, name: str, price: Price | None) -> Reply:
    """The reply in a response of chat completions, whatever it holds. Raises CostlyReply where it can't be used."""
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text = _text(message.get("content"))
    usage = _usage(data.get("usage"), request, text, price)
    if choice.get("finish_reason") == "length":
        raise cut_off(request, usage, name)
    if choice.get("finish_reason") == "content_filter":
        raise CostlyReply(f"the reply of {name} was stopped by the provider's content filter", usage)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip() and not text.strip():
        raise CostlyReply(f"{name} refused to answer: {one_line(refusal)}", usage)
    reply = answer(text, request, usage, name)
    return replace(reply, data=without_nulls(reply.data, request.schema))


def _usage(data: Any, request: Request, text: str, price: Price | None) -> Usage:
    read = count(data, "prompt_tokens_details", "cached_tokens")
    write = count(data, "prompt_tokens_details", "cache_write_tokens")
    prompt = count(data, "prompt_tokens")
    if not prompt:  # a server that does not count
        return _priced(Usage(1, estimate(request), estimate_text(text), cost=None), None, price)
    usage = Usage(1, max(0, prompt - read - write), count(data, "completion_tokens"), read, write, None)
    return _priced(usage, data.get("cost"), price)


def _priced(usage: Usage, said: Any, price: Price | None) -> Usage:
    if price is not None:
        return replace(usage, cost=price.cost(usage))
    # OpenRouter says what a call has cost.
    known = isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said < 10**6
    return replace(usage, cost=float(said)) if known else usage


def _named(request: Request) -> dict[str, Any]:
    try:
        return {"name": "reply", "strict": True, "schema": strict(request.schema)}
    except NotStrict:
        return {"name": "reply", "strict": False, "schema": dict(request.schema)}


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text"))
