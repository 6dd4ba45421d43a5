"""Claude models through Anthropic's SDK: `anthropic:NAME`."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from crustacean.errors import ModelError
from crustacean.models.chat import ChatModel, adapting, answer, cut_off, messages
from crustacean.models.endpoint import Provider
from crustacean.models.failures import CostlyReply
from crustacean.models.prices import Price
from crustacean.models.protocol import Reply, Request, Usage
from crustacean.models.schema import NotStrict, closed
from crustacean.models.settings import ModelSettings
from crustacean.models.wire import Rejected, count, exchange
from crustacean.text.normalise import encodable

ANTHROPIC = Provider("anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "api.anthropic.com")

_TOOL = "record"
_KEY_HINT = "set it, or key_env, key_cmd or key_file of anthropic in crab.toml"
# No model caches a prompt of fewer than 1,024 tokens, and a request may hold four marks
# (platform.claude.com/docs/en/build-with-claude/prompt-caching).
_CACHED_FROM = 4_000
_MARKS = 4

# How the reply is asked for: by a tool that must be called, by a format, or by the words of the system parts alone.
# Models that always think refuse a forced tool; servers that only resemble the API may know neither.
Way = Literal["tool", "format", "words"]


def connect(model: str, settings: ModelSettings) -> AnthropicModel:
    """The model of that name. Raises ModelError for no name; whether it can be had shows in `check` and `reply`."""
    if not model:
        raise ModelError("anthropic: no model is named", "write anthropic:NAME, such as anthropic:claude-sonnet-5-5")
    return AnthropicModel(model, settings)


class AnthropicModel(ChatModel):
    """One Claude model. What it turns out not to know (a forced tool, a format) is not asked of it again."""

    def __init__(self, model: str, settings: ModelSettings) -> None:
        super().__init__(ANTHROPIC, model, settings)
        self._way: Way = "tool"

    def check(self) -> None:
        """Raises ModelError where no key or no proper address is at hand. Sends nothing."""
        _ = self._client

    def reply(self, request: Request) -> Reply:
        import anthropic

        client = self._client

        def ask() -> dict[str, Any]:
            return exchange(
                anthropic,
                anthropic.AnthropicError,
                lambda: client.messages.with_raw_response.create(**self._body(request)),
                self._endpoint,
                self._settings.retry,
            )

        return read(adapting(ask, self._adapt), request, self.name, self._price)

    @cached_property
    def _client(self) -> Any:
        import anthropic

        endpoint = self._endpoint
        options = self._options(anthropic.Timeout)
        token = self._settings.env.get("ANTHROPIC_AUTH_TOKEN", "").strip()
        configured = bool(self._settings.base_url.get("anthropic"))
        if endpoint.key is not None:
            options["api_key"] = endpoint.key.value
        elif token and not configured:
            options["auth_token"] = token
        elif configured or endpoint.local:
            options["api_key"] = "none"
        try:
            client = anthropic.Anthropic(**options)
        except anthropic.AnthropicError as error:
            raise ModelError(f"anthropic: {endpoint.clean(str(error))}", _KEY_HINT) from None
        # Without a key the SDK may have found a login of its own; older ones know of none.
        known = ("api_key", "auth_token", "credentials")
        if not any(getattr(client, name, None) for name in known):
            raise ModelError(
                "anthropic: there is no key: the environment variable ANTHROPIC_API_KEY is not set", _KEY_HINT
            )
        return client

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "max_tokens": request.max_tokens}
        if self._way == "format":
            # A schema that can't be said as a format is in the system parts all the same.
            with contextlib.suppress(NotStrict):
                body["output_config"] = {"format": {"type": "json_schema", "schema": closed(request.schema)}}
        elif self._way == "tool":
            tool = {"name": _TOOL, "description": "Give the reply.", "input_schema": dict(request.schema)}
            body["tools"] = [tool]
            body["tool_choice"] = {"type": "tool", "name": _TOOL, "disable_parallel_tool_use": True}
        if any(part.strip() for part in request.system):
            body["system"] = _system(request.system)
        body["messages"] = messages(request)
        return body

    def _adapt(self, error: Rejected) -> bool:
        """Ask in another way after this answer. False: there is none."""
        way = _next_way(self._way, error)
        self._way = way or self._way
        return way is not None


def read(data: dict[str, Any], request: Request, name: str, price: Price | None) -> Reply:
    """The reply in a response of the Messages API, whatever it holds. Raises CostlyReply where it can't be used."""
    usage = _usage(data.get("usage"), price)
    stop = data.get("stop_reason")
    if stop == "max_tokens":
        raise cut_off(request, usage, name)
    if stop == "model_context_window_exceeded":
        raise CostlyReply(f"{name} ran out of context", usage, "lower batch_tokens in crab.toml")
    if stop == "refusal":
        raise CostlyReply(f"{name} refused to answer{_category(data.get('stop_details'))}", usage)
    blocks = [block for block in _list(data.get("content")) if isinstance(block, dict)]
    called = [block["input"] for block in blocks if block.get("type") == "tool_use" and block.get("input")]
    said = "".join(str(block["text"]) for block in blocks if block.get("type") == "text" and block.get("text"))
    return answer(json.dumps(called[0], ensure_ascii=False) if called else said, request, usage, name)


def _usage(data: Any, price: Price | None) -> Usage:
    usage = Usage(
        calls=1,
        input=count(data, "input_tokens"),
        output=count(data, "output_tokens"),
        cache_read=count(data, "cache_read_input_tokens"),
        cache_write=count(data, "cache_creation_input_tokens"),
        cost=None,
    )
    return usage if price is None else replace(usage, cost=price.cost(usage))


def _next_way(way: Way, error: Rejected) -> Way | None:
    if error.status not in (400, 422):
        return None
    if way == "tool" and any(sign in error.said for sign in ("tool", "thinking")):
        return "format"
    if way == "format" and any(sign in error.said for sign in ("output_config", "format", "schema", "grammar")):
        return "words"
    return None


def _system(parts: Sequence[str]) -> list[dict[str, Any]]:
    """The system parts as blocks, the last of them that close a long stretch marked for the cache."""
    blocks: list[dict[str, Any]] = []
    marked: list[dict[str, Any]] = []
    length = 0
    for part in parts:
        if not part.strip():
            continue
        blocks.append({"type": "text", "text": encodable(part)})
        length += len(part)
        if length >= _CACHED_FROM:
            marked.append(blocks[-1])
            length = 0
    for block in marked[-_MARKS:]:
        block["cache_control"] = {"type": "ephemeral"}
    return blocks


def _category(details: Any) -> str:
    category = details.get("category") if isinstance(details, dict) else None
    return f" ({category})" if isinstance(category, str) and category.isidentifier() else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
